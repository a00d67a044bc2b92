/* Guarantees of every call: slicing, alignment, isolation, bounds of memory, threads, and errors before writes. */
#include "support/batch.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void step(const gyre_kernels *table, batch *b, unsigned features, size_t begin, size_t end,
                 const step_arguments *arguments)
{
    gyre_springs springs = batch_springs(b, features);
    check_status(step_batch(table, arguments, &springs, begin, end), GYRE_OK);
}

/* Elements outside begin..end-1 are unchanged. */
static void check_untouched_outside(const batch *got, const batch *before, size_t begin, size_t end)
{
    for (size_t i = 0; i < BATCH_SPRINGS; i++) {
        if (i < begin || i >= end) {
            CASE("spring %zu outside the range", i);
            check_bits(got->position[i], before->position[i]);
            check_bits(got->velocity[i], before->velocity[i]);
            check_bits(got->position_low[i], before->position_low[i]);
            check_bits(got->velocity_low[i], before->velocity_low[i]);
            check(got->awake[i], ==, before->awake[i]);
        }
    }
}

/* ---- Slicing ---- */

static void test_any_slice(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(2400); i++) {
            unsigned features = (unsigned)random_below(&random, FEATURES_ALL);
            step_arguments how;
            random_step(&how, &random, (step_kind)(i % STEP_KINDS));
            if (i / STEP_KINDS % 50 == 0) {
                how.palette[0] = (gyre_spring_matrix){1, 0, 0, 1};
            }
            batch before = batch_random(&random, true);
            (void)batch_springs(&before, features); /* some of them are asleep */
            batch whole = before, sliced = before;
            size_t begin = random_below(&random, BATCH_SPRINGS + 1);
            size_t end = begin + random_below(&random, BATCH_SPRINGS + 1 - begin);
            CASE("%s, features %#x, elements %zu to %zu", step_names[how.kind], features, begin, end);
            step(table, &whole, features, begin, end, &how);
            check_untouched_outside(&whole, &before, begin, end);
            size_t longest = 1 + random_below(&random, 70);
            for (size_t from = begin; from < end;) {
                size_t to = from + random_below(&random, longest + 1);
                to = to < end ? to : end;
                step(table, &sliced, features, from, to, &how);
                from = to;
            }
            check_same_batch(&sliced, &whole);
        }
    }
}

/* One call for all springs, and one call for each. */
static void test_one_at_a_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (unsigned i = 0; i < effort(FEATURES_ALL) * STEP_KINDS; i++) {
            const unsigned features = nth_features(i / STEP_KINDS);
            step_arguments how;
            random_step(&how, &random, (step_kind)(i % STEP_KINDS));
            batch whole = batch_random(&random, true), single = whole;
            CASE("%s, features %#x", step_names[how.kind], features);
            step(table, &whole, features, 0, BATCH_SPRINGS, &how);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                step(table, &single, features, k, k + 1, &how);
            }
            check_same_batch(&single, &whole);
        }
    }
}

/* Springs or particles, by the kernels that stream memory, with or without a target or acceleration each, and with or
   without low parts. */
static void stream(const gyre_kernels *table, unsigned form, float *const arrays[5], size_t begin, size_t end,
                   size_t count)
{
    float *const third = form & 2 ? arrays[2] : NULL;
    float *const position_low = form & 4 ? arrays[3] : NULL, *const velocity_low = form & 4 ? arrays[4] : NULL;
    if (form & 1) {
        gyre_spring_matrix matrix;
        check_status(table->spring_matrix_at((gyre_spring){9, 0.3f}, 0.02f, &matrix), GYRE_OK);
        const gyre_springs springs = {.count = count,
                                      .position = arrays[0],
                                      .velocity = arrays[1],
                                      .target = third,
                                      .position_low = position_low,
                                      .velocity_low = velocity_low};
        check_status(table->springs_step(&springs, begin, end, &matrix), GYRE_OK);
    } else {
        gyre_particle_matrix matrix;
        check_status(table->particle_matrix_at(0.3f, 0.02f, &matrix), GYRE_OK);
        const gyre_particles particles = {.count = count,
                                          .position = arrays[0],
                                          .velocity = arrays[1],
                                          .acceleration = third,
                                          .position_low = position_low,
                                          .velocity_low = velocity_low};
        check_status(table->particles_step(&particles, begin, end, &matrix), GYRE_OK);
    }
}

