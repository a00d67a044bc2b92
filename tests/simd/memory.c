/* Loads and stores of the vector layer, full and partial, on every table; and no access outside the range. */
#include "simd/tables.h"

#include <math.h>
#include <string.h>

/* vf_load_n and vf_store_n for every n at both ends of memory that faults outside. */
static void test_tails(void **state)
{
    (void)state;
    const float canary = -1234.5f;
    guarded_memory memory = guarded_new(1);
    EACH_OPS(ops) {
        for (size_t n = 0; n <= ops->lanes; n++) {
            CASE("%zu floats", n);
            float *at_begin = (float *)(void *)memory.begin;
            float *at_end = (float *)(void *)memory.end - n;
            for (size_t i = 0; i < 16; i++) {
                at_begin[i] = at_end[(ptrdiff_t)i - 16 + (ptrdiff_t)n] = canary;
            }
            memcpy(at_end, input_a, n * sizeof *at_end);
            float loaded[16];
            ops->vf_load_n(at_end, n, loaded);
            for (size_t i = 0; i < ops->lanes; i++) {
                CASE("lane %zu", i);
                check_bits(loaded[i], i < n ? input_a[i] : 0);
            }
            float from[16];
            memcpy(from, input_b + 100, sizeof from);
            ops->vf_store_n(at_end, from, n);
            ops->vf_store_n(at_begin, from, n);
            check_bytes(at_end, from, n * sizeof *at_end);
            check_bytes(at_begin, from, n * sizeof *at_end);
            for (size_t i = n; i < 16; i++) {
                CASE("float %zu outside", i);
                check(at_begin[i], ==, canary);
                check(at_end[(ptrdiff_t)n - 1 - (ptrdiff_t)i], ==, canary);
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
            CASE("%zu bytes", n);
            memset(memory.begin, 0xa5, 32);
            memset(memory.end - 32, 0xa5, 32);
            ops->vm_store_bytes_n(memory.begin, alternating, zeros, n);
            ops->vm_store_bytes_n(memory.end - n, alternating, zeros, n);
            for (size_t i = 0; i < n; i++) {
                CASE("byte %zu", i);
                check(memory.begin[i], ==, i % 3 == 0);
                check((memory.end - n)[i], ==, i % 3 == 0);
            }
            for (size_t i = n; i < 32; i++) {
                CASE("byte %zu outside", i);
                check(memory.begin[i], ==, 0xa5);
                check(memory.end[-1 - (ptrdiff_t)i], ==, 0xa5);
            }
        }
    }
    guarded_free(memory);
}

/* Rows of four, `stride` floats apart: row r, column c has the number 4 r + c, and there is NaN between the rows. */
static float *make_rows(guarded_memory memory, size_t stride, size_t count)
{
    float *rows = (float *)(void *)memory.end - (stride * (count - 1) + 4);
    for (size_t i = 0; i < stride * (count - 1) + 4; i++) {
        rows[i] = i % stride < 4 ? (float)(4 * (i / stride) + i % stride) : NAN;
    }
    return rows;
}

static void check_rows(size_t lanes, const uint16_t *which, const float *columns)
{
    for (size_t i = 0; i < lanes; i++) {
        for (size_t c = 0; c < 4; c++) {
            CASE("row %u, lane %zu, column %zu", which[i], i, c);
            check(columns[c * lanes + i], ==, (float)(4 * which[i] + c));
        }
    }
}

enum { STRIDES = 3 };
static const size_t strides[STRIDES] = {4, 8, 12};

/* Rows in any order, including the last row of a table that ends where memory ends. */
static void test_load_rows(void **state)
{
    (void)state;
    enum { ROWS = 37 };
    guarded_memory memory = guarded_new(1);
    random_source random = {3};
    EACH_OPS(ops) {
        for (size_t round = 0; round < 1000; round++) {
            const size_t stride = strides[round % STRIDES];
            const float *rows = make_rows(memory, stride, ROWS);
            uint16_t which[16];
            for (size_t i = 0; i < 16; i++) {
                which[i] = (uint16_t)(i == round % 16 ? ROWS - 1 : random_below(&random, ROWS));
            }
            float columns[4 * 16];
            ops->vf_load_rows4(rows, stride, which, columns);
            check_rows(ops->lanes, which, columns);
        }
    }
    guarded_free(memory);
}

/* Tables of every size up to the largest that registers hold, ending where memory ends. */
static void test_tables(void **state)
{
    (void)state;
    enum { ROWS = 64 };
    guarded_memory memory = guarded_new(1);
    random_source random = {4};
    EACH_OPS(ops) {
        for (size_t count = 1; count <= ROWS; count++) {
            const size_t stride = strides[count % STRIDES];
            const float *rows = make_rows(memory, stride, count);
            uint16_t which[16];
            for (size_t i = 0; i < 16; i++) {
                which[i] = (uint16_t)(i == count % ops->lanes ? count - 1 : random_below(&random, count));
            }
            float columns[4 * 16];
            ops->vf_table4_rows(rows, stride, count, which, columns);
            check_rows(ops->lanes, which, columns);
        }
    }
    guarded_free(memory);
}

/* Any stride and number of lanes; no other byte is written. */
static void test_store_rows(void **state)
{
    (void)state;
    enum { STRIDE_MAX = 96 };
    guarded_memory memory = guarded_new(16 * STRIDE_MAX);
    float columns[12 * 16];
    for (size_t i = 0; i < LENGTH(columns); i++) {
        columns[i] = (float)i;
    }
    EACH_OPS(ops) {
        for (size_t stride = 48; stride <= STRIDE_MAX; stride += 4) {
            for (size_t n = 1; n <= ops->lanes; n++) {
                CASE("%zu lanes, stride %zu bytes", n, stride);
                unsigned char want[16 * STRIDE_MAX];
                const size_t bytes = (n - 1) * stride + 48;
                memset(want, 0x5a, sizeof want);
                for (size_t lane = 0; lane < n; lane++) {
                    for (size_t c = 0; c < 12; c++) {
                        memcpy(want + lane * stride + 4 * c, &columns[c * ops->lanes + lane], sizeof(float));
                    }
                }
                unsigned char *to = memory.end - bytes;
                memset(to, 0x5a, bytes);
                ops->vf_store_rows12_n((float *)(void *)to, stride, columns, n);
                check_bytes(to, want, bytes);
            }
        }
    }
    guarded_free(memory);
}

/* One to four floats of each group of four, and no other byte. */
static void test_store_pieces(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(1);
    float a[16];
    for (size_t i = 0; i < LENGTH(a); i++) {
        a[i] = (float)i;
    }
    EACH_OPS(ops) {
        for (size_t columns = 1; columns <= 4; columns++) {
            for (size_t stride = 4 * columns; stride <= 24; stride += 4) {
                CASE("%zu columns, stride %zu bytes", columns, stride);
                const size_t pieces = ops->lanes / 4, bytes = (pieces - 1) * stride + 4 * columns;
                unsigned char want[4 * 24];
                memset(want, 0x5a, sizeof want);
                for (size_t piece = 0; piece < pieces; piece++) {
                    memcpy(want + piece * stride, a + 4 * piece, 4 * columns);
                }
                unsigned char *to = memory.end - bytes;
                memset(to, 0x5a, bytes);
                ops->vf_store_pieces_n((float *)(void *)to, stride, a, columns);
                check_bytes(to, want, bytes);
            }
        }
    }
    guarded_free(memory);
}

/* A loop prefetches nothing outside its range, which may not be mapped, and nothing if the arrays fit in a cache. */
static void test_prefetch_end(void **state)
{
    (void)state;
    const size_t cached = (size_t)1 << 20;
    EACH_OPS(ops) {
        for (size_t end = 0; end < 2000; end++) {
            for (size_t begin = 0; begin <= end; begin += 7) {
                CASE("elements %zu to %zu", begin, end);
                const size_t ahead = ops->prefetch_distance + ops->block;
                check(ops->vf_prefetch_end(begin, end, cached + 1), ==, end - begin < ahead ? begin : end - ahead + 1);
                check(ops->vf_prefetch_end(begin, end, cached), ==, begin);
            }
        }
    }
}

static void test_set1_and_first(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        for (size_t i = 0; i < special_float_count; i++) {
            CASE("%a", special_floats[i]);
            float lanes[16];
            ops->vf_set1(special_floats[i], lanes);
            for (size_t lane = 0; lane < ops->lanes; lane++) {
                check_same(lanes[lane], special_floats[i]);
            }
            lanes[0] = 17;
            check(ops->vf_lane_0(lanes), ==, 17);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_tails),      TEST(test_byte_tails),   TEST(test_load_rows),    TEST(test_tables),
        TEST(test_store_rows), TEST(test_store_pieces), TEST(test_prefetch_end), TEST(test_set1_and_first),
    };
    return cmocka_run_group_tests_name("simd_memory", tests, make_inputs, NULL);
}
