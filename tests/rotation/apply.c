/* gyre_rotation_apply: the stated error, and the rules of turned vectors. */
#include "support/quaternions.h"
#include "support/rotations.h"

#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

static vector vector_in(float array[][CHUNK], size_t i)
{
    return (vector){{(double)array[0][i], (double)array[1][i], (double)array[2][i]}};
}

static void vector_put(float array[][CHUNK], size_t i, vector v)
{
    for (size_t k = 0; k < 3; k++) {
        array[k][i] = (float)v.at[k];
    }
}

/* Quaternions, and vectors of every direction and of lengths of 2^-60 to 2^60. */
static void fill_vectors(chunk *c, random_source *random)
{
    fill_chunk(c, random);
    for (size_t i = 0; i < CHUNK; i++) {
        const vector v = random_one_in(random, 2) ? random_axis(random) : random_direction(random);
        vector_put(c->in + 4, i, vector_scaled(v, (double)random_magnitude(random, -60, 60)));
    }
}

static vector along(size_t axis) { return (vector){{axis == 0, axis == 1, axis == 2}}; }

static double length_of_difference(vector a, vector b) { return vector_length(vector_difference(a, b)); }

/* Against R(q / |q|) v in double: the quaternions are rounded to float, so their lengths are not 1. */
static void test_apply_errors(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {21};
        worst_case worst = {0};
        for (size_t round = 0; round < effort(400); round++) {
            fill_vectors(&c, &random);
            run_chunk(table, APPLY, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const quaternion q = a_of(&c, i);
                const vector v = vector_in(c.in + 4, i), exact = quaternion_rotate(quaternion_normalised(q), v);
                const vector off = vector_difference(vector_in(c.out, i), exact);
                CASE("%a %a %a %a applied to %a %a %a", q.at[0], q.at[1], q.at[2], q.at[3], v.at[0], v.at[1], v.at[2]);
                for (size_t k = 0; k < 3; k++) {
                    check_share(&worst, fabs(off.at[k]) / (12 * eps * vector_length(v)));
                }
            }
        }
        print_worst("apply", &worst);
    }
}

/* A length that is off by d adds up to 4 d |v|, and d^2 terms. */
static void test_lengths(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {22};
        for (double off = 0x1p-20; off < 0x1p-4; off *= 2) {
            fill_vectors(&c, &random);
            for (size_t i = 0; i < CHUNK; i++) {
                quaternion_put(c.in, i, quaternion_scaled(a_of(&c, i), i % 2 ? 1 + off : 1 - off));
            }
            run_chunk(table, APPLY, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const vector v = vector_in(c.in + 4, i);
                const vector exact = quaternion_rotate(quaternion_normalised(a_of(&c, i)), v);
                CASE("element %zu, length off by %g", i, off);
                check(length_of_difference(vector_in(c.out, i), exact), <=,
                      (4 * off + 2 * off * off + 24 * eps) * vector_length(v));
            }
        }
    }
}

/* A quarter turn about z takes x to y; the matrix of the same rotation does the same. */
static void test_sense(void **state)
{
    (void)state;
    static chunk c;
    EACH_TABLE(table) {
        random_source random = {23};
        fill_vectors(&c, &random);
        quaternion_put(c.in, 0, reference_quaternion((vector){{0, 0, 1.5707963267948966}}));
        vector_put(c.in + 4, 0, along(0));
        run_chunk(table, APPLY, &c);
        check(length_of_difference(vector_in(c.out, 0), along(1)), <=, 12 * eps);
        for (size_t i = 0; i < CHUNK; i++) {
            const vector v = vector_in(c.in + 4, i);
            const vector by_matrix = matrix_times(quaternion_matrix(quaternion_normalised(a_of(&c, i))), v);
            CASE("element %zu", i);
            check(length_of_difference(vector_in(c.out, i), by_matrix), <=, 24 * eps * vector_length(v));
        }
    }
}

/* By a product is by its second factor and then by its first; the conjugate turns back; the identity changes nothing.
 */
static void test_apply_identities(void **state)
{
    (void)state;
    static chunk c, next;
    static float product[4][CHUNK];
    EACH_BEST_TABLE(table) {
        random_source random = {24};
        for (size_t round = 0; round < effort(50); round++) {
            fill_vectors(&c, &random);
            memcpy(&next, &c, sizeof c);
            run_chunk(table, APPLY, &c);
            for (size_t i = 0; i < CHUNK; i++) { /* by another quaternion */
                quaternion_put(next.in, i, random_quaternion(&random));
                vector_put(next.in + 4, i, vector_in(c.out, i));
            }
            run_chunk(table, APPLY, &next);
            float *const a[4] = {next.in[0], next.in[1], next.in[2], next.in[3]};
            float *const b[4] = {c.in[0], c.in[1], c.in[2], c.in[3]};
            float *const ab[4] = {product[0], product[1], product[2], product[3]};
            float *const v[3] = {c.in[4], c.in[5], c.in[6]}, *const out[3] = {c.out[0], c.out[1], c.out[2]};
            check_status(table->rotation_product(a, b, ab, 0, CHUNK), GYRE_OK);
            check_status(table->rotation_apply(ab, v, out, 0, CHUNK), GYRE_OK);
            for (size_t i = 0; i < CHUNK; i++) {
                CASE("element %zu", i);
                check(length_of_difference(vector_in(c.out, i), vector_in(next.out, i)), <=,
                      60 * eps * vector_length(vector_in(c.in + 4, i)));
                quaternion_put(c.in, i, quaternion_conjugate(quaternion_in(product, i)));
                vector_put(next.in + 4, i, vector_in(c.in + 4, i));
            }
            check_status(table->rotation_apply(b, out, out, 0, CHUNK), GYRE_OK); /* in place */
            for (size_t i = 0; i < CHUNK; i++) {
                const vector before = vector_in(next.in + 4, i);
                CASE("element %zu and back", i);
                check(length_of_difference(vector_in(c.out, i), before), <=, 60 * eps * vector_length(before));
                quaternion_put(c.in, i, (quaternion){{0, 0, 0, 1}});
            }
            run_chunk(table, APPLY, &c);
            for (size_t k = 0; k < 3; k++) {
                CASE("identity, component %zu", k);
                for (size_t i = 0; i < CHUNK; i++) {
                    check(c.out[k][i], ==, c.in[4 + k][i]);
                }
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_apply_errors),
        TEST(test_lengths),
        TEST(test_sense),
        TEST(test_apply_identities),
    };
    return cmocka_run_group_tests_name("rotation_apply", tests, NULL, NULL);
}
