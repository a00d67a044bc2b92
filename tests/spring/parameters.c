/* The ways to describe a spring: each result within an ulp of the formula in its header, and errors as stated. */
#include "reference/spring.h"
#include "support/support.h"

#include <float.h>
#include <math.h>

/* GYRE_ERROR_RANGE if the exact value is too large for a float; within rounding of the limit, either status is
   right. */
static const real least_out_of_range = FLT_MAX * (1 - 0x1p-22L); /* a result above it may be refused */

static bool must_be_out_of_range(real exact) { return exact > FLT_MAX * (1 + 0x1p-22L); }

/* The output before a call; a call that fails must not change it. */
static const gyre_spring poison = {-7, -8, -9};

static void check_poison(gyre_spring got)
{
    check(got.angular_frequency, ==, poison.angular_frequency);
    check(got.damping_ratio, ==, poison.damping_ratio);
    check(got.follow, ==, poison.follow);
}

typedef struct accuracy {
    double worst_ulps;
    size_t results, out_of_range;
} accuracy;

static void check_result(accuracy *tally, gyre_status status, gyre_spring got, real w, real z)
{
    CASE("exactly w = %La, z = %La", w, z);
    if (status == GYRE_ERROR_RANGE) {
        check(fmaxl(w, z), >, least_out_of_range);
        check_poison(got);
        tally->out_of_range++;
        return;
    }
    check_status(status, must_be_out_of_range(w) || must_be_out_of_range(z) ? GYRE_ERROR_RANGE : GYRE_OK);
    double w_off = ulps_off(got.angular_frequency, w), z_off = ulps_off(got.damping_ratio, z);
    CASE("w is %a, z is %a", got.angular_frequency, got.damping_ratio);
    check(w_off, <=, 1);
    check(z_off, <=, 1);
    check(got.follow, ==, 0);
    tally->worst_ulps = worse_of(tally->worst_ulps, worse_of(w_off, z_off));
    tally->results++;
}

static void print_accuracy(const gyre_kernels *table, accuracy tally)
{
    printf("# %s: worst %.4f ulp, %zu results, %zu out of range\n", table_name(table), tally.worst_ulps, tally.results,
           tally.out_of_range);
    check(tally.results, >, tally.out_of_range);
    check(tally.out_of_range, >, 0);
}

/* Mostly ordinary sizes, and sometimes any size. */
static float random_size(random_source *random)
{
    return random_one_in(random, 3) ? random_magnitude(random, -149, 127) : random_magnitude(random, -20, 20);
}

static void test_stiffness(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        accuracy tally = {0};
        for (size_t i = 0; i < effort(500000); i++) {
            float m = random_size(&random), k = random_size(&random), c = i % 9 ? random_size(&random) : 0;
            gyre_spring got = poison;
            gyre_status status = table->spring_from_stiffness(m, k, c, &got);
            check_result(&tally, status, got, reference_frequency_of_stiffness(m, k),
                         reference_ratio_of_stiffness(m, k, c));
        }
        print_accuracy(table, tally);
    }
}

static void test_response(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {2};
        accuracy tally = {0};
        for (size_t i = 0; i < effort(500000); i++) {
            float response = random_size(&random), z = i % 9 ? random_size(&random) : 0;
            gyre_spring got = poison;
            gyre_status status = table->spring_from_response(response, z, &got);
            check_result(&tally, status, got, reference_frequency_of_response(response), z);
        }
        print_accuracy(table, tally);
    }
}

static void test_duration(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        accuracy tally = {0};
        for (size_t i = 0; i < effort(500000); i++) {
            float duration = random_size(&random), bounce = random_signed(&random, -30, 0);
            bounce = i % 9 == 0 ? 0 : i % 9 == 1 ? 1 : i % 9 == 2 ? -0x1.fffffep-1f : bounce;
            gyre_spring got = poison;
            gyre_status status = table->spring_from_duration(duration, bounce, &got);
            check_result(&tally, status, got, reference_frequency_of_response(duration),
                         reference_ratio_of_bounce(bounce));
        }
        print_accuracy(table, tally);
    }
}

/* Every regime, and ratios ever closer to 1 from both sides. */
static float ratio_of(size_t i, random_source *random)
{
    switch (i % 4) {
    case 0: return 3 * random_unit(random);
    case 1: return random_magnitude(random, -149, 127);
    case 2: return random_magnitude(random, -20, 20);
    default: return 1 + random_signed(random, -24, -1);
    }
}

