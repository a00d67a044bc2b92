/* Content dragged beyond an edge: published values, the stated error, the inverse, and arguments that are refused. */
#include "support/support.h"

#include <float.h>
#include <math.h>

typedef long double real;

/* UIScrollView's formula as it was published, which cancels for a small distance: exact where that has no rounding. */
static real published_offset(real distance, real dimension, real coefficient)
{
    return copysignl((1 - 1 / (fabsl(distance) * coefficient / dimension + 1)) * dimension, distance);
}

static real exact_offset(real x, real d, real c) { return c * d * x / (d + c * fabsl(x)); }

static real exact_distance(real o, real d, real c) { return d * o / (c * (d - fabsl(o))); }

static void test_values(void **state)
{
    (void)state;
    const struct {
        float distance, dimension, coefficient, offset;
    } cases[] = {
        {100, 100, 1, 50},
        {300, 100, 1, 75},
        {-300, 100, 1, -75},
        {16, 8, 0.5f, 4},
        {0, 100, 0.5f, 0},
        {-0.0f, 100, 0.5f, -0.0f},
        {FLT_MAX, FLT_MAX, 1, FLT_MAX / 2},
        {0x1p-149f, 1, 1, 0x1p-149f},
        {FLT_MAX, 8, FLT_MAX, 8},
        {0x1p-100f, 0x1p-100f, 1, 0x1p-101f},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            const float x = cases[i].distance, d = cases[i].dimension, c = cases[i].coefficient;
            CASE("distance %a, dimension %a, coefficient %a", x, d, c);
            float out = NAN;
            check_status(table->rubber_band_offset(x, d, c, &out), GYRE_OK);
            check_bits(out, cases[i].offset);
        }
        float offset = NAN, by_number = NAN;
        check_status(table->rubber_band_offset(200, 800, 0, &offset), GYRE_OK);
        check_within(offset, (real)(800 * 110) / 910, 0x1p-16L);
        check_status(table->rubber_band_offset(200, 800, 0.55f, &by_number), GYRE_OK);
        check_bits(offset, by_number);
        for (int x = -1000; x <= 1000; x += 125) {
            CASE("distance %d", x);
            check_status(table->rubber_band_offset((float)x, 568, 0, &offset), GYRE_OK);
            check_within(offset, published_offset(x, 568, 0.55f), 0x1p-15L);
        }
    }
}

static void test_error(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        worst_case of_offset = {0}, of_distance = {0};
        size_t too_large = 0;
        for (size_t i = 0; i < effort(200000); i++) {
            const bool any = i % 2;
            const float d = any ? random_magnitude(&random, -149, 128) : random_magnitude(&random, -4, 14);
            const float c = any ? random_magnitude(&random, -149, 128) : random_magnitude(&random, -6, 3);
            const float x = any ? random_signed(&random, -149, 128) : random_signed(&random, -8, 16);
            const float near = d * (1 - random_magnitude(&random, -24, 0));
            const float o = copysignf(i % 3 ? near : d * random_unit(&random), x);
            float out = NAN;
            CASE("distance %a, dimension %a, coefficient %a", x, d, c);
            check_status(table->rubber_band_offset(x, d, c, &out), GYRE_OK);
            check_share(&of_offset, ulps_off(out, exact_offset(x, d, c)) / 0.5001);
            check(fabsf(out), <=, d);

            out = NAN;
            CASE("offset %a, dimension %a, coefficient %a", o, d, c);
            const gyre_status status = table->rubber_band_distance(o, d, c, &out);
            const real wanted = exact_distance(o, d, c);
            if (fabsf(o) >= d) {
                check_status(status, GYRE_ERROR_VALUE);
            } else if (fabsl(wanted) >= FLT_MAX * (1 + 0x1p-25L)) {
                check_status(status, GYRE_ERROR_RANGE);
                check_nan(out);
                too_large++;
            } else {
                check_status(status, GYRE_OK);
                check_share(&of_distance, ulps_off(out, wanted) / 0.5001);
            }
        }
        check(too_large, >, effort(200000) / 100);
        print_worst("offset", &of_offset);
        print_worst("distance", &of_distance);
    }
}

/* There and back: what the rounding of the offset becomes on the way. */
static void test_inverse(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(20000); i++) {
            const float x = random_signed(&random, -8, 12), d = random_magnitude(&random, 6, 12);
            const float c = i % 2 ? 0 : random_magnitude(&random, -3, 1);
            float offset = NAN, back = NAN;
            CASE("distance %a, dimension %a, coefficient %a", x, d, c);
            check_status(table->rubber_band_offset(x, d, c, &offset), GYRE_OK);
            check_status(table->rubber_band_distance(offset, d, c, &back), GYRE_OK);
            const real sensitivity = d / (d - fabsl(offset)); /* of the relative error */
            check_within(back, x, fabsl(x) * (sensitivity + 1) * 0x1.001p-24L);
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float bad_distances[] = {NAN, INFINITY, -INFINITY}, bad_dimensions[] = {0, -0.0f, -1, NAN, INFINITY};
    const float bad_coefficients[] = {-0x1p-149f, -1, NAN, INFINITY}, bad_offsets[] = {8, -8, 9, NAN, INFINITY};
    EACH_TABLE(table) {
        float out = NAN;
        check_status(table->rubber_band_offset(1, 8, 0, NULL), GYRE_ERROR_NULL);
        check_status(table->rubber_band_distance(1, 8, 0, NULL), GYRE_ERROR_NULL);
        for (size_t i = 0; i < LENGTH(bad_distances); i++) {
            CASE("distance %a", bad_distances[i]);
            check_status(table->rubber_band_offset(bad_distances[i], 8, 0, &out), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_dimensions); i++) {
            CASE("dimension %a", bad_dimensions[i]);
            check_status(table->rubber_band_offset(1, bad_dimensions[i], 0, &out), GYRE_ERROR_VALUE);
            check_status(table->rubber_band_distance(0, bad_dimensions[i], 0, &out), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_coefficients); i++) {
            CASE("coefficient %a", bad_coefficients[i]);
            check_status(table->rubber_band_offset(1, 8, bad_coefficients[i], &out), GYRE_ERROR_VALUE);
            check_status(table->rubber_band_distance(1, 8, bad_coefficients[i], &out), GYRE_ERROR_VALUE);
        }
        for (size_t i = 0; i < LENGTH(bad_offsets); i++) {
            CASE("offset %a", bad_offsets[i]);
            check_status(table->rubber_band_distance(bad_offsets[i], 8, 0, &out), GYRE_ERROR_VALUE);
        }
        check_status(table->rubber_band_distance(1, 2, 0x1p-149f, &out), GYRE_ERROR_RANGE);
        check_nan(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_values), TEST(test_error), TEST(test_inverse),
                                       TEST(test_bad_arguments)};
    return cmocka_run_group_tests_name("particle_rubber_band", tests, NULL, NULL);
}
