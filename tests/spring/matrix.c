/* gyre_spring_matrix_at: its stated error, identities that need no reference, and limits. The tests use the best table
   of each rounding; guarantees/isas.c shows that the others give the same bits. */
#include "reference/spring.h"
#include "support/support.h"

#include <float.h>
#include <math.h>

/* Over all tests: the error of sums with low parts as a share of its bound, which is 2^-24 of the bound for floats. */
static worst_case worst_of_sums;

static void check_sum(const char *name, gyre_spring spring, float t, float high, float low, real exact, real bound)
{
    CASE("%s at w=%a z=%a t=%a: got %a and %a, wanted %La", name, spring.angular_frequency, spring.damping_ratio, t,
         high, low, exact);
    check_share(&worst_of_sums, (double)(fabsl((real)high + low - exact) / (0x1p-24L * bound + 0x1p-126L)));
    check_not_subnormal(low);
}

static void check_coefficient(worst_case *worst, const char *name, gyre_spring spring, float t, float got, float low,
                              real exact, real bound)
{
    check_sum(name, spring, t, got, low, exact, bound);
    if (got == 0 && fabsl(exact) < 0x1p-126L && bound >= 0x1p-126L) { /* the header allows 0 there */
        return;
    }
    CASE("%s at w=%a z=%a t=%a: got %a, wanted %La", name, spring.angular_frequency, spring.damping_ratio, t, got,
         exact);
    check_share(worst, (double)(fabsl((real)got - exact) / bound));
}

static real largest(reference_matrix m)
{
    return fmaxl(fmaxl(fabsl(m.pos_pos), fabsl(m.pos_vel)), fmaxl(fabsl(m.vel_pos), fabsl(m.vel_vel)));
}

static bool all_below(reference_matrix m, reference_matrix bound, real limit)
{
    return fabsl(m.pos_pos) + bound.pos_pos < limit && fabsl(m.pos_vel) + bound.pos_vel < limit &&
           fabsl(m.vel_pos) + bound.vel_pos < limit && fabsl(m.vel_vel) + bound.vel_vel < limit;
}

static bool any_beyond(reference_matrix m, reference_matrix bound, real limit)
{
    return fabsl(m.pos_pos) - bound.pos_pos > limit || fabsl(m.pos_vel) - bound.pos_vel > limit ||
           fabsl(m.vel_pos) - bound.vel_pos > limit || fabsl(m.vel_vel) - bound.vel_vel > limit;
}

/* w t (z - sqrt(z^2 - 1)), or z w t */
static real slow_exponent(real w, real z, real t) { return w * t * (z > 1 ? 1 / (z + sqrtl((z - 1) * (z + 1))) : z); }

/* Checks one spring: the status is GYRE_OK if all coefficients certainly fit in a float, GYRE_ERROR_RANGE if one
   certainly does not. With GYRE_OK every coefficient is within its bound, and none is subnormal if the spring has
   nearly settled. */
static void check_matrix(const gyre_kernels *table, worst_case *worst, gyre_spring spring, float t)
{
    real w = spring.angular_frequency, z = spring.damping_ratio;
    reference_matrix exact = reference_spring_matrix(w, z, t), bound = reference_spring_matrix_bound(w, z, t);
    bool finite = isfinite(largest(exact)) && !any_beyond(exact, bound, FLT_MAX);
    gyre_spring_matrix m = {1, 2, 3, 4};
    gyre_status status = table->spring_matrix_at(spring, t, &m);
    CASE("w=%a z=%a t=%a, largest coefficient %La", spring.angular_frequency, spring.damping_ratio, t, largest(exact));
    if (status == GYRE_ERROR_RANGE && !all_below(exact, bound, FLT_MAX)) {
        check(m.pos_pos, ==, 1);
        check(m.pos_vel, ==, 2);
        check(m.vel_pos, ==, 3);
        check(m.vel_vel, ==, 4);
        return;
    }
    check_status(status, finite ? GYRE_OK : GYRE_ERROR_RANGE);
    check_coefficient(worst, "pos_pos", spring, t, m.pos_pos, m.low[0], exact.pos_pos, bound.pos_pos);
    check_coefficient(worst, "pos_vel", spring, t, m.pos_vel, m.low[1], exact.pos_vel, bound.pos_vel);
    check_coefficient(worst, "vel_pos", spring, t, m.vel_pos, m.low[2], exact.vel_pos, bound.vel_pos);
    check_coefficient(worst, "vel_vel", spring, t, m.vel_vel, m.low[3], exact.vel_vel, bound.vel_vel);
    if (slow_exponent(w, z, t) > 64.001L) {
        check_not_subnormal(m.pos_pos);
        check_not_subnormal(m.pos_vel);
        check_not_subnormal(m.vel_pos);
        check_not_subnormal(m.vel_vel);
    }
}

