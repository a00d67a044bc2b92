#include "support/work_parts.h"

#include "support/batch.h"
#include "list.h"

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

/* ---- Springs of one kind: valid, extreme and invalid parameters ---- */

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

#define SPRING_FROM(name, ...)                                                                                         \
    static void run_spring_from_##name(const gyre_kernels *table, work *answers)                                       \
    {                                                                                                                  \
        EACH_SPRING_INPUT(in) {                                                                                        \
            gyre_spring out = {-1, -2};                                                                                \
            gyre_status status = table->spring_from_##name(__VA_ARGS__, &out);                                         \
            write_spring(answers, status, &out);                                                                       \
        }                                                                                                              \
    }
SPRING_FROM(stiffness, (*in)[0], (*in)[1], (*in)[2])
SPRING_FROM(response, (*in)[0], (*in)[1])
SPRING_FROM(duration, (*in)[0], (*in)[1])
SPRING_FROM(half_life, (*in)[0], (*in)[1])
SPRING_FROM(settling, (*in)[0], (*in)[1], (*in)[2])

/* Four inputs to one answer, the last two out of the next row. Few of them: a bisection is not cheap. */
static void run_spring_settling_time(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i + 1 < SPRING_INPUTS / 16; i++) {
        const float *in = spring_inputs[i], *more = spring_inputs[i + 1];
        float out = -1;
        write_word(answers, table->spring_settling_time((gyre_spring){in[0], in[1]}, in[2], -more[1], more[0], &out));
        write_floats(answers, &out, 1);
    }
}

/* Of springs like those; errors leave the poison. */
static void run_spring_to_stiffness(const gyre_kernels *table, work *answers)
{
    EACH_SPRING_INPUT(in) {
        float out[2] = {-1, -2};
        write_word(answers, table->spring_to_stiffness((gyre_spring){(*in)[0], (*in)[1]}, (*in)[2], &out[0], &out[1]));
        write_floats(answers, out, 2);
    }
}

static void run_spring_to_response(const gyre_kernels *table, work *answers)
{
    EACH_SPRING_INPUT(in) {
        float out = -1;
        write_word(answers, table->spring_to_response((gyre_spring){(*in)[0], (*in)[1], (*in)[2]}, &out));
        write_floats(answers, &out, 1);
    }
}

static void run_spring_to_duration(const gyre_kernels *table, work *answers)
{
    EACH_SPRING_INPUT(in) {
        float out[2] = {-1, -2};
        write_word(answers, table->spring_to_duration((gyre_spring){(*in)[0], (*in)[1], 0}, &out[0], &out[1]));
        write_floats(answers, out, 2);
    }
}

static void run_spring_peak(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i + 1 < SPRING_INPUTS; i++) {
        const float *in = spring_inputs[i], *more = spring_inputs[i + 1];
        float out[2] = {-1, -2};
        write_word(answers, table->spring_peak((gyre_spring){in[0], in[1]}, in[2], i % 2 ? more[1] : -more[1], &out[0],
                                               &out[1]));
        write_floats(answers, out, 2);
    }
}

/* ---- The matrix: w, z, t out of the same regimes as the error tests. ---- */

static three_floats matrix_inputs[SPRING_INPUTS];
static float matrix_follow[SPRING_INPUTS];

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
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        matrix_follow[i] = random_one_in(&random, 4) ? (float)(i % 2) : random_unit(&random);
    }
}

static void write_matrix(work *answers, const gyre_spring_matrix *m)
{
    write_floats(answers, (const float[]){m->pos_pos, m->pos_vel, m->vel_pos, m->vel_vel, m->pos_ramp, m->vel_ramp}, 6);
    write_floats(answers, m->low, LENGTH(m->low));
}

static void run_spring_matrix_at(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        gyre_spring spring = {matrix_inputs[i][0], matrix_inputs[i][1], matrix_follow[i]};
        gyre_spring_matrix out = {-1, -2, -3, -4, -5, -6};
        write_word(answers, table->spring_matrix_at(spring, matrix_inputs[i][2], &out));
        write_matrix(answers, &out);
    }
}

