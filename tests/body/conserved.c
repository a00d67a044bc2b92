/* Conservation over many steps of gyre_bodies_step: momentum, energy, unit length, and the angle of slow spins. */
#include "support/bodies.h"

#include <math.h>

static const double eps = 0x1p-24;

enum { BODIES = 16, SLOW_BODIES = 64 };

/* Ordinary bodies, none longer than nine to one, that turn 0.1 to 0.3 radians a step: boxes and plates, symmetric
   tops, a sphere, the T-handle of body/methods/midpoint_trapezoid_euler-inl.h's article, van Zon and Schofield's body.
 */
static body_batch ordinary_bodies(random_source *random, double dt_s)
{
    static const vector moments[BODIES] = {
        {{2.5, 1.4, 1.3}}, {{10, 20, 26}}, {{1, 1, 1}}, {{1, 1, 1.9}}, {{2, 2, 0.3}}, {{1, 2, 3}},
        {{1, 8, 8.5}},     {{4, 5, 6}},    {{5, 5, 8}}, {{0.4, 3, 3}}, {{7, 3, 5}},   {{1e-3, 2e-3, 2.5e-3}},
    };
    body_batch b = {{{0}}};
    for (size_t i = 0; i < BODIES; i++) {
        reference_body body = {.orientation = random_attitude(random), .inertia = moments[i]};
        if (moments[i].at[0] == 0) {
            for (int k = 0; k < 3; k++) {
                body.inertia.at[k] = 2 + 3 * (double)random_unit(random);
            }
        }
        double turn = 0.1 + 0.2 * (double)random_unit(random);
        body.momentum = random_direction(random);
        body.momentum = vector_scaled(body.momentum, turn / dt_s / vector_length(reference_body_spin(&body)));
        body_put(&b, i, &body);
    }
    return b;
}

/* ---- Energy ---- */

typedef struct drift {
    double energy, rms; /* the largest relative error of energy on the way, and its root of mean square over bodies */
    double length;      /* the largest of |q| */
} drift;

static drift drift_over(const gyre_kernels *table, const method_case *m, unsigned features, size_t steps)
{
    const float dt_s = 1 / 60.0f;
    random_source random = {1};
    const body_batch start = ordinary_bodies(&random, (double)dt_s);
    body_batch b = start;
    gyre_body_solver solver = solver_of(m);
    gyre_body_report report = {0};
    drift largest = {0, 0, 0};
    double of_body[BODIES] = {0};
    for (size_t k = 1; k <= steps; k++) {
        step_bodies(table, &b, features, 0, BODIES, dt_s, &solver, &report);
        for (size_t i = 0; i < BODIES && (k % 997 == 0 || k == steps); i++) {
            reference_body before = body_get(&start, i, features), now = body_get(&b, i, features);
            double energy = fabs(reference_body_energy(&now) / reference_body_energy(&before) - 1);
            of_body[i] = worse_of(of_body[i], energy);
            largest.length = worse_of(largest.length, off_unit(&b, i));
        }
    }
    for (size_t i = 0; i < BODIES; i++) {
        largest.energy = worse_of(largest.energy, of_body[i]);
        largest.rms = hypot(largest.rms, of_body[i] / sqrt(BODIES));
    }
    CASE("%s, features %#x, %zu steps", m->name, features, steps);
    check(report.unconverged, ==, 0);
    if (m->method != GYRE_BODY_EXPLICIT_EULER) { /* the same bits */
        for (size_t k = 0; k < 3; k++) {
            CASE("%s, momentum %zu", m->name, k);
            check_floats(b.at[MOMENTUM + k], start.at[MOMENTUM + k], BATCH_BODIES);
        }
    }
    return largest;
}

/* A million steps of the methods that keep energy exactly but for rounding, a tenth of the others; what does not keep
   it is bounded by its own error. In plain float the rounding of the orientation alone changes the energy of the body
   by a random walk, more so the longer the body: with every orientation rounded correctly these sixteen end 1.5e-5 off
   (rms), the worst 3.5e-5. */