static void test_half_life(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        accuracy tally = {0};
        for (size_t i = 0; i < effort(20000); i++) {
            float time = random_size(&random), z = i % 9 ? ratio_of(i, &random) : (float)(i % 2);
            gyre_spring got = poison;
            gyre_status status = table->spring_from_half_life(time, z, &got);
            check_result(&tally, status, got, reference_half_life(z) / time, z);
        }
        print_accuracy(table, tally);
    }
}

static float random_fraction(size_t i, random_source *random)
{
    return i % 5 == 0   ? 1 - random_magnitude(random, -24, -1)
           : i % 5 == 1 ? random_magnitude(random, -149, -1)
                        : random_magnitude(random, -12, 0);
}

/* If a peak equals the fraction within rounding, the last crossing may be before it or after it. */
static const real at_a_jump = 1e-12L;

static bool is_at_a_jump(float z, float fraction) { return reference_distance_from_peak(z, fraction) < at_a_jump; }

static void test_settling(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {5};
        accuracy tally = {0};
        for (size_t i = 0; i < effort(20000); i++) {
            float time = random_size(&random), z = i % 9 ? ratio_of(i, &random) : 1;
            float fraction = random_fraction(i / 4, &random);
            if (z > 0 && !is_at_a_jump(z, fraction)) {
                gyre_spring got = poison;
                gyre_status status = table->spring_from_settling(time, z, fraction, &got);
                check_result(&tally, status, got, reference_settling(z, fraction) / time, z);
            }
        }
        print_accuracy(table, tally);
    }
}

/* Damping ratios up to 3 in steps of a thousandth, and powers beyond. */
static float grid_ratio(size_t i) { return i <= 3000 ? (float)i / 1000 : 3 * powf(1.5f, (float)(i - 3000)); }

enum { GRID_RATIOS = 3030 };

/* The definitions of half-life and settling time, checked with the exact motion of a spring whose frequency is off by
   an ulp. */
static void test_half_of_the_way_is_left(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (size_t i = 0; i < GRID_RATIOS; i++) {
            const float z = grid_ratio(i), half_life = 0.25f;
            gyre_spring got = poison;
            check_status(table->spring_from_half_life(half_life, z, &got), GYRE_OK);
            const real wt = (real)got.angular_frequency * half_life, ulp = 0x1p-23L;
            CASE("z=%a", z);
            check(reference_spring_from_rest(z, wt * (1 + ulp)), <, 0.5L);
            for (int k = 0; k < 16; k++) { /* for the first time */
                check(reference_spring_from_rest(z, wt * (1 - ulp) * (16 - k) / 16), >, 0.5L);
            }
        }
    }
}

static void test_it_has_settled(void **state)
{
    (void)state;
    const float fractions[] = {0.5f, 0.1f, 0.02f, 0.01f, 1e-3f, 1e-6f};
    EACH_BEST_TABLE(table) {
        for (size_t i = 1; i < GRID_RATIOS; i++) {
            const float z = grid_ratio(i), settling = 0.25f, fraction = fractions[i % LENGTH(fractions)];
            gyre_spring got = poison;
            check_status(table->spring_from_settling(settling, z, fraction, &got), GYRE_OK);
            const real wt = (real)got.angular_frequency * settling, ulp = 0x1p-23L;
            CASE("z=%a, fraction %a", z, fraction);
            check(reference_distance_from_peak(z, fraction), >=, at_a_jump);
            check(fabsl(reference_spring_from_rest(z, wt * (1 - ulp))), >, fraction);
            /* over at least a whole turn, since later peaks are smaller; an overdamped spring falls for ever */
            const real turn = z < 1 ? 6.2832L / sqrtl((1 - z) * (1 + z)) : wt;
            for (int k = 0; k <= 64; k++) {
                check(fabsl(reference_spring_from_rest(z, wt * (1 + ulp) + turn * k / 64)), <, fraction);
            }
        }
    }
}

/* ---- There and back ---- */

typedef struct two_floats {
    float first, second;
} two_floats;

static const two_floats untouched = {-7, -8};

