/* gyre_inertia_check, which distinguishes kinds of tensors, and gyre_inertia_nearest; and that gyre_inertia_principal
   accepts what they say. */
#include "support/bodies.h"
#include "support/tensors.h"

#include <math.h>
#include <string.h>

static const double eps = 0x1p-24;

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
        {{1, 1, 0, 0, 0, 0x1p-12f}, GYRE_INERTIA_THIN},            /* a moment of -2^-24 */
        {{1, 1, 0, 0, 0x1.6p-11f, 0}, GYRE_INERTIA_THIN},          /* of nearly -2^-21 */
        {{1, 1, 0, 0, 0x1.7p-11f, 0}, GYRE_INERTIA_NEGATIVE},      /* of a little more */
        {{1, 1, 0x1p-21f, 0, 0x1p-20f, 0}, GYRE_INERTIA_THIN},     /* of 2^-21 */
        {{1, 1, 0x1.001p-21f, 0, 0x1p-20f, 0}, GYRE_INERTIA_FINE}, /* of a little more */
        {{1, 1, 0x1p-21f, 0, -0x1p-45f, 0}, GYRE_INERTIA_FINE},    /* exact */
        {{1, 1, 0x1p-21f, 0, 0, 0x1.001p-45f}, GYRE_INERTIA_THIN}, /* not exact */
        {{1, 1, 0, 0, 0, 0}, GYRE_INERTIA_THIN},
        {{0, 3, 1, 0, 0, 0}, GYRE_INERTIA_THIN},
        {{0, 0, 0, 0, 0, 0}, GYRE_INERTIA_THIN},
        {{0x1p-148f, 0x1p-149f, 1e-40f, 0x1p-149f, 0, 0}, GYRE_INERTIA_THIN}, /* a moment of 0.38 * 2^-149 */
        {{1, 1, 0x1p-149f, 0, 0, 0}, GYRE_INERTIA_FINE},                      /* a diagonal is exact */
        {{1, 1, 1e-8f, 1e-6f, 0, 0}, GYRE_INERTIA_IMPOSSIBLE},                /* so is an axis of the tensor's own */
        {{1, 1, 1e-8f, 0, 1e-6f, 0}, GYRE_INERTIA_THIN},                      /* which this is not */
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

/* c (1 - u u^T): the tensor of an ideal rod along u. */
static void make_rod(vector u, double c, float t[6])
{
    for (int k = 0; k < 3; k++) {
        const double y = u.at[(k + 1) % 3], z = u.at[(k + 2) % 3];
        t[k] = (float)(c * (y * y + z * z));
    }
    t[3] = (float)(-c * u.at[0] * u.at[1]);
    t[4] = (float)(-c * u.at[0] * u.at[2]);
    t[5] = (float)(-c * u.at[1] * u.at[2]);
}

/* Any direction, often near an axis or in a plane of two. */
static vector rod_direction(random_source *random)
{
    vector u = random_direction(random);
    for (int k = 0; k < 3; k++) {
        u.at[k] *= random_one_in(random, 6)   ? 0
                   : random_one_in(random, 3) ? (double)random_magnitude(random, -30, 0)
                                              : 1;
    }
    return vector_length(u) > 0 ? vector_scaled(u, 1 / vector_length(u)) : rod_direction(random);
}

/* Rods of every attitude and size, rounded to float once, once more by a factor, and computed in float. */
static void test_rods_are_thin(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {6};
        for (size_t i = 0; i < effort(50000); i++) {
            const vector u = rod_direction(&random);
            const float factor = random_magnitude(&random, -40, 40);
            float t[6];
            make_rod(u, 1, t);
            check_inertia_kind(CHECK_HERE("kind of a rod"), table, t, GYRE_INERTIA_THIN);
            for (int k = 0; k < 6; k++) {
                t[k] *= factor;
            }
            check_inertia_kind(CHECK_HERE("kind of a scaled rod"), table, t, GYRE_INERTIA_THIN);
            make_rod(u, (double)factor, t);
            check_inertia_kind(CHECK_HERE("kind of a large or small rod"), table, t, GYRE_INERTIA_THIN);
            const float x = (float)u.at[0], y = (float)u.at[1], z = (float)u.at[2];
            const float in_float[6] = {y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z};
            check_inertia_kind(CHECK_HERE("kind of a rod in float"), table, in_float, GYRE_INERTIA_THIN);
        }
    }
}