static void test_energy_and_momentum(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (size_t k = 0; k < METHOD_CASES; k++) {
            const method_case *m = &method_cases[k];
            if (m->method == GYRE_BODY_EXPLICIT_EULER) { /* its momentum is rewritten: see test_explicit_euler */
                continue;
            }
            drift of[2];
            bool whole = m->method == GYRE_BODY_MOSER_VESELOV || m->method == GYRE_BODY_OBJECT_TRAPEZOID;
            size_t steps = effort(whole ? 1000000 : 100000);
            for (unsigned low = 0; low < 2; low++) {
                of[low] = drift_over(table, m, low ? BODIES_LOW : 0, steps);
            }
            printf(
                "# %s, %s: energy within %.1e, rms %.1e over %zu steps, with low parts %.1e; length %.1f, %.1f eps\n",
                table_name(table), m->name, of[0].energy, of[0].rms, steps, of[1].energy, of[0].length / eps,
                of[1].length / eps);
            const bool exact = m->method == GYRE_BODY_MOSER_VESELOV;
            CASE("%s, %zu steps", m->name, steps);
            check(of[0].rms, <=, (exact ? 2e-5 : m->keeps_energy ? 1e-4 : 2e-2));
            check(of[0].energy, <=, (exact ? 6e-5 : m->keeps_energy ? 3e-4 : 2e-2));
            check(of[1].energy, <=, (exact ? 1e-9 : m->keeps_energy ? 3e-4 : 2e-2));
            check(of[0].length, <=, 8 * eps);
            check(of[1].length, <=, 8 * eps);
        }
    }
}

/* Rods turning across their axis and along it, with low parts. */
static void test_energy_of_rods(void **state)
{
    (void)state;
    enum { RODS = 32 };
    const size_t steps = effort(1000000);
    EACH_BEST_TABLE(table) {
        for (int order = 6; order <= 8; order += 2) {
            random_source random = {9};
            static body_batch b;
            for (size_t i = 0; i < RODS; i++) {
                reference_body body = {.orientation = random_attitude(&random), .inertia = {{1, 8.9, 8.9}}};
                body.momentum = random_direction(&random);
                const double turn = (0.1 + 0.2 * (double)random_unit(&random)) * 60;
                body.momentum = vector_scaled(body.momentum, turn / vector_length(reference_body_spin(&body)));
                body_put(&b, i, &body);
            }
            const body_batch start = b;
            const gyre_body_solver solver = {.order = order};
            for (size_t k = 0; k < steps; k++) {
                step_bodies(table, &b, BODIES_LOW, 0, RODS, 1 / 60.0f, &solver, NULL);
            }
            double worst = 0;
            for (size_t i = 0; i < RODS; i++) {
                reference_body before = body_get(&start, i, BODIES_LOW), now = body_get(&b, i, BODIES_LOW);
                worst = worse_of(worst, fabs(reference_body_energy(&now) / reference_body_energy(&before) - 1));
            }
            printf("# %s, order %d: energy of rods within %.1e after %zu steps with low parts\n", table_name(table),
                   order, worst, steps);
            CASE("order %d, %zu steps", order, steps);
            check(worst, <=, 1e-9);
        }
    }
}

static double energy_lost_in_long_steps(const gyre_kernels *table, int order, unsigned features)
{
    const gyre_body_solver one_substep = {.order = order, .substeps = 1};
    double worst = 0;
    random_source random = {5};
    for (size_t round = 0; round < effort(4000); round++) {
        const float longer = random_magnitude(&random, 0, 3);
        body_batch b = ordinary_bodies(&random, 1.0 / 60);
        const body_batch start = b;
        gyre_body_report report = {0};
        step_bodies(table, &b, features, 0, BODIES, longer / 60, &one_substep, &report);
        CASE("order %d, features %#x, %a s", order, features, longer / 60);
        check(report.unconverged, ==, 0);
        check(report.substeps, ==, BODIES);
        for (size_t i = 0; i < BODIES; i++) {
            reference_body before = body_get(&start, i, features), now = body_get(&b, i, features);
            worst = worse_of(worst, fabs(reference_body_energy(&now) / reference_body_energy(&before) - 1));
            CASE_OF_BODY(&start, i);
            check(off_unit(&b, i), <=, 8 * eps);
        }
    }
    return worst;
}

