/* Properties of the elementary functions other than their values: a result depends only on its own element, at any
   length and alignment, and in place. */
#include "support/elementary.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOME = 257, OUTPUTS = 7 };

/* All results of a table: of the five functions and both outputs of sincos. */
typedef struct all_results {
    float y[OUTPUTS][SOME];
} all_results;

static void compute_all(const gyre_kernels *table, const float *x, all_results *results, size_t count)
{
    for (size_t function = 0; function < MAPS; function++) {
        CASE("%s", map_names[function]);
        check_status(map_of(table, function)(x, results->y[function], count), GYRE_OK);
    }
    check_status(table->math_sincos(x, results->y[MAPS], results->y[MAPS + 1], count), GYRE_OK);
}

static const char *output_name(size_t output)
{
    return output < MAPS ? map_names[output] : output == MAPS ? "sincos, sin" : "sincos, cos";
}

/* Kernels compute whole blocks of ordinary arguments in another way, and blocks of angles of a few turns in a third
   way. So a third of the calls has ordinary arguments and some at the limit where angles count as large; a third
   includes large, special and arbitrary ones; and a third has only angles of a few turns. */
static void random_arguments(random_source *random, float *x, size_t count)
{
    enum { ORDINARY, ARBITRARY, FEW_TURNS, KINDS };
    const size_t kind = random_below(random, KINDS);
    const float most = random_magnitude(random, 5, 9);
    for (size_t i = 0; i < count; i++) {
        x[i] = kind == FEW_TURNS                               ? most * random_unit(random)
               : kind == ARBITRARY && random_one_in(random, 4) ? random_any_float(random)
               : kind == ARBITRARY && random_one_in(random, 8)
                   ? special_floats[random_below(random, special_float_count)]
               : kind == ARBITRARY && random_one_in(random, 8) ? random_signed(random, 13, 127)
               : random_one_in(random, 8)                      ? 12790 + 79 * random_unit(random)
                                                               : random_signed(random, -10, kind == ORDINARY ? 6 : 8);
        x[i] = random_one_in(random, 2) ? -x[i] : x[i];
    }
}

static void test_neighbours_change_nothing(void **state)
{
    (void)state;
    random_source random = {1};
    static all_results together, alone;
    for (size_t round = 0; round < effort(200); round++) {
        float x[SOME];
        random_arguments(&random, x, SOME);
        EACH_TABLE(table) {
            compute_all(table, x, &together, SOME);
            for (size_t i = 0; i < SOME; i++) {
                compute_all(table, &x[i], &alone, 1);
                for (size_t output = 0; output < OUTPUTS; output++) {
                    CASE("%s of %a among others", output_name(output), x[i]);
                    check_same(together.y[output][i], alone.y[output][0]);
                }
            }
        }
    }
}

/* Every length and alignment, also with outputs aligned differently from inputs, at both ends of accessible memory.
   Nothing else is written. */
static void test_lengths_and_alignments(void **state)
{
    (void)state;
    enum { LONGEST = 50, MARGIN = 20 };
    random_source random = {2};
    static all_results want;
    guarded_memory x_memory = guarded_new(1), y_memory = guarded_new(1), z_memory = guarded_new(1);
    size_t floats = (size_t)(x_memory.end - x_memory.begin) / sizeof(float);
    float *marks = malloc(floats * sizeof *marks);
    check(marks, !=, NULL);
    for (size_t i = 0; i < floats; i++) {
        marks[i] = -12345.5f;
    }
    EACH_TABLE(table) {
        for (size_t count = 0; count <= LONGEST; count++) {
            float x[LONGEST];
            random_arguments(&random, x, count);
            compute_all(table, x, &want, count);
            for (size_t offset = 0; offset <= MARGIN; offset++) {
                /* The last offset ends where memory ends. */
                size_t at = offset < MARGIN ? offset : floats - count;
                size_t to = offset < MARGIN ? MARGIN - 1 - offset : floats - count;
                float *xs = (float *)x_memory.begin + at;
                float *ys[2] = {(float *)y_memory.begin, (float *)z_memory.begin};
                memcpy(xs, x, count * sizeof *x);
                for (size_t output = 0; output <= MAPS; output++) {
                    memcpy(ys[0], marks, floats * sizeof *marks);
                    memcpy(ys[1], marks, floats * sizeof *marks);
                    if (output < MAPS) {
                        map_of(table, output)(xs, ys[0] + to, count);
                    } else {
                        table->math_sincos(xs, ys[0] + to, ys[1] + at, count);
                    }
                    for (size_t which = 0; which < (output < MAPS ? 1u : 2u); which++) {
                        CASE("%s of %zu floats at offset %zu", output_name(output + which), count, at);
                        size_t first = which == 0 ? to : at, end = first + count;
                        check_floats(ys[which] + first, want.y[output + which], count);
                        check_floats(ys[which], marks, first);
                        check_floats(ys[which] + end, marks, floats - end);
                    }
                }
                CASE("input of %zu floats at offset %zu", count, at);
                check_floats(xs, x, count);
            }
        }
    }
    free(marks);
    guarded_free(x_memory);
    guarded_free(y_memory);
    guarded_free(z_memory);
}

