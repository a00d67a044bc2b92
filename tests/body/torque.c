/* Torques too small to show in one step, added up over many. */
#include "support/bodies.h"

#include <math.h>

/* The relative error of the sum of kicks of a few eps of the momentum each, for the worst body, where a step turns by
   2^from_exp to 2^to_exp rad. */
static double small_kicks_lost(const gyre_kernels *table, unsigned features, int from_exp, int to_exp)
{
    random_source random = {4};
    body_batch start;
    const size_t steps = effort(100000);
    const double dt_s = 0x1p-8;
    for (size_t i = 0; i < BATCH_BODIES; i++) {
        reference_body body = random_body(&random, from_exp, to_exp, dt_s);
        double gain = 0.25 / (dt_s * (double)steps); /* a quarter of the momentum in total */
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

/* Kicks of 2^-12 and 2^-18 ulp of the momentum, up and down, along each axis: 2^24 of them add up to as many ulp as
   they should, within chance. */
static void test_tiny_kicks(void **state)
{
    (void)state;
    const float dt_s = 0x1p-6f, ulp = 0x1p-21f; /* for momenta from 4 to 8 */
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

/* Kicks of a quarter ulp along all axes at once, on equal momenta: the roundings of two axes do not correlate. */
static void test_axes_round_independently(void **state)
{
    (void)state;
    enum { STEPS = 64 };
    const float dt_s = 0x1p-6f, ulp = 0x1p-21f; /* for momenta from 4 to 8 */
    EACH_BEST_TABLE(table) {
        random_source random = {12};
        const double kick = 0.5 * (double)(ulp / dt_s); /* two half kicks a step */
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

/* Kicks that take a momentum across a power of two, below which the spacing of floats is half as large. */
static void test_kicks_through_a_power_of_two(void **state)
{
    (void)state;
    const float dt_s = 0x1p-6f, ulp = 0x1p-23f; /* for momenta from 1 up */
    const double due = 32;                      /* ulp, starting as many half ulp below 1 */
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

/* A momentum without a torque along its axis keeps its bits, whatever random number is used for rounding: here that is
   half an ulp, and the last bits are 1. */
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
        TEST(test_small_kicks),
        TEST(test_tiny_kicks),
        TEST(test_axes_round_independently),
        TEST(test_kicks_through_a_power_of_two),
        TEST(test_no_kick),
    };
    return cmocka_run_group_tests_name("body_torque", tests, NULL, NULL);
}