/* In closed form energy stays in steps far beyond what is proven for an iteration: ordinary bodies, up to 2.4 rad. */
static void test_energy_in_long_steps(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (int order = 6; order <= 8; order += 2) {
            double plain = energy_lost_in_long_steps(table, order, 0);
            double low = energy_lost_in_long_steps(table, order, BODIES_LOW);
            printf("# %s, order %d: energy within %.1e in steps of up to 2.4 rad, with low parts %.1e\n",
                   table_name(table), order, plain, low);
            CASE("order %d", order);
            check(plain, <=, 1e-6);
            check(low, <=, 1e-12);
        }
    }
}

/* In long steps what rounds the closed form is not quite as often up as down, in a body always alike. */
static void test_energy_drift_in_long_steps(void **state)
{
    (void)state;
    const size_t steps = effort(200000);
    const struct {
        float longer; /* ordinary bodies turn by up to 0.3 rad in 1/60 s */
        int substeps;
    } cases[] = {{2.6f, 0}, {6.6f, 1}};
    EACH_BEST_TABLE(table) {
        for (size_t c = 0; c < LENGTH(cases); c++) {
            const gyre_body_solver solver = {.substeps = cases[c].substeps};
            random_source random = {6};
            body_batch b = ordinary_bodies(&random, 1.0 / 60);
            const body_batch start = b;
            for (size_t k = 0; k < steps; k++) {
                step_bodies(table, &b, 0, 0, BODIES, cases[c].longer / 60, &solver, NULL);
            }
            double worst = 0;
            for (size_t i = 0; i < BODIES; i++) {
                reference_body before = body_get(&start, i, 0), now = body_get(&b, i, 0);
                worst = worse_of(worst, fabs(reference_body_energy(&now) / reference_body_energy(&before) - 1));
            }
            printf("# %s: energy within %.1e after %zu steps of up to %.2f rad\n", table_name(table), worst, steps,
                   0.3 * (double)cases[c].longer);
            CASE("%zu steps of %a s", steps, cases[c].longer / 60);
            check(worst, <=, 6e-5 + 2e-9 * (double)steps);
        }
    }
}

/* Explicit Euler keeps omega in the world: the body turns about a fixed axis, and |omega| stays but for rounding. */
static void test_explicit_euler(void **state)
{
    (void)state;
    const gyre_body_solver euler = {.method = GYRE_BODY_EXPLICIT_EULER};
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        body_batch b = ordinary_bodies(&random, 1.0 / 60);
        const body_batch start = b;
        for (int k = 0; k < 600; k++) {
            step_bodies(table, &b, 0, 0, BODIES, 1 / 60.0f, &euler, NULL);
        }
        for (size_t i = 0; i < BODIES; i++) {
            reference_body before = body_get(&start, i, 0), now = body_get(&b, i, 0);
            vector then = quaternion_rotate(before.orientation, reference_body_spin(&before));
            vector spin = quaternion_rotate(now.orientation, reference_body_spin(&now));
            CASE_OF_BODY(&start, i);
            check(vector_length(vector_difference(spin, then)), <=, 1e-4 * vector_length(then));
        }
    }
}

/* ---- Slow spins ---- */

typedef struct slow_errors {
    double rms, largest; /* of the angle's error */
    double along;        /* mean of its part along the spin, with its sign: a bias shows here */
} slow_errors;