/* Where rods end: a diagonal tensor is fine with any moment above 0, a turned one from 4e-6 of the largest on. */
static void test_slender_bodies(void **state)
{
    (void)state;
    const double slender[] = {4e-6, 5e-6, 1e-5, 1e-4}, thin[] = {0, 1e-9, 1e-8, 1e-7};
    EACH_BEST_TABLE(table) {
        random_source random = {7};
        for (size_t i = 0; i < effort(20000); i++) {
            const double size = (double)random_magnitude(&random, -40, 40);
            const double round = 1 + (double)random_unit(&random) * (double)random_below(&random, 2); /* or elliptic */
            const quaternion axes = quaternion_product(random_attitude(&random), random_attitude(&random));
            float t[6];
            make_tensor((vector){{size * slender[i % 4], size, size}}, axes, t);
            check_inertia_kind(CHECK_HERE("kind of a slender body"), table, t, GYRE_INERTIA_FINE);
            make_tensor((vector){{size * thin[i % 4], size, size}}, axes, t);
            check_inertia_kind(CHECK_HERE("kind of a thin body"), table, t, GYRE_INERTIA_THIN);
            make_tensor((vector){{size, size * round, size * (1 + round)}}, axes, t);
            check_inertia_kind(CHECK_HERE("kind of a disc"), table, t, GYRE_INERTIA_FINE);
            const float diagonal[6] = {(float)size, (float)size, (float)(size * (i % 4 ? thin[i % 4] : 1e-12))};
            check_inertia_kind(CHECK_HERE("kind of a diagonal"), table, diagonal, GYRE_INERTIA_FINE);
        }
    }
}

/* Point masses about their centre, from 4 of any places to 50 in a plane: what models are made of. */
static void test_masses_are_fine(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {8};
        for (size_t i = 0; i < effort(20000); i++) {
            const size_t points = 4 + random_below(&random, 47);
            const quaternion axes = random_attitude(&random);
            const double thickness = random_one_in(&random, 3) ? 0 : (double)random_magnitude(&random, -12, 0);
            vector at[50], centre = {{0, 0, 0}};
            double mass[50], total = 0, sum[6] = {0};
            for (size_t n = 0; n < points; n++) {
                at[n] = random_direction(&random);
                at[n].at[2] *= thickness;
                at[n] = quaternion_rotate(axes, at[n]);
                mass[n] = (double)random_magnitude(&random, -4, 4);
                centre = vector_sum(centre, vector_scaled(at[n], mass[n]));
                total += mass[n];
            }
            for (size_t n = 0; n < points; n++) {
                const vector r = vector_difference(at[n], vector_scaled(centre, 1 / total));
                for (int k = 0; k < 3; k++) {
                    sum[k] += mass[n] * (vector_dot(r, r) - r.at[k] * r.at[k]);
                }
                sum[3] -= mass[n] * r.at[0] * r.at[1];
                sum[4] -= mass[n] * r.at[0] * r.at[2];
                sum[5] -= mass[n] * r.at[1] * r.at[2];
            }
            const float t[6] = {(float)sum[0], (float)sum[1], (float)sum[2],
                                (float)sum[3], (float)sum[4], (float)sum[5]};
            check_inertia_kind(CHECK_HERE("kind of points"), table, t, GYRE_INERTIA_FINE);
        }
    }
}

/* Mistyped moments, and negative ones. */
static void test_kinds_of_random_tensors(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {9};
        for (size_t i = 0; i < effort(20000); i++) {
            float t[6];
            const quaternion axes = random_attitude(&random);
            vector moments = random_inertia(&random, true, -30, 31);
            const double largest = largest_of(moments);
            for (int k = 0; k < 3; k++) {
                moments.at[k] = fmax(moments.at[k], largest * 0x1p-8);
            }
            moments.at[random_below(&random, 3)] = 1000 * largest;
            make_tensor(moments, axes, t);
            check_inertia_kind(CHECK_HERE("kind of a mistyped one"), table, t, GYRE_INERTIA_IMPOSSIBLE);
            make_tensor((vector){{largest, -largest * 0x1p-20, largest}}, axes, t);
            check_inertia_kind(CHECK_HERE("kind of a negative one"), table, t, GYRE_INERTIA_NEGATIVE);
        }
    }
}

/* ---- All three functions, of any tensor ---- */