static void check_back(accuracy *tally, gyre_status status, two_floats got, real first, real second)
{
    CASE("exactly %La and %La, got %a and %a", first, second, got.first, got.second);
    if (status == GYRE_ERROR_RANGE) {
        check(fmaxl(first, second), >, least_out_of_range);
        check(got.first, ==, untouched.first);
        check(got.second, ==, untouched.second);
        tally->out_of_range++;
        return;
    }
    check_status(status, must_be_out_of_range(first) || must_be_out_of_range(second) ? GYRE_ERROR_RANGE : GYRE_OK);
    const double off = worse_of(ulps_off(got.first, first), ulps_off(got.second, second));
    check(off, <=, 1);
    tally->worst_ulps = worse_of(tally->worst_ulps, off);
    tally->results++;
}

static gyre_spring any_spring(size_t i, random_source *random)
{
    return (gyre_spring){random_size(random), i % 9 ? ratio_of(i, random) : 0, random_unit(random)};
}

static void test_to_stiffness(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        accuracy tally = {0};
        for (size_t i = 0; i < effort(300000); i++) {
            const gyre_spring spring = any_spring(i, &random);
            const real w = spring.angular_frequency, z = spring.damping_ratio;
            const float mass = random_size(&random);
            two_floats got = untouched;
            gyre_status status = table->spring_to_stiffness(spring, mass, &got.first, &got.second);
            check_back(&tally, status, got, mass * w * w, 2 * z * mass * w);
        }
        print_accuracy(table, tally);
    }
}

static void test_to_response_and_duration(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {7};
        accuracy tally = {0};
        for (size_t i = 0; i < effort(300000); i++) {
            const gyre_spring spring = any_spring(i, &random);
            const real period = reference_frequency_of_response(spring.angular_frequency); /* its own inverse */
            two_floats got = untouched;
            float response = untouched.first;
            gyre_status status = table->spring_to_duration(spring, &got.first, &got.second);
            check_back(&tally, status, got, period, reference_bounce_of_ratio(spring.damping_ratio));
            check_status(table->spring_to_response(spring, &response), status);
            check_same(response, got.first);
        }
        print_accuracy(table, tally);
    }
}

/* The from_ functions accept what the to_ functions return, and the spring is the same within rounding. */
static void test_there_and_back(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {8};
        for (size_t i = 0; i < effort(100000); i++) {
            const float w = random_magnitude(&random, -20, 20), z = i % 9 ? ratio_of(i, &random) : 0;
            const gyre_spring spring = {w, z, 0};
            const real few = 4 * 0x1p-24L;
            float a, b;
            gyre_spring got;
            CASE("w=%a z=%a", w, z);
            check_status(table->spring_to_duration(spring, &a, &b), GYRE_OK);
            check_status(table->spring_from_duration(a, b, &got), GYRE_OK);
            check_within(got.angular_frequency, w, few * w);
            /* a bounce near -1 holds few digits of a large ratio; -1 + 2^-24 stands for all ratios above 2^24 */
            check_within(got.damping_ratio, fminf(z, 0x1p24f), 0x1p-23L * (1 + (real)z) * fminf(z, 0x1p24f) + 0x1p-24L);
            check_status(table->spring_to_response(spring, &a), GYRE_OK);
            check_status(table->spring_from_response(a, z, &got), GYRE_OK);
            check_within(got.angular_frequency, w, few * w);
            if (z < 0x1p60f && (z == 0 || z > 0x1p-60f)) {
                check_status(table->spring_to_stiffness(spring, 3, &a, &b), GYRE_OK);
                check_status(table->spring_from_stiffness(3, a, b, &got), GYRE_OK);
                check_within(got.angular_frequency, w, few * w);
                check_within(got.damping_ratio, z, few * z);
            }
        }
    }
}

