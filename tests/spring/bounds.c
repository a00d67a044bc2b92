/* Bounds on positions: where springs end up, the velocity they leave with, and when they rest, judged by the ends of a
   step. tests/simd/bounds.c tests the operation itself, spring/bounces.c what happens within a step. */
#include "support/batch.h"

#include <math.h>

typedef struct one_spring {
    float position, velocity, position_low, velocity_low;
    uint8_t awake;
} one_spring;

typedef struct one_options {
    bool low;
    float target, lower, upper, bounce, rest_distance, rest_speed;
} one_options;

static one_spring step_one(const gyre_kernels *table, one_spring spring, const one_options *options,
                           gyre_spring_matrix matrix)
{
    const gyre_springs springs = {
        .count = 1,
        .position = &spring.position,
        .velocity = &spring.velocity,
        .target = &options->target,
        .rest_distance = options->rest_distance,
        .rest_speed = options->rest_speed,
        .awake = &spring.awake,
        .position_low = options->low ? &spring.position_low : NULL,
        .velocity_low = options->low ? &spring.velocity_low : NULL,
        .lower = &options->lower,
        .upper = &options->upper,
        .bounce = options->bounce,
    };
    check_status(table->springs_step(&springs, 0, 1, &matrix), GYRE_OK);
    return spring;
}

/* ---- One step ---- */

static const gyre_spring_matrix flies = {1, 1, 0, 1, 0, 0, {0}}; /* moves by the velocity, which stays the same */

static void test_where_it_ends(void **state)
{
    (void)state;
    const float inf = INFINITY, nan = NAN;
    const struct {
        float x, v, lower, upper, end, velocity; /* bounce 1/2 */
    } cases[] = {
        {0, 3, -1, 1, 1, -1.5f},
        {0, -3, -1, 1, -1, 1.5f},
        {0, 0.5f, -1, 1, 0.5f, 0.5f},   /* inside */
        {0, 1, -1, 1, 1, 1},            /* reaching a bound is not crossing it */
        {1, 1, -1, 1, 1, -0.5f},        /* an impulse on a bound does not leave it */
        {5, 1, -1, 1, 1, -0.5f},        /* already beyond the bound: it leaves with its current speed */
        {5, -1, -1, 1, 1, -1},          /* already moving inwards */
        {5, -4.5f, -1, 1, 0.5f, -4.5f}, /* and back inside */
        {0, 3, nan, nan, 3, 3},
        {0, 3, -1, nan, 3, 3},
        {0, 3, nan, 1, 1, -1.5f}, /* a NaN bound has no effect */
        {0, 3, -inf, inf, 3, 3},
        {0, 3, 2, 1, 1, -1.5f}, /* the upper bound takes precedence */
        {0, 0, 2, 3, 2, 0},
        {0, 1.5f, 2, 3, 2, 1.5f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t k = i / 2;
            const one_options options = {
                .low = i % 2, .lower = cases[k].lower, .upper = cases[k].upper, .bounce = 0.5f};
            const one_spring got = step_one(table, (one_spring){cases[k].x, cases[k].v, 0, 0, 9}, &options, flies);
            CASE("from %g at %g within %g and %g, low parts %zu", cases[k].x, cases[k].v, cases[k].lower,
                 cases[k].upper, i % 2);
            check(got.position, ==, cases[k].end);
            check(got.velocity, ==, cases[k].velocity);
            check(got.position_low, ==, 0);
            check(got.velocity_low, ==, 0);
            check(got.awake, ==, got.position != cases[k].x || got.velocity != cases[k].v);
        }
        for (int low = 0; low < 2; low++) {
            const one_options options = {.low = low, .lower = -1, .upper = 1, .bounce = 0.5f};
            const one_spring got = step_one(table, (one_spring){NAN, 1, 0, 0, 0}, &options, flies);
            check_nan(got.position);
            check(got.awake, ==, 1);
        }
    }
}

/* A low part alone can cross the bound: the position becomes the bound, with low part 0. */
static void test_low_parts(void **state)
{
    (void)state;
    const gyre_spring_matrix still = {1, 0, 0, -1, 0, 0, {0}};
    EACH_TABLE(table) {
        const one_options options = {.low = true, .lower = -1, .upper = 1, .bounce = 1};
        one_spring got = step_one(table, (one_spring){1, -2, 0x1p-30f, 0, 0}, &options, still);
        check(got.position, ==, 1);
        check(got.position_low, ==, 0);
        check(got.velocity, ==, -2); /* already beyond the bound */
        got = step_one(table, (one_spring){1, -2, -0x1p-30f, 0, 0}, &options, still);
        check(got.position, ==, 1);
        check(got.position_low, ==, -0x1p-30f);
        check(got.velocity, ==, 2);
    }
}

