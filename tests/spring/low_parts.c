/* Springs with low parts: the error of a step, its contract where low parts matter, and how errors add up over a day
   and longer. spring/matrix.c tests the low parts of matrices; guarantees/, palette.c and each.c also step states with
   low parts. */
#include "support/batch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

static gyre_springs one_spring(float state[4], const float *target, uint8_t *awake)
{
    return (gyre_springs){
        .count = 1,
        .position = &state[0],
        .velocity = &state[1],
        .target = target,
        .awake = awake,
        .position_low = &state[2],
        .velocity_low = &state[3],
    };
}

static void repeat(const gyre_kernels *table, const gyre_springs *springs, const gyre_spring_matrix *matrix,
                   size_t steps)
{
    for (size_t i = 0; i < steps; i++) {
        check_status(table->springs_step(springs, 0, springs->count, matrix), GYRE_OK);
    }
}

/* ---- Error ---- */

/* Error as a share of the header's bound for a sum of the given size, whose displacement was rounded. */
static double share_of(real got, real exact, real size, real carried)
{
    return (double)(fabsl(got - exact) / (0x1p-47L * size + 0x1p-52L * carried + 0x1p-94L));
}

static void test_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(2000); i++) {
            const bool has_target = i % 2;
            gyre_spring_matrix m = random_matrix(&random);
            if (i % 3 == 0) { /* arbitrary coefficients */
                for (size_t k = 0; k < 4; k++) {
                    (&m.pos_pos)[k] = random_signed(&random, -20, 4);
                    m.low[k] = random_signed(&random, -50, -20);
                }
            }
            batch old = batch_random(&random, false), new = old;
            const gyre_springs springs = batch_springs(&new, FEATURE_LOW | (has_target ? FEATURE_TARGET : 0));
            check_status(table->springs_step(&springs, 0, BATCH_SPRINGS, &m), GYRE_OK);
            for (size_t k = 0; k < BATCH_SPRINGS; k++) {
                const real target = has_target ? old.target[k] : 0, p = (real)old.position[k] + old.position_low[k];
                const real x = p - target, v = (real)old.velocity[k] + old.velocity_low[k];
                const real pos_pos = (real)m.pos_pos + m.low[0], pos_vel = (real)m.pos_vel + m.low[1];
                const real vel_pos = (real)m.vel_pos + m.low[2], vel_vel = (real)m.vel_vel + m.low[3];
                const real carried = fabsl(p) + fabsl(target);
                CASE("spring %zu: from %La %La to %La", k, p, v, target);
                check_share(&worst,
                            share_of((real) new.position[k] + new.position_low[k], target + pos_pos * x + pos_vel * v,
                                     fabsl(pos_pos * x) + fabsl(pos_vel * v) + fabsl(target),
                                     fabsl(pos_pos) * carried));
                check_share(&worst, share_of((real) new.velocity[k] + new.velocity_low[k], vel_pos * x + vel_vel * v,
                                             fabsl(vel_pos * x) + fabsl(vel_vel * v), fabsl(vel_pos) * carried));
                check(fabsf(new.position_low[k]), <=, 0x1p-24f * fabsf(new.position[k]));
                check(fabsf(new.velocity_low[k]), <=, 0x1p-24f * fabsf(new.velocity[k]));
            }
        }
        print_worst("with low parts", &worst);
    }
}

/* ---- Contract ---- */

