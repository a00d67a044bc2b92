/* Promises that hold for every call: slicing, alignment, isolation, bounds of memory, threads, errors before writes. */
#include "batch.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void step(const gyre_kernels *table, batch *b, unsigned features, size_t begin, size_t end,
                 gyre_spring_matrix matrix)
{
    gyre_springs springs = batch_springs(b, features);
    assert_int_equal(table->springs_step(&springs, begin, end, &matrix), GYRE_OK);
}

/* What does not belong to begin..end-1 must be as it was. */
static void expect_untouched_outside(const batch *got, const batch *before, size_t begin, size_t end)
{
    for (size_t i = 0; i < BATCH_SPRINGS; i++) {
        if (i < begin || i >= end) {
            assert_int_equal(float_bits(got->position[i]), float_bits(before->position[i]));
            assert_int_equal(float_bits(got->velocity[i]), float_bits(before->velocity[i]));
            assert_int_equal(got->awake[i], before->awake[i]);
        }
    }
}

/* ---- Slicing ---- */

static void test_any_slice(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(5000); i++) {
            unsigned features = (unsigned)i % FEATURES_ALL;
            gyre_spring_matrix matrix = i % 50 == 0 ? (gyre_spring_matrix){1, 0, 0, 1} : random_matrix(&random);
            batch before = batch_random(&random, true), whole = before, sliced = before;
            size_t begin = random_below(&random, BATCH_SPRINGS + 1);
            size_t end = begin + random_below(&random, BATCH_SPRINGS + 1 - begin);
            step(table, &whole, features, begin, end, matrix);
            expect_untouched_outside(&whole, &before, begin, end);
            size_t longest = 1 + random_below(&random, 70);
            for (size_t from = begin; from < end;) {
                size_t to = from + random_below(&random, longest + 1);
                to = to < end ? to : end;
                step(table, &sliced, features, from, to, matrix);
                from = to;
            }
            expect_same_batch(&sliced, &whole, table_name(table));
        }
    }
}

/* One call, and one call for each spring. */
static void test_one_at_a_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (unsigned features = 0; features < FEATURES_ALL; features++) {
            gyre_spring_matrix matrix = random_matrix(&random);
            batch whole = batch_random(&random, true), single = whole;
            step(table, &whole, features, 0, BATCH_SPRINGS, matrix);
            for (size_t i = 0; i < BATCH_SPRINGS; i++) {
                step(table, &single, features, i, i + 1, matrix);
            }
            expect_same_batch(&single, &whole, table_name(table));
        }
    }
}

/* ---- Memory: any alignment, every length, nothing beyond. ---- */

/* A batch copied to memory that faults beyond, each array `offset` floats from its beginning or ending at its end. */
static void test_alignment_and_bounds(void **state)
{
    (void)state;
    guarded_memory memory[4];
    for (size_t k = 0; k < 4; k++) {
        memory[k] = guarded_new(BATCH_SPRINGS * sizeof(float) + 64);
    }
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t count = 0; count <= 70; count++) {
            for (size_t offset = 0; offset <= 16; offset++) {
                unsigned features = (unsigned)random_below(&random, FEATURES_ALL);
                gyre_spring_matrix matrix = random_matrix(&random);
                batch b = batch_random(&random, true);
                unsigned char *at[4];
                for (size_t k = 0; k < 4; k++) { /* awake, the last, is of bytes */
                    size_t size = k < 3 ? sizeof(float) : 1, from = (offset * (k + 1)) % 17;
                    at[k] = offset < 16 ? memory[k].begin + from * size : memory[k].end - count * size;
                }
                memcpy(at[0], b.position, count * sizeof(float));
                memcpy(at[1], b.velocity, count * sizeof(float));
                memcpy(at[2], b.target, count * sizeof(float));
                memcpy(at[3], b.awake, count);
                gyre_springs springs = batch_springs(&b, features);
                springs.count = count;
                springs.position = (float *)(void *)at[0];
                springs.velocity = (float *)(void *)at[1];
                springs.target = features & FEATURE_TARGET ? (float *)(void *)at[2] : NULL;
                springs.awake = features & FEATURE_AWAKE ? at[3] : NULL;
                assert_int_equal(table->springs_step(&springs, 0, count, &matrix), GYRE_OK);

                batch moved = b;
                step(table, &b, features, 0, count, matrix);
                memcpy(moved.position, at[0], count * sizeof(float));
                memcpy(moved.velocity, at[1], count * sizeof(float));
                memcpy(moved.awake, at[3], count);
                expect_same_batch(&moved, &b, table_name(table));
            }
        }
    }
    for (size_t k = 0; k < 4; k++) {
        guarded_free(memory[k]);
    }
}

