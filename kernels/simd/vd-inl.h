/* vd: doubles, half as many as a vf has floats, for the few sums that must not be rounded to float. They are converted
   as they are loaded and stored, half a vf at a time, which costs least. Rounding is as in simd/vf-inl.h: only
   vd_mul_add and vd_neg_mul_add are fused in a fused table. */
#ifndef GYRE_SIMD_VD_H
#define GYRE_SIMD_VD_H

#include "simd/vf3-inl.h"

#if GYRE_LANES == 1
#include "simd/vd_1_lane-inl.h"
#elif defined(GYRE_PLAIN_C)
#include "simd/vd_plain-inl.h"
#elif GYRE_LANES == 4
#include "simd/vd_4_lanes-inl.h"
#elif GYRE_LANES == 8
#include "simd/vd_8_lanes-inl.h"
#else
#include "simd/vd_16_lanes-inl.h"
#endif

#if !GYRE_FUSED
VF_INLINE vd vd_mul_add(vd x, vd y, vd z) { return vd_add(vd_mul(x, y), z); }
VF_INLINE vd vd_neg_mul_add(vd x, vd y, vd z) { return vd_sub(z, vd_mul(x, y)); }
#endif

VF_INLINE vd vd_abs(vd x) { return vd_bits_added_and(x, 0, INT64_MAX); }
VF_INLINE vd vd_neg(vd x) { return vd_sub(vd_set1(-0.0), x); }
VF_INLINE vd vd_copysign(vd magnitude, vd sign)
{
    return vd_or(vd_abs(magnitude), vd_bits_added_and(sign, 0, INT64_MIN));
}

/* 0 where |x| < 2^-95, like vf_flushed. */
VF_INLINE vd vd_flushed(vd x) { return vd_zero_where(vd_lt(vd_abs(x), vd_set1(0x1p-95)), x); }

/* The nearest integer, ties to even, for |x| < 2^51. */
VF_INLINE vd vd_round(vd x)
{
    const vd rounder = vd_set1(0x1.8p52);
    return vd_sub(vd_add(x, rounder), rounder);
}

/* Rounded to 24 bits: a float except for its range, in fewer operations than two conversions. */
VF_INLINE vd vd_rounded_to_float(vd x) { return vd_bits_added_and(x, INT64_C(1) << 28, -(INT64_C(1) << 29)); }

#if GYRE_LANES > 1
enum { VD_LANES = GYRE_LANES / 2 };

/* A vf has two halves: part is 0 or 1. One lane is its own half. */
VF_INLINE vd vd_load_half(const float *a, int part) { return vd_from_floats(a + part * VD_LANES); }
VF_INLINE vd vd_load(const vf *a, int part) { return vd_load_half((const float *)(const void *)a, part); }
VF_INLINE void vd_store(vf *a, int part, vd x) { vd_to_floats((float *)(void *)a + part * VD_LANES, x); }

VF_INLINE vd vd_load_doubles(const double *a)
{
    vd x;
    memcpy(&x, a, sizeof x);
    return x;
}

#endif

/* Half of the unevaluated sums high + low, where |low| is small compared with |high|. */
VF_INLINE vd vd_from_sum(vf high, vf low, int part)
{
    return vd_add(vd_from_half(high, part), vd_from_half(low, part));
}

/* The halves a and b as unevaluated sums, accurate to 2^-48. Low parts are flushed like floats. */
VF_INLINE void vd_to_sum(vd a, vd b, vf *high, vf *low)
{
    const vd a_high = vd_rounded_to_float(a), b_high = vd_rounded_to_float(b);
    *high = vf_from_halves(a_high, b_high);
    *low = vf_flushed(vf_from_halves(vd_sub(a, a_high), vd_sub(b, b_high)));
}

typedef struct vd3 {
    vd x, y, z;
} vd3;

/* x y z w */
typedef struct vd4 {
    vd3 v;
    vd w;
} vd4;

#if GYRE_LANES > 1
VF_INLINE vd3 vd3_load(const vf3 *a, int part)
{
    return (vd3){vd_load(&a->x, part), vd_load(&a->y, part), vd_load(&a->z, part)};
}

VF_INLINE vd4 vd4_load(const vf4 *a, int part) { return (vd4){vd3_load(&a->v, part), vd_load(&a->w, part)}; }

VF_INLINE vd3 vd3_load_halves(const float *x, const float *y, const float *z, size_t i, int part)
{
    return (vd3){vd_load_half(x + i, part), vd_load_half(y + i, part), vd_load_half(z + i, part)};
}

VF_INLINE void vd3_store(vf3 *a, int part, vd3 x)
{
    vd_store(&a->x, part, x.x);
    vd_store(&a->y, part, x.y);
    vd_store(&a->z, part, x.z);
}
#endif

