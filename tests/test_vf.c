/* Every operation of the vector layer, on every table, against scalar C. */
#include "support.h"
#include "vf_ops.h"
#include "vf_ops_tables.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define DECLARE(isa, rounding, symbol) extern const vf_ops symbol;
VF_OPS_TABLES(DECLARE)
#define ADDRESS(isa, rounding, symbol) &symbol,
static const vf_ops *const all_ops[] = {VF_OPS_TABLES(ADDRESS)};

/* ---- Scalar twins. The tests are compiled with -ffp-contract=off: what is written is what is rounded. ---- */

static float twin_sqrt(float a) { return sqrtf(a); }
static float twin_abs(float a) { return float_from_bits(float_bits(a) & 0x7fffffff); }
static float twin_neg(float a) { return float_from_bits(float_bits(a) ^ 0x80000000); }
static float twin_round(float a) { return rintf(a); }
static float twin_ceil(float a) /* which keeps no sign of a zero below 0: there it is not promised */
{
    float rounded = rintf(a);
    return rounded < a ? rounded + 1 : rounded;
}

static float twin_flushed(float a) { return fabsf(a) < 0x1p-95f ? 0 : a; }

static float twin_add(float a, float b) { return a + b; }
static float twin_sub(float a, float b) { return a - b; }
static float twin_mul(float a, float b) { return a * b; }
static float twin_div(float a, float b) { return a / b; }
static float twin_min(float a, float b) { return a < b ? a : b; } /* with a NaN: b */
static float twin_max(float a, float b) { return a > b ? a : b; }
static float twin_copysign(float a, float b)
{
    return float_from_bits((float_bits(a) & 0x7fffffff) | (float_bits(b) & 0x80000000));
}

static float twin_xor(float a, float b) { return float_from_bits(float_bits(a) ^ float_bits(b)); }

static float twin_mla(float a, float b, float c) { return a * b + c; }
static float twin_nmla(float a, float b, float c) { return c - a * b; }
static float fused_twin_mla(float a, float b, float c) { return fmaf(a, b, c); }
static float fused_twin_nmla(float a, float b, float c) { return fmaf(-a, b, c); }

static bool twin_lt(float a, float b) { return a < b; }
static bool twin_le(float a, float b) { return a <= b; }
static bool twin_eq(float a, float b) { return a == b; }

static uint32_t integer_twin_add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t integer_twin_sub(uint32_t a, uint32_t b) { return a - b; }
static uint32_t integer_twin_and(uint32_t a, uint32_t b) { return a & b; }
static uint32_t integer_twin_or(uint32_t a, uint32_t b) { return a | b; }
static uint32_t integer_twin_xor(uint32_t a, uint32_t b) { return a ^ b; }
static uint32_t integer_twin_shl(uint32_t a, int bits) { return a << bits; }
static uint32_t integer_twin_sar(uint32_t a, int bits)
{
    uint32_t sign = a >> 31 ? ~(UINT32_MAX >> bits) : 0;
    return a >> bits | sign;
}

