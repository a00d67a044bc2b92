/* How steps, kicks and damping add up over many calls of gyre_bodies_step and gyre_bodies_kick. GYRE_EXHAUSTIVE=1 takes
   a hundred times as many steps. */
#include "support/bodies.h"

#include <math.h>
#include <stdlib.h>

static const unsigned low_parts = BODIES_LOW | BODIES_MOMENTUM_LOW;

/* A million, or less at low effort. */
static size_t many_steps(void)
{
    const char *exhaustive = getenv("GYRE_EXHAUSTIVE");
    return effort(1000000) * (exhaustive != NULL && exhaustive[0] == '1' ? 100 : 1);
}

static void kick_bodies(const gyre_kernels *table, body_batch *b, unsigned features, size_t count, float dt_s)
{
    const gyre_bodies bodies = bodies_of(b, features);
    check_status(table->bodies_kick(&bodies, 0, count, dt_s), GYRE_OK);
}

/* The exact momentum of a body with the floats in its arrays, after a step with damping k and a torque in the world. */
static vector damped_momentum(vector momentum, vector torque, double k, double t_s)
{
    const double part = k == 0 ? t_s : -expm1(-k * t_s) / k;
    return vector_sum(vector_scaled(momentum, exp(-k * t_s)), vector_scaled(torque, part));
}

/* ---- Fast spins ---- */

/* exp(L t / I1) q exp(e M3 (1 / I3 - 1 / I1) t) */
static quaternion top_after(const reference_body *top, double t_s)
{
    const double *i = top->inertia.at;
    const int axis = i[0] == i[1] ? 2 : i[1] == i[2] ? 0 : 1;
    const double i1 = i[(axis + 1) % 3];
    vector spin = {{0, 0, 0}};
    spin.at[axis] = reference_body_momentum(top).at[axis] * (1 / i[axis] - 1 / i1) * t_s;
    const quaternion precession = reference_quaternion(vector_scaled(top->momentum, t_s / i1));
    return quaternion_product(quaternion_product(precession, top->orientation), reference_quaternion(spin));
}

/* Wheels, balls and tops at any speed, in one step of 1/60 s: as exact as the arrays can hold, without sub-steps, with
   torques too. */
static void test_axisymmetric_bodies_take_any_step(void **state)
{
    (void)state;
    const float dt_s = 1 / 60.0f;
    EACH_TABLE(table) {
        double worst[2] = {0, 0};
        for (unsigned round = 0; round < 24; round++) {
            const unsigned features = (round % 2 ? low_parts : 0) | (round % 4 > 1 ? BODIES_TORQUE : 0);
            random_source random = {37 + round};
            body_batch start = random_bodies(&random, -4, 14, (double)dt_s, false);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                const size_t odd = random_below(&random, 4), last = (odd + 2) % 3;
                if (odd < 3) { /* else a sphere; the two equal moments decide whether it is a mass */
                    start.at[INERTIA + (odd + 1) % 3][i] = start.at[INERTIA + last][i];
                    const float most = 2 * start.at[INERTIA + last][i];
                    start.at[INERTIA + odd][i] = fminf(start.at[INERTIA + odd][i], most);
                } else {
                    start.at[INERTIA][i] = start.at[INERTIA + 1][i] = start.at[INERTIA + 2][i];
                }
            }
            body_batch end = start;
            gyre_body_report report = {0};
            step_bodies(table, &end, features, 0, BATCH_BODIES, dt_s, NULL, &report);
            check(report.substeps, ==, BATCH_BODIES);
            check(report.iterations, ==, BATCH_BODIES);
            check(report.unconverged, ==, 0);
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                reference_body body = body_get(&start, i, features);
                const reference_body now = body_get(&end, i, features);
                body.momentum = vector_sum(body.momentum, vector_scaled(body.torque, (double)dt_s / 2));
                const double turned = (double)dt_s * vector_length(reference_body_spin(&body));
                const double fastest = (double)dt_s * vector_length(body.momentum) /
                                       fmin(body.inertia.at[0], fmin(body.inertia.at[1], body.inertia.at[2]));
                const quaternion exact = top_after(&body, (double)dt_s);
                const double off = quaternion_angle(now.orientation, exact);
                if (fastest < 100) { /* faster bodies use another formula */
                    check(quaternion_angle(reference_body_exact(&body, (double)dt_s).orientation, exact), <=, 1e-10);
                }
                /* without low parts of the momentum, the kick before the drift is rounded */
                const bool low = features & BODIES_LOW, kicked = features & BODIES_TORQUE;
                if (turned <= 0.85) {
                    continue;
                }
                CASE_OF_BODY(&start, i);
                CASE("features %#x", features);
                const double allowed =
                    low ? 0x1p-43 + 0x1p-45 * fastest : 4 * 0x1p-24 + (kicked ? 0x1p-23 * fastest : 0);
                check(off, <=, allowed);
                worst[low] = worse_of(worst[low], off / allowed);
            }
        }
        printf("# %s: %.2f of the allowed error, with low parts %.2f\n", table_name(table), worst[0], worst[1]);
    }
}

