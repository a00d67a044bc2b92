/* Principal moments and axes of a symmetric tensor by Jacobi rotations: each makes one pair of off-diagonal entries
   zero, and the sum of their squares falls, in the end quadratically. The smaller of the two possible angles is used,
   so a diagonal tensor is not changed. (G. Golub and C. Van Loan, Matrix Computations, 4th edition, 8.5.) One tensor at
   a time, in double: not meant for every frame. */
#include "common/checks.h"
#include "list.h"
#include "scalar/elementary.h"

/* Turns the plane of axes p and q so that a[p][q] becomes 0; r is the third axis, p, q, r a right-handed cycle.
   quaternion is x y z w. */
static void rotate_plane(double a[3][3], double quaternion[4], int p, int q, int r)
{
    if (a[p][q] == 0) {
        return;
    }
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double tangent = 1 / (scalar_abs(theta) + double_square_root(theta * theta + 1));
    tangent = theta < 0 ? -tangent : tangent;
    double cosine = 1 / double_square_root(tangent * tangent + 1), sine = tangent * cosine;
    double moved = tangent * a[p][q], rp = a[r][p], rq = a[r][q];
    a[p][p] -= moved;
    a[q][q] += moved;
    a[p][q] = a[q][p] = 0;
    a[r][p] = a[p][r] = cosine * rp - sine * rq;
    a[r][q] = a[q][r] = sine * rp + cosine * rq;

    /* axes <- (axes) (rotation about r by minus the angle), with the sine and cosine of half the angle */
    double half_cosine = double_square_root((1 + cosine) / 2), half_sine = -sine / (2 * half_cosine);
    double vp = quaternion[p], vq = quaternion[q], vr = quaternion[r], w = quaternion[3];
    quaternion[p] = half_cosine * vp + half_sine * vq;
    quaternion[q] = half_cosine * vq - half_sine * vp;
    quaternion[r] = half_cosine * vr + half_sine * w;
    quaternion[3] = half_cosine * w - half_sine * vr;
}

/* ---- Whether all moments are positive. Rounding must not decide that: a thin rod's tensor is singular. ---- */

/* A sum without rounding: parts that do not overlap, the smallest first (J. Shewchuk, Discrete Comput. Geom. 18, 1997,
   grow-expansion). */
typedef struct exact_sum {
    double part[10];
    int count;
} exact_sum;

static void add_exactly(exact_sum *sum, double x)
{
    for (int k = 0; k < sum->count; k++) {
        const double a = x, b = sum->part[k];
        x = a + b;
        const double of_b = x - a;
        sum->part[k] = (a - (x - of_b)) + (b - of_b);
    }
    sum->part[sum->count++] = x;
}

/* Adds ab c, where ab is a product of two floats and c a float, in halves of ab with 26 bits each (Veltkamp). */
static void add_product_exactly(exact_sum *sum, double ab, double c)
{
    const double shifted = ab * 0x8000001p0, high = shifted - (shifted - ab);
    add_exactly(sum, (ab - high) * c);
    add_exactly(sum, high * c);
}

/* Accurate to nearly all digits; 0 or the sign are always right. */
static double exact_determinant(double xx, double yy, double zz, double xy, double xz, double yz)
{
    exact_sum sum = {.count = 0};
    add_product_exactly(&sum, xx * yy, zz);
    add_product_exactly(&sum, 2 * xy * xz, yz);
    add_product_exactly(&sum, -(yz * yz), xx);
    add_product_exactly(&sum, -(xz * xz), yy);
    add_product_exactly(&sum, -(xy * xy), zz);
    double value = 0;
    for (int k = 0; k < sum.count; k++) {
        value += sum.part[k];
    }
    return value;
}

/* Jacobi rotations leave a moment off by 2^-50 of the largest. Where that is a large part of the smallest moment, it is
   found from the determinant, the product of all three; if the middle one is as small, both are found from their
   product and their sum, which is the sum of the principal minors over the largest moment, within 2^-26 of it. */
static void refine_smallest(double moments[3], double minors, double determinant)
{
    int small = 0, large = 0;
    for (int k = 1; k < 3; k++) {
        small = moments[k] < moments[small] ? k : small;
        large = moments[k] >= moments[large] ? k : large;
    }
    const int middle = 3 - small - large;
    const double least = 0x1p-26 * moments[large];
    if (moments[middle] < least) {
        const double half_sum = minors / moments[large] / 2, product = determinant / moments[large];
        const double square = half_sum * half_sum - product;
        moments[middle] = half_sum + (square > 0 ? double_square_root(square) : 0);
    }
    if (moments[small] < least) {
        moments[small] = determinant / (moments[large] * moments[middle]);
    }
}

