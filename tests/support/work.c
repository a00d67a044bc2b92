/* What work.h says: words, hashes, and the entries; work_parts.h says what the kernels' files share. */
#include "support/work_parts.h"

#include <stdlib.h>
#include <string.h>

work work_new(void)
{
    work answers = {malloc(WORK_WORDS_MAX * sizeof(uint32_t)), 0};
    check(answers.words, !=, NULL);
    return answers;
}

void work_free(work *answers)
{
    free(answers->words);
    *answers = (work){0};
}

void write_word(work *answers, uint32_t word)
{
    if (answers->count == WORK_WORDS_MAX) {
        abort();
    }
    answers->words[answers->count++] = word;
}

void write_floats(work *answers, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = float_bits(x[i]);
        write_word(answers, (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits);
    }
}

void check_work(check_place place, const work *got, const work *wanted)
{
    const size_t shorter = got->count < wanted->count ? got->count : wanted->count;
    for (size_t i = 0; i < shorter; i++) {
        if (got->words[i] != wanted->words[i]) {
            check_fail(place, "word %zu of %zu: got %#x, wanted %#x", i, shorter, (unsigned)got->words[i],
                       (unsigned)wanted->words[i]);
        }
    }
    if (got->count != wanted->count) {
        check_fail(place, "got %zu words, wanted %zu", got->count, wanted->count);
    }
}

uint64_t work_hash(const work *answers)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < answers->count; i++) {
        for (int shift = 0; shift < 32; shift += 8) {
            hash = (hash ^ (answers->words[i] >> shift & 0xff)) * 0x100000001b3;
        }
    }
    return hash;
}

const uint64_t *work_hashes_wanted(const kernel_work *kernel)
{
    static const struct {
        const char *name;
        uint64_t hashes[2];
    } wanted[] = {
#define HASH(kernel, portable, fused) {#kernel, {portable, fused}},
#include "data/result_hashes.inc"
#undef HASH
        {NULL, {0, 0}},
    };
    size_t row = 0;
    while (wanted[row].name != NULL && strcmp(wanted[row].name, kernel->name) != 0) {
        row++;
    }
    return wanted[row].hashes;
}

/* ---- One entry for each row of the list. ---- */

#define inputs_of_math_exp make_math_inputs
#define inputs_of_math_expm1 make_math_inputs
#define inputs_of_math_log make_math_inputs
#define inputs_of_math_sin make_math_inputs
#define inputs_of_math_cos make_math_inputs
#define inputs_of_math_sincos make_math_inputs
#define inputs_of_spring_from_stiffness make_spring_inputs
#define inputs_of_spring_from_response make_spring_inputs
#define inputs_of_spring_from_duration make_spring_inputs
#define inputs_of_spring_from_half_life make_spring_inputs
#define inputs_of_spring_from_settling make_spring_inputs
#define inputs_of_spring_settling_time make_spring_inputs
#define inputs_of_spring_to_stiffness make_spring_inputs
#define inputs_of_spring_to_response make_spring_inputs
#define inputs_of_spring_to_duration make_spring_inputs
#define inputs_of_spring_peak make_spring_inputs
#define inputs_of_spring_matrix_at make_matrix_inputs
#define inputs_of_smoothing_matrix_at make_matrix_inputs
#define inputs_of_springs_step make_step_inputs
#define inputs_of_springs_step_palette make_palette_inputs
#define inputs_of_springs_step_each make_each_inputs
#define inputs_of_springs_at make_each_inputs
#define inputs_of_orientation_springs_step make_orientation_inputs
#define inputs_of_particle_matrix_at make_damping_inputs
#define inputs_of_particles_step make_damping_inputs
#define inputs_of_particles_step_each make_damping_inputs
#define inputs_of_flings_step make_damping_inputs
#define inputs_of_damping_from_retention make_damping_inputs
#define inputs_of_damping_from_half_life make_damping_inputs
#define inputs_of_damping_rest_position make_damping_inputs
#define inputs_of_damping_velocity_to_rest_at make_damping_inputs
#define inputs_of_damping_time_to_speed make_damping_inputs
#define inputs_of_damping_time_to_position make_damping_inputs
#define inputs_of_turn_targets make_turn_inputs
#define inputs_of_gather make_memory_inputs
#define inputs_of_scatter make_memory_inputs
#define inputs_of_interpolate make_memory_inputs
#define inputs_of_limit_length make_memory_inputs
#define inputs_of_find_awake make_memory_inputs
#define inputs_of_hash make_memory_inputs
#define inputs_of_rotation_matrix make_rotation_inputs
#define inputs_of_rotation_left_jacobian make_rotation_inputs
#define inputs_of_rotation_quaternion make_rotation_inputs
#define inputs_of_rotation_vector make_quaternion_inputs
#define inputs_of_rotation_product make_quaternion_inputs
#define inputs_of_rotation_between make_quaternion_inputs
#define inputs_of_bodies_step make_body_inputs
#define inputs_of_bodies_kick make_body_inputs
#define inputs_of_bodies_energy make_body_inputs
#define inputs_of_bodies_angular_velocity make_body_inputs
#define inputs_of_bodies_set_angular_velocity make_body_inputs
#define inputs_of_bodies_transforms make_body_inputs
#define inputs_of_inertia_principal make_inertia_inputs
#define inputs_of_inertia_check make_inertia_inputs

#define ENTRY(member, plain, parameters, arguments) {#member, inputs_of_##member, run_##member},
const kernel_work kernel_works[] = {GYRE_KERNELS(ENTRY)};
const size_t kernel_work_count = LENGTH(kernel_works);