/* 31,400 rad/s at 60 Hz, which is 523 rad a step: at most 655 sub-steps for a body with three different moments. Above
   1,024 the call reports that it did not finish. */
static void test_everyday_spins_need_no_limit(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (int axis = 0; axis < 3; axis++) {
            reference_body body = {{{0, 0, 0, 1}}, {{0, 0, 0}}, {{1, 1.5, 2}}, {{0, 0, 0}}};
            body.momentum.at[axis] = 31400 * body.inertia.at[axis];
            body_batch b = {{{0}}};
            body_put(&b, 0, &body);
            gyre_body_report report = {0};
            step_bodies(table, &b, BODIES_LOW, 0, 1, 1 / 60.0f, NULL, &report);
            check(report.unconverged, ==, 0);
            check(report.substeps, >=, 654);
            check(report.substeps, <=, 655);
            const reference_body start = body, now = body_get(&b, 0, BODIES_LOW);
            if (axis != 1) { /* about the middle axis, rounding errors grow */
                const reference_body exact = reference_body_exact(&start, (double)(1 / 60.0f));
                check(quaternion_angle(now.orientation, exact.orientation), <=, 655 * 7e-5 * 0.8);
            }
            body.momentum.at[axis] *= 1.6;
            body_put(&b, 0, &body);
            const gyre_bodies bodies = bodies_of(&b, 0);
            check_status(table->bodies_step(&bodies, 0, 1, 1 / 60.0f, NULL, NULL), GYRE_INCOMPLETE);
        }
    }
}

/* ---- Small torques ---- */

/* Wheels, many of which turn by a whole fraction of a turn in each step, so that their attitudes repeat: with low parts
   of the momentum, no torque is lost. 1e-6 N m is 3e-4 ulp of the momentum a step. */
static void test_wheels_gain_what_torques_give(void **state)
{
    (void)state;
    enum { WHEELS = 8 };
    const float dt_s = 0.01f;
    const size_t steps = many_steps();
    EACH_BEST_TABLE(table) {
        double worst = 0;
        for (unsigned low = 0; low <= BODIES_LOW; low += BODIES_LOW) {
            body_batch start = {{{0}}};
            for (size_t i = 0; i < WHEELS; i++) {
                const double turns_per_s = i == 0 ? 1 : (double)i * 1.25;
                const reference_body wheel = {
                    {{0, 0, 0, 1}}, {{0, 0, 50 * 6.2831853 * turns_per_s}}, {{40, 40, 50}}, {{0, 0, 1e-6}}};
                body_put(&start, i, &wheel);
            }
            start.at[MOMENTUM + 2][0] = 314.159265f;
            body_batch end = start;
            const unsigned features = BODIES_TORQUE | BODIES_MOMENTUM_LOW | low;
            for (size_t k = 0; k < steps; k++) {
                step_bodies(table, &end, features, 0, WHEELS, dt_s, NULL, NULL);
            }
            for (size_t i = 0; i < WHEELS; i++) {
                const vector before = body_get(&start, i, features).momentum,
                             now = body_get(&end, i, features).momentum;
                const double due = (double)dt_s * (double)start.at[TORQUE + 2][i] * (double)steps;
                CASE("wheel %zu%s", i, low ? " with low parts" : "");
                check_within(now.at[2] - before.at[2], due, 1e-5 * due);
                check(now.at[0], ==, 0);
                check(now.at[1], ==, 0);
                if (low && i == 0) { /* the sum of all its momenta; at 0.06 rad a step, where the method is exact */
                    const double time = (double)dt_s * (double)steps;
                    const double angle = (before.at[2] * time + due * time / 2) / 50;
                    const quaternion exact = reference_quaternion((vector){{0, 0, fmod(angle, 12.566370614359172)}});
                    worst = worse_of(worst, quaternion_angle(body_get(&end, i, features).orientation, exact) / angle);
                }
            }
        }
        printf("# %s: %zu steps, %.1e of the angle turned off\n", table_name(table), steps, worst);
        check(worst, <=, 1e-9);
    }
}

