/* gyre_spring_settling_time against a search by brute force: the last crossing of the tolerance, never early and at
   most 1e-3 late. */
#include "reference/spring.h"
#include "support/support.h"

#include <float.h>
#include <math.h>

typedef struct release {
    gyre_spring spring;
    float x, v, tolerance;
} release;

static gyre_status settle(const gyre_kernels *table, release r, float *out)
{
    return table->spring_settling_time(r.spring, r.x, r.v, r.tolerance, out);
}

static real displacement_at(release r, real t)
{
    reference_matrix m = reference_spring_matrix(r.spring.angular_frequency, r.spring.damping_ratio, t);
    return m.pos_pos * r.x + m.pos_vel * r.v;
}

#define CASE_OF_RELEASE(r)                                                                                             \
    CASE("w=%a z=%a x=%a v=%a tolerance=%a", (r).spring.angular_frequency, (r).spring.damping_ratio, (r).x, (r).v,     \
         (r).tolerance)

/* t must be the crossing: at t the displacement is inside, and at 1e-3 before t it is outside. */
static void check_around(release r, real t, real before, real tolerance)
{
    CASE_OF_RELEASE(r);
    CASE("time %La", t);
    check(displacement_at(r, t), <=, tolerance);
    check(displacement_at(r, before), >, r.tolerance);
}

/* ---- Known times ---- */

static void test_known_times(void **state)
{
    (void)state;
    /* k = 100, m = 1, from 100 at 3000, tolerance 1; the digits are truncated, not rounded */
    const struct {
        float damping_ratio;
        real time, digits;
    } cases[] = {{1, 0.811L, 0.001L}, {5, 4.830L, 0.001L}, {0.5f, 1.0148L, 0.00005L}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            gyre_spring spring;
            check_status(table->spring_from_stiffness(1, 100, 20 * cases[i].damping_ratio, &spring), GYRE_OK);
            CASE("damping ratio %a", cases[i].damping_ratio);
            float t;
            check_status(table->spring_settling_time(spring, 100, 3000, 1, &t), GYRE_OK);
            check_within(t, cases[i].time, cases[i].digits);
        }
    }
}

/* ---- Brute force ---- */

enum { SAMPLES = 400 };

/* How close, relative to the tolerance, a peak must be to count as either inside or outside. */
static real slack_of(release r)
{
    real z = r.spring.damping_ratio, n = 1;
    if (z > 1) { /* ratio of the fast part of the motion to the slow part, at the start */
        real u = (real)r.v / r.spring.angular_frequency, fast = z + sqrtl((z - 1) * (z + 1));
        n = fmaxl(1, fabsl((u + r.x / fast) / (u + fast * r.x)));
    }
    return 4e-12L + 3e-12L * n;
}

/* The answer t is right if no sample after it is outside and some sample within 1e-3 before it is. Samples after it are
   dense at first, then ever further apart, and include the next turns of every underdamped spring. */
static void check_crossing(release r, float t)
{
    real w = r.spring.angular_frequency, z = r.spring.damping_ratio, slack = slack_of(r),
         tolerance = r.tolerance * (1 + slack);
    real underdamped = z < 1 ? w * sqrtl((1 - z) * (1 + z)) : w / (z + sqrtl((z - 1) * (z + 1)));
    real turn = 3.14159265358979323846264338327950288L / underdamped;
    CASE_OF_RELEASE(r);
    for (int i = 0; i <= SAMPLES; i++) { /* two turns on, and much later */
        real near = t + 2 * turn * i / SAMPLES, far = t + 2 * turn * expm1l(8 * (real)i / SAMPLES);
        CASE("at %La or %La, after the time %a", near, far, t);
        check(fabsl(displacement_at(r, near)), <=, tolerance);
        check(fabsl(displacement_at(r, far)), <=, tolerance);
    }
    real before = t * (1 - 1e-3L), step = t * 1e-3L / SAMPLES, largest = 0;
    for (int i = SAMPLES; i >= 0 && largest <= r.tolerance * (1 - slack); i--) {
        largest = fmaxl(largest, fabsl(displacement_at(r, before + i * step)));
    }
    CASE("within 1e-3 before the time %a", t);
    check(largest, >, r.tolerance * (1 - slack));
}

