/* gyre_inertia_principal: moments and axes that reproduce the tensor, for every kind of tensor; and gyre_inertia_check,
   which distinguishes the kinds. */
#include "support/bodies.h"

#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

static matrix tensor_matrix(const float t[6])
{
    const double xx = (double)t[0], yy = (double)t[1], zz = (double)t[2];
    const double xy = (double)t[3], xz = (double)t[4], yz = (double)t[5];
    return (matrix){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

/* R diag(moments) R^T, rounded to float. */
static void make_tensor(vector moments, quaternion axes, float t[6])
{
    matrix r = quaternion_matrix(axes);
    matrix m = matrix_product(matrix_product(r, matrix_diagonal(moments)), matrix_transposed(r));
    const double entries[6] = {m.at[0][0], m.at[1][1], m.at[2][2], m.at[0][1], m.at[0][2], m.at[1][2]};
    for (int k = 0; k < 6; k++) {
        t[k] = (float)entries[k];
    }
}

/* The eigenvalues of a symmetric matrix by Jacobi rotations, ascending; each sweep squares the size of the remaining
   off-diagonal entries. */
static vector eigenvalues(matrix m)
{
    for (int sweep = 0; sweep < 8; sweep++) {
        for (int p = 0; p < 3; p++) {
            int q = (p + 1) % 3;
            double across = 2 * m.at[p][q], difference = m.at[p][p] - m.at[q][q]; /* by at most 45 degrees */
            double angle = 0.5 * (difference < 0 ? atan2(-across, -difference) : atan2(across, difference));
            vector about = {{0, 0, 0}};
            about.at[(p + 2) % 3] = angle;
            matrix r = reference_rotation(about);
            m = matrix_product(matrix_product(matrix_transposed(r), m), r);
        }
    }
    vector e = {{m.at[0][0], m.at[1][1], m.at[2][2]}};
    for (int pass = 0; pass < 3; pass++) {
        int k = pass % 2;
        if (e.at[k] > e.at[k + 1]) {
            double other = e.at[k];
            e.at[k] = e.at[k + 1];
            e.at[k + 1] = other;
        }
    }
    return e;
}

static double ulp_of(double x) { return ldexp(1, ilogb(x) - 23); }

typedef struct inertia_errors {
    double moment, rebuilt; /* in ulp of the largest moment; in ulp of 1 */
} inertia_errors;

static inertia_errors check_tensor(const gyre_kernels *table, const float t[6])
{
    CASE("tensor %a %a %a %a %a %a", t[0], t[1], t[2], t[3], t[4], t[5]);
    float moments[3], axes[4];
    check_status(table->inertia_principal(t, moments, axes), GYRE_OK);
    quaternion q = {{(double)axes[0], (double)axes[1], (double)axes[2], (double)axes[3]}};
    vector got = {{(double)moments[0], (double)moments[1], (double)moments[2]}};
    double length = hypot(hypot(q.at[0], q.at[1]), hypot(q.at[2], q.at[3]));
    check_within(length, 1, 2 * eps);
    matrix tensor = tensor_matrix(t), r = quaternion_matrix(quaternion_normalised(q));
    matrix again = matrix_product(matrix_product(r, matrix_diagonal(got)), matrix_transposed(r));
    vector exact = eigenvalues(tensor), sorted = eigenvalues(matrix_diagonal(got));
    double largest = exact.at[2];
    inertia_errors errors = {0, 0};
    for (int k = 0; k < 3; k++) {
        check(got.at[k], >, 0);
        errors.moment = worse_of(errors.moment, fabs(sorted.at[k] - exact.at[k]) / ulp_of(largest));
    }
    for (int k = 0; k < 9; k++) {
        double off = fabs(again.at[k / 3][k % 3] - tensor.at[k / 3][k % 3]) / largest;
        errors.rebuilt = worse_of(errors.rebuilt, off / (2 * eps));
    }
    check(errors.moment, <=, 1);
    check(errors.rebuilt, <=, 1);
    return errors;
}

static void test_random_tensors(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {1};
        inertia_errors worst = {0, 0};
        for (size_t i = 0; i < effort(20000); i++) {
            float t[6];
            vector moments = random_inertia(&random, random_one_in(&random, 2), -30, 31);
            double largest = fmax(moments.at[0], fmax(moments.at[1], moments.at[2]));
            for (int k = 0; k < 3; k++) { /* rounding the tensor must not make it indefinite */
                moments.at[k] = fmax(moments.at[k], largest * 0x1p-18);
            }
            quaternion axes = random_attitude(&random);
            if (random_one_in(&random, 3)) { /* turned by almost nothing */
                axes = reference_quaternion(
                    vector_scaled(random_direction(&random), (double)random_magnitude(&random, -40, -1)));
            }
            make_tensor(moments, axes, t);
            inertia_errors errors = check_tensor(table, t);
            worst.moment = worse_of(worst.moment, errors.moment);
            worst.rebuilt = worse_of(worst.rebuilt, errors.rebuilt);
        }
        printf("# %s: moments within %.3f ulp of the largest, tensor within %.3f ulp of 1\n", table_name(table),
               worst.moment, worst.rebuilt);
    }
}

static void test_diagonal_stays(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {2};
        for (size_t i = 0; i < effort(1000); i++) {
            float t[6] = {0}, moments[3], axes[4];
            for (int k = 0; k < 3; k++) {
                t[k] = random_one_in(&random, 3) ? 2 : random_magnitude(&random, -30, 30);
                t[k + 3] = random_one_in(&random, 2) ? 0.0f : -0.0f;
            }
            check_status(table->inertia_principal(t, moments, axes), GYRE_OK);
            CASE("tensor %a %a %a %a %a %a", t[0], t[1], t[2], t[3], t[4], t[5]);
            check_floats(moments, t, 3);
            check(axes[0], ==, 0);
            check(axes[1], ==, 0);
            check(axes[2], ==, 0);
            check(axes[3], ==, 1);
        }
    }
}

