/* What bodies look like from outside: energy, angular velocity, and matrices for drawing. */
#include "body_lanes.h"

/* A body and its momentum in its own frame; components are NaN where the body is impossible. */
typedef struct body_view {
    wf4 orientation;
    wf3 momentum, spin; /* in the body: I^-1 M */
    wf square;          /* |q|^2 */
} body_view;

VF_INLINE body_view view_bodies(const gyre_bodies *b, size_t i, size_t n)
{
    const wf zero = wf_set1(0), one = wf_set1(1);
    float *const *q = b->orientation, *const *low = b->orientation_low, *const *m = b->momentum;
    wf4 orientation = {wf3_load_n(q[0], q[1], q[2], i, n), wf_load_n(q[3] + i, n)};
    wf3 world = wf3_load_n(m[0], m[1], m[2], i, n);
    wf3 inertia = wf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n);
    wf square = versor_square(orientation);
    body_view view = {.orientation = orientation, .square = square};
    wf4 rest = {{zero, zero, zero}, zero};
    if (low[0] != NULL) {
        rest = (wf4){wf3_load_n(low[0], low[1], low[2], i, n), wf_load_n(low[3] + i, n)};
    }
    wd4 precise = precise_orientation(orientation, low[0] != NULL ? &rest : NULL);
    view.momentum = wd3_to_wf3(precise_momentum_in_body(precise, world));
    wf smallest = wf_min(wf_min(inertia.x, inertia.y), inertia.z);
    wm possible = wm_and(wf_lt(zero, smallest), wf_eq(trace_of_infinity(inertia), zero));
    wf over = wf_select(possible, one, wf_set1(NAN));
    view.spin = (wf3){
        wf_mul(over, wf_div(view.momentum.x, inertia.x)),
        wf_mul(over, wf_div(view.momentum.y, inertia.y)),
        wf_mul(over, wf_div(view.momentum.z, inertia.z)),
    };
    return view;
}

GYRE_KERNEL_FUNCTION gyre_status bodies_energy(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    gyre_status status = check_bodies(bodies, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (energy_J == NULL) {
        return GYRE_ERROR_NULL;
    }
    for (size_t i = begin, n; i < end; i += n) {
        n = wf_lanes_left(i, end);
        body_view view = view_bodies(bodies, i, n);
        wf_store_n(energy_J + i, wf_mul(wf_set1(0.5f), wf3_dot(view.momentum, view.spin)), n);
    }
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status bodies_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                         float *const omega[3])
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    gyre_status status = check_bodies(bodies, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (omega == NULL || omega[0] == NULL || omega[1] == NULL || omega[2] == NULL) {
        return GYRE_ERROR_NULL;
    }
    for (size_t i = begin, n; i < end; i += n) {
        n = wf_lanes_left(i, end);
        body_view view = view_bodies(bodies, i, n);
        wf4 conjugate = {wf3_neg(view.orientation.v), view.orientation.w};
        wf3 world = momentum_in_body(conjugate, view.spin, view.square);
        wf_store_n(omega[0] + i, world.x, n);
        wf_store_n(omega[1] + i, world.y, n);
        wf_store_n(omega[2] + i, world.z, n);
    }
    return GYRE_OK;
}

/* Rows of the rotation by q / |q|, each with a coordinate of the position behind it. */
VF_INLINE void transform_rows(wf4 q, wf3 position, wf row[3][4])
{
    const wf one = wf_set1(1);
    wf twice = wf_div(wf_set1(2), versor_square(q));
    wf3 v = q.v, s = wf3_scale(twice, v);
    wf xx = wf_mul(s.x, v.x), yy = wf_mul(s.y, v.y), zz = wf_mul(s.z, v.z);
    wf xy = wf_mul(s.x, v.y), yz = wf_mul(s.y, v.z), zx = wf_mul(s.z, v.x);
    wf wx = wf_mul(s.x, q.w), wy = wf_mul(s.y, q.w), wz = wf_mul(s.z, q.w);
    row[0][0] = wf_sub(one, wf_add(yy, zz));
    row[0][1] = wf_sub(xy, wz);
    row[0][2] = wf_add(zx, wy);
    row[0][3] = position.x;
    row[1][0] = wf_add(xy, wz);
    row[1][1] = wf_sub(one, wf_add(zz, xx));
    row[1][2] = wf_sub(yz, wx);
    row[1][3] = position.y;
    row[2][0] = wf_sub(zx, wy);
    row[2][1] = wf_add(yz, wx);
    row[2][2] = wf_sub(one, wf_add(xx, yy));
    row[2][3] = position.z;
}

GYRE_KERNEL_FUNCTION gyre_status bodies_transforms(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                                   const float *y, const float *z, float *rows3x4, size_t stride_bytes)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (begin > end || end > bodies->count) {
        return GYRE_ERROR_RANGE;
    }
    if (stride_bytes < 12 * sizeof(float) || stride_bytes % sizeof(float) != 0) {
        return GYRE_ERROR_VALUE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    float *const *q = bodies->orientation;
    if (rows3x4 == NULL || (x != NULL && (y == NULL || z == NULL)) || q[0] == NULL || q[1] == NULL || q[2] == NULL ||
        q[3] == NULL) {
        return GYRE_ERROR_NULL;
    }
    wf3 position = {wf_set1(0), wf_set1(0), wf_set1(0)};
    for (size_t i = begin, n; i < end; i += n) {
        n = wf_lanes_left(i, end);
        if (x != NULL) {
            position = wf3_load_n(x, y, z, i, n);
        }
        wf row[3][4];
        transform_rows((wf4){wf3_load_n(q[0], q[1], q[2], i, n), wf_load_n(q[3] + i, n)}, position, row);
        float *first = (float *)(void *)((char *)rows3x4 + i * stride_bytes);
        for (size_t k = 0; k < 3; k++) {
            wf_store_rows4_n(first + 4 * k, stride_bytes, row[k], n);
        }
    }
    return GYRE_OK;
}
