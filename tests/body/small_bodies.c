/* Bodies whose momenta are small numbers, as those of micrometre particles in SI units: what torques and damping do to
   them, and turns that are too short for an orientation. */
#include "support/bodies.h"

#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

/* One body in arrays of its own, with all that the caller may give. */
typedef struct one_body {
    float q[4], q_low[4], momentum[3], momentum_low[3], inertia[3], torque[3];
} one_body;

typedef struct one_case {
    bool low, with_torque, in_body;
    float damping;
} one_case;

static gyre_bodies bodies_of_one(one_body *b, one_case with)
{
    gyre_bodies bodies = {.count = 1, .torque_in_body = with.in_body, .angular_damping = with.damping};
    for (int k = 0; k < 4; k++) {
        bodies.orientation[k] = &b->q[k];
        bodies.orientation_low[k] = with.low ? &b->q_low[k] : NULL;
    }
    for (int k = 0; k < 3; k++) {
        bodies.momentum[k] = &b->momentum[k];
        bodies.momentum_low[k] = with.low ? &b->momentum_low[k] : NULL;
        bodies.inertia[k] = &b->inertia[k];
        bodies.torque[k] = with.with_torque ? &b->torque[k] : NULL;
    }
    return bodies;
}

static one_body random_one(random_source *random, int from_exp, int to_exp)
{
    one_body b = {{0}, {0}, {0}, {0}, {0}, {0}};
    const quaternion q = random_attitude(random);
    const float size = random_magnitude(random, from_exp, to_exp);
    for (int k = 0; k < 4; k++) {
        b.q[k] = (float)q.at[k];
        b.q_low[k] = (float)(q.at[k] - (double)b.q[k]);
    }
    for (int k = 0; k < 3; k++) {
        b.momentum[k] = size * random_signed(random, -3, 0);
        b.momentum_low[k] = b.momentum[k] * 0x1p-26f;
        b.inertia[k] = size * (1 + random_unit(random));
    }
    return b;
}

/* ---- No kick ---- */

/* A torque of zeros and a damping of 0 change no bit of a momentum, however small, and neither does a kick of no
   torque. */
static void test_no_kick(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(4000); i++) {
            const one_body before = random_one(&random, -140, 20);
            const one_case with = {i % 2, true, i / 2 % 2, 0};
            one_body after = before;
            const gyre_bodies bodies = bodies_of_one(&after, with);
            const float dt_s = random_signed(&random, -10, 0);
            CASE("low parts %d, in body %d", with.low, with.in_body);
            CASE("L=%a %a %a, I=%a", before.momentum[0], before.momentum[1], before.momentum[2], before.inertia[0]);
            check_status(table->bodies_step(&bodies, 0, 1, dt_s, NULL, NULL), GYRE_OK);
            check_status(table->bodies_kick(&bodies, 0, 1, dt_s), GYRE_OK);
            for (int k = 0; k < 3; k++) {
                check_bits(after.momentum[k], before.momentum[k]);
                check_bits(after.momentum_low[k], before.momentum_low[k]);
            }
        }
    }
}

/* ---- Kicks and damping of any size ---- */

/* A component after a kick: `exact` within 2 ulps of the larger of it and what was before, or 0. Returns whether it was
   lost. */
static bool check_kicked(float got, double before, double exact, double kick)
{
    const double size = fmax(fmax(fabs(before), fabs(exact)), fabs(kick));
    if (got == 0 && fabs(exact) < 0x1p-95) {
        return exact != 0;
    }
    const double ulp = fmax(ldexp(1, ilogb(size) - 23), 0x1p-149);
    check_within((double)got, exact, 2 * ulp);
    return false;
}

static void test_kicks_of_any_size(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        size_t told = 0, lost_of_rest = 0;
        for (size_t i = 0; i < effort(20000); i++) {
            const one_body before = random_one(&random, -130, -60);
            one_body b = before;
            const bool damped = i % 2, kicked = i % 3 || !damped;
            const one_case with = {false, kicked, false, damped ? random_magnitude(&random, -10, 3) : 0};
            const float dt_s = random_magnitude(&random, -12, 0);
            const float size = fabsf(before.momentum[0]) * random_magnitude(&random, -30, 3);
            for (int k = 0; k < 3; k++) {
                b.torque[k] = random_one_in(&random, 3) ? 0 : size * random_signed(&random, -3, 0) / dt_s;
                b.inertia[k] = before.inertia[k] * (i % 5 == 0 ? 0x1p-6f : i % 7 == 0 ? 0x1p80f : 1);
            }
            const gyre_bodies bodies = bodies_of_one(&b, with);
            const gyre_status status = table->bodies_step(&bodies, 0, 1, dt_s, NULL, NULL);
            const double x = (double)with.damping * (double)dt_s, decay = exp(-x);
            const double time_s = damped ? (double)dt_s * -expm1(-x) / x : (double)dt_s;
            CASE("damping %a, dt %a, torque %d", with.damping, dt_s, kicked);
            CASE("L=%a %a %a, T=%a %a %a", before.momentum[0], before.momentum[1], before.momentum[2], b.torque[0],
                 b.torque[1], b.torque[2]);
            CASE("I=%a %a %a", b.inertia[0], b.inertia[1], b.inertia[2]);
            const double smallest = fmin((double)b.inertia[0], fmin((double)b.inertia[1], (double)b.inertia[2]));
            double lost = 0;
            for (int k = 0; k < 3; k++) {
                const double kick = kicked ? time_s * (double)b.torque[k] : 0;
                const double old = (double)before.momentum[k], exact = old * decay + kick;
                if (check_kicked(b.momentum[k], old, exact, kick)) {
                    lost = fmax(lost, fabs(exact));
                }
            }
            const double turn = lost * time_s / smallest;
            if (turn >= 1.01 * 0x1p-49) {
                check_status(status, GYRE_INCOMPLETE);
                told++;
            } else if (turn < 0.99 * 0x1p-49) {
                check_status(status, GYRE_OK);
                lost_of_rest += lost > 0;
            }
        }
        printf("# %s: %zu told, %zu lost at rest\n", table_name(table), told, lost_of_rest);
        check(told, >, 0);
        check(lost_of_rest, >, 0);
    }
}

