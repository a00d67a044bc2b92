/* The matrix of damping and acceleration: within its stated error, and its identities. */
#include "support/dampings.h"
#include "reference/particle.h"

#include <float.h>
#include <math.h>

static const real eps = 0x1p-24L;

/* ---- Error ---- */

/* Over all tests: the error of sums with low parts as a share of its bound, which is 2^-24 of the bound for floats. */
static worst_case worst_of_sums;

static void check_sum(const char *name, float high, float low, real exact, real bound)
{
    CASE("%s: got %a and %a, wanted %La", name, high, low, exact);
    check_share(&worst_of_sums, (double)(fabsl((real)high + low - exact) / (0x1p-24L * bound + 0x1p-126L)));
    check_not_subnormal(low);
}

static void check_coefficient(worst_case *worst, const char *name, float got, float low, real exact, real bound)
{
    check_sum(name, got, low, exact, bound);
    CASE("%s: got %a, wanted %La", name, got, exact);
    check_share(worst, got == exact ? 0 : (double)(fabsl(got - exact) / bound));
}

/* The largest of the coefficients, with their bounds added or subtracted. */
static real largest(reference_particle m, reference_particle bound, int sign)
{
    real position = fmaxl(fabsl(m.pos_vel) + sign * bound.pos_vel, fabsl(m.pos_acc) + sign * bound.pos_acc);
    return fmaxl(position, fabsl(m.vel_vel) + sign * bound.vel_vel);
}

static void check_unwritten(const gyre_particle_matrix *m)
{
    check(m->pos_vel, ==, 1);
    check(m->vel_vel, ==, 2);
    check(m->pos_acc, ==, 3);
    check(m->vel_acc, ==, 4);
}

/* Checks for GYRE_OK or GYRE_ERROR_RANGE where the exact coefficients leave no doubt; with GYRE_OK, every coefficient
   is within its bound. */
static void check_matrix(const gyre_kernels *table, worst_case *worst, float damping, float t)
{
    CASE("damping=%a t=%a", damping, t);
    reference_particle exact = reference_particle_matrix(damping, t), bound = reference_particle_bound(damping, t);
    gyre_particle_matrix m = {1, 2, 3, 4};
    gyre_status status = table->particle_matrix_at(damping, t, &m);
    if (status == GYRE_ERROR_RANGE) {
        check(largest(exact, bound, 1), >=, FLT_MAX);
        check_unwritten(&m);
        return;
    }
    check_status(status, GYRE_OK);
    check(largest(exact, bound, -1), <=, FLT_MAX);
    check_coefficient(worst, "pos_vel", m.pos_vel, m.low[0], exact.pos_vel, bound.pos_vel);
    check_coefficient(worst, "vel_vel", m.vel_vel, m.low[1], exact.vel_vel, bound.vel_vel);
    check_coefficient(worst, "pos_acc", m.pos_acc, m.low[2], exact.pos_acc, bound.pos_acc);
    check_coefficient(worst, "vel_acc", m.vel_acc, m.low[3], exact.vel_acc, bound.vel_acc);
    if (m.vel_vel != 0) {
        check(m.vel_vel, >=, 0x1.ffffp-127f); /* 2^-126 within the rounding of p */
    }
}

static void test_matrix_error_on_a_grid(void **state)
{
    (void)state;
    size_t times = effort(100);
    EACH_BEST_TABLE(table) {
        worst_case worst = {0};
        for (size_t d = 0; d < DAMPINGS; d++) {
            for (size_t i = 0; i <= times; i++) {
                float t = powf(10, -6 + 9 * (float)i / (float)times);
                check_matrix(table, &worst, grid_damping(d), t);
                check_matrix(table, &worst, grid_damping(d), -t);
            }
        }
        print_worst("grid", &worst);
    }
}

/* A million rows over both tables: p of every size, often with 1 <= |p| <= 2, where the two formulas meet. */
static void test_matrix_error_at_random(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(500000); i++) {
            float damping = random_damping(&random), t = random_signed(&random, -20, 10);
            if (i % 4 == 0 && damping > 0) {
                t = (float)fmin(fmax((double)random_signed(&random, -2, 2) / (double)damping, -(double)FLT_MAX),
                                (double)FLT_MAX);
            } else if (i % 16 == 1) {
                t = random_signed(&random, -60, 60);
            }
            check_matrix(table, &worst, damping, t);
        }
        print_worst("random", &worst);
    }
}

/* Forwards, a step of any length is valid. */
static void test_longest_steps(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(20000); i++) {
            check_matrix(table, &worst, random_damping(&random), random_magnitude(&random, i % 2 ? -140 : 100, 128));
        }
        check_matrix(table, &worst, 1.386f, 0x1.7c195ap+127f);
        check_matrix(table, &worst, 0x1p-149f, FLT_MAX);
        check_matrix(table, &worst, FLT_MAX, FLT_MAX);
        print_worst("forwards, any time", &worst);
    }
}