static void test_bad_springs_to(void **state)
{
    (void)state;
    const gyre_spring bad[] = {{NAN, 1, 0}, {-1, 1, 0}, {INFINITY, 1, 0}, {1, NAN, 0},     {1, -1, 0},
                               {1, 1, -1},  {1, 1, 2},  {1, 1, NAN},      {1, INFINITY, 0}};
    const float bad_masses[] = {0, -1, NAN, INFINITY};
    EACH_BEST_TABLE(table) {
        two_floats out = untouched;
        for (size_t i = 0; i < LENGTH(bad); i++) {
            CASE("spring %zu", i);
            check_status(table->spring_to_stiffness(bad[i], 1, &out.first, &out.second), GYRE_ERROR_VALUE);
            check_status(table->spring_to_response(bad[i], &out.first), GYRE_ERROR_VALUE);
            check_status(table->spring_to_duration(bad[i], &out.first, &out.second), GYRE_ERROR_VALUE);
        }
        const gyre_spring good = {2, 0.5f, 0}, free = {0, 0.5f, 0};
        for (size_t i = 0; i < LENGTH(bad_masses); i++) {
            CASE("mass %a", bad_masses[i]);
            check_status(table->spring_to_stiffness(good, bad_masses[i], &out.first, &out.second), GYRE_ERROR_VALUE);
        }
        check_status(table->spring_to_response(free, &out.first), GYRE_ERROR_VALUE);
        check_status(table->spring_to_duration(free, &out.first, &out.second), GYRE_ERROR_VALUE);
        check_status(table->spring_to_stiffness(good, 1, NULL, &out.second), GYRE_ERROR_NULL);
        check_status(table->spring_to_stiffness(good, 1, &out.first, NULL), GYRE_ERROR_NULL);
        check_status(table->spring_to_response(good, NULL), GYRE_ERROR_NULL);
        check_status(table->spring_to_duration(good, NULL, &out.second), GYRE_ERROR_NULL);
        check_status(table->spring_to_duration(good, &out.first, NULL), GYRE_ERROR_NULL);
        check(out.first, ==, untouched.first);
        check(out.second, ==, untouched.second);
        check_status(table->spring_to_stiffness(free, 1, &out.first, &out.second), GYRE_OK);
        check(out.first, ==, 0);
        check(out.second, ==, 0);
    }
}

/* ---- Known values ---- */

static void check_spring(gyre_status status, gyre_spring got, float w, float z)
{
    check_status(status, GYRE_OK);
    CASE("got w=%a z=%a, wanted w=%a z=%a", got.angular_frequency, got.damping_ratio, w, z);
    check(ulps_off(got.angular_frequency, w), <=, 1);
    check(ulps_off(got.damping_ratio, z), <=, 1);
}

static void test_known_springs(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        gyre_spring got;
        check_spring(table->spring_from_stiffness(1, 100, 20, &got), got, 10, 1);
        check_spring(table->spring_from_stiffness(4, 100, 0, &got), got, 5, 0);
        check_spring(table->spring_from_stiffness(1, 0, 0, &got), got, 0, 0); /* free motion */
        check_spring(table->spring_from_response(1, 0.5f, &got), got, 6.2831853f, 0.5f);
        check_spring(table->spring_from_duration(0.5f, 0.25f, &got), got, 12.566371f, 0.75f);
        check_spring(table->spring_from_duration(0.5f, -0.2f, &got), got, 12.566371f, 1.25f);
        check_spring(table->spring_from_duration(1, 1, &got), got, 6.2831853f, 0);
        check_spring(table->spring_from_half_life(1, 0, &got), got, 1.0471976f, 0); /* pi / 3 */
        check_spring(table->spring_from_half_life(1, 1, &got), got, 1.6783470f, 1);
        check_spring(table->spring_from_half_life(1, 1e6f, &got), got, 2e6f * 0.69314718f, 1e6f);
        check_spring(table->spring_from_settling(1, 1, 0.01f, &got), got, 6.6383521f, 1);
        /* where the first peak after the start equals the fraction */
        check_spring(table->spring_from_settling(1, 0.77969f, 0.02f, &got), got, 5.0356881f, 0.77969f);
        check_spring(table->spring_from_settling(1, 0.77971f, 0.02f, &got), got, 3.6025334f, 0.77971f);
    }
}

/* ---- Errors ---- */

#define CHECK_ERROR(error, call)                                                                                       \
    do {                                                                                                               \
        gyre_spring out = poison;                                                                                      \
        check_status(call, error);                                                                                     \
        check_poison(out);                                                                                             \
    } while (0)

