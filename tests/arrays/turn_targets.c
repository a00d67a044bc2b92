/* gyre_turn_targets: its stated error, its contract, and its purpose: springs that turn by more than half a period on
   the way to their target end up alike at every frame rate. */
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;

static float turned(const gyre_kernels *table, float target, float position, float period)
{
    check_status(table->turn_targets(&target, &position, period, 0, 1), GYRE_OK);
    return target;
}

static void test_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        double worst = 0;
        size_t moved = 0;
        for (size_t i = 0; i < effort(300000); i++) {
            const float period = i % 3 == 0 ? 360 : i % 3 == 1 ? 6.2831855f : random_magnitude(&random, -20, 20);
            const float position = period * random_signed(&random, -4, 10);
            const float target = position + period * random_signed(&random, -8, i % 2 ? 2 : 20);
            const float got = turned(table, target, position, period);
            const real turns = roundl(((real)target - position) / period), wanted = target - turns * period;
            CASE("target %a, position %a, period %a", target, position, period);
            if (fabsl(fabsl(wanted - position) / period - 0.5L) < 0x1p-28L) {
                continue; /* either side is right */
            }
            const double ulps = ulps_off(got, wanted);
            check(ulps, <=, 0.5001);
            worst = fmax(worst, ulps);
            moved += got != target;
            if (turns == 0) {
                check_bits(got, target);
            }
        }
        check(moved, >, effort(300000) / 4);
        printf("# %s: at most %.4f ulp\n", table_name(table), worst);
    }
}

static void test_values(void **state)
{
    (void)state;
    const struct {
        float target, position, period, wanted;
    } cases[] = {
        {350, 10, 360, -10},
        {10, 350, 360, 370},
        {190, 10, 360, 190}, /* half a period: an even number of half periods */
        {-170, 10, 360, -170},
        {3610, 0, 360, 10},
        {0x1p23f - 0.5f, 0, 1, -0.5f},
        {0x1p23f, 0.125f, 1, 0.125f}, /* from 2^23 periods up: the position */
        {-0x1p30f, 0.125f, 1, 0.125f},
        {FLT_MAX, 3, 0x1p-149f, 3},
        {FLT_MAX, -FLT_MAX, 1, -FLT_MAX},
        {0x1p-149f, 0, 1, 0x1p-149f},
        {-0.0f, 0, 1, -0.0f},
        {-0.0f, -0.25f, 1, -0.0f},
        {NAN, 0, 1, NAN},
        {0, NAN, 1, NAN},
        {INFINITY, 0, 1, NAN},
        {0, -INFINITY, 1, NAN},
        {INFINITY, INFINITY, 1, NAN},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE("target %a, position %a, period %a", cases[i].target, cases[i].position, cases[i].period);
            check_same(turned(table, cases[i].target, cases[i].position, cases[i].period), cases[i].wanted);
        }
    }
}

/* Any slice; nothing outside it is written, and elements do not affect each other. */
static void test_slices(void **state)
{
    (void)state;
    enum { COUNT = 77 };
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t begin = 0; begin <= 20; begin++) {
            for (size_t end = begin; end <= COUNT; end++) {
                float target[COUNT], before[COUNT], position[COUNT];
                for (size_t i = 0; i < COUNT; i++) {
                    target[i] = before[i] = random_one_in(&random, 8) ? NAN : random_signed(&random, -4, 12);
                    position[i] = random_signed(&random, -4, 12);
                }
                check_status(table->turn_targets(target, position, 5, begin, end), GYRE_OK);
                for (size_t i = 0; i < COUNT; i++) {
                    CASE("element %zu of %zu to %zu", i, begin, end);
                    const bool inside = begin <= i && i < end;
                    check_same(target[i], inside ? turned(table, before[i], position[i], 5) : before[i]);
                }
            }
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {0, -0.0f, -1, -0x1p-149f, NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        float target = 5, position = 1;
        for (size_t i = 0; i < LENGTH(invalid); i++) {
            CASE("period %a", invalid[i]);
            check_status(table->turn_targets(&target, &position, invalid[i], 0, 1), GYRE_ERROR_VALUE);
        }
        check_status(table->turn_targets(&target, &position, 1, 1, 0), GYRE_ERROR_RANGE);
        check_status(table->turn_targets(NULL, &position, 1, 0, 1), GYRE_ERROR_NULL);
        check_status(table->turn_targets(&target, NULL, 1, 0, 1), GYRE_ERROR_NULL);
        check_status(table->turn_targets(NULL, NULL, 1, 3, 3), GYRE_OK);
        check(target, ==, 5);
    }
}

/* Thrown past half a turn: with a period in each step, the end depends on the frame rate; with targets turned once, it
   does not. */
static void test_springs_that_are_turned_once(void **state)
{
    (void)state;
    const float period = 360, w = 5, z = 0.2f;
    EACH_TABLE(table) {
        float end[2][3];
        for (int k = 0; k < 6; k++) {
            const int frames = (const int[]){30, 60, 240}[k % 3], by_period = k / 3;
            float position = 350, velocity = 1500, target = 10;
            gyre_springs springs = {.count = 1, .position = &position, .velocity = &velocity, .target = &target};
            if (by_period) {
                springs.period = period;
            } else {
                check_status(table->turn_targets(&target, &position, period, 0, 1), GYRE_OK);
                check(target, ==, 370);
            }
            gyre_spring_matrix matrix;
            check_status(table->spring_matrix_at((gyre_spring){w, z}, 1 / (float)frames, &matrix), GYRE_OK);
            for (int frame = 0; frame < frames; frame++) {
                check_status(table->springs_step(&springs, 0, 1, &matrix), GYRE_OK);
            }
            end[by_period][k % 3] = remainderf(position - target, period);
        }
        check_within(end[0][0], end[0][1], 0.01);
        check_within(end[0][2], end[0][1], 0.01);
        check(fabsf(end[1][0] - end[1][1]) + fabsf(end[1][2] - end[1][1]), >, 1.0f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),
        TEST(test_values),
        TEST(test_slices),
        TEST(test_bad_arguments),
        TEST(test_springs_that_are_turned_once),
    };
    return cmocka_run_group_tests_name("arrays_turn_targets", tests, NULL, NULL);
}