typedef gyre_status math_function(const float *x, float *y, size_t count);

/* gyre_math over arrays: any offset, every length, in place or not, and no element changed by its neighbours. */
static void test_math_slices(void **state)
{
    (void)state;
    guarded_memory from = guarded_new(256 * sizeof(float)), to = guarded_new(256 * sizeof(float));
    EACH_TABLE(table) {
        math_function *const functions[] = {table->math_exp, table->math_expm1, table->math_log, table->math_sin,
                                            table->math_cos};
        random_source random = {4};
        for (size_t i = 0; i < effort(5000); i++) {
            math_function *f = functions[i % LENGTH(functions)];
            size_t count = random_below(&random, 70), back = random_below(&random, 17);
            float *x = (float *)(void *)from.end - count, *y = (float *)(void *)to.end - count;
            if (i % 2) {
                x = (float *)(void *)from.begin + back;
                y = (float *)(void *)to.begin + (16 - back);
            }
            for (size_t k = 0; k < count; k++) {
                x[k] = random_one_in(&random, 2) ? random_any_float(&random) : random_signed(&random, -10, 14);
            }
            assert_int_equal(f(x, y, count), GYRE_OK);
            for (size_t k = 0; k < count; k++) {
                float alone;
                assert_int_equal(f(&x[k], &alone, 1), GYRE_OK);
                assert_true(same_float(alone, y[k]));
            }
            assert_int_equal(f(x, x, count), GYRE_OK);
            for (size_t k = 0; k < count; k++) {
                assert_true(same_float(x[k], y[k]));
            }
        }
        float dummy = 1;
        for (size_t i = 0; i < LENGTH(functions); i++) {
            assert_int_equal(functions[i](NULL, NULL, 0), GYRE_OK);
            assert_int_equal(functions[i](NULL, &dummy, 1), GYRE_ERROR_NULL);
            assert_int_equal(functions[i](&dummy, NULL, 1), GYRE_ERROR_NULL);
        }
        assert_int_equal(table->math_sincos(NULL, NULL, NULL, 0), GYRE_OK);
        assert_int_equal(table->math_sincos(NULL, &dummy, &dummy, 1), GYRE_ERROR_NULL);
        assert_int_equal(table->math_sincos(&dummy, NULL, &dummy, 1), GYRE_ERROR_NULL);
        assert_int_equal(table->math_sincos(&dummy, &dummy, NULL, 1), GYRE_ERROR_NULL);
        assert_true(dummy == 1);
    }
    guarded_free(from);
    guarded_free(to);
}

/* ---- Isolation ---- */

