/* gyre_rotation_matrix, _left_jacobian and _quaternion: the stated errors at every size of angle, exact identities, and
   the guarantees. */
#include "reference/rotation.h"
#include "support/support.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

/* One of the three kernels: the number of its outputs and the largest error that the header states. */
typedef struct rotation_kind {
    const char *name;
    size_t outputs;
    double small, offset, slope; /* in eps: `small` up to 1 rad, offset + slope |v| beyond */
} rotation_kind;

enum { MATRIX, LEFT_JACOBIAN, QUATERNION, KINDS, OUTPUTS_MAX = 9 };

static const rotation_kind kinds[KINDS] = {
    [MATRIX] = {"matrix", 9, 4, 7, 4},
    [LEFT_JACOBIAN] = {"left Jacobian", 9, 4, 6, 4},
    [QUATERNION] = {"quaternion", 4, 2, 3, 2},
};

static double bound_of(size_t kind, double angle)
{
    return eps * (angle <= 1 ? kinds[kind].small : kinds[kind].offset + kinds[kind].slope * angle);
}

static gyre_status run(const gyre_kernels *table, size_t kind, float *const v[3], float *const out[OUTPUTS_MAX],
                       size_t begin, size_t end)
{
    switch (kind) {
    case MATRIX: return table->rotation_matrix(v, out, begin, end);
    case LEFT_JACOBIAN: return table->rotation_left_jacobian(v, out, begin, end);
    default: return table->rotation_quaternion(v, out, begin, end);
    }
}

static void exact_entries(size_t kind, vector v, double entries[OUTPUTS_MAX])
{
    if (kind == QUATERNION) {
        quaternion q = reference_quaternion(v);
        memcpy(entries, q.at, sizeof q.at);
    } else {
        matrix m = kind == MATRIX ? reference_rotation(v) : reference_left_jacobian(v);
        memcpy(entries, m.at, sizeof m.at);
    }
}

/* ---- Vectors to try ---- */

enum { CHUNK = 1021 }; /* a tail for every vector width */

typedef struct chunk {
    float v[3][CHUNK], out[OUTPUTS_MAX][CHUNK];
} chunk;

static void pointers_to(chunk *c, float *v[3], float *out[OUTPUTS_MAX])
{
    for (size_t k = 0; k < OUTPUTS_MAX; k++) {
        out[k] = c->out[k];
        v[k % 3] = c->v[k % 3];
    }
}

static void run_chunk(const gyre_kernels *table, size_t kind, chunk *c)
{
    float *v[3], *out[OUTPUTS_MAX];
    pointers_to(c, v, out);
    check_status(run(table, kind, v, out, 0, CHUNK), GYRE_OK);
}

static vector vector_at(const chunk *c, size_t i)
{
    return (vector){{(double)c->v[0][i], (double)c->v[1][i], (double)c->v[2][i]}};
}

