/* gyre_limit_length: its stated error for all sizes of vectors and limits, and its contract. */
#include "support/support.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef long double real;

enum { MOST = 4 };

typedef struct vector {
    float of[MOST];
} vector;

static vector limited(const gyre_kernels *table, vector v, size_t components, float longest)
{
    float *const at[MOST] = {&v.of[0], &v.of[1], &v.of[2], &v.of[3]};
    check_status(table->limit_length(at, components, longest, 0, 1), GYRE_OK);
    return v;
}

/* x87 has enough range; elsewhere the vector is scaled. */
static real length_of(vector v, size_t components)
{
    float largest = 0;
    for (size_t c = 0; c < components; c++) {
        largest = fmaxf(largest, fabsf(v.of[c]));
    }
    real sum = 0;
    for (size_t c = 0; c < components; c++) {
        const real x = largest == 0 ? 0 : (real)v.of[c] / largest;
        sum += x * x;
    }
    return largest * sqrtl(sum);
}

static vector any_vector(random_source *random, size_t i)
{
    vector v;
    const int size = (int)random_below(random, 270) - 145;
    for (size_t c = 0; c < MOST; c++) {
        v.of[c] = i % 4 == 0   ? random_signed(random, -149, 128)
                  : i % 4 == 1 ? random_signed(random, size < 120 ? size : 120, size < 120 ? size + 4 : 128)
                               : random_signed(random, -4, 8);
        v.of[c] = random_one_in(random, 10) ? 0 : v.of[c];
    }
    return v;
}

static void test_error(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {1};
        worst_case of_length = {0}, of_component = {0};
        size_t kept = 0, shortened = 0;
        for (size_t i = 0; i < effort(400000); i++) {
            const size_t components = 1 + i % 4;
            const vector v = any_vector(&random, i / 4);
            const real length = length_of(v, components);
            /* any limit, one near the length, one an ulp away */
            float longest = i % 3 == 0 ? random_magnitude(&random, -149, 128) : (float)length * random_unit(&random);
            longest = i % 3 == 2 ? fminf(FLT_MAX, (float)(length * (1 + random_signed(&random, -28, -18)))) : longest;
            const vector got = limited(table, v, components, longest);
            CASE("(%a, %a, %a, %a), %zu components, limit %a", v.of[0], v.of[1], v.of[2], v.of[3], components, longest);
            CASE("got (%a, %a, %a, %a)", got.of[0], got.of[1], got.of[2], got.of[3]);
            const bool same = memcmp(&got, &v, sizeof v) == 0;
            if (length <= longest) {
                check_bytes(&got, &v, sizeof v);
            }
            kept += same;
            shortened += !same;
            const real slack = 0x1p-148L; /* of subnormal components */
            check(length_of(got, components), <=, longest * (1 + 1.001L * 0x1p-24L) + slack);
            if (!same) {
                check(length, >, longest);
                const real off = fabsl(length_of(got, components) - longest);
                check_share(&of_length, (double)(off / (longest * 1.001L * 0x1p-24L + slack)));
                for (size_t c = 0; c < components; c++) {
                    const real exact = v.of[c] * (longest / length);
                    check_share(&of_component, ulps_off(got.of[c], exact) / 0.5001);
                }
            }
            for (size_t c = components; c < MOST; c++) {
                check_bits(got.of[c], v.of[c]);
            }
            if (longest >= 0x1p-100f) {
                const vector again = limited(table, got, components, longest);
                check_bytes(&again, &got, sizeof got);
            }
        }
        check(kept, >, effort(400000) / 8);
        check(shortened, >, effort(400000) / 4);
        print_worst("length", &of_length);
        print_worst("component", &of_component);
    }
}

