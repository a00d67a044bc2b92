/* gyre_rotation_vector: the stated error, every angle, q and -q, and that it inverts gyre_rotation_quaternion. */
#include "support/quaternions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double eps = 0x1p-24, pi = 3.14159265358979323846;

static double ulp_of(double exact)
{
    int exponent;
    frexp(exact, &exponent);
    return ldexp(1, exponent - 24);
}

static void check_vectors(chunk *c, size_t count, worst_case *worst)
{
    for (size_t i = 0; i < count; i++) {
        const quaternion q = a_of(c, i);
        const vector exact = reference_vector(q), got = {{c->out[0][i], c->out[1][i], c->out[2][i]}};
        const double length = vector_length(exact), off = vector_length(vector_difference(got, exact));
        CASE("%a %a %a %a: got %a %a %a, wanted %a %a %a", c->in[0][i], c->in[1][i], c->in[2][i], c->in[3][i],
             got.at[0], got.at[1], got.at[2], exact.at[0], exact.at[1], exact.at[2]);
        check_share(worst, off / (5 * ulp_of(length)));
        check(vector_length(got), <=, pi + 16 * eps);
    }
}

static void test_vector_errors(void **state)
{
    (void)state;
    static chunk c;
    static const char *const lengths[] = {"length 1", "nearly 1", "2^-29 to 2^29"};
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        for (size_t kind = 0; kind < LENGTH(lengths); kind++) {
            worst_case worst = {0};
            for (size_t round = 0; round < effort(200); round++) {
                fill_chunk(&c, &random);
                for (size_t i = 0; i < CHUNK && kind > 0; i++) {
                    const float length =
                        kind == 1 ? 1 + random_signed(&random, -20, -8) : random_magnitude(&random, -29, 29);
                    for (size_t k = 0; k < 4; k++) {
                        c.in[k][i] *= length;
                    }
                }
                run_chunk(table, VECTOR, &c);
                check_vectors(&c, CHUNK, &worst);
            }
            print_worst(lengths[kind], &worst);
        }
    }
}

/* (x, 0, 0, 1) turns by 2 atan x. With GYRE_EXHAUSTIVE for every float x from 2^-24 to 2^24, otherwise for some of
   them; and (1, 0, 0, w). */
static void test_every_angle(void **state)
{
    (void)state;
    static chunk c;
    const uint32_t step = getenv("GYRE_EXHAUSTIVE") != NULL ? 1 : 1601 * (uint32_t)(effort(50) < 50 ? 50 : 1);
    EACH_BEST_TABLE(table) {
        worst_case worst = {0};
        for (uint32_t bits = float_bits(0x1p-24f); bits < float_bits(0x1p24f);) {
            memset(&c, 0, sizeof c);
            for (size_t i = 0; i < CHUNK; i++, bits += step) {
                c.in[0][i] = float_from_bits(bits);
                c.in[3][i] = 1;
            }
            run_chunk(table, VECTOR, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const double exact = 2 * atan((double)c.in[0][i]);
                CASE("%a: got %a, wanted %a", c.in[0][i], c.out[0][i], exact);
                check_share(&worst, fabs((double)c.out[0][i] - exact) / (5 * ulp_of(exact)));
            }
        }
        print_worst("every angle", &worst);
    }
}

static void test_two_ways(void **state)
{
    (void)state;
    static chunk c, opposite;
    EACH_TABLE(table) {
        random_source random = {2};
        fill_chunk(&c, &random);
        for (size_t i = 0; i < CHUNK; i++) {
            if (i % 4 == 0 && fabsf(c.in[3][i]) < 0.9f) {
                c.in[3][i] = i % 8 == 0 ? 0.0f : -0.0f;
            }
            for (size_t k = 0; k < 4; k++) {
                opposite.in[k][i] = -c.in[k][i];
            }
        }
        run_chunk(table, VECTOR, &c);
        run_chunk(table, VECTOR, &opposite);
        for (size_t i = 0; i < CHUNK; i++) {
            CASE("%a %a %a %a", c.in[0][i], c.in[1][i], c.in[2][i], c.in[3][i]);
            for (size_t k = 0; k < 3; k++) {
                check_bits(opposite.out[k][i], c.out[k][i]);
                if (!signbit(c.in[3][i])) { /* the direction of (x, y, z) where w is 0 */
                    check(signbit(c.out[k][i]) != 0, ==, signbit(c.in[k][i]) != 0);
                }
            }
            if (c.in[3][i] == 0) {
                check_within(hypot(hypot((double)c.out[0][i], (double)c.out[1][i]), (double)c.out[2][i]), pi, 16 * eps);
            }
        }
    }
}

/* The vector of the quaternion of v is v up to half a turn; the quaternion of the vector of q is q or -q. */
static void test_vector_and_quaternion(void **state)
{
    (void)state;
    static chunk c;
    static float v[3][CHUNK];
    float *const vectors[3] = {v[0], v[1], v[2]};
    EACH_BEST_TABLE(table) {
        random_source random = {7};
        for (size_t round = 0; round < effort(80); round++) {
            pointers to = pointers_to(&c);
            for (size_t i = 0; i < CHUNK; i++) {
                const vector direction = random_axis(&random);
                const double angle =
                    i % 2 ? 3.1415 * (double)random_unit(&random) : (double)random_magnitude(&random, -60, 1);
                for (size_t k = 0; k < 3; k++) {
                    v[k][i] = (float)(direction.at[k] * angle);
                }
            }
            check_status(table->rotation_quaternion(vectors, to.in, 0, CHUNK), GYRE_OK);
            run_chunk(table, VECTOR, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                for (size_t k = 0; k < 3; k++) {
                    CASE("%a %a %a, component %zu", v[0][i], v[1][i], v[2][i], k);
                    const double angle = hypot(hypot((double)v[0][i], (double)v[1][i]), (double)v[2][i]);
                    check_within(c.out[k][i], v[k][i], angle * 20 * eps);
                }
            }
            check_status(table->rotation_quaternion(to.out, to.in + 4, 0, CHUNK), GYRE_OK);
            for (size_t i = 0; i < CHUNK; i++) {
                const quaternion q = a_of(&c, i), again = b_of(&c, i);
                CASE("%a %a %a %a", q.at[0], q.at[1], q.at[2], q.at[3]);
                check(largest_component(quaternion_difference(again, q)), <=, 12 * eps);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_vector_errors),
        TEST(test_every_angle),
        TEST(test_two_ways),
        TEST(test_vector_and_quaternion),
    };
    return cmocka_run_group_tests_name("rotation_vector", tests, NULL, NULL);
}
