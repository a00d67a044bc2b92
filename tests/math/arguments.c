/* What the elementary functions promise whatever their values: an element's result is its own, any length and alignment
   will do, and in place. */
#include "support/elementary.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { SOME = 257, OUTPUTS = 7 };

/* All results of a table: those of the five functions and both of sincos. */
typedef struct all_results {
    float y[OUTPUTS][SOME];
} all_results;

static void compute_all(const gyre_kernels *table, const float *x, all_results *results, size_t count)
{
    for (size_t function = 0; function < MAPS; function++) {
        assert_int_equal(map_of(table, function)(x, results->y[function], count), GYRE_OK);
    }
    assert_int_equal(table->math_sincos(x, results->y[MAPS], results->y[MAPS + 1], count), GYRE_OK);
}

static const char *output_name(size_t output)
{
    return output < MAPS ? map_names[output] : output == MAPS ? "sincos, sin" : "sincos, cos";
}

/* Ordinary arguments and some where angles begin to be large; every third time among large, special and arbitrary ones,
   for whole blocks of ordinary ones are computed in another way; and every third time angles of few turns alone, which
   are computed in another way still. */
static void random_arguments(random_source *random, float *x, size_t count)
{
    enum { TAME, WILD, FEW_TURNS, KINDS };
    const size_t kind = random_below(random, KINDS);
    const float most = random_magnitude(random, 5, 9);
    for (size_t i = 0; i < count; i++) {
        x[i] = kind == FEW_TURNS                          ? most * random_unit(random)
               : kind == WILD && random_one_in(random, 4) ? random_any_float(random)
               : kind == WILD && random_one_in(random, 8) ? special_floats[random_below(random, special_float_count)]
               : kind == WILD && random_one_in(random, 8) ? random_signed(random, 13, 127)
               : random_one_in(random, 8)                 ? 12790 + 79 * random_unit(random)
                                                          : random_signed(random, -10, kind == TAME ? 6 : 8);
        x[i] = random_one_in(random, 2) ? -x[i] : x[i];
    }
}

static void test_neighbours_change_nothing(void **state)
{
    (void)state;
    random_source random = {1};
    const gyre_kernels *tables[TABLES_MAX];
    size_t table_count = tested_tables(tables);
    static all_results together, alone;
    for (size_t round = 0; round < effort(200); round++) {
        float x[SOME];
        random_arguments(&random, x, SOME);
        for (size_t table = 0; table < table_count; table++) {
            compute_all(tables[table], x, &together, SOME);
            for (size_t i = 0; i < SOME; i++) {
                compute_all(tables[table], &x[i], &alone, 1);
                for (size_t output = 0; output < OUTPUTS; output++) {
                    if (!same_float(together.y[output][i], alone.y[output][0])) {
                        fail_msg("%s, %s of %a: %a among others, %a alone", table_name(tables[table]),
                                 output_name(output), (double)x[i], (double)together.y[output][i],
                                 (double)alone.y[output][0]);
                    }
                }
            }
        }
    }
}

/* Every length and alignment, also with outputs aligned otherwise than inputs, at both ends of accessible memory, with
   marks around what may be written. */
static void test_lengths_and_alignments(void **state)
{
    (void)state;
    enum { LONGEST = 50, MARGIN = 20 };
    const float mark = -12345.5f;
    random_source random = {2};
    const gyre_kernels *tables[TABLES_MAX];
    size_t table_count = tested_tables(tables);
    static all_results want;
    guarded_memory x_memory = guarded_new(1), y_memory = guarded_new(1), z_memory = guarded_new(1);
    size_t floats = (size_t)(x_memory.end - x_memory.begin) / sizeof(float);
    for (size_t table = 0; table < table_count; table++) {
        for (size_t count = 0; count <= LONGEST; count++) {
            float x[LONGEST];
            random_arguments(&random, x, count);
            compute_all(tables[table], x, &want, count);
            for (size_t offset = 0; offset <= MARGIN; offset++) {
                /* The last ends where the memory does. */
                size_t at = offset < MARGIN ? offset : floats - count;
                size_t to = offset < MARGIN ? MARGIN - 1 - offset : floats - count;
                float *xs = (float *)x_memory.begin + at;
                float *ys[2] = {(float *)y_memory.begin, (float *)z_memory.begin};
                memcpy(xs, x, count * sizeof *x);
                for (size_t output = 0; output <= MAPS; output++) {
                    for (size_t i = 0; i < floats; i++) {
                        ys[0][i] = ys[1][i] = mark;
                    }
                    if (output < MAPS) {
                        map_of(tables[table], output)(xs, ys[0] + to, count);
                    } else {
                        tables[table]->math_sincos(xs, ys[0] + to, ys[1] + at, count);
                    }
                    for (size_t which = 0; which < (output < MAPS ? 1u : 2u); which++) {
                        size_t first = which == 0 ? to : at;
                        for (size_t i = 0; i < floats; i++) {
                            bool inside = i >= first && i < first + count;
                            assert_true(same_float(ys[which][i], inside ? want.y[output + which][i - first] : mark));
                        }
                    }
                }
                assert_memory_equal(xs, x, count * sizeof *x);
            }
        }
    }
    guarded_free(x_memory);
    guarded_free(y_memory);
    guarded_free(z_memory);
}