/* Operations that only move bits keep those of a NaN too. */
static bool moves_bits(const char *name)
{
    static const char *const movers[] = {"vf_abs", "vf_neg", "vf_copysign", "vf_xor", "vf_flushed", "vf_min", "vf_max"};
    for (size_t i = 0; i < LENGTH(movers); i++) {
        if (strcmp(name, movers[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- Inputs: all pairs of specials, then random bits, then numbers near each other and near one. ---- */

enum { INPUT_COUNT = 1 << 14 };

static float input_a[INPUT_COUNT], input_b[INPUT_COUNT], input_c[INPUT_COUNT], output[INPUT_COUNT];
static uint8_t output_mask[INPUT_COUNT];
static int32_t integers_a[INPUT_COUNT], integers_b[INPUT_COUNT], output_integers[INPUT_COUNT];

static int make_inputs(void **state)
{
    (void)state;
    random_source random = {1};
    for (size_t i = 0; i < INPUT_COUNT; i++) {
        size_t specials = special_float_count;
        if (i < specials * specials) {
            input_a[i] = special_floats[i / specials];
            input_b[i] = special_floats[i % specials];
            input_c[i] = special_floats[random_below(&random, specials)];
        } else if (i % 3 == 0) {
            input_a[i] = random_any_float(&random);
            input_b[i] = random_any_float(&random);
            input_c[i] = random_any_float(&random);
        } else if (i % 3 == 1) {
            input_a[i] = random_signed(&random, -2, 25);
            input_b[i] = random_signed(&random, -2, 2);
            input_c[i] = -input_a[i] * input_b[i]; /* cancels: the two roundings of mla show */
        } else {
            input_a[i] = random_signed(&random, -75, -55);
            input_b[i] = random_signed(&random, -75, -55);
            input_c[i] = random_signed(&random, -149, -126);
        }
        integers_a[i] = (int32_t)float_bits(input_a[i]);
        integers_b[i] = (int32_t)(random_one_in(&random, 3)   ? float_bits(input_b[i])
                                  : random_one_in(&random, 2) ? float_bits(input_a[i])
                                                              : 1u << random_below(&random, 32));
    }
    assert_true(special_float_count * special_float_count < INPUT_COUNT / 2);
    return 0;
}

/* The tables that this machine runs. */
static const vf_ops *next_ops(size_t *i)
{
    while (*i < LENGTH(all_ops)) {
        const vf_ops *ops = all_ops[(*i)++];
        if (gyre_kernels_for(ops->isa, ops->rounding) != NULL) {
            return ops;
        }
    }
    return NULL;
}

#define EACH_OPS(ops)                                                                                                  \
    size_t next = 0;                                                                                                   \
    for (const vf_ops *ops; (ops = next_ops(&next)) != NULL;)

static const char *ops_name(const vf_ops *ops) { return table_name(gyre_kernels_for(ops->isa, ops->rounding)); }

static void expect_float(const vf_ops *ops, const char *name, size_t i, float got, float want)
{
    bool equal = moves_bits(name) ? float_bits(got) == float_bits(want) : same_float(got, want);
    if (!equal) {
        fail_msg("%s %s(%a, %a, %a) is %a, not %a", ops_name(ops), name, (double)input_a[i], (double)input_b[i],
                 (double)input_c[i], (double)got, (double)want);
    }
}

static void expect_mask(const vf_ops *ops, const char *name, size_t i, uint8_t got, bool want)
{
    if (got != want) {
        fail_msg("%s %s(%a, %a, %a) is %d, not %d", ops_name(ops), name, (double)input_a[i], (double)input_b[i],
                 (double)input_c[i], got, want);
    }
}

static void expect_integer(const vf_ops *ops, const char *name, size_t i, int32_t got, uint32_t want)
{
    if ((uint32_t)got != want) {
        fail_msg("%s %s(%#x, %#x) is %#x, not %#x", ops_name(ops), name, (unsigned)integers_a[i],
                 (unsigned)integers_b[i], (unsigned)got, want);
    }
}

/* ---- Tests ---- */

static void test_every_table_is_here(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = 0;
    EACH_OPS(ops) {
        assert_true(ops->lanes == 4 || ops->lanes == 8 || ops->lanes == 16);
        count++;
    }
    assert_int_equal(count, runnable_tables(tables));
}

static void test_unary(void **state)
{
    (void)state;
    EACH_OPS(ops) {
#define UNARY(name)                                                                                                    \
    ops->vf_##name(input_a, output, INPUT_COUNT);                                                                      \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        expect_float(ops, "vf_" #name, i, output[i], twin_##name(input_a[i]));                                         \
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
        expect_float(ops, "vf_" #name, i, output[i], twin_##name(input_a[i], input_b[i]));                             \
    }
        VF_BINARY(BINARY)
    }
}

/* Two roundings in a portable table, one in a fused one; and the inputs tell them apart. */
static void test_ternary(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        bool fused = ops->rounding == GYRE_ROUNDING_FUSED;
        size_t telling = 0;
#define TERNARY(name)                                                                                                  \
    ops->vf_##name(input_a, input_b, input_c, output, INPUT_COUNT);                                                    \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        float two = twin_##name(input_a[i], input_b[i], input_c[i]);                                                   \
        float one = fused_twin_##name(input_a[i], input_b[i], input_c[i]);                                             \
        expect_float(ops, "vf_" #name, i, output[i], fused ? one : two);                                               \
        telling += !same_float(one, two);                                                                              \
    }
        VF_TERNARY(TERNARY)
        assert_true(telling > INPUT_COUNT / 10);
    }
}

static void test_compare(void **state)
{
    (void)state;
    EACH_OPS(ops) {
#define COMPARE(name)                                                                                                  \
    ops->vf_##name(input_a, input_b, output_mask, INPUT_COUNT);                                                        \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        expect_mask(ops, "vf_" #name, i, output_mask[i], twin_##name(input_a[i], input_b[i]));                         \
    }
        VF_COMPARE(COMPARE)
    }
}

static void test_masks(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        ops->vm_and(input_a, input_b, input_c, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            expect_mask(ops, "vm_and", i, output_mask[i], input_a[i] < input_b[i] && input_b[i] < input_c[i]);
        }
        ops->vm_or(input_a, input_b, input_c, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            expect_mask(ops, "vm_or", i, output_mask[i], input_a[i] < input_b[i] || input_b[i] < input_c[i]);
        }
        ops->vm_not(input_a, input_b, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            expect_mask(ops, "vm_not", i, output_mask[i], !(input_a[i] < input_b[i]));
        }
    }
}

static void test_any_and_all_see_each_lane(void **state)
{
    (void)state;
    const float zeros[16] = {0};
    EACH_OPS(ops) {
        float all_less[16];
        for (size_t lane = 0; lane < 16; lane++) {
            all_less[lane] = -1;
        }
        assert_false(ops->vm_any(zeros, zeros));
        assert_true(ops->vm_all(all_less, zeros));
        for (size_t lane = 0; lane < ops->lanes; lane++) {
            float one_less[16] = {0};
            one_less[lane] = -1;
            assert_true(ops->vm_any(one_less, zeros));
            assert_int_equal(ops->vm_bits(one_less, zeros), 1u << lane);
            assert_false(ops->vm_all(one_less, zeros));
            all_less[lane] = 1;
            assert_false(ops->vm_all(all_less, zeros));
            all_less[lane] = -1;
        }
    }
}

/* Every mask there is, and every n. */
static void test_lanes_are_counted(void **state)
{
    (void)state;
    const float zeros[16] = {0};
    EACH_OPS(ops) {
        for (unsigned mask = 0; mask < 1u << ops->lanes; mask++) {
            float lanes[16] = {0};
            unsigned count = 0;
            for (size_t lane = 0; lane < ops->lanes; lane++) {
                lanes[lane] = mask >> lane & 1 ? -1.0f : 0.0f;
                count += mask >> lane & 1;
            }
            assert_int_equal(ops->vm_count(lanes, zeros), count);
        }
        for (size_t n = 0; n <= ops->lanes; n++) {
            assert_int_equal(ops->vm_first(n), (1u << n) - 1);
        }
        for (size_t largest = 0; largest < ops->lanes; largest++) {
            float lanes[16];
            for (size_t lane = 0; lane < ops->lanes; lane++) {
                lanes[lane] = lane == largest ? -1.0f : -2.0f - (float)lane;
            }
            assert_true(ops->vf_largest_lane(lanes) == -1);
        }
    }
}

static void test_select_and_drop(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        ops->vf_select(input_a, input_b, input_c, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            float want = input_a[i] < input_b[i] ? input_a[i] : input_c[i];
            assert_int_equal(float_bits(output[i]), float_bits(want));
        }
        ops->vf_drop(input_a, input_b, input_c, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            float want = input_a[i] < input_b[i] ? 0 : input_c[i];
            assert_int_equal(float_bits(output[i]), float_bits(want));
        }
    }
}

static void test_integers(void **state)
{
    (void)state;
    EACH_OPS(ops) {
#define INTEGER(name)                                                                                                  \
    ops->vi_##name(integers_a, integers_b, output_integers, INPUT_COUNT);                                              \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        expect_integer(ops, "vi_" #name, i, output_integers[i],                                                        \
                       integer_twin_##name((uint32_t)integers_a[i], (uint32_t)integers_b[i]));                         \
    }
        VI_BINARY(INTEGER)
#define SHIFT(name, bits)                                                                                              \
    ops->vi_##name##_##bits(integers_a, output_integers, INPUT_COUNT);                                                 \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        expect_integer(ops, "vi_" #name " " #bits, i, output_integers[i],                                              \
                       integer_twin_##name((uint32_t)integers_a[i], bits));                                            \
    }
        VI_SHIFT(SHIFT)
        ops->vi_disjoint(integers_a, integers_b, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            expect_mask(ops, "vi_disjoint", i, output_mask[i], (integers_a[i] & integers_b[i]) == 0);
        }
        ops->vi_eq(integers_a, integers_b, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            expect_mask(ops, "vi_eq", i, output_mask[i], integers_a[i] == integers_b[i]);
        }
        ops->vi_to_vf(integers_a, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            expect_float(ops, "vi_to_vf", i, output[i], (float)integers_a[i]);
        }
    }
}