/* Any six floats; or tensors about to become thin, negative, impossible or too large. */
static void any_tensor(random_source *random, float t[6])
{
    if (random_one_in(random, 4)) {
        for (int k = 0; k < 6; k++) {
            t[k] = random_one_in(random, 3)   ? random_any_float(random)
                   : random_one_in(random, 3) ? 0
                                              : (float)random_below(random, 9) - 4;
        }
        return;
    }
    const int from = random_one_in(random, 8) ? -149 : -60, to = random_one_in(random, 8) ? 128 : 60;
    const double size = (double)random_magnitude(random, from, to);
    vector moments = {{(double)random_signed(random, -30, 1), (double)random_magnitude(random, -3, 1), 0}};
    moments.at[2] = random_one_in(random, 2)
                        ? moments.at[1] + moments.at[0] * (1 + (double)random_signed(random, -30, 1))
                        : moments.at[1] * (1 + (double)random_signed(random, -26, 2));
    make_tensor(vector_scaled(moments, size), random_attitude(random), t);
}

/* That a matrix is nearest of all possible ones, with D = tensor - nearest: D is orthogonal to it, and tr(D P) <= 0 for
   each possible P. These are tr(S) - S for S >= 0, so for an eigenvalue d of D, tr D <= d. (J.-J. Moreau's
   decomposition of a cone and its polar cone.) */
static void check_nearest(const float t[6], const float nearest[6], double excess)
{
    const matrix found = tensor_matrix(nearest), tensor = tensor_matrix(t);
    const matrix d = matrix_sum(tensor, matrix_scaled(found, -1));
    const vector moments = eigenvalues(tensor), of_d = eigenvalues(d);
    double product = 0, size = worse_of(fabs(moments.at[0]), fabs(moments.at[2]));
    for (int k = 0; k < 9; k++) {
        product += d.at[k / 3][k % 3] * found.at[k / 3][k % 3];
    }
    const double trace = of_d.at[0] + of_d.at[1] + of_d.at[2];
    check(fabs(product), <=, 4 * 0x1p-20 * size * size);
    check(trace - of_d.at[0], <=, 4 * 0x1p-20 * size);
    check_within(excess * moments.at[2], moments.at[2] - moments.at[1] - moments.at[0], 2 * eps * size);
}

/* gyre_inertia_principal accepts what is fine or impossible, and nothing is written after an error; the nearest tensor
   of a fine one is itself, and that of any other is fine. */
static void test_agreement(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        random_source random = {10};
        size_t of_kind[5] = {0};
        for (size_t i = 0; i < effort(100000); i++) {
            float t[6], moments[3] = {7, 8, 9}, axes[4] = {1, 2, 3, 4}, nearest[6] = {5, 5, 5, 5, 5, 5}, excess = 6;
            gyre_inertia_kind kind, of_nearest;
            any_tensor(&random, t);
            CASE("tensor %a %a %a %a %a %a", t[0], t[1], t[2], t[3], t[4], t[5]);
            bool finite = true;
            for (int k = 0; k < 6; k++) {
                finite &= t[k] - t[k] == 0;
            }
            check_status(table->inertia_check(t, &kind), GYRE_OK);
            of_kind[kind]++;
            const bool accepted = kind == GYRE_INERTIA_FINE || kind == GYRE_INERTIA_IMPOSSIBLE;
            const gyre_status too_large = finite ? GYRE_ERROR_RANGE : GYRE_ERROR_VALUE;
            const gyre_status refused = kind == GYRE_INERTIA_NOT_FINITE ? too_large : GYRE_ERROR_VALUE;
            check_status(table->inertia_principal(t, moments, axes), accepted ? GYRE_OK : refused);
            check(moments[0] == 7 && axes[3] == 4, ==, !accepted);
            const gyre_status status = table->inertia_nearest(t, nearest, &excess);
            const vector exact = finite ? eigenvalues(tensor_matrix(t)) : (vector){{0, 0, 0}};
            const double sum = exact.at[1] + exact.at[2];
            const bool ordinary = sum > 1e-6 * exact.at[2] && sum > 0x1p-110 && exact.at[0] > -1e30 * exact.at[2];
            if (status != GYRE_OK) {
                check(kind, !=, GYRE_INERTIA_FINE);
                check(nearest[5], ==, 5);
                check(excess, ==, 6);
                check_status(status, kind == GYRE_INERTIA_NOT_FINITE ? too_large : GYRE_ERROR_RANGE);
                check(ordinary && exact.at[2] < 0x1p127 && exact.at[0] > -0x1p127, ==, 0);
                continue;
            }
            check_status(table->inertia_check(nearest, &of_nearest), GYRE_OK);
            check(of_nearest, ==, GYRE_INERTIA_FINE);
            if (kind == GYRE_INERTIA_FINE) {
                check_floats(nearest, t, 6);
                check(excess, <=, 0x1p-20f);
            } else if (ordinary) {
                check_nearest(t, nearest, (double)excess);
            }
            if (kind == GYRE_INERTIA_IMPOSSIBLE) {
                check(excess, >, 0x1p-20f);
            }
        }
        for (size_t k = 0; k < LENGTH(of_kind); k++) {
            CASE("tensors of kind %zu", k);
            check(of_kind[k], >, 0);
        }
    }
}

