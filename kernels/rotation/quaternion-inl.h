/* Quaternions as rotations, one in each lane. Errors, with eps = 2^-24:

       quaternion_conjugate(q)          the rotation back; exact
       quaternion_product(a, b)         first b, then a; each component within 4 eps |a||b|
       quaternion_log(q)                the rotation vector, the short way; within 5 ulp of its length
       quaternion_exp(v, t)             of a rotation vector; each component within 2 eps up to 1 rad, (3 + 2 |v|) eps
                                        beyond
       left_jacobian_times(v, t, a)             T(v) a, T as in include/gyre/rotation.h; within 8 eps |a| up to pi rad
       inverse_left_jacobian_times(v, t, a)     T(v)^-1 a; within 8 eps |a| up to pi rad; infinite at 2 pi

   t is half_rotation_of_vector(v), for any finite v below 2^40 rad. quaternion_log takes any length from 2^-30 to 2^30,
   others give NaN. */
#ifndef GYRE_ROTATION_QUATERNION_H
#define GYRE_ROTATION_QUATERNION_H

#include "rotation/half_angle-inl.h"
#include "simd/vf3-inl.h"

#include <math.h>

/* |v|^2, for lengths from 2^-30 on, with no square that is subnormal: a portable table adds a guard to each component,
   a fused one, which does not round products, its square to the sum. */
VF_INLINE vf vf_guarded(vf a) { return GYRE_FUSED ? a : vf_add(vf_abs(a), vf_set1(0x1p-60f)); }

VF_INLINE vf vf3_guarded_square(vf3 v)
{
    const vf3 guarded = {vf_guarded(v.x), vf_guarded(v.y), vf_guarded(v.z)};
    return GYRE_FUSED ? vf3_dot_add(v, v, vf_set1(0x1p-120f)) : vf3_dot(guarded, guarded);
}

VF_INLINE vf vf4_guarded_square(vf4 q)
{
    const vf w = vf_guarded(q.w);
    return vf_mul_add(w, w, vf3_guarded_square(q.v));
}

VF_INLINE vf4 quaternion_conjugate(vf4 q) { return (vf4){vf3_neg(q.v), q.w}; }

/* (a.w b.v + b.w a.v + a.v x b.v, a.w b.w - a.v . b.v) */
VF_INLINE vf4 quaternion_product(vf4 a, vf4 b)
{
    const vf3 v = vf3_scale_add(a.w, b.v, vf3_scale_add(b.w, a.v, vf3_cross(a.v, b.v)));
    const vf of_yz = vf_neg_mul_add(a.v.y, b.v.y, vf_neg_mul_add(a.v.z, b.v.z, vf_mul(a.w, b.w)));
    return (vf4){v, vf_neg_mul_add(a.v.x, b.v.x, of_yz)};
}

/* ---- The logarithm ---- */

/* 1/|q| from |q|^2, NaN where the length is not between 2^-30 and 2^30. Within 2^-12 of 1 it is the tangent at 1, which
   is off by at most 0.4 eps. */
VF_INLINE vf inverse_length(vf square)
{
    const vf one = vf_set1(1), tangent = vf_neg_mul_add(vf_set1(0.5f), square, vf_set1(1.5f));
    const vm near = vf_lt(vf_abs(vf_sub(square, one)), vf_set1(0x1p-12f));
    if (vm_all(near)) {
        return tangent;
    }
    const vm valid = vm_and(vf_lt(vf_set1(0x1p-60f), square), vf_lt(square, vf_set1(0x1p60f)));
    return vf_select(near, tangent, vf_select(valid, vf_div(one, vf_sqrt(square)), vf_set1(NAN)));
}

/* With h half the angle: 1 - cos h, where cos h = |w| / |q|, and 2 / |q| with the sign of w. That sign, of a zero too,
   chooses between the two ways; so q and -q have the same logarithm. */
typedef struct half_turn {
    vf versine, scale;
} half_turn;

VF_INLINE half_turn half_turn_of(vf4 q)
{
    const vf inverse = inverse_length(vf4_guarded_square(q));
    return (half_turn){vf_neg_mul_add(vf_abs(q.w), inverse, vf_set1(1)), vf_copysign(vf_add(inverse, inverse), q.w)};
}

/* v 2 h / sin h / |q| */
VF_INLINE vf3 vector_of_half_turn(half_turn half, vf3 v)
{
    return vf3_scale(vf_mul(half.scale, vf_angle_over_sine(half.versine)), v);
}

VF_INLINE vf3 quaternion_log(vf4 q) { return vector_of_half_turn(half_turn_of(q), q.v); }

/* ---- Of a rotation vector ---- */

/* The functions of the angle |v| < 2^40. Below 2^-15 rad they are those of 0, without a difference in float. */
VF_INLINE half_rotation half_rotation_of_vector(vf3 v)
{
    const vf z = vf3_guarded_square(v);
    return half_rotation_of(vf_zero_where(vf_lt(z, vf_set1(0x1p-30f)), z));
}

/* (v S / 2, C) */
VF_INLINE vf4 quaternion_exp(vf3 v, half_rotation t)
{
    return (vf4){vf3_scale(vf_mul(vf_set1(0.5f), t.sine), v), t.cosine};
}

/* a + S2 v x a + S3 v x (v x a) */
VF_INLINE vf3 left_jacobian_times(vf3 v, half_rotation t, vf3 a)
{
    const vf3 once = vf3_cross(v, a), twice = vf3_cross(v, once);
    return vf3_scale_add(t.s2, once, vf3_scale_add(t.s3, twice, a));
}

/* a - v x a / 2 + S4 v x (v x a) */
VF_INLINE vf3 inverse_left_jacobian_times(vf3 v, half_rotation t, vf3 a)
{
    const vf3 once = vf3_cross(v, a), twice = vf3_cross(v, once);
    return vf3_neg_scale_add(vf_set1(0.5f), once, vf3_scale_add(t.s4, twice, a));
}

#endif