static void test_in_place(void **state)
{
    (void)state;
    random_source random = {3};
    const gyre_kernels *tables[TABLES_MAX];
    size_t table_count = tested_tables(tables);
    static all_results want;
    float x[SOME], in_place[SOME], other[SOME];
    random_arguments(&random, x, SOME);
    for (size_t table = 0; table < table_count; table++) {
        compute_all(tables[table], x, &want, SOME);
        for (size_t output = 0; output < OUTPUTS; output++) {
            memcpy(in_place, x, sizeof x);
            if (output < MAPS) {
                map_of(tables[table], output)(in_place, in_place, SOME);
            } else {
                tables[table]->math_sincos(in_place, output == MAPS ? in_place : other,
                                           output == MAPS ? other : in_place, SOME);
            }
            for (size_t i = 0; i < SOME; i++) {
                assert_true(same_float(in_place[i], want.y[output][i]));
            }
        }
    }
}

/* The sine of -x is minus that of x, and the cosine the same, bit for bit; also where angles begin to be large. */
static void test_symmetry(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX];
    size_t table_count = tested_tables(tables);
    static all_results of_x, of_minus_x;
    float x[SOME], minus_x[SOME];
    const uint32_t border = float_bits(12790), end = float_bits(12890), infinity = float_bits(INFINITY);
    for (uint32_t bits = 0; bits < infinity;) {
        for (size_t i = 0; i < SOME; i++) {
            x[i] = float_from_bits(bits);
            minus_x[i] = -x[i];
            bits += bits >= border && bits < end ? 1 : 60013;
            bits = bits < infinity ? bits : infinity;
        }
        for (size_t table = 0; table < table_count; table++) {
            compute_all(tables[table], x, &of_x, SOME);
            compute_all(tables[table], minus_x, &of_minus_x, SOME);
            for (size_t i = 0; i < SOME; i++) {
                const size_t sines[2] = {SIN, MAPS}, cosines[2] = {COS, MAPS + 1};
                for (size_t k = 0; k < 2; k++) {
                    if (!same_float(of_minus_x.y[sines[k]][i], -of_x.y[sines[k]][i]) ||
                        !same_float(of_minus_x.y[cosines[k]][i], of_x.y[cosines[k]][i])) {
                        fail_msg("%s: sine or cosine of %a and of its negative", table_name(tables[table]),
                                 (double)x[i]);
                    }
                }
            }
        }
    }
}

/* Exponentials that are 0 are so at once, not by way of subnormal numbers. */
static void test_vanishing_exponentials(void **state)
{
    (void)state;
    const float vanishing[] = {-104.01f, -1000, -FLT_MAX, -INFINITY};
    EACH_BEST_TABLE(table) {
        float x[1000], y[LENGTH(x)];
        for (size_t i = 0; i < LENGTH(x); i++) {
            x[i] = vanishing[i % LENGTH(vanishing)];
        }
        feclearexcept(FE_UNDERFLOW);
        assert_int_equal(table->math_exp(x, y, LENGTH(x)), GYRE_OK);
        assert_int_equal(fetestexcept(FE_UNDERFLOW), 0);
        for (size_t i = 0; i < LENGTH(x); i++) {
            assert_true(y[i] == 0);
        }
    }
}

static void test_null_and_empty(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX];
    size_t table_count = tested_tables(tables);
    for (size_t table = 0; table < table_count; table++) {
        const gyre_kernels *kernels = tables[table];
        float x = 0.5f, y = 3, z = 4;
        for (size_t function = 0; function < MAPS; function++) {
            map_function map = map_of(kernels, function);
            assert_int_equal(map(NULL, &y, 1), GYRE_ERROR_NULL);
            assert_int_equal(map(&x, NULL, 1), GYRE_ERROR_NULL);
            assert_int_equal(map(NULL, NULL, 100), GYRE_ERROR_NULL);
            assert_int_equal(map(NULL, NULL, 0), GYRE_OK);
            assert_int_equal(map(&x, &y, 0), GYRE_OK);
        }
        assert_int_equal(kernels->math_sincos(NULL, &y, &z, 1), GYRE_ERROR_NULL);
        assert_int_equal(kernels->math_sincos(&x, NULL, &z, 1), GYRE_ERROR_NULL);
        assert_int_equal(kernels->math_sincos(&x, &y, NULL, 1), GYRE_ERROR_NULL);
        assert_int_equal(kernels->math_sincos(NULL, NULL, NULL, 0), GYRE_OK);
        assert_int_equal(kernels->math_sincos(&x, &y, &z, 0), GYRE_OK);
        assert_true(x == 0.5f && y == 3 && z == 4);
    }
}

/* The plain functions are those of the table in use. */
static void test_plain_functions(void **state)
{
    (void)state;
    random_source random = {5};
    const map_function plain[MAPS] = {gyre_exp, gyre_expm1, gyre_log, gyre_sin, gyre_cos};
    const gyre_kernels *tables[TABLES_MAX], *before = gyre_in_use();
    size_t table_count = tested_tables(tables);
    static all_results want, got;
    float x[SOME];
    random_arguments(&random, x, SOME);
    for (size_t table = 0; table < table_count; table++) {
        assert_int_equal(gyre_use(tables[table]), GYRE_OK);
        compute_all(tables[table], x, &want, SOME);
        for (size_t function = 0; function < MAPS; function++) {
            assert_int_equal(plain[function](x, got.y[function], SOME), GYRE_OK);
        }
        assert_int_equal(gyre_sincos(x, got.y[MAPS], got.y[MAPS + 1], SOME), GYRE_OK);
        for (size_t output = 0; output < OUTPUTS; output++) {
            for (size_t i = 0; i < SOME; i++) {
                assert_true(same_float(got.y[output][i], want.y[output][i]));
            }
        }
    }
    gyre_use(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_neighbours_change_nothing),
        cmocka_unit_test(test_lengths_and_alignments),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_vanishing_exponentials),
        cmocka_unit_test(test_null_and_empty),
        cmocka_unit_test(test_plain_functions),
    };
    return cmocka_run_group_tests_name("math promises", tests, NULL, NULL);
}
