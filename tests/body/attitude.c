/* The attitude after many steps of gyre_bodies_step: slow spins, precessing tops, small angles, wheels. */
#include "support/bodies.h"

#include <math.h>

static const double eps = 0x1p-24;

enum { SLOW_BODIES = 64 };

/* ---- Slow spins ---- */

typedef struct slow_errors {
    double rms, largest; /* of the angle's error */
    double along;        /* mean of its part along the spin, with sign: shows a bias */
} slow_errors;

/* Over bodies of every shape and attitude in steps of 1/240 s, with moments up to 1.5 or 9 to one. */
static slow_errors slow_errors_of(const gyre_kernels *table, unsigned features, size_t steps, double rad_s,
                                  bool long_ones)
{
    const float dt_s = 1 / 240.0f;
    random_source random = {3};
    body_batch start = {{{0}}};
    for (size_t i = 0; i < SLOW_BODIES; i++) {
        reference_body body = {random_attitude(&random), random_direction(&random), {{0, 0, 0}}, {{0, 0, 0}}};
        for (int k = 0; k < 3; k++) {
            body.inertia.at[k] = i % 3 == 0 ? 1.5 : 2 + (double)random_unit(&random);
            if (long_ones) {
                body.inertia.at[k] =
                    (size_t)k == i % 3 ? 1 + (double)random_unit(&random) : 8 + (double)random_unit(&random);
            }
        }
        body.momentum = vector_scaled(body.momentum, rad_s / vector_length(reference_body_spin(&body)));
        body_put(&start, i, &body);
    }
    body_batch end = start;
    for (size_t k = 0; k < steps; k++) {
        step_bodies(table, &end, features, 0, SLOW_BODIES, dt_s, NULL, NULL);
    }
    slow_errors errors = {0, 0, 0};
    for (size_t i = 0; i < SLOW_BODIES; i++) {
        reference_body before = body_get(&start, i, features), now = body_get(&end, i, features);
        reference_body exact = reference_body_exact(&before, (double)dt_s * (double)steps);
        double angle = quaternion_angle(now.orientation, exact.orientation);
        errors.rms = hypot(errors.rms, angle / sqrt(SLOW_BODIES));
        errors.largest = worse_of(errors.largest, angle);
        quaternion back = exact.orientation;
        for (int k = 0; k < 3; k++) {
            back.at[k] = -back.at[k];
        }
        quaternion off = quaternion_product(now.orientation, back); /* in the world */
        vector axis = vector_scaled((vector){{off.at[0], off.at[1], off.at[2]}}, off.at[3] < 0 ? -2 : 2);
        errors.along += vector_dot(axis, before.momentum) / vector_length(before.momentum) / SLOW_BODIES;
    }
    return errors;
}

static slow_errors slow_errors_after(const gyre_kernels *table, unsigned features, size_t steps, double rad_s)
{
    return slow_errors_of(table, features, steps, rad_s, false);
}

/* 1e-3 rad/s, 70 eps a step: within 1e-4 of 1 rad turned. On average nothing is lost or gained, and the error grows as
   the square root of the steps, as unbiased rounding does: ten times for a hundred times the steps, where a bias would
   grow a hundred times. */
static void test_slow_spins(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (unsigned low = 0; low < 2; low++) {
            const size_t steps = effort(240000);
            const double angle = 1e-3 / 240 * (double)steps;
            slow_errors few = slow_errors_after(table, low ? BODIES_LOW : 0, steps / 100, 1e-3);
            slow_errors many = slow_errors_after(table, low ? BODIES_LOW : 0, steps, 1e-3);
            printf("# %s%s: %.3f rad turned, error %.1e rad (rms), at most %.1e, mean along the spin %.1e; %.1f times "
                   "that after a hundredth\n",
                   table_name(table), low ? ", low parts" : "", angle, many.rms, many.largest, many.along,
                   many.rms / few.rms);
            /* similar roundings average out less over a small part of the turn */
            const double growth = sqrt((double)steps / 240000) * (steps < 240000 ? 1.5 : 1);
            CASE("%zu steps%s", steps, low ? " with low parts" : "");
            check(many.rms, <=, 2e-5 * growth);
            check(many.largest, <=, 1e-4 * growth);
            check(fabs(many.along), <=, 3 * many.rms / sqrt(SLOW_BODIES) + 1e-6 * angle);
            check(many.rms, <=, low ? 1e-5 * angle : 20 * few.rms);
        }
        const slow_errors of_long = slow_errors_of(table, 0, effort(240000), 1e-3, true);
        printf("# %s: moments up to nine to one, error %.1e rad (rms), at most %.1e\n", table_name(table), of_long.rms,
               of_long.largest);
        check(of_long.rms, <=, 3 * 2e-5);
        check(of_long.largest, <=, 3 * 1e-4);
        /* four times as fast: the same error plus that of the angle of a wheel */
        slow_errors faster = slow_errors_after(table, 0, effort(240000), 4e-3);
        const double turned = 4e-3 / 240 * (double)effort(240000);
        printf("# %s: %.3f rad turned, error %.1e rad (rms), at most %.1e\n", table_name(table), turned, faster.rms,
               faster.largest);
        check(faster.rms, <=, 2e-5 + 5 * eps * turned);
        check(faster.largest, <=, 1e-4 + 5 * eps * turned);
        /* 2e-7 rad a step: the roundings are less random, because their inputs hardly change, but they are unbiased */
        const size_t steps = effort(240000);
        const double angle = 4.8e-5 / 240 * (double)steps;
        slow_errors slower = slow_errors_after(table, 0, steps, 4.8e-5);
        printf("# %s: %.4f rad turned, error %.1e rad (rms), mean along the spin %.1e\n", table_name(table), angle,
               slower.rms, slower.along);
        check(fabs(slower.along), <=, 3 * slower.rms / sqrt(SLOW_BODIES) + 1e-3 * angle);
    }
}

