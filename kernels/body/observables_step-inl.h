/* Quantities that follow from the state of bodies, as functions of values: energy, angular velocity, and matrices. */
#ifndef GYRE_BODY_OBSERVABLES_STEP_H
#define GYRE_BODY_OBSERVABLES_STEP_H

#include "body/plain-inl.h"

/* How far |q|^2 may be from 1 when the momentum is rotated into the body's frame or back; any step ends closer to 1. */
#define VIEW_NEARLY_UNIT 0x1p-18f

/* The vector in the body's frame. */
VF_INLINE vd3 precisely_seen(vd4 q, vd3 vector)
{
    return precise_momentum_in_body(q, vector, vd4_square(q), vd_set1(1));
}

/* I^-1 M; NaN if the moments are invalid. */
VF_INLINE vf3 angular_velocity_of(vf3 momentum, vf3 inertia, vm valid)
{
    const vf one_or_nan = vf_select(valid, vf_set1(1), vf_set1(NAN));
    return (vf3){
        vf_mul(one_or_nan, vf_div(momentum.x, inertia.x)),
        vf_mul(one_or_nan, vf_div(momentum.y, inertia.y)),
        vf_mul(one_or_nan, vf_div(momentum.z, inertia.z)),
    };
}

/* Halved first, so that twice the energy cannot overflow. */
VF_INLINE vf energy_of(vf3 momentum, vf3 angular_velocity)
{
    return vf3_dot(momentum, vf3_scale(vf_set1(0.5f), angular_velocity));
}

/* R(q) a, for |q| close to 1. */
VF_INLINE vf3 vector_in_world(vf4 q, vf3 a)
{
    const vf4 conjugate = {vf3_neg(q.v), q.w};
    return momentum_in_body(conjugate, a, vf4_square(q), vf_set1(1));
}

/* R(q)^T a for s = 1, and R(q) a for s = -1, for |q| close to 1. */
VF_INLINE vd3 precise_turned(vd4 q, double s, vd3 a)
{
    const vd4 p = {vd3_scale(vd_set1(s), q.v), q.w};
    return precise_momentum_in_body(p, a, vd_sub(vd_set1(2), vd_div(vd_set1(1), vd4_square(q))), vd_set1(1));
}

/* L = R(q) I R(q)^T omega */
VF_INLINE vd3 precise_momentum_of(vd4 q, vd3 inertia, vd3 omega)
{
    return precise_turned(q, -1, vd3_mul(inertia, precise_turned(q, 1, omega)));
}

/* ---- Matrices ---- */

typedef struct body_inverse_square {
    vf inverse; /* 1 / |q|^2 */
    vm valid;
} body_inverse_square;

/* NaN if the length is not between 2^-50 and 2^50. */
VF_INLINE body_inverse_square inverse_square_of(vf4 q)
{
    const vf3 v = q.v;
    vf wx_squares = vf_add(vf_mul(q.w, q.w), vf_mul(v.x, v.x)), yz_squares = vf_add(vf_mul(v.y, v.y), vf_mul(v.z, v.z));
    const vf square = vf_add(wx_squares, yz_squares), inverse = vf_div(vf_constant(1), square);
    const vm valid = vm_and(vf_lt(vf_constant(0x1p-100f), square), vf_lt(square, vf_constant(0x1p100f)));
    return (body_inverse_square){vm_all(valid) ? inverse : vf_select(valid, inverse, vf_set1(NAN)), valid};
}

typedef struct body_rows {
    vf entry[12];
} body_rows;

/* Rows of the rotation by q / |q|, each followed by a coordinate of the position. The diagonal is a quotient of sums of
   the same four squares, whose rounding error is smaller than that of 1 minus a sum near 2. */
VF_INLINE body_rows body_rows_of(vf4 q, vf inverse_square, vf3 position)
{
    const vf3 v = q.v;
    vf xx = vf_mul(v.x, v.x), yy = vf_mul(v.y, v.y), zz = vf_mul(v.z, v.z), ww = vf_mul(q.w, q.w);
    vf wx_squares = vf_add(ww, xx), yz_squares = vf_add(yy, zz), twice = vf_add(inverse_square, inverse_square);
    vf ww_xx = vf_sub(ww, xx), yy_zz = vf_sub(yy, zz);
    vf xy = vf_mul(v.x, v.y), yz = vf_mul(v.y, v.z), zx = vf_mul(v.z, v.x);
    return (body_rows){{
        vf_mul(inverse_square, vf_sub(wx_squares, yz_squares)),
        vf_mul(twice, vf_neg_mul_add(q.w, v.z, xy)),
        vf_mul(twice, vf_mul_add(q.w, v.y, zx)),
        position.x,
        vf_mul(twice, vf_mul_add(q.w, v.z, xy)),
        vf_mul(inverse_square, vf_add(ww_xx, yy_zz)),
        vf_mul(twice, vf_neg_mul_add(q.w, v.x, yz)),
        position.y,
        vf_mul(twice, vf_neg_mul_add(q.w, v.y, zx)),
        vf_mul(twice, vf_mul_add(q.w, v.x, yz)),
        vf_mul(inverse_square, vf_sub(ww_xx, yy_zz)),
        position.z,
    }};
}

#endif
