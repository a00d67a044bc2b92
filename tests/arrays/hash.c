/* gyre_hash and gyre_hash_bytes: the formula in plain integers, sums of slices, which inputs hash alike, and the
   quality of the hash: single bits, exchanges, avalanche, collisions of similar states. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The word of these bits, as defined in kernels/arrays/README.md. Bytes have component -1. */
static uint64_t word_of_bits(uint64_t bits, size_t element, size_t component)
{
    uint64_t z = bits * 0xa54ff53b + element * 0xbb67ae8584caa73b + (component + 1) * 0x6a09e667f3bcc909;
    z ^= z >> 32;
    z += (z & 0xffffffff) * 0xdb0c2e0e;
    z = z << 32 | z >> 32;
    return z + (z & 0xffffffff) * (2 * z & 0xffffffff);
}

static uint64_t word(float x, size_t element, size_t component)
{
    return word_of_bits(isnan(x) ? 0x7fc00000 : float_bits(x), element, component);
}

static uint64_t hash_of(const gyre_kernels *table, float *const arrays[], size_t components, size_t begin, size_t end)
{
    uint64_t hash = 0x123456789abcdef;
    check_status(table->hash(arrays, components, &hash, begin, end), GYRE_OK);
    return hash;
}

static uint64_t hash_of_one(const gyre_kernels *table, float *x, size_t count)
{
    return hash_of(table, &x, 1, 0, count);
}

static float any_number(random_source *random)
{
    return random_one_in(random, 8)   ? special_floats[random_below(random, special_float_count)]
           : random_one_in(random, 4) ? random_any_float(random)
                                      : random_signed(random, -4, 12);
}

/* Slices of arrays that end where memory ends, against the formula; the hashes of slices add up. */
static void test_formula_and_slices(void **state)
{
    (void)state;
    enum { COUNT = 90, MOST = 7 };
    guarded_memory memory[MOST];
    float *arrays[MOST];
    random_source random = {1};
    for (size_t c = 0; c < MOST; c++) {
        memory[c] = guarded_new(COUNT * sizeof(float));
        arrays[c] = (float *)(void *)(memory[c].end - COUNT * sizeof(float));
        for (size_t i = 0; i < COUNT; i++) {
            arrays[c][i] = any_number(&random);
        }
    }
    EACH_TABLE(table) {
        for (size_t begin = 0; begin <= COUNT; begin++) {
            for (size_t end = begin; end <= COUNT; end++) {
                const size_t components = 1 + (begin + end) % MOST, middle = begin + (end - begin) / 3;
                CASE("%zu components, elements %zu to %zu", components, begin, end);
                uint64_t wanted = 0;
                for (size_t c = 0; c < components; c++) {
                    for (size_t i = begin; i < end; i++) {
                        wanted += word(arrays[c][i], i, c);
                    }
                }
                check(hash_of(table, arrays, components, begin, end), ==, wanted);
                check(hash_of(table, arrays, components, begin, middle) +
                          hash_of(table, arrays, components, middle, end),
                      ==, wanted);
            }
        }
    }
    for (size_t c = 0; c < MOST; c++) {
        guarded_free(memory[c]);
    }
}

/* Stored hashes stay valid: these are from version 0.1. */
static void test_published_values(void **state)
{
    (void)state;
    float x[] = {0, 1, -1, 3.5f, 1e10f}, y[] = {NAN, -0.0f, 2, INFINITY, 7};
    float *arrays[] = {x, y};
    EACH_TABLE(table) {
        check(hash_of(table, arrays, 0, 0, 5), ==, 0);
        check(hash_of(table, arrays, 2, 3, 3), ==, 0);
        check(hash_of(table, arrays, 1, 0, 5), ==, UINT64_C(0xdb4e735e7f25f16b));
        check(hash_of(table, arrays, 2, 0, 5), ==, UINT64_C(0x556a0222b77de867));
    }
}

static void test_nan_and_zeros(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float x[40] = {0};
        for (size_t i = 0; i < 40; i++) {
            x[i] = NAN;
        }
        const uint64_t hash = hash_of_one(table, x, 40);
        for (size_t i = 0; i < 40; i++) {
            x[i] = float_from_bits((i % 2 ? 0xff800000 : 0x7f800000) + (uint32_t)(i * i * 4999 + 1));
        }
        check(hash_of_one(table, x, 40), ==, hash);
        for (size_t i = 0; i < 40; i++) {
            CASE("element %zu", i);
            x[i] = 0;
            const uint64_t zero = hash_of_one(table, x, 40);
            x[i] = -0.0f;
            check(hash_of_one(table, x, 40), !=, zero);
            x[i] = INFINITY;
            const uint64_t infinity = hash_of_one(table, x, 40);
            x[i] = -INFINITY;
            check(hash_of_one(table, x, 40), !=, infinity);
            x[i] = NAN;
            check(infinity, !=, hash);
        }
    }
}