/* Damping brings bodies to rest, without a subnormal number on the way, and that is not told. */
static void test_coming_to_rest(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int low = 0; low < 2; low++) {
            one_body b = {{0, 0, 0, 1}, {0}, {1, -0.5f, 0}, {0}, {1, 2, 2.5f}, {0}};
            const gyre_bodies bodies = bodies_of_one(&b, (one_case){low, low, false, 2});
            int steps = 0;
            CASE("low parts %d", low);
            for (; steps < 1000 && (b.momentum[0] != 0 || b.momentum[1] != 0); steps++) {
                check_status(table->bodies_step(&bodies, 0, 1, 0.25f, NULL, NULL), GYRE_OK);
                for (int k = 0; k < 3; k++) {
                    check_not_subnormal(b.momentum[k]);
                    check_not_subnormal(b.momentum_low[k]);
                }
            }
            check(steps, <, 140); /* 95 ln 2 / (k dt) is 132 */
        }
    }
}

/* Backwards, damping makes momenta grow by e^(k dt), which overflows a float beyond k dt = 88: right, or infinite. */
static void test_backwards_damping(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int exponent = -120; exponent <= 20; exponent += 7) {
            for (int x = 20; x < 1000; x += 20) {
                for (int which = 0; which < 4; which++) {
                    const bool low = which % 2, euler = which / 2;
                    const float size = ldexpf(1, exponent);
                    one_body b = {{0, 0, 0, 1}, {0}, {size, 0, -0.75f * size}, {0}, {size, size, size}, {0}};
                    const one_body before = b;
                    const gyre_bodies bodies = bodies_of_one(&b, (one_case){low, false, false, (float)x});
                    const gyre_body_solver solver = {.method =
                                                         euler ? GYRE_BODY_EXPLICIT_EULER : GYRE_BODY_MOSER_VESELOV};
                    table->bodies_step(&bodies, 0, 1, -1, &solver, NULL);
                    CASE("L 2^%d, k dt -%d, low parts %d, Euler %d", exponent, x, low, euler);
                    check(euler ? 0 : b.momentum[1], ==, 0);
                    for (int k = 0; k < 3 && !euler; k += 2) {
                        const double exact = (double)before.momentum[k] * exp(fmin(x, 700));
                        if (fabs(exact) < 0x1.fffffp127) {
                            check_within((double)b.momentum[k] / exact, 1, 4 * eps);
                        } else {
                            check((double)b.momentum[k] * copysign(1, exact), ==, INFINITY);
                        }
                    }
                }
            }
        }
    }
}

/* ---- Lost turns ---- */

/* A satellite over the equator, stepped at 1 kHz, turns by 7.3e-8 rad a step: without low parts it stands still. */
static void test_lost_turns(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        EACH_METHOD(m) {
            for (int which = 0; which < 8; which++) {
                const bool low = which % 2, in_gathered = which / 2 % 2, with_torque = which / 4;
                enum { N = 80 };
                static body_batch b;
                memset(&b, 0, sizeof b);
                size_t wanted = 0;
                const size_t count = in_gathered ? N - 3 : N - N % 16;
                for (size_t i = 0; i < count; i++) {
                    /* at rest; turning by less than an ulp; turning; turning many times */
                    static const double omega[] = {0, 7.2921e-5, 1, 4000};
                    reference_body body = {{{0, 0, 0.6, 0.8}}, {{0, 0, 0}}, {{1, 2, 2.9}}, {{0, 0, 0}}};
                    body.momentum.at[2] = 2.9 * omega[i % 4];
                    body_put(&b, i, &body);
                    wanted += i % 4 == 1;
                }
                const gyre_body_solver solver = solver_of(m);
                gyre_body_report report = {0};
                const unsigned features = (low ? BODIES_LOW : 0) | (with_torque ? BODIES_TORQUE : 0);
                step_bodies(table, &b, features, 0, count, 1e-3f, &solver, &report);
                CASE("low parts %d, gathered %d, torque %d", low, in_gathered, with_torque);
                check(report.lost_turns, ==, low ? 0 : wanted);
                step_bodies(table, &b, features, 0, count, 0, &solver, &report);
                check(report.lost_turns, ==, low ? 0 : wanted);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_no_kick),           TEST(test_kicks_of_any_size), TEST(test_coming_to_rest),
        TEST(test_backwards_damping), TEST(test_lost_turns),
    };
    return cmocka_run_group_tests_name("body_small_bodies", tests, NULL, NULL);
}
