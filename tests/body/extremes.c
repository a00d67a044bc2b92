/* Bodies of extreme sizes, speeds and steps: finite values stay finite. */
#include "support/bodies.h"

#include <float.h>
#include <math.h>

static const double eps = 0x1p-24;

/* Moments from 1e-9 to 1e9 kg m^2 in ratios up to 1e6, spins from 0 to 1e6 rad/s, steps from 1e-30 to 1e30 s and the
   largest and smallest floats: results are finite and of unit length, and the momentum does not change. */
static void test_extremes(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t round = 0; round < effort(1600); round++) {
            const method_case *m = &method_cases[round % METHOD_CASES];
            unsigned features = (unsigned)round / METHOD_CASES % 2 ? BODIES_LOW : 0;
            body_batch b;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = {.orientation = random_attitude(&random)};
                double largest = (double)random_magnitude(&random, -29, 29); /* 2e-9 to 1e9 with the ratio below */
                for (int k = 0; k < 3; k++) {
                    body.inertia.at[k] = fmax(1e-9, largest * (double)random_magnitude(&random, -19, 1));
                }
                vector spin = vector_scaled(random_direction(&random),
                                            random_one_in(&random, 8) ? 0 : (double)random_magnitude(&random, -60, 19));
                vector momentum = matrix_times(matrix_diagonal(body.inertia), spin);
                body.momentum = quaternion_rotate(body.orientation, momentum);
                body_put(&b, i, &body);
            }
            const body_batch before = b;
            float dt_s = round % 16 == 5    ? FLT_MAX
                         : round % 16 == 11 ? 0x1p-149f
                         : round % 3        ? random_signed(&random, -12, 6)
                                            : random_signed(&random, -100, 100);
            gyre_body_solver solver = solver_of(m);
            solver.substeps = random_one_in(&random, 8) ? 3 : 0;
            gyre_body_report report = {0};
            step_bodies(table, &b, features, 0, BATCH_BODIES, dt_s, &solver, &report);
            CASE("%s, features %#x, %a s", m->name, features, dt_s);
            check_finite(report.worst_residual);
            check(report.worst_residual, >=, 0);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                CASE_OF_BODY(&before, i);
                check_body_is_finite(&b, i);
                check(off_unit(&b, i), <=, 8 * eps);
                for (size_t k = MOMENTUM; k < INERTIA && m->method != GYRE_BODY_EXPLICIT_EULER; k++) {
                    check_bits(b.at[k][i], before.at[k][i]);
                }
            }
        }
    }
}

/* Momenta of up to 2^46 rad/s times the largest moment are used in full, for bodies of any size: a sphere turns 0.7 rad
   in a short enough step. */
static void test_fastest_that_counts(void **state)
{
    (void)state;
    const double moments[] = {1, 0x1p30, 0x1p-30}, rad_s = 0.99 * 0x1p46;
    const float dt_s = 0x1.6p-47f;
    EACH_TABLE(table) {
        for (size_t k = 0; k < LENGTH(moments); k++) {
            const reference_body sphere = {
                {{0, 0, 0, 1}}, {{0, rad_s * moments[k], 0}}, {{moments[k], moments[k], moments[k]}}, {{0, 0, 0}}};
            static body_batch b;
            body_put(&b, 0, &sphere);
            const reference_body put = body_get(&b, 0, 0), exact = reference_body_exact(&put, (double)dt_s);
            const double turn = (double)dt_s * vector_length(reference_body_spin(&put));
            gyre_body_report report = {0};
            step_bodies(table, &b, 0, 0, 1, dt_s, NULL, &report);
            CASE("moment %a", moments[k]);
            check(report.substeps, ==, 1);
            check(report.unconverged, ==, 0);
            /* the error of order 6 itself is up to 5e-5 of such an angle */
            const double off = quaternion_angle(body_get(&b, 0, 0).orientation, exact.orientation);
            check(off, <=, (9 + 12 * turn) * eps + 5e-5 * turn);
        }
    }
}

