/* The effect of a moving target on a step (pos_ramp, vel_ramp): the stated error, the equation itself, and the meaning
   of `follow`. spring/targets.c tests the steps that use it. */
#include "reference/spring.h"
#include "support/batch.h"

#include <float.h>
#include <math.h>

static worst_case worst_pos, worst_vel, worst_pos_sum, worst_vel_sum;

static void check_ramp(worst_case *worst, worst_case *worst_sum, float got, float low, real exact, real bound)
{
    check_share(worst, (double)(fabsl((real)got - exact) / bound));
    check_share(worst_sum, (double)(fabsl((real)got + low - exact) / (0x1p-19L * bound))); /* 2^-40 instead of 2^-21 */
    check_not_subnormal(low);
}

static void check_ramps(const gyre_kernels *table, gyre_spring spring, float t)
{
    gyre_spring_matrix m;
    if (table->spring_matrix_at(spring, t, &m) == GYRE_ERROR_RANGE) {
        check(t, <, 0);
        return;
    }
    const real w = spring.angular_frequency, z = spring.damping_ratio;
    const reference_ramps exact = reference_spring_ramps(w, z, spring.follow, t);
    const reference_ramps bound = reference_spring_ramps_bound(w, z, t);
    CASE("w=%a z=%a follow=%a t=%a: got %a and %a, wanted %La and %La", spring.angular_frequency, spring.damping_ratio,
         spring.follow, t, m.pos_ramp, m.vel_ramp, exact.pos_ramp, exact.vel_ramp);
    check_ramp(&worst_pos, &worst_pos_sum, m.pos_ramp, m.low[4], exact.pos_ramp, bound.pos_ramp);
    check_ramp(&worst_vel, &worst_vel_sum, m.vel_ramp, m.low[5], exact.vel_ramp, bound.vel_ramp);
}

/* Every regime, and ratios close to where one formula takes over from another. */
static float random_ratio(random_source *random)
{
    switch (random_below(random, 6)) {
    case 0: return random_unit(random);
    case 1: return 1 + random_signed(random, -24, -1);
    case 2: return 1 + random_unit(random) / 2;
    case 3: return (float)random_below(random, 3);
    default: return random_magnitude(random, -13, 13);
    }
}

static float random_follow(random_source *random)
{
    return random_one_in(random, 3) ? (float)random_below(random, 2) : random_unit(random);
}

static float random_angle(random_source *random)
{
    return random_one_in(random, 2) ? random_magnitude(random, -3, 4) : random_magnitude(random, -30, 13);
}

static void test_error(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(300000); i++) {
            const float w = random_magnitude(&random, -8, 12), z = random_ratio(&random), t = random_angle(&random) / w;
            check_ramps(table, (gyre_spring){w, z, random_follow(&random)}, t);
        }
    }
}

/* In any unit of time. */
static void test_error_with_extreme_units(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(100000); i++) {
            const float w = random_magnitude(&random, -49, 49), z = random_ratio(&random);
            const float t = random_angle(&random) / w;
            if (t >= 0x1p-50f && t <= 0x1p50f) {
                check_ramps(table, (gyre_spring){w, z, random_follow(&random)}, t);
            }
        }
    }
}

static void test_error_backwards(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(100000); i++) {
            const float w = random_magnitude(&random, -8, 8), z = random_ratio(&random);
            const float t = -random_magnitude(&random, -20, 6) / (w * fmaxf(1, z));
            check_ramps(table, (gyre_spring){w, z, random_follow(&random)}, t);
        }
    }
}

/* ---- The equation:  y'' + 2 z w (y' - f g) + w^2 (y - g t) = 0,  by the classical Runge-Kutta method ---- */

static reference_state slope(reference_state s, real t, gyre_spring spring, real speed)
{
    const real w = spring.angular_frequency, z = spring.damping_ratio;
    return (reference_state){s.velocity,
                             -2 * z * w * (s.velocity - spring.follow * speed) - w * w * (s.position - speed * t)};
}

static reference_state along(reference_state s, reference_state slope, real t)
{
    return (reference_state){s.position + t * slope.position, s.velocity + t * slope.velocity};
}