/* Of bodies of every shape and attitude in steps of 1/240 s. */
static slow_errors slow_errors_after(const gyre_kernels *table, unsigned features, size_t steps, double rad_s)
{
    const float dt_s = 1 / 240.0f;
    random_source random = {3};
    body_batch start = {{{0}}};
    for (size_t i = 0; i < SLOW_BODIES; i++) {
        reference_body body = {random_attitude(&random), random_direction(&random), {{0, 0, 0}}, {{0, 0, 0}}};
        for (int k = 0; k < 3; k++) {
            body.inertia.at[k] = i % 3 == 0 ? 1.5 : 2 + (double)random_unit(&random);
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

/* 1e-3 rad/s, 70 eps a step: within 1e-4 of 1 rad turned, no part of it lost or gained on the average, and growing as
   the square root of the steps, as rounding without a bias does: ten times for a hundred times the steps, and a bias a
   hundred times. */
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
            /* what is rounded alike averages less over a small part of the turn */
            const double growth = sqrt((double)steps / 240000) * (steps < 240000 ? 1.5 : 1);
            CASE("%zu steps%s", steps, low ? " with low parts" : "");
            check(many.rms, <=, 2e-5 * growth);
            check(many.largest, <=, 1e-4 * growth);
            check(fabs(many.along), <=, 3 * many.rms / sqrt(SLOW_BODIES) + 1e-6 * angle);
            check(many.rms, <=, low ? 1e-5 * angle : 20 * few.rms);
        }
        /* four times as fast: the same error and that of the angle of a wheel */
        slow_errors faster = slow_errors_after(table, 0, effort(240000), 4e-3);
        const double turned = 4e-3 / 240 * (double)effort(240000);
        printf("# %s: %.3f rad turned, error %.1e rad (rms), at most %.1e\n", table_name(table), turned, faster.rms,
               faster.largest);
        check(faster.rms, <=, 2e-5 + 5 * eps * turned);
        check(faster.largest, <=, 1e-4 + 5 * eps * turned);
        /* 2e-7 rad a step: the roundings are less random, because their inputs hardly change, but have no bias */
        const size_t steps = effort(240000);
        const double angle = 4.8e-5 / 240 * (double)steps;
        slow_errors slower = slow_errors_after(table, 0, steps, 4.8e-5);
        printf("# %s: %.4f rad turned, error %.1e rad (rms), mean along the spin %.1e\n", table_name(table), angle,
               slower.rms, slower.along);
        check(fabs(slower.along), <=, 3 * slower.rms / sqrt(SLOW_BODIES) + 1e-3 * angle);
    }
}

/* ---- Attitude of precessing tops ---- */

/* A symmetric top with moments I1 = I2 and I3 precesses about L at |L| / I1 and spins about its own axis besides at
   M3 (1 / I3 - 1 / I1): exact at any time. */
static quaternion top_after(const reference_body *top, double t_s)
{
    const double i1 = top->inertia.at[0], i3 = top->inertia.at[2], m3 = reference_body_momentum(top).at[2];
    const quaternion precession = reference_quaternion(vector_scaled(top->momentum, t_s / i1));
    const quaternion spin = reference_quaternion((vector){{0, 0, m3 * (1 / i3 - 1 / i1) * t_s}});
    return quaternion_product(quaternion_product(precession, top->orientation), spin);
}

/* 0.1 to 0.3 rad a step. The rounding of an attitude changes the momentum in the body's frame, and that the motion from
   then on, so the error grows faster than the number of steps, not with its root. */
static void test_precessing_tops(void **state)
{
    (void)state;
    const float dt_s = 1 / 60.0f;
    const size_t steps = effort(10000);
    EACH_BEST_TABLE(table) {
        for (unsigned low = 0; low < 2; low++) {
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
            check(rms, <=, low ? 1.2e-5 : 2e-3);
        }
    }
}

/* Bodies that turn by nearly 2^-12 rad a step, about axes that move in them: the error is that of the roundings of so
   many steps. */
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

/* Bodies that spin about a principal axis, in equal steps of up to `longest` rad: off by `allowed` of the angle turned
   at the most, and a few roundings. */
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

/* In short steps each rounds its angle alike; in long ones the method's own error is above that. */
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

/* The relative error of the sum of kicks that are a few eps of the momentum each, of the worst body, where a step turns
   by 2^from_exp to 2^to_exp rad. */
static double small_kicks_lost(const gyre_kernels *table, unsigned features, int from_exp, int to_exp)
{
    random_source random = {4};
    body_batch start;
    const size_t steps = effort(100000);
    const double dt_s = 0x1p-8;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        reference_body body = random_body(&random, from_exp, to_exp, dt_s);
        double gain = 0.25 / (dt_s * (double)steps); /* a quarter of the momentum by the end */
        body.torque = vector_scaled(random_direction(&random), vector_length(body.momentum) * gain);
        body_put(&start, i, &body);
    }
    body_batch end = start;
    for (size_t k = 0; k < steps; k++) {
        step_bodies(table, &end, features, 0, BATCH_BODIES, (float)dt_s, NULL, NULL);
    }
    double worst = 0;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        reference_body before = body_get(&start, i, features), now = body_get(&end, i, features);
        vector kicks = vector_scaled(before.torque, dt_s * (double)steps);
        vector off = vector_difference(vector_difference(now.momentum, before.momentum), kicks);
        worst = worse_of(worst, vector_length(off) / vector_length(kicks));
    }
    return worst;
}

