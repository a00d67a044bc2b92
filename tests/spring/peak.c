/* gyre_spring_peak: the first turning point against the exact motion. */
#include "reference/spring.h"
#include "support/support.h"

#include <float.h>
#include <math.h>

static const real pi = 3.14159265358979323846264338327950288L;

/* At tau = w t, with u = v / w. */
static reference_state motion(real z, real x, real u, real tau)
{
    return reference_spring_step(reference_spring_matrix(1, z, tau), (reference_state){x, u}, 0);
}

static real fast_rate(real z) { return z < 1 ? 0 : z + sqrtl((z - 1) * (z + 1)); }

static bool turns(real z, real x, real u)
{
    if (z < 1) {
        return x != 0 || u != 0;
    }
    return u != 0 && (x * u >= 0 || fabsl(u) > fast_rate(z) * fabsl(x));
}

/* The first change of the velocity's sign. */
static real turning_point(real z, real x, real u)
{
    const real half_period = z < 1 ? pi / sqrtl((1 - z) * (1 + z)) : INFINITY;
    real before = u == 0 ? half_period / 2 : 0, after = z < 1 ? half_period : 0x1p-200L;
    const real sign = u != 0 ? u : -x;
    if (u == 0) { /* starts at a turning point */
        after *= 1.5L;
    }
    while (z >= 1 && motion(z, x, u, after).velocity * sign > 0) {
        before = after;
        after *= 2;
    }
    for (int i = 0; i < 200; i++) {
        const real middle = (before + after) / 2;
        *(motion(z, x, u, middle).velocity * sign > 0 ? &before : &after) = middle;
    }
    return after;
}

typedef struct worst_of_peak {
    worst_case time, peak;
} worst_of_peak;

/* How close an overdamped spring is to not crossing its target at all. */
static real cancellation(real z, real x, real u)
{
    const real r = fast_rate(z);
    return z < 1 ? 1 : (fabsl(u) + r * fabsl(x)) / fabsl(u + r * x);
}

/* Whether the reference is more precise than the code it checks: on 32-bit ARM long double is double, and musl's
   functions of 113 bits, used by WebAssembly, compute in double. */
#if defined(__wasm__)
static const bool has_better_reference = false;
#else
static const bool has_better_reference = LDBL_MANT_DIG > DBL_MANT_DIG;
#endif

static void check_peak(const gyre_kernels *table, worst_of_peak *worst, gyre_spring spring, float x, float v)
{
    const real w = spring.angular_frequency, z = spring.damping_ratio, u = v / w;
    float time = -1, peak = -2;
    CASE("w=%a z=%a x=%a v=%a", spring.angular_frequency, spring.damping_ratio, x, v);
    if (z >= 1 && !(cancellation(z, x, u) <= 0x1p20L)) {
        return;
    }
    const gyre_status status = table->spring_peak(spring, x, v, &time, &peak);
    if (!turns(z, x, u)) {
        check_status(status, GYRE_ERROR_VALUE);
        check(time, ==, -1);
        check(peak, ==, -2);
        return;
    }
    const real tau = turning_point(z, x, u), exact = motion(z, x, u, tau).position;
    check_status(status, GYRE_OK);
    if (tau > 5000) { /* beyond this the exact motion is too small for any number */
        return;
    }
    if (!has_better_reference) {
        return;
    }
    check_share(&worst->time, (double)(fabsl(time - tau / w) / (0x1p-23L * (tau / w) + 0x1p-149L)));
    check_share(&worst->peak, (double)(fabsl(peak - exact) / (0x1p-23L * fabsl(exact) + 0x1p-149L)));
}

static float random_ratio(size_t i, random_source *random)
{
    switch (i % 5) {
    case 0: return random_unit(random);
    case 1: return 1 + random_signed(random, -24, -1);
    case 2: return (float)(i % 2);
    default: return random_magnitude(random, -12, 10);
    }
}

static void test_turning_points(void **state)
{
    (void)state;
    worst_of_peak worst = {{0}, {0}};
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        for (size_t i = 0; i < effort(30000); i++) {
            const float w = random_magnitude(&random, -6, 10), z = random_ratio(i, &random);
            const float x = random_one_in(&random, 8) ? 0 : random_signed(&random, -10, 10);
            float v = random_one_in(&random, 8) ? 0 : random_signed(&random, -30, 20);
            if (random_one_in(&random, 4)) { /* close to the speed at which it just crosses its target */
                v = -(float)(w * (z + sqrtf(fabsf(z * z - 1))) * x * (1 + random_signed(&random, -18, -1)));
            }
            check_peak(table, &worst, (gyre_spring){w, z, 0}, x, v);
        }
    }
    print_worst("time", &worst.time);
    print_worst("displacement", &worst.peak);
}

