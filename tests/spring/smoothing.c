/* gyre_smoothing_matrix_at: each coefficient against the exact value, and what smoothing guarantees. */
#include "reference/spring.h"
#include "support/support.h"

#include <float.h>
#include <math.h>

static const real ln_2 = 0.693147180559945309417232121458176568L;

static worst_case worst_float, worst_sum;

static void check_coefficient(float got, float low, real exact, real kt)
{
    check_share(&worst_float, (double)(fabsl(got - exact) / (0x1p-23L * fabsl(exact) + 0x1p-126L)));
    check_share(&worst_sum,
                (double)(fabsl((real)got + low - exact) / (0x1p-48L * (1 + fabsl(kt)) * fabsl(exact) + 0x1p-126L)));
    check_not_subnormal(low);
}

static void test_error(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(300000); i++) {
            const float half_life = random_magnitude(&random, -60, 60);
            const float t = half_life * random_signed(&random, -40, random_one_in(&random, 2) ? 3 : 9);
            const real kt = ln_2 * t / half_life, decay = expl(-kt), ramp = expm1l(-kt) / kt;
            gyre_spring_matrix m;
            CASE("half-life %a, t=%a", half_life, t);
            const gyre_status status = table->smoothing_matrix_at(half_life, t, &m);
            check_status(status, t / half_life > -128 ? GYRE_OK : GYRE_ERROR_RANGE);
            if (status == GYRE_OK) {
                check_coefficient(m.pos_pos, m.low[0], decay, kt);
                check_coefficient(m.pos_ramp, m.low[4], ramp, kt);
                check_not_subnormal(m.pos_pos);
                const float zeros[] = {m.pos_vel, m.vel_pos, m.vel_vel, m.vel_ramp,
                                       m.low[1],  m.low[2],  m.low[3],  m.low[5]};
                for (size_t k = 0; k < LENGTH(zeros); k++) {
                    check(zeros[k], ==, 0);
                }
            }
        }
    }
    print_worst("floats", &worst_float);
    print_worst("sums with low parts", &worst_sum);
}

/* Whole half-lives: the matrix used in steps of springs, at every frame rate. */
static void test_halves(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int frames = 1; frames <= 64; frames *= 2) {
            float position = 100, velocity = 7;
            const float target = 20;
            gyre_spring_matrix m;
            check_status(table->smoothing_matrix_at(0.25f, 0.25f / (float)frames, &m), GYRE_OK);
            const gyre_springs springs = {.count = 1, .position = &position, .velocity = &velocity, .target = &target};
            for (int i = 0; i < 3 * frames; i++) {
                check_status(table->springs_step(&springs, 0, 1, &m), GYRE_OK);
            }
            CASE("%d frames in a half-life", frames);
            check_within(position, 30, 1e-4);
            check(velocity, ==, 0);
        }
    }
}

/* Behind a target of constant speed g it lags by g / k, at every frame rate. */
static void test_lag(void **state)
{
    (void)state;
    const int rates[] = {30, 60, 144, 240, 1000};
    EACH_BEST_TABLE(table) {
        for (size_t i = 0; i < LENGTH(rates); i++) {
            const float half_life = 0.1f, t = 1 / (float)rates[i];
            gyre_spring_matrix m;
            check_status(table->smoothing_matrix_at(half_life, t, &m), GYRE_OK);
            const real lag = half_life / ln_2, move = t;
            const real after = ((real)m.pos_pos + m.low[0]) * -lag + ((real)m.pos_ramp + m.low[4]) * move;
            CASE("%d Hz", rates[i]);
            check_within(after, -lag, 1e-12L);
        }
    }
}

static void test_no_time_is_the_identity(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const gyre_spring_matrix identity = {1, 0, 0, 1, 0, 0, {0}};
        gyre_spring_matrix m[2];
        check_status(table->smoothing_matrix_at(0.1f, 0, &m[0]), GYRE_OK);
        check_status(table->smoothing_matrix_at(0x1p-149f, -0.0f, &m[1]), GYRE_OK);
        check_bytes(&m[0], &identity, sizeof identity);
        check_bytes(&m[1], &identity, sizeof identity);
    }
}

static void test_any_long_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const float times[] = {200, 1e10f, FLT_MAX};
        for (size_t i = 0; i < LENGTH(times); i++) {
            gyre_spring_matrix m;
            CASE("t=%a", times[i]);
            check_status(table->smoothing_matrix_at(1, times[i], &m), GYRE_OK);
            check(m.pos_pos, ==, 0);
            check_within(m.pos_ramp, -1 / (ln_2 * times[i]), 0x1p-23L / (ln_2 * times[i]) + 0x1p-149L);
            check_status(table->smoothing_matrix_at(0x1p-149f, times[i], &m), GYRE_OK);
            check_within(m.pos_ramp, 0, 0x1p-140L);
        }
    }
}

static void test_errors(void **state)
{
    (void)state;
    const struct {
        float half_life, t;
        gyre_status status;
    } cases[] = {
        {0, 1, GYRE_ERROR_VALUE},        {-1, 1, GYRE_ERROR_VALUE},          {-0x1p-149f, 1, GYRE_ERROR_VALUE},
        {NAN, 1, GYRE_ERROR_VALUE},      {INFINITY, 1, GYRE_ERROR_VALUE},    {1, NAN, GYRE_ERROR_VALUE},
        {1, INFINITY, GYRE_ERROR_VALUE}, {0, 0, GYRE_ERROR_VALUE},           {1, -INFINITY, GYRE_ERROR_VALUE},
        {1, -129, GYRE_ERROR_RANGE},     {1e-30f, -1e30f, GYRE_ERROR_RANGE},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            gyre_spring_matrix m = {1, 2, 3, 4, 5, 6, {7}};
            const gyre_spring_matrix before = m;
            CASE("half-life %a, t=%a", cases[i].half_life, cases[i].t);
            check_status(table->smoothing_matrix_at(cases[i].half_life, cases[i].t, &m), cases[i].status);
            check_bytes(&m, &before, sizeof m);
        }
        check_status(table->smoothing_matrix_at(1, 1, NULL), GYRE_ERROR_NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),         TEST(test_halves), TEST(test_lag), TEST(test_no_time_is_the_identity),
        TEST(test_any_long_time), TEST(test_errors),
    };
    return cmocka_run_group_tests_name("spring_smoothing", tests, NULL, NULL);
}