static void test_in_place(void **state)
{
    (void)state;
    random_source random = {3};
    static all_results want;
    float x[SOME], in_place[SOME], other[SOME];
    random_arguments(&random, x, SOME);
    EACH_TABLE(table) {
        compute_all(table, x, &want, SOME);
        for (size_t output = 0; output < OUTPUTS; output++) {
            CASE("%s", output_name(output));
            memcpy(in_place, x, sizeof x);
            if (output < MAPS) {
                map_of(table, output)(in_place, in_place, SOME);
            } else {
                table->math_sincos(in_place, output == MAPS ? in_place : other, output == MAPS ? other : in_place,
                                   SOME);
            }
            check_floats(in_place, want.y[output], SOME);
        }
    }
}

/* The sine of -x is minus that of x, and the cosine is the same, bit for bit; also near the limit where angles count as
   large. */
static void test_symmetry(void **state)
{
    (void)state;
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
        EACH_TABLE(table) {
            compute_all(table, x, &of_x, SOME);
            compute_all(table, minus_x, &of_minus_x, SOME);
            for (size_t i = 0; i < SOME; i++) {
                const size_t sines[2] = {SIN, MAPS}, cosines[2] = {COS, MAPS + 1};
                for (size_t k = 0; k < 2; k++) {
                    CASE("%s of %a", k == 0 ? "sin or cos" : "sincos", minus_x[i]);
                    check_same(of_minus_x.y[sines[k]][i], -of_x.y[sines[k]][i]);
                    check_same(of_minus_x.y[cosines[k]][i], of_x.y[cosines[k]][i]);
                }
            }
        }
    }
}

/* An exponential that underflows to 0 must not produce subnormal numbers on the way. */
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
        check_status(table->math_exp(x, y, LENGTH(x)), GYRE_OK);
        check(fetestexcept(FE_UNDERFLOW), ==, 0);
        for (size_t i = 0; i < LENGTH(x); i++) {
            CASE("exp of %a", x[i]);
            check(y[i], ==, 0);
        }
    }
}

static void test_null_and_empty(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        float x = 0.5f, y = 3, z = 4;
        for (size_t function = 0; function < MAPS; function++) {
            CASE("%s", map_names[function]);
            map_function map = map_of(table, function);
            check_status(map(NULL, &y, 1), GYRE_ERROR_NULL);
            check_status(map(&x, NULL, 1), GYRE_ERROR_NULL);
            check_status(map(NULL, NULL, 100), GYRE_ERROR_NULL);
            check_status(map(NULL, NULL, 0), GYRE_OK);
            check_status(map(&x, &y, 0), GYRE_OK);
        }
        check_status(table->math_sincos(NULL, &y, &z, 1), GYRE_ERROR_NULL);
        check_status(table->math_sincos(&x, NULL, &z, 1), GYRE_ERROR_NULL);
        check_status(table->math_sincos(&x, &y, NULL, 1), GYRE_ERROR_NULL);
        check_status(table->math_sincos(NULL, NULL, NULL, 0), GYRE_OK);
        check_status(table->math_sincos(&x, &y, &z, 0), GYRE_OK);
        check(x, ==, 0.5f);
        check(y, ==, 3);
        check(z, ==, 4);
    }
}

/* The plain functions give the results of the table in use. */
static void test_plain_functions(void **state)
{
    (void)state;
    random_source random = {5};
    const map_function plain[MAPS] = {gyre_exp, gyre_expm1, gyre_log, gyre_sin, gyre_cos};
    const gyre_kernels *before = gyre_in_use();
    static all_results want, got;
    float x[SOME];
    random_arguments(&random, x, SOME);
    EACH_TABLE(table) {
        check_status(gyre_use(table), GYRE_OK);
        compute_all(table, x, &want, SOME);
        for (size_t function = 0; function < MAPS; function++) {
            check_status(plain[function](x, got.y[function], SOME), GYRE_OK);
        }
        check_status(gyre_sincos(x, got.y[MAPS], got.y[MAPS + 1], SOME), GYRE_OK);
        for (size_t output = 0; output < OUTPUTS; output++) {
            CASE("%s", output_name(output));
            check_floats(got.y[output], want.y[output], SOME);
        }
    }
    gyre_use(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_neighbours_change_nothing),
        TEST(test_lengths_and_alignments),
        TEST(test_in_place),
        TEST(test_symmetry),
        TEST(test_vanishing_exponentials),
        TEST(test_null_and_empty),
        TEST(test_plain_functions),
    };
    return cmocka_run_group_tests_name("math_arguments", tests, NULL, NULL);
}