/* ---- Error ---- */

/* Damping ratios: 0, 1, 1 +- 2^-k, and a logarithmic scale from 1e-4 to 1e4. */
enum { NEAR_RATIOS = 24, SCALE_RATIOS = 161, RATIOS = 2 + 2 * NEAR_RATIOS + SCALE_RATIOS };

static float grid_ratio(size_t i)
{
    if (i < 2) {
        return (float)i;
    }
    if (i < 2 + 2 * NEAR_RATIOS) {
        float difference = ldexpf(1, -(int)(i / 2));
        return i % 2 ? 1 + difference : 1 - difference;
    }
    return powf(10, -4 + 8 * (float)(i - 2 - 2 * NEAR_RATIOS) / (SCALE_RATIOS - 1));
}

/* Checks at |w t| = angle, or at `most` if rounding exceeds it; i selects how the frequency is chosen. */
static void check_at_angle(const gyre_kernels *table, worst_case *worst, size_t i, float most, float angle, float ratio,
                           float sign)
{
    float w = 1 + 9 * (float)(i % 7), t = fminf(angle, most) / w;
    t = w * (double)t > (double)most ? nextafterf(t, 0) : t;
    check_matrix(table, worst, (gyre_spring){w, ratio}, sign * t);
}

static void test_error_on_a_grid(void **state)
{
    (void)state;
    size_t angles = effort(1000);
    EACH_BEST_TABLE(table) {
        worst_case forwards = {0}, backwards = {0}, beyond = {0};
        for (size_t r = 0; r < RATIOS; r++) {
            for (size_t i = 0; i <= angles; i++) {
                const float share = (float)i / (float)angles;
                check_at_angle(table, &forwards, i, 1e4f, i == 0 ? 0 : powf(10, -6 + 10 * share), grid_ratio(r), 1);
                check_at_angle(table, &backwards, i, 1e4f, i == 0 ? 0 : powf(10, -6 + 10 * share), grid_ratio(r), -1);
                check_at_angle(table, &beyond, i, 0x1p23f, 1e4f * powf(10, 2.93f * share), grid_ratio(r), 1);
            }
        }
        print_worst("grid, forwards", &forwards);
        print_worst("grid, backwards", &backwards);
        check_matrix(table, &beyond, (gyre_spring){0x1.aa9082p-3f, 0x1.b21402p-11f},
                     0x1.34e212p+16f); /* found by hill climbing */
        print_worst("grid, w t from 1e4 to 2^23", &beyond);
    }
}

static float random_ratio(random_source *random)
{
    switch (random_below(random, 5)) {
    case 0: return 2 * random_unit(random);
    case 1: return 1 + random_signed(random, -24, -2);
    case 2: return grid_ratio(random_below(random, RATIOS));
    default: return fminf(random_magnitude(random, -20, 14), 1e4f);
    }
}

/* Every regime with w t <= 1e4, with w and t of ordinary size. */
static void test_error_at_random(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        worst_case worst[3] = {{0}};
        for (size_t i = 0; i < effort(1000000); i++) {
            float z = random_ratio(&random);
            float w = random_magnitude(&random, -10, 14), t = random_magnitude(&random, -24, 14) / w;
            if (w * (double)t <= 1e4) {
                bool backwards = random_one_in(&random, 4);
                check_matrix(table, &worst[backwards ? 2 : z > 1], (gyre_spring){w, z}, backwards ? -t : t);
            }
        }
        print_worst("random, z <= 1", &worst[0]);
        print_worst("random, z > 1", &worst[1]);
        print_worst("random, backwards", &worst[2]);
    }
}

/* Near the identity, where the whole error of E S is that of vel_pos. */
static void test_error_next_to_the_identity(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(500000); i++) {
            float z = random_magnitude(&random, -12, 4), w = random_magnitude(&random, 0, 3);
            float t = random_signed(&random, -26, -1) / w;
            check_matrix(table, &worst, (gyre_spring){w, z}, t);
        }
        /* found by search: 1.02 of the bound if E were rounded before it is multiplied */
        check_matrix(table, &worst, (gyre_spring){0x1.c81998p+1f, 0x1.0c50acp-11f}, -0x1.5b0a48p-13f);
        print_worst("next to the identity", &worst);
    }
}