/* Never outside: |x| <= tolerance at the start and at each of the next two turns. */
static void check_never_outside(release r)
{
    real w = r.spring.angular_frequency, z = r.spring.damping_ratio;
    CASE_OF_RELEASE(r);
    real longest = z < 1 ? 7 / (w * sqrtl((1 - z) * (1 + z))) : 40 * (z + 1) / w;
    for (int i = 0; i <= 4 * SAMPLES; i++) {
        real t = longest * expm1l(12 * (real)i / (4 * SAMPLES)) / expm1l(12);
        CASE("at %La, where the time is 0", t);
        check(fabsl(displacement_at(r, t)), <=, r.tolerance * (1 + slack_of(r)));
    }
}

static float random_ratio(random_source *random)
{
    switch (random_below(random, 6)) {
    case 0: return random_magnitude(random, -14, -3); /* many turns */
    case 1: return 1 + (random_one_in(random, 2) ? 1 : -1) * ldexpf(1, -1 - (int)random_below(random, 24));
    case 2: return 1;
    case 3: return random_magnitude(random, 0, 10);
    default: return random_unit(random) + 0x1p-10f;
    }
}

static void test_brute_force(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        size_t zeros = 0, times = 0, leaves = 0;
        for (size_t i = 0; i < effort(1200); i++) {
            float size = random_magnitude(&random, -10, 10), w = random_magnitude(&random, -8, 8);
            release r = {{w, random_ratio(&random)},
                         i % 9 == 0 ? 0 : size * random_signed(&random, -6, 3),
                         i % 7 == 0 ? 0 : size * w * random_signed(&random, -6, 8),
                         size * random_magnitude(&random, -12, 2)};
            float t = NAN;
            check_status(settle(table, r, &t), GYRE_OK);
            if (t == 0) {
                check_never_outside(r);
                zeros++;
            } else {
                check_crossing(r, t);
                times++;
                leaves += fabsf(r.x) <= r.tolerance;
            }
        }
        check(zeros, >, effort(1200) / 50);
        check(times, >, 0);
        check(leaves, >, 0);
    }
}

/* A late turn exceeds the tolerance by an ulp, or does not: the number of turns must be right. */
static void test_tolerance_at_a_turn(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(300); i++) {
            release r = {{random_magnitude(&random, -3, 5), random_magnitude(&random, -9, -1)}, 1, 0, 1};
            real z = r.spring.damping_ratio, underdamped = sqrtl((1 - z) * (1 + z));
            real turns = (real)random_below(&random, 12),
                 peak = expl(-z * 3.14159265358979323846264338328L * turns / underdamped);
            r.tolerance = (float)peak;
            r.tolerance = nextafterf(r.tolerance, i % 2 ? 0 : 2);
            r.tolerance = i % 3 ? r.tolerance : nextafterf(r.tolerance, i % 2 ? 0 : 2);
            float t = NAN;
            check_status(settle(table, r, &t), GYRE_OK);
            if (t > 0) {
                check_crossing(r, t);
            } else {
                check_never_outside(r);
            }
        }
    }
}

/* The tolerance equals the peak of a turn to 1e-14, and the number of turns before it may be rounded up: the crossing
   is there or after the turn before. */