/* The speed at the bound by the formula of common/bounds-inl.h, from exact products in the widest type. */
static void test_speed(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(50000); i++) {
            gyre_spring_matrix m = random_matrix(&random);
            m.dt_s = 0;                   /* its motion is unknown, */
            m.pos_vel = fabsf(m.pos_vel); /* but runs forward */
            one_options options = {.bounce = random_unit(&random), .target = random_signed(&random, -4, 4)};
            options.lower = random_signed(&random, -4, 4);
            options.upper = options.lower + random_magnitude(&random, -6, 4);
            const one_spring old = {options.lower + random_unit(&random) * (options.upper - options.lower),
                                    random_signed(&random, -4, 6), 0, 0, 0};
            one_options free = options;
            free.lower = free.upper = NAN;
            const one_spring to = step_one(table, old, &free, m), got = step_one(table, old, &options, m);
            const float bound = to.position < options.lower ? options.lower : options.upper;
            CASE("from %a %a to %a %a, bounds %a %a", old.position, old.velocity, to.position, to.velocity,
                 options.lower, options.upper);
            if (to.position >= options.lower && to.position <= options.upper) {
                check(got.position, ==, to.position);
                check(got.velocity, ==, to.velocity);
                continue;
            }
            check(got.position, ==, bound);
            const double side = to.position > bound ? 1 : -1;
            if (side * (double)to.velocity <= 0) {
                check(got.velocity, ==, to.velocity);
                continue;
            }
            const double v0 = old.velocity, v1 = to.velocity;
            const double part = ((double)bound - old.position) / ((double)to.position - old.position);
            const double speed = sqrt(fmax(0, v0 * v0 + (v1 * v1 - v0 * v0) * part));
            const double fastest = fmax(fabs(v0), fabs(v1)), lost = 0x1p-51 * fastest * fastest;
            check_share(&worst, fabs((double)got.velocity + side * (double)options.bounce * speed) /
                                    (0x1p-24 * speed + 0x1p-94 + fmin(lost / speed, sqrt(lost))));
        }
        print_worst("speed at a bound", &worst);
    }
}

/* ---- Rest ---- */

/* A spring pressed against a bound rests there and is asleep, whatever its bounce. */
static void test_pressed_on_a_bound(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 144, 1000}, bounces[] = {0, 0.3f, 0.9f, 1};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(rates) * LENGTH(bounces); i++) {
            const float rate = rates[i / 2 % LENGTH(rates)], bounce = bounces[i / 2 / LENGTH(rates)];
            const gyre_spring_matrix m = matrix_of(table, (gyre_spring){8, 0.5f, 0}, 1 / rate);
            const one_options options = {.low = i % 2, .target = 10, .lower = -1, .upper = 1, .bounce = bounce};
            one_spring s = {1, 0, 0, 0, 9};
            CASE("bounce %g at %g Hz, low parts %zu", bounce, rate, i % 2);
            for (int step = 0; step < 10; step++) {
                s = step_one(table, s, &options, m);
                check(s.position, ==, 1);
                check(s.velocity, ==, 0);
                check(s.awake, ==, 0);
            }
            const one_options inside = {.low = i % 2, .target = 0.5f, .lower = -1, .upper = 1, .bounce = bounce};
            s = step_one(table, s, &inside, m); /* moving the target inside the bounds releases the spring */
            check(s.position, <, 1);
            check(s.awake, ==, 1);
        }
    }
}

/* Bouncing stops once the speed is at most the rest speed, even with rest_distance 0. */
static void test_rest_speed(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int low = 0; low < 2; low++) {
            one_options options = {.low = low, .lower = -1, .upper = 1, .bounce = 0.5f, .rest_speed = 1, .target = 3};
            one_spring got = step_one(table, (one_spring){1, 2, 0, 0, 9}, &options, flies);
            CASE("low parts %d", low);
            check(got.velocity, ==, 0);
            check(got.awake, ==, 1);
            check(step_one(table, got, &options, (gyre_spring_matrix){1, 0, -0.5f, 1}).awake, ==, 0);
            got = step_one(table, (one_spring){1, 2.25f, 0, 0, 9}, &options, flies);
            check(got.velocity, ==, -1.125f);
            check(got.awake, ==, 1);
            options.bounce = 1;
            options.rest_speed = 0;
            got = step_one(table, (one_spring){1, 0x1p-60f, 0, 0, 9}, &options, (gyre_spring_matrix){1, 0x1p60f, 0, 1});
            check(got.velocity, ==, -0x1p-60f);
        }
    }
}