/* In its stated domain: |a| in [1/2, 2], every whole n in [-252, 252]. */
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
            float want = (float)ldexp((double)a[i], (int)n[i]);
            if (float_bits(output[i]) != float_bits(want)) {
                fail_msg("%s vf_scale(%a, %a) is %a", ops_name(ops), (double)a[i], (double)n[i], (double)output[i]);
            }
        }
        ops->vf_scale_normal(a, n, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            double want = ldexp((double)a[i], (int)n[i]);
            bool normal = isnormal(a[i]) && fabs(want) >= FLT_MIN && fabs(want) <= FLT_MAX;
            if (normal && (double)output[i] != want) {
                fail_msg("%s vf_scale_normal(%a, %a) is %a", ops_name(ops), (double)a[i], (double)n[i],
                         (double)output[i]);
            }
        }
    }
}

/* vf_load_n and vf_store_n at both ends of memory that faults beyond, for every n. */
static void test_tails(void **state)
{
    (void)state;
    const float canary = -1234.5f;
    guarded_memory memory = guarded_new(1);
    EACH_OPS(ops) {
        for (size_t n = 0; n <= ops->lanes; n++) {
            float *at_begin = (float *)(void *)memory.begin;
            float *at_end = (float *)(void *)memory.end - n;
            for (size_t i = 0; i < 16; i++) {
                at_begin[i] = at_end[(ptrdiff_t)i - 16 + (ptrdiff_t)n] = canary;
            }
            memcpy(at_end, input_a, n * sizeof *at_end);
            float loaded[16];
            ops->vf_load_n(at_end, n, loaded);
            for (size_t i = 0; i < ops->lanes; i++) {
                assert_int_equal(float_bits(loaded[i]), i < n ? float_bits(input_a[i]) : 0);
            }
            float from[16];
            memcpy(from, input_b + 100, sizeof from);
            ops->vf_store_n(at_end, from, n);
            ops->vf_store_n(at_begin, from, n);
            assert_memory_equal(at_end, from, n * sizeof *at_end);
            assert_memory_equal(at_begin, from, n * sizeof *at_end);
            for (size_t i = n; i < 16; i++) {
                assert_true(at_begin[i] == canary);
                assert_true(at_end[(ptrdiff_t)n - 1 - (ptrdiff_t)i] == canary);
            }
        }
    }
    guarded_free(memory);
}