/* The short way, for displacements that differ from half a period or from whole periods only in their low parts. */
static void test_period(void **state)
{
    (void)state;
    const gyre_spring_matrix halves = {0.5f, 0, 0, 0.5f, 0, 0, {0}};
    const struct {
        float position, low, end, end_low;
    } cases[] = {
        {180, 0x1p-20f, -90, 0x1p-21f},   {180, -0x1p-20f, 90, -0x1p-21f},
        {-180, -0x1p-20f, 90, -0x1p-21f}, {0x1.68p+23f, 0x1p-10f, 0x1p-11f, 0}, /* 2^15 whole periods and a little */
        {0x1.68p+36f, 90, 45, 0},                                               /* 2^28 whole periods */
        {0x1.68p+38f, 90, 0, 0},                                                /* from 2^29 up the displacement is 0 */
        {-0x1.68p+38f, 90, 0, 0},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE("from %a and %a", cases[i].position, cases[i].low);
            float s[4] = {cases[i].position, 0, cases[i].low, 0};
            gyre_springs spring = one_spring(s, NULL, NULL);
            spring.period = 360;
            repeat(table, &spring, &halves, 1);
            check(s[0], ==, cases[i].end);
            check(s[2], ==, cases[i].end_low);
        }
    }
}

/* A low part alone keeps a spring awake; the rest limits and the flush clear low parts too. */
static void test_rest_and_flush(void **state)
{
    (void)state;
    const float target = 1e5f;
    EACH_TABLE(table) {
        const gyre_spring_matrix identity = {1, 0, 0, 1, 0, 0, {0}},
                                 slow = {1, 0, 0, 1, 0, 0, {-0x1p-30f, 0, 0, -0x1p-30f}};
        uint8_t awake = 9;
        float s[4] = {target, 0, 0x1p-12f, 0};
        gyre_springs spring = one_spring(s, &target, &awake);
        repeat(table, &spring, &identity, 1);
        check(awake, ==, 1);
        check(s[2], ==, 0x1p-12f);
        repeat(table, &spring, &slow, 1); /* not the identity, although its floats are */
        check(s[0], ==, target);
        check(s[2], ==, 0x1p-12f - 0x1p-42f);
        s[2] = 0;
        s[3] = 0x1p-40f;
        repeat(table, &spring, &identity, 1);
        check(awake, ==, 1);
        spring.rest_distance = spring.rest_speed = 0x1p-9f;
        s[2] = 0x1p-10f;
        s[3] = 0x1p-60f;
        repeat(table, &spring, &slow, 1);
        check(s[0], ==, target);
        check(s[1], ==, 0);
        check(s[2], ==, 0);
        check(s[3], ==, 0);
        check(awake, ==, 1); /* its low parts have changed */
        repeat(table, &spring, &slow, 1);
        check(awake, ==, 0);
        /* no subnormal number is carried over, whatever the input */
        random_source random = {2};
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){3, 0.2f, 0}, 0.1f);
        for (size_t i = 0; i < effort(10000); i++) {
            float tiny[4] = {random_signed(&random, -149, -70), random_signed(&random, -149, -70),
                             random_signed(&random, -149, -90), random_signed(&random, -149, -90)};
            float before[4];
            memcpy(before, tiny, sizeof before);
            spring = one_spring(tiny, NULL, &awake);
            repeat(table, &spring, &m, 1);
            size_t changed = 0;
            for (size_t k = 0; k < 4; k++) {
                CASE("%zu of the state: %a, before %a", k, tiny[k], before[k]);
                check_flushed(tiny[k]);
                changed += tiny[k] != before[k];
            }
            check(awake, ==, changed > 0);
        }
    }
}

/* A sum too large for a float, with no phase left even in double: the spring is treated as being at its target. A step
   of no time keeps the values, whichever function makes the step. */
static void test_a_sum_beyond_floats(void **state)
{
    (void)state;
    const gyre_spring_matrix identity = {1, 0, 0, 1, 0, 0, {0}};
    const uint16_t which = 0;
    EACH_TABLE(table) {
        for (int palette = 0; palette < 2; palette++) {
            float s[4] = {0x1.fffffep+127f, 0, 0x1.7p+127f, 0};
            uint8_t awake = 1;
            gyre_springs spring = one_spring(s, NULL, &awake);
            spring.period = 360;
            CASE("palette %d", palette);
            check_status(palette ? table->springs_step_palette(&spring, 0, 1, &identity, 1, &which)
                                 : table->springs_step(&spring, 0, 1, &identity),
                         GYRE_OK);
            check_bits(s[0], 0x1.fffffep+127f);
            check_bits(s[2], 0x1.7p+127f);
            check(awake, ==, 0);
        }
    }
}