/* A sphere that a torque of a thousandth of an ulp a step spins up for an hour: the angle is the sum of all its
   momenta. */
static void test_an_hour_of_a_small_torque(void **state)
{
    (void)state;
    const float dt_s = 0.01f;
    const size_t steps = effort(360000);
    EACH_BEST_TABLE(table) {
        const reference_body sphere = {{{0, 0, 0, 1}}, {{0, 0, 150}}, {{100, 100, 100}}, {{0, 0, 1e-3}}};
        body_batch b = {{{0}}};
        body_put(&b, 0, &sphere);
        const double torque = (double)b.at[TORQUE + 2][0], time = (double)dt_s * (double)steps;
        for (size_t k = 0; k < steps; k++) {
            step_bodies(table, &b, low_parts | BODIES_TORQUE, 0, 1, dt_s, NULL, NULL);
        }
        const reference_body end = body_get(&b, 0, low_parts | BODIES_TORQUE);
        check_within(end.momentum.at[2], 150 + torque * time, 1e-8);
        const double angle = (150 * time + torque * time * time / 2) / 100;
        const quaternion exact = reference_quaternion((vector){{0, 0, fmod(angle, 12.566370614359172)}});
        const double off = quaternion_angle(end.orientation, exact);
        printf("# %s: %.1f rad, %.1e rad off\n", table_name(table), angle, off);
        check(off, <=, 1e-6);
    }
}

/* ---- Damping ---- */

/* However long the step and however strong the damping. */
static void test_damping_is_exact(void **state)
{
    (void)state;
    const double k = 1; /* as in bodies_of */
    const float steps_s[] = {0x1p-10f, 0.25f, 1, 7, 200, -0.25f, -1};
    const unsigned sets[] = {BODIES_TORQUE, BODIES_TORQUE | low_parts, BODIES_TORQUE | BODIES_MOMENTUM_LOW, low_parts,
                             0};
    EACH_BEST_TABLE(table) {
        EACH_METHOD(m) {
            random_source random = {31};
            worst_case worst = {0}, worst_low = {0};
            for (size_t round = 0; round < LENGTH(steps_s) * LENGTH(sets); round++) {
                const float dt_s = steps_s[round % LENGTH(steps_s)];
                const unsigned features = sets[round / LENGTH(steps_s)] | BODIES_DAMPING;
                const bool low = features & BODIES_MOMENTUM_LOW;
                const body_batch start = random_bodies(&random, -6, -4, 1, false);
                body_batch end = start;
                const gyre_body_solver solver = solver_of(m);
                step_bodies(table, &end, features, 0, BATCH_BODIES, dt_s, &solver, NULL);
                for (size_t i = 0; i < BATCH_BODIES && m->method != GYRE_BODY_EXPLICIT_EULER; i++) {
                    const reference_body before = body_get(&start, i, features), now = body_get(&end, i, features);
                    const vector exact = damped_momentum(before.momentum, before.torque, k, (double)dt_s);
                    const double most = fmax(fmax(vector_length(exact), vector_length(before.momentum)),
                                             vector_length(before.torque) * fabs((double)dt_s));
                    const double off = vector_length(vector_difference(now.momentum, exact));
                    CASE("features %#x, dt %a", features, dt_s);
                    check_body_share(low ? &worst_low : &worst, off / (0x1p-100 + most * (low ? 0x1p-45 : 4 * 0x1p-24)),
                                     &start, i, dt_s);
                }
            }
            if (m->method == GYRE_BODY_MOSER_VESELOV && m->order == 6) {
                print_worst("damped momenta", &worst);
                print_worst("with low parts", &worst_low);
            }
        }
    }
}