static void test_bad_parameters(void **state)
{
    (void)state;
    const float invalid[] = {NAN, INFINITY, -INFINITY, -1, -FLT_MIN, -0x1p-149f, -FLT_MAX};
    EACH_BEST_TABLE(table) {
        for (size_t i = 0; i <= LENGTH(invalid); i++) {
            float bad = i < LENGTH(invalid) ? invalid[i] : 0; /* 0 comes last: invalid where the header says > 0 */
            CASE("%a", bad);
            CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_stiffness(bad, 1, 1, &out));
            CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_response(bad, 1, &out));
            CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_duration(bad, 0, &out));
            CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_half_life(bad, 1, &out));
            CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_settling(bad, 1, 0.5f, &out));
            CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_settling(1, bad, 0.5f, &out));
            CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_settling(1, 1, bad, &out));
            if (i < LENGTH(invalid)) {
                gyre_spring_matrix matrix = {1, 2, 3, 4};
                CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_stiffness(1, bad, 1, &out));
                CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_stiffness(1, 1, bad, &out));
                CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_response(1, bad, &out));
                CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_half_life(1, bad, &out));
                check_status(table->spring_matrix_at((gyre_spring){bad, 1}, 1, &matrix), GYRE_ERROR_VALUE);
                check_status(table->spring_matrix_at((gyre_spring){1, bad}, 1, &matrix), GYRE_ERROR_VALUE);
                check_status(table->spring_matrix_at((gyre_spring){0, bad}, 0, &matrix), GYRE_ERROR_VALUE);
                if (!isfinite(bad)) {
                    check_status(table->spring_matrix_at((gyre_spring){1, 1}, bad, &matrix), GYRE_ERROR_VALUE);
                }
                check(matrix.pos_pos, ==, 1);
                check(matrix.pos_vel, ==, 2);
                check(matrix.vel_pos, ==, 3);
                check(matrix.vel_vel, ==, 4);
            }
        }
        const float bad_bounces[] = {NAN, INFINITY, -INFINITY, -1, -2, 0x1.000002p0f, 2};
        for (size_t i = 0; i < LENGTH(bad_bounces); i++) {
            CASE("bounce %a", bad_bounces[i]);
            CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_duration(1, bad_bounces[i], &out));
        }
        CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_settling(1, 1, 1, &out));
        CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_settling(1, 1, 2, &out));
        CHECK_ERROR(GYRE_ERROR_VALUE, table->spring_from_stiffness(1, 0, 1, &out)); /* friction without a spring */
    }
}

static void test_null(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        check_status(table->spring_from_stiffness(1, 1, 1, NULL), GYRE_ERROR_NULL);
        check_status(table->spring_from_response(1, 1, NULL), GYRE_ERROR_NULL);
        check_status(table->spring_from_duration(1, 0, NULL), GYRE_ERROR_NULL);
        check_status(table->spring_from_half_life(1, 1, NULL), GYRE_ERROR_NULL);
        check_status(table->spring_from_settling(1, 1, 0.5f, NULL), GYRE_ERROR_NULL);
        check_status(table->spring_matrix_at((gyre_spring){1, 1}, 1, NULL), GYRE_ERROR_NULL);
    }
}

static void test_results_out_of_range(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        CHECK_ERROR(GYRE_ERROR_RANGE, table->spring_from_stiffness(0x1p-149f, 0x1p-149f, 1, &out));
        CHECK_ERROR(GYRE_ERROR_RANGE, table->spring_from_stiffness(0x1p-149f, 1, FLT_MAX, &out));
        CHECK_ERROR(GYRE_ERROR_RANGE, table->spring_from_response(1e-40f, 1, &out));
        CHECK_ERROR(GYRE_ERROR_RANGE, table->spring_from_duration(0x1p-149f, 0, &out));
        CHECK_ERROR(GYRE_ERROR_RANGE, table->spring_from_half_life(1, 3e38f, &out));
        CHECK_ERROR(GYRE_ERROR_RANGE, table->spring_from_settling(1e-30f, 1e-30f, 0.5f, &out));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_stiffness),      TEST(test_response),       TEST(test_duration),
        TEST(test_half_life),      TEST(test_settling),       TEST(test_half_of_the_way_is_left),
        TEST(test_it_has_settled), TEST(test_to_stiffness),   TEST(test_to_response_and_duration),
        TEST(test_there_and_back), TEST(test_bad_springs_to), TEST(test_known_springs),
        TEST(test_bad_parameters), TEST(test_null),           TEST(test_results_out_of_range),
    };
    return cmocka_run_group_tests_name("spring_parameters", tests, NULL, NULL);
}
