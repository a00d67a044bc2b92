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

/* Rounded to 24 bits whatever the exponent, halves away from 0. */
static double scalar_rounded_to_float(double a)
{
    int exponent;
    const double fraction = frexp(a, &exponent);
    return ldexp(round(ldexp(fraction, FLT_MANT_DIG)), exponent - FLT_MANT_DIG);
}

static double a[INPUT_COUNT], b[INPUT_COUNT], c[INPUT_COUNT], doubles[INPUT_COUNT];

/* Doubles that are floats, that are half-way between two floats, and that have 53 bits. */
static int make_doubles(void **state)
{
    make_inputs(state);
    random_source random = {1};
    for (size_t i = 0; i < INPUT_COUNT; i++) {
        const double half = 1 + 0x1p-24, full = 1 + 0x1p-53 * (double)(random_bits(&random) >> 11);
        const double factor = i % 3 == 0 ? 1 : i % 3 == 1 ? half : full;
        a[i] = (double)input_a[i] * factor;
        b[i] = (double)input_b[i] * full;
        c[i] = i % 2 ? (double)input_c[i] * full : -a[i] * b[i]; /* cancels: one rounding and two differ most */
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

/* Two roundings in a portable table, one in a fused one. Some inputs have different results by the two. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_arithmetic),
        TEST(test_ternary),
        TEST(test_conversions),
    };
    return cmocka_run_group_tests_name("simd_doubles", tests, make_doubles, NULL);
}