/* The attitude of a damped body is that of a free one at the time (1 - e^-kt) / k, after any number of steps. */
static void test_damped_attitude(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (size_t steps = 1; steps <= 64; steps *= 8) {
            random_source random = {32};
            const float dt_s = 1 / (float)steps;
            const gyre_body_solver solver = {.order = 8};
            body_batch start = random_bodies(&random, -6, -4, 1, false), end = start;
            for (size_t n = 0; n < steps; n++) {
                step_bodies(table, &end, low_parts | BODIES_DAMPING, 0, BATCH_BODIES, dt_s, &solver, NULL);
            }
            double worst = 0;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                const reference_body before = body_get(&start, i, low_parts), now = body_get(&end, i, low_parts);
                const reference_body exact = reference_body_exact(&before, -expm1(-1));
                CASE_OF_BODY(&start, i);
                const double off = quaternion_angle(now.orientation, exact.orientation);
                check(off, <=, 0x1p-33);
                worst = worse_of(worst, off);
            }
            printf("# %s: %zu steps, at most %.1e rad off\n", table_name(table), steps, worst);
        }
    }
}

/* Torque and damping settle where they balance, at the torque over k, even in steps as long as 1 / k. */
static void test_terminal_momentum(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (unsigned features = 0; features < BODIES_ALL_FEATURES; features++) {
            if (!(features & BODIES_TORQUE) || !(features & BODIES_DAMPING)) {
                continue;
            }
            const reference_body body = {{{0, 0, 0, 1}}, {{0, 0, 1}}, {{40, 40, 50}}, {{0, 0, 30}}};
            body_batch b = {{{0}}};
            body_put(&b, 0, &body);
            for (int n = 0; n < 60; n++) {
                step_bodies(table, &b, features, 0, 1, 1, NULL, NULL);
            }
            CASE("features %#x", features);
            check_within(b.at[MOMENTUM + 2][0], 30, features & BODIES_MOMENTUM_LOW ? 0x1p-19 : 0x1p-16);
        }
    }
}

/* ---- Torques in the body's frame ---- */

/* dq/dt = q omega / 2, dM/dt = M x omega + tau in the body, by Runge and Kutta's method of order 4. */
typedef struct pushed_state {
    quaternion q;
    vector m;
} pushed_state;

static pushed_state rate_of(const pushed_state *s, vector inertia, vector torque)
{
    vector w;
    for (int k = 0; k < 3; k++) {
        w.at[k] = s->m.at[k] / inertia.at[k];
    }
    pushed_state rate = {quaternion_product(s->q, (quaternion){{w.at[0], w.at[1], w.at[2], 0}}),
                         vector_sum(vector_cross(s->m, w), torque)};
    for (int k = 0; k < 4; k++) {
        rate.q.at[k] /= 2;
    }
    return rate;
}

static pushed_state moved(const pushed_state *s, double h, const pushed_state *rate)
{
    pushed_state to = {s->q, vector_sum(s->m, vector_scaled(rate->m, h))};
    for (int k = 0; k < 4; k++) {
        to.q.at[k] += h * rate->q.at[k];
    }
    return to;
}