/* Writes a vector with that angle and a direction of any kind: along an axis or nearly, in a plane, or arbitrary. */
static void put(chunk *c, size_t i, random_source *random, double angle)
{
    double direction[3], length = 0;
    while (length < 0.1) {
        length = 0;
        for (int k = 0; k < 3; k++) {
            direction[k] = random_one_in(random, 6)    ? 0
                           : random_one_in(random, 12) ? (double)random_signed(random, -30, -1)
                                                       : 2 * (double)random_unit(random) - 1;
            length = hypot(length, direction[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        c->v[k][i] = (float)(angle * direction[k] / length);
    }
}

typedef enum regime { ALL_SIZES, UP_TO_8, NEAR_PI, UP_TO_1, REGIMES } size_regime;

static const char *const regime_names[REGIMES] = {"2^-140 to 2^20 rad", "0 to 8 rad", "near multiples of pi/2",
                                                  "0 to 1 rad"};

static void fill(chunk *c, random_source *random, size_regime regime)
{
    for (size_t i = 0; i < CHUNK; i++) {
        double angle;
        switch (regime) {
        case ALL_SIZES: angle = (double)random_magnitude(random, -140, 20); break;
        case UP_TO_8: angle = 8 * (double)random_unit(random); break;
        case UP_TO_1: angle = 1.01 * (double)random_unit(random); break;
        default: {
            double limit = random_one_in(random, 2) ? 20 : 100000;
            double quarters = 1 + floor(limit * (double)random_unit(random));
            angle = quarters * 1.5707963267948966 * (1 + (double)random_signed(random, -26, -3));
        }
        }
        put(c, i, random, angle);
    }
}

/* ---- Errors ---- */

static void check_chunk(size_t kind, const chunk *c, worst_case *worst)
{
    for (size_t i = 0; i < CHUNK; i++) {
        vector v = vector_at(c, i);
        double exact[OUTPUTS_MAX], bound = bound_of(kind, vector_length(v));
        exact_entries(kind, v, exact);
        for (size_t k = 0; k < kinds[kind].outputs; k++) {
            CASE("%s of %a %a %a, entry %zu: got %a, wanted %a", kinds[kind].name, v.at[0], v.at[1], v.at[2], k,
                 c->out[k][i], exact[k]);
            check_share(worst, fabs((double)c->out[k][i] - exact[k]) / bound);
        }
    }
}

static void test_errors(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            random_source random = {1};
            for (int regime = 0; regime < REGIMES; regime++) {
                worst_case worst = {0};
                for (size_t round = 0; round < effort(300); round++) {
                    fill(&c, &random, regime);
                    run_chunk(table, kind, &c);
                    check_chunk(kind, &c, &worst);
                }
                print_worst(regime_names[regime], &worst);
            }
        }
    }
}

/* The vectors with the largest errors that hill climbing found, just beyond the range of the series. */
static void test_hard_vectors(void **state)
{
    (void)state;
    static const float hard[][3] = {{0x1p-10f, -0x1.020c1ep+2f, -0x1.326c46p-2f},
                                    {-0x1.efbdecp-9f, 0x1.05068p+2f, 0x1.2548ecp-8f}};
    static chunk c;
    EACH_TABLE(table) {
        for (size_t i = 0; i < 3 * CHUNK; i++) {
            c.v[i % 3][i / 3] = hard[i / 3 % LENGTH(hard)][i % 3];
        }
        for (size_t kind = 0; kind < KINDS; kind++) {
            worst_case worst = {0};
            run_chunk(table, kind, &c);
            check_chunk(kind, &c, &worst);
            print_worst(kinds[kind].name, &worst);
        }
    }
}

/* S1, S2 and S3 are accurate to 1 ulp up to half a radian. With v = (a, 0, 0) the entry (3, 2) of R is S1 a and that of
   J is S2 a; the diagonal of R is 1 - S2 a^2 and that of J is 1 - S3 a^2. An ulp of S1 or S2 is up to 1.05 ulp of the
   product, whose rounding adds a half. */
static void test_coefficients(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        double worst[2] = {0, 0};
        for (size_t kind = MATRIX; kind <= LEFT_JACOBIAN; kind++) {
            random_source random = {2};
            for (size_t round = 0; round < effort(200); round++) {
                const size_t axis = round % 3, row = (axis + 2) % 3, column = (axis + 1) % 3;
                memset(&c, 0, sizeof c);
                for (size_t i = 0; i < CHUNK; i++) {
                    c.v[axis][i] = i % 2 ? 0.5f * random_unit(&random) : random_magnitude(&random, -60, -1);
                }
                run_chunk(table, kind, &c);
                for (size_t i = 0; i < CHUNK; i++) {
                    double a = (double)c.v[axis][i], s = kind == MATRIX ? reference_s1(a) : reference_s2(a);
                    double off = ulps_off(c.out[3 * row + column][i], (long double)(s * a));
                    worst[kind] = worse_of(worst[kind], off);
                    CASE("%s of %a about axis %zu: got %a, wanted %a", kinds[kind].name, a, axis,
                         c.out[3 * row + column][i], s * a);
                    check(off, <=, 1.55);
                    double lacking = 1 - (kind == MATRIX ? reference_s2(a) : reference_s3(a)) * a * a;
                    double diagonal = (double)c.out[4 * column][i];
                    check_within(diagonal, lacking, eps);
                    check(c.out[4 * axis][i], ==, 1);
                }
            }
        }
        printf("# %s: S1 a within %.3f ulp, S2 a within %.3f ulp\n", table_name(table), worst[0], worst[1]);
    }
}

