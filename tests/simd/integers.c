/* Integers of the vector layer, of 32 bits, and the indices of 16 bits, on every table, against scalar C. */
#include "simd/tables.h"

static uint32_t scalar_add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t scalar_sub(uint32_t a, uint32_t b) { return a - b; }
static uint32_t scalar_and(uint32_t a, uint32_t b) { return a & b; }
static uint32_t scalar_or(uint32_t a, uint32_t b) { return a | b; }
static uint32_t scalar_xor(uint32_t a, uint32_t b) { return a ^ b; }
static uint32_t scalar_max_unsigned(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t scalar_shl(uint32_t a, int bits) { return a << bits; }
static uint32_t scalar_sar(uint32_t a, int bits)
{
    uint32_t sign = a >> 31 ? ~(UINT32_MAX >> bits) : 0;
    return a >> bits | sign;
}

static void test_integers(void **state)
{
    (void)state;
    EACH_OPS(ops) {
#define INTEGER(name)                                                                                                  \
    ops->vi_##name(integers_a, integers_b, output_integers, INPUT_COUNT);                                              \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        check_integer_result("vi_" #name, i, output_integers[i],                                                       \
                             scalar_##name((uint32_t)integers_a[i], (uint32_t)integers_b[i]));                         \
    }
        VI_BINARY(INTEGER)
#define SHIFT(name, bits)                                                                                              \
    ops->vi_##name##_##bits(integers_a, output_integers, INPUT_COUNT);                                                 \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        check_integer_result("vi_" #name " " #bits, i, output_integers[i],                                             \
                             scalar_##name((uint32_t)integers_a[i], bits));                                            \
    }
        VI_SHIFT(SHIFT)
        ops->vi_disjoint(integers_a, integers_b, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_mask_result("vi_disjoint", i, output_mask[i], (integers_a[i] & integers_b[i]) == 0);
        }
        ops->vi_eq(integers_a, integers_b, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_mask_result("vi_eq", i, output_mask[i], integers_a[i] == integers_b[i]);
        }
        ops->vi_to_vf(integers_a, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_float_result("vi_to_vf", i, output[i], (float)integers_a[i]);
        }
    }
}

/* Unsigned indices of 16 bits; nothing after the last is read. */
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
            CASE("lane %zu", i);
            check(loaded[i], ==, 0xffff - 4111 * (int)i);
        }
    }
    guarded_free(memory);
}

/* Each pair that differs, in whatever bit, sets its bit of the result. Masked to a vector, a block or a chunk: one pair
   differs, all but one, or any number. Nothing beyond the chunk is read. */
static void test_differ(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(1);
    random_source random = {4};
    EACH_OPS(ops) {
        const size_t chunk = ops->chunk, parts[] = {ops->lanes, ops->block, chunk};
        uint16_t *a = (uint16_t *)(void *)memory.begin, *b = (uint16_t *)(void *)memory.end - chunk;
        for (size_t round = 0; round < 4 * chunk; round++) {
            const size_t odds = 1 + random_below(&random, 20), one = round % chunk;
            for (size_t i = 0; i < chunk; i++) {
                const bool differs = round < chunk       ? i == one
                                     : round < 2 * chunk ? i != one
                                                         : random_one_in(&random, odds);
                a[i] = (uint16_t)random_bits(&random);
                b[i] = differs ? a[i] ^ (uint16_t)(1u << (i + round) % 16) : a[i];
            }
            for (size_t part = 0; part < LENGTH(parts); part++) {
                for (size_t k = 0, n = parts[part]; k < chunk; k += n) {
                    uint64_t want = 0;
                    for (size_t i = k; i < k + n; i++) {
                        want |= (uint64_t)(a[i] != b[i]) << i;
                    }
                    CASE("round %zu, pairs %zu to %zu", round, k, k + n - 1);
                    check(ops->vi_bits_of(a, b, k, n), ==, want);
                }
            }
        }
    }
    guarded_free(memory);
}

/* Every position is compared, unsigned. Nothing beyond the chunk is read. */
static bool are_at_most(const uint16_t *from, size_t count, uint16_t most)
{
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        all = all && from[i] <= most;
    }
    return all;
}

static void test_chunk_is_at_most(void **state)
{
    (void)state;
    const uint16_t limits[] = {0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff};
    guarded_memory memory = guarded_new(1);
    EACH_OPS(ops) {
        uint16_t *from = (uint16_t *)(void *)memory.end - ops->chunk;
        for (size_t v = 0; v < LENGTH(limits); v++) {
            for (size_t i = 0; i < ops->chunk; i++) {
                from[i] = (uint16_t)(limits[v] - i % 2 * limits[v]);
            }
            CASE("at most %u", limits[v]);
            check(ops->vi_chunk_is_at_most(from, limits[v]), ==, are_at_most(from, ops->chunk, limits[v]));
            for (size_t i = 0; i < ops->chunk && limits[v] < 0xffff; i++) {
                CASE("element %zu", i);
                const uint16_t kept = from[i];
                from[i] = (uint16_t)(limits[v] + 1);
                check(ops->vi_chunk_is_at_most(from, limits[v]), ==, are_at_most(from, ops->chunk, limits[v]));
                from[i] = i % 3 ? 0xffff : kept;
                check(ops->vi_chunk_is_at_most(from, limits[v]), ==, are_at_most(from, ops->chunk, limits[v]));
                from[i] = kept;
            }
        }
    }
    guarded_free(memory);
}

/* Words of 64 bits: products of their low halves, and lanes by even and odd numbers. */
static void test_words(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        random_source random = {5};
        for (size_t round = 0; round < 10000; round++) {
            uint64_t a[8], b[8], c[8], out[8], three[3][8], even[8], odd[8];
            int32_t lanes[16];
            for (size_t k = 0; k < 8; k++) {
                a[k] = round % 8 == 0 ? UINT64_MAX : random_bits(&random);
                b[k] = round % 8 < 2 ? UINT64_MAX : random_bits(&random);
                c[k] = random_bits(&random);
                lanes[2 * k] = (int32_t)(uint32_t)a[k];
                lanes[2 * k + 1] = (int32_t)(uint32_t)b[k];
            }
            ops->vw_mul_add_low(a, b, c, out);
            ops->vw_xor_swap_high(a, b, three);
            ops->vw_even_odd(lanes, even, odd);
            for (size_t k = 0; k < ops->lanes / 2; k++) {
                CASE("word %zu of round %zu", k, round);
                check(out[k], ==, (a[k] & UINT32_MAX) * (b[k] & UINT32_MAX) + c[k]);
                check(three[0][k], ==, a[k] ^ b[k]);
                check(three[1][k], ==, a[k] << 32 | a[k] >> 32);
                check(three[2][k], ==, a[k] >> 32);
                check((uint32_t)even[k], ==, (uint32_t)a[k]);
                check((uint32_t)odd[k], ==, (uint32_t)b[k]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_integers), TEST(test_load_u16), TEST(test_differ), TEST(test_chunk_is_at_most), TEST(test_words),
    };
    return cmocka_run_group_tests_name("simd_integers", tests, make_inputs, NULL);
}