static reference_body pushed_in_body(const reference_body *start, double t_s, int steps)
{
    pushed_state s = {start->orientation, reference_body_momentum(start)};
    const double h = t_s / steps;
    for (int n = 0; n < steps; n++) {
        pushed_state k[4], at = s;
        for (int stage = 0; stage < 4; stage++) {
            k[stage] = rate_of(&at, start->inertia, start->torque);
            at = moved(&s, stage < 2 ? h / 2 : h, &k[stage]);
        }
        s = moved(&s, h / 6, &k[0]);
        s = moved(&s, h / 3, &k[1]);
        s = moved(&s, h / 3, &k[2]);
        s = moved(&s, h / 6, &k[3]);
    }
    reference_body end = *start;
    end.orientation = quaternion_normalised(s.q);
    end.momentum = quaternion_rotate(end.orientation, s.m);
    return end;
}

/* Order 2, with and without low parts. */
static void test_torque_in_body(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (unsigned low = 0; low < 2; low++) {
            const unsigned features = (low ? low_parts : 0) | BODIES_TORQUE | BODIES_TORQUE_IN_BODY;
            double errors[2] = {0, 0};
            for (int finer = 0; finer < 2; finer++) {
                random_source random = {33};
                const size_t steps = 64u << (3 * finer);
                body_batch start = {{{0}}};
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    reference_body body = {
                        random_attitude(&random), random_direction(&random), {{1, 1.5, 2}}, {{0, 0, 0}}};
                    body.momentum = vector_scaled(body.momentum, 4);
                    body.torque = vector_scaled(random_direction(&random), 2);
                    body_put(&start, i, &body);
                }
                body_batch end = start;
                for (size_t n = 0; n < steps; n++) {
                    step_bodies(table, &end, features, 0, BATCH_BODIES, 1 / (float)steps, NULL, NULL);
                }
                for (size_t i = 0; i < BATCH_BODIES; i++) {
                    const reference_body before = body_get(&start, i, features), now = body_get(&end, i, features);
                    const reference_body exact = pushed_in_body(&before, 1, 400);
                    const double angle = quaternion_angle(now.orientation, exact.orientation);
                    const double off = vector_length(vector_difference(now.momentum, exact.momentum));
                    errors[finer] = worse_of(errors[finer], fmax(angle, off));
                }
            }
            printf("# %s%s: %.1e off in 64 steps, %.1e in 512\n", table_name(table), low ? ", low parts" : "",
                   errors[0], errors[1]);
            check(errors[0], <=, 1e-3);
            check(errors[1], <=, low ? errors[0] / 60 : 3e-5);
        }
    }
}

/* About the axis of a wheel, a torque in the body's frame equals one in the world: in steps of any length, the spin-up
   is exact. */
static void test_torque_in_body_spins_a_wheel_up(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {34};
        body_batch start = {{{0}}};
        for (size_t i = 0; i < BATCH_BODIES; i++) {
            reference_body body = {random_attitude(&random), {{0, 0, 0}}, {{1, 1, 1.5}}, {{0, 0, 0.5}}};
            body.momentum = quaternion_rotate(body.orientation, (vector){{0, 0, 3}});
            body_put(&start, i, &body);
        }
        body_batch end = start;
        const unsigned features = low_parts | BODIES_TORQUE | BODIES_TORQUE_IN_BODY;
        for (int n = 0; n < 100; n++) {
            step_bodies(table, &end, features, 0, BATCH_BODIES, 0.125f, NULL, NULL);
        }
        for (size_t i = 0; i < BATCH_BODIES; i++) {
            const reference_body before = body_get(&start, i, features), now = body_get(&end, i, features);
            CASE_OF_BODY(&start, i);
            const vector due = vector_scaled(before.momentum, 1 + 0.5 * 12.5 / 3);
            check(vector_length(vector_difference(now.momentum, due)), <=, 1e-6);
        }
    }
}

/* ---- Kicks ---- */