static void run_smoothing_matrix_at(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < SPRING_INPUTS; i++) {
        gyre_spring_matrix out = {-1, -2, -3, -4, -5, -6};
        write_word(answers, table->smoothing_matrix_at(matrix_inputs[i][0], matrix_inputs[i][2], &out));
        write_matrix(answers, &out);
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
        step_inputs[i].features = (unsigned)i % 32 + (unsigned)(i * 13 % 32) * 32;
        step_inputs[i].begin = random_below(&random, 40);
        step_inputs[i].end = BATCH_SPRINGS - random_below(&random, 40);
        /* any matrix, and not of the library's making: these answers depend on the step alone */
        step_inputs[i].matrix = (gyre_spring_matrix){random_signed(&random, -6, 1), random_signed(&random, -6, 1),
                                                     random_signed(&random, -6, 1), random_signed(&random, -6, 1)};
        for (size_t k = 0; k < 4; k++) {
            step_inputs[i].matrix.low[k] = random_signed(&random, -40, -24);
        }
        step_inputs[i].matrix.pos_ramp = (float)(i % 7) / 8 - 1;
        step_inputs[i].matrix.vel_ramp = (float)(i % 11) - 5;
        step_inputs[i].matrix.low[4] = step_inputs[i].matrix.low[5] = 0x1.3p-28f;
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

static gyre_springs start_step(size_t i, batch *b)
{
    memcpy(b, &step_inputs[i].start, sizeof *b);
    gyre_springs springs = batch_springs(b, step_inputs[i].features);
    springs.period = step_inputs[i].period;
    springs.rest_distance = step_inputs[i].rest_distance;
    springs.rest_speed = step_inputs[i].rest_speed;
    springs.bounce = i % 64 == 37 ? -0x1p-149f : i % 64 == 38 ? 1.5f : (float)(i % 5) / 4;
    return springs;
}

static void write_batch(work *answers, const batch *b)
{
    write_floats(answers, b->position, BATCH_SPRINGS);
    write_floats(answers, b->velocity, BATCH_SPRINGS);
    write_floats(answers, b->position_low, BATCH_SPRINGS);
    write_floats(answers, b->velocity_low, BATCH_SPRINGS);
    for (size_t k = 0; k < BATCH_SPRINGS; k += 4) {
        const uint8_t *four = b->awake + k;
        write_word(answers, four[0] | (uint32_t)four[1] << 8 | (uint32_t)four[2] << 16 | (uint32_t)four[3] << 24);
    }
}

static void run_springs_step(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_springs springs = start_step(i, &b);
        write_word(answers,
                   table->springs_step(&springs, step_inputs[i].begin, step_inputs[i].end, &step_inputs[i].matrix));
        write_batch(answers, &b);
    }
}

/* ---- The same with a palette: the matrices of the steps and some that are not finite or the identity; indices in runs
   or without order, some beyond the palette. ---- */

enum { PALETTE = 40 };

static gyre_spring_matrix palette[PALETTE];
static uint16_t palette_indices[STEPS][BATCH_SPRINGS];

static void make_palette_inputs(void)
{
    make_step_inputs();
    random_source random = {105};
    for (size_t k = 0; k < PALETTE; k++) {
        palette[k] = step_inputs[k].matrix;
        if (k % 8 == 1) {
            palette[k] = (gyre_spring_matrix){1, k % 3 ? 0.0f : -0.0f, 0, 1};
        } else if (k % 8 == 5) {
            palette[k].vel_pos = special_floats[random_below(&random, special_float_count)];
        }
    }
    for (size_t i = 0; i < STEPS; i++) {
        size_t longest = i % 4 == 0 ? 1 : i % 4 == 1 ? 3 : 90, limit = i % 3 == 0 ? PALETTE + 2 : PALETTE;
        for (size_t k = 0, left = 0; k < BATCH_SPRINGS; k++, left--) {
            if (left == 0) {
                left = 1 + random_below(&random, longest);
                palette_indices[i][k] = (uint16_t)(random_one_in(&random, 99) ? 0xffff : random_below(&random, limit));
            } else {
                palette_indices[i][k] = palette_indices[i][k - 1];
            }
        }
    }
}

static void run_springs_step_palette(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_springs springs = start_step(i, &b);
        write_word(answers, table->springs_step_palette(&springs, step_inputs[i].begin, step_inputs[i].end, palette,
                                                        PALETTE, palette_indices[i]));
        write_batch(answers, &b);
    }
}

/* ---- Parameters per spring, and times per spring. ---- */

static float frequencies[STEPS][BATCH_SPRINGS], ratios[STEPS][BATCH_SPRINGS], times[STEPS][BATCH_SPRINGS];
static float follows[STEPS][BATCH_SPRINGS], time_scales[STEPS][BATCH_SPRINGS];