/* Two equal moments, three equal within rounding, those of a rod and of a plate; a distant parallel axis; and
   off-diagonal entries down to the smallest float. */
static void test_awkward_tensors(void **state)
{
    (void)state;
    const float tensors[][6] = {
        {1, 1, 1, 0x1p-24f, -0x1p-24f, 0x1p-23f},
        {1, 1, 1, 0x1p-149f, 0x1p-149f, 0x1p-149f},
        {2, 2, 2, -1, -1, -1.0f + 0x1p-20f},
        {2, 2, 2, 0.5f, 0.5f, 0.5f},
        {3, 3, 1, 1, 0, 0},
        {5, 5, 5, 0, 0, 2},
        {5, 5, 5, 0, -2, 0},
        {1, 2, 3, 0x1p-60f, 0, 0},
        {1, 1, 2, 0x1p-12f, 0x1p-12f, 0},
        {1001, 1001, 2, -998, 0.5f, -0.5f},
        {1e9f, 1e9f, 2e9f, 5e8f, 1e8f, -3e8f},
        {1e-9f, 1e-9f, 2e-9f, 5e-10f, 1e-10f, -3e-10f},
        {0x1p120f, 0x1p120f, 0x1p121f, 0x1p118f, 0x1p117f, 0x1p116f},
        {0x1p-120f, 0x1p-120f, 0x1p-119f, 0x1p-122f, 0x1p-123f, 0x1p-124f},
    };
    EACH_TABLE(table) {
        for (size_t k = 0; k < LENGTH(tensors); k++) {
            check_tensor(table, tensors[k]);
        }
    }
}

/* The tensor |v|^2 - v v^T of a thin rod along v, in whole numbers that floats represent exactly: one moment is 0. */
static void make_rod(random_source *random, float t[6])
{
    double v[3];
    for (int k = 0; k < 3; k++) {
        v[k] = (double)random_below(random, 4001) - 2000;
    }
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    for (int k = 0; k < 3; k++) {
        t[k] = (float)(square - v[k] * v[k]);
    }
    t[3] = (float)(-v[0] * v[1]);
    t[4] = (float)(-v[0] * v[2]);
    t[5] = (float)(-v[1] * v[2]);
}