static reference_state runge_kutta(reference_state s, gyre_spring spring, real duration, real speed)
{
    enum { STEPS = 2000 };
    const real h = duration / STEPS;
    for (int i = 0; i < STEPS; i++) {
        const real t = h * i;
        const reference_state a = slope(s, t, spring, speed), b = slope(along(s, a, h / 2), t + h / 2, spring, speed);
        const reference_state c = slope(along(s, b, h / 2), t + h / 2, spring, speed);
        const reference_state d = slope(along(s, c, h), t + h, spring, speed);
        s.position += h / 6 * (a.position + 2 * b.position + 2 * c.position + d.position);
        s.velocity += h / 6 * (a.velocity + 2 * b.velocity + 2 * c.velocity + d.velocity);
    }
    return s;
}

static real sum(float high, float low) { return (real)high + low; }

/* The state after a step in which the target moves from 0 to `move`. */
static reference_state step(const gyre_spring_matrix *m, reference_state s, real move)
{
    return (reference_state){
        move + sum(m->pos_pos, m->low[0]) * s.position + sum(m->pos_vel, m->low[1]) * s.velocity +
            sum(m->pos_ramp, m->low[4]) * move,
        sum(m->vel_pos, m->low[2]) * s.position + sum(m->vel_vel, m->low[3]) * s.velocity +
            sum(m->vel_ramp, m->low[5]) * move,
    };
}

static void test_the_equation(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        for (size_t i = 0; i < effort(500); i++) {
            const float w = random_magnitude(&random, -2, 3), z = i % 5 == 0 ? 1 : 3 * random_unit(&random);
            const gyre_spring spring = {w, z, random_follow(&random)};
            const float t = random_magnitude(&random, -6, 2) / w;
            const real speed = random_signed(&random, -2, 4);
            const reference_state from = {random_signed(&random, -3, 3), random_signed(&random, -3, 3)};
            const gyre_spring_matrix m = matrix_of(table, spring, t);
            const reference_state want = runge_kutta(from, spring, t, speed), got = step(&m, from, speed * t);
            CASE("w=%a z=%a follow=%a t=%a", w, z, spring.follow, t);
            check_within(got.position, want.position, 1e-9L);
            check_within(got.velocity, want.velocity, 1e-9L * (1 + w) * (1 + 2 * z));
        }
    }
}

/* One step equals n steps in which the target moves at the same velocity. */
static void test_steps_compose(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(5000); i++) {
            const float w = random_magnitude(&random, -2, 5), z = random_ratio(&random);
            const gyre_spring spring = {w, z, random_follow(&random)};
            const int n = 1 << random_below(&random, 5);
            const float t = random_magnitude(&random, -8, 3) / w, part = t / (float)n;
            const gyre_spring_matrix whole = matrix_of(table, spring, t), cut = matrix_of(table, spring, part);
            const reference_state from = {1, w};
            const reference_state want = step(&whole, from, 3);
            reference_state got = from;
            for (int k = 0; k < n; k++) {
                got = step(&cut, got, 3 / (real)n);
                got.position -= 3 / (real)n; /* relative to the target, which has moved */
            }
            CASE("w=%a z=%a follow=%a t=%a in %d steps", w, z, spring.follow, t, n);
            check_within(got.position + 3, want.position, 1e-9L);
            check_within(got.velocity, want.velocity, 1e-9L * w * (1 + 2 * z));
        }
    }
}

/* Behind a target of constant speed g, the spring lags by (1 - follow) 2 z / w g, at every frame rate. */
static void test_lag(void **state)
{
    (void)state;
    const int rates[] = {30, 60, 144, 240, 1000};
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t i = 0; i < effort(5000); i++) {
            const float w = random_magnitude(&random, -2, 8), z = random_ratio(&random);
            const gyre_spring spring = {w, z, random_follow(&random)};
            const int rate = rates[i % LENGTH(rates)];
            const float t = 1 / (float)rate;
            const gyre_spring_matrix m = matrix_of(table, spring, t);
            const real lag = (1 - (real)spring.follow) * 2 * z / w;
            const reference_state keeps = step(&m, (reference_state){-lag, 1}, t); /* at a speed of 1 */
            CASE("w=%a z=%a follow=%a at %d Hz", w, z, spring.follow, rate);
            check_within(t - keeps.position, lag, 1e-9L * (1 + lag));
            check_within(keeps.velocity, 1, 1e-9L * (1 + w) * (1 + 2 * z));
        }
    }
}

/* ---- Edges ---- */

