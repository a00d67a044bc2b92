/* Arithmetic of the vector layer on floats, on every table, against scalar C. */
#include "simd/tables.h"

#include <float.h>
#include <math.h>

/* ---- The same operations in scalar C. With -ffp-contract=off, the compiler does not fuse them. ---- */

static float scalar_sqrt(float a) { return sqrtf(a); }
static float scalar_abs(float a) { return float_from_bits(float_bits(a) & 0x7fffffff); }
static float scalar_neg(float a) { return float_from_bits(float_bits(a) ^ 0x80000000); }
static float scalar_round(float a) { return rintf(a); }
static float scalar_ceil(float a) /* between -1 and 0 the sign of the zero is unspecified */
{
    float rounded = rintf(a);
    return rounded < a ? rounded + 1 : rounded;
}

static float scalar_flushed(float a) { return fabsf(a) < 0x1p-95f ? 0 : a; }

static float scalar_add(float a, float b) { return a + b; }
static float scalar_sub(float a, float b) { return a - b; }
static float scalar_mul(float a, float b) { return a * b; }
static float scalar_div(float a, float b) { return a / b; }
static float scalar_min(float a, float b) { return a < b ? a : b; } /* with a NaN: b */
static float scalar_max(float a, float b) { return a > b ? a : b; }
static float scalar_copysign(float a, float b)
{
    return float_from_bits((float_bits(a) & 0x7fffffff) | (float_bits(b) & 0x80000000));
}

static float scalar_xor(float a, float b) { return float_from_bits(float_bits(a) ^ float_bits(b)); }

static float scalar_mul_add(float a, float b, float c) { return a * b + c; }
static float scalar_neg_mul_add(float a, float b, float c) { return c - a * b; }
static float fused_scalar_mul_add(float a, float b, float c) { return fmaf(a, b, c); }
static float fused_scalar_neg_mul_add(float a, float b, float c) { return fmaf(-a, b, c); }

/* ---- Tests ---- */

static void test_every_table_is_here(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = 0;
    EACH_OPS(ops) {
        check(ops->lanes, >=, 4);
        check(ops->lanes, <=, 16);
        check(ops->lanes & (ops->lanes - 1), ==, 0); /* a power of two */
        count++;
    }
    check(count, ==, tested_tables(tables));
}

static void test_unary(void **state)
{
    (void)state;
    EACH_OPS(ops) {
#define UNARY(name)                                                                                                    \
    ops->vf_##name(input_a, output, INPUT_COUNT);                                                                      \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        check_float_result("vf_" #name, i, output[i], scalar_##name(input_a[i]));                                      \
    }
        VF_UNARY(UNARY)
    }
}

static void test_binary(void **state)
{
    (void)state;
    EACH_OPS(ops) {
#define BINARY(name)                                                                                                   \
    ops->vf_##name(input_a, input_b, output, INPUT_COUNT);                                                             \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        check_float_result("vf_" #name, i, output[i], scalar_##name(input_a[i], input_b[i]));                          \
    }
        VF_BINARY(BINARY)
    }
}

/* Two roundings in a portable table, one in a fused one. They give different results for many inputs. */
static void test_multiply_add(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        bool fused = ops->rounding == GYRE_ROUNDING_FUSED;
        size_t different = 0;
#define TERNARY(name)                                                                                                  \
    ops->vf_##name(input_a, input_b, input_c, output, INPUT_COUNT);                                                    \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        float two = scalar_##name(input_a[i], input_b[i], input_c[i]);                                                 \
        float one = fused_scalar_##name(input_a[i], input_b[i], input_c[i]);                                           \
        check_float_result("vf_" #name, i, output[i], fused ? one : two);                                              \
        different += !same_float(one, two);                                                                            \
    }
        VF_MULTIPLY_ADD(TERNARY)
        check(different, >, INPUT_COUNT / 10);
    }
}

/* Bounds in order and crossed; a NaN stays NaN. */
static void test_clamp(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        ops->vf_clamp(input_a, input_b, input_c, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_float_result("vf_clamp", i, output[i], scalar_max(input_b[i], scalar_min(input_c[i], input_a[i])));
            if (isnan(input_a[i])) {
                CASE("NaN between %a and %a", input_b[i], input_c[i]);
                check_nan(output[i]);
            }
        }
    }
}

/* In the documented domain: |a| in [1/2, 2] and every integer n in [-252, 252]. */
static void test_scale(void **state)
{
    (void)state;
    static float n[INPUT_COUNT], a[INPUT_COUNT];
    random_source random = {2};
    for (size_t i = 0; i < INPUT_COUNT; i++) {
        n[i] = (float)((int)(i % 505) - 252);
        const float edges[] = {2.0f, -0.5f, 0x1.fffffep0f};
        a[i] = i / 505 < LENGTH(edges) ? edges[i / 505] : random_signed(&random, -1, 1);
    }
    EACH_OPS(ops) {
        ops->vf_scale(a, n, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            CASE("vf_scale(%a, %a)", a[i], n[i]);
            check_bits(output[i], (float)ldexp((double)a[i], (int)n[i]));
        }
        ops->vf_scale_normal(a, n, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            double want = ldexp((double)a[i], (int)n[i]);
            bool normal = isnormal(a[i]) && fabs(want) >= FLT_MIN && fabs(want) <= FLT_MAX;
            if (normal) {
                CASE("vf_scale_normal(%a, %a)", a[i], n[i]);
                check(output[i], ==, want);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_every_table_is_here), TEST(test_unary), TEST(test_binary),
        TEST(test_multiply_add),        TEST(test_clamp), TEST(test_scale),
    };
    return cmocka_run_group_tests_name("simd_arithmetic", tests, make_inputs, NULL);
}
