/* gyre_rotation_vector, _product and _between: the stated errors, every sentence of the contracts, what the six
   functions of rotation.h are to each other, and the guarantees. */
#include "reference/rotation.h"
#include "support/support.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double eps = 0x1p-24, pi = 3.14159265358979323846;

enum { CHUNK = 1021, INPUTS = 8 }; /* a tail for every width */

/* in: the components of a, then of b. */
typedef struct chunk {
    float in[INPUTS][CHUNK], out[4][CHUNK];
} chunk;

typedef enum operation { VECTOR, PRODUCT, BETWEEN, BEYOND, OPERATIONS } operation;

static const char *const operation_names[OPERATIONS] = {"vector", "product", "between", "beyond"};
static const size_t outputs_of[OPERATIONS] = {3, 4, 4, 4}, inputs_of[OPERATIONS] = {4, 8, 8, 8};
static const float part_of[OPERATIONS] = {[BETWEEN] = 0.3f, [BEYOND] = -1.7f};

static gyre_status run(const gyre_kernels *table, operation which, float *const in[INPUTS], float *const out[4],
                       size_t begin, size_t end)
{
    switch (which) {
    case VECTOR: return table->rotation_vector(in, out, begin, end);
    case PRODUCT: return table->rotation_product(in, in != NULL ? in + 4 : NULL, out, begin, end);
    default: return table->rotation_between(in, in != NULL ? in + 4 : NULL, part_of[which], out, begin, end);
    }
}

typedef struct pointers {
    float *in[INPUTS], *out[4];
} pointers;

static pointers pointers_to(chunk *c)
{
    pointers to;
    for (size_t k = 0; k < INPUTS; k++) {
        to.in[k] = c->in[k];
        to.out[k % 4] = c->out[k % 4];
    }
    return to;
}

static void run_chunk(const gyre_kernels *table, operation which, chunk *c)
{
    pointers to = pointers_to(c);
    check_status(run(table, which, to.in, to.out, 0, CHUNK), GYRE_OK);
}

static void run_between(const gyre_kernels *table, float part, chunk *c)
{
    pointers to = pointers_to(c);
    check_status(table->rotation_between(to.in, to.in + 4, part, to.out, 0, CHUNK), GYRE_OK);
}

/* ---- Quaternions to try ---- */

static quaternion quaternion_in(float array[][CHUNK], size_t i)
{
    return (quaternion){{(double)array[0][i], (double)array[1][i], (double)array[2][i], (double)array[3][i]}};
}

static quaternion a_of(chunk *c, size_t i) { return quaternion_in(c->in, i); }
static quaternion b_of(chunk *c, size_t i) { return quaternion_in(c->in + 4, i); }
static quaternion result_of(chunk *c, size_t i) { return quaternion_in(c->out, i); }

static double length_of(quaternion q) { return hypot(hypot(q.at[0], q.at[1]), hypot(q.at[2], q.at[3])); }

static quaternion scaled(quaternion q, double factor)
{
    return (quaternion){{factor * q.at[0], factor * q.at[1], factor * q.at[2], factor * q.at[3]}};
}

static quaternion difference(quaternion a, quaternion b)
{
    return (quaternion){{a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2], a.at[3] - b.at[3]}};
}

static double largest_component(quaternion q)
{
    double largest = 0;
    for (size_t k = 0; k < 4; k++) {
        largest = worse_of(largest, fabs(q.at[k]));
    }
    return largest;
}

static double dot_of(quaternion a, quaternion b)
{
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2] + a.at[3] * b.at[3];
}

static void put(float array[][CHUNK], size_t i, quaternion q)
{
    for (size_t k = 0; k < 4; k++) {
        array[k][i] = (float)q.at[k];
    }
}