/* A middle moment that is small next to the largest, but not negligible, cannot be found from the sum of the minors. */
static void test_three_sizes_of_moments(void **state)
{
    (void)state;
    const float tensor[6] = {128.5f, 128.5f, 0x1p30f, 127.5f, 0, 0}; /* 1 and 256 across, 2^30 */
    EACH_TABLE(table) {
        float moments[3], axes[4];
        check_status(table->inertia_principal(tensor, moments, axes), GYRE_OK);
        check(fminf(moments[0], moments[1]), ==, 1);
        check(fmaxf(moments[0], moments[1]), ==, 256);
        check(moments[2], ==, 0x1p30f);
    }
}

/* The tensor decides whether it is singular, not rounding. */
static void test_next_to_singular(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {4};
        for (size_t i = 0; i < effort(20000); i++) {
            float t[6], moments[3] = {7, 8, 9}, axes[4];
            make_rod(&random, t);
            CASE("rod %a %a %a %a %a %a", t[0], t[1], t[2], t[3], t[4], t[5]);
            check_status(table->inertia_principal(t, moments, axes), GYRE_ERROR_VALUE);
            check(moments[0], ==, 7);
            check(moments[1], ==, 8);
            check(moments[2], ==, 9);
            for (int k = 0; k < 3; k++) { /* each moment larger by 1 */
                t[k]++;
            }
            check_status(table->inertia_principal(t, moments, axes), GYRE_OK);
            float smallest = fminf(moments[0], fminf(moments[1], moments[2]));
            check_within(smallest, 1, 2 * eps);

            /* M M^T of a triangular M with 1 on its diagonal, whose determinant is 1; and the same minus one, with
               determinant 0 */
            double a = (double)random_below(&random, 2000), b = (double)random_below(&random, 2000);
            double c = (double)random_below(&random, 2000);
            float definite[6] = {1,        (float)(a * a + 1), (float)(b * b + c * c + 1),
                                 (float)a, (float)b,           (float)(a * b + c)};
            CASE("triangle of %g %g %g", a, b, c);
            check_status(table->inertia_principal(definite, moments, axes), GYRE_OK);
            check_within((double)moments[0] * (double)moments[1] * (double)moments[2], 1, 4 * eps);
            definite[2]--;
            check_status(table->inertia_principal(definite, moments, axes), GYRE_ERROR_VALUE);
        }
    }
}

/* Two small moments next to a large one, v v^T + diag(d): between the smallest and the largest of d. */
static void test_two_small_moments(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        random_source random = {5};
        for (size_t i = 0; i < effort(20000); i++) {
            double v[3], d[3];
            for (int k = 0; k < 3; k++) {
                v[k] = (double)random_below(&random, 3001) - 1500;
                d[k] = 1 + (double)random_below(&random, 8);
            }
            const float t[6] = {(float)(v[0] * v[0] + d[0]), (float)(v[1] * v[1] + d[1]), (float)(v[2] * v[2] + d[2]),
                                (float)(v[0] * v[1]),        (float)(v[0] * v[2]),        (float)(v[1] * v[2])};
            float moments[3], axes[4];
            check_status(table->inertia_principal(t, moments, axes), GYRE_OK);
            const float lower = fminf(moments[0], moments[1]), upper = fmaxf(moments[0], moments[1]);
            const float least = fminf(lower, moments[2]), middle = fmaxf(lower, fminf(upper, moments[2]));
            const double ulp = ldexp(1, ilogb((double)fmaxf(upper, moments[2])) - 23);
            CASE("tensor %a %a %a %a %a %a", t[0], t[1], t[2], t[3], t[4], t[5]);
            check(least, >=, fmin(d[0], fmin(d[1], d[2])) - ulp);
            check(middle, <=, fmax(d[0], fmax(d[1], d[2])) + ulp);
        }
    }
}

/* Two moments 2^-46 of the third: one along z as given, and one from a block whose determinant is 1. */
static void test_two_smallest_moments(void **state)
{
    (void)state;
    const float xx = 4000001, yy = 4004002, xy = 4002001;
    const double trace = (double)xx + (double)yy, of_block = 2 / (trace + sqrt(trace * trace - 4));
    check((double)xx * (double)yy - (double)xy * (double)xy, ==, 1);
    EACH_TABLE(table) {
        for (float zz = (float)of_block / 8; (double)zz < 8 * of_block; zz *= 1.1f) {
            float moments[3], axes[4];
            check_status(table->inertia_principal((float[6]){xx, yy, zz, xy, 0, 0}, moments, axes), GYRE_OK);
            const double one = fmin((double)moments[0], (double)moments[1]), other = (double)moments[2];
            CASE("zz %a", zz);
            check_within(fmin(one, other) / fmin((double)zz, of_block), 1, 4 * eps);
            check_within(fmax(one, other) / fmax((double)zz, of_block), 1, 4 * eps);
        }
    }
}