static void test_tolerance_is_a_turn(void **state)
{
    (void)state;
    const real turns[] = {346, 584, 1823};
    const release cases[] = {{{1, 0x1.a7b07cp-5f}, 0x1.b021fp+0f, 0, 0x1.742192p-81f},
                             {{1, 0x1.74fbep-8f}, 0x1.6a86fap+0f, 0, 0x1.5aadc4p-15f},
                             {{1, 0x1.8cb11ap-9f}, 0x1.c1055ap+0f, 0, 0x1.bef0d2p-25f}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            float t = NAN;
            check_status(settle(table, cases[i], &t), GYRE_OK);
            const real z = cases[i].spring.damping_ratio;
            const real turn = turns[i] * 3.14159265358979323846264338328L / sqrtl((1 - z) * (1 + z));
            if (!(t >= turn && t <= turn * (1 + 1e-3L))) {
                check_crossing(cases[i], t);
            }
        }
    }
}

/* A peak just above the tolerance of a spring with very little damping: the time depends on the last digits of their
   ratio. All numbers are integers, which makes the ratio exact. The spring starts outwards or inwards. */
static void test_hardly_damped_and_just_outside(void **state)
{
    (void)state;
    const float damping_ratio = 1e-20f;
    EACH_TABLE(table) {
        random_source random = {4};
        double late = 0;
        for (size_t cases = 0; cases < 300;) {
            const int32_t x = (int32_t)random_below(&random, 1 << 23), v = (int32_t)random_below(&random, 1 << 23);
            const int32_t tolerance = (int32_t)sqrt((double)x * x + (double)v * v);
            const int64_t outside = (int64_t)x * x + (int64_t)v * v - (int64_t)tolerance * tolerance;
            const double excess = (double)outside / 2 / ((double)tolerance * tolerance);
            if (!(excess > 1.001e-12 && excess < 1e-9)) {
                continue;
            }
            const release r = {{1, damping_ratio}, (float)x, cases % 2 ? (float)v : (float)-v, (float)tolerance};
            float t = NAN;
            check_status(settle(table, r, &t), GYRE_OK);
            const double exact = excess / (double)damping_ratio;
            late = fmax(late, t / exact - 1);
            CASE_OF_RELEASE(r);
            check(t, >=, exact * (1 - 1e-7));
            check(t, <=, exact * (1 + 1e-3));
            cases++;
        }
        printf("# %s: late by %.1e\n", table_name(table), late);
    }
}

/* A peak that stays inside, after a fast approach to a slow plateau just below the tolerance: rounding in double there
   must not delay the answer to the turn. */
static void test_plateau_inside(void **state)
{
    (void)state;
    const release r = {{0x1.726262p+1f, 0x1.e0a4acp+48f}, 0x1.522f6ap-2f, -0x1.cb5338p+49f, 0x1.0f314ap-25f};
    EACH_TABLE(table) {
        float t = NAN;
        check_status(settle(table, r, &t), GYRE_OK);
        check(t, >=, 5.05819e-15);
        check(t, <=, 5.05819e-15 * (1 + 1e-3));
    }
}

/* ---- Edges ---- */

static void test_never_outside_is_0(void **state)
{
    (void)state;
    const release cases[] = {
        {{10, 0.5f}, 0, 0, 1},
        {{10, 0.5f}, 1, 0, 1},
        {{10, 1}, -1, 0, 1},
        {{10, 3}, 0.5f, 1, 1},
        {{10, 0}, 0.5f, 1, 1},
        {{10, 0}, 0, 0, 0x1p-149f},
        {{0, 1}, 1, 0, 1},
        {{0, 0}, -1, 0, 1},
        {{10, 0.5f}, 1, -1, 1},
        /* an amplitude of 13 */
        {{1, 0}, 12, 5, 13},
        {{1, 0}, 12, -5, 13},
        {{1, 1e-30f}, 12, -5, 13},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE_OF_RELEASE(cases[i]);
            float t = NAN;
            check_status(settle(table, cases[i], &t), GYRE_OK);
            check(t, ==, 0);
        }
    }
}

