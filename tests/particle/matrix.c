/* The matrix of friction and acceleration: within its stated error, and its identities. */
#include "support/drags.h"
#include "reference/particle.h"

#include <float.h>
#include <math.h>

static const real eps = 0x1p-24L;

/* ---- Error ---- */

static void check_coefficient(worst_case *worst, const char *name, float drag, float t, float got, real exact,
                              real bound)
{
    CASE("%s at drag=%a t=%a is %a, not %La", name, drag, t, got, exact);
    check_share(worst, got == exact ? 0 : (double)(fabsl(got - exact) / bound));
}

/* Which of the coefficients is largest, with what may be added to it. */
static real largest(reference_motion m, reference_motion bound, int sign)
{
    real position = fmaxl(fabsl(m.pos_vel) + sign * bound.pos_vel, fabsl(m.pos_acc) + sign * bound.pos_acc);
    return fmaxl(position, fabsl(m.vel_vel) + sign * bound.vel_vel);
}

/* GYRE_OK for certain, or GYRE_ERROR_RANGE for certain, where the exact coefficients say so; and if it is GYRE_OK,
   every coefficient within its bound. */
static void check_matrix(const gyre_kernels *table, worst_case *worst, float drag, float t)
{
    reference_motion exact = reference_motion_matrix(drag, t), bound = reference_motion_bound(drag, t);
    gyre_motion_matrix m = {1, 2, 3, 4};
    gyre_status status = table->motion_matrix_at(drag, t, &m);
    if (status == GYRE_ERROR_RANGE && !(largest(exact, bound, 1) < FLT_MAX)) {
        assert_true(m.pos_vel == 1 && m.vel_vel == 2 && m.pos_acc == 3 && m.vel_acc == 4);
        return;
    }
    if (status != GYRE_OK || largest(exact, bound, -1) > FLT_MAX) {
        fail_msg("%s at drag=%a t=%a", gyre_status_name(status), (double)drag, (double)t);
    }
    check_coefficient(worst, "pos_vel", drag, t, m.pos_vel, exact.pos_vel, bound.pos_vel);
    check_coefficient(worst, "vel_vel", drag, t, m.vel_vel, exact.vel_vel, bound.vel_vel);
    check_coefficient(worst, "pos_acc", drag, t, m.pos_acc, exact.pos_acc, bound.pos_acc);
    check_coefficient(worst, "vel_acc", drag, t, m.vel_acc, exact.vel_acc, bound.vel_acc);
    assert_true(m.vel_vel == 0 || m.vel_vel >= 0x1.ffffp-127f); /* 2^-126 but for rounding of p */
}

static void test_matrix_error_on_a_grid(void **state)
{
    (void)state;
    size_t times = effort(100);
    EACH_BEST_TABLE(table) {
        worst_case worst = {0};
        for (size_t d = 0; d < DRAGS; d++) {
            for (size_t i = 0; i <= times; i++) {
                float t = powf(10, -6 + 9 * (float)i / (float)times);
                check_matrix(table, &worst, grid_drag(d), t);
                check_matrix(table, &worst, grid_drag(d), -t);
            }
        }
        print_worst("grid", &worst);
    }
}

/* A million rows over both tables; p of every size, and 1 <= |p| <= 2, where the two ways to f2 meet, often. */
static void test_matrix_error_at_random(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(500000); i++) {
            float drag = random_drag(&random), t = random_signed(&random, -20, 10);
            if (i % 4 == 0 && drag < 1) {
                t = random_signed(&random, -2, 2) / logf(drag);
            } else if (i % 16 == 1) {
                t = random_signed(&random, -60, 60);
            }
            check_matrix(table, &worst, drag, t);
        }
        print_worst("random", &worst);
    }
}

/* ---- What needs no reference ---- */