/* One kick: the torque, in the world or turned with the body, times dt, or times tanh(k dt) / k. */
static void test_kick(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {35};
        for (unsigned features = 0; features < BODIES_ALL_FEATURES; features++) {
            const float dt_s = random_signed(&random, -8, 2);
            body_batch start = random_bodies(&random, -6, -1, 1, false), end = start;
            if (features % 3 == 0) {
                random_lengths(&random, &start);
                end = start;
            }
            kick_bodies(table, &end, features, BATCH_BODIES, dt_s);
            const double time = features & BODIES_DAMPING ? tanh((double)dt_s) : (double)dt_s;
            for (size_t i = 0; i < BATCH_BODIES; i++) {
                const reference_body before = body_get(&start, i, features), now = body_get(&end, i, features);
                const vector torque = features & BODIES_TORQUE_IN_BODY
                                          ? quaternion_rotate(before.orientation, before.torque)
                                          : before.torque;
                const vector exact = vector_sum(before.momentum, vector_scaled(torque, time));
                const double most = vector_length(before.momentum) + vector_length(torque) * fabs(time);
                const bool low = features & BODIES_MOMENTUM_LOW;
                const bool as_orientation =
                    features & BODIES_TORQUE_IN_BODY && (!(features & BODIES_LOW) || features % 3 == 0);
                CASE("features %#x, dt %a", features, dt_s);
                CASE_OF_BODY(&start, i);
                const double allowed = low ? 0x1p-46 : as_orientation ? 0x1p-21 : 0x1p-23;
                check(vector_length(vector_difference(now.momentum, exact)), <=, most * allowed);
                for (int k = 0; k < 4; k++) {
                    check_bits(end.at[ORIENTATION + k][i], start.at[ORIENTATION + k][i]);
                }
            }
        }
    }
}

/* Errors write nothing; the momentum of an invalid body becomes NaN and no other changes; any slices give the same
   results. */
static void test_kick_arguments(void **state)
{
    (void)state;
    const float bad[] = {NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        random_source random = {36};
        const unsigned features = BODIES_ALL_FEATURES - 1;
        body_batch b = random_bodies(&random, -6, -1, 1, false);
        const body_batch start = b;
        gyre_bodies bodies = bodies_of(&b, features);
        check_status(table->bodies_kick(NULL, 0, 1, 1), GYRE_ERROR_NULL);
        check_status(table->bodies_kick(&bodies, 0, BATCH_BODIES + 1, 1), GYRE_ERROR_RANGE);
        check_status(table->bodies_kick(&bodies, 0, BATCH_BODIES, 0), GYRE_OK);
        check_status(table->bodies_kick(&bodies, 3, 3, 1), GYRE_OK);
        for (size_t k = 0; k < LENGTH(bad); k++) {
            check_status(table->bodies_kick(&bodies, 0, BATCH_BODIES, bad[k]), GYRE_ERROR_VALUE);
            bodies.angular_damping = bad[k];
            check_status(table->bodies_kick(&bodies, 0, BATCH_BODIES, 1), GYRE_ERROR_VALUE);
            check_status(table->bodies_step(&bodies, 0, BATCH_BODIES, 1, NULL, NULL), GYRE_ERROR_VALUE);
            bodies.angular_damping = 1;
        }
        bodies.angular_damping = -0x1p-149f;
        check_status(table->bodies_kick(&bodies, 0, BATCH_BODIES, 1), GYRE_ERROR_VALUE);
        check_status(table->bodies_step(&bodies, 0, BATCH_BODIES, 1, NULL, NULL), GYRE_ERROR_VALUE);
        bodies.torque[0] = NULL;
        bodies.angular_damping = 1;
        check_status(table->bodies_kick(&bodies, 0, BATCH_BODIES, 1), GYRE_OK);
        check_same_bodies(&b, &start);
        for (size_t array = 0; array < BODY_ARRAYS; array++) {
            body_batch whole = start, pieces = start, clean = start;
            const size_t where = 77;
            whole.at[array][where] = pieces.at[array][where] = array % 2 ? NAN : INFINITY;
            const gyre_bodies of_whole = bodies_of(&whole, features), of_pieces = bodies_of(&pieces, features);
            check_status(table->bodies_kick(&of_whole, 0, BATCH_BODIES, 0.25f), GYRE_INCOMPLETE);
            kick_bodies(table, &clean, features, BATCH_BODIES, 0.25f);
            for (size_t from = 0, to; from < BATCH_BODIES; from = to) {
                to = from + 1 + random_below(&random, 40);
                to = to < BATCH_BODIES ? to : BATCH_BODIES;
                check_status(table->bodies_kick(&of_pieces, from, to, 0.25f),
                             from <= where && where < to ? GYRE_INCOMPLETE : GYRE_OK);
            }
            CASE("array %zu", array);
            check_same_bodies(&pieces, &whole);
            for (size_t k = MOMENTUM; k < INERTIA; k++) {
                check_nan(whole.at[k][where]);
                whole.at[k][where] = clean.at[k][where];
            }
            whole.at[array][where] = clean.at[array][where];
            check_same_bodies(&whole, &clean);
        }
    }
}