/* Two moments at most 2^-26 of the third and equal within rounding, in whichever plane the block lies: off by the
   square root of their ratio to the third. */
static void test_two_equal_small_moments(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (int m = 100; m < 4090; m++) {
            const double xx = (double)m * m + 1, yy = xx + 2 * m + 1, xy = xx + m; /* the block's determinant is 1 */
            const double of_block = 2 / (xx + yy + sqrt((xx + yy) * (xx + yy) - 4));
            float tensor[6] = {0}, moments[3], axes[4];
            tensor[m % 3] = (float)of_block;
            tensor[(m + 1) % 3] = (float)xx;
            tensor[(m + 2) % 3] = (float)yy;
            tensor[5 - m % 3] = (float)xy;
            check_status(table->inertia_principal(tensor, moments, axes), GYRE_OK);
            for (int k = 0; k < 3; k++) {
                const double exact = moments[k] < 1 ? of_block : 1 / of_block;
                CASE("m %d, moment %d", m, k);
                check_within((double)moments[k] / exact, 1, 2 * of_block + 4 * eps);
            }
        }
    }
}

/* A body whose tensor is given in its own axes turns like the same body in its principal axes: the axes take vectors
   from the principal frame to that of the tensor. */
static void test_sense_of_axes(void **state)
{
    (void)state;
    random_source random = {3};
    const gyre_kernels *table = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    for (size_t i = 0; i < effort(1000); i++) {
        vector moments = {{1 + (double)random_unit(&random), 3 + (double)random_unit(&random),
                           2.2 + 0.5 * (double)random_unit(&random)}};
        float t[6], got[3], axes[4];
        make_tensor(moments, random_attitude(&random), t);
        check_status(table->inertia_principal(t, got, axes), GYRE_OK);
        quaternion q = {{(double)axes[0], (double)axes[1], (double)axes[2], (double)axes[3]}};
        for (int k = 0; k < 3; k++) { /* tensor (R e_k) = moment_k R e_k */
            vector unit = {{0, 0, 0}};
            unit.at[k] = 1;
            vector axis = quaternion_rotate(q, unit);
            vector off = vector_difference(matrix_times(tensor_matrix(t), axis), vector_scaled(axis, (double)got[k]));
            CASE("%s, tensor %a %a %a %a %a %a, axis %d", table_name(table), t[0], t[1], t[2], t[3], t[4], t[5], k);
            check(vector_length(off), <=, 32 * eps);
        }
    }
}

