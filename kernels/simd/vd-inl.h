/* vd: doubles, half as many as a vf has floats, for the few sums that must not be rounded to float. They are converted
   when they are loaded and stored, half a vf at a time, where that costs least. Rounding is as in simd/vf-inl.h: only
   vd_mul_add and vd_neg_mul_add are fused in a fused table. */
#ifndef GYRE_SIMD_VD_H
#define GYRE_SIMD_VD_H

#include "simd/vf3-inl.h"

#if GYRE_LANES == 1
#include "simd/vd_1_lane-inl.h"
#elif defined(GYRE_PLAIN_C)
typedef double vd __attribute__((vector_size(16)));
typedef uint64_t vd_words __attribute__((vector_size(16)));
VF_INLINE vd vd_add(vd x, vd y) { return x + y; }
VF_INLINE vd vd_sub(vd x, vd y) { return x - y; }
VF_INLINE vd vd_mul(vd x, vd y) { return x * y; }
VF_INLINE vd vd_div(vd x, vd y) { return x / y; }
VF_INLINE vd vd_set1(double x) { return (vd){x, x}; }
VF_INLINE vd vd_or(vd x, vd y) { return (vd)((vd_words)x | (vd_words)y); }
VF_INLINE vd vd_bits_added_and(vd x, int64_t added, int64_t mask)
{
    return (vd)(((vd_words)x + (uint64_t)added) & (uint64_t)mask);
}
typedef vd_words vdm; /* all bits or none, as comparisons give it */
VF_INLINE vdm vd_lt(vd x, vd y) { return (vdm)(x < y); }
VF_INLINE vdm vd_le(vd x, vd y) { return (vdm)(x <= y); }
VF_INLINE vdm vd_eq(vd x, vd y) { return (vdm)(x == y); }
VF_INLINE vdm vdm_and(vdm x, vdm y) { return x & y; }
VF_INLINE vdm vdm_or(vdm x, vdm y) { return x | y; }
VF_INLINE vd vd_zero_where(vdm m, vd x) { return (vd)(~m & (vd_words)x); }
VF_INLINE vd vd_select(vdm m, vd x, vd y) { return (vd)((m & (vd_words)x) | (~m & (vd_words)y)); }
VF_INLINE vm vm_from_halves(vdm a, vdm b) /* every word of a mask is all ones or 0 */
{
    const vm x = (vm)a, y = (vm)b;
    return (vm){x[0], x[2], y[0], y[2]};
}
#if defined(__aarch64__) /* gcc converts plain C lane by lane */
VF_INLINE vd vd_sqrt(vd x) { return vsqrtq_f64(x); }
VF_INLINE vd vd_from_floats(const float *a) { return vcvt_f64_f32(vld1_f32(a)); }
VF_INLINE void vd_to_floats(float *a, vd x) { vst1_f32(a, vcvt_f32_f64(x)); }
VF_INLINE vf vf_from_halves(vd a, vd b) { return vcvt_high_f32_f64(vcvt_f32_f64(a), b); }
VF_INLINE vd vd_from_half(vf a, int part) { return part ? vcvt_high_f64_f32(a) : vcvt_f64_f32(vget_low_f32(a)); }
#else
VF_INLINE vd vd_sqrt(vd x) { return (vd){double_square_root(x[0]), double_square_root(x[1])}; }
typedef float vd_floats __attribute__((vector_size(8)));
VF_INLINE vd vd_from_floats(const float *a)
{
    vd_floats part;
    memcpy(&part, a, sizeof part);
    return __builtin_convertvector(part, vd);
}
VF_INLINE void vd_to_floats(float *a, vd x)
{
    const vd_floats part = __builtin_convertvector(x, vd_floats);
    memcpy(a, &part, sizeof part);
}
VF_INLINE vf vf_from_halves(vd a, vd b) { return (vf){(float)a[0], (float)a[1], (float)b[0], (float)b[1]}; }
VF_INLINE vd vd_from_half(vf a, int part) { return part ? (vd){a[2], a[3]} : (vd){a[0], a[1]}; }
#endif
#if GYRE_FUSED
VF_INLINE vd vd_mul_add(vd a, vd b, vd c) { return vfmaq_f64(c, a, b); }
VF_INLINE vd vd_neg_mul_add(vd a, vd b, vd c) { return vfmsq_f64(c, a, b); }
#endif
#elif GYRE_LANES == 4
typedef simde__m128d vd;
#define VD(operation) simde_mm_##operation##_pd
VF_INLINE vd vd_from_floats(const float *a)
{
    return simde_mm_cvtps_pd(simde_mm_castsi128_ps(simde_mm_loadl_epi64((const simde__m128i *)(const void *)a)));
}
#if defined(__wasm__) && __clang_major__ < 19
/* In one instruction, of which clang makes four. clang 19 crashes on vectors in assembly. */
VF_INLINE vf vf_from_vd(vd x)
{
    vf a;
    __asm__("local.get %1\n f32x4.demote_zero_f64x2\n local.set %0" : "=r"(a) : "r"(x));
    return a;
}
#else
VF_INLINE vf vf_from_vd(vd x) { return simde_mm_cvtpd_ps(x); }
#endif
VF_INLINE void vd_to_floats(float *a, vd x)
{
    simde_mm_storel_epi64((simde__m128i *)(void *)a, simde_mm_castps_si128(vf_from_vd(x)));
}
/* Joined in registers, for an operation that would otherwise wait for halves in memory. */
VF_INLINE vf vf_from_halves(vd a, vd b) { return simde_mm_movelh_ps(vf_from_vd(a), vf_from_vd(b)); }
VF_INLINE vd vd_from_half(vf a, int part) { return simde_mm_cvtps_pd(part ? simde_mm_movehl_ps(a, a) : a); }
typedef vd vdm;
VF_INLINE vdm vd_lt(vd x, vd y) { return VD(cmplt)(x, y); }
VF_INLINE vdm vd_le(vd x, vd y) { return VD(cmple)(x, y); }
VF_INLINE vdm vd_eq(vd x, vd y) { return VD(cmpeq)(x, y); }
VF_INLINE vdm vdm_and(vdm x, vdm y) { return VD(and)(x, y); }
VF_INLINE vdm vdm_or(vdm x, vdm y) { return VD(or)(x, y); }
VF_INLINE vd vd_zero_where(vdm m, vd x) { return VD(andnot)(m, x); }
VF_INLINE vd vd_select(vdm m, vd x, vd y) { return VD(or)(VD(and)(m, x), VD(andnot)(m, y)); }
VF_INLINE vm vm_from_halves(vdm a, vdm b)
{
    return simde_mm_shuffle_ps(simde_mm_castpd_ps(a), simde_mm_castpd_ps(b), 0x88);
}
VF_INLINE vd vd_bits_added_and(vd x, int64_t added, int64_t mask)
{
    simde__m128i bits = simde_mm_add_epi64(simde_mm_castpd_si128(x), simde_mm_set1_epi64x(added));
    return simde_mm_castsi128_pd(simde_mm_and_si128(bits, simde_mm_set1_epi64x(mask)));
}
#elif GYRE_LANES == 8
typedef simde__m256d vd;
#define VD(operation) simde_mm256_##operation##_pd
VF_INLINE vd vd_from_floats(const float *a) { return simde_mm256_cvtps_pd(simde_mm_loadu_ps(a)); }
VF_INLINE void vd_to_floats(float *a, vd x) { simde_mm_storeu_ps(a, simde_mm256_cvtpd_ps(x)); }
VF_INLINE vf vf_from_halves(vd a, vd b)
{
    return simde_mm256_set_m128(simde_mm256_cvtpd_ps(b), simde_mm256_cvtpd_ps(a));
}
VF_INLINE vd vd_from_half(vf a, int part)
{
    return simde_mm256_cvtps_pd(part ? simde_mm256_extractf128_ps(a, 1) : simde_mm256_castps256_ps128(a));
}
typedef vd vdm;
VF_INLINE vdm vd_lt(vd x, vd y) { return VD(cmp)(x, y, SIMDE_CMP_LT_OQ); }
VF_INLINE vdm vd_le(vd x, vd y) { return VD(cmp)(x, y, SIMDE_CMP_LE_OQ); }
VF_INLINE vdm vd_eq(vd x, vd y) { return VD(cmp)(x, y, SIMDE_CMP_EQ_OQ); }
VF_INLINE vdm vdm_and(vdm x, vdm y) { return VD(and)(x, y); }
VF_INLINE vdm vdm_or(vdm x, vdm y) { return VD(or)(x, y); }
VF_INLINE vd vd_zero_where(vdm m, vd x) { return VD(andnot)(m, x); }
VF_INLINE vd vd_select(vdm m, vd x, vd y) { return VD(blendv)(y, x, m); }
VF_INLINE vm vm_from_halves(vdm a, vdm b)
{
    /* within 128 bits: quarters 0 2 1 3 */
    const vf quarters = simde_mm256_shuffle_ps(simde_mm256_castpd_ps(a), simde_mm256_castpd_ps(b), 0x88);
    return simde_mm256_castpd_ps(simde_mm256_permute4x64_pd(simde_mm256_castps_pd(quarters), 0xd8));
}
VF_INLINE vd vd_bits_added_and(vd x, int64_t added, int64_t mask)
{
    simde__m256i bits = simde_mm256_add_epi64(simde_mm256_castpd_si256(x), simde_mm256_set1_epi64x(added));
    return simde_mm256_castsi256_pd(simde_mm256_and_si256(bits, simde_mm256_set1_epi64x(mask)));
}
#if GYRE_FUSED
VF_INLINE vd vd_mul_add(vd a, vd b, vd c) { return _mm256_fmadd_pd(a, b, c); }
VF_INLINE vd vd_neg_mul_add(vd a, vd b, vd c) { return _mm256_fnmadd_pd(a, b, c); }
#endif
#else
typedef __m512d vd;
#define VD(operation) _mm512_##operation##_pd
VF_INLINE vd vd_from_floats(const float *a) { return _mm512_cvtps_pd(_mm256_loadu_ps(a)); }
VF_INLINE void vd_to_floats(float *a, vd x) { _mm256_storeu_ps(a, _mm512_cvtpd_ps(x)); }
VF_INLINE vf vf_from_halves(vd a, vd b)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(a)), _mm512_cvtpd_ps(b), 1);
}
VF_INLINE vd vd_from_half(vf a, int part)
{
    return _mm512_cvtps_pd(part ? _mm512_extractf32x8_ps(a, 1) : _mm512_castps512_ps256(a));
}
typedef __mmask8 vdm;
VF_INLINE vdm vd_lt(vd x, vd y) { return _mm512_cmp_pd_mask(x, y, _CMP_LT_OQ); }
VF_INLINE vdm vd_le(vd x, vd y) { return _mm512_cmp_pd_mask(x, y, _CMP_LE_OQ); }
VF_INLINE vdm vd_eq(vd x, vd y) { return _mm512_cmp_pd_mask(x, y, _CMP_EQ_OQ); }
VF_INLINE vdm vdm_and(vdm x, vdm y) { return (vdm)(x & y); }
VF_INLINE vdm vdm_or(vdm x, vdm y) { return (vdm)(x | y); }
VF_INLINE vd vd_zero_where(vdm m, vd x) { return VD(mask_mov)(x, m, _mm512_setzero_pd()); }
VF_INLINE vd vd_select(vdm m, vd x, vd y) { return VD(mask_mov)(y, m, x); }
VF_INLINE vm vm_from_halves(vdm a, vdm b) { return (vm)(a | b << 8); }
VF_INLINE vd vd_bits_added_and(vd x, int64_t added, int64_t mask)
{
    __m512i bits = _mm512_add_epi64(_mm512_castpd_si512(x), _mm512_set1_epi64(added));
    return _mm512_castsi512_pd(_mm512_and_si512(bits, _mm512_set1_epi64(mask)));
}
#if GYRE_FUSED
VF_INLINE vd vd_mul_add(vd a, vd b, vd c) { return _mm512_fmadd_pd(a, b, c); }
VF_INLINE vd vd_neg_mul_add(vd a, vd b, vd c) { return _mm512_fnmadd_pd(a, b, c); }
#endif
#endif

