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
            check(worst, <=, (order == 6 ? 1.75e-5 : 6e-7) * (double)steps);
            check(worst, >=, (order == 6 ? 1.6e-5 : 5e-7) * (double)steps);
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

/* Bodies that spin about a principal axis, in equal steps of up to `longest` rad: off by at most 5 eps of the angle
   turned, plus roundings of the attitude that do not add up. In a world that is not their own, only about the axis of
   one moment that is the largest: about others a rounding error grows, as in tops. */
static void check_angle_of_wheels(const gyre_kernels *table, int order, double longest, bool turned_world)
{
    enum { WHEELS = 7, SHAPES = 11 };
    static const vector moments[SHAPES] = {{{2, 1.5, 1}}, {{2, 1, 1}},         {{1.2, 1.1, 1}},       {{9, 8, 1.5}},
                                           {{1, 8, 9}},   {{3, 2, 1}},         {{0.01, 0.011, 0.02}}, {{1, 1, 1}},
                                           {{9, 1, 9}},   {{1, 0.999, 0.002}}, {{0.03, 2, 2.01}}};
    const size_t shapes = turned_world ? WHEELS : SHAPES, wheels = 3 * shapes;
    const size_t steps = effort(turned_world    ? (longest > 1 ? (size_t)(600 / longest) + 1 : 2000)
                                : longest > 100 ? 100
                                                : 10000);
    const double dt_s = 0x1p-6, time = dt_s * (double)steps;
    const gyre_body_solver solver = {.order = order};
    random_source random = {12};
    body_batch start;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        reference_body body = {.orientation = {{0, 0, 0, 1}}, .inertia = moments[i % shapes]};
        const vector m = body.inertia;
        size_t axis = i / shapes % 3;
        if (turned_world) {
            axis = m.at[0] >= m.at[1] && m.at[0] >= m.at[2] ? 0 : m.at[1] >= m.at[2] ? 1 : 2;
        }
        const double shorter = (double)(i / wheels * wheels) / BATCH_BODIES;
        body.momentum.at[axis] = m.at[axis] * longest * (1 - shorter) / dt_s;
        if (turned_world) {
            body.orientation = random_attitude(&random);
            body.momentum = quaternion_rotate(body.orientation, body.momentum);
        }
        body_put(&start, i, &body);
    }
    body_batch end = start;
    gyre_body_report report = {0};
    for (size_t k = 0; k < steps; k++) {
        step_bodies(table, &end, 0, 0, BATCH_BODIES, (float)dt_s, &solver, &report);
    }
    check(report.unconverged, ==, 0);
    const double walk = turned_world ? 4 * eps * sqrt((double)steps) : 32 * eps;
    worst_case worst = {0};
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        const reference_body before = body_get(&start, i, 0), now = body_get(&end, i, 0);
        const vector spin = reference_body_spin(&before);
        const quaternion exact = turned_world ? reference_body_exact(&before, time).orientation
                                              : reference_quaternion(vector_scaled(spin, time));
        const double off = quaternion_angle(now.orientation, exact), turned = vector_length(spin) * time;
        check_body_share(&worst, off / (5 * eps * turned + walk), &start, i, (float)dt_s);
    }
    char where[80];
    snprintf(where, sizeof where, "wheels by order %d, up to %g rad a step%s", order, longest,
             turned_world ? ", turned" : "");
    print_worst(where, &worst);
}

/* The angle of a step is rounded alike each time. Steps of one sub-step and of up to 1,000. */
static void test_wheels(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (int order = 6; order <= 8; order += 2) {
            static const double longest[] = {0.01, 0.25, 0.5, 0.8, 3, 60, 800};
            for (size_t k = 0; k < LENGTH(longest); k++) {
                check_angle_of_wheels(table, order, longest[k], false);
                check_angle_of_wheels(table, order, longest[k], true);
            }
        }
    }
}

/* ---- Moments that rounding has made unequal ---- */