/* Loops prefetch if the arrays do not fit in a cache. They give the same bits, and write nothing before `begin`. */
static void test_long_arrays(void **state)
{
    (void)state;
    enum { LONG = (1 << 20) + 1, STEPPED = 1500, SLICE = 100 };
    static float before[5][STEPPED], sliced[5][STEPPED], all[5][LONG];
    const size_t begin = LONG - STEPPED, bytes = sizeof before[0];
    random_source random = {6};
    for (size_t i = 0; i < STEPPED; i++) {
        for (size_t k = 0; k < 5; k++) {
            before[k][i] = random_signed(&random, k < 3 ? -10 : -40, k < 3 ? 10 : -20);
        }
    }
    EACH_TABLE(table) {
        for (unsigned form = 0; form < 8; form++) {
            memcpy(sliced, before, sizeof sliced);
            for (size_t k = 0; k < 5; k++) {
                memcpy(all[k] + begin, before[k], bytes);
            }
            stream(table, form, (float *[]){all[0], all[1], all[2], all[3], all[4]}, begin, LONG, LONG);
            for (size_t from = 0; from < STEPPED; from += SLICE) {
                float *const slice[] = {sliced[0] + from, sliced[1] + from, sliced[2] + from, sliced[3] + from,
                                        sliced[4] + from};
                stream(table, form, slice, 0, SLICE, SLICE);
            }
            for (size_t k = 0; k < 5; k++) {
                CASE("%s, form %u, array %zu", form & 1 ? "springs" : "particles", form, k);
                check_floats(all[k] + begin, sliced[k], STEPPED);
                check(all[k][begin - 1], ==, 0);
            }
        }
    }
}

/* A slice gives the same bits whatever the length of the arrays: a short slice is too short for a loop's prefetches. */
static void test_short_slices_of_long_arrays(void **state)
{
    (void)state;
    enum { LONGEST = 400, BEHIND = 40 };
    EACH_TABLE(table) {
        for (size_t length = 1; length <= LONGEST; length++) {
            for (unsigned form = 0; form < 8; form++) {
                static float arrays[2][5][LONGEST + BEHIND];
                for (int many = 0; many < 2; many++) {
                    for (size_t i = 0; i < 5 * (LONGEST + BEHIND); i++) {
                        (&arrays[many][0][0])[i] = (float)(i % 7 + 1);
                    }
                    float *const of[] = {arrays[many][0], arrays[many][1], arrays[many][2], arrays[many][3],
                                         arrays[many][4]};
                    stream(table, form, of, 0, length, many ? (size_t)1 << 30 : length);
                }
                CASE("%s, form %u, %zu elements", form & 1 ? "springs" : "particles", form, length);
                check_bytes(arrays[0], arrays[1], sizeof arrays[0]);
            }
        }
    }
}

/* ---- Memory: any alignment and length, no access outside ---- */

/* A batch in memory that faults outside: each array either begins `offset` elements after the start or ends at the
   end. */