/* The same over the whole range of w and t for which the bound is stated: coefficients near both limits of float. */
static void test_error_at_random_with_extreme_units(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(500000); i++) {
            float z = random_ratio(&random);
            float w = random_magnitude(&random, -50, 50), t = random_magnitude(&random, -50, 50);
            if (random_one_in(&random, 2)) {
                t = random_magnitude(&random, -10, 12) / w;
            }
            if (w * (double)t <= 1e4 && t >= 0x1p-50f && t <= 0x1p50f) {
                check_matrix(table, &worst, (gyre_spring){w, z}, random_one_in(&random, 4) ? -t : t);
            }
        }
        print_worst("extreme units", &worst);
    }
}

/* Fast overdamped springs that have nearly settled: w^2 t multiplies very small exponentials. */
static void test_error_of_overdamped_at_the_end(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {9};
        worst_case worst = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            const float w = random_magnitude(&random, 30, 50), z = fminf(random_magnitude(&random, 1, 14), 1e4f);
            const float slow = 1 / (z + sqrtf(z * z - 1)), t = (40 + 110 * random_unit(&random)) / slow / w;
            if (t >= 0x1p-50f && w * t <= 0x1p23f) {
                check_matrix(table, &worst, (gyre_spring){w, z}, t);
            }
        }
        print_worst("overdamped, nearly settled", &worst);
        check_matrix(table, &worst, (gyre_spring){0x1.d02b9p+49f, 0x1.ae01acp+10f}, 0x1.d7847cp-32f);
    }
}

/* ---- Three identities that need no reference, within the bounds of the coefficients ---- */

typedef struct bounded_matrix {
    gyre_spring_matrix m;
    reference_matrix bound;
} bounded_matrix;

static bounded_matrix matrix_at(const gyre_kernels *table, gyre_spring spring, float t)
{
    bounded_matrix result = {.bound = reference_spring_matrix_bound(spring.angular_frequency, spring.damping_ratio, t)};
    check_status(table->spring_matrix_at(spring, t, &result.m), GYRE_OK);
    return result;
}

/* The error of a b if the errors of a and b are within their bounds. */
static real product_bound(float a, real a_bound, float b, real b_bound)
{
    return a_bound * fabsl(b) + fabsl(a) * b_bound + a_bound * b_bound;
}

static void test_determinant(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(100000); i++) {
            gyre_spring spring = {random_magnitude(&random, -4, 6), random_ratio(&random)};
            float t = random_magnitude(&random, -12, 6) / spring.angular_frequency;
            bounded_matrix at = matrix_at(table, spring, t);
            real determinant = (real)at.m.pos_pos * at.m.vel_vel - (real)at.m.pos_vel * at.m.vel_pos;
            real exact = expl(-2 * (real)spring.damping_ratio * spring.angular_frequency * t);
            real bound = product_bound(at.m.pos_pos, at.bound.pos_pos, at.m.vel_vel, at.bound.vel_vel) +
                         product_bound(at.m.pos_vel, at.bound.pos_vel, at.m.vel_pos, at.bound.vel_pos);
            CASE("w=%a z=%a t=%a", spring.angular_frequency, spring.damping_ratio, t);
            check_within(determinant, exact, bound);
        }
    }
}

/* M(t1) M(t2) = M(t1 + t2), with times whose sum is exact. */
static void test_semigroup(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t i = 0; i < effort(100000); i++) {
            gyre_spring spring = {random_magnitude(&random, -4, 6), random_ratio(&random)};
            float t1 = (float)(1 + random_below(&random, 1000)) / 1024, t2 = (float)random_below(&random, 2000) / 1024;
            bounded_matrix a = matrix_at(table, spring, t1), b = matrix_at(table, spring, t2);
            bounded_matrix both = matrix_at(table, spring, t1 + t2);
            real pos_pos = (real)b.m.pos_pos * a.m.pos_pos + (real)b.m.pos_vel * a.m.vel_pos;
            real vel_vel = (real)b.m.vel_pos * a.m.pos_vel + (real)b.m.vel_vel * a.m.vel_vel;
            real pos_pos_bound = product_bound(b.m.pos_pos, b.bound.pos_pos, a.m.pos_pos, a.bound.pos_pos) +
                                 product_bound(b.m.pos_vel, b.bound.pos_vel, a.m.vel_pos, a.bound.vel_pos);
            real vel_vel_bound = product_bound(b.m.vel_pos, b.bound.vel_pos, a.m.pos_vel, a.bound.pos_vel) +
                                 product_bound(b.m.vel_vel, b.bound.vel_vel, a.m.vel_vel, a.bound.vel_vel);
            CASE("w=%a z=%a t=%a and %a", spring.angular_frequency, spring.damping_ratio, t1, t2);
            check_within(pos_pos, both.m.pos_pos, pos_pos_bound + both.bound.pos_pos);
            check_within(vel_vel, both.m.vel_vel, vel_vel_bound + both.bound.vel_vel);
        }
    }
}