/* Exchange any two elements and any two components, and lengthen arrays by one. */
static void test_exchanges(void **state)
{
    (void)state;
    enum { COUNT = 60, COMPONENTS = 13 };
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        static float x[COMPONENTS][COUNT];
        float *arrays[COMPONENTS];
        for (size_t c = 0; c < COMPONENTS; c++) {
            arrays[c] = x[c];
            for (size_t i = 0; i < COUNT; i++) {
                x[c][i] = (float)(c * COUNT + i); /* all different */
            }
        }
        const uint64_t hash = hash_of(table, arrays, COMPONENTS, 0, COUNT);
        for (size_t round = 0; round < effort(20000); round++) {
            const size_t c = random_below(&random, COMPONENTS), d = random_below(&random, COMPONENTS);
            const size_t i = random_below(&random, COUNT), k = random_below(&random, COUNT);
            if (c == d && i == k) {
                continue;
            }
            CASE("element %zu of %zu and element %zu of %zu", i, c, k, d);
            const float kept = x[c][i];
            x[c][i] = x[d][k];
            x[d][k] = kept;
            check(hash_of(table, arrays, COMPONENTS, 0, COUNT), !=, hash);
            x[d][k] = x[c][i];
            x[c][i] = kept;
        }
        for (size_t c = 1; c < COMPONENTS; c++) {
            CASE("arrays 0 and %zu", c);
            arrays[0] = x[c];
            arrays[c] = x[0];
            check(hash_of(table, arrays, COMPONENTS, 0, COUNT), !=, hash);
            arrays[0] = x[0];
            arrays[c] = x[c];
        }
        memset(x, 0, sizeof x);
        check(hash_of(table, arrays, 1, 0, COUNT), !=, hash_of(table, arrays, 1, 0, COUNT - 1));
    }
}