static void test_alignment_and_bounds(void **state)
{
    (void)state;
    enum { ARRAYS = 15 };
    guarded_memory memory[ARRAYS];
    for (size_t k = 0; k < ARRAYS; k++) {
        memory[k] = guarded_new(BATCH_SPRINGS * sizeof(float) + 64);
    }
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t count = 0; count <= 70; count++) {
            for (size_t offset = 0; offset <= 16; offset++) {
                unsigned features = (unsigned)random_below(&random, FEATURES_ALL);
                step_arguments how;
                random_step(&how, &random, (step_kind)random_below(&random, STEP_KINDS));
                batch b = batch_random(&random, true);
                CASE("%s, features %#x, %zu elements, offset %zu", step_names[how.kind], features, count, offset);
                unsigned char *at[ARRAYS];
                for (size_t k = 0; k < ARRAYS; k++) { /* awake has one byte per element, an index two */
                    size_t size = k == 3 ? 1 : k == 4 ? 2 : sizeof(float), from = (offset * (k + 1)) % 17;
                    at[k] = offset < 16 ? memory[k].begin + from * size : memory[k].end - count * size;
                }
                memcpy(at[0], b.position, count * sizeof(float));
                memcpy(at[1], b.velocity, count * sizeof(float));
                memcpy(at[2], b.target, count * sizeof(float));
                memcpy(at[4], how.own_which, count * sizeof(uint16_t));
                memcpy(at[5], how.own_parameter[0], count * sizeof(float));
                memcpy(at[6], how.own_parameter[1], count * sizeof(float));
                memcpy(at[7], b.position_low, count * sizeof(float));
                memcpy(at[8], b.velocity_low, count * sizeof(float));
                memcpy(at[9], b.target_before, count * sizeof(float));
                memcpy(at[10], b.lower, count * sizeof(float));
                memcpy(at[11], b.upper, count * sizeof(float));
                memcpy(at[12], b.rest_scale, count * sizeof(float));
                memcpy(at[13], how.own_parameter[2], count * sizeof(float));
                memcpy(at[14], how.own_parameter[3], count * sizeof(float));
                gyre_springs springs = batch_springs(&b, features);
                memcpy(at[3], b.awake, count);
                springs.count = count;
                springs.position = (float *)(void *)at[0];
                springs.velocity = (float *)(void *)at[1];
                springs.target = features & FEATURE_TARGET ? (float *)(void *)at[2] : NULL;
                springs.awake = features & FEATURE_AWAKE ? at[3] : NULL;
                springs.position_low = features & FEATURE_LOW ? (float *)(void *)at[7] : NULL;
                springs.velocity_low = features & FEATURE_LOW ? (float *)(void *)at[8] : NULL;
                springs.target_before = springs.target_before != NULL ? (float *)(void *)at[9] : NULL;
                springs.lower = springs.lower != NULL ? (float *)(void *)at[10] : NULL;
                springs.upper = springs.upper != NULL ? (float *)(void *)at[11] : NULL;
                springs.rest_scale = springs.rest_scale != NULL ? (float *)(void *)at[12] : NULL;
                const step_arguments own = how;
                how.which = (uint16_t *)(void *)at[4];
                for (size_t k = 0; k < 4; k++) {
                    const size_t array = k < 2 ? 5 + k : 11 + k;
                    how.parameter[k] = own.parameter[k] != NULL ? (float *)(void *)at[array] : NULL;
                }
                check_status(step_batch(table, &how, &springs, 0, count), GYRE_OK);

                how.which = how.own_which;
                memcpy(how.parameter, own.parameter, sizeof how.parameter);
                batch moved = b;
                step(table, &b, features, 0, count, &how);
                memcpy(moved.position, at[0], count * sizeof(float));
                memcpy(moved.velocity, at[1], count * sizeof(float));
                memcpy(moved.awake, at[3], count);
                memcpy(moved.position_low, at[7], count * sizeof(float));
                memcpy(moved.velocity_low, at[8], count * sizeof(float));
                check_same_batch(&moved, &b);
            }
        }
    }
    for (size_t k = 0; k < ARRAYS; k++) {
        guarded_free(memory[k]);
    }
}

/* ---- Isolation ---- */

