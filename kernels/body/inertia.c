/* Principal moments and axes of a symmetric tensor by Jacobi rotations: each makes one pair of off-diagonal entries
   zero, and the sum of their squares falls, in the end quadratically. The smaller of the two possible angles is used,
   so a diagonal tensor is not changed. (G. Golub and C. Van Loan, Matrix Computations, 4th edition, 8.5.) One tensor at
   a time, in double: not meant for every frame. tools/docs/bodies.md says where the tolerances come from. */
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

/* Relative to the largest moment. A moment is 0 to the precision of float up to MOMENT_ROUNDING: rounding the entries
   of an ideal rod's tensor makes up to 1.33 * 2^-24, and computing them in float up to 6 * 2^-24. */
#define MOMENT_ROUNDING 0x1p-21
#define EQUAL_MOMENTS 0x1p-23     /* two that differ by no more may be equal */
#define EXCESS_ROUNDING 0x1p-20   /* of the largest over the sum of the others */
#define LEAST_MOMENT_MADE 0x1p-20 /* by gyre_inertia_nearest, so that rounding leaves more than MOMENT_ROUNDING */

typedef struct principal {
    double moment[3], axes[4]; /* axes: x y z w */
    bool exact[3]; /* the moment is an entry of the diagonal, which other entries change by less than an ulp */
    int small, middle, large; /* the order of the moments */
} principal;

static void order_moments(principal *p)
{
    p->small = p->large = 0;
    for (int k = 1; k < 3; k++) {
        p->small = p->moment[k] < p->moment[p->small] ? k : p->small;
        p->large = p->moment[k] >= p->moment[p->large] ? k : p->large;
    }
    p->middle = 3 - p->small - p->large;
}