/* In a step of no time `awake` is 0 only if the velocity is 0 and the target is beyond the bound that the spring is on.
 */
static void test_awake(void **state)
{
    (void)state;
    const gyre_spring_matrix identity = {1, 0, 0, 1, 0, 0, {0}};
    const struct {
        float x, v, low_part, target;
        bool awake;
    } cases[] = {
        {1, 0, 0, 2, false},  {-1, 0, 0, -2, false},      {1, 0, 0, 1, false},
        {1, 0, 0, 0, true},   {1, 0, 0, -2, true},        {1, 1, 0, 2, true},
        {-1, 0, 0, 2, true},  {0.5f, 0, 0, 2, true},      {2, 0, 0, 3, true}, /* beyond the bound */
        {1, 0, 0, NAN, true}, {1, 0, -0x1p-30f, 2, true},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < 2 * LENGTH(cases); i++) {
            const size_t k = i / 2;
            const one_options options = {.low = i % 2, .lower = -1, .upper = 1, .target = cases[k].target};
            if (cases[k].low_part != 0 && !options.low) {
                continue;
            }
            const one_spring old = {cases[k].x, cases[k].v, cases[k].low_part, 0, 9};
            const one_spring got = step_one(table, old, &options, identity);
            CASE("at %g, velocity %g, low part %g, target %g, low parts %zu", old.position, old.velocity,
                 old.position_low, cases[k].target, i % 2);
            check(got.awake, ==, cases[k].awake);
            check_bits(got.position, old.position);
            check_bits(got.velocity, old.velocity);
        }
    }
}

/* ---- Over time ---- */

/* An opacity that springs to 1 with too little damping never exceeds it and comes to rest at 1; a colour that springs
   to 0 is never negative. Both hold at any frame rate. */
static void test_opacity_and_colour(void **state)
{
    (void)state;
    const float rates[] = {24, 60, 144, 1000};
    EACH_TABLE(table) {
        for (size_t i = 0; i < 4 * LENGTH(rates); i++) {
            const float rate = rates[i / 4], target = i / 2 % 2 ? 1 : 0;
            const gyre_spring_matrix m = matrix_of(table, (gyre_spring){20, 0.15f, 0}, 1 / rate);
            const one_options options = {.low = i % 2,
                                         .target = target,
                                         .lower = 0,
                                         .upper = 1,
                                         .bounce = 0.3f,
                                         .rest_distance = 1e-3f,
                                         .rest_speed = 0.02f};
            one_spring s = {1 - target, 30 * (2 * target - 1), 0, 0, 1};
            CASE("to %g at %g Hz, low parts %zu", target, rate, i % 2);
            for (int step = 0; step < (int)(4 * rate); step++) {
                s = step_one(table, s, &options, m);
                check(s.position, >=, 0);
                check(s.position, <=, 1);
                check(s.position_low == 0 || (s.position > 0 && s.position < 1) ||
                          s.position_low * (0.5f - s.position) > 0,
                      ==, true);
            }
            check(s.position, ==, target);
            check(s.awake, ==, 0);
        }
    }
}

/* A bouncing ball: a spring so weak that it acts like gravity, with bounce 1. Its energy is conserved at any frame
   rate. */
static void test_energy(void **state)
{
    (void)state;
    const float rates[] = {30, 60, 144, 240, 1000};
    const float w = 0x1p-10f, far = -0x1p23f; /* w^2 far: 8 u/s^2 */
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(rates); i++) {
            const gyre_spring_matrix m = matrix_of(table, (gyre_spring){w, 0, 0}, 1 / rates[i]);
            const one_options options = {.low = true, .target = far, .lower = 0, .upper = INFINITY, .bounce = 1};
            one_spring s = {4, 0, 0, 0, 1};
            int bounces = 0;
            for (int step = 0; step < (int)(effort(200) * rates[i] / 4); step++) {
                const float before = s.velocity;
                s = step_one(table, s, &options, m);
                bounces += before < 0 && s.velocity > 0;
            }
            const double height = (double)s.position + s.position_low, v = (double)s.velocity + s.velocity_low;
            const double energy = 8 * height + v * v / 2;
            CASE("%g Hz, %d bounces", rates[i], bounces);
            check_within(energy, 32, 32e-4);
            check(bounces, >=, 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_where_it_ends),      TEST(test_low_parts),  TEST(test_speed),
        TEST(test_pressed_on_a_bound), TEST(test_rest_speed), TEST(test_awake),
        TEST(test_opacity_and_colour), TEST(test_energy),
    };
    return cmocka_run_group_tests_name("spring_bounds", tests, NULL, NULL);
}