static void test_starts_inside_and_leaves(void **state)
{
    (void)state;
    const release cases[] = {
        {{10, 0.5f}, 0.5f, 100, 1}, {{10, 1}, 0, 100, 1}, {{10, 4}, -1, -500, 1}, {{1, 0.01f}, 1, 0.1f, 1}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            float t = NAN;
            check_status(settle(table, cases[i], &t), GYRE_OK);
            check(t, >, 0);
            check_crossing(cases[i], t);
        }
    }
}

/* Just above critical and just outside: the difference of two exponentials over the difference of their rates would
   lose all significant digits. Where nothing is outside, rounding must not put it outside. */
static void test_almost_critical(void **state)
{
    (void)state;
    const release inside = {{0x1.05d11ep1f, 0x1.0001p0f}, 0x1.169b2ep-8f, 0, 0x1.169b2ep-8f};
    const release outside[] = {{{0x1.230f1p2f, 0x1.000008p0f}, 0x1.37c822p9f, 0, 0x1.37c82p9f},
                               {{0x1.71dccap+1f, 0x1.fb3d7cp-15f}, 0x1.80cb68p-1f, -0x1.6ed2eap-6f, 0x1.80cb66p-1f}};
    EACH_TABLE(table) {
        float t;
        check_status(settle(table, inside, &t), GYRE_OK);
        check(t, ==, 0);
        for (size_t i = 0; i < LENGTH(outside); i++) {
            check_status(settle(table, outside[i], &t), GYRE_OK);
            check_around(outside[i], t, t * (1 - 1e-3L), outside[i].tolerance);
        }
    }
}

/* Near critical, where the two exponentials cancel: the peak, 101.011 s after the start, is outside by 7.5e-12 of the
   tolerance, and must not be taken as inside. */
static void test_peak_next_to_critical(void **state)
{
    (void)state;
    const release r = {{0x1.ae7e9p+0f, 0x1.000098p+0f}, 0x1.0b7b2cp+127f, -0x1.c4e9acp+127f, 0x1.651e2ap-126f};
    EACH_TABLE(table) {
        float t = NAN;
        check_status(settle(table, r, &t), GYRE_OK);
        check(t, >=, 101.010963);
        check(t, <=, 101.010963 * (1 + 1e-3));
    }
}

/* Moves outwards from the tolerance, so slowly that the peak exceeds it by 2e-12 to 1e-3: the time is never early,
   whatever the rounding near a peak, and at most 1e-3 late. Critical, overdamped and underdamped, down to a damping
   ratio just below 1, where the turn is at a very small angle. */
static void test_pushed_out_a_little(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(4000); i++) {
            const float w = random_magnitude(&random, -8, 8), x = random_magnitude(&random, -20, 20);
            const float z = i % 3 == 0   ? 1
                            : i % 3 == 1 ? random_magnitude(&random, 0, 5)
                                         : 1 - random_magnitude(&random, -24, -1);
            const float v = w * x * random_magnitude(&random, -19, -5);
            const release r = {{w, z}, x, v, x};
            float t = NAN;
            check_status(settle(table, r, &t), GYRE_OK);
            check_around(r, t, t * (1 - 1e-3L), (real)x * (1 + 1e-18L));
        }
    }
}

/* An overdamped spring that never turns, whose velocity matches only one of its two exponentials. */
static void test_thrown_along_an_eigenvector(void **state)
{
    (void)state;
    const struct {
        release release;
        double rate; /* of that exponential, 1/s; at least 2^-10 */
    } cases[] = {
        {{{1, 1}, -1, 1, 0x1p-10f}, 1}, {{{1, 1.25f}, -1, 2, 0x1p-10f}, 2}, {{{1, 1.25f}, 3, -6, 3 * 0x1p-10f}, 2}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            float t = NAN;
            check_status(settle(table, cases[i].release, &t), GYRE_OK);
            CASE_OF_RELEASE(cases[i].release);
            const double want = 10 * log(2) / cases[i].rate;
            check(t, >=, want * (1 - 0x1p-24));
            check(t, <=, want * (1 + 1e-3));
        }
    }
}