static void test_errors(void **state)
{
    (void)state;
    const float not_positive[][6] = {
        {0, 1, 1, 0, 0, 0},          {1, 0, 1, 0, 0, 0},    {1, 1, 0, 0, 0, 0},        {1, 1, -1, 0, 0, 0},
        {-0x1p-149f, 1, 1, 0, 0, 0}, {1, 1, 1, 2, 0, 0},    {1, 1, 1, 0, -1.5f, 0},    {1, 2, 3, 1, 2, 3},
        {0, 0, 0, 0, 0, 0},          {1, 1, 1, 1, 1, 1.5f}, {2, 2, 2, -1, -1, -1.25f}, {-1, -1, 1, 0, 0, 0},
        {-2, -1, 1, 0.5f, 0, 0},     {1, -1, -1, 0, 0, 0},
    };
    const float invalid[] = {NAN, -NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        const float good[6] = {2, 3, 4, 0.5f, 0.25f, 0.125f};
        float moments[3] = {7, 8, 9}, axes[4] = {1, 2, 3, 4};
        check_status(table->inertia_principal(NULL, moments, axes), GYRE_ERROR_NULL);
        check_status(table->inertia_principal(good, NULL, axes), GYRE_ERROR_NULL);
        check_status(table->inertia_principal(good, moments, NULL), GYRE_ERROR_NULL);
        for (size_t k = 0; k < LENGTH(not_positive); k++) {
            CASE("tensor %zu", k);
            check_status(table->inertia_principal(not_positive[k], moments, axes), GYRE_ERROR_VALUE);
        }
        const float too_large[6] = {3e38f, 3e38f, 3e38f, 1e38f, 0, 0};       /* a moment of 4e38 */
        const float too_small[6] = {1, 0x1p-149f, 1, 0x1.333334p-75f, 0, 0}; /* a moment of 0.56 * 2^-150 */
        check_status(table->inertia_principal(too_large, moments, axes), GYRE_ERROR_RANGE);
        check_status(table->inertia_principal(too_small, moments, axes), GYRE_ERROR_RANGE);
        for (size_t entry = 0; entry < 6; entry++) {
            for (size_t k = 0; k < LENGTH(invalid); k++) {
                float bad[6];
                memcpy(bad, good, sizeof bad);
                bad[entry] = invalid[k];
                CASE("entry %zu is %a", entry, invalid[k]);
                check_status(table->inertia_principal(bad, moments, axes), GYRE_ERROR_VALUE);
            }
        }
        check(moments[0], ==, 7);
        check(moments[1], ==, 8);
        check(moments[2], ==, 9);
        check(axes[0], ==, 1);
        check(axes[1], ==, 2);
        check(axes[2], ==, 3);
        check(axes[3], ==, 4);
    }
}

/* ---- gyre_inertia_check ---- */

static void check_inertia_kind(check_place place, const gyre_kernels *table, const float t[6], gyre_inertia_kind wanted)
{
    CASE("tensor %a %a %a %a %a %a", t[0], t[1], t[2], t[3], t[4], t[5]);
    gyre_inertia_kind kind = (gyre_inertia_kind)-1;
    float moments[3], axes[4];
    check_status(table->inertia_check(t, &kind), GYRE_OK);
    check_compare(place, check_signed((int)kind), "==", check_signed((int)wanted));
    const bool accepted = table->inertia_principal(t, moments, axes) == GYRE_OK;
    check(accepted, ==, wanted == GYRE_INERTIA_FINE || wanted == GYRE_INERTIA_IMPOSSIBLE);
}

static void test_kinds(void **state)
{
    (void)state;
    const struct {
        float tensor[6];
        gyre_inertia_kind kind;
    } known[] = {
        {{1, 1, 1, 0, 0, 0}, GYRE_INERTIA_FINE},
        {{1, 2, 3, 0, 0, 0}, GYRE_INERTIA_FINE},                    /* a plate */
        {{1, 0x1.00001p+0f, 0x1p-30f, 0, 0, 0}, GYRE_INERTIA_FINE}, /* a rod with some width, rounded */
        {{2, 3, 4, 0.5f, 0.25f, 0.125f}, GYRE_INERTIA_FINE},
        {{NAN, 1, 1, 0, 0, 0}, GYRE_INERTIA_NOT_FINITE},
        {{1, 1, 1, 0, 0, -INFINITY}, GYRE_INERTIA_NOT_FINITE},
        {{3e38f, 3e38f, 3e38f, 1e38f, 0, 0}, GYRE_INERTIA_NOT_FINITE}, /* a moment of 4e38 */
        {{-1, 1, 1, 0, 0, 0}, GYRE_INERTIA_NEGATIVE},
        {{1, 1, -0x1p-149f, 0, 0, 0}, GYRE_INERTIA_NEGATIVE},
        {{1, 1, 1, 0, -1.5f, 0}, GYRE_INERTIA_NEGATIVE},
        {{1, 1, 0, 0, 0, 0x1p-12f}, GYRE_INERTIA_THIN},     /* a moment of -2^-24 */
        {{1, 0, 0, 0x1p-10f, 0, 0}, GYRE_INERTIA_NEGATIVE}, /* of -2^-20 */
        {{1, 1, 0, 0, 0, 0}, GYRE_INERTIA_THIN},
        {{0, 3, 1, 0, 0, 0}, GYRE_INERTIA_THIN},
        {{0, 0, 0, 0, 0, 0}, GYRE_INERTIA_THIN},
        {{1, 0x1p-149f, 1, 0x1.333334p-75f, 0, 0}, GYRE_INERTIA_THIN}, /* a moment of 0.56 * 2^-150 */
        {{1, 1, 1000, 0, 0, 0}, GYRE_INERTIA_IMPOSSIBLE},
        {{0.001f, 1, 1.5f, 0, 0, 0}, GYRE_INERTIA_IMPOSSIBLE},
        {{1, 1, 2 + 0x1p-19f, 0, 0, 0}, GYRE_INERTIA_FINE}, /* at the limit */
        {{1, 1, 2 + 0x1.8p-19f, 0, 0, 0}, GYRE_INERTIA_IMPOSSIBLE},
    };
    const float invalid[] = {NAN, -NAN, INFINITY, -INFINITY};
    EACH_TABLE(table) {
        for (size_t k = 0; k < LENGTH(known); k++) {
            check_inertia_kind(CHECK_HERE("kind"), table, known[k].tensor, known[k].kind);
        }
        for (size_t entry = 0; entry < 6; entry++) {
            for (size_t k = 0; k < LENGTH(invalid); k++) {
                float bad[6] = {2, 3, 4, 0.5f, 0.25f, 0.125f};
                bad[entry] = invalid[k];
                check_inertia_kind(CHECK_HERE("kind"), table, bad, GYRE_INERTIA_NOT_FINITE);
            }
        }
        gyre_inertia_kind kind = GYRE_INERTIA_THIN;
        check_status(table->inertia_check(NULL, &kind), GYRE_ERROR_NULL);
        check_status(table->inertia_check(known[0].tensor, NULL), GYRE_ERROR_NULL);
        check((int)kind, ==, GYRE_INERTIA_THIN);
    }
}