VF_INLINE vd3 vd3_from_half(vf3 a, int part)
{
    return (vd3){vd_from_half(a.x, part), vd_from_half(a.y, part), vd_from_half(a.z, part)};
}

VF_INLINE vd4 vd4_from_half(vf4 a, int part) { return (vd4){vd3_from_half(a.v, part), vd_from_half(a.w, part)}; }

VF_INLINE vf3 vf3_from_halves(vd3 a, vd3 b)
{
    return (vf3){vf_from_halves(a.x, b.x), vf_from_halves(a.y, b.y), vf_from_halves(a.z, b.z)};
}

VF_INLINE vd3 vd3_add(vd3 a, vd3 b) { return (vd3){vd_add(a.x, b.x), vd_add(a.y, b.y), vd_add(a.z, b.z)}; }
VF_INLINE vd4 vd4_add(vd4 a, vd4 b) { return (vd4){vd3_add(a.v, b.v), vd_add(a.w, b.w)}; }
VF_INLINE vd3 vd3_sub(vd3 a, vd3 b) { return (vd3){vd_sub(a.x, b.x), vd_sub(a.y, b.y), vd_sub(a.z, b.z)}; }
VF_INLINE vd3 vd3_scale(vd s, vd3 a) { return (vd3){vd_mul(s, a.x), vd_mul(s, a.y), vd_mul(s, a.z)}; }
VF_INLINE vd vd3_dot(vd3 a, vd3 b) { return vd_mul_add(a.x, b.x, vd_mul_add(a.y, b.y, vd_mul(a.z, b.z))); }

VF_INLINE vd3 vd3_rounded_to_float(vd3 a)
{
    return (vd3){vd_rounded_to_float(a.x), vd_rounded_to_float(a.y), vd_rounded_to_float(a.z)};
}

VF_INLINE vd vd3_sum(vd3 a) { return vd_add(a.x, vd_add(a.y, a.z)); }

VF_INLINE vd vd4_square(vd4 a) { return vd_mul_add(a.w, a.w, vd3_dot(a.v, a.v)); }

/* s added to each component */
VF_INLINE vd3 vd3_add_scalar(vd3 a, vd s) { return (vd3){vd_add(a.x, s), vd_add(a.y, s), vd_add(a.z, s)}; }

/* s a + b */
VF_INLINE vd3 vd3_scale_add(vd s, vd3 a, vd3 b)
{
    return (vd3){vd_mul_add(s, a.x, b.x), vd_mul_add(s, a.y, b.y), vd_mul_add(s, a.z, b.z)};
}

/* b - s a */
VF_INLINE vd3 vd3_neg_scale_add(vd s, vd3 a, vd3 b)
{
    return (vd3){vd_neg_mul_add(s, a.x, b.x), vd_neg_mul_add(s, a.y, b.y), vd_neg_mul_add(s, a.z, b.z)};
}

VF_INLINE vd3 vd3_mul(vd3 a, vd3 b) { return (vd3){vd_mul(a.x, b.x), vd_mul(a.y, b.y), vd_mul(a.z, b.z)}; }

/* Components multiplied: a b + c */
VF_INLINE vd3 vd3_mul_add(vd3 a, vd3 b, vd3 c)
{
    return (vd3){vd_mul_add(a.x, b.x, c.x), vd_mul_add(a.y, b.y, c.y), vd_mul_add(a.z, b.z, c.z)};
}

/* y z and cyclic */
VF_INLINE vd3 vd3_cyclic_products(vd3 a) { return (vd3){vd_mul(a.y, a.z), vd_mul(a.z, a.x), vd_mul(a.x, a.y)}; }

/* y - z and cyclic */
VF_INLINE vd3 vd3_cyclic_differences(vd3 a) { return (vd3){vd_sub(a.y, a.z), vd_sub(a.z, a.x), vd_sub(a.x, a.y)}; }

VF_INLINE vd3 vd3_cross(vd3 a, vd3 b)
{
    return (vd3){
        vd_neg_mul_add(a.z, b.y, vd_mul(a.y, b.z)),
        vd_neg_mul_add(a.x, b.z, vd_mul(a.z, b.x)),
        vd_neg_mul_add(a.y, b.x, vd_mul(a.x, b.y)),
    };
}

/* c + a x b */
VF_INLINE vd3 vd3_add_cross(vd3 a, vd3 b, vd3 c)
{
    return (vd3){
        vd_neg_mul_add(a.z, b.y, vd_mul_add(a.y, b.z, c.x)),
        vd_neg_mul_add(a.x, b.z, vd_mul_add(a.z, b.x, c.y)),
        vd_neg_mul_add(a.y, b.x, vd_mul_add(a.x, b.y, c.z)),
    };
}

#endif
