/* The functions of a rotation's angle a, by half of it and without cancellation. With z = a^2, C = cos(a/2) and
   S = sin(a/2) / (a/2)

       S1 = sin a / a = S C      S2 = (1 - cos a) / z = S^2 / 2      S3 = (a - sin a) / a^3 = (1 - S C) / z

   C = 1 + z c and S = 1 + z s are entire functions of z. Up to 3.16 rad, half a turn and a little, c and s come from
   the series of simd/vf_math-inl.h: no square root, no division by 0, and S3 = -(c + s C). Beyond it sine and cosine
   serve. */
#ifndef GYRE_HALF_ROTATION_H
#define GYRE_HALF_ROTATION_H

#include "simd/vf_math-inl.h"

/* Largest a^2 that the series are for: 3.16 rad. */
#define HALF_ROTATION_SERIES_END 10.0f

typedef struct half_rotation {
    vf cosine, sine; /* C, S */
    vf s1, s2, s3;
} half_rotation;

/* S1 = 1 + z (c + s C) and S2 = 1/2 + z s (1 + z s / 2) round less than the products. */
VF_INLINE half_rotation half_rotation_by_series(vf z)
{
    const vf half = vf_set1(0.5f), one = vf_set1(1);
    vf c, s;
    vf_stumpff(z, 0.25f, &c, &s);
    vf cosine = vf_mul_add(z, c, one), rest = vf_mul_add(s, cosine, c), zs = vf_mul(z, s);
    return (half_rotation){
        .cosine = cosine,
        .sine = vf_mul_add(z, s, one),
        .s1 = vf_mul_add(z, rest, one),
        .s2 = vf_mul_add(zs, vf_mul_add(half, zs, one), half),
        .s3 = vf_neg(rest),
    };
}

/* The same where a^2 is beyond the series. */
VF_INLINE half_rotation half_rotation_by_angle(half_rotation t, vf z, vf half_angle, vf sine, vf cosine)
{
    vm wide = vf_lt(vf_set1(HALF_ROTATION_SERIES_END), z);
    sine = vf_div(sine, half_angle);
    vf s1 = vf_mul(sine, cosine);
    return (half_rotation){
        .cosine = vf_select(wide, cosine, t.cosine),
        .sine = vf_select(wide, sine, t.sine),
        .s1 = vf_select(wide, s1, t.s1),
        .s2 = vf_select(wide, vf_mul(vf_mul(vf_set1(0.5f), sine), sine), t.s2),
        .s3 = vf_select(wide, vf_div(vf_sub(vf_set1(1), s1), z), t.s3),
    };
}

VF_INLINE vf half_angle_of(vf z) { return vf_mul(vf_set1(0.5f), vf_sqrt(z)); }

VF_INLINE half_rotation half_rotation_of(vf z)
{
    half_rotation t = half_rotation_by_series(z);
    if (vm_any(vf_lt(vf_set1(HALF_ROTATION_SERIES_END), z))) {
        vf half_angle = half_angle_of(z), sine, cosine;
        vf_sincos(half_angle, &sine, &cosine);
        t = half_rotation_by_angle(t, z, half_angle, sine, cosine);
    }
    return t;
}

#endif
