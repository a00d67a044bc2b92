/* gyre_gather and gyre_scatter: every number of components, many strides and slices, memory that faults next to what
   may be touched, bits of NaN, and bytes between the elements that another thread uses. */
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COMPONENTS = 16, MAX_STRIDE = 21, COUNT = 75 };

/* Float c of structure i, made from bits, including NaNs of many kinds. */
static float number(size_t i, size_t c) { return float_from_bits((uint32_t)(0x7f7fff00 + 512 * i + c)); }

typedef struct soa {
    float of[MAX_COMPONENTS][COUNT];
    float *at[MAX_COMPONENTS];
} soa;

static void make_soa(soa *s, bool numbers)
{
    for (size_t c = 0; c < MAX_COMPONENTS; c++) {
        for (size_t i = 0; i < COUNT; i++) {
            s->of[c][i] = numbers ? number(i, c) : -1;
        }
        s->at[c] = s->of[c];
    }
}

static size_t last_byte(size_t components, size_t stride, size_t end)
{
    return end == 0 ? 0 : ((end - 1) * stride + components) * sizeof(float);
}

/* Structures that end where memory ends: not even the float after the last component may be read. */
static void test_gather(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(COUNT * MAX_STRIDE * sizeof(float));
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t components = 1; components <= MAX_COMPONENTS; components++) {
            for (size_t stride = components; stride <= MAX_STRIDE; stride++) {
                for (size_t round = 0; round < effort(60); round++) {
                    const size_t end = random_below(&random, COUNT + 1), begin = random_below(&random, end + 1);
                    CASE("%zu floats, stride %zu floats, elements %zu to %zu", components, stride, begin, end);
                    float *from = (float *)(void *)(memory.end - last_byte(components, stride, end));
                    for (size_t i = 0; i < end; i++) {
                        for (size_t c = 0; c < components; c++) {
                            from[i * stride + c] = number(i, c);
                        }
                    }
                    soa to, wanted;
                    make_soa(&to, false);
                    make_soa(&wanted, false);
                    for (size_t i = begin; i < end; i++) {
                        for (size_t c = 0; c < components; c++) {
                            wanted.of[c][i] = number(i, c);
                        }
                    }
                    check_status(table->gather(from, stride * sizeof(float), components, to.at, begin, end), GYRE_OK);
                    check_bytes(to.of, wanted.of, sizeof to.of);
                }
            }
        }
    }
    guarded_free(memory);
}

/* Every byte that is not a component of begin..end-1 is unchanged. */
static void test_scatter(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(COUNT * MAX_STRIDE * sizeof(float));
    static float wanted[COUNT * MAX_STRIDE];
    soa from;
    make_soa(&from, true);
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t components = 1; components <= MAX_COMPONENTS; components++) {
            for (size_t stride = components; stride <= MAX_STRIDE; stride++) {
                for (size_t round = 0; round < effort(60); round++) {
                    const size_t end = random_below(&random, COUNT + 1), begin = random_below(&random, end + 1);
                    CASE("%zu floats, stride %zu floats, elements %zu to %zu", components, stride, begin, end);
                    const size_t bytes = last_byte(components, stride, end);
                    float *to = (float *)(void *)(memory.end - bytes);
                    for (size_t k = 0; k < bytes / sizeof(float); k++) {
                        to[k] = wanted[k] = float_from_bits((uint32_t)k);
                    }
                    for (size_t i = begin; i < end; i++) {
                        for (size_t c = 0; c < components; c++) {
                            wanted[i * stride + c] = number(i, c);
                        }
                    }
                    check_status(table->scatter(from.at, components, to, stride * sizeof(float), begin, end), GYRE_OK);
                    check_bytes(to, wanted, bytes);
                }
            }
        }
    }
    guarded_free(memory);
}