/* ---- A top: its torque depends on its attitude ---- */

enum { TOP = 1 };

static const double top_weight = 9.81; /* N m, of a kilogram at one metre */

/* R(q) (0, 0, 1) x (0, 0, -weight) */
static vector top_axis(const body_batch *b)
{
    return quaternion_rotate(body_get(b, 0, 0).orientation, (vector){{0, 0, 1}});
}

static void set_top_torque(body_batch *b)
{
    const vector axis = top_axis(b);
    b->at[TORQUE][0] = (float)(-axis.at[1] * top_weight);
    b->at[TORQUE + 1][0] = (float)(axis.at[0] * top_weight);
    b->at[TORQUE + 2][0] = 0;
}

static double top_energy(const body_batch *b)
{
    const reference_body top = body_get(b, 0, 0);
    return reference_body_energy(&top) + top_weight * top_axis(b).at[2];
}

static body_batch leaning_top(void)
{
    reference_body top = {reference_quaternion((vector){{0.5, 0, 0}}), {{0, 0, 0}}, {{1, 1, 0.5}}, {{0, 0, 0}}};
    top.momentum = quaternion_rotate(top.orientation, (vector){{0, 0, 5}});
    body_batch b = {{{0}}};
    body_put(&b, 0, &top);
    return b;
}

/* Two seconds at 120 Hz. One call a step, with the torque at the start of the step, is of order 1. */
static void test_top(void **state)
{
    (void)state;
    const float dt_s = 1 / 120.0f;
    EACH_BEST_TABLE(table) {
        body_batch called = leaning_top(), kicked = called;
        const double start = top_energy(&called);
        double worst = 0;
        for (int n = 0; n < 240; n++) {
            set_top_torque(&called);
            step_bodies(table, &called, BODIES_TORQUE, 0, TOP, dt_s, NULL, NULL);
            set_top_torque(&kicked);
            kick_bodies(table, &kicked, BODIES_TORQUE, TOP, dt_s / 2);
            step_bodies(table, &kicked, 0, 0, TOP, dt_s, NULL, NULL);
            set_top_torque(&kicked);
            kick_bodies(table, &kicked, BODIES_TORQUE, TOP, dt_s / 2);
            worst = worse_of(worst, fabs(top_energy(&kicked) / start - 1));
        }
        const double by_calls = top_energy(&called) / start - 1, by_kicks = top_energy(&kicked) / start - 1;
        printf("# %s: energy %+.1e by one call a step, %+.1e by kicks at both ends, on the way %.1e\n",
               table_name(table), by_calls, by_kicks, worst);
        check(by_calls, >=, 0.03);
        check(worst, <=, 3e-5);
        check(fabs(by_kicks), <=, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_axisymmetric_bodies_take_any_step),
        TEST(test_everyday_spins_need_no_limit),
        TEST(test_wheels_gain_what_torques_give),
        TEST(test_an_hour_of_a_small_torque),
        TEST(test_damping_is_exact),
        TEST(test_damped_attitude),
        TEST(test_terminal_momentum),
        TEST(test_torque_in_body),
        TEST(test_torque_in_body_spins_a_wheel_up),
        TEST(test_kick),
        TEST(test_kick_arguments),
        TEST(test_top),
    };
    return cmocka_run_group_tests_name("body_lasting", tests, NULL, NULL);
}