/* Speeds so small that the spring is almost at rest: the turning point is then close to the start, or half a period
   away. */
static void test_small_speeds(void **state)
{
    (void)state;
    worst_of_peak worst = {{0}, {0}};
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(10000); i++) {
            const float z = i % 2 ? random_unit(&random) : 1 + random_magnitude(&random, -10, 4);
            check_peak(table, &worst, (gyre_spring){random_magnitude(&random, -4, 4), z, 0},
                       random_signed(&random, -2, 2), random_signed(&random, -100, -20));
        }
    }
    print_worst("time", &worst.time);
    print_worst("displacement", &worst.peak);
}

/* The textbook overshoot of a spring released at rest. */
static void test_overshoot(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (int i = 0; i < 1000; i++) {
            const float z = (float)i / 1000;
            float time, peak;
            CASE("z=%a", z);
            check_status(table->spring_peak((gyre_spring){10, z, 0}, 1, 0, &time, &peak), GYRE_OK);
            const double root = sqrt(1 - (double)z * z);
            check_within(peak, -expl(-pi * z / root), 1e-7);
            check_within(time, pi / (10 * root), 1e-7 * pi / (10 * root));
        }
    }
}

/* follow has no effect: the target stands still. */
static void test_follow_does_not_count(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float time[2], peak[2];
        check_status(table->spring_peak((gyre_spring){10, 0.3f, 0}, 1, 2, &time[0], &peak[0]), GYRE_OK);
        check_status(table->spring_peak((gyre_spring){10, 0.3f, 1}, 1, 2, &time[1], &peak[1]), GYRE_OK);
        check_bits(time[1], time[0]);
        check_bits(peak[1], peak[0]);
    }
}

static void test_errors(void **state)
{
    (void)state;
    const struct {
        gyre_spring spring;
        float x, v;
        gyre_status status;
    } cases[] = {
        {{1, 0.5f, 0}, 0, 0, GYRE_ERROR_VALUE}, /* at its target */
        {{0, 0.5f, 0}, 1, 1, GYRE_ERROR_VALUE}, /* frequency 0 */
        {{0, 0.5f, 0}, 1, 0, GYRE_ERROR_VALUE},
        {{1, 1, 0}, 1, 0, GYRE_ERROR_VALUE},     /* at rest, and not underdamped */
        {{1, 1, 0}, 1, -1, GYRE_ERROR_VALUE},    /* reaches the target after an infinite time */
        {{1, 1, 0}, 1, -0.5f, GYRE_ERROR_VALUE}, /* too slow to cross */
        {{1, 2, 0}, -1, 0.5f, GYRE_ERROR_VALUE}, /* too slow to cross */
        {{-1, 0.5f, 0}, 1, 1, GYRE_ERROR_VALUE},
        {{1, -0.5f, 0}, 1, 1, GYRE_ERROR_VALUE},
        {{1, 0.5f, 1.5f}, 1, 1, GYRE_ERROR_VALUE},
        {{1, 0.5f, NAN}, 1, 1, GYRE_ERROR_VALUE},
        {{NAN, 0.5f, 0}, 1, 1, GYRE_ERROR_VALUE},
        {{1, INFINITY, 0}, 1, 1, GYRE_ERROR_VALUE},
        {{1, 0.5f, 0}, NAN, 1, GYRE_ERROR_VALUE},
        {{1, 0.5f, 0}, 1, INFINITY, GYRE_ERROR_VALUE},
        {{0x1p-149f, 0, 0}, 1, 0, GYRE_ERROR_RANGE},     /* half a period is too long */
        {{0x1p-100f, 0, 0}, 1, 1e10f, GYRE_ERROR_RANGE}, /* too far */
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            float time = -1, peak = -2;
            CASE("case %zu", i);
            check_status(table->spring_peak(cases[i].spring, cases[i].x, cases[i].v, &time, &peak), cases[i].status);
            check(time, ==, -1);
            check(peak, ==, -2);
        }
        float out;
        check_status(table->spring_peak((gyre_spring){1, 0.5f, 0}, 1, 1, NULL, &out), GYRE_ERROR_NULL);
        check_status(table->spring_peak((gyre_spring){1, 0.5f, 0}, 1, 1, &out, NULL), GYRE_ERROR_NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_turning_points),        TEST(test_small_speeds), TEST(test_overshoot),
        TEST(test_follow_does_not_count), TEST(test_errors),
    };
    return cmocka_run_group_tests_name("spring_peak", tests, NULL, NULL);
}