/* An overdamped spring thrown from its target peaks once, at a tau with fast e^(-fast tau) = slow e^(-slow tau): it
   settles only after the peak if the peak exceeds the tolerance by 1e-11, and is always settled if it falls short by as
   much. */
static void test_tolerance_next_to_a_peak(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {9};
        size_t peaks[2] = {0, 0};
        for (size_t i = 0; i < 100000; i++) {
            const gyre_spring spring = {random_magnitude(&random, -3, 4), 1 + random_magnitude(&random, -7, 0)};
            const float velocity = random_magnitude(&random, -4, 4);
            const double w = (double)spring.angular_frequency, z = (double)spring.damping_ratio;
            const double root = sqrt((z - 1) * (z + 1)), fast = z + root, slow = 1 / fast, gap = fast - slow;
            const double tau = log1p(gap * fast) / gap;
            const double peak = (double)velocity / w * exp(-slow * tau) * -expm1(-gap * tau) / gap;
            const release r = {spring, 0, velocity, (float)peak};
            const double over = peak / (double)r.tolerance - 1;
            if (fabs(over) < 1e-11 || fabs(over) > 1e-9) {
                continue;
            }
            float t = NAN;
            check_status(settle(table, r, &t), GYRE_OK);
            CASE_OF_RELEASE(r);
            if (over > 0) {
                check(t, >=, tau / w);
            } else {
                check(t, ==, 0);
            }
            peaks[over > 0]++;
        }
        check(peaks[0], >, 100);
        check(peaks[1], >, 100);
    }
}

/* Changing the unit of time changes the time by that factor; changing the unit of length does not change it. */
static void test_units(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {3};
        for (size_t i = 0; i < effort(500); i++) {
            release r = {{random_magnitude(&random, -4, 6), random_ratio(&random)},
                         random_signed(&random, -2, 4),
                         random_signed(&random, -2, 8),
                         random_magnitude(&random, -8, -3)};
            float t, other, length = ldexpf(1, (int)random_below(&random, 40) - 20),
                            rate = ldexpf(1, (int)random_below(&random, 40) - 20);
            check_status(settle(table, r, &t), GYRE_OK);
            release scaled = {{r.spring.angular_frequency * rate, r.spring.damping_ratio},
                              r.x * length,
                              r.v * length * rate,
                              r.tolerance * length};
            check_status(settle(table, scaled, &other), GYRE_OK);
            CASE_OF_RELEASE(r);
            check(other, ==, t / rate);
        }
    }
}