static vector random_direction(random_source *random)
{
    for (;;) {
        vector v;
        for (size_t k = 0; k < 3; k++) {
            v.at[k] = random_one_in(random, 8)    ? 0
                      : random_one_in(random, 12) ? (double)random_signed(random, -30, -1)
                                                  : 2 * (double)random_unit(random) - 1;
        }
        if (vector_length(v) > 0.1) {
            return vector_scaled(v, 1 / vector_length(v));
        }
    }
}

/* Of a turn by an angle of any kind: small, near pi, any. */
static quaternion random_quaternion(random_source *random)
{
    const double angle = random_one_in(random, 4)   ? (double)random_magnitude(random, -60, 0)
                         : random_one_in(random, 4) ? pi + (double)random_signed(random, -40, -1)
                                                    : 2 * pi * (double)random_unit(random);
    const quaternion q = reference_quaternion(vector_scaled(random_direction(random), angle));
    return random_one_in(random, 2) ? scaled(q, -1) : q;
}

static void fill(chunk *c, random_source *random)
{
    for (size_t i = 0; i < CHUNK; i++) {
        const quaternion a = random_quaternion(random), b = random_quaternion(random);
        put(c->in, i, a);
        put(c->in + 4, i, random_one_in(random, 3) ? quaternion_product(a, b) : b); /* near a, or anywhere */
    }
}

/* ---- Rotation vectors ---- */

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
                fill(&c, &random);
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

/* (x, 0, 0, 1) turns by 2 atan x. With GYRE_EXHAUSTIVE for every float x from 2^-24 to 2^24, else for some of them;
   and (1, 0, 0, w). */
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
        fill(&c, &random);
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
                if (!signbit(c.in[3][i])) { /* and the way of (x, y, z) where w is 0 */
                    check(signbit(c.out[k][i]) != 0, ==, signbit(c.in[k][i]) != 0);
                }
            }
            if (c.in[3][i] == 0) {
                check_within(hypot(hypot((double)c.out[0][i], (double)c.out[1][i]), (double)c.out[2][i]), pi, 16 * eps);
            }
        }
    }
}

/* ---- Products ---- */

static void test_product_errors(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        worst_case worst = {0};
        for (size_t round = 0; round < effort(100); round++) {
            fill(&c, &random);
            for (size_t i = 0; i < CHUNK && round % 3 == 0; i++) {
                const float length = random_magnitude(&random, -20, 20);
                for (size_t k = 0; k < 4; k++) {
                    c.in[k][i] *= length;
                }
            }
            run_chunk(table, PRODUCT, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const quaternion a = a_of(&c, i), b = b_of(&c, i), exact = quaternion_product(a, b);
                CASE("%a %a %a %a times %a %a %a %a", a.at[0], a.at[1], a.at[2], a.at[3], b.at[0], b.at[1], b.at[2],
                     b.at[3]);
                const double off = largest_component(difference(result_of(&c, i), exact));
                check_share(&worst, off / (4 * eps * length_of(a) * length_of(b)));
            }
        }
        print_worst("product", &worst);
    }
}

/* A quarter turn about z, then one about x, takes x to z; the other way round x goes to y. */
static void test_order_of_product(void **state)
{
    (void)state;
    static chunk c;
    const double quarter = pi / 2;
    const quaternion about_z = reference_quaternion((vector){{0, 0, quarter}}),
                     about_x = reference_quaternion((vector){{quarter, 0, 0}});
    EACH_TABLE(table) {
        put(c.in, 0, about_x);
        put(c.in + 4, 0, about_z);
        run_chunk(table, PRODUCT, &c);
        const vector first_z = quaternion_rotate(result_of(&c, 0), (vector){{1, 0, 0}});
        check_within(first_z.at[2], 1, 8 * eps);
        put(c.in, 0, about_z);
        put(c.in + 4, 0, about_x);
        run_chunk(table, PRODUCT, &c);
        const vector first_x = quaternion_rotate(result_of(&c, 0), (vector){{1, 0, 0}});
        check_within(first_x.at[1], 1, 8 * eps);
    }
}

/* ---- Between ---- */