/* Ordinary, extreme and invalid parameters; in a quarter of the batches one regime only. */
static void make_each_inputs(void)
{
    make_step_inputs();
    random_source random = {106}, others = {109};
    for (size_t i = 0; i < STEPS; i++) {
        for (size_t k = 0; k < BATCH_SPRINGS; k++) {
            float w = random_magnitude(&random, -8, 10), z = random_magnitude(&random, -10, 13);
            z = random_one_in(&random, 2) ? 2 * random_unit(&random) : z;
            z = random_one_in(&random, 8) ? 1 + random_signed(&random, -24, -1) : z;
            z = i % 4 == 1 ? 0.5f * random_unit(&random) : z;
            float t = random_signed(&random, -16, 13) / w;
            if (random_one_in(&random, 12)) {
                *(float *const[]){&w, &z, &t}[random_below(&random, 3)] =
                    special_floats[random_below(&random, special_float_count)];
            }
            frequencies[i][k] = w;
            ratios[i][k] = z;
            times[i][k] = t;
            follows[i][k] = random_one_in(&others, 12) ? special_floats[random_below(&others, special_float_count)]
                                                       : random_unit(&others);
            time_scales[i][k] = random_one_in(&others, 12) ? special_floats[random_below(&others, special_float_count)]
                                                           : random_signed(&others, -6, 6);
        }
    }
}

/* Every 32nd time is whatever the first spring's is, NaN and infinities included; the others are as of frames. */
static float time_of_step(size_t i) { return i % 32 == 31 ? times[i][0] : i % 32 == 7 ? -0x1p-6f : 0x1.1p-6f; }

static void run_springs_step_each(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_springs springs = start_step(i, &b);
        write_word(answers, table->springs_step_each(&springs, step_inputs[i].begin, step_inputs[i].end, frequencies[i],
                                                     ratios[i], i % 3 == 1 ? follows[i] : NULL,
                                                     i % 5 < 2 ? time_scales[i] : NULL, time_of_step(i)));
        write_batch(answers, &b);
    }
}

static void run_springs_at(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b, out;
        gyre_springs start = start_step(i, &b);
        memcpy(&out, &b, sizeof out);
        gyre_spring spring = {frequencies[i][1], ratios[i][1]};
        write_word(answers, table->springs_at(&start, step_inputs[i].begin, step_inputs[i].end, spring, times[i],
                                              out.position, out.velocity));
        write_batch(answers, &out);
    }
}

/* ---- Damping and acceleration. ---- */

static float dampings[STEPS][BATCH_SPRINGS];

static void make_damping_inputs(void)
{
    make_each_inputs();
    random_source random = {107};
    for (size_t i = 0; i < STEPS; i++) {
        for (size_t k = 0; k < BATCH_SPRINGS; k++) {
            dampings[i][k] = random_one_in(&random, 12)  ? special_floats[random_below(&random, special_float_count)]
                             : random_one_in(&random, 8) ? 0
                             : random_one_in(&random, 4) ? random_magnitude(&random, -149, 128)
                             : random_one_in(&random, 2) ? random_magnitude(&random, -30, 14)
                                                         : 20 * random_unit(&random);
        }
    }
}

/* A fifth of the dampings, each with a time. */
#define EACH_DAMPING(i, k)                                                                                             \
    for (size_t i = 0; i < STEPS; i++)                                                                                 \
        for (size_t k = 0; k < BATCH_SPRINGS; k += 5)

static void run_particle_matrix_at(const gyre_kernels *table, work *answers)
{
    EACH_DAMPING(i, k)
    {
        gyre_particle_matrix out = {-1, -2, -3, -4};
        write_word(answers, table->particle_matrix_at(dampings[i][k], times[i][k], &out));
        write_floats(answers, (const float[]){out.pos_vel, out.vel_vel, out.pos_acc, out.vel_acc}, 4);
        write_floats(answers, out.low, LENGTH(out.low));
    }
}

/* Targets serve as accelerations, ratios and frequencies as bounds. */
static gyre_particles particles_of(size_t i, batch *b)
{
    memcpy(b, &step_inputs[i].start, sizeof *b);
    return (gyre_particles){
        .count = BATCH_SPRINGS,
        .position = b->position,
        .velocity = b->velocity,
        .acceleration = i % 2 ? b->target : NULL,
        .uniform_acceleration = b->target[0],
        .position_low = step_inputs[i].features & FEATURE_LOW ? b->position_low : NULL,
        .velocity_low = step_inputs[i].features & FEATURE_LOW ? b->velocity_low : NULL,
        .lower = i % 8 > 5 ? ratios[i] : NULL,
        .upper = i % 8 == 3 || i % 8 == 6 ? frequencies[i] : NULL,
        .bounce = i % 64 == 19 ? 2 : 0x1p-2f * (float)(i % 5),
    };
}