/* ---- Without a reference ---- */

/* Two half steps equal one step, within the bounds of all three. */
static void test_semigroup(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(100000); i++) {
            float damping = random_damping(&random), t = random_magnitude(&random, -12, 6);
            t = damping > 0 ? fminf(t, 40 / damping) : t; /* beyond this the halves are too small */
            CASE("damping=%a t=%a", damping, t);
            gyre_particle_matrix h, m;
            check_status(table->particle_matrix_at(damping, t / 2, &h), GYRE_OK);
            check_status(table->particle_matrix_at(damping, t, &m), GYRE_OK);
            const real vel = h.vel_vel,
                       tolerance = 24 * eps * (1 + (real)damping * t); /* relative, of positive terms */
            const real least = 0x1p-147L;
            check_within(m.vel_vel, vel * vel, tolerance * m.vel_vel + least);
            check_within(m.pos_vel, h.pos_vel + h.pos_vel * vel, tolerance * m.pos_vel + least);
            check_within(m.vel_acc, h.vel_acc * vel + h.vel_acc, tolerance * m.vel_acc + least);
            check_within(m.pos_acc, 2 * (real)h.pos_acc + (real)h.pos_vel * h.vel_acc, tolerance * m.pos_acc + least);
        }
    }
}

/* x + v t + a t^2 / 2, each coefficient rounded once; and the same bits for a damping that is too small to matter. */
static void test_no_damping(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(20000); i++) {
            const float t = random_signed(&random, -60, 60);
            const float dampings[] = {0, -0.0f, 0x1p-149f, 0x1p-27f / fabsf(t)};
            for (size_t k = 0; k < LENGTH(dampings); k++) {
                CASE("damping=%a t=%a", dampings[k], t);
                gyre_particle_matrix m;
                check_status(table->particle_matrix_at(dampings[k], t, &m), GYRE_OK);
                check(m.pos_vel, ==, t);
                check(m.vel_vel, ==, 1);
                check(m.vel_acc, ==, t);
                check(m.pos_acc, ==, (float)((double)t * t / 2));
            }
        }
    }
}

/* As the damping grows, every coefficient falls, within its rounding error: no jump where the formulas change. */
static void test_smooth_in_damping(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        gyre_particle_matrix before;
        check_status(table->particle_matrix_at(0, 1, &before), GYRE_OK);
        for (float damping = 0x1p-30f; damping < 40; damping *= 1 + 0x1p-7f) {
            CASE("damping=%a t=1", damping);
            gyre_particle_matrix m;
            check_status(table->particle_matrix_at(damping, 1, &m), GYRE_OK);
            check(m.pos_vel, <=, before.pos_vel * (1 + 12 * (float)eps));
            check(m.vel_vel, <=, before.vel_vel * (1 + 8 * (float)eps));
            check(m.pos_acc, <=, before.pos_acc * (1 + 16 * (float)eps));
            check(m.vel_acc, <=, before.vel_acc * (1 + 12 * (float)eps));
            before = m;
        }
    }
}

static void test_bad_arguments_of_a_matrix(void **state)
{
    (void)state;
    const float bad_dampings[] = {NAN, INFINITY, -INFINITY, -0x1p-149f, -0.5f, -FLT_MAX};
    const float bad_times[] = {NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        gyre_particle_matrix m = {1, 2, 3, 4};
        check_status(table->particle_matrix_at(0.5f, 1, NULL), GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(bad_dampings); i++) {
            CASE("damping=%a", bad_dampings[i]);
            check_status(table->particle_matrix_at(bad_dampings[i], 1, &m), GYRE_ERROR_VALUE);
            check_status(table->particle_matrix_at(bad_dampings[i], 0, &m), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_times); i++) {
            CASE("t=%a", bad_times[i]);
            check_status(table->particle_matrix_at(0.5f, bad_times[i], &m), GYRE_ERROR_VALUE);
        }
        check_status(table->particle_matrix_at(0.5f, -200, &m), GYRE_ERROR_RANGE);
        check_status(table->particle_matrix_at(69, -10, &m), GYRE_ERROR_RANGE);
        check_status(table->particle_matrix_at(FLT_MAX, -FLT_MAX, &m), GYRE_ERROR_RANGE);
        check_status(table->particle_matrix_at(0, 0x1p65f, &m), GYRE_ERROR_RANGE); /* t^2 / 2 */
        check_unwritten(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_matrix_error_on_a_grid),
        TEST(test_matrix_error_at_random),
        TEST(test_longest_steps),
        TEST(test_semigroup),
        TEST(test_no_damping),
        TEST(test_smooth_in_damping),
        TEST(test_bad_arguments_of_a_matrix),
    };
    const int failed = cmocka_run_group_tests_name("particle_matrix", tests, NULL, NULL);
    print_worst("sums with low parts", &worst_of_sums);
    return failed;
}