static double error_between(double part) { return part >= 0 && part <= 1 ? 5 * eps : (8 + 8 * fabs(part)) * eps; }

/* Against the exact curve between the directions. Where they are half a turn apart, rounding chooses the way. */
static void check_between(chunk *c, float part, double allowed, worst_case *worst)
{
    for (size_t i = 0; i < CHUNK; i++) {
        const quaternion a = quaternion_normalised(a_of(c, i)), b = quaternion_normalised(b_of(c, i));
        if (fabs(dot_of(a, b)) < 4 * eps) {
            continue;
        }
        const quaternion exact = reference_between(a, b, (double)part), got = result_of(c, i);
        CASE("%a of the way from %a %a %a %a to %a %a %a %a: got %a %a %a %a", part, c->in[0][i], c->in[1][i],
             c->in[2][i], c->in[3][i], c->in[4][i], c->in[5][i], c->in[6][i], c->in[7][i], got.at[0], got.at[1],
             got.at[2], got.at[3]);
        check_share(worst, largest_component(difference(got, exact)) / allowed);
    }
}

static float random_part(random_source *random, size_t kind)
{
    switch (kind) {
    case 0: return random_unit(random);
    case 1: return random_magnitude(random, -50, 0);
    case 2: return 1 - random_magnitude(random, -24, 0);
    case 3: return random_signed(random, -40, 0) < 0 ? -random_magnitude(random, -40, 1) : 1 + random_unit(random);
    default: return random_signed(random, 0, 12);
    }
}

static void test_between_errors(void **state)
{
    (void)state;
    static chunk c;
    static const char *const parts[] = {"0 to 1", "2^-50 to 1", "nearly 1", "somewhat beyond", "far beyond"};
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        for (size_t kind = 0; kind < LENGTH(parts); kind++) {
            worst_case worst = {0};
            for (size_t round = 0; round < effort(120); round++) {
                fill(&c, &random);
                const float part = random_part(&random, kind);
                run_between(table, part, &c);
                check_between(&c, part, error_between((double)part), &worst);
            }
            print_worst(parts[kind], &worst);
        }
    }
}

/* 0 gives a, and 1 gives b or -b: equal, not nearly, but for components below 2^-63. */
static void test_ends(void **state)
{
    (void)state;
    static chunk c;
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t round = 0; round < effort(20); round++) {
            fill(&c, &random);
            run_between(table, round % 3 == 0 ? 0.0f : round % 3 == 1 ? -0.0f : 0x1p-40f, &c);
            for (size_t i = 0; i < 4 * CHUNK; i++) {
                const float a = c.in[i % 4][i / 4], kept = fabsf(a) < 0x1p-63f ? 0 : a;
                check(c.out[i % 4][i / 4], ==, kept);
            }
            run_between(table, 1, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const double dot = dot_of(a_of(&c, i), b_of(&c, i));
                for (size_t k = 0; k < 4; k++) {
                    const float b = c.in[4 + k][i], kept = fabsf(b) < 0x1p-63f ? 0 : b;
                    CASE("component %zu of %a, product %a", k, b, dot);
                    check(fabsf(c.out[k][i]), ==, fabsf(kept));
                    if (fabs(dot) > 4 * eps) {
                        check(c.out[k][i], ==, dot < 0 ? -kept : kept);
                    }
                }
            }
        }
    }
}