/* ---- Exact identities ---- */

static void test_zero_is_the_identity(void **state)
{
    (void)state;
    static chunk c;
    EACH_TABLE(table) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            for (size_t k = 0; k < 3; k++) {
                for (size_t i = 0; i < CHUNK; i++) { /* with both signs of zero */
                    c.v[k][i] = i >> k & 1 ? -0.0f : 0.0f;
                }
            }
            run_chunk(table, kind, &c);
            for (size_t k = 0; k < kinds[kind].outputs; k++) {
                bool one = kind == QUATERNION ? k == 3 : k % 4 == 0;
                for (size_t i = 0; i < CHUNK; i++) {
                    CASE("%s, entry %zu of element %zu", kinds[kind].name, k, i);
                    check(c.out[k][i], ==, one ? 1 : 0);
                }
            }
        }
    }
}

static matrix matrix_at(const chunk *c, size_t i)
{
    matrix m;
    for (size_t k = 0; k < 9; k++) {
        m.at[k / 3][k % 3] = (double)c->out[k][i];
    }
    return m;
}

static double largest_difference(matrix a, matrix b)
{
    double largest = 0;
    for (int k = 0; k < 9; k++) {
        largest = worse_of(largest, fabs(a.at[k / 3][k % 3] - b.at[k / 3][k % 3]));
    }
    return largest;
}

static vector unit_of(vector v)
{
    double length = vector_length(v);
    return length > 0 ? vector_scaled(v, 1 / length) : v;
}

/* R(-v) = R(v)^T and J(-v) = J(v)^T to the bit: the even and the odd parts of v and -v are the same numbers. R R^T = 1,
   R v = v, J v = v, R(v) J(-v) = J(v), and the matrix of the quaternion is R, within the errors of the entries: n eps
   each in a sum of three products. */
static void test_identities(void **state)
{
    (void)state;
    static chunk r, r_back, j, j_back, q;
    EACH_BEST_TABLE(table) {
        random_source random = {3};
        for (size_t round = 0; round < effort(120); round++) {
            fill(&r, &random, (size_regime)(round % REGIMES));
            memcpy(j.v, r.v, sizeof r.v);
            memcpy(q.v, r.v, sizeof r.v);
            for (size_t i = 0; i < CHUNK; i++) {
                for (size_t k = 0; k < 3; k++) {
                    r_back.v[k][i] = j_back.v[k][i] = -r.v[k][i];
                }
            }
            run_chunk(table, MATRIX, &r);
            run_chunk(table, MATRIX, &r_back);
            run_chunk(table, LEFT_JACOBIAN, &j);
            run_chunk(table, LEFT_JACOBIAN, &j_back);
            run_chunk(table, QUATERNION, &q);
            for (size_t i = 0; i < CHUNK; i++) {
                vector v = vector_at(&r, i), along = unit_of(v);
                CASE("%a %a %a", v.at[0], v.at[1], v.at[2]);
                for (size_t k = 0; k < 9; k++) {
                    size_t transposed = k % 3 * 3 + k / 3;
                    CASE("entry %zu", k);
                    check(r_back.out[k][i], ==, r.out[transposed][i]);
                    check(j_back.out[k][i], ==, j.out[transposed][i]);
                }
                double angle = vector_length(v), entry = bound_of(MATRIX, angle), product = 6 * entry;
                matrix rotation = matrix_at(&r, i), jacobian = matrix_at(&j, i);
                matrix unit = matrix_product(rotation, matrix_transposed(rotation));
                check(largest_difference(unit, matrix_identity()), <=, product);
                check(vector_length(vector_difference(matrix_times(rotation, along), along)), <=, product);
                check(vector_length(vector_difference(matrix_times(jacobian, along), along)), <=, product);
                matrix product_with_transposed = matrix_product(rotation, matrix_transposed(jacobian));
                check(largest_difference(product_with_transposed, jacobian), <=, product);
                quaternion unit_quaternion;
                for (int k = 0; k < 4; k++) {
                    unit_quaternion.at[k] = (double)q.out[k][i];
                }
                double component = bound_of(QUATERNION, angle);
                check(largest_difference(quaternion_matrix(unit_quaternion), rotation), <=, 8 * component + entry);
            }
        }
    }
}