static void test_byte_tails(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(1);
    const float zeros[16] = {0};
    float alternating[16];
    for (size_t i = 0; i < 16; i++) {
        alternating[i] = i % 3 == 0 ? -1.0f : 1.0f;
    }
    EACH_OPS(ops) {
        for (size_t n = 0; n <= ops->lanes; n++) {
            memset(memory.begin, 0xa5, 32);
            memset(memory.end - 32, 0xa5, 32);
            ops->vm_store_bytes_n(memory.begin, alternating, zeros, n);
            ops->vm_store_bytes_n(memory.end - n, alternating, zeros, n);
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(memory.begin[i], i % 3 == 0);
                assert_int_equal((memory.end - n)[i], i % 3 == 0);
            }
            for (size_t i = n; i < 32; i++) {
                assert_int_equal(memory.begin[i], 0xa5);
                assert_int_equal(memory.end[-1 - (ptrdiff_t)i], 0xa5);
            }
        }
    }
    guarded_free(memory);
}

/* Indices of 16 bits, all of them read without a sign, and none beyond the last. */
static void test_load_u16(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(1);
    EACH_OPS(ops) {
        uint16_t *from = (uint16_t *)(void *)memory.end - ops->lanes;
        for (size_t i = 0; i < ops->lanes; i++) {
            from[i] = (uint16_t)(0xffff - 4111 * i);
        }
        int32_t loaded[16];
        ops->vi_load_u16(from, loaded);
        for (size_t i = 0; i < ops->lanes; i++) {
            assert_int_equal(loaded[i], 0xffff - 4111 * (int)i);
        }
    }
    guarded_free(memory);
}