/* Changing the unit of time scales only pos_vel and vel_pos; for a power of 2 the bits are the same. */
static void test_time_scaling(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {7};
        for (size_t i = 0; i < effort(100000); i++) {
            gyre_spring spring = {random_magnitude(&random, -4, 6), random_ratio(&random)};
            float t = random_magnitude(&random, -12, 4) / spring.angular_frequency;
            float unit = ldexpf(1, (int)random_below(&random, 21) - 10);
            gyre_spring faster = {spring.angular_frequency * unit, spring.damping_ratio};
            gyre_spring_matrix m, scaled;
            check_status(table->spring_matrix_at(spring, t, &m), GYRE_OK);
            check_status(table->spring_matrix_at(faster, t / unit, &scaled), GYRE_OK);
            if (fabsf(m.vel_pos) > 0x1p-100f && m.pos_vel > 0x1p-100f) {
                CASE("w=%a z=%a t=%a, unit %a", spring.angular_frequency, spring.damping_ratio, t, unit);
                check(scaled.pos_pos, ==, m.pos_pos);
                check(scaled.vel_vel, ==, m.vel_vel);
                check(scaled.pos_vel, ==, m.pos_vel / unit);
                check(scaled.vel_pos, ==, m.vel_pos * unit);
            }
        }
    }
}

/* ---- An independent formula: the three branches of Ryan Juckett's "Damped Springs" (2012), in double precision and
   away from the critical band where they are inaccurate. ---- */

static reference_matrix three_branch_matrix(double w, double z, double t)
{
    if (z > 1) {
        double za = -w * z, zb = w * sqrt(z * z - 1), z1 = za - zb, z2 = za + zb;
        double e1 = exp(z1 * t), e2 = exp(z2 * t), inverse = 1 / (2 * zb);
        return (reference_matrix){e1 * inverse * z2 - z2 * e2 * inverse + e2, -e1 * inverse + e2 * inverse,
                                  (z1 * e1 * inverse - z2 * e2 * inverse + e2) * z2,
                                  -z1 * e1 * inverse + z2 * e2 * inverse};
    }
    if (z < 1) {
        double omega_zeta = w * z, alpha = w * sqrt(1 - z * z), e = exp(-omega_zeta * t);
        double e_sin = e * sin(alpha * t), e_cos = e * cos(alpha * t), e_ratio = omega_zeta * e_sin / alpha;
        return (reference_matrix){e_cos + e_ratio, e_sin / alpha, -e_sin * alpha - omega_zeta * e_ratio,
                                  e_cos - e_ratio};
    }
    double e = exp(-w * t), te = t * e, tew = te * w;
    return (reference_matrix){tew + e, te, -w * tew, -tew + e};
}

static void test_three_branch_formulas(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {8};
        for (size_t i = 0; i < effort(100000); i++) {
            float z = i % 3 == 0 ? 1 : i % 3 == 1 ? 0.99f * random_unit(&random) : 1.01f + 4 * random_unit(&random);
            float w = random_magnitude(&random, -2, 6), t = random_magnitude(&random, -8, 4) / w;
            bounded_matrix at = matrix_at(table, (gyre_spring){w, z}, t);
            reference_matrix other = three_branch_matrix(w, z, t), bound = at.bound;
            /* In double it loses at most a few hundred units of 2^-53 there: 2^-40 of the largest scale is ample. */
            real slack = 0x1p-40L;
            CASE("w=%a z=%a t=%a", w, z, t);
            check_within(at.m.pos_pos, other.pos_pos, bound.pos_pos + slack);
            check_within(at.m.pos_vel, other.pos_vel, bound.pos_vel + slack / w);
            check_within(at.m.vel_pos, other.vel_pos, bound.vel_pos + slack * w);
            check_within(at.m.vel_vel, other.vel_vel, bound.vel_vel + slack);
        }
    }
}

/* ---- Edges ---- */