static void run_particles_step(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_particles particles = particles_of(i, &b);
        const gyre_spring_matrix *any = &step_inputs[i].matrix;
        gyre_particle_matrix matrix = {any->pos_pos, any->pos_vel, any->vel_pos, any->vel_vel};
        memcpy(matrix.low, any->low, sizeof matrix.low);
        write_word(answers, table->particles_step(&particles, step_inputs[i].begin, step_inputs[i].end, &matrix));
        write_batch(answers, &b);
    }
}

static void run_particles_step_each(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        gyre_particles particles = particles_of(i, &b);
        const float *time_scale = i % 3 ? NULL : i % 2 ? ratios[i] : times[i];
        write_word(answers, table->particles_step_each(&particles, step_inputs[i].begin, step_inputs[i].end,
                                                       dampings[i], time_scale, time_of_step(i)));
        write_batch(answers, &b);
    }
}

/* Between edges of any kind: targets and positions of other elements, and one that both lower and upper are. */
static void run_flings_step(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        memcpy(&b, &step_inputs[i].start, sizeof b);
        for (size_t k = 0; k < BATCH_SPRINGS; k++) { /* at an edge, and flags in runs */
            b.position[k] = k % 7 ? b.position[k] : k % 2 ? b.target[k] : b.position_low[k];
            b.awake[k] = k / 32 % 3 ? b.awake[k] : 0;
        }
        const unsigned features = step_inputs[i].features;
        const gyre_flings flings = {
            .count = BATCH_SPRINGS,
            .position = b.position,
            .velocity = b.velocity,
            .lower = i % 3   ? b.position_low
                     : i % 2 ? b.target
                             : NULL,
            .upper = i % 5 ? b.target : NULL,
            .damping = i % 16 == 9 ? dampings[i][0] : 0x1p-4f * (float)(i % 64),
            .spring = {i % 16 == 3 ? frequencies[i][0] : (float)(i % 41),
                       i % 16 == 5 ? ratios[i][0] : 0x1p-4f * (i % 37)},
            .rest_distance = step_inputs[i].rest_distance,
            .rest_speed = step_inputs[i].rest_speed,
            .awake = features & FEATURE_AWAKE ? b.awake : NULL,
            .skip_asleep = features & FEATURE_TARGET,
        };
        const float dt_s = i % 32 == 31 ? times[i][0] : i % 4 == 2 ? 2.5f : 0x1.1p-6f;
        write_word(answers, table->flings_step(&flings, step_inputs[i].begin, step_inputs[i].end, dt_s));
        write_batch(answers, &b);
    }
}

#define DAMPING(name, ...)                                                                                             \
    static void run_damping_##name(const gyre_kernels *table, work *answers)                                           \
    {                                                                                                                  \
        EACH_DAMPING(i, k)                                                                                             \
        {                                                                                                              \
            float out = -1;                                                                                            \
            write_word(answers, table->damping_##name(__VA_ARGS__, &out));                                             \
            write_floats(answers, &out, 1);                                                                            \
        }                                                                                                              \
    }
DAMPING(from_retention, k % 2 ? ratios[i][k] : dampings[i][k], times[i][k])
DAMPING(from_half_life, times[i][k])
DAMPING(rest_position, step_inputs[i].start.position[k], step_inputs[i].start.velocity[k], dampings[i][k])
DAMPING(velocity_to_rest_at, step_inputs[i].start.position[k], step_inputs[i].start.target[k], dampings[i][k])
DAMPING(time_to_speed, step_inputs[i].start.velocity[k], dampings[i][k], frequencies[i][k])
DAMPING(time_to_position, step_inputs[i].start.position[k], step_inputs[i].start.velocity[k], dampings[i][k],
        step_inputs[i].start.target[k])

/* ---- memory.h: targets of the steps and of any size, with a period that is refused among others. ---- */

static float far_targets[STEPS][BATCH_SPRINGS];

static void make_turn_inputs(void)
{
    make_damping_inputs();
    for (size_t i = 0; i < STEPS; i++) {
        for (size_t k = 0; k < BATCH_SPRINGS; k++) {
            far_targets[i][k] = dampings[i][k] * times[i][k];
        }
    }
}

static void run_turn_targets(const gyre_kernels *table, work *answers)
{
    for (size_t i = 0; i < STEPS; i++) {
        batch b;
        memcpy(&b, &step_inputs[i].start, sizeof b);
        for (size_t k = 0; k < BATCH_SPRINGS; k += 3) {
            b.target[k] = far_targets[i][k];
        }
        const float period = i % 8 ? 6.2831855f : times[i][0];
        write_word(answers,
                   table->turn_targets(b.target, b.position, period, step_inputs[i].begin, step_inputs[i].end));
        write_floats(answers, b.target, BATCH_SPRINGS);
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