/* w = cos(a/2) is negative beyond pi, and q(-v) is the conjugate of q(v), to the bit. */
static void test_quaternion_is_continuous(void **state)
{
    (void)state;
    static chunk c, back;
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        for (size_t round = 0; round < effort(50); round++) {
            for (size_t i = 0; i < CHUNK; i++) {
                put(&c, i, &random, 0.01 + 6.26 * (double)random_unit(&random));
                for (size_t k = 0; k < 3; k++) {
                    back.v[k][i] = -c.v[k][i];
                }
            }
            run_chunk(table, QUATERNION, &c);
            run_chunk(table, QUATERNION, &back);
            for (size_t i = 0; i < CHUNK; i++) {
                double beyond = vector_length(vector_at(&c, i)) - 3.14159265358979;
                CASE("%a %a %a, pi and %a rad", c.v[0][i], c.v[1][i], c.v[2][i], beyond);
                if (fabs(beyond) >= 1e-5) {
                    check(c.out[3][i]<0, ==, beyond> 0);
                }
                check(c.out[3][i], ==, back.out[3][i]);
                for (size_t k = 0; k < 3; k++) {
                    check(c.out[k][i], ==, -back.out[k][i]);
                }
            }
        }
    }
}

/* ---- Guarantees ---- */

/* Where a component is NaN or infinite, the results of that element are NaN, and those of the others do not change. */
static void test_isolation(void **state)
{
    (void)state;
    static chunk clean, poisoned;
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t round = 0; round < effort(240); round++) {
            size_t kind = round % KINDS;
            fill(&clean, &random, (size_regime)(round % REGIMES));
            memcpy(&poisoned, &clean, sizeof clean);
            bool is_bad[CHUNK] = {false};
            for (size_t i = random_below(&random, 40); i < CHUNK; i += 1 + random_below(&random, 40)) {
                poisoned.v[random_below(&random, 3)][i] = bad[random_below(&random, LENGTH(bad))];
                is_bad[i] = true;
            }
            run_chunk(table, kind, &clean);
            run_chunk(table, kind, &poisoned);
            for (size_t k = 0; k < kinds[kind].outputs; k++) {
                for (size_t i = 0; i < CHUNK; i++) {
                    CASE("%s of %a %a %a, entry %zu", kinds[kind].name, poisoned.v[0][i], poisoned.v[1][i],
                         poisoned.v[2][i], k);
                    if (is_bad[i]) {
                        check_nan(poisoned.out[k][i]);
                    } else {
                        check_bits(poisoned.out[k][i], clean.out[k][i]);
                    }
                }
            }
        }
    }
}

/* Any finite vector has finite entries: up to FLT_MAX, whose square is infinite, and down to 2^-149, whose square is 0.
 */
static void test_any_finite_vector(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t round = 0; round < effort(150); round++) {
            size_t kind = round % KINDS;
            for (size_t i = 0; i < CHUNK; i++) {
                for (size_t k = 0; k < 3; k++) {
                    float x;
                    do {
                        x = round % 2 ? random_any_float(&random)
                                      : special_floats[random_below(&random, special_float_count)];
                    } while (!isfinite(x));
                    c.v[k][i] = x;
                }
            }
            run_chunk(table, kind, &c);
            for (size_t i = 0; i < CHUNK; i++) {
                double bound = bound_of(kind, vector_length(vector_at(&c, i)));
                for (size_t k = 0; k < kinds[kind].outputs; k++) {
                    CASE("%s of %a %a %a, entry %zu", kinds[kind].name, c.v[0][i], c.v[1][i], c.v[2][i], k);
                    check(fabs((double)c.out[k][i]), <=, 1 + fmin(bound, 0x1p-20));
                }
            }
        }
    }
}