/* Of a finite tensor. */
static principal principal_of(const float tensor[6])
{
    const double xx = tensor[0], yy = tensor[1], zz = tensor[2], xy = tensor[3], xz = tensor[4], yz = tensor[5];
    double a[3][3] = {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
    principal p = {.axes = {0, 0, 0, 1}};
    for (int k = 0; k < 3; k++) {
        const double limit = 0x1p-24 * a[k][k];
        p.exact[k] = scalar_abs(a[k][(k + 1) % 3]) <= limit && scalar_abs(a[k][(k + 2) % 3]) <= limit;
    }
    const int most_sweeps = 12; /* each squares the relative size of the off-diagonal entries */
    for (int k = 0; k < most_sweeps && (a[0][1] != 0 || a[0][2] != 0 || a[1][2] != 0); k++) {
        rotate_plane(a, p.axes, 0, 1, 2);
        rotate_plane(a, p.axes, 1, 2, 0);
        rotate_plane(a, p.axes, 2, 0, 1);
    }
    for (int k = 0; k < 3; k++) {
        p.moment[k] = a[k][k];
    }
    order_moments(&p);
    return p;
}

static bool all_finite(const float tensor[6])
{
    bool finite = true;
    for (int k = 0; k < 6; k++) {
        finite &= is_finite(tensor[k]);
    }
    return finite;
}

/* The largest moment minus the sum of the others. */
static double excess_of(const principal *p)
{
    return p->moment[p->large] - (p->moment[p->small] + p->moment[p->middle]);
}

static gyre_inertia_kind kind_of(const float tensor[6], const principal *p)
{
    const double largest = p->moment[p->large], rounding = MOMENT_ROUNDING * largest;
    if (tensor[0] < 0 || tensor[1] < 0 || tensor[2] < 0 || p->moment[p->small] < -rounding) {
        return GYRE_INERTIA_NEGATIVE;
    }
    for (int k = 0; k < 3; k++) {
        if (p->moment[k] <= (p->exact[k] ? 0 : rounding) || !((float)p->moment[k] > 0)) {
            return GYRE_INERTIA_THIN;
        }
    }
    if (!is_finite((float)largest)) {
        return GYRE_INERTIA_NOT_FINITE;
    }
    return excess_of(p) > EXCESS_ROUNDING * largest ? GYRE_INERTIA_IMPOSSIBLE : GYRE_INERTIA_FINE;
}

gyre_status gyre_scalar_inertia_check(const float tensor[6], gyre_inertia_kind *out)
{
    if (tensor == NULL || out == NULL) {
        return GYRE_ERROR_NULL;
    }
    *out = GYRE_INERTIA_NOT_FINITE;
    if (all_finite(tensor)) {
        const principal p = principal_of(tensor);
        *out = kind_of(tensor, &p);
    }
    return GYRE_OK;
}

/* ---- Moments and axes ---- */

/* Two moments that the rounding of the entries may have made different become their mean; all three if two pairs are
   so near. */
static void make_equal(double moment[3], double limit)
{
    bool equal[3]; /* the two moments other than k */
    for (int k = 0; k < 3; k++) {
        equal[k] = scalar_abs(moment[(k + 1) % 3] - moment[(k + 2) % 3]) <= limit;
    }
    const bool all = equal[0] + equal[1] + equal[2] > 1;
    const double mean = (moment[0] + moment[1] + moment[2]) / 3;
    for (int k = 0; k < 3; k++) {
        double *const one = &moment[(k + 1) % 3], *const other = &moment[(k + 2) % 3];
        if (all) {
            moment[k] = mean;
        } else if (equal[k]) {
            *one = *other = (*one + *other) / 2;
        }
    }
}

gyre_status gyre_scalar_inertia_principal(const float tensor[6], float moments[3], float axes[4])
{
    if (tensor == NULL || moments == NULL || axes == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!all_finite(tensor)) {
        return GYRE_ERROR_VALUE;
    }
    principal p = principal_of(tensor);
    switch (kind_of(tensor, &p)) {
    case GYRE_INERTIA_FINE:
    case GYRE_INERTIA_IMPOSSIBLE: break;
    case GYRE_INERTIA_NOT_FINITE: return GYRE_ERROR_RANGE;
    default: return GYRE_ERROR_VALUE;
    }
    if (tensor[3] != 0 || tensor[4] != 0 || tensor[5] != 0) {
        make_equal(p.moment, EQUAL_MOMENTS * p.moment[p.large]);
    }
    for (int k = 0; k < 3; k++) {
        moments[k] = (float)p.moment[k];
    }
    for (int k = 0; k < 4; k++) {
        axes[k] = (float)p.axes[k];
    }
    return GYRE_OK;
}

/* ---- The nearest tensor that a mass can have ---- */

/* The moments a <= b <= c of a mass are a cone: c <= a + b, from which a >= 0 follows. The nearest point of it to a
   point outside is on the face c = a + b, or if that has a < 0, on the edge 0, t, t. It is lifted off that edge, where
   rods are. */
static void project(const principal *p, double moment[3])
{
    const double a = p->moment[p->small], b = p->moment[p->middle], c = p->moment[p->large], excess = excess_of(p);
    const double part = excess > 0 ? excess / 3 : 0, edge = b + c > 0 ? (b + c) / 2 : 0;
    const bool on_face = a + part >= 0;
    const double largest = on_face ? c - part : edge, least = on_face ? a + part : 0;
    moment[p->large] = largest;
    moment[p->middle] = on_face ? b + part : edge;
    moment[p->small] = least > LEAST_MOMENT_MADE * largest ? least : LEAST_MOMENT_MADE * largest;
}

/* The tensor of these moments about the axes u_k: the sum of moment_k u_k u_k^T. */
static void rebuild(const double axes[4], const double moment[3], float tensor[6])
{
    const double x = axes[0], y = axes[1], z = axes[2], w = axes[3];
    const double u[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
                            {2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
                            {2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int e = 0; e < 6; e++) {
        double entry = 0;
        for (int k = 0; k < 3; k++) {
            entry += moment[k] * u[k][row[e]] * u[k][column[e]];
        }
        tensor[e] = (float)entry;
    }
}

gyre_status gyre_scalar_inertia_nearest(const float tensor[6], float nearest[6], float *excess)
{
    if (tensor == NULL || nearest == NULL || excess == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!all_finite(tensor)) {
        return GYRE_ERROR_VALUE;
    }
    const principal p = principal_of(tensor);
    float made[6];
    for (int e = 0; e < 6; e++) {
        made[e] = tensor[e];
    }
    if (kind_of(tensor, &p) != GYRE_INERTIA_FINE) {
        double moment[3];
        gyre_inertia_kind kind;
        project(&p, moment);
        rebuild(p.axes, moment, made);
        gyre_scalar_inertia_check(made, &kind);
        if (kind != GYRE_INERTIA_FINE) {
            return GYRE_ERROR_RANGE;
        }
    }
    for (int e = 0; e < 6; e++) {
        nearest[e] = made[e];
    }
    *excess = (float)(excess_of(&p) / p.moment[p.large]);
    return GYRE_OK;
}
