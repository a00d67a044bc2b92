/* Doubles of the vector layer, on every table, against scalar C. */
#include "simd/tables.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double scalar_add(double a, double b) { return a + b; }
static double scalar_sub(double a, double b) { return a - b; }
static double scalar_mul(double a, double b) { return a * b; }
static double scalar_mul_add(double a, double b, double c) { return a * b + c; }
static double scalar_neg_mul_add(double a, double b, double c) { return c - a * b; }
static double fused_scalar_mul_add(double a, double b, double c) { return fma(a, b, c); }
static double fused_scalar_neg_mul_add(double a, double b, double c) { return fma(-a, b, c); }

/* Rounded to 24 bits whatever the exponent, ties away from 0. */
static double scalar_rounded_to_float(double a)
{
    int exponent;
    const double fraction = frexp(a, &exponent);
    return ldexp(round(ldexp(fraction, FLT_MANT_DIG)), exponent - FLT_MANT_DIG);
}

static double a[INPUT_COUNT], b[INPUT_COUNT], c[INPUT_COUNT], doubles[INPUT_COUNT];

/* Doubles that are floats, that are half-way between two floats, or that have 53 bits. */
static int make_doubles(void **state)
{
    make_inputs(state);
    random_source random = {1};
    for (size_t i = 0; i < INPUT_COUNT; i++) {
        const double half = 1 + 0x1p-24, full = 1 + 0x1p-53 * (double)(random_bits(&random) >> 11);
        const double factor = i % 3 == 0 ? 1 : i % 3 == 1 ? half : full;
        a[i] = (double)input_a[i] * factor;
        b[i] = (double)input_b[i] * full;
        c[i] = i % 2 ? (double)input_c[i] * full : -a[i] * b[i]; /* cancels: here one and two roundings differ most */
    }
    return 0;
}

static void check_double_result(const char *name, size_t i, double got, double wanted)
{
    CASE("%s(%a, %a, %a)", name, a[i], b[i], c[i]);
    check_same(got, wanted);
}

static void test_arithmetic(void **state)
{
    (void)state;
    EACH_OPS(ops) {
#define BINARY(name)                                                                                                   \
    ops->vd_##name(a, b, doubles, INPUT_COUNT);                                                                        \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        check_double_result("vd_" #name, i, doubles[i], scalar_##name(a[i], b[i]));                                    \
    }
        VD_BINARY(BINARY)
    }
}

/* Two roundings in a portable table, one in a fused one. They give different results for some inputs. */
static void test_ternary(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        const bool fused = ops->rounding == GYRE_ROUNDING_FUSED;
#define TERNARY(name)                                                                                                  \
    size_t name##_differs = 0;                                                                                         \
    ops->vd_##name(a, b, c, doubles, INPUT_COUNT);                                                                     \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        double once = fused_scalar_##name(a[i], b[i], c[i]), twice = scalar_##name(a[i], b[i], c[i]);                  \
        check_double_result("vd_" #name, i, doubles[i], fused ? once : twice);                                         \
        name##_differs += once != twice;                                                                               \
    }                                                                                                                  \
    check(name##_differs, >, INPUT_COUNT / 100);
        VD_TERNARY(TERNARY)
    }
}

/* Doubles in pairs, some of them equal, and some on either side of the flush limit. */
static void make_pairs(void)
{
    for (size_t i = 0; i < INPUT_COUNT; i += 3) {
        b[i] = a[i];
    }
    const double limit = 0x1p-95, values[] = {0.0, -0.0, limit, -limit, nextafter(limit, 0), -nextafter(limit, 0), NAN,
                                              INFINITY, -INFINITY, 0x1p-1074};
    for (size_t i = 0; i < LENGTH(values) * LENGTH(values); i++) {
        a[i] = values[i % LENGTH(values)];
        b[i] = values[i / LENGTH(values)];
    }
}

static void test_masks_and_selection(void **state)
{
    (void)state;
    make_pairs();
    static uint8_t bytes[INPUT_COUNT];
    EACH_OPS(ops) {
        for (int which = 0; which < 3; which++) {
            ops->vfd_compare(which, a, b, bytes, INPUT_COUNT);
            for (size_t i = 0; i < INPUT_COUNT; i++) {
                CASE("comparison %d of %a and %a", which, a[i], b[i]);
                check(bytes[i], ==, which == 0 ? a[i] < b[i] : which == 1 ? a[i] <= b[i] : a[i] == b[i]);
            }
        }
        ops->vfd_select(a, b, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vfd_select", i, doubles[i], a[i] < b[i] ? a[i] : b[i]);
        }
        ops->vfd_zero_where(a, b, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vfd_zero_where", i, doubles[i], a[i] < b[i] ? 0 : a[i]);
        }
        ops->vfd_copysign(a, b, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vfd_copysign", i, doubles[i], copysign(a[i], b[i]));
        }
        ops->vfd_flushed(a, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vfd_flushed", i, doubles[i], fabs(a[i]) < 0x1p-95 ? 0 : a[i]);
        }
    }
    make_doubles(NULL);
}

static void test_conversions(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        ops->vd_from_floats(input_a, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vd_from_floats", i, doubles[i], (double)input_a[i]);
        }
        ops->vd_to_floats(a, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_float_result("vd_to_floats", i, output[i], (float)a[i]);
        }
        ops->vd_rounded_to_float(a, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            if (isfinite(a[i]) && (a[i] == 0 || isnormal(a[i]))) {
                check_double_result("vd_rounded_to_float", i, doubles[i], scalar_rounded_to_float(a[i]));
            }
        }
    }
}

static void test_rounding_and_masks(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        ops->vd_abs(a, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vd_abs", i, doubles[i], fabs(a[i]));
        }
        ops->vd_round(a, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            if (fabs(a[i]) < 0x1p51) {
                CASE("vd_round(%a)", a[i]);
                check(doubles[i], ==, rint(a[i]));
            }
        }
        ops->vd_zero_where_le(a, b, c, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vd_zero_where(vd_le)", i, doubles[i], a[i] <= b[i] ? 0 : c[i]);
        }
        ops->vd_zero_where_le(a, a, c, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vd_zero_where(vd_le) of equals", i, doubles[i], isnan(a[i]) ? c[i] : 0);
        }
    }
}

/* Low parts below 2^-95 are flushed; a sum is restored to half an ulp of its low part. */
static void test_sums(void **state)
{
    (void)state;
    static float low[INPUT_COUNT];
    EACH_OPS(ops) {
        ops->vd_from_half(input_a, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vd_from_half", i, doubles[i], (double)input_a[i]);
        }
        ops->vd_from_sum(input_a, input_b, doubles, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_double_result("vd_from_sum", i, doubles[i], (double)input_a[i] + (double)input_b[i]);
        }
        ops->vd_to_sum(a, output, low, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            if (!(fabs(a[i]) < 0x1p126)) {
                continue;
            }
            CASE("vd_to_sum(%a): %a and %a", a[i], (double)output[i], (double)low[i]);
            check(fabsf(low[i]), <=, fmax(0x1p-24 * fabs(a[i]), 0x1p-150));
            check_flushed(low[i]);
            check_within((double)output[i] + low[i], a[i], 0x1p-48 * fabs(a[i]) + 0x1p-95);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_arithmetic),  TEST(test_ternary), TEST(test_masks_and_selection), TEST(test_conversions),
        TEST(test_rounding_and_masks), TEST(test_sums),
    };
    return cmocka_run_group_tests_name("simd_doubles", tests, make_doubles, NULL);
}