/* ---- The attitude of precessing tops ---- */

/* A symmetric top with moments I1 = I2 and I3 precesses about L at |L| / I1 and also spins about its own axis at M3 (1
   / I3 - 1 / I1): exact at any time. */
static quaternion top_after(const reference_body *top, double t_s)
{
    const double i1 = top->inertia.at[0], i3 = top->inertia.at[2], m3 = reference_body_momentum(top).at[2];
    const quaternion precession = reference_quaternion(vector_scaled(top->momentum, t_s / i1));
    const quaternion spin = reference_quaternion((vector){{0, 0, m3 * (1 / i3 - 1 / i1) * t_s}});
    return quaternion_product(quaternion_product(precession, top->orientation), spin);
}

/* 0.1 to 0.3 rad a step. Rounding the attitude changes the momentum in the body's frame, and so the motion that
   follows, so the error grows faster than the number of steps, not as its square root. */
static void test_precessing_tops(void **state)
{
    (void)state;
    const float dt_s = 1 / 60.0f;
    EACH_BEST_TABLE(table) {
        for (unsigned which = 0; which < 4; which++) {
            const bool low = which % 2, many = which / 2;
            const size_t steps = effort(many ? 100000 : 10000);
            const unsigned features = low ? BODIES_LOW : 0;
            random_source random = {17};
            body_batch start = {{{0}}};
            for (size_t i = 0; i < SLOW_BODIES; i++) {
                const double i1 = 1 + (double)random_unit(&random),
                             i3 = i1 * (0.3 + 1.6 * (double)random_unit(&random));
                reference_body top = {random_attitude(&random), random_direction(&random), {{i1, i1, i3}}, {{0, 0, 0}}};
                const double turn = 0.1 + 0.2 * (double)random_unit(&random);
                top.momentum =
                    vector_scaled(top.momentum, turn / (double)dt_s / vector_length(reference_body_spin(&top)));
                body_put(&start, i, &top);
            }
            body_batch end = start;
            for (size_t k = 0; k < steps; k++) {
                step_bodies(table, &end, features, 0, SLOW_BODIES, dt_s, NULL, NULL);
            }
            double rms = 0;
            for (size_t i = 0; i < SLOW_BODIES; i++) {
                const reference_body before = body_get(&start, i, features), now = body_get(&end, i, features);
                const quaternion exact = top_after(&before, (double)dt_s * (double)steps);
                rms = hypot(rms, quaternion_angle(now.orientation, exact) / sqrt(SLOW_BODIES));
            }
            printf("# %s%s: %zu steps, error %.2g rad (rms)\n", table_name(table), low ? ", low parts" : "", steps,
                   rms);
            CASE("%zu steps%s", steps, low ? " with low parts" : "");
            check(rms, <=, low ? (many ? 1e-4 : 1.2e-5) : many ? 0.05 : 2e-3);
        }
    }
}

/* Tops that precess by up to 0.3 rad a step and turn by nearly 0.8, up to which the method's own error counts: it is
   the largest for the least I3 / I1, and each step adds to it. */
static void test_fast_tops(void **state)
{
    (void)state;
    const size_t steps = effort(10000);
    const double i3 = 0.3, turn = 0.799;
    body_batch start = {{{0}}};
    for (size_t i = 0; i < SLOW_BODIES; i++) {
        const double precession = 0.24 + 0.06 * (double)i / SLOW_BODIES; /* |L| / I1; all of it about the axis: turn */
        const double part = (turn * turn / (precession * precession) - 1) / (1 / (i3 * i3) - 1), along = sqrt(part);
        const reference_body top = {
            {{0, 0, 0, 1}}, {{precession * sqrt(1 - part), 0, precession * along}}, {{1, 1, i3}}, {{0, 0, 0}}};
        body_put(&start, i, &top);
    }
    EACH_BEST_TABLE(table) {
        for (int order = 6; order <= 8; order += 2) {
            const gyre_body_solver solver = {.order = order};
            body_batch end = start;
            for (size_t k = 0; k < steps; k++) {
                step_bodies(table, &end, BODIES_LOW, 0, SLOW_BODIES, 1, &solver, NULL);
            }
            double worst = 0;
            for (size_t i = 0; i < SLOW_BODIES; i++) {
                const reference_body before = body_get(&start, i, BODIES_LOW), now = body_get(&end, i, BODIES_LOW);
                worst = worse_of(worst, quaternion_angle(now.orientation, top_after(&before, (double)steps)));
            }
            printf("# %s, order %d: fast tops at most %.2e rad off after %zu steps\n", table_name(table), order, worst,
                   steps);
            CASE("order %d, %zu steps", order, steps);
            check(worst, <=, (order == 6 ? 1.7e-5 : 1e-6) * (double)steps);
            check(worst, >=, (order == 6 ? 1.5e-5 : 0.9e-6) * (double)steps);
        }
    }
}