/* Rows in any order, the last of a table that ends where memory does among them. */
static void test_load_rows(void **state)
{
    (void)state;
    enum { ROWS = 37 };
    guarded_memory memory = guarded_new(1);
    float *rows = (float *)(void *)memory.end - 4 * ROWS;
    for (size_t i = 0; i < 4 * ROWS; i++) {
        rows[i] = (float)i;
    }
    random_source random = {3};
    EACH_OPS(ops) {
        for (size_t round = 0; round < 1000; round++) {
            uint16_t which[16];
            for (size_t i = 0; i < 16; i++) {
                which[i] = (uint16_t)(i == round % 16 ? ROWS - 1 : random_below(&random, ROWS));
            }
            float columns[4 * 16];
            ops->vf_load_rows4(rows, which, columns);
            for (size_t i = 0; i < ops->lanes; i++) {
                for (size_t c = 0; c < 4; c++) {
                    assert_true(columns[c * ops->lanes + i] == (float)(4 * which[i] + c));
                }
            }
        }
    }
    guarded_free(memory);
}

/* Any stride, any number of lanes, and not a byte elsewhere. */
static void test_store_rows(void **state)
{
    (void)state;
    enum { STRIDE_MAX = 64 };
    guarded_memory memory = guarded_new(16 * STRIDE_MAX);
    float columns[4 * 16];
    for (size_t i = 0; i < LENGTH(columns); i++) {
        columns[i] = (float)i;
    }
    EACH_OPS(ops) {
        for (size_t stride = 16; stride <= STRIDE_MAX; stride += 4) {
            for (size_t n = 1; n <= ops->lanes; n++) {
                unsigned char want[16 * STRIDE_MAX];
                const size_t bytes = (n - 1) * stride + 16;
                memset(want, 0x5a, sizeof want);
                for (size_t lane = 0; lane < n; lane++) {
                    for (size_t c = 0; c < 4; c++) {
                        memcpy(want + lane * stride + 4 * c, &columns[c * ops->lanes + lane], sizeof(float));
                    }
                }
                unsigned char *to = memory.end - bytes;
                memset(to, 0x5a, bytes);
                ops->vf_store_rows4_n((float *)(void *)to, stride, columns, n);
                assert_memory_equal(to, want, bytes);
            }
        }
    }
    guarded_free(memory);
}