/* Explicit Euler up to 2^63 rad/s and rad a sub-step, where u x (u x L) is out of the range of float. */
static void test_fast_euler(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {8};
        for (size_t round = 0; round < effort(2000); round++) {
            body_batch b;
            double smallest[BATCH_BODIES];
            const float speed = random_magnitude(&random, 20, 63), turn = random_magnitude(&random, 0, 63);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = {.orientation = random_attitude(&random)};
                body.inertia = random_inertia(&random, false, -60, 60);
                smallest[i] = fmin(body.inertia.at[0], fmin(body.inertia.at[1], body.inertia.at[2]));
                body.momentum = vector_scaled(random_direction(&random), (double)speed * smallest[i]);
                body_put(&b, i, &body);
            }
            const body_batch before = b;
            const gyre_body_solver euler = {.method = GYRE_BODY_EXPLICIT_EULER, .substeps = (int)round % 3};
            step_bodies(table, &b, 0, 0, BATCH_BODIES, turn / speed, &euler, NULL);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                CASE("%a s", turn / speed);
                CASE_OF_BODY(&before, i);
                check_body_is_finite(&b, i);
            }
        }
    }
}

/* Sub-steps far beyond the proven bound leave a unit quaternion, whatever the attitude. */
static void test_far_beyond_the_bound(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {10};
        for (size_t round = 0; round < effort(1000); round++) {
            body_batch b = random_bodies(&random, -2, 40, 1, false);
            const gyre_body_solver solver = {.order = 6 + 2 * (int)(round % 2), .substeps = 1 + (int)(round / 4 % 3)};
            step_bodies(table, &b, round % 8 < 4 ? BODIES_LOW : 0, 0, BATCH_BODIES, 1, &solver, NULL);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                CASE("order %d, %d sub-steps, body %zu", solver.order, solver.substeps, i);
                check_body_is_finite(&b, i);
                check(off_unit(&b, i), <=, 0x1p-20);
            }
        }
    }
}

/* The same for moments that no mass can have. */
static void test_far_beyond_the_bound_of_a_thin_rotor(void **state)
{
    (void)state;
    static const float words[17] = {0,
                                    0x1.d5ae92p-1f,
                                    -0x1.97a442p-2f,
                                    0x1.4a2a1p-78f,
                                    0,
                                    -0x1.654502p-26f,
                                    -0x1.ed980ap-29f,
                                    -0x1.b1658cp-44f,
                                    -0x1.1a0814p+8f,
                                    0,
                                    0,
                                    0, /* low parts */
                                    0,
                                    0,
                                    0x1.b7d8ccp+0f,
                                    0x1.202f62p-12f,
                                    0x1.202f62p-12f};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (unsigned features = 0; features <= BODIES_LOW; features++) {
                static body_batch b;
                for (size_t k = 0; k < LENGTH(words); k++) {
                    b.at[k][0] = words[k];
                }
                gyre_body_solver solver = solver_of(m);
                solver.substeps = 2;
                step_bodies(table, &b, features, 0, 1, 0x1.8e523p-5f, &solver, NULL);
                CASE("features %#x", features);
                check_body_is_finite(&b, 0);
                check(off_unit(&b, 0), <=, 0x1p-20);
            }
        }
    }
}

/* No step is too long for a sphere under the trapezoid, nor for any body under explicit Euler, even where the angle is
   too large for a float. */
static void test_endless_steps_without_a_bound(void **state)
{
    (void)state;
    static const gyre_body_method methods[] = {GYRE_BODY_TRAPEZOID, GYRE_BODY_EXPLICIT_EULER};
    const reference_body sphere = {{{0, 0, 0, 1}}, {{1e9, 0, 0}}, {{1, 1, 1}}, {{0, 0, 0}}};
    EACH_TABLE(table) {
        for (size_t k = 0; k < LENGTH(methods); k++) {
            const gyre_body_solver solver = {.method = methods[k]};
            gyre_body_report report = {0};
            static body_batch b;
            body_put(&b, 0, &sphere);
            step_bodies(table, &b, 0, 0, 1, 1e30f, &solver, &report);
            CASE("method %d", (int)methods[k]);
            check(report.substeps, ==, 1);
            check(report.unconverged, ==, 0);
            check_body_is_finite(&b, 0);
        }
    }
}