/* One special value in one array of one spring: its neighbours do not change. */
static void test_isolation(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(5000); i++) {
            unsigned features = (unsigned)i % FEATURES_ALL;
            gyre_spring_matrix matrix = random_matrix(&random);
            batch clean = batch_random(&random, false), spoilt = clean;
            size_t where = random_below(&random, BATCH_SPRINGS);
            float *const arrays[] = {spoilt.position, spoilt.velocity, spoilt.target};
            float bad = i % 2 ? NAN : special_floats[random_below(&random, special_float_count)];
            size_t which = random_below(&random, 3);
            arrays[which][where] = bad;
            step(table, &clean, features, 0, BATCH_SPRINGS, matrix);
            step(table, &spoilt, features, 0, BATCH_SPRINGS, matrix);
            if (isnan(bad) && (which < 2 || features & FEATURE_TARGET)) {
                assert_true(isnan(spoilt.position[where]) && (isnan(spoilt.velocity[where])));
                assert_int_equal(spoilt.awake[where], features & FEATURE_AWAKE ? 1 : 0xa5);
            }
            clean.position[where] = spoilt.position[where];
            clean.velocity[where] = spoilt.velocity[where];
            clean.target[where] = spoilt.target[where];
            clean.awake[where] = spoilt.awake[where];
            expect_same_batch(&spoilt, &clean, table_name(table));
        }
    }
}

/* ---- Threads ---- */

enum { THREADS = 4, THREAD_SPRINGS = 20011 };

typedef struct job {
    const gyre_kernels *table;
    const gyre_springs *springs;
    gyre_spring_matrix matrix;
    size_t begin, end;
    gyre_status status;
} job;