static void test_values(void **state)
{
    (void)state;
    const struct {
        vector v;
        float longest;
        vector wanted;
    } cases[] = {
        {{{3, 4, 0, 0}}, 5, {{3, 4, 0, 0}}},
        {{{30, 40, 0, 0}}, 5, {{3, 4, 0, 0}}},
        {{{-30, 0, -40, 0}}, 5, {{-3, 0, -4, 0}}},
        {{{2, 2, -2, 2}}, 2, {{1, 1, -1, 1}}},
        {{{0, -0.0f, 0, 0}}, 0, {{0, -0.0f, 0, 0}}},
        {{{1, -1, 0x1p-149f, FLT_MAX}}, 0, {{0, -0.0f, 0, 0}}},
        {{{FLT_MAX, FLT_MAX, FLT_MAX, FLT_MAX}}, FLT_MAX, {{FLT_MAX / 2, FLT_MAX / 2, FLT_MAX / 2, FLT_MAX / 2}}},
        {{{FLT_MAX, -FLT_MAX, FLT_MAX, 0}}, INFINITY, {{FLT_MAX, -FLT_MAX, FLT_MAX, 0}}},
        {{{0x1p-140f, 0x1p-140f, 0x1p-140f, 0x1p-140f}}, 0x1p-141f, {{0x1p-142f, 0x1p-142f, 0x1p-142f, 0x1p-142f}}},
        {{{1, NAN, 1, 1}}, 5, {{NAN, NAN, NAN, NAN}}},
        {{{1, 2, INFINITY, 1}}, 5, {{NAN, NAN, NAN, NAN}}},
        {{{1, 2, -INFINITY, 1}}, INFINITY, {{NAN, NAN, NAN, NAN}}},
        {{{0, 0, 0, NAN}}, 0, {{NAN, NAN, NAN, NAN}}},
    };
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            const vector v = cases[i].v, got = limited(table, v, 4, cases[i].longest);
            CASE("(%a, %a, %a, %a), limit %a", v.of[0], v.of[1], v.of[2], v.of[3], cases[i].longest);
            for (size_t c = 0; c < 4; c++) {
                check_same(got.of[c], cases[i].wanted.of[c]);
            }
        }
    }
}

/* Any slice of arrays that end where memory ends; vectors do not affect each other, even next to NaN. */
static void test_slices(void **state)
{
    (void)state;
    enum { COUNT = 75 };
    guarded_memory memory[MOST];
    for (size_t c = 0; c < MOST; c++) {
        memory[c] = guarded_new(COUNT * sizeof(float));
    }
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t round = 0; round < effort(4000); round++) {
            const size_t components = 1 + round % 4, end = 1 + random_below(&random, COUNT);
            const size_t begin = random_below(&random, end);
            vector start[COUNT];
            float *at[MOST];
            for (size_t c = 0; c < MOST; c++) {
                at[c] = (float *)(void *)(memory[c].end - end * sizeof(float));
                for (size_t i = 0; i < end; i++) {
                    const bool slow = round % 3 == 0; /* none is too long */
                    at[c][i] = start[i].of[c] =
                        random_one_in(&random, 50) && !slow ? NAN : random_signed(&random, -4, slow ? -1 : 3);
                }
            }
            CASE("%zu components, vectors %zu to %zu", components, begin, end);
            check_status(table->limit_length(at, components, 2, begin, end), GYRE_OK);
            for (size_t i = 0; i < end; i++) {
                CASE("vector %zu", i);
                const vector wanted = i < begin ? start[i] : limited(table, start[i], components, 2);
                for (size_t c = 0; c < MOST; c++) {
                    check_same(at[c][i], wanted.of[c]);
                }
            }
        }
    }
    for (size_t c = 0; c < MOST; c++) {
        guarded_free(memory[c]);
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    const float invalid[] = {-1, -0x1p-149f, NAN, -INFINITY};
    EACH_TABLE(table) {
        float x = 5, y = 5;
        float *v[] = {&x, &y, NULL, NULL};
        for (size_t i = 0; i < LENGTH(invalid); i++) {
            CASE("longest %a", invalid[i]);
            check_status(table->limit_length(v, 2, invalid[i], 0, 1), GYRE_ERROR_VALUE);
        }
        check_status(table->limit_length(v, 0, 1, 0, 1), GYRE_ERROR_VALUE);
        check_status(table->limit_length(v, 5, 1, 0, 1), GYRE_ERROR_VALUE);
        check_status(table->limit_length(v, 2, 1, 1, 0), GYRE_ERROR_RANGE);
        check_status(table->limit_length(v, 3, 1, 0, 1), GYRE_ERROR_NULL);
        check_status(table->limit_length(NULL, 2, 1, 0, 1), GYRE_ERROR_NULL);
        check_status(table->limit_length(NULL, 2, 1, 3, 3), GYRE_OK);
        check(x, ==, 5);
        check(y, ==, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_error), TEST(test_values), TEST(test_slices),
                                       TEST(test_bad_arguments)};
    return cmocka_run_group_tests_name("arrays_limit_length", tests, NULL, NULL);
}