/* Half a turn apart: the way of b, whatever the signs of zeros. */
static void test_half_a_turn_apart(void **state)
{
    (void)state;
    static chunk c;
    static const float ends[][8] = {{0, 0, 0, 1, 1, 0, 0, 0},
                                    {0, 0, 0, 1, -1, 0, 0, 0},
                                    {0.5f, 0.5f, 0.5f, 0.5f, 0.5f, -0.5f, 0.5f, -0.5f},
                                    {0, 0, -0.6f, -0.8f, -0.6f, -0.8f, 0, 0},
                                    {0, 0, 0, 1, -1, -0.0f, -0.0f, -0.0f}};
    EACH_TABLE(table) {
        for (size_t i = 0; i < CHUNK; i++) {
            for (size_t k = 0; k < INPUTS; k++) {
                c.in[k][i] = ends[i % LENGTH(ends)][k];
            }
        }
        run_between(table, 0.5f, &c);
        for (size_t i = 0; i < CHUNK; i++) {
            for (size_t k = 0; k < 4; k++) {
                CASE("pair %zu, component %zu", i % LENGTH(ends), k);
                check_within(c.out[k][i], sqrt(0.5) * (double)(c.in[k][i] + c.in[4 + k][i]), 5 * eps);
            }
        }
    }
}

/* Lengths that are off by up to 2^-7: the length of the result is between them, and the direction hardly moves. */
static void test_lengths_between(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t round = 0; round < effort(80); round++) {
            fill(&c, &random);
            const float part = random_part(&random, round % 3);
            double off[CHUNK][2];
            for (size_t i = 0; i < CHUNK; i++) {
                for (size_t of = 0; of < 2; of++) {
                    const float length = 1 + random_signed(&random, -20, -8);
                    for (size_t k = 0; k < 4; k++) {
                        c.in[4 * of + k][i] *= length;
                    }
                    off[i][of] = (double)length - 1;
                }
            }
            run_between(table, part, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                const quaternion a = a_of(&c, i), b = b_of(&c, i), got = result_of(&c, i);
                if (fabs(dot_of(a, b)) < 4 * eps) {
                    continue;
                }
                const double length = length_of(got) - 1, most = fmax(fabs(off[i][0]), fabs(off[i][1]));
                CASE("lengths 1 + %a and 1 + %a, at %a", off[i][0], off[i][1], part);
                check(length, <=, fmax(off[i][0], off[i][1]) + 0.5 * most + 8 * eps);
                check(length, >=, fmin(off[i][0], off[i][1]) - 0.5 * most - 8 * eps);
                const quaternion exact =
                    reference_between(quaternion_normalised(a), quaternion_normalised(b), (double)part);
                check(length_of(difference(quaternion_normalised(got), exact)), <=, most + 8 * eps);
            }
        }
    }
}

/* ---- What the functions are to each other ---- */

/* The vector of the quaternion of v is v up to half a turn; that of the vector of q is q or -q. */
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
                const vector direction = random_direction(&random);
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
                check(largest_component(difference(again, q)), <=, 12 * eps);
            }
        }
    }
}

static void multiply(const gyre_kernels *table, float a[][CHUNK], float b[][CHUNK], float out[][CHUNK])
{
    float *const first[4] = {a[0], a[1], a[2], a[3]}, *const second[4] = {b[0], b[1], b[2], b[3]};
    float *const product[4] = {out[0], out[1], out[2], out[3]};
    check_status(table->rotation_product(first, second, product, 0, CHUNK), GYRE_OK);
}

