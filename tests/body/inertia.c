/* gyre_inertia_principal: moments and axes that reproduce the tensor, for every kind of tensor. */
#include "support/bodies.h"
#include "support/tensors.h"

#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

typedef struct inertia_errors {
    double moment, rebuilt; /* in eps of the largest moment */
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
        errors.moment = worse_of(errors.moment, fabs(sorted.at[k] - exact.at[k]) / (eps * largest));
    }
    for (int k = 0; k < 9; k++) {
        double off = fabs(again.at[k / 3][k % 3] - tensor.at[k / 3][k % 3]);
        errors.rebuilt = worse_of(errors.rebuilt, off / (eps * largest));
    }
    check(errors.moment, <=, 3);
    check(errors.rebuilt, <=, 3);
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
            double largest = largest_of(moments);
            for (int k = 0; k < 3; k++) { /* rounding the tensor must not make it thin */
                moments.at[k] = fmax(moments.at[k], largest * 0x1p-18);
            }
            for (int k = 0; k < 2 && random_one_in(&random, 4); k++) { /* two or three within a few eps */
                moments.at[k] = moments.at[2] * (1 + (double)random_signed(&random, -26, -21));
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
        printf("# %s: moments within %.3f eps of the largest, tensor within %.3f\n", table_name(table), worst.moment,
               worst.rebuilt);
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
                t[k] = random_one_in(&random, 3)   ? 2
                       : random_one_in(&random, 3) ? 2 + 0x1p-22f /* an ulp more, which is no rounding */
                                                   : random_magnitude(&random, -30, 30);
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
        {2, 2, 2, -1, -1, -1.0f + 0x1p-16f},
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

/* An axis of the tensor's own keeps its moment, however small, next to entries that are not 0: it may have products
   that are rounding errors of it. */
static void test_small_moments_of_own_axes(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        for (size_t axis = 0; axis < 3; axis++) {
            for (int exponent = -100; exponent < -4; exponent++) {
                const size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
                const float small = ldexpf(0.7f, exponent);
                float t[6] = {1, 1, 1}, moments[3], axes[4];
                t[axis] = small;
                t[5 - axis] = 0.25f; /* of the two others */
                t[5 - next] = exponent % 2 ? small * 0x1p-24f : 0;
                t[5 - last] = exponent % 3 ? -small * 0x1p-25f : 0;
                check_status(table->inertia_principal(t, moments, axes), GYRE_OK);
                CASE("%a about axis %zu", (double)small, axis);
                check_within((double)moments[axis] / (double)small, 1, 2 * eps);
                check_within(fminf(moments[next], moments[last]), 0.75, 2 * eps);
                check_within(fmaxf(moments[next], moments[last]), 1.25, 2 * eps);
            }
        }
    }
}

static size_t equal_pairs(const float moments[3])
{
    return (moments[0] == moments[1]) + (moments[1] == moments[2]) + (moments[2] == moments[0]);
}

/* Of a wheel or a rod with some width in any attitude two moments come out equal, although the rounding of the tensor
   parts them; moments 4e-6 apart do not. */
static void test_equal_moments(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {4};
        for (size_t i = 0; i < effort(30000); i++) {
            const double size = (double)random_magnitude(&random, -30, 31);
            const double odd = random_one_in(&random, 2) ? 1 + 0.99 * (double)random_unit(&random)
                                                         : (double)random_magnitude(&random, -17, -1);
            float t[6], moments[3], axes[4];
            make_tensor((vector){{size, size, size * odd}}, random_attitude(&random), t);
            CASE("size %g, odd moment %g of it", size, odd);
            check_status(table->inertia_principal(t, moments, axes), GYRE_OK);
            if (fabs(odd - 1) > 0x1p-20) {
                check(equal_pairs(moments), ==, 1);
            }
            make_tensor((vector){{size, size * (1 + 4e-6), size * odd}}, random_attitude(&random), t);
            check_status(table->inertia_principal(t, moments, axes), GYRE_OK);
            if (fabs(odd - 1) > 0x1p-16) {
                check(equal_pairs(moments), ==, 0);
            }
        }
        float t[6], moments[3], axes[4];
        make_tensor((vector){{2, 2, 2}}, random_attitude(&random), t);
        t[4] = 0x1p-23f; /* a sphere with a rounding error */
        check_status(table->inertia_principal(t, moments, axes), GYRE_OK);
        check(equal_pairs(moments), ==, 3);
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
        const float too_large[6] = {3e38f, 3e38f, 3e38f, 1e38f, 0, 0}; /* a moment of 4e38 */
        check_status(table->inertia_principal(too_large, moments, axes), GYRE_ERROR_RANGE);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_random_tensors),  TEST(test_diagonal_stays),
        TEST(test_awkward_tensors), TEST(test_small_moments_of_own_axes),
        TEST(test_equal_moments),   TEST(test_sense_of_axes),
        TEST(test_errors),
    };
    return cmocka_run_group_tests_name("body_inertia", tests, NULL, NULL);
}