/* A special value in one array of one element, including parameters, does not change the others. */
static void test_isolation(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(2400); i++) {
            unsigned features = (unsigned)random_below(&random, FEATURES_ALL);
            step_arguments how;
            random_step(&how, &random, (step_kind)(i % STEP_KINDS));
            batch clean = batch_random(&random, false);
            (void)batch_springs(&clean, features);
            batch poisoned = clean;
            const size_t where = random_below(&random, BATCH_SPRINGS), parameters = step_parameters(how.kind);
            float *arrays[13] = {poisoned.position,    poisoned.velocity,    poisoned.target,     how.own_parameter[0],
                                 how.own_parameter[1], how.own_parameter[2], how.own_parameter[3]};
            size_t read = 3 + parameters;
            if (step_writes_low(how.kind, features)) {
                arrays[read++] = poisoned.position_low;
                arrays[read++] = poisoned.velocity_low;
            }
            if (how.kind <= STEP_EACH) {
                arrays[read++] = poisoned.target_before;
                arrays[read++] = poisoned.lower;
                arrays[read++] = poisoned.upper;
                arrays[read++] = poisoned.rest_scale;
            }
            float bad = random_one_in(&random, 2) ? NAN : special_floats[random_below(&random, special_float_count)];
            size_t array = random_below(&random, read);
            CASE("%s, features %#x, %a in array %zu of element %zu", step_names[how.kind], features, bad, array, where);
            step(table, &clean, features, 0, BATCH_SPRINGS, &how);
            arrays[array][where] = bad;
            step(table, &poisoned, features, 0, BATCH_SPRINGS, &how);
            const float *const of = arrays[array];
            const bool can_pass = of == poisoned.target          ? features & FEATURE_TARGET
                                  : of == poisoned.target_before ? features & FEATURE_TARGET && features & FEATURE_RAMP
                                  : of == how.own_parameter[2]   ? how.parameter[2] != NULL
                                  : of == how.own_parameter[3]
                                      ? how.parameter[3] != NULL
                                      : of != poisoned.lower && of != poisoned.upper && of != poisoned.rest_scale;
            const bool stands = how.kind == STEP_EACH && how.parameter[3] != NULL && how.own_parameter[3][where] == 0;
            const bool is_read = can_pass && !stands && !(how.kind <= STEP_EACH && batch_sleeps(features, where));
            bool of_particles = how.kind >= STEP_PARTICLES;
            const bool of_position = array == 0 || array == 3 + parameters; /* the position or its low part */
            if (isnan(bad) && is_read && !(of_particles && of_position)) {
                check_nan(poisoned.position[where]);
                check_nan(poisoned.velocity[where]);
                check(poisoned.awake[where], ==, step_writes_awake(how.kind, features) ? 1 : clean.awake[where]);
            } else if (isnan(bad) && is_read &&
                       of_position) { /* the velocity of a particle does not depend on its position */
                check_nan(poisoned.position[where]);
                check(poisoned.velocity[where], ==, clean.velocity[where]);
            }
            clean.position[where] = poisoned.position[where];
            clean.velocity[where] = poisoned.velocity[where];
            clean.target[where] = poisoned.target[where];
            clean.target_before[where] = poisoned.target_before[where];
            clean.lower[where] = poisoned.lower[where];
            clean.upper[where] = poisoned.upper[where];
            clean.rest_scale[where] = poisoned.rest_scale[where];
            clean.position_low[where] = poisoned.position_low[where];
            clean.velocity_low[where] = poisoned.velocity_low[where];
            clean.awake[where] = poisoned.awake[where];
            check_same_batch(&poisoned, &clean);
        }
    }
}

/* ---- Threads ---- */

enum { THREADS = 4, THREAD_SPRINGS = 20011 };

