#include "work.h"

#include "batch.h"
#include "list.h"

#include <stdlib.h>
#include <string.h>

work work_new(void)
{
    work answers = {malloc(WORK_WORDS_MAX * sizeof(uint32_t)), 0};
    assert_non_null(answers.words);
    return answers;
}

void work_free(work *answers)
{
    free(answers->words);
    *answers = (work){0};
}

static void write_word(work *answers, uint32_t word)
{
    if (answers->count == WORK_WORDS_MAX) {
        abort();
    }
    answers->words[answers->count++] = word;
}

/* All NaNs are one: payload and sign of a NaN are not promised. */
static void write_floats(work *answers, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = float_bits(x[i]);
        write_word(answers, (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits);
    }
}

size_t first_difference(const work *a, const work *b)
{
    size_t shorter = a->count < b->count ? a->count : b->count;
    for (size_t i = 0; i < shorter; i++) {
        if (a->words[i] != b->words[i]) {
            return i;
        }
    }
    return a->count == b->count ? SIZE_MAX : shorter;
}

/* ---- math.h: specials, any bits, sizes where the functions do something; cut into pieces with tails. ---- */

enum { MATH_INPUTS = 1 << 15 };

static float math_inputs[MATH_INPUTS], math_outputs[2][MATH_INPUTS];

static void make_math_inputs(void)
{
    random_source random = {101};
    for (size_t i = 0; i < MATH_INPUTS; i++) {
        math_inputs[i] = i < special_float_count ? special_floats[i]
                         : i % 4 == 0            ? random_any_float(&random)
                         : i % 4 == 1            ? random_signed(&random, -20, 7)
                         : i % 4 == 2            ? random_magnitude(&random, -4, 4)
                                                 : random_signed(&random, 0, 20);
    }
}

typedef gyre_status math_function(const float *x, float *y, size_t count);

static void run_math(math_function *function, work *answers)
{
    for (size_t begin = 0, piece = 1; begin < MATH_INPUTS; begin += piece, piece = piece % 67 + 1) {
        size_t count = MATH_INPUTS - begin < piece ? MATH_INPUTS - begin : piece;
        write_word(answers, function(math_inputs + begin, math_outputs[0] + begin, count));
    }
    write_floats(answers, math_outputs[0], MATH_INPUTS);
    write_word(answers, function(NULL, math_outputs[0], 1));
}

#define MATH(name)                                                                                                     \
    static void run_math_##name(const gyre_kernels *table, work *answers) { run_math(table->math_##name, answers); }
MATH(exp)
MATH(expm1)
MATH(log)
MATH(sin)
MATH(cos)

static void run_math_sincos(const gyre_kernels *table, work *answers)
{
    for (size_t begin = 0, piece = 1; begin < MATH_INPUTS; begin += piece, piece = piece % 67 + 1) {
        size_t count = MATH_INPUTS - begin < piece ? MATH_INPUTS - begin : piece;
        write_word(answers,
                   table->math_sincos(math_inputs + begin, math_outputs[0] + begin, math_outputs[1] + begin, count));
    }
    write_floats(answers, math_outputs[0], MATH_INPUTS);
    write_floats(answers, math_outputs[1], MATH_INPUTS);
}

/* ---- Springs of one kind: parameters good, extreme and impossible. ---- */

enum { SPRING_INPUTS = 1 << 13 };

typedef float three_floats[3];

static three_floats spring_inputs[SPRING_INPUTS];

static void make_spring_inputs(void)
{
    random_source random = {102};
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        for (size_t k = 0; k < 3; k++) {
            spring_inputs[i][k] = random_one_in(&random, 8) ? special_floats[random_below(&random, special_float_count)]
                                  : random_one_in(&random, 4) ? random_magnitude(&random, -149, 127)
                                  : random_one_in(&random, 2) ? random_unit(&random)
                                                              : random_magnitude(&random, -8, 8);
        }
    }
}

#define EACH_SPRING_INPUT(in) for (three_floats *in = spring_inputs; in < spring_inputs + SPRING_INPUTS; in++)

/* An error leaves the poison. */
static void write_spring(work *answers, gyre_status status, const gyre_spring *out)
{
    write_word(answers, status);
    write_floats(answers, &out->angular_frequency, 1);
    write_floats(answers, &out->damping_ratio, 1);
}

static void run_spring_from_stiffness(const gyre_kernels *table, work *answers)
{
    EACH_SPRING_INPUT(in) {
        gyre_spring out = {-1, -2};
        gyre_status status = table->spring_from_stiffness((*in)[0], (*in)[1], (*in)[2], &out);
        write_spring(answers, status, &out);
    }
}

static void run_spring_from_response(const gyre_kernels *table, work *answers)
{
    EACH_SPRING_INPUT(in) {
        gyre_spring out = {-1, -2};
        gyre_status status = table->spring_from_response((*in)[0], (*in)[1], &out);
        write_spring(answers, status, &out);
    }
}