/* A moment may be any float: the heaviest body turns like any other. */
static void test_heaviest_body(void **state)
{
    (void)state;
    const double turn = 0.5, moment = 0x1.8p127;
    const reference_body sphere = {{{0, 0, 0, 1}}, {{turn * moment, 0, 0}}, {{moment, moment, moment}}, {{0, 0, 0}}};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (unsigned features = 0; features <= BODIES_LOW; features++) {
                const body_batch b = one_stepped(table, m, features, &sphere);
                CASE("features %#x", features);
                check_body_is_finite(&b, 0);
                const quaternion end = body_get(&b, 0, features).orientation;
                const double off = fabs(2 * atan2(end.at[0], end.at[3]) - turn);
                check(off, <=, (m->true_order == 2 ? 0.03 : 1e-3));
            }
        }
    }
}

/* A body at rest keeps an orientation that is up to 2^-13 longer or shorter than 1, even one so heavy, light or thin
   that it is gathered. */
static void test_rest_keeps_lengths_near_1(void **state)
{
    (void)state;
    const double moments[] = {1, 0x1p30, 0x1p-30}, off[] = {0.9998 * 0x1p-13, -0.9998 * 0x1p-13};
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (size_t k = 0; k < LENGTH(moments) * LENGTH(off); k++) {
                const double length = 1 + off[k % 2];
                const reference_body body = {{{0.6 * length, 0, 0, 0.8 * length}},
                                             {{0, 0, 0}},
                                             {{1, moments[k / 2], moments[k / 2]}},
                                             {{0, 0, 0}}};
                const gyre_body_solver solver = solver_of(m);
                static body_batch b;
                body_put(&b, 0, &body);
                const body_batch before = b;
                step_bodies(table, &b, 0, 0, 1, 0x1p-6f, &solver, NULL);
                CASE("length %a, moments 1 and %a", length, moments[k / 2]);
                check_same_bodies(&b, &before);
            }
        }
    }
}

/* Low parts as large as the high parts: every method uses the sum, normalised, including in bodies that are scaled. */
static void test_large_low_parts(void **state)
{
    (void)state;
    const double lengths[] = {1, 3, 0x1p-20}, sizes[] = {1, 0x1p25};
    EACH_TABLE(table) {
        random_source random = {21};
        EACH_METHOD(m) {
            for (size_t k = 0; k < LENGTH(lengths) * LENGTH(sizes); k++) {
                const double length = lengths[k % LENGTH(lengths)], size = sizes[k / LENGTH(lengths)];
                reference_body body = {random_attitude(&random), random_direction(&random), {{1, 1.5, 2}}, {{0, 0, 0}}};
                body.momentum = vector_scaled(body.momentum, size);
                body.inertia = vector_scaled(body.inertia, size);
                body_batch b = {{{0}}}, usual = b;
                body_put(&b, 0, &body);
                body_put(&usual, 0, &body);
                for (int part = 0; part < 4; part++) {
                    const double whole =
                        length * ((double)b.at[ORIENTATION + part][0] + (double)b.at[ORIENTATION_LOW + part][0]);
                    b.at[ORIENTATION + part][0] = (float)(0.6 * whole);
                    b.at[ORIENTATION_LOW + part][0] = (float)(whole - (double)b.at[ORIENTATION + part][0]);
                }
                const gyre_body_solver solver = solver_of(m);
                step_bodies(table, &b, BODIES_LOW, 0, 1, 0x1p-4f, &solver, NULL);
                step_bodies(table, &usual, BODIES_LOW, 0, 1, 0x1p-4f, &solver, NULL);
                const reference_body got = body_get(&b, 0, BODIES_LOW), wanted = body_get(&usual, 0, BODIES_LOW);
                CASE("length %g, size %g", length, size);
                check(quaternion_angle(got.orientation, wanted.orientation), <=, 0x1p-21);
                check(off_unit(&b, 0), <=, 8 * 0x1p-24);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_large_low_parts),
        TEST(test_extremes),
        TEST(test_fastest_that_counts),
        TEST(test_fast_euler),
        TEST(test_far_beyond_the_bound),
        TEST(test_far_beyond_the_bound_of_a_thin_rotor),
        TEST(test_endless_steps_without_a_bound),
        TEST(test_heaviest_body),
        TEST(test_rest_keeps_lengths_near_1),
    };
    return cmocka_run_group_tests_name("body_extremes", tests, NULL, NULL);
}