/* Two half steps are one, within what the bounds of all three leave. */
static void test_semigroup(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(100000); i++) {
            float drag = random_drag(&random), t = random_magnitude(&random, -12, 6);
            t = drag < 1 ? fminf(t, 40 / -logf(drag)) : t; /* beyond, halves say nothing of the whole */
            gyre_motion_matrix h, m;
            assert_int_equal(table->motion_matrix_at(drag, t / 2, &h), GYRE_OK);
            assert_int_equal(table->motion_matrix_at(drag, t, &m), GYRE_OK);
            real vel = h.vel_vel, tolerance = 24 * eps * (1 + fabsl(logl(drag) * t)); /* relative, of positive terms */
            assert_true(fabsl(vel * vel - m.vel_vel) <= tolerance * m.vel_vel);
            assert_true(fabsl(h.pos_vel + h.pos_vel * vel - m.pos_vel) <= tolerance * m.pos_vel);
            assert_true(fabsl(h.vel_acc * vel + h.vel_acc - m.vel_acc) <= tolerance * m.vel_acc);
            assert_true(fabsl(2 * (real)h.pos_acc + (real)h.pos_vel * h.vel_acc - m.pos_acc) <= tolerance * m.pos_acc);
        }
    }
}

/* Forwards any time will do: all that is left to move is done long before 2^120 s. */
static void test_longest_steps(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(20000); i++) {
            check_matrix(table, &worst, random_drag(&random), random_magnitude(&random, i % 2 ? -140 : 100, 128));
        }
        check_matrix(table, &worst, 0.25f, 0x1.7c195ap+127f);
        check_matrix(table, &worst, 0x1p-149f, FLT_MAX);
        print_worst("forwards, any time", &worst);
    }
}

/* x + v t + a t^2 / 2, each coefficient rounded once. */
static void test_no_drag(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(20000); i++) {
            float t = random_signed(&random, -60, 60);
            gyre_motion_matrix m;
            assert_int_equal(table->motion_matrix_at(1, t, &m), GYRE_OK);
            assert_true(m.pos_vel == t && m.vel_vel == 1 && m.vel_acc == t);
            assert_true(m.pos_acc == (float)((double)t * t / 2));
        }
    }
}

static void test_bad_arguments_of_a_matrix(void **state)
{
    (void)state;
    const float bad_drags[] = {NAN, INFINITY, -INFINITY, 0, -0.0f, -0x1p-149f, -0.5f, 0x1.000002p0f, 2, FLT_MAX};
    const float bad_times[] = {NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        gyre_motion_matrix m = {1, 2, 3, 4};
        assert_int_equal(table->motion_matrix_at(0.5f, 1, NULL), GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(bad_drags); i++) {
            assert_int_equal(table->motion_matrix_at(bad_drags[i], 1, &m), GYRE_ERROR_VALUE);
            assert_int_equal(table->motion_matrix_at(bad_drags[i], 0, &m), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_times); i++) {
            assert_int_equal(table->motion_matrix_at(0.5f, bad_times[i], &m), GYRE_ERROR_VALUE);
        }
        assert_int_equal(table->motion_matrix_at(0.5f, -200, &m), GYRE_ERROR_RANGE);
        assert_int_equal(table->motion_matrix_at(1e-30f, -10, &m), GYRE_ERROR_RANGE);
        assert_int_equal(table->motion_matrix_at(1, 0x1p65f, &m), GYRE_ERROR_RANGE); /* t^2 / 2 */
        assert_true(m.pos_vel == 1 && m.vel_vel == 2 && m.pos_acc == 3 && m.vel_acc == 4);
        assert_int_equal(table->motion_matrix_at(0x1p-149f, 1, &m), GYRE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrix_error_on_a_grid),
        cmocka_unit_test(test_matrix_error_at_random),
        cmocka_unit_test(test_semigroup),
        cmocka_unit_test(test_longest_steps),
        cmocka_unit_test(test_no_drag),
        cmocka_unit_test(test_bad_arguments_of_a_matrix),
    };
    return cmocka_run_group_tests_name("motion matrix", tests, NULL, NULL);
}
