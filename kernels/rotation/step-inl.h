/* Rotations as functions of values. From rotation vectors: with [v]x the matrix of the cross product and the functions
   S1, S2, S3 of a = |v| (rotation/half_angle-inl.h)

       R(v) = exp([v]x)                   = 1 + S1 [v]x + S2 [v]x^2
       T(v) = integral of R(s v) ds, 0..1 = 1 + S2 [v]x + S3 [v]x^2
       q(v) = (v S / 2, C)

   For interpolation between two quaternions see below; products and logarithms are in rotation/quaternion-inl.h. */
#ifndef GYRE_ROTATION_STEP_H
#define GYRE_ROTATION_STEP_H

#include "rotation/quaternion-inl.h"

/* z = |v|^2 is ordinary if it is 0 or between (2^-15 rad)^2 and (23,170 rad)^2. A smaller z is replaced by 0, because
   its powers would be subnormal; it is at most 2^-33 of what it is added to. */
#define ROTATION_ORDINARY_BEGIN 0x1p-30f
#define ROTATION_ORDINARY_END 0x1p29f

typedef enum rotation_kind { ROTATION_MATRIX, ROTATION_LEFT_JACOBIAN, ROTATION_QUATERNION } rotation_kind;

/* Nine entries row by row, or x y z w. */
typedef struct rotation_entries {
    vf entry[9];
} rotation_entries;

/* 1 + p [v]x + q [u]x^2, row by row, with [u]x^2 = u u^T - |u|^2. u is v, or zeros with v's signs where squares of v
   are treated as 0. */
VF_INLINE rotation_entries rotation_matrix_of(vf3 v, vf3 u, vf p, vf q)
{
    const vf one = vf_set1(1);
    const vf3 pv = vf3_scale(p, v), qu = vf3_scale(q, u);
    const vf xx = vf_mul(qu.x, u.x), yy = vf_mul(qu.y, u.y), zz = vf_mul(qu.z, u.z);
    const vf xy = vf_mul(qu.x, u.y), yz = vf_mul(qu.y, u.z), zx = vf_mul(qu.z, u.x);
    return (rotation_entries){{
        vf_sub(one, vf_add(yy, zz)), vf_sub(xy, pv.z), vf_add(zx, pv.y),
        vf_add(xy, pv.z), vf_sub(one, vf_add(zz, xx)), vf_sub(yz, pv.x),
        vf_sub(zx, pv.y), vf_add(yz, pv.x), vf_sub(one, vf_add(xx, yy)),
    }};
}

/* `kind` is a constant. */
VF_INLINE rotation_entries rotation_entries_of(rotation_kind kind, vf3 v, vf3 u, half_rotation t)
{
    switch (kind) {
    case ROTATION_MATRIX: return rotation_matrix_of(v, u, t.s1, t.s2);
    case ROTATION_LEFT_JACOBIAN: return rotation_matrix_of(v, u, t.s2, t.s3);
    default: {
        const vf p = vf_mul(vf_set1(0.5f), t.sine);
        return (rotation_entries){{vf_mul(p, v.x), vf_mul(p, v.y), vf_mul(p, v.z), t.cosine}};
    }
    }
}

/* v, scaled by 2^-88 where a component is 2^40 or more, so that no product overflows. From 2^24 rad up, the angle of a
   float vector is arbitrary: neighbours differ by more than a turn. */
VF_INLINE vf3 rotation_bounded(vf3 v)
{
    const vm huge = vf_le(vf_set1(0x1p40f), vf3_max_abs(v));
    return vm_any(huge) ? vf3_scale(vf_select(huge, vf_set1(0x1p-88f), vf_set1(1)), v) : v;
}

/* Any rotation. Subnormal operands take 10 to 40 times as long, so z is 0 below the ordinary range, and squares of v
   are 0 where z < 2^-60. */