/* Long arrays, which are prefetched; there and back again. */
static void test_long_arrays(void **state)
{
    (void)state;
    enum { LONG = 20000, STRIDE = 12 };
    float *structures = malloc(LONG * STRIDE * sizeof(float)), *arrays = malloc(6 * LONG * sizeof(float));
    check(structures, !=, NULL);
    check(arrays, !=, NULL);
    EACH_TABLE(table) {
        for (size_t k = 0; k < LONG * STRIDE; k++) {
            structures[k] = (float)k;
        }
        float *const first[] = {arrays, arrays + LONG, arrays + 2 * LONG};
        float *const second[] = {arrays + 3 * LONG, arrays + 4 * LONG, arrays + 5 * LONG};
        check_status(table->gather(structures, STRIDE * 4, 3, first, 0, LONG), GYRE_OK);
        check_status(table->gather(structures + 3, STRIDE * 4, 3, second, 0, LONG), GYRE_OK);
        for (size_t i = 0; i < LONG; i += 17) {
            CASE("element %zu", i);
            check(first[2][i], ==, (float)(i * STRIDE + 2));
            check(second[0][i], ==, (float)(i * STRIDE + 3));
        }
        check_status(table->scatter(second, 3, structures, STRIDE * 4, 0, LONG), GYRE_OK);
        for (size_t k = 0; k < LONG * STRIDE; k++) {
            CASE("float %zu", k);
            check(structures[k], ==, (float)(k % STRIDE < 3 ? k + 3 : k));
        }
    }
    free(structures);
    free(arrays);
}

/* Two threads write different components of the same structures: neither overwrites what the other has written. */
typedef struct writer {
    const gyre_kernels *table;
    float *const *from;
    float *to;
} writer;

static void *write_three(void *argument)
{
    const writer *w = argument;
    for (size_t round = 0; round < effort(2000); round++) {
        check_status(w->table->scatter(w->from, 3, w->to, 6 * sizeof(float), 0, COUNT), GYRE_OK);
    }
    return NULL;
}

static void test_neighbours_of_other_threads(void **state)
{
    (void)state;
    soa from;
    make_soa(&from, true);
    EACH_TABLE(table) {
        for (size_t round = 0; round < 5; round++) {
            float to[COUNT * 6] = {0};
            writer writers[] = {{table, from.at, to}, {table, from.at + 3, to + 3}};
            run_together(write_three, writers, sizeof writers[0], 2);
            for (size_t k = 0; k < LENGTH(to); k++) {
                CASE("float %zu", k);
                check_bits(to[k], number(k / 6, k % 6));
            }
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float structure[16] = {0}, x = 5;
        float *arrays[16];
        for (size_t c = 0; c < 16; c++) {
            arrays[c] = &x;
        }
        const struct {
            size_t components, stride, begin, end;
            gyre_status wanted;
        } cases[] = {
            {0, 48, 0, 1, GYRE_ERROR_VALUE},  {17, 128, 0, 1, GYRE_ERROR_VALUE}, {3, 8, 0, 1, GYRE_ERROR_VALUE},
            {3, 14, 0, 1, GYRE_ERROR_VALUE},  {3, 13, 0, 1, GYRE_ERROR_VALUE},   {1, 0, 0, 1, GYRE_ERROR_VALUE},
            {16, 60, 0, 1, GYRE_ERROR_VALUE}, {3, 48, 1, 0, GYRE_ERROR_RANGE},   {16, 64, 1, 1, GYRE_OK},
            {0, 48, 1, 1, GYRE_ERROR_VALUE},
        };
        for (size_t k = 0; k < LENGTH(cases); k++) {
            const size_t n = cases[k].components, stride = cases[k].stride, begin = cases[k].begin, end = cases[k].end;
            CASE("%zu components, stride %zu, elements %zu to %zu", n, stride, begin, end);
            check_status(table->gather(structure, stride, n, arrays, begin, end), cases[k].wanted);
            check_status(table->scatter(arrays, n, structure, stride, begin, end), cases[k].wanted);
        }
        check_status(table->gather(NULL, 48, 3, arrays, 0, 1), GYRE_ERROR_NULL);
        check_status(table->gather(structure, 48, 3, NULL, 0, 1), GYRE_ERROR_NULL);
        check_status(table->scatter(arrays, 3, NULL, 48, 0, 1), GYRE_ERROR_NULL);
        check_status(table->scatter(NULL, 3, structure, 48, 0, 1), GYRE_ERROR_NULL);
        arrays[2] = NULL;
        check_status(table->gather(structure, 48, 3, arrays, 0, 1), GYRE_ERROR_NULL);
        check_status(table->scatter(arrays, 3, structure, 48, 0, 1), GYRE_ERROR_NULL);
        check_status(table->gather(NULL, 48, 3, NULL, 2, 2), GYRE_OK);
        check_status(table->scatter(NULL, 3, NULL, 48, 2, 2), GYRE_OK);
        check(x, ==, 5);
        check(structure[0], ==, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_gather),        TEST(test_scatter), TEST(test_long_arrays), TEST(test_neighbours_of_other_threads),
        TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("arrays_gather_scatter", tests, NULL, NULL);
}