/* No change, one in any place, and two in any places, by any bit; and nothing beyond the chunk is read. */
static void test_changes(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(1);
    EACH_OPS(ops) {
        uint16_t *from = (uint16_t *)(void *)memory.end - ops->chunk;
        for (size_t first = 1; first <= ops->chunk; first++) {
            for (size_t second = first; second <= ops->chunk; second++) {
                const uint16_t start = (uint16_t)(first * 40503 + second),
                               bit = (uint16_t)(1u << (first + second) % 16);
                for (size_t i = 0; i < ops->chunk; i++) {
                    from[i] = i >= first && (i < second || second == first) ? start ^ bit : start;
                }
                int changes = (first < ops->chunk) + (second > first && second < ops->chunk);
                size_t found = 0;
                assert_int_equal(ops->vi_changes_u16(from, &found), changes);
                assert_int_equal(found, first);
            }
        }
    }
    guarded_free(memory);
}

/* Every place counts, compared without a sign; and nothing beyond the chunk is read. */
static void test_chunk_is_at_most(void **state)
{
    (void)state;
    const uint16_t limits[] = {0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff};
    guarded_memory memory = guarded_new(1);
    EACH_OPS(ops) {
        uint16_t *from = (uint16_t *)(void *)memory.end - ops->chunk;
        for (size_t v = 0; v < sizeof limits / sizeof limits[0]; v++) {
            for (size_t i = 0; i < ops->chunk; i++) {
                from[i] = (uint16_t)(limits[v] - i % 2 * limits[v]);
            }
            assert_true(ops->vi_chunk_is_at_most(from, limits[v]));
            for (size_t i = 0; i < ops->chunk && limits[v] < 0xffff; i++) {
                const uint16_t kept = from[i];
                from[i] = (uint16_t)(limits[v] + 1);
                assert_false(ops->vi_chunk_is_at_most(from, limits[v]));
                from[i] = i % 3 ? 0xffff : kept;
                assert_true(ops->vi_chunk_is_at_most(from, limits[v]) == (i % 3 == 0));
                from[i] = kept;
            }
        }
    }
    guarded_free(memory);
}

/* A loop with a whole block left never asks for memory behind it or beyond the range: what is not mapped costs a walk.
 */
static void test_ahead(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        size_t further = 0;
        for (size_t end = ops->block; end < 1200; end++) {
            for (size_t i = 0; i + ops->block <= end; i += 7) {
                size_t ahead = ops->vf_ahead(i, end);
                assert_true(ahead >= i && ahead + ops->block <= end);
                further += ahead > i;
            }
        }
        assert_true(further > 0);
    }
}

static void test_set1_and_first(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        for (size_t i = 0; i < special_float_count; i++) {
            float lanes[16];
            ops->vf_set1(special_floats[i], lanes);
            for (size_t lane = 0; lane < ops->lanes; lane++) {
                assert_true(same_float(lanes[lane], special_floats[i]));
            }
            lanes[0] = 17;
            assert_true(ops->vf_first(lanes) == 17);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_table_is_here),
        cmocka_unit_test(test_unary),
        cmocka_unit_test(test_binary),
        cmocka_unit_test(test_ternary),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_masks),
        cmocka_unit_test(test_any_and_all_see_each_lane),
        cmocka_unit_test(test_lanes_are_counted),
        cmocka_unit_test(test_select_and_drop),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_byte_tails),
        cmocka_unit_test(test_load_u16),
        cmocka_unit_test(test_load_rows),
        cmocka_unit_test(test_store_rows),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_chunk_is_at_most),
        cmocka_unit_test(test_ahead),
        cmocka_unit_test(test_set1_and_first),
    };
    return cmocka_run_group_tests_name("vf", tests, make_inputs, NULL);
}