/* ---- Repeated steps ---- */

/* A far target is reached, where floats alone stop short of it (repeated.c). Either sleeps then. */
static void test_a_far_target(void **state)
{
    (void)state;
    const float target = 100000;
    EACH_TABLE(table) {
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){1, 1, 0}, 1 / 240.0f);
        for (int low = 0; low < 2; low++) {
            float s[4] = {99900, 0, 0, 0};
            uint8_t awake = 9;
            gyre_springs spring = one_spring(s, &target, &awake);
            spring.rest_distance = spring.rest_speed = 0.1f;
            spring.position_low = low ? &s[2] : NULL;
            repeat(table, &spring, &m, 14400);
            CASE("low parts: %d", low);
            if (low) {
                check(s[0], ==, target);
                check(s[1], ==, 0);
            } else {
                check_within(s[0], 99999.17, 0.01);
                check(s[1], >, 0);
            }
            check(awake, ==, 0);
        }
    }
}

/* The largest drift in amplitude after `steps`, over undamped springs of `count` frequencies released at rest from
   1. */
static double worst_drift(const gyre_kernels *table, const float *w, size_t count, float dt_s, size_t steps)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){w[i], 0, 0}, dt_s);
        float s[4] = {1, 0, 0, 0};
        const gyre_springs spring = one_spring(s, NULL, NULL);
        repeat(table, &spring, &m, steps);
        const double x = (double)s[0] + s[2], v = ((double)s[1] + s[3]) / w[i], drift = fabs(hypot(x, v) - 1);
        worst = drift > worst ? drift : worst;
    }
    return worst;
}

/* A day at 240 Hz, after which floats alone reach 1.53 times the amplitude. */
static void test_a_day(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        const float w = 0x1.921fb6p+1f;
        const double drift = worst_drift(table, &w, 1, 1 / 240.0f, effort(20736000));
        printf("# %s: %.2g of the amplitude in a day\n", table_name(table), drift);
        check(drift, <=, 3e-7);
    }
}

/* A million steps, or a hundred million with GYRE_EXHAUSTIVE=1. */
static void test_many_steps(void **state)
{
    (void)state;
    const size_t steps = getenv("GYRE_EXHAUSTIVE") != NULL ? 100000000 : effort(1000000);
    const float w[] = {10, 1, 0x1.921fb6p+1f, 33.3f, 239};
    EACH_BEST_TABLE(table) {
        const double drift = worst_drift(table, w, LENGTH(w), 1 / 240.0f, steps);
        printf("# %s: %.2g of the amplitude in %zu steps\n", table_name(table), drift, steps);
        check(drift, <=, 0x1p-46 * (double)steps);
    }
}

/* Damped springs decay as they should, to as many digits. */
static void test_decay(void **state)
{
    (void)state;
    const float w = 2, z = 0x1p-12f, dt = 1 / 64.0f;
    const size_t steps = effort(1000000);
    EACH_BEST_TABLE(table) {
        const gyre_spring_matrix m = matrix_of(table, (gyre_spring){w, z, 0}, dt);
        float s[4] = {1, 0, 0, 0};
        const gyre_springs spring = one_spring(s, NULL, NULL);
        repeat(table, &spring, &m, steps);
        const double x = (double)s[0] + s[2], v = (double)s[1] + s[3], q = sqrt((1 - (double)z) * (1 + (double)z));
        const double start = hypot(1, z / q), now = hypot(x, (v / w + z * x) / q);
        check_within(now / start, exp(-(double)z * w * dt * (double)steps), 0x1p-46 * (double)steps * now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),        TEST(test_period), TEST(test_rest_and_flush), TEST(test_a_sum_beyond_floats),
        TEST(test_a_far_target), TEST(test_a_day),  TEST(test_many_steps),     TEST(test_decay),
    };
    return cmocka_run_group_tests_name("spring_low_parts", tests, NULL, NULL);
}
