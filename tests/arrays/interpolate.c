/* gyre_interpolate: its stated error, its ends, and its contract. */
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

static float interpolated(const gyre_kernels *table, float before, float now, float part)
{
    float out = -7;
    check_status(table->interpolate(&before, &now, part, &out, 0, 1), GYRE_OK);
    return out;
}

static float any_part(random_source *random)
{
    return random_one_in(random, 4)   ? random_magnitude(random, -149, 0)
           : random_one_in(random, 8) ? 1 - random_magnitude(random, -24, -1)
                                      : random_unit(random);
}

/* Numbers of any size, close to each other, and of similar size: against double, which is exact to 2^-52 of the
   larger. */
static void test_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(400000); i++) {
            const float before = i % 5 == 0 ? random_signed(&random, -149, 128) : random_signed(&random, -2, 10);
            const float now = i % 5 == 0   ? random_signed(&random, -149, 128)
                              : i % 5 == 1 ? before * (1 + random_signed(&random, -24, -4))
                                           : random_signed(&random, -2, 10);
            const float part = any_part(&random), got = interpolated(table, before, now, part);
            CASE("%a to %a at %a: %a", before, now, part, got);
            const double difference = (double)now - (double)before, exact = (double)before + part * difference;
            const double allowed = 0x1p-24 * (fabs(difference) + fabs(exact)) + 0x1p-148;
            check_share(&worst, fabs(got - exact) / (allowed * (1 + 0x1p-20)));
            check(got, >=, fminf(before, now));
            check(got, <=, fmaxf(before, now));
            check(interpolated(table, before, before, part), ==, before);
        }
        print_worst("error", &worst);
    }
}

/* 0 and 1 copy bits, whatever the other end holds; the interval between the largest numbers does not overflow. */
static void test_ends(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t i = 0; i < special_float_count; i++) {
            for (size_t k = 0; k < special_float_count; k++) {
                const float before = special_floats[i], now = special_floats[k];
                CASE("%a and %a", before, now);
                check_bits(interpolated(table, before, now, 0), before);
                check_bits(interpolated(table, before, now, -0.0f), before);
                check_bits(interpolated(table, before, now, 1), now);
                const float middle = interpolated(table, before, now, 0.5f);
                check(isfinite(middle), ==, isfinite(before) && isfinite(now));
            }
        }
        check(interpolated(table, -FLT_MAX, FLT_MAX, 0.5f), ==, 0);
        check(interpolated(table, -FLT_MAX, FLT_MAX, 0.25f), ==, -0.5f * FLT_MAX);
        check(interpolated(table, 2, 4, 0.25f), ==, 2.5f);
        check(interpolated(table, 2, 4, 0.75f), ==, 3.5f);
    }
}

/* Any slice of arrays that end where memory ends, into a third array and in place; elements do not affect each
   other. */
static void test_slices(void **state)
{
    (void)state;
    enum { COUNT = 150, PLACES = 3 };
    guarded_memory memory[3];
    for (size_t k = 0; k < 3; k++) {
        memory[k] = guarded_new(COUNT * sizeof(float));
    }
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t round = 0; round < effort(6000); round++) {
            const size_t end = 1 + random_below(&random, COUNT), begin = random_below(&random, end), place = round % 3;
            const float part = round % 10 == 0 ? 0 : round % 10 == 1 ? 1 : any_part(&random);
            float start[3][COUNT], *at[3];
            for (size_t k = 0; k < 3; k++) {
                for (size_t i = 0; i < end; i++) {
                    start[k][i] = random_one_in(&random, 20) ? NAN : random_signed(&random, -4, 12);
                }
                at[k] = (float *)(void *)(memory[k].end - end * sizeof(float));
                memcpy(at[k], start[k], end * sizeof(float));
            }
            CASE("elements %zu to %zu at %a into array %zu", begin, end, part, place);
            check_status(table->interpolate(at[0], at[1], part, at[place], begin, end), GYRE_OK);
            for (size_t i = 0; i < end; i++) {
                CASE("element %zu", i);
                check_same(at[place][i],
                           i < begin ? start[place][i] : interpolated(table, start[0][i], start[1][i], part));
            }
            for (size_t k = 0; k < 3; k++) {
                if (k != place) {
                    check_bytes(at[k], start[k], end * sizeof(float));
                }
            }
        }
    }
    for (size_t k = 0; k < 3; k++) {
        guarded_free(memory[k]);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {-0x1p-149f, 1 + FLT_EPSILON, 2, -1, NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        float before = 1, now = 2, out = 5;
        for (size_t i = 0; i < LENGTH(invalid); i++) {
            CASE("part %a", invalid[i]);
            check_status(table->interpolate(&before, &now, invalid[i], &out, 0, 1), GYRE_ERROR_VALUE);
        }
        check_status(table->interpolate(&before, &now, 0.5f, &out, 1, 0), GYRE_ERROR_RANGE);
        check_status(table->interpolate(NULL, &now, 0.5f, &out, 0, 1), GYRE_ERROR_NULL);
        check_status(table->interpolate(&before, NULL, 0, &out, 0, 1), GYRE_ERROR_NULL);
        check_status(table->interpolate(&before, &now, 0.5f, NULL, 0, 1), GYRE_ERROR_NULL);
        check_status(table->interpolate(NULL, NULL, 0.5f, NULL, 3, 3), GYRE_OK);
        check(out, ==, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_error), TEST(test_ends), TEST(test_slices), TEST(test_bad_arguments)};
    return cmocka_run_group_tests_name("arrays_interpolate", tests, NULL, NULL);
}