/* Bodies that turn by nearly 2^-12 rad a step, about axes that move in them: the error is the accumulated rounding of
   that many steps. */
static void test_small_angles(void **state)
{
    (void)state;
    const size_t steps = effort(16384);
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            if (m->method == GYRE_BODY_EXPLICIT_EULER) {
                continue;
            }
            random_source random = {10};
            const gyre_body_solver solver = solver_of(m);
            body_batch start;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = {random_attitude(&random), random_direction(&random), {{1, 2, 2.9}}, {{0, 0, 0}}};
                body.momentum =
                    vector_scaled(body.momentum, 0.99 * 0x1p-12 / vector_length(reference_body_spin(&body)));
                body_put(&start, i, &body);
            }
            body_batch end = start;
            for (size_t k = 0; k < steps; k++) {
                step_bodies(table, &end, 0, 0, BATCH_BODIES, 1, &solver, NULL);
            }
            double rms = 0;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                const reference_body before = body_get(&start, i, 0), now = body_get(&end, i, 0);
                const reference_body exact = reference_body_exact(&before, (double)steps);
                rms = hypot(rms, quaternion_angle(now.orientation, exact.orientation) / sqrt(BATCH_BODIES));
            }
            printf("# %s, %s: %.1f rad turned, error %.1e rad (rms)\n", table_name(table), m->name,
                   0x1p-12 * (double)steps, rms);
            CASE("%zu steps", steps);
            check(rms, <=, 2 * eps * sqrt((double)steps));
        }
    }
}

/* ---- Wheels ---- */

/* Bodies that spin about a principal axis, in equal steps of up to `longest` rad: off by at most `allowed` of the angle
   turned, plus a few roundings. */
static void check_angle_of_wheels(const gyre_kernels *table, int order, double longest, double allowed)
{
    static const vector moments[] = {{{1, 1, 1}},   {{2, 1.5, 1}}, {{2, 1, 1}}, {{1.2, 1.1, 1}},
                                     {{9, 8, 1.5}}, {{1, 8, 9}},   {{9, 1, 9}}, {{3, 2, 1}}};
    const size_t steps = effort(20000), wheels = 3 * LENGTH(moments);
    const double dt_s = 0x1p-6, time = dt_s * (double)steps;
    const gyre_body_solver solver = {.order = order};
    body_batch start;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        reference_body body = {.orientation = {{0, 0, 0, 1}}, .inertia = moments[i % LENGTH(moments)]};
        const size_t axis = i / LENGTH(moments) % 3;
        const double shorter = (double)(i / wheels * wheels) / BATCH_BODIES;
        body.momentum.at[axis] = body.inertia.at[axis] * longest * (1 - shorter) / dt_s;
        body_put(&start, i, &body);
    }
    body_batch end = start;
    for (size_t k = 0; k < steps; k++) {
        step_bodies(table, &end, 0, 0, BATCH_BODIES, (float)dt_s, &solver, NULL);
    }
    worst_case worst = {0};
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        const reference_body before = body_get(&start, i, 0), now = body_get(&end, i, 0);
        const reference_body exact = reference_body_exact(&before, time);
        const double off = quaternion_angle(now.orientation, exact.orientation);
        const double turned = vector_length(reference_body_spin(&before)) * time;
        check_body_share(&worst, off / (allowed * turned + 32 * eps), &start, i, (float)dt_s);
    }
    char where[80];
    snprintf(where, sizeof where, "wheels by order %d, up to %.3f rad a step, off by %.1e", order, longest, allowed);
    print_worst(where, &worst);
}

/* In short steps, the angle is rounded alike each time; in long ones, the error of the method is larger than that. */
static void test_wheels(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        check_angle_of_wheels(table, 6, 0.25, 5 * eps);
        check_angle_of_wheels(table, 8, 0.5, 5 * eps);
        check_angle_of_wheels(table, 6, 0.799, 7e-5);
        check_angle_of_wheels(table, 8, 0.799, 6e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_slow_spins),   TEST(test_precessing_tops), TEST(test_fast_tops),
        TEST(test_small_angles), TEST(test_wheels),
    };
    return cmocka_run_group_tests_name("body_attitude", tests, NULL, NULL);
}
