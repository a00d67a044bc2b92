/* What bodies look like from outside: energy, angular velocity, and matrices for drawing. */
#include "body_lanes.h"

/* A body and its momentum in its own frame; components are NaN where the body is impossible. */
typedef struct body_view {
    vf4 orientation;
    vf3 momentum, spin; /* in the body: I^-1 M */
    vf square;          /* |q|^2 */
} body_view;

VF_INLINE body_view view_bodies(const gyre_bodies *b, size_t i, size_t n)
{
    const vf zero = vf_set1(0), one = vf_set1(1);
    float *const *q = b->orientation, *const *low = b->orientation_low, *const *m = b->momentum;
    vf4 orientation = {vf3_load_n(q[0], q[1], q[2], i, n), vf_load_n(q[3] + i, n)};
    vf3 world = vf3_load_n(m[0], m[1], m[2], i, n);
    vf3 inertia = vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n);
    vf square = versor_square(orientation);
    body_view view = {.orientation = orientation, .square = square};
    vf4 rest = {{zero, zero, zero}, zero};
    if (low[0] != NULL) {
        rest = (vf4){vf3_load_n(low[0], low[1], low[2], i, n), vf_load_n(low[3] + i, n)};
    }
    vd3 momentum[2];
    FOR_EACH_HALF
    {
        vd4 precise = precise_orientation(&orientation, low[0] != NULL ? &rest : NULL, half);
        momentum[half] = precise_momentum_in_body(precise, vd3_load(&world, half), vd_set1(1));
    }
    view.momentum = vd3_join(momentum[0], momentum[1]); /* not through memory, from which it would be loaded at once */
    vf smallest = vf_min(vf_min(inertia.x, inertia.y), inertia.z);
    vm possible = vm_and(vf_lt(zero, smallest), vf_eq(trace_of_infinity(inertia), zero));
    vf over = vf_select(possible, one, vf_set1(NAN));
    view.spin = (vf3){
        vf_mul(over, vf_div(view.momentum.x, inertia.x)),
        vf_mul(over, vf_div(view.momentum.y, inertia.y)),
        vf_mul(over, vf_div(view.momentum.z, inertia.z)),
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
        n = vf_lanes_left(i, end);
        body_view view = view_bodies(bodies, i, n);
        vf_store_n(energy_J + i, vf_mul(vf_set1(0.5f), vf3_dot(view.momentum, view.spin)), n);
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
        n = vf_lanes_left(i, end);
        body_view view = view_bodies(bodies, i, n);
        vf4 conjugate = {vf3_neg(view.orientation.v), view.orientation.w};
        vf3 world = momentum_in_body(conjugate, view.spin, view.square, vf_set1(1));
        vf_store_n(omega[0] + i, world.x, n);
        vf_store_n(omega[1] + i, world.y, n);
        vf_store_n(omega[2] + i, world.z, n);
    }
    return GYRE_OK;
}

/* Rows of the rotation by q / |q|, each with a coordinate of the position behind it. */
VF_INLINE void transform_rows(vf4 q, vf3 position, vf row[3][4])
{
    const vf one = vf_set1(1);
    vf twice = vf_div(vf_set1(2), versor_square(q));
    vf3 v = q.v, s = vf3_scale(twice, v);
    vf xx = vf_mul(s.x, v.x), yy = vf_mul(s.y, v.y), zz = vf_mul(s.z, v.z);
    vf xy = vf_mul(s.x, v.y), yz = vf_mul(s.y, v.z), zx = vf_mul(s.z, v.x);
    vf wx = vf_mul(s.x, q.w), wy = vf_mul(s.y, q.w), wz = vf_mul(s.z, q.w);
    row[0][0] = vf_sub(one, vf_add(yy, zz));
    row[0][1] = vf_sub(xy, wz);
    row[0][2] = vf_add(zx, wy);
    row[0][3] = position.x;
    row[1][0] = vf_add(xy, wz);
    row[1][1] = vf_sub(one, vf_add(zz, xx));
    row[1][2] = vf_sub(yz, wx);
    row[1][3] = position.y;
    row[2][0] = vf_sub(zx, wy);
    row[2][1] = vf_add(yz, wx);
    row[2][2] = vf_sub(one, vf_add(xx, yy));
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
    vf3 position = {vf_set1(0), vf_set1(0), vf_set1(0)};
    for (size_t i = begin, n; i < end; i += n) {
        n = vf_lanes_left(i, end);
        if (x != NULL) {
            position = vf3_load_n(x, y, z, i, n);
        }
        vf row[3][4];
        transform_rows((vf4){vf3_load_n(q[0], q[1], q[2], i, n), vf_load_n(q[3] + i, n)}, position, row);
        float *first = (float *)(void *)((char *)rows3x4 + i * stride_bytes);
        for (size_t k = 0; k < 3; k++) {
            vf_store_rows4_n(first + 4 * k, stride_bytes, row[k], n);
        }
    }
    return GYRE_OK;
}