typedef struct job {
    const gyre_kernels *table;
    const gyre_springs *springs;
    const step_arguments *how;
    size_t begin, end;
    gyre_status status;
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    for (int steps = 0; steps < 20 && j->status == GYRE_OK; steps++) {
        j->status = step_batch(j->table, j->how, j->springs, j->begin, j->end);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static float position[2][THREAD_SPRINGS], velocity[2][THREAD_SPRINGS], target[THREAD_SPRINGS];
    static float position_low[2][THREAD_SPRINGS], velocity_low[2][THREAD_SPRINGS];
    static uint8_t awake[2][THREAD_SPRINGS];
    static uint16_t which[THREAD_SPRINGS];
    static float parameter[2][THREAD_SPRINGS];
    size_t round = 0;
    EACH_TABLE(table) {
        random_source random = {6 + (uint64_t)table->isa};
        step_arguments how;
        random_step(&how, &random, (step_kind)(++round % STEP_KINDS)); /* every kind of step, over all tables */
        how.which = which;
        how.parameter[0] = parameter[0];
        how.parameter[1] = parameter[1];
        how.parameter[2] = how.parameter[3] = NULL;
        for (size_t i = 0; i < THREAD_SPRINGS; i++) {
            which[i] = (uint16_t)(i / 97 % STEP_PALETTE_COUNT);
            parameter[0][i] = random_magnitude(&random, -8, 0);
            parameter[1][i] = random_magnitude(&random, -8, 8);
            position[0][i] = position[1][i] = random_signed(&random, -10, 10);
            velocity[0][i] = velocity[1][i] = random_signed(&random, -10, 10);
            target[i] = random_signed(&random, -10, 10);
        }
        memset(position_low, 0, sizeof position_low);
        memset(velocity_low, 0, sizeof velocity_low);
        const bool has_low = round / STEP_KINDS % 2;
        gyre_springs springs[2];
        for (int k = 0; k < 2; k++) {
            springs[k] = (gyre_springs){
                .count = THREAD_SPRINGS,
                .position = position[k],
                .velocity = velocity[k],
                .target = target,
                .period = 360,
                .rest_distance = 0x1p-6f,
                .rest_speed = 0x1p-6f,
                .awake = awake[k],
                .position_low = has_low ? position_low[k] : NULL,
                .velocity_low = has_low ? velocity_low[k] : NULL,
            };
        }
        job alone = {table, &springs[0], &how, 0, THREAD_SPRINGS, GYRE_OK};
        run_job(&alone);
        check_status(alone.status, GYRE_OK);

        CASE("%s", step_names[how.kind]);
        job jobs[THREADS];
        size_t begin = 0;
        for (size_t k = 0; k < THREADS; k++) { /* borders inside cache lines and vectors */
            size_t end = k + 1 < THREADS ? (k + 1) * THREAD_SPRINGS / THREADS + 3 * k : THREAD_SPRINGS;
            jobs[k] = (job){table, &springs[1], &how, begin, end, GYRE_OK};
            begin = end;
        }
        run_together(run_job, jobs, sizeof jobs[0], THREADS);
        for (size_t k = 0; k < THREADS; k++) {
            CASE("thread %zu", k);
            check_status(jobs[k].status, GYRE_OK);
        }
        check_floats(position[1], position[0], THREAD_SPRINGS);
        check_floats(velocity[1], velocity[0], THREAD_SPRINGS);
        check_floats(position_low[1], position_low[0], THREAD_SPRINGS);
        check_floats(velocity_low[1], velocity_low[0], THREAD_SPRINGS);
        check_bytes(awake[1], awake[0], sizeof awake[0]);
    }
}

/* ---- Errors are returned before anything is written ---- */

/* The errors that all steps of springs share; spring/ tests those of one kind. */
static void test_bad_springs(void **state)
{
    (void)state;
    const float invalid[] = {NAN, -NAN, INFINITY, -INFINITY, -1, -FLT_MIN, -0x1p-149f};
    static const char *const limits[] = {"period", "rest_distance", "rest_speed", "bounce"};
    const size_t all = BATCH_SPRINGS;
    const size_t ranges[][2] = {{2, 1}, {0, all + 1}, {SIZE_MAX, all}, {0, SIZE_MAX}, {all + 1, all + 1}};
    EACH_TABLE(table) {
        random_source random = {7};
        for (unsigned i = 0; i < effort(FEATURES_ALL) * (STEP_EACH + 1); i++) {
            const unsigned features = nth_features(i / (STEP_EACH + 1));
            step_arguments how;
            random_step(&how, &random, (step_kind)(i % (STEP_EACH + 1)));
            batch b = batch_random(&random, true);
            const gyre_springs springs = batch_springs(&b, features);
            const batch before = b;
            CASE("%s, features %#x", step_names[how.kind], features);
            gyre_springs bad = springs;
            bad.position = NULL;
            check_status(step_batch(table, &how, &bad, 0, all), GYRE_ERROR_NULL);
            bad = springs;
            bad.velocity = NULL;
            check_status(step_batch(table, &how, &bad, 3, 4), GYRE_ERROR_NULL);
            bad = springs; /* low parts of the position decide */
            bad.position_low = b.position_low;
            bad.velocity_low = NULL;
            check_status(step_batch(table, &how, &bad, 0, all), GYRE_ERROR_NULL);
            for (size_t k = 0; k < LENGTH(ranges); k++) {
                CASE("range %zu to %zu", ranges[k][0], ranges[k][1]);
                check_status(step_batch(table, &how, &springs, ranges[k][0], ranges[k][1]), GYRE_ERROR_RANGE);
            }
            for (size_t k = 0; k < LENGTH(invalid); k++) {
                for (size_t limit = 0; limit < LENGTH(limits); limit++) {
                    bad = springs;
                    CASE("%s %a", limits[limit], invalid[k]);
                    *(float *const[]){&bad.period, &bad.rest_distance, &bad.rest_speed, &bad.bounce}[limit] =
                        invalid[k];
                    check_status(step_batch(table, &how, &bad, 0, all), GYRE_ERROR_VALUE);
                }
            }
            bad = springs;
            bad.bounce = 0x1.000002p+0f;
            check_status(step_batch(table, &how, &bad, 0, all), GYRE_ERROR_VALUE);
            for (int upper = 0; upper < 2; upper++) {
                bad = springs;
                bad.period = 1;
                bad.lower = upper ? NULL : b.lower;
                bad.upper = upper ? b.upper : NULL;
                check_status(step_batch(table, &how, &bad, 0, all), GYRE_ERROR_VALUE);
            }
            bad = springs;
            bad.skip_asleep = true;
            bad.awake = NULL;
            check_status(step_batch(table, &how, &bad, 0, all), GYRE_ERROR_NULL);
            check_bytes(&b, &before, sizeof b);
        }
        const step_arguments none = {.kind = STEP_SHARED};
        check_status(table->springs_step(NULL, 0, all, &none.palette[0]), GYRE_ERROR_NULL);
        check_status(table->springs_step_palette(NULL, 0, all, none.palette, 1, none.own_which), GYRE_ERROR_NULL);
        check_status(
            table->springs_step_each(NULL, 0, all, none.own_parameter[0], none.own_parameter[1], NULL, NULL, 1),
            GYRE_ERROR_NULL);
    }
}

static void test_bad_matrices(void **state)
{
    (void)state;
    const float invalid[] = {NAN, -NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        random_source random = {8};
        const gyre_spring_matrix good = random_matrix(&random);
        for (unsigned n = 0; n < effort(FEATURES_ALL); n++) {
            const unsigned features = nth_features(n);
            const bool low = features & FEATURE_LOW, ramps = features & FEATURE_RAMP && features & FEATURE_TARGET;
            batch b = batch_random(&random, true);
            const gyre_springs springs = batch_springs(&b, features);
            const batch before = b;
            check_status(table->springs_step(&springs, 0, BATCH_SPRINGS, NULL), GYRE_ERROR_NULL);
            for (size_t i = 0; i < LENGTH(invalid); i++) {
                for (size_t k = 0; k < 12;
                     k++) { /* used values: ramps with moving targets, low parts with low parts of states */
                    const bool is_read = (low || k < 6) && (ramps || k % 6 < 4);
                    gyre_spring_matrix poisoned = k % 2 ? (gyre_spring_matrix){1, 0, 0, 1} : good;
                    *(float *const[]){&poisoned.pos_pos,  &poisoned.pos_vel,  &poisoned.vel_pos, &poisoned.vel_vel,
                                      &poisoned.pos_ramp, &poisoned.vel_ramp, &poisoned.low[0],  &poisoned.low[1],
                                      &poisoned.low[2],   &poisoned.low[3],   &poisoned.low[4],  &poisoned.low[5]}[k] =
                        invalid[i];
                    CASE("features %#x, coefficient %zu is %a", features, k, invalid[i]);
                    if (is_read) {
                        check_status(table->springs_step(&springs, 0, BATCH_SPRINGS, &poisoned), GYRE_ERROR_VALUE);
                    } else {
                        batch unread = b;
                        const gyre_springs others = batch_springs(&unread, features);
                        check_status(table->springs_step(&others, 0, BATCH_SPRINGS, &poisoned), GYRE_OK);
                    }
                }
            }
            check_bytes(&b, &before, sizeof b);
        }
    }
}

static void test_empty_ranges_need_no_arrays(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {9};
        for (size_t kind = 0; kind < STEP_KINDS; kind++) {
            step_arguments how;
            random_step(&how, &random, (step_kind)kind);
            how.which = NULL;
            how.parameter[0] = how.parameter[1] = NULL;
            CASE("%s", step_names[kind]);
            const gyre_springs none = {.count = 0}, many = {.count = 100};
            check_status(step_batch(table, &how, &none, 0, 0), GYRE_OK);
            for (size_t i = 0; i <= 100; i++) {
                check_status(step_batch(table, &how, &many, i, i), GYRE_OK);
            }
            check_status(step_batch(table, &how, &many, 3, 4), GYRE_ERROR_NULL);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_any_slice),
        TEST(test_one_at_a_time),
        TEST(test_long_arrays),
        TEST(test_short_slices_of_long_arrays),
        TEST(test_alignment_and_bounds),
        TEST(test_isolation),
        TEST(test_threads),
        TEST(test_bad_springs),
        TEST(test_bad_matrices),
        TEST(test_empty_ranges_need_no_arrays),
    };
    return cmocka_run_group_tests_name("guarantees_elements", tests, NULL, NULL);
}