/* Any range at any alignment, between pages that fault, gives the same bits as the whole, and nothing else is written.
   An output may be the array of an input. */
static void test_slices(void **state)
{
    (void)state;
    static chunk whole;
    enum { LONGEST = 80 };
    guarded_memory memory[3 + OUTPUTS_MAX];
    for (size_t k = 0; k < LENGTH(memory); k++) {
        memory[k] = guarded_new(2 * LONGEST * sizeof(float));
    }
    EACH_TABLE(table) {
        random_source random = {7};
        for (size_t kind = 0; kind < KINDS; kind++) {
            fill(&whole, &random, UP_TO_8);
            run_chunk(table, kind, &whole);
            for (size_t count = 0; count <= 2 * LONGEST; count++) {
                size_t length = count / 2, from = random_below(&random, CHUNK - length);
                CASE("%s of %zu elements", kinds[kind].name, length);
                float *v[3], *out[OUTPUTS_MAX];
                for (size_t k = 0; k < LENGTH(memory); k++) { /* at the end of the page, or near the beginning */
                    float *page = count % 2 ? (float *)(void *)memory[k].end - length
                                            : (float *)(void *)memory[k].begin + random_below(&random, 17);
                    *(k < 3 ? &v[k] : &out[k - 3]) = page;
                }
                for (size_t k = 0; k < 3; k++) {
                    memcpy(v[k], whole.v[k] + from, length * sizeof(float));
                }
                bool in_place = random_one_in(&random, 3);
                for (size_t k = 0; k < 3 && in_place; k++) {
                    out[k] = v[(k + count) % 3];
                }
                check_status(run(table, kind, v, out, 0, length), GYRE_OK);
                for (size_t k = 0; k < kinds[kind].outputs; k++) {
                    CASE("entry %zu", k);
                    check_floats(out[k], whole.out[k] + from, length);
                }
            }
            static chunk part;
            memcpy(&part, &whole, sizeof whole);
            memset(part.out, 0x5a, sizeof part.out);
            float *v[3], *out[OUTPUTS_MAX];
            pointers_to(&part, v, out);
            size_t begin = random_below(&random, 40), end = CHUNK - random_below(&random, 40);
            check_status(run(table, kind, v, out, begin, end), GYRE_OK);
            CASE("%s of elements %zu to %zu", kinds[kind].name, begin, end);
            for (size_t k = 0; k < OUTPUTS_MAX; k++) {
                for (size_t i = 0; i < CHUNK; i++) {
                    bool written = k < kinds[kind].outputs && i >= begin && i < end;
                    CASE("entry %zu of element %zu", k, i);
                    check_bits(part.out[k][i], written ? whole.out[k][i] : float_from_bits(0x5a5a5a5a));
                }
            }
        }
    }
    for (size_t k = 0; k < LENGTH(memory); k++) {
        guarded_free(memory[k]);
    }
}

/* A vector gives the same bits alone and among others: kernels compute blocks of ordinary angles in another way than
   blocks with angles or components that are very small, 0 or of either sign. */