#if !defined(GYRE_PLAIN_C) && GYRE_LANES > 1
VF_INLINE vd vd_add(vd x, vd y) { return VD(add)(x, y); }
VF_INLINE vd vd_sub(vd x, vd y) { return VD(sub)(x, y); }
VF_INLINE vd vd_mul(vd x, vd y) { return VD(mul)(x, y); }
VF_INLINE vd vd_div(vd x, vd y) { return VD(div)(x, y); }
VF_INLINE vd vd_sqrt(vd x) { return VD(sqrt)(x); }
VF_INLINE vd vd_or(vd x, vd y) { return VD(or)(x, y); }
VF_INLINE vd vd_set1(double x) { return VD(set1)(x); }
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

/* 0 where |x| < 2^-95, as vf_flushed. */
VF_INLINE vd vd_flushed(vd x) { return vd_zero_where(vd_lt(vd_abs(x), vd_set1(0x1p-95)), x); }

/* The nearest integer, halves to even, for |x| < 2^51. */
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

/* Half of the unevaluated sums high + low, where |low| is small beside |high|. */
VF_INLINE vd vd_from_sum(vf high, vf low, int part)
{
    return vd_add(vd_from_half(high, part), vd_from_half(low, part));
}

/* The halves a and b as unevaluated sums, good to 2^-48. Low parts are flushed as floats are. */
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