static void test_errors(void **state)
{
    (void)state;
    const float invalid[] = {NAN, INFINITY, -INFINITY};
    const release unsettled[] = {
        {{10, 0}, 2, 0, 1}, {{10, 0}, 0, 100, 1}, {{10, 0}, 0.9f, 9, 1},
        {{0, 1}, 2, 0, 1},  {{0, 0}, 0, 1, 1},    {{0, 5}, 0, 0x1p-149f, 1},
    };
    const release bad[] = {{{-1, 1}, 2, 0, 1}, {{1, -1}, 2, 0, 1},    {{1, -0x1p-149f}, 2, 0, 1},
                           {{1, 1}, 2, 0, 0},  {{1, 1}, 2, 0, -0.0f}, {{1, 1}, 2, 0, -1}};
    EACH_TABLE(table) {
        float t = 17;
        const release good = {{10, 0.5f}, 2, 0, 1};
        check_status(settle(table, good, NULL), GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(unsettled); i++) {
            CASE_OF_RELEASE(unsettled[i]);
            check_status(settle(table, unsettled[i], &t), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad); i++) {
            CASE_OF_RELEASE(bad[i]);
            check_status(settle(table, bad[i], &t), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(invalid); i++) {
            for (size_t k = 0; k < 5; k++) {
                release r = good;
                *(float *const[]){&r.spring.angular_frequency, &r.spring.damping_ratio, &r.x, &r.v, &r.tolerance}[k] =
                    invalid[i];
                CASE_OF_RELEASE(r);
                check_status(settle(table, r, &t), GYRE_ERROR_VALUE);
            }
        }
        check_status(settle(table, (release){{0x1p-149f, 1}, 2, 0, 1}, &t), GYRE_ERROR_RANGE);
        check_status(settle(table, (release){{0x1p-60f, 0x1p-80f}, 2, 0, 1}, &t), GYRE_ERROR_RANGE);
        check_status(settle(table, (release){{0x1p-60f, 0x1p80f}, 2, 0, 1}, &t), GYRE_ERROR_RANGE);
        check(t, ==, 17);
        /* and cases that only just fit */
        check_status(settle(table, (release){{FLT_MAX, 0x1p-149f}, FLT_MAX, FLT_MAX, 0x1p-149f}, &t), GYRE_OK);
        check_status(settle(table, (release){{FLT_MAX, FLT_MAX}, FLT_MAX, FLT_MAX, 0x1p-149f}, &t), GYRE_OK);
    }
}

/* A spring thrown so fast from just outside its tolerance that it is inside some 1e-16 s later is handled like any
   other. */
static void test_next_to_the_start(void **state)
{
    (void)state;
    const double displacement = 1 + 0x1p-23, speed = 1e9, z = 1e10;
    const release r = {{1, (float)z}, (float)displacement, (float)-speed, 1};
    const double exact = -log1p(-(displacement - 1) * 2 * z / speed) / (2 * z);
    EACH_TABLE(table) {
        float t = NAN;
        check_status(settle(table, r, &t), GYRE_OK);
        check(t, >=, exact);
        check(t, <=, exact * (1 + 3e-6));
    }
}

/* Subnormal times are accurate to 2^-149, and never early. */
static void test_subnormal_times(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int k = 1; k <= 2000; k++) {
            const release r = {{FLT_MAX, 1}, 1, 0, 1 - (float)k * 0x1p-24f};
            float t = NAN;
            check_status(settle(table, r, &t), GYRE_OK);
            CASE_OF_RELEASE(r);
            check(t, <, FLT_MIN);
            check(t, >, 0);
            check_around(r, t, t * (1 - 1e-3L) - 0x1p-149L, r.tolerance);
        }
    }
}

/* The largest ratio of displacement to tolerance whose time fits in a float: a critical spring, thrown from its
   target. */
static void test_largest_ratio(void **state)
{
    (void)state;
    const release r = {{0x1p-118f, 1}, 0, FLT_MAX, 0x1p-149f};
    double tau = 1;
    for (int k = 0; k < 100; k++) { /* u tau e^-tau is the tolerance */
        tau = (128 + 118 + 149) * log(2) + log(tau);
    }
    const double exact = tau * 0x1p118;
    EACH_TABLE(table) {
        float t = NAN;
        check_status(settle(table, r, &t), GYRE_OK);
        check(t, >=, exact * (1 - 1e-9));
        check(t, <=, exact * (1 + 1e-3));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_known_times),
        TEST(test_brute_force),
        TEST(test_tolerance_at_a_turn),
        TEST(test_tolerance_is_a_turn),
        TEST(test_hardly_damped_and_just_outside),
        TEST(test_plateau_inside),
        TEST(test_never_outside_is_0),
        TEST(test_starts_inside_and_leaves),
        TEST(test_almost_critical),
        TEST(test_pushed_out_a_little),
        TEST(test_thrown_along_an_eigenvector),
        TEST(test_peak_next_to_critical),
        TEST(test_tolerance_next_to_a_peak),
        TEST(test_next_to_the_start),
        TEST(test_subnormal_times),
        TEST(test_largest_ratio),
        TEST(test_units),
        TEST(test_errors),
    };
    return cmocka_run_group_tests_name("spring_settling", tests, NULL, NULL);
}