static void test_alone(void **state)
{
    (void)state;
    static chunk whole, single;
    EACH_TABLE(table) {
        random_source random = {9};
        for (size_t round = 0; round < effort(60); round++) {
            const size_t kind = round % KINDS, odds = round % 2 ? 3 : 300;
            fill(&whole, &random, UP_TO_8);
            for (size_t i = 0; i < CHUNK; i++) {
                const float scale = random_one_in(&random, odds) ? random_magnitude(&random, -149, 0) : 1;
                for (size_t k = 0; k < 3; k++) {
                    whole.v[k][i] *= random_one_in(&random, 20) ? random_magnitude(&random, -149, 0) : scale;
                }
                if (random_one_in(&random, 4)) { /* the square of x is half-way between two floats; y decides */
                    whole.v[0][i] = (float)(4097 + 2 * random_below(&random, 848)) * 0x1p-14f;
                    whole.v[1][i] = random_magnitude(&random, -149, -40);
                    whole.v[2][i] = 0;
                }
            }
            memcpy(&single, &whole, sizeof whole);
            run_chunk(table, kind, &whole);
            float *v[3], *out[OUTPUTS_MAX];
            pointers_to(&single, v, out);
            for (size_t i = 0; i < CHUNK; i++) {
                check_status(run(table, kind, v, out, i, i + 1), GYRE_OK);
                for (size_t k = 0; k < kinds[kind].outputs; k++) {
                    CASE("%s of %a %a %a, entry %zu", kinds[kind].name, whole.v[0][i], whole.v[1][i], whole.v[2][i], k);
                    check_bits(single.out[k][i], whole.out[k][i]);
                }
            }
        }
    }
}

/* Small angles down to 2^-62, where squares become subnormal, produce no subnormal numbers, which would take ten to
   forty times as long. */
static void test_no_underflow(void **state)
{
    (void)state;
    static chunk c;
    EACH_BEST_TABLE(table) {
        random_source random = {10};
        for (int exponent = 0; exponent >= -62; exponent--) {
            for (size_t kind = 0; kind < KINDS; kind++) {
                CASE("%s of angles of 2^%d", kinds[kind].name, exponent);
                for (size_t i = 0; i < 3 * CHUNK; i++) {
                    c.v[i % 3][i / 3] = ldexpf(1 + random_unit(&random), exponent);
                }
                feclearexcept(FE_UNDERFLOW);
                run_chunk(table, kind, &c);
                check(fetestexcept(FE_UNDERFLOW), ==, 0);
            }
        }
    }
}

static void test_bad_arguments(void **state)
{
    (void)state;
    static chunk c;
    EACH_TABLE(table) {
        for (size_t kind = 0; kind < KINDS; kind++) {
            CASE("%s", kinds[kind].name);
            memset(&c, 0x5a, sizeof c);
            static chunk before;
            memcpy(&before, &c, sizeof c);
            float *v[3], *out[OUTPUTS_MAX], *none[OUTPUTS_MAX] = {NULL};
            pointers_to(&c, v, out);
            check_status(run(table, kind, v, out, 2, 1), GYRE_ERROR_RANGE);
            for (size_t k = 0; k < 3; k++) {
                float *missing[3] = {v[0], v[1], v[2]};
                missing[k] = NULL;
                CASE("v[%zu] is NULL", k);
                check_status(run(table, kind, missing, out, 0, 5), GYRE_ERROR_NULL);
            }
            for (size_t k = 0; k < kinds[kind].outputs; k++) {
                float *missing[OUTPUTS_MAX];
                memcpy(missing, out, sizeof out);
                missing[k] = NULL;
                CASE("out[%zu] is NULL", k);
                check_status(run(table, kind, v, missing, 0, 5), GYRE_ERROR_NULL);
            }
            check_status(run(table, kind, v, NULL, 0, 5), GYRE_ERROR_NULL);
            check_status(run(table, kind, none, none, 3, 3), GYRE_OK);
            CASE("arrays of arrays are NULL");
            check_status(run(table, kind, NULL, out, 0, 5), GYRE_ERROR_NULL);
            check_status(run(table, kind, NULL, NULL, 0, 0), GYRE_OK);
            check_bytes(&c, &before, sizeof c);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_errors),       TEST(test_hard_vectors),
        TEST(test_coefficients), TEST(test_zero_is_the_identity),
        TEST(test_identities),   TEST(test_quaternion_is_continuous),
        TEST(test_isolation),    TEST(test_any_finite_vector),
        TEST(test_slices),       TEST(test_alone),
        TEST(test_no_underflow), TEST(test_bad_arguments),
    };
    return cmocka_run_group_tests_name("rotation_from_vectors", tests, NULL, NULL);
}