/* (a b) c = a (b c); the matrix of a product is the product of matrices; what goes forth and back stays. */
static void test_product_identities(void **state)
{
    (void)state;
    static chunk c;
    static float third[4][CHUNK], ab[4][CHUNK], bc[4][CHUNK], left[4][CHUNK], right[4][CHUNK];
    EACH_BEST_TABLE(table) {
        random_source random = {8};
        for (size_t round = 0; round < effort(50); round++) {
            fill(&c, &random);
            for (size_t i = 0; i < CHUNK; i++) {
                put(third, i, random_quaternion(&random));
            }
            multiply(table, c.in, c.in + 4, ab);
            multiply(table, c.in + 4, third, bc);
            multiply(table, ab, third, left);
            multiply(table, c.in, bc, right);
            for (size_t i = 0; i < CHUNK; i++) {
                CASE("element %zu", i);
                check(largest_component(difference(quaternion_in(left, i), quaternion_in(right, i))), <=, 12 * eps);
                const matrix a = quaternion_matrix(a_of(&c, i)), b = quaternion_matrix(b_of(&c, i)),
                             of_product = quaternion_matrix(quaternion_in(ab, i)), product = matrix_product(a, b);
                for (size_t k = 0; k < 9; k++) {
                    check_within(of_product.at[k / 3][k % 3], product.at[k / 3][k % 3], 40 * eps);
                }
                put(third, i, quaternion_conjugate(a_of(&c, i)));
            }
            multiply(table, c.in, third, left);
            for (size_t i = 0; i < CHUNK; i++) { /* q times its conjugate */
                check_within(left[3][i], 1, 8 * eps);
                for (size_t k = 0; k < 3; k++) {
                    check_within(left[k][i], 0, 4 * eps);
                }
                put(third, i, (quaternion){{0, 0, 0, 1}});
            }
            multiply(table, c.in, third, left);
            multiply(table, third, c.in, right);
            for (size_t i = 0; i < 4 * CHUNK; i++) { /* the identity changes nothing */
                check(left[i % 4][i / 4], ==, c.in[i % 4][i / 4]);
                check(right[i % 4][i / 4], ==, c.in[i % 4][i / 4]);
            }
        }
    }
}

/* The way back is the same way; half of it twice is all of it; and it turns evenly, beyond the ends too. */
static void test_between_identities(void **state)
{
    (void)state;
    static chunk c, back;
    EACH_BEST_TABLE(table) {
        random_source random = {9};
        for (size_t round = 0; round < effort(80); round++) {
            fill(&c, &random);
            memcpy(back.in, c.in + 4, sizeof c.out);
            memcpy(back.in + 4, c.in, sizeof c.out);
            const float part = random_part(&random, round % 4);
            run_between(table, part, &c);
            run_between(table, 1 - part, &back);
            for (size_t i = 0; i < CHUNK; i++) {
                const quaternion a = a_of(&c, i), b = b_of(&c, i), got = result_of(&c, i), other = result_of(&back, i);
                const double dot = dot_of(a, b), angle = quaternion_angle(a, b);
                if (fabs(dot) < 4 * eps) {
                    continue;
                }
                CASE("%a of %a rad, element %zu", part, angle, i);
                check(largest_component(difference(got, scaled(other, dot < 0 ? -1 : 1))), <=,
                      error_between((double)part) + error_between(1 - (double)part) + 2 * eps);
                if (fabs((double)part) * angle < 3) {
                    check_within(quaternion_angle(a, got), fabs((double)part) * angle, 4 * error_between((double)part));
                }
            }
        }
    }
}

/* ---- Guarantees ---- */

static bool is_nan_of(const chunk *c, operation which, size_t i)
{
    for (size_t k = 0; k < outputs_of[which]; k++) {
        if (!isnan(c->out[k][i])) {
            return false;
        }
    }
    return true;
}

/* A NaN, an infinity or an invalid length in one element is in its results alone. */
static void test_isolation(void **state)
{
    (void)state;
    static chunk clean, poisoned;
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY}, lengths[] = {0, 0x1p-35f, 0x1p35f, 0x1p90f, 1.01f, 0.98f};
    EACH_TABLE(table) {
        random_source random = {10};
        for (size_t round = 0; round < effort(120); round++) {
            const operation which = round % OPERATIONS;
            fill(&clean, &random);
            memcpy(&poisoned, &clean, sizeof clean);
            bool is_bad[CHUNK] = {false};
            for (size_t i = random_below(&random, 40); i < CHUNK; i += 1 + random_below(&random, 40)) {
                const size_t first = which == VECTOR ? 0 : 4 * random_below(&random, 2);
                if (random_one_in(&random, 2) || which == PRODUCT) {
                    poisoned.in[first + random_below(&random, 4)][i] = bad[random_below(&random, LENGTH(bad))];
                } else {
                    const float length = lengths[random_below(&random, which == VECTOR ? 4 : LENGTH(lengths))];
                    for (size_t k = 0; k < 4; k++) {
                        poisoned.in[first + k][i] *= length;
                    }
                }
                is_bad[i] = true;
            }
            run_chunk(table, which, &clean);
            run_chunk(table, which, &poisoned);
            for (size_t i = 0; i < CHUNK; i++) {
                CASE("%s of %a %a %a %a and %a %a %a %a", operation_names[which], poisoned.in[0][i], poisoned.in[1][i],
                     poisoned.in[2][i], poisoned.in[3][i], poisoned.in[4][i], poisoned.in[5][i], poisoned.in[6][i],
                     poisoned.in[7][i]);
                if (which != PRODUCT && is_bad[i]) {
                    check(is_nan_of(&poisoned, which, i), ==, true);
                }
                for (size_t k = 0; k < outputs_of[which]; k++) {
                    if (is_bad[i]) {
                        check(isfinite(poisoned.out[k][i]), ==, false);
                    } else {
                        check_bits(poisoned.out[k][i], clean.out[k][i]);
                    }
                }
            }
        }
    }
}