static void test_small_kicks(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (unsigned features = BODIES_TORQUE; features < BODIES_FEATURES; features++) {
            double fast = small_kicks_lost(table, features, -6, -4), slow = small_kicks_lost(table, features, -22, -21);
            printf("# %s%s: of small kicks at most %.1e is lost or gained, in slow bodies %.1e\n", table_name(table),
                   features & BODIES_LOW ? ", low parts" : "", fast, slow);
            CASE("features %#x", features);
            check(fast, <=, 3e-4);
            check(slow, <=, 3e-4);
        }
    }
}

/* Kicks of 2^-12 and 2^-18 ulp of the momentum, up and down, along each axis: of 2^24 of them as many ulp are there as
   should, but for chance. */
static void test_tiny_kicks(void **state)
{
    (void)state;
    const float dt_s = 0x1p-6f, ulp = 0x1p-21f; /* of momenta from 4 to 8 */
    EACH_BEST_TABLE(table) {
        for (int below = 12; below <= 18; below += 6) {
            for (int which = 0; which < 6; which++) {
                const int axis = which / 2, sign = which % 2 ? -1 : 1;
                random_source random = {7};
                body_batch start = {{{0}}};
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body body = {random_attitude(&random), {{0, 0, 0}}, {{1, 1.5, 2}}, {{0, 0, 0}}};
                    for (int k = 0; k < 3; k++) {
                        body.momentum.at[k] =
                            (random_one_in(&random, 2) ? 1 : -1) * (5 + 2 * (double)random_unit(&random));
                    }
                    body.torque.at[axis] = sign * ldexp(2 * (double)(ulp / dt_s), -below); /* two kicks a step */
                    body_put(&start, i, &body);
                }
                body_batch end = start;
                const size_t steps = effort(((size_t)1 << 23) / BATCH_BODIES);
                for (size_t k = 0; k < steps; k++) {
                    step_bodies(table, &end, BODIES_TORQUE, 0, BATCH_BODIES, dt_s, NULL, NULL);
                }
                double shown = 0;
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    shown += (double)(end.at[MOMENTUM + axis][i] - start.at[MOMENTUM + axis][i]) / (double)ulp;
                }
                const double kicks = 2.0 * (double)steps * BATCH_BODIES, want = ldexp(kicks, -below);
                CASE("kicks of 2^-%d ulp along axis %d, in ulp", below, axis);
                check_within(shown, sign * want, 4 * sqrt(want));
            }
        }
    }
}

/* Kicks of a quarter ulp along all axes at once, of momenta that are equal: the roundings of two axes do not correlate.
 */
static void test_axes_round_independently(void **state)
{
    (void)state;
    enum { STEPS = 64 };
    const float dt_s = 0x1p-6f, ulp = 0x1p-21f; /* of momenta from 4 to 8 */
    EACH_BEST_TABLE(table) {
        random_source random = {12};
        const double kick = 0.5 * (double)(ulp / dt_s); /* two halves a step */
        body_batch b = {{{0}}};
        for (size_t i = 0; i < BATCH_BODIES; i++) {
            const reference_body body = {random_attitude(&random), {{5, 5, 5}}, {{1, 1.5, 2}}, {{kick, kick, kick}}};
            body_put(&b, i, &body);
        }
        for (int k = 0; k < STEPS; k++) {
            step_bodies(table, &b, BODIES_TORQUE, 0, BATCH_BODIES, dt_s, NULL, NULL);
        }
        for (int one = 0; one < 3; one++) {
            const int other = (one + 1) % 3;
            double product = 0, squares[2] = {0, 0};
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                const double x = (double)(b.at[MOMENTUM + one][i] - 5) / (double)ulp - 0.5 * STEPS;
                const double y = (double)(b.at[MOMENTUM + other][i] - 5) / (double)ulp - 0.5 * STEPS;
                product += x * y, squares[0] += x * x, squares[1] += y * y;
            }
            const double correlation = product / sqrt(squares[0] * squares[1]);
            CASE("axes %d and %d", one, other);
            check(fabs(correlation), <=, 4 / sqrt(BATCH_BODIES));
        }
    }
}