static void test_nearest(void **state)
{
    (void)state;
    const struct {
        float tensor[6], nearest[6], excess;
    } known[] = {
        {{1, 1, 1, 0, 0, 0}, {1, 1, 1, 0, 0, 0}, -1},
        {{1, 2, 3, 0, 0, 0}, {1, 2, 3, 0, 0, 0}, 0},
        {{1, 1, 5, 0, 0, 0}, {2, 2, 4, 0, 0, 0}, 0.6f},
        {{5, 1, 1, 0, 0, 0}, {4, 2, 2, 0, 0, 0}, 0.6f},
        {{3, 3, 1, 2, 0, 0}, {3, 3, 2, 1, 0, 0}, 0.6f}, /* moments 1, 5 and 1 */
        {{0, 1, 1000, 0, 0, 0}, {333, 334, 667, 0, 0, 0}, 0.999f},
        {{1, 1, 0, 0, 0, 0}, {1, 1, 0x1p-20f, 0, 0, 0}, 0}, /* a rod gets some width */
        {{4, 2, -1, 0, 0, 0}, {3, 3, 3 * 0x1p-20f, 0, 0, 0}, 0.75f},
        {{1, -0.0f, 1, 0, -0.0f, 0}, {1, 0x1p-20f, 1, 0, 0, 0}, 0},
        {{1, 2, 2, -0.0f, 0, -0.0f}, {1, 2, 2, -0.0f, 0, -0.0f}, -0.5f},
    };
    const float none[][6] = {
        {0, 0, 0, 0, 0, 0}, {-1, -1, -1, 0, 0, 0}, {-2, -2, 1, 0, 0, 0}, {3e38f, 3e38f, 3e38f, 3e38f, 0, 0}};
    EACH_TABLE(table) {
        float nearest[6], excess;
        for (size_t k = 0; k < LENGTH(known); k++) {
            check_status(table->inertia_nearest(known[k].tensor, nearest, &excess), GYRE_OK);
            CASE("tensor %zu", k);
            check_floats(nearest, known[k].nearest, 6);
            check(excess, ==, known[k].excess);
            float in_place[6];
            memcpy(in_place, known[k].tensor, sizeof in_place);
            check_status(table->inertia_nearest(in_place, in_place, &excess), GYRE_OK);
            check_floats(in_place, known[k].nearest, 6);
        }
        for (size_t k = 0; k < LENGTH(none); k++) {
            CASE("tensor %zu without a nearest one", k);
            check_status(table->inertia_nearest(none[k], nearest, &excess), GYRE_ERROR_RANGE);
        }
        const float *good = known[2].tensor, bad[6] = {1, 1, NAN, 0, 0, 0};
        check_status(table->inertia_nearest(bad, nearest, &excess), GYRE_ERROR_VALUE);
        check_status(table->inertia_nearest(NULL, nearest, &excess), GYRE_ERROR_NULL);
        check_status(table->inertia_nearest(good, NULL, &excess), GYRE_ERROR_NULL);
        check_status(table->inertia_nearest(good, nearest, NULL), GYRE_ERROR_NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_kinds),           TEST(test_rods_are_thin),           TEST(test_slender_bodies),
        TEST(test_masses_are_fine), TEST(test_kinds_of_random_tensors), TEST(test_agreement),
        TEST(test_nearest),
    };
    return cmocka_run_group_tests_name("body_inertia_kinds", tests, NULL, NULL);
}