/* Any range at any alignment, between pages that fault, gives the bits of the whole, and nothing else is written. An
   output may be the array of an input. */
static void test_slices(void **state)
{
    (void)state;
    static chunk whole, part;
    enum { LONGEST = 80 };
    guarded_memory memory[INPUTS + 4];
    for (size_t k = 0; k < LENGTH(memory); k++) {
        memory[k] = guarded_new(2 * LONGEST * sizeof(float));
    }
    EACH_TABLE(table) {
        random_source random = {11};
        for (operation which = 0; which < OPERATIONS; which++) {
            fill(&whole, &random);
            run_chunk(table, which, &whole);
            for (size_t count = 0; count <= 2 * LONGEST; count++) {
                const size_t length = count / 2, from = random_below(&random, CHUNK - length);
                CASE("%s of %zu elements", operation_names[which], length);
                pointers to;
                for (size_t k = 0; k < LENGTH(memory); k++) { /* at the end of the page, or near the beginning */
                    float *page = count % 2 ? (float *)(void *)memory[k].end - length
                                            : (float *)(void *)memory[k].begin + random_below(&random, 17);
                    *(k < INPUTS ? &to.in[k] : &to.out[k - INPUTS]) = page;
                }
                for (size_t k = 0; k < INPUTS; k++) {
                    memcpy(to.in[k], whole.in[k] + from, length * sizeof(float));
                }
                const size_t turned = random_below(&random, 8);
                for (size_t k = 0; k < 4 && random_one_in(&random, 2); k++) {
                    to.out[k] = to.in[(k + turned) % inputs_of[which]];
                }
                check_status(run(table, which, to.in, to.out, 0, length), GYRE_OK);
                for (size_t k = 0; k < outputs_of[which]; k++) {
                    CASE("entry %zu", k);
                    check_floats(to.out[k], whole.out[k] + from, length);
                }
            }
            memcpy(&part, &whole, sizeof whole);
            memset(part.out, 0x5a, sizeof part.out);
            pointers to = pointers_to(&part);
            const size_t begin = random_below(&random, 40), end = CHUNK - random_below(&random, 40);
            check_status(run(table, which, to.in, to.out, begin, end), GYRE_OK);
            CASE("%s of elements %zu to %zu", operation_names[which], begin, end);
            for (size_t k = 0; k < 4; k++) {
                for (size_t i = 0; i < CHUNK; i++) {
                    const bool written = k < outputs_of[which] && i >= begin && i < end;
                    CASE("entry %zu of element %zu", k, i);
                    check_bits(part.out[k][i], written ? whole.out[k][i] : float_from_bits(0x5a5a5a5a));
                }
            }
            check_bytes(part.in, whole.in, sizeof whole.in);
        }
    }
    for (size_t k = 0; k < LENGTH(memory); k++) {
        guarded_free(memory[k]);
    }
}