static void test_no_time_is_the_identity(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {9};
        for (size_t i = 0; i < effort(20000); i++) {
            float w = i % 5 == 0 ? 0 : i % 5 == 1 ? FLT_MAX : random_magnitude(&random, -149, 127);
            float z = i % 7 == 0 ? 0 : i % 7 == 1 ? 1 : i % 7 == 2 ? FLT_MAX : random_magnitude(&random, -149, 127);
            CASE("w=%a z=%a", w, z);
            gyre_spring_matrix m;
            check_status(table->spring_matrix_at((gyre_spring){w, z}, i % 2 ? 0.0f : -0.0f, &m), GYRE_OK);
            check(m.pos_pos, ==, 1);
            check(m.pos_vel, ==, 0);
            check(m.vel_pos, ==, 0);
            check(m.vel_vel, ==, 1);
        }
    }
}

static void test_no_frequency_is_free_motion(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {10};
        for (size_t i = 0; i < effort(20000); i++) {
            float t = random_signed(&random, -149, 127), z = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : random_ratio(&random);
            CASE("z=%a t=%a", z, t);
            gyre_spring_matrix m;
            check_status(table->spring_matrix_at((gyre_spring){0, z}, t, &m), GYRE_OK);
            check(m.pos_pos, ==, 1);
            check(m.pos_vel, ==, t);
            check(m.vel_pos, ==, 0);
            check(m.vel_vel, ==, 1);
        }
    }
}

/* Without damping, the ellipse x^2 + (v / w)^2 is preserved however long the step: the matrix is a rotation. */
static void test_no_damping_keeps_the_amplitude(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {11};
        for (size_t i = 0; i < effort(100000); i++) {
            float w = random_magnitude(&random, -4, 6), t = random_signed(&random, -12, 13) / w;
            bounded_matrix at = matrix_at(table, (gyre_spring){w, 0}, t);
            real x = at.m.pos_pos, v = (real)at.m.vel_pos / w, bound = at.bound.pos_pos + at.bound.vel_pos / w;
            /* Where the bound is large: an error in w t turns the state along the ellipse and moves it off the ellipse
               by at most 1e-6. */
            CASE("w=%a t=%a", w, t);
            check_within(x * x + v * v, 1, fminl(2 * bound + bound * bound, 1e-6L));
        }
    }
}

static void test_far_back_is_out_of_range(void **state)
{
    (void)state;
    const struct {
        gyre_spring spring;
        float t;
    } cases[] = {
        {{10, 1}, -100},   {{10, 0.5f}, -100},          {{10, 0.01f}, -1e4f},         {{1, 2}, -1e3f},
        {{1, 1e4f}, -1},   {{1, 1e4f}, -FLT_MAX},       {{1e4f, 1}, -1e4f},           {{FLT_MAX, 1}, -1},
        {{1, 0.5f}, -300}, {{FLT_MAX, 0.5f}, -FLT_MAX}, {{0x1p20f, 0.9f}, -0x1p-12f},
    };
    EACH_BEST_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE("w=%a z=%a t=%a", cases[i].spring.angular_frequency, cases[i].spring.damping_ratio, cases[i].t);
            gyre_spring_matrix m = {1, 2, 3, 4};
            check_status(table->spring_matrix_at(cases[i].spring, cases[i].t, &m), GYRE_ERROR_RANGE);
            check(m.pos_pos, ==, 1);
            check(m.pos_vel, ==, 2);
            check(m.vel_pos, ==, 3);
            check(m.vel_vel, ==, 4);
        }
    }
}

/* A damped spring has settled after a long time, whatever its damping, and nothing overflows on the way. */
static void test_long_times_have_settled(void **state)
{
    (void)state;
    const float ratios[] = {0.5f, 0.999f, 1, 1.001f, 2, 10, 1e4f, 0x1p32f, FLT_MAX};
    const float frequencies[] = {1, 0x1p50f, FLT_MAX};
    EACH_BEST_TABLE(table) {
        for (size_t i = 0; i < LENGTH(ratios) * LENGTH(frequencies); i++) {
            const gyre_spring spring = {frequencies[i % LENGTH(frequencies)], ratios[i / LENGTH(frequencies)]};
            const float counts = fminf(spring.damping_ratio, 0x1p32f); /* larger ratios are treated as this */
            for (float t = 1e4f * fmaxf(counts, 1) / spring.angular_frequency; t < 1e37f; t *= 10) {
                CASE("w=%a z=%a t=%a", spring.angular_frequency, spring.damping_ratio, t);
                gyre_spring_matrix m;
                check_status(table->spring_matrix_at(spring, t, &m), GYRE_OK);
                check(m.pos_pos, ==, 0);
                check(m.pos_vel, ==, 0);
                check(m.vel_pos, ==, 0);
                check(m.vel_vel, ==, 0);
            }
        }
    }
}