static void run_spring_from_duration(const gyre_kernels *table, work *answers)
{
    EACH_SPRING_INPUT(in) {
        gyre_spring out = {-1, -2};
        gyre_status status = table->spring_from_duration((*in)[0], (*in)[1], &out);
        write_spring(answers, status, &out);
    }
}

static void run_spring_from_half_life(const gyre_kernels *table, work *answers)
{
    EACH_SPRING_INPUT(in) {
        gyre_spring out = {-1, -2};
        gyre_status status = table->spring_from_half_life((*in)[0], (*in)[1], &out);
        write_spring(answers, status, &out);
    }
}

static void run_spring_from_settling(const gyre_kernels *table, work *answers)
{
    EACH_SPRING_INPUT(in) {
        gyre_spring out = {-1, -2};
        gyre_status status = table->spring_from_settling((*in)[0], (*in)[1], (*in)[2], &out);
        write_spring(answers, status, &out);
    }
}

/* ---- The matrix: w, z, t out of the same regimes as the error tests. ---- */

static three_floats matrix_inputs[SPRING_INPUTS];

static void make_matrix_inputs(void)
{
    random_source random = {103};
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        float *in = matrix_inputs[i];
        in[0] = random_magnitude(&random, -8, 10);
        in[1] = i % 3 == 0 ? 2 * random_unit(&random) : random_magnitude(&random, -10, 13);
        in[2] = random_signed(&random, -16, 13) / in[0];
        if (random_one_in(&random, 4)) {
            in[random_below(&random, 3)] = special_floats[random_below(&random, special_float_count)];
        }
        if (random_one_in(&random, 8)) {
            in[1] = 1 + random_signed(&random, -24, -1);
        }
    }
}

static void run_spring_matrix_at(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        gyre_spring spring = {matrix_inputs[i][0], matrix_inputs[i][1]};
        gyre_spring_matrix out = {-1, -2, -3, -4};
        write_word(answers, table->spring_matrix_at(spring, matrix_inputs[i][2], &out));
        write_floats(answers, (const float[]){out.pos_pos, out.pos_vel, out.vel_pos, out.vel_vel}, 4);
    }
}

/* ---- The step: every set of features, ranges with tails, limits that must be refused. ---- */

enum { STEPS = 256 };

static struct {
    batch start;
    unsigned features;
    size_t begin, end;
    gyre_spring_matrix matrix;
    float period, rest_distance, rest_speed;
} step_inputs[STEPS];

static void make_step_inputs(void)
{
    random_source random = {104};
    for (size_t i = 0; i < STEPS; i++) {
        step_inputs[i].start = batch_random(&random, true);
        step_inputs[i].features = (unsigned)i % FEATURES_ALL;
        step_inputs[i].begin = random_below(&random, 40);
        step_inputs[i].end = BATCH_SPRINGS - random_below(&random, 40);
        /* any matrix, and not of the library's making: these answers depend on the step alone */
        step_inputs[i].matrix = (gyre_spring_matrix){random_signed(&random, -6, 1), random_signed(&random, -6, 1),
                                                     random_signed(&random, -6, 1), random_signed(&random, -6, 1)};
        if (i % 8 == 0) {
            step_inputs[i].matrix.pos_vel = random_signed(&random, -149, -126);
        }
        gyre_springs springs = batch_springs(&step_inputs[i].start, step_inputs[i].features);
        float *const limits[] = {&springs.period, &springs.rest_distance, &springs.rest_speed};
        if (i % 16 == 15) { /* -2^-149 is 0 where subnormals are: it must be refused there as well */
            *limits[random_below(&random, 3)] = random_one_in(&random, 2) ? -0x1p-149f : 0x1p-149f;
        }
        step_inputs[i].period = springs.period;
        step_inputs[i].rest_distance = springs.rest_distance;
        step_inputs[i].rest_speed = springs.rest_speed;
    }
}

static void run_springs_step(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        memcpy(&b, &step_inputs[i].start, sizeof b);
        gyre_springs springs = batch_springs(&b, step_inputs[i].features);
        springs.period = step_inputs[i].period;
        springs.rest_distance = step_inputs[i].rest_distance;
        springs.rest_speed = step_inputs[i].rest_speed;
        write_word(answers,
                   table->springs_step(&springs, step_inputs[i].begin, step_inputs[i].end, &step_inputs[i].matrix));
        write_floats(answers, b.position, BATCH_SPRINGS);
        write_floats(answers, b.velocity, BATCH_SPRINGS);
        for (size_t k = 0; k < BATCH_SPRINGS; k += 4) {
            uint32_t four;
            memcpy(&four, b.awake + k, sizeof four);
            write_word(answers, four);
        }
    }
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
#define inputs_of_spring_matrix_at make_matrix_inputs
#define inputs_of_springs_step make_step_inputs

#define ENTRY(member, plain, parameters, arguments) {#member, inputs_of_##member, run_##member},
const kernel_work kernel_works[] = {GYRE_KERNELS(ENTRY)};
const size_t kernel_work_count = LENGTH(kernel_works);