/* Small turns and small parts cause no subnormal numbers, which take ten to a hundred times as long. */
static void test_no_underflow(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {12};
        for (int exponent = 0; exponent >= -90; exponent--) {
            for (size_t i = 0; i < CHUNK; i++) {
                for (size_t k = 0; k < INPUTS; k++) {
                    c.in[k][i] = k % 4 == 3 ? 1 : ldexpf(random_signed(&random, -1, 0), exponent - 2);
                }
                quaternion a = quaternion_normalised(a_of(&c, i)), b = quaternion_normalised(b_of(&c, i));
                put(c.in, i, a);
                put(c.in + 4, i, b);
            }
            CASE("angles of 2^%d", exponent);
            feclearexcept(FE_UNDERFLOW);
            run_chunk(table, VECTOR, &c);
            check(fetestexcept(FE_UNDERFLOW), ==, 0);
            for (int of_part = 0; exponent >= -60 && of_part >= -80; of_part -= 3) { /* components of 2^-63 and more */
                CASE("part of 2^%d", of_part);
                feclearexcept(FE_UNDERFLOW);
                run_between(table, ldexpf(0.75f, of_part), &c);
                run_between(table, 1 - ldexpf(0.75f, of_part), &c);
                check(fetestexcept(FE_UNDERFLOW), ==, 0);
            }
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    static chunk c, before;
    EACH_TABLE(table) {
        for (operation which = 0; which < OPERATIONS; which++) {
            CASE("%s", operation_names[which]);
            memset(&c, 0x5a, sizeof c);
            memcpy(&before, &c, sizeof c);
            const pointers to = pointers_to(&c);
            check_status(run(table, which, to.in, to.out, 2, 1), GYRE_ERROR_RANGE);
            for (size_t k = 0; k < inputs_of[which]; k++) {
                CASE("input %zu is NULL", k);
                pointers missing = to;
                missing.in[k] = NULL;
                check_status(run(table, which, missing.in, missing.out, 0, 5), GYRE_ERROR_NULL);
            }
            for (size_t k = 0; k < outputs_of[which]; k++) {
                CASE("output %zu is NULL", k);
                pointers missing = to;
                missing.out[k] = NULL;
                check_status(run(table, which, missing.in, missing.out, 0, 5), GYRE_ERROR_NULL);
            }
            CASE("arrays of arrays are NULL");
            check_status(run(table, which, NULL, to.out, 0, 5), GYRE_ERROR_NULL);
            check_status(run(table, which, to.in, NULL, 0, 5), GYRE_ERROR_NULL);
            check_status(run(table, which, NULL, NULL, 3, 3), GYRE_OK);
            check_bytes(&c, &before, sizeof c);
        }
        const pointers to = pointers_to(&c);
        static const float parts[] = {NAN, INFINITY, -INFINITY};
        for (size_t k = 0; k < LENGTH(parts); k++) {
            CASE("part %a", parts[k]);
            check_status(table->rotation_between(to.in, to.in + 4, parts[k], to.out, 0, 5), GYRE_ERROR_VALUE);
            check_bytes(&c, &before, sizeof c);
        }
        check_status(table->rotation_between(to.in, NULL, 0.5f, to.out, 0, 5), GYRE_ERROR_NULL);
        check_status(table->rotation_product(to.in, NULL, to.out, 0, 5), GYRE_ERROR_NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_vector_errors),
        TEST(test_every_angle),
        TEST(test_two_ways),
        TEST(test_product_errors),
        TEST(test_order_of_product),
        TEST(test_between_errors),
        TEST(test_ends),
        TEST(test_half_a_turn_apart),
        TEST(test_lengths_between),
        TEST(test_product_identities),
        TEST(test_vector_and_quaternion),
        TEST(test_between_identities),
        TEST(test_isolation),
        TEST(test_slices),
        TEST(test_no_underflow),
        TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("rotation_from_quaternions", tests, NULL, NULL);
}