/* A spring with very little damping decays by e^(-z w t), even where w t is so large that its phase has no correct
   digit. */
static void test_little_damping_decays(void **state)
{
    (void)state;
    const struct {
        gyre_spring spring;
        float t;
    } cases[] = {
        {{0x1p40f, 0x1p-70f}, 0x1p40f}, {{0x1p45f, 0x1p-62f}, 0x1p20f},  {{0x1p35f, 0x1p-60f}, 0x1p35f},
        {{0x1p50f, 0x1p-80f}, 0x1p50f}, {{0x1p31f, 0x1p-62f}, 0x1p30f},  {{1, 1e-25f}, FLT_MAX},
        {{0x1p50f, 0x1p-99f}, 0x1p50f}, {{0x1p50f, 0x1p-101f}, 0x1p50f}, {{0x1p50f, 0}, 0x1p50f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            const gyre_spring spring = cases[i].spring;
            const real w = spring.angular_frequency, left = expl(-w * spring.damping_ratio * cases[i].t);
            gyre_spring_matrix m;
            check_status(table->spring_matrix_at(spring, cases[i].t, &m), GYRE_OK);
            real amplitude = hypotl(m.pos_pos, m.vel_pos / w);
            CASE("w=%a z=%a t=%a", spring.angular_frequency, spring.damping_ratio, cases[i].t);
            check_within(amplitude, left, 1e-6L * left + 0x1p-126L);
        }
    }
}

/* Without damping, t and -t give the same coefficients except for signs, however large t is. */
static void test_no_damping_far_back(void **state)
{
    (void)state;
    const struct {
        float w, t;
    } cases[] = {{0x1p64f, 0x1p64f}, {1e30f, 1e30f}, {1e19f, 1e20f}, {0x1p40f, 0x1p40f}, {FLT_MAX, 1}, {1, FLT_MAX}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE("w=%a t=%a", cases[i].w, cases[i].t);
            const gyre_spring spring = {cases[i].w, 0};
            gyre_spring_matrix there, back;
            check_status(table->spring_matrix_at(spring, cases[i].t, &there), GYRE_OK);
            check_status(table->spring_matrix_at(spring, -cases[i].t, &back), GYRE_OK);
            check(there.pos_pos, ==, back.pos_pos);
            check(there.pos_vel, ==, -back.pos_vel);
            check(there.vel_pos, ==, -back.vel_pos);
            check(there.vel_vel, ==, back.vel_vel);
        }
    }
}

/* A damping ratio above 2^32 is treated as 2^32. */
static void test_largest_damping_ratio(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {11};
        for (size_t i = 0; i < effort(20000); i++) {
            const float w = random_magnitude(&random, -20, 30), t = random_magnitude(&random, -20, 30);
            const gyre_spring largest = {w, 0x1p32f}, beyond = {w, random_magnitude(&random, 32, 128)};
            CASE("w=%a z=%a t=%a", w, beyond.damping_ratio, t);
            gyre_spring_matrix want, got;
            check_status(table->spring_matrix_at(largest, t, &want), GYRE_OK);
            check_status(table->spring_matrix_at(beyond, t, &got), GYRE_OK);
            check(got.spring.damping_ratio, ==, beyond.damping_ratio);
            got.spring = want.spring;
            check_bytes(&got, &want, sizeof got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error_on_a_grid),
        TEST(test_error_at_random),
        TEST(test_error_next_to_the_identity),
        TEST(test_error_at_random_with_extreme_units),
        TEST(test_error_of_overdamped_at_the_end),
        TEST(test_determinant),
        TEST(test_semigroup),
        TEST(test_time_scaling),
        TEST(test_three_branch_formulas),
        TEST(test_no_time_is_the_identity),
        TEST(test_no_frequency_is_free_motion),
        TEST(test_no_damping_keeps_the_amplitude),
        TEST(test_far_back_is_out_of_range),
        TEST(test_long_times_have_settled),
        TEST(test_little_damping_decays),
        TEST(test_no_damping_far_back),
        TEST(test_largest_damping_ratio),
    };
    const int failed = cmocka_run_group_tests_name("spring_matrix", tests, NULL, NULL);
    print_worst("sums with low parts", &worst_of_sums);
    return failed;
}