/* Kicks that take a momentum through a power of two, below which the spacing of floats is half as large. */
static void test_kicks_through_a_power_of_two(void **state)
{
    (void)state;
    const float dt_s = 0x1p-6f, ulp = 0x1p-23f; /* of momenta from 1 on */
    const double due = 32;                      /* ulp, from as many half ulp below 1 on */
    const int smallest = effort(2) > 1 ? 10 : 8;
    EACH_BEST_TABLE(table) {
        for (int below = 4; below <= smallest; below += smallest - 4) {
            for (int which = 0; which < 12; which++) {
                const int axis = which / 4, side = which % 4 / 2 ? -1 : 1, sign = which % 2 ? -1 : 1;
                random_source random = {8};
                body_batch start = {{{0}}};
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body body = {random_attitude(&random), {{1.3, 1.7, 1.9}}, {{1, 1.5, 2}}, {{0, 0, 0}}};
                    body.momentum.at[axis] = side * (1 - sign * due / 4 * (double)ulp);
                    body.torque.at[axis] = side * sign * ldexp(2 * (double)(ulp / dt_s), -below);
                    body_put(&start, i, &body);
                }
                body_batch end = start;
                const size_t steps = (size_t)ldexp(due / 2, below);
                for (size_t k = 0; k < steps; k++) {
                    step_bodies(table, &end, BODIES_TORQUE, 0, BATCH_BODIES, dt_s, NULL, NULL);
                }
                double shown = 0;
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    shown += (double)(end.at[MOMENTUM + axis][i] - start.at[MOMENTUM + axis][i]) / (double)ulp;
                }
                shown *= side * sign / (double)BATCH_BODIES;
                CASE("kicks of 2^-%d ulp along axis %d, from %a, in ulp", below, axis, start.at[MOMENTUM + axis][0]);
                check_within(shown, due, 4 * sqrt(due / (double)BATCH_BODIES));
            }
        }
    }
}

/* A momentum without a torque along its axis keeps its bits, whatever random number rounds it: here that is half an
   ulp, and the last bits are 1. */
static void test_no_kick(void **state)
{
    (void)state;
    const vector momenta[] = {{{0x1.66d9f2p+0, 0x1.5f77f2p+0, 0x1.3d487ep+0}},
                              {{0x1.f51686p+0, 0x1.ee8cb6p+0, 0x1.83d48ap+0}},
                              {{0x1.fabb6ep+0, 0x1.4453bap+0, 0x1.5f766ap+0}},
                              {{0x1.38354ap+0, 0x1.5bd4cap+0, 0x1.2881eep+0}}};
    EACH_TABLE(table) {
        for (size_t k = 0; k < LENGTH(momenta); k++) {
            const reference_body body = {{{0, 0, 0, 1}}, momenta[k], {{1, 1, 1}}, {{0, 0, 0}}};
            static body_batch b;
            body_put(&b, 0, &body);
            step_bodies(table, &b, BODIES_TORQUE, 0, 1, 0x1p-10f, NULL, NULL);
            for (int axis = 0; axis < 3; axis++) {
                CASE("momentum %zu, axis %d", k, axis);
                check(b.at[MOMENTUM + axis][0], ==, momenta[k].at[axis]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_energy_and_momentum),
        TEST(test_energy_of_rods),
        TEST(test_energy_in_long_steps),
        TEST(test_energy_drift_in_long_steps),
        TEST(test_explicit_euler),
        TEST(test_slow_spins),
        TEST(test_precessing_tops),
        TEST(test_small_angles),
        TEST(test_wheels),
        TEST(test_small_kicks),
        TEST(test_tiny_kicks),
        TEST(test_axes_round_independently),
        TEST(test_kicks_through_a_power_of_two),
        TEST(test_no_kick),
    };
    return cmocka_run_group_tests_name("body_conserved", tests, NULL, NULL);
}