static void *run_job(void *argument)
{
    job *j = argument;
    for (int steps = 0; steps < 20 && j->status == GYRE_OK; steps++) {
        j->status = j->table->springs_step(j->springs, j->begin, j->end, &j->matrix);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static float position[2][THREAD_SPRINGS], velocity[2][THREAD_SPRINGS], target[THREAD_SPRINGS];
    static uint8_t awake[2][THREAD_SPRINGS];
    EACH_TABLE(table) {
        random_source random = {6};
        for (size_t i = 0; i < THREAD_SPRINGS; i++) {
            position[0][i] = position[1][i] = random_signed(&random, -10, 10);
            velocity[0][i] = velocity[1][i] = random_signed(&random, -10, 10);
            target[i] = random_signed(&random, -10, 10);
        }
        gyre_springs springs[2];
        for (int k = 0; k < 2; k++) {
            springs[k] =
                (gyre_springs){THREAD_SPRINGS, position[k], velocity[k], target, 360, 0x1p-6f, 0x1p-6f, awake[k]};
        }
        gyre_spring_matrix matrix = random_matrix(&random);
        job alone = {table, &springs[0], matrix, 0, THREAD_SPRINGS, GYRE_OK};
        run_job(&alone);
        assert_int_equal(alone.status, GYRE_OK);

        pthread_t threads[THREADS];
        job jobs[THREADS];
        size_t begin = 0;
        for (size_t k = 0; k < THREADS; k++) { /* borders inside cache lines and vectors */
            size_t end = k + 1 < THREADS ? (k + 1) * THREAD_SPRINGS / THREADS + 3 * k : THREAD_SPRINGS;
            jobs[k] = (job){table, &springs[1], matrix, begin, end, GYRE_OK};
            begin = end;
            assert_int_equal(pthread_create(&threads[k], NULL, run_job, &jobs[k]), 0);
        }
        for (size_t k = 0; k < THREADS; k++) {
            assert_int_equal(pthread_join(threads[k], NULL), 0);
            assert_int_equal(jobs[k].status, GYRE_OK);
        }
        assert_memory_equal(position[0], position[1], sizeof position[0]);
        assert_memory_equal(velocity[0], velocity[1], sizeof velocity[0]);
        assert_memory_equal(awake[0], awake[1], sizeof awake[0]);
    }
}

/* ---- Errors come before writes ---- */

static void test_bad_arguments_of_a_step(void **state)
{
    (void)state;
    const float never[] = {NAN, -NAN, INFINITY, -INFINITY, -1, -FLT_MIN, -0x1p-149f};
    EACH_TABLE(table) {
        random_source random = {7};
        const gyre_spring_matrix good = random_matrix(&random);
        for (unsigned features = 0; features < FEATURES_ALL; features++) {
            batch b = batch_random(&random, true);
            const batch before = b;
            const gyre_springs springs = batch_springs(&b, features);
            gyre_springs bad;

            assert_int_equal(table->springs_step(NULL, 0, BATCH_SPRINGS, &good), GYRE_ERROR_NULL);
            assert_int_equal(table->springs_step(&springs, 0, BATCH_SPRINGS, NULL), GYRE_ERROR_NULL);
            bad = springs;
            bad.position = NULL;
            assert_int_equal(table->springs_step(&bad, 0, BATCH_SPRINGS, &good), GYRE_ERROR_NULL);
            bad = springs;
            bad.velocity = NULL;
            assert_int_equal(table->springs_step(&bad, 3, 4, &good), GYRE_ERROR_NULL);

            assert_int_equal(table->springs_step(&springs, 2, 1, &good), GYRE_ERROR_RANGE);
            assert_int_equal(table->springs_step(&springs, 0, BATCH_SPRINGS + 1, &good), GYRE_ERROR_RANGE);
            assert_int_equal(table->springs_step(&springs, SIZE_MAX, BATCH_SPRINGS, &good), GYRE_ERROR_RANGE);
            assert_int_equal(table->springs_step(&springs, 0, SIZE_MAX, &good), GYRE_ERROR_RANGE);
            assert_int_equal(table->springs_step(&springs, BATCH_SPRINGS + 1, BATCH_SPRINGS + 1, &good),
                             GYRE_ERROR_RANGE);

            for (size_t i = 0; i < LENGTH(never); i++) {
                bad = springs;
                bad.period = never[i];
                assert_int_equal(table->springs_step(&bad, 0, BATCH_SPRINGS, &good), GYRE_ERROR_VALUE);
                bad = springs;
                bad.rest_distance = never[i];
                assert_int_equal(table->springs_step(&bad, 0, BATCH_SPRINGS, &good), GYRE_ERROR_VALUE);
                bad = springs;
                bad.rest_speed = never[i];
                assert_int_equal(table->springs_step(&bad, 0, BATCH_SPRINGS, &good), GYRE_ERROR_VALUE);
                if (!isfinite(never[i])) {
                    for (size_t k = 0; k < 4; k++) {
                        gyre_spring_matrix spoilt = k % 2 ? (gyre_spring_matrix){1, 0, 0, 1} : good;
                        *(float *const[]){&spoilt.pos_pos, &spoilt.pos_vel, &spoilt.vel_pos, &spoilt.vel_vel}[k] =
                            never[i];
                        assert_int_equal(table->springs_step(&springs, 0, BATCH_SPRINGS, &spoilt), GYRE_ERROR_VALUE);
                    }
                }
            }
            assert_memory_equal(&b, &before, sizeof b);
        }
    }
}

static void test_empty_ranges_need_no_arrays(void **state)
{
    (void)state;
    const gyre_spring_matrix matrix = {0.5f, 0.25f, -0.125f, 0.5f};
    EACH_TABLE(table) {
        gyre_springs none = {.count = 0};
        assert_int_equal(table->springs_step(&none, 0, 0, &matrix), GYRE_OK);
        gyre_springs many = {.count = 100};
        for (size_t i = 0; i <= 100; i++) {
            assert_int_equal(table->springs_step(&many, i, i, &matrix), GYRE_OK);
        }
        assert_int_equal(table->springs_step(&many, 3, 4, &matrix), GYRE_ERROR_NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_slice),
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_alignment_and_bounds),
        cmocka_unit_test(test_math_slices),
        cmocka_unit_test(test_isolation),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_bad_arguments_of_a_step),
        cmocka_unit_test(test_empty_ranges_need_no_arrays),
    };
    return cmocka_run_group_tests_name("promises", tests, NULL, NULL);
}