VF_INLINE rotation_entries rotation_of_any(rotation_kind kind, vf3 vector)
{
    const vf3 v = rotation_bounded(vector);
    const vf3 flushed = vf3_flushed_for_square(v);
    /* where z is ordinary, no component is flushed: in a fused sum even the smallest one can change the rounding */
    const vm large = vf_lt(vf_set1(0x1p-40f), vf3_dot(flushed, flushed));
    const vf3 squared = vf3_select(large, v, flushed);
    const vf z = vf3_dot(squared, squared), zero = vf_set1(0);
    const vm tiny = vf_lt(z, vf_set1(0x1p-60f));
    const vf3 signed_zero = {vf_copysign(zero, v.x), vf_copysign(zero, v.y), vf_copysign(zero, v.z)};
    const half_rotation t = half_rotation_of(vf_zero_where(vf_lt(z, vf_set1(ROTATION_ORDINARY_BEGIN)), z));
    return rotation_entries_of(kind, v, vf3_select(tiny, signed_zero, v), t);
}

/* ---- Between two rotations ----

   With h the angle between the quaternions (half of the rotation's), cos h = |a . b|, and the sign of a . b:

       out = a sin((1 - part) h) / sin h +- b sin(part h) / sin h

   The weight of b is part S(4 part^2 h^2) h / sin h, where S is that of the half angle, and 4 h^2 is
   4 (h / sin h)^2 y (2 - y) with y = 1 - cos h. Neither form needs a division or a limit at h = 0, and both weights
   depend so little on y that an error in y hardly matters. Components of results below 2^-63 become 0, so that products
   of two are not subnormal in the next call, which often begins where this one ended. */

/* Whether the length is 1 within 2^-7. The square of 1 + 2^-7 is within the limit after rounding. */
VF_INLINE vm is_nearly_unit(vf4 q) { return vf_is_unit_within(0x1.02p-6f, vf4_square(q)); }

/* `value` where both lengths are nearly 1, otherwise NaN. */
VF_INLINE vf valid_between(vf4 a, vf4 b, vf value)
{
    return vf_select(vm_and(is_nearly_unit(a), is_nearly_unit(b)), value, vf_set1(NAN));
}

/* h / sin h with the sign of a . b, and (2 h)^2. */
typedef struct angle_between {
    vf ratio, square;
} angle_between;

VF_INLINE angle_between angle_between_of(vf4 a, vf4 b)
{
    const vf dot = vf3_dot_add(a.v, b.v, vf_mul_add(a.w, b.w, vf_set1(0))); /* the 0 prevents a result of -0 */
    const vf y = vf_sub(vf_set1(1), vf_abs(dot));
    const vf ratio = vf_angle_over_sine(y), twice = vf_add(ratio, ratio);
    const vf square = vf_mul(vf_mul(twice, twice), vf_mul(y, vf_sub(vf_set1(2), y)));
    return (angle_between){vf_copysign(valid_between(a, b, ratio), dot), square};
}

/* sin(part h) / sin h for a part in [0, 1], exactly 1 for a part of 1. Below 2^-13 the square of the part is negligible
   next to 1, and its powers would be subnormal. */
VF_INLINE vf weight_between(float part, angle_between angle)
{
    const float squared = part < 0x1p-13f ? 0 : part * part;
    const vf sine = half_rotation_by_series(vf_mul(vf_set1(squared), angle.square)).sine;
    const vf weight = vf_mul(vf_set1(part), vf_mul(sine, vf_abs(angle.ratio)));
    return part == 1 ? vf_add(vf_sub(weight, weight), vf_set1(1)) : weight;
}

VF_INLINE vf4 rotation_between_of(float part, vf4 a, vf4 b, angle_between angle)
{
    const vf of_a = weight_between(1 - part, angle), of_b = vf_copysign(weight_between(part, angle), angle.ratio);
    return vf4_flushed_for_square(vf4_scale_add(of_b, b, vf4_scale(of_a, a)));
}

/* a exp(part log(a^-1 b)), for any part. */
VF_INLINE vf4 rotation_beyond(float part, vf4 a, vf4 b)
{
    const vf3 whole = vf3_flushed_for_square(quaternion_log(quaternion_product(quaternion_conjugate(a), b)));
    const vf3 turn = vf3_scale(valid_between(a, b, vf_set1(part)), whole);
    return vf4_flushed_for_square(quaternion_product(a, quaternion_exp(turn, half_rotation_of_vector(turn))));
}

#endif