/* Masses, mistyped masses, and rods of every size in every attitude. */
static void test_kinds_of_random_tensors(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t i = 0; i < effort(20000); i++) {
            float t[6];
            const quaternion axes = random_attitude(&random);
            vector moments = random_inertia(&random, true, -30, 31);
            const double largest = fmax(moments.at[0], fmax(moments.at[1], moments.at[2]));
            for (int k = 0; k < 3; k++) { /* rounding the tensor must not decide */
                moments.at[k] = fmax(moments.at[k], largest * 0x1p-18) * (1 + 0x1p-17);
            }
            make_tensor(moments, axes, t);
            check_inertia_kind(CHECK_HERE("kind of a mass"), table, t, GYRE_INERTIA_FINE);
            for (int k = 0; k < 3; k++) {
                moments.at[k] = fmax(moments.at[k], largest * 0x1p-8);
            }
            moments.at[random_below(&random, 3)] = 1000 * largest;
            make_tensor(moments, axes, t);
            check_inertia_kind(CHECK_HERE("kind of a mistyped one"), table, t, GYRE_INERTIA_IMPOSSIBLE);
            make_tensor((vector){{largest, -largest * 0x1p-20, largest}}, axes, t);
            check_inertia_kind(CHECK_HERE("kind of a negative one"), table, t, GYRE_INERTIA_NEGATIVE);
            make_rod(&random, t);
            check_inertia_kind(CHECK_HERE("kind of a rod"), table, t, GYRE_INERTIA_THIN);
            make_tensor((vector){{largest, largest * -0x1p-30, largest}}, axes, t); /* rounded, with either sign */
            gyre_inertia_kind kind = GYRE_INERTIA_NEGATIVE;
            check_status(table->inertia_check(t, &kind), GYRE_OK);
            if (kind != GYRE_INERTIA_FINE) {
                check(kind, ==, GYRE_INERTIA_THIN);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_random_tensors),
        TEST(test_diagonal_stays),
        TEST(test_awkward_tensors),
        TEST(test_sense_of_axes),
        TEST(test_errors),
        TEST(test_next_to_singular),
        TEST(test_two_small_moments),
        TEST(test_two_smallest_moments),
        TEST(test_two_equal_small_moments),
        TEST(test_three_sizes_of_moments),
        TEST(test_kinds),
        TEST(test_kinds_of_random_tensors),
    };
    return cmocka_run_group_tests_name("body_inertia", tests, NULL, NULL);
}