/* ---- The two kernels ---- */

/* Finds moments and axes of a finite tensor; the axes are x y z w. Returns whether all moments are positive. */
static bool find_principal(const float tensor[6], double principal[3], double quaternion[4])
{
    const double xx = tensor[0], yy = tensor[1], zz = tensor[2], xy = tensor[3], xz = tensor[4], yz = tensor[5];
    /* Sylvester's criterion; the products are exact */
    const double minor = xx * yy - xy * xy, determinant = exact_determinant(xx, yy, zz, xy, xz, yz);
    const bool positive = xx > 0 && minor > 0 && determinant > 0;
    double a[3][3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
    const int most_sweeps = 12; /* each squares the relative size of the off-diagonal entries */
    for (int k = 0; k < most_sweeps && (a[0][1] != 0 || a[0][2] != 0 || a[1][2] != 0); k++) {
        rotate_plane(a, quaternion, 0, 1, 2);
        rotate_plane(a, quaternion, 1, 2, 0);
        rotate_plane(a, quaternion, 2, 0, 1);
    }
    for (int k = 0; k < 3; k++) {
        principal[k] = a[k][k];
    }
    if (positive && (xy != 0 || xz != 0 || yz != 0)) {
        refine_smallest(principal, minor + (yy * zz - yz * yz) + (xx * zz - xz * xz), determinant);
    }
    return positive;
}

static bool all_finite(const float tensor[6])
{
    bool finite = true;
    for (int k = 0; k < 6; k++) {
        finite &= is_finite(tensor[k]);
    }
    return finite;
}

gyre_status gyre_scalar_inertia_principal(const float tensor[6], float moments[3], float axes[4])
{
    if (tensor == NULL || moments == NULL || axes == NULL) {
        return GYRE_ERROR_NULL;
    }
    double principal[3], quaternion[4] = {0, 0, 0, 1};
    if (!all_finite(tensor) || !find_principal(tensor, principal, quaternion)) {
        return GYRE_ERROR_VALUE;
    }
    float result[3];
    for (int k = 0; k < 3; k++) {
        result[k] = (float)principal[k];
        if (!(result[k] > 0) || !is_finite(result[k])) {
            return GYRE_ERROR_RANGE;
        }
    }
    for (int k = 0; k < 3; k++) {
        moments[k] = result[k];
    }
    for (int k = 0; k < 4; k++) {
        axes[k] = (float)quaternion[k];
    }
    return GYRE_OK;
}

/* For finite tensors. Rounding its entries to float can change a moment by at most 3 * 2^-24 of the largest. */
static gyre_inertia_kind kind_of(const float tensor[6])
{
    double moments[3], axes[4] = {0, 0, 0, 1};
    const bool positive = find_principal(tensor, moments, axes);
    double least = moments[0], largest = moments[0], sum = 0;
    for (int k = 0; k < 3; k++) {
        least = moments[k] < least ? moments[k] : least;
        largest = moments[k] > largest ? moments[k] : largest;
        sum += moments[k];
    }
    if (!positive) {
        const bool on_diagonal = tensor[0] < 0 || tensor[1] < 0 || tensor[2] < 0;
        return on_diagonal || least < -0x1p-22 * largest ? GYRE_INERTIA_NEGATIVE : GYRE_INERTIA_THIN;
    }
    if (!is_finite((float)largest)) {
        return GYRE_INERTIA_NOT_FINITE;
    }
    if (!((float)least > 0)) {
        return GYRE_INERTIA_THIN;
    }
    return largest - (sum - largest) > 0x1p-20 * largest ? GYRE_INERTIA_IMPOSSIBLE : GYRE_INERTIA_FINE;
}

gyre_status gyre_scalar_inertia_check(const float tensor[6], gyre_inertia_kind *out)
{
    if (tensor == NULL || out == NULL) {
        return GYRE_ERROR_NULL;
    }
    *out = all_finite(tensor) ? kind_of(tensor) : GYRE_INERTIA_NOT_FINITE;
    return GYRE_OK;
}