/* Wheels whose two equal moments are 1 or 2 ulps apart take one step at any speed, and stay within 4 eps a step. */
static void test_moments_ulps_apart(void **state)
{
    (void)state;
    static const float equal[] = {1, 1.5f, 0x1.fffffcp-1f, 0.013f};
    EACH_BEST_TABLE(table) {
        for (size_t k = 0; k < LENGTH(equal); k++) {
            for (int ulps = 0; ulps <= 2; ulps++) {
                for (int axis = 0; axis < 3; axis++) {
                    float other = equal[k];
                    for (int n = 0; n < ulps; n++) {
                        other = nextafterf(other, 4);
                    }
                    reference_body body = {.orientation = {{0, 0, 0, 1}}};
                    body.inertia.at[axis] = 1.9 * (double)equal[k];
                    body.inertia.at[(axis + 1) % 3] = (double)equal[k];
                    body.inertia.at[(axis + 2) % 3] = (double)other;
                    body.momentum.at[axis] = 628 * body.inertia.at[axis];
                    static body_batch b;
                    body_put(&b, 0, &body);
                    const reference_body start = body_get(&b, 0, 0);
                    const size_t steps = 200;
                    gyre_body_report report = {0};
                    for (size_t n = 0; n < steps; n++) {
                        step_bodies(table, &b, 0, 0, 1, 1, NULL, &report);
                    }
                    const quaternion exact =
                        reference_quaternion(vector_scaled(reference_body_spin(&start), (double)steps));
                    CASE("moments %a, %d ulps apart, axis %d", equal[k], ulps, axis);
                    check(report.substeps, ==, steps);
                    check(quaternion_angle(body_get(&b, 0, 0).orientation, exact), <=, 4 * eps * (double)steps);
                }
            }
        }
    }
}

/* Across the odd axis, a step leaves the motion of the given moments by at most d angle (2 + angle) / 4, where d is
   their relative difference. Moments 4e-6 apart are not treated as equal. */
static void test_moments_apart(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {31};
        double worst = 0;
        for (size_t i = 0; i < 100; i++) {
            const double d = 0x1p-23, angle = 1 + 60 * (double)random_unit(&random);
            reference_body body = {random_attitude(&random), random_direction(&random), {{1, 1 + d, 1.9}}, {{0, 0, 0}}};
            body.momentum = vector_scaled(body.momentum, angle); /* |L| dt / I1 */
            static body_batch b;
            body_put(&b, 0, &body);
            const reference_body start = body_get(&b, 0, BODIES_LOW);
            step_bodies(table, &b, BODIES_LOW, 0, 1, 1, NULL, NULL);
            const double off =
                quaternion_angle(body_get(&b, 0, BODIES_LOW).orientation, reference_body_exact(&start, 1).orientation);
            worst = worse_of(worst, off / (d * angle * (2 + angle) / 4));
            body.inertia.at[1] = 1 + 4e-6;
            body_put(&b, 0, &body);
            gyre_body_report report = {0};
            step_bodies(table, &b, 0, 0, 1, 1, NULL, &report);
            check(report.substeps, >=, (uint64_t)(angle / 2));
        }
        printf("# %s: at most %.2f of d angle (2 + angle) / 4\n", table_name(table), worst);
        check(worst, <=, 1);
        check(worst, >=, 0.2);
    }
}

/* ---- Sub-steps of any number ---- */

/* With low parts, sub-steps of at most 0.1 rad are off by 2^-29 of the angle and 1e-7 rad, however many they are. */
static void test_any_number_of_substeps(void **state)
{
    (void)state;
    static const float dt_s[] = {0.1f, 1 / 60.0f, 0x1p-6f, 0.3f};
    EACH_BEST_TABLE(table) {
        for (int n = 1; n <= 12; n++) {
            for (size_t k = 0; k < LENGTH(dt_s); k++) {
                const gyre_body_solver solver = {.substeps = n};
                const size_t steps = effort(10000);
                const double omega = 0.099 * n / (double)dt_s[k], angle = omega * (double)dt_s[k] * (double)steps;
                static body_batch b;
                for (size_t i = 0; i < 3; i++) {
                    reference_body body = {.orientation = {{0, 0, 0, 1}}, .inertia = {{1, 2, 2.9}}};
                    body.momentum.at[i] = body.inertia.at[i] * omega;
                    body_put(&b, i, &body);
                }
                const body_batch start = b;
                for (size_t step = 0; step < steps; step++) {
                    step_bodies(table, &b, BODIES_LOW, 0, 3, dt_s[k], &solver, NULL);
                }
                for (size_t i = 0; i < 3; i++) {
                    const reference_body before = body_get(&start, i, BODIES_LOW);
                    const vector turn = vector_scaled(reference_body_spin(&before), (double)dt_s[k] * (double)steps);
                    CASE("%d sub-steps of %a s, axis %zu, %g rad", n, dt_s[k], i, angle);
                    check(quaternion_angle(body_get(&b, i, BODIES_LOW).orientation, reference_quaternion(turn)), <=,
                          0x1p-29 * angle + 1e-7);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_slow_spins),    TEST(test_precessing_tops),
        TEST(test_fast_tops),     TEST(test_small_angles),
        TEST(test_wheels),        TEST(test_moments_ulps_apart),
        TEST(test_moments_apart), TEST(test_any_number_of_substeps),
    };
    return cmocka_run_group_tests_name("body_attitude", tests, NULL, NULL);
}