/* Changing a bit of a float, an index or a component changes each bit of the hash half the time. */
static void test_avalanche(void **state)
{
    (void)state;
    enum { BITS_OF_INDEX = 20, INPUTS = 32 + BITS_OF_INDEX };
    static unsigned changed[INPUTS][64];
    const size_t rounds = effort(40000);
    const double deviation = 0.5 / sqrt((double)rounds);
    for (unsigned kind = 0; kind < 3; kind++) {
        random_source random = {4 + kind};
        memset(changed, 0, sizeof changed);
        for (size_t round = 0; round < rounds; round++) {
            const size_t i = random_below(&random, (size_t)1 << BITS_OF_INDEX), c = random_below(&random, 13);
            const float x = kind == 0   ? float_from_bits((uint32_t)random_bits(&random))
                            : kind == 1 ? (float)random_below(&random, 1000)
                                        : 2 * random_unit(&random) - 1;
            const uint32_t bits = float_bits(x);
            if (isnan(x)) {
                continue;
            }
            const uint64_t others = random_bits(&random), hash = others + word(x, i, c);
            for (size_t k = 0; k < INPUTS; k++) {
                const float y = k < 32 ? float_from_bits(bits ^ (uint32_t)1 << k) : x;
                const uint64_t other = others + word(y, k < 32 ? i : i ^ (size_t)1 << (k - 32), c);
                for (size_t bit = 0; bit < 64; bit++) {
                    changed[k][bit] += (other ^ hash) >> bit & 1;
                }
            }
        }
        double worst = 0;
        for (size_t k = 0; k < INPUTS; k++) {
            for (size_t bit = 0; bit < 64; bit++) {
                CASE("kind %u, bit %zu of %s, bit %zu of the hash", kind, k % 32, k < 32 ? "the float" : "the index",
                     bit);
                /* setting one more bit in an infinity gives NaN */
                const double off = fabs(changed[k][bit] / (double)rounds - 0.5);
                check(off, <=, 5.5 * deviation + (kind == 0 ? 0.006 : 0));
                worst = fmax(worst, off);
            }
        }
        printf("# kind %u: at most %.4f off one half, %.1f standard deviations\n", kind, worst, worst / deviation);
    }
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Of n hashes cut to 32 bits, n^2 / 2^33 collisions are expected; of 64 bits, none. */
static void check_spread(uint64_t *hashes, size_t n)
{
    const double expected = (double)n * (double)n / 0x1p33;
    qsort(hashes, n, sizeof *hashes, compare);
    for (size_t i = 1; i < n; i++) {
        CASE("hash %zu in order", i);
        check(hashes[i], !=, hashes[i - 1]);
    }
    for (int half = 0; half < 2; half++) {
        size_t met = 0;
        uint64_t *cut = malloc(n * sizeof *cut);
        check(cut, !=, NULL);
        for (size_t i = 0; i < n; i++) {
            cut[i] = half == 0 ? hashes[i] >> 32 : hashes[i] & 0xffffffff;
        }
        qsort(cut, n, sizeof *cut, compare);
        for (size_t i = 1; i < n; i++) {
            met += cut[i] == cut[i - 1];
        }
        free(cut);
        printf("# %s 32 bits of %zu hashes: %zu collisions, %.0f expected\n", half == 0 ? "upper" : "lower", n, met,
               expected);
        check_within((double)met, expected, 5 * sqrt(expected) + 5);
    }
}

/* States that differ by an ulp in one or two of their floats, like two machines about to diverge: all pairs of floats,
   up and down, in one component and across components. */
static void test_near_states(void **state)
{
    (void)state;
    enum { COUNT = 500, COMPONENTS = 3 };
    const size_t states = effort(2000000);
    uint64_t *hashes = malloc(states * sizeof *hashes);
    check(hashes, !=, NULL);
    random_source random = {7};
    static uint64_t words[COUNT * COMPONENTS][3]; /* an ulp below, unchanged, an ulp above */
    uint64_t base = 0;
    for (size_t k = 0; k < COUNT * COMPONENTS; k++) {
        const float x = random_signed(&random, -2, 10);
        for (size_t step = 0; step < 3; step++) {
            words[k][step] = word(float_from_bits(float_bits(x) + (uint32_t)step - 1), k % COUNT, k / COUNT);
        }
        base += words[k][1];
    }
    size_t made = 0;
    for (size_t k = 0; k < COUNT * COMPONENTS && made < states; k++) {
        for (size_t step = 0; step < 3 && made < states; step += 2) {
            const uint64_t one = base + words[k][step] - words[k][1];
            hashes[made++] = one;
            for (size_t other = 0; other < k && made < states; other++) {
                hashes[made++] = one + words[other][step] - words[other][1];
                if (made < states) {
                    hashes[made++] = one + words[other][2 - step] - words[other][1];
                }
            }
        }
    }
    check_spread(hashes, made);
    free(hashes);
}

/* States of small whole numbers, which differ in few bits: counters, flags, lattices of positions. */
static void test_whole_numbers(void **state)
{
    (void)state;
    const size_t states = effort(1 << 20);
    uint64_t *hashes = malloc(states * sizeof *hashes);
    check(hashes, !=, NULL);
    for (size_t k = 0; k < states; k++) {
        hashes[k] = word((float)(k % 128), 0, 0) + word((float)(k / 128 % 128), 0, 1) + word((float)(k / 16384), 0, 2);
    }
    check_spread(hashes, states);
    for (size_t k = 0; k < states; k++) {
        hashes[k] = word(0, k, 0);
    }
    check_spread(hashes, states);
    free(hashes);
}

/* ---- Bytes ---- */

static uint64_t hash_of_bytes(const gyre_kernels *table, const uint8_t *bytes, size_t begin, size_t end)
{
    uint64_t hash = 0x123456789abcdef;
    check_status(table->hash_bytes(bytes, &hash, begin, end), GYRE_OK);
    return hash;
}

/* Slices of an array that ends where memory ends, against the formula; the hashes of slices add up. */
static void test_bytes(void **state)
{
    (void)state;
    enum { COUNT = 150 };
    guarded_memory memory = guarded_new(COUNT);
    uint8_t *bytes = (uint8_t *)memory.end - COUNT;
    random_source random = {11};
    for (size_t i = 0; i < COUNT; i++) {
        bytes[i] = (uint8_t)random_below(&random, 256);
    }
    EACH_TABLE(table) {
        for (size_t begin = 0; begin <= COUNT; begin++) {
            for (size_t end = begin; end <= COUNT; end++) {
                const size_t middle = begin + (end - begin) / 3;
                CASE("elements %zu to %zu", begin, end);
                uint64_t wanted = 0;
                for (size_t i = begin; i < end; i++) {
                    wanted += word_of_bits(bytes[i], i, (size_t)-1);
                }
                check(hash_of_bytes(table, bytes, begin, end), ==, wanted);
                check(hash_of_bytes(table, bytes, begin, middle) + hash_of_bytes(table, bytes, middle, end), ==,
                      wanted);
            }
        }
    }
    guarded_free(memory);
}

/* Every other value of each byte, and any two bytes exchanged. */
static void test_bytes_that_change(void **state)
{
    (void)state;
    enum { COUNT = 130 };
    EACH_BEST_TABLE(table) {
        uint8_t bytes[COUNT];
        for (size_t i = 0; i < COUNT; i++) {
            bytes[i] = (uint8_t)i; /* all different */
        }
        const uint64_t hash = hash_of_bytes(table, bytes, 0, COUNT);
        for (size_t i = 0; i < COUNT; i++) {
            for (unsigned value = 0; value < 256; value++) {
                CASE("byte %zu is %u", i, value);
                bytes[i] = (uint8_t)value;
                check(hash_of_bytes(table, bytes, 0, COUNT) == hash, ==, value == i);
            }
            bytes[i] = (uint8_t)i;
            for (size_t k = 0; k < i; k++) {
                CASE("bytes %zu and %zu", i, k);
                bytes[i] = (uint8_t)k;
                bytes[k] = (uint8_t)i;
                check(hash_of_bytes(table, bytes, 0, COUNT), !=, hash);
                bytes[i] = (uint8_t)i;
                bytes[k] = (uint8_t)k;
            }
        }
    }
}

/* Flags of a million elements of which one or two change: no hashes collide. */
static void test_flags_that_change(void **state)
{
    (void)state;
    const size_t states = effort(1 << 20);
    uint64_t *hashes = malloc(states * sizeof *hashes);
    check(hashes, !=, NULL);
    for (size_t k = 0; k < states; k++) { /* only the terms that change; the rest of the sum is the same */
        const size_t i = k / 2;
        hashes[k] = word_of_bits(1, i, (size_t)-1) - word_of_bits(0, i, (size_t)-1);
        if (k % 2) {
            hashes[k] += word_of_bits(1, i + 1 + i % 999, (size_t)-1) - word_of_bits(0, i + 1 + i % 999, (size_t)-1);
        }
    }
    check_spread(hashes, states);
    free(hashes);
}

static void test_published_values_of_bytes(void **state)
{
    (void)state;
    const uint8_t bytes[] = {0, 1, 0, 255, 7, 1, 1, 0, 2, 100};
    EACH_TABLE(table) {
        check(hash_of_bytes(table, bytes, 4, 4), ==, 0);
        check(hash_of_bytes(table, bytes, 0, 2), ==, UINT64_C(0xd1254061787c8f44));
        check(hash_of_bytes(table, bytes, 0, 10), ==, UINT64_C(0xddef9056084044de));
    }
}

static void test_bad_arguments_of_bytes(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        uint8_t byte = 1;
        uint64_t hash = 5;
        check_status(table->hash_bytes(&byte, &hash, 1, 0), GYRE_ERROR_RANGE);
        check_status(table->hash_bytes(NULL, NULL, 1, 0), GYRE_ERROR_RANGE);
        check_status(table->hash_bytes(NULL, &hash, 0, 1), GYRE_ERROR_NULL);
        check_status(table->hash_bytes(&byte, NULL, 0, 1), GYRE_ERROR_NULL);
        check_status(table->hash_bytes(NULL, NULL, 1, 1), GYRE_ERROR_NULL);
        check(hash, ==, 5);
        check_status(table->hash_bytes(NULL, &hash, 1, 1), GYRE_OK);
        check(hash, ==, 0);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float x = 1;
        float *arrays[] = {&x, NULL};
        uint64_t hash = 5;
        check_status(table->hash(arrays, 1, &hash, 1, 0), GYRE_ERROR_RANGE);
        check_status(table->hash(arrays, 2, &hash, 0, 1), GYRE_ERROR_NULL);
        check_status(table->hash(NULL, 1, &hash, 0, 1), GYRE_ERROR_NULL);
        check_status(table->hash(arrays, 1, NULL, 0, 1), GYRE_ERROR_NULL);
        check_status(table->hash(NULL, 1, NULL, 1, 1), GYRE_ERROR_NULL);
        check(hash, ==, 5);
        check_status(table->hash(NULL, 1, &hash, 1, 1), GYRE_OK);
        check(hash, ==, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_formula_and_slices),
        TEST(test_published_values),
        TEST(test_nan_and_zeros),
        TEST(test_exchanges),
        TEST(test_avalanche),
        TEST(test_near_states),
        TEST(test_whole_numbers),
        TEST(test_bad_arguments),
        TEST(test_bytes),
        TEST(test_bytes_that_change),
        TEST(test_flags_that_change),
        TEST(test_published_values_of_bytes),
        TEST(test_bad_arguments_of_bytes),
    };
    return cmocka_run_group_tests_name("arrays_hash", tests, NULL, NULL);
}
