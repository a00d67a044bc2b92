/* The functions of a rotation's angle a, computed from half of it without cancellation (rotation/README.md). With
   z = a^2:

       C = cos(a/2)            S1 = sin a / a          = S C
       S = sin(a/2) / (a/2)    S2 = (1 - cos a) / a^2  = S^2 / 2
                               S3 = (a - sin a) / a^3  = (1 - S C) / z
                               S4 = (1 - (a/2) cot(a/2)) / a^2 = (1 - C / S) / z */
#ifndef GYRE_ROTATION_HALF_ANGLE_H
#define GYRE_ROTATION_HALF_ANGLE_H

#include "simd/vf_math-inl.h"

/* The series hold for a^2 up to this: 3.16 rad, a little more than pi. */
#define HALF_ROTATION_SERIES_END 10.0f

typedef struct half_rotation {
    vf cosine, sine; /* C, S */
    vf cosine_minus_1;
    vf s1, s2, s3, s4;
} half_rotation;

/* z <= HALF_ROTATION_SERIES_END: no square root and no division by 0. C = 1 + z c and S = 1 + z s. */
VF_INLINE half_rotation half_rotation_by_series(vf z)
{
    const vf one_half = vf_set1(0.5f), one = vf_set1(1);
    vf c, s;
    vf_stumpff(z, 0.25f, &c, &s);
    const vf cosine = vf_mul_add(z, c, one);
    const vf sum = vf_mul_add(s, cosine, c); /* c + s C */
    const vf zs = vf_mul(z, s);
    return (half_rotation){
        .cosine = cosine,
        .sine = vf_mul_add(z, s, one),
        .cosine_minus_1 = vf_mul(z, c),
        .s1 = vf_mul_add(z, sum, one),                         /* 1 + z (c + s C), more accurate than S C */
        .s2 = vf_mul_add(zs, vf_mul_add(one_half, zs, one), one_half), /* 1/2 + z s (1 + z s / 2), likewise */
        .s3 = vf_neg(sum),                                     /* -(c + s C) */
        .s4 = vf_div(vf_sub(s, c), vf_mul_add(z, s, one)),     /* (s - c) / S */
    };
}

/* a/2 */
VF_INLINE vf half_of_angle(vf z) { return vf_mul(vf_set1(0.5f), vf_sqrt(z)); }

/* `t` where the series hold, otherwise from the sine and cosine of `half_angle` = a/2. */
VF_INLINE half_rotation half_rotation_by_sincos(half_rotation t, vf z, vf half_angle, vf sine, vf cosine)
{
    const vm wide = vf_lt(vf_set1(HALF_ROTATION_SERIES_END), z);
    const vf s = vf_div(sine, half_angle);
    const vf s1 = vf_mul(s, cosine);
    return (half_rotation){
        .cosine = vf_select(wide, cosine, t.cosine),
        .sine = vf_select(wide, s, t.sine),
        .cosine_minus_1 = vf_select(wide, vf_sub(cosine, vf_set1(1)), t.cosine_minus_1),
        .s1 = vf_select(wide, s1, t.s1),
        .s2 = vf_select(wide, vf_mul(vf_mul(vf_set1(0.5f), s), s), t.s2),
        .s3 = vf_select(wide, vf_div(vf_sub(vf_set1(1), s1), z), t.s3),
        .s4 = vf_select(wide, vf_div(vf_sub(vf_set1(1), vf_div(cosine, s)), z), t.s4),
    };
}

/* Any z. */
VF_INLINE half_rotation half_rotation_of(vf z)
{
    half_rotation t = half_rotation_by_series(z);
    if (vm_any(vf_lt(vf_set1(HALF_ROTATION_SERIES_END), z))) {
        const vf half_angle = half_of_angle(z);
        vf sine, cosine;
        vf_sincos(half_angle, &sine, &cosine);
        t = half_rotation_by_sincos(t, z, half_angle, sine, cosine);
    }
    return t;
}

#endif
