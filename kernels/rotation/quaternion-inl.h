/* Quaternions as rotations, one in each lane:

       quaternion_conjugate(q)               the rotation back
       quaternion_product(a, b)              first b, then a
       quaternion_apply(q, v)                R(q) v, for a q of length 1
       quaternion_of_length_1(q)             q / |q|; lengths from 2^-30 to 2^30, else NaN
       quaternion_log(q)                     the rotation vector, the short way; lengths from 2^-30 to 2^30, else NaN
       quaternion_exp(v, t)                  the quaternion of a rotation vector
       left_jacobian_mul(v, t, a)            T(v) a, T as in rotation/step-inl.h
       inverse_left_jacobian_mul(v, t, a)    T(v)^-1 a; infinite at 2 pi

   t is half_rotation_of_vector(v), for any finite v below 2^40 rad. The errors of the functions that use these are in
   include/gyre/rotation.h and spring.h. */
#ifndef GYRE_ROTATION_QUATERNION_H
#define GYRE_ROTATION_QUATERNION_H

#include "rotation/half_angle-inl.h"
#include "simd/vf3-inl.h"

/* For squares of lengths from 2^-30 up, without subnormal products. A portable table adds the guard to magnitudes,
   where it cannot cancel. */
#define QUATERNION_GUARD 0x1p-60f

VF_INLINE vf vf3_guarded_square(vf3 v) { return vf3_square_of_guarded(GYRE_FUSED ? v : vf3_abs(v), QUATERNION_GUARD); }

VF_INLINE vf vf4_guarded_square(vf4 q)
{
    const vf w = GYRE_FUSED ? q.w : vf_add(vf_abs(q.w), vf_set1(QUATERNION_GUARD));
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

/* v + 2 (w q.v x v + q.v x (q.v x v)) */
VF_INLINE vf3 quaternion_apply(vf4 q, vf3 v)
{
    const vf3 once = vf3_cross(q.v, v), twice = vf3_cross(q.v, once);
    return vf3_scale_add(vf_set1(2), vf3_scale_add(q.w, once, twice), v);
}

/* ---- The logarithm ---- */

/* 1/|q| from |q|^2, NaN where the length is not between 2^-30 and 2^30. Within 2^-12 of 1 it is the tangent at 1, which
   is off by at most 0.4 eps. */
VF_INLINE vf inverse_length(vf square)
{
    const vf one = vf_set1(1), tangent = vf_neg_mul_add(vf_set1(0.5f), square, vf_set1(1.5f));
    const vm near = vf_is_unit_within(0x1p-12f, square);
    if (vm_all(near)) {
        return tangent;
    }
    const vm valid = vm_and(vf_lt(vf_set1(0x1p-60f), square), vf_lt(square, vf_set1(0x1p60f)));
    return vf_select(near, tangent, vf_select(valid, vf_div(one, vf_sqrt(square)), vf_set1(NAN)));
}

/* With the length 1. One within 8 eps of that keeps its bits, so that what rests on a quaternion has its bits. */
VF_INLINE vf4 quaternion_of_length_1(vf4 q)
{
    const vf square = vf4_guarded_square(q);
    const vm is_unit = vf_is_unit_within(0x1p-20f, square);
    return vm_all(is_unit) ? q : vf4_scale(vf_select(is_unit, vf_set1(1), inverse_length(square)), q);
}

/* With h half the angle: 1 - cos h, where cos h = |w| / |q|, and 2 / |q| with the sign of w. That sign, even of a zero,
   selects one of the two directions; so q and -q have the same logarithm. */
typedef struct log_terms {
    vf one_minus_cosine, scale;
} log_terms;

VF_INLINE log_terms log_terms_of(vf4 q)
{
    const vf inverse = inverse_length(vf4_guarded_square(q));
    return (log_terms){vf_neg_mul_add(vf_abs(q.w), inverse, vf_set1(1)), vf_copysign(vf_add(inverse, inverse), q.w)};
}

/* v 2 h / sin h / |q| */
VF_INLINE vf3 log_of_terms(log_terms terms, vf3 v)
{
    return vf3_scale(vf_mul(terms.scale, vf_angle_over_sine(terms.one_minus_cosine)), v);
}

VF_INLINE vf3 quaternion_log(vf4 q) { return log_of_terms(log_terms_of(q), q.v); }

/* ---- Functions of a rotation vector ---- */

/* The functions of the angle |v| < 2^40. Below 2^-15 rad they equal those of 0 in float. */
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
VF_INLINE vf3 left_jacobian_mul(vf3 v, half_rotation t, vf3 a)
{
    const vf3 once = vf3_cross(v, a), twice = vf3_cross(v, once);
    return vf3_scale_add(t.s2, once, vf3_scale_add(t.s3, twice, a));
}

/* a - v x a / 2 + S4 v x (v x a) */
VF_INLINE vf3 inverse_left_jacobian_mul(vf3 v, half_rotation t, vf3 a)
{
    const vf3 once = vf3_cross(v, a), twice = vf3_cross(v, once);
    return vf3_neg_scale_add(vf_set1(0.5f), once, vf3_scale_add(t.s4, twice, a));
}

#endif