static void test_no_frequency(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {7};
        for (size_t i = 0; i < effort(2000); i++) {
            const float z = i % 3 == 0 ? random_magnitude(&random, -149, 127) : random_ratio(&random);
            const gyre_spring_matrix m =
                matrix_of(table, (gyre_spring){0, z, random_follow(&random)}, random_signed(&random, -149, 127));
            CASE("z=%a", z);
            check(m.pos_ramp, ==, -1);
            check(m.vel_ramp, ==, 0);
            check(m.low[4], ==, 0);
            check(m.low[5], ==, 0);
        }
    }
}

static void test_no_time(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {8};
        for (size_t i = 0; i < effort(2000); i++) {
            const float w = random_magnitude(&random, -149, 127), z = random_magnitude(&random, -149, 127);
            const gyre_spring_matrix m =
                matrix_of(table, (gyre_spring){w, z, random_follow(&random)}, i % 2 ? 0 : -0.0f);
            const gyre_spring_matrix identity = {1, 0, 0, 1, 0, 0, {0}};
            CASE("w=%a z=%a", w, z);
            check(m.pos_ramp, ==, 0);
            check(m.vel_ramp, ==, 0);
            check_floats(m.low, identity.low, LENGTH(m.low));
        }
    }
}

/* Long after a target has started to move, the spring has its speed and its lag, however large w t is. */
static void test_long_steps(void **state)
{
    (void)state;
    const float ratios[] = {0.01f, 0.5f, 1, 1.2f, 1.3f, 3, 1e4f, 0x1p32f}, frequencies[] = {1, 0x1p40f, FLT_MAX};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(ratios) * LENGTH(frequencies); i++) {
            const float w = frequencies[i / LENGTH(ratios)], z = ratios[i % LENGTH(ratios)];
            for (float t = 1e6f * fmaxf(z, 1 / z) / w; t < 1e37f && 2 * w * t * fmaxf(z, 1) <= FLT_MAX; t *= 10) {
                const gyre_spring_matrix m = matrix_of(table, (gyre_spring){w, z, 0}, t);
                const real lag = 2 * (real)z / w / t, want = 1 / (real)t;
                CASE("w=%a z=%a t=%a", w, z, t);
                check_within(m.pos_ramp, -lag, 4 * 0x1p-24L * lag + 0x1p-120L);
                check_within(m.vel_ramp, want, 4 * 0x1p-24L * want + w * 0x1p-149L + 0x1p-120L);
            }
        }
    }
}

static void test_follow_outside_its_range(void **state)
{
    (void)state;
    const float bad[] = {-0x1p-149f, -1, 0x1.000002p+0f, NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(bad); i++) {
            gyre_spring_matrix m = {1, 2, 3, 4, 5, 6, {7}};
            const gyre_spring_matrix before = m;
            CASE("follow=%a", bad[i]);
            check_status(table->spring_matrix_at((gyre_spring){1, 1, bad[i]}, 1, &m), GYRE_ERROR_VALUE);
            check_bytes(&m, &before, sizeof m);
        }
        gyre_spring_matrix m;
        check_status(table->spring_matrix_at((gyre_spring){1, 1, -0.0f}, 1, &m), GYRE_OK);
        check_status(table->spring_matrix_at((gyre_spring){1, 1, 1}, 1, &m), GYRE_OK);
    }
}

/* follow 1 with 2 z w too large for a float. */
static void test_ramp_out_of_range(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        gyre_spring_matrix m = {1, 2, 3, 4, 5, 6, {7}};
        const gyre_spring_matrix before = m;
        check_status(table->spring_matrix_at((gyre_spring){1e38f, 4, 1}, 1e-40f, &m), GYRE_ERROR_RANGE);
        check_bytes(&m, &before, sizeof m);
        check_status(table->spring_matrix_at((gyre_spring){1e38f, 4, 0}, 1e-40f, &m), GYRE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error),
        TEST(test_error_with_extreme_units),
        TEST(test_error_backwards),
        TEST(test_the_equation),
        TEST(test_steps_compose),
        TEST(test_lag),
        TEST(test_no_frequency),
        TEST(test_no_time),
        TEST(test_long_steps),
        TEST(test_follow_outside_its_range),
        TEST(test_ramp_out_of_range),
    };
    const int failed = cmocka_run_group_tests_name("spring_ramps", tests, NULL, NULL);
    print_worst("pos_ramp", &worst_pos);
    print_worst("vel_ramp", &worst_vel);
    print_worst("pos_ramp with its low part", &worst_pos_sum);
    print_worst("vel_ramp with its low part", &worst_vel_sum);
    return failed;
}
