/* vd: doubles, as many as a vf has floats. For the few sums that must not be rounded to float. Rounding as in vf.h:
   vd_mla and vd_nmla alone are fused in a fused table. */
#ifndef GYRE_SIMD_VD_H
#define GYRE_SIMD_VD_H

#include "vf3.h"

#if GYRE_LANES == 4
typedef simde__m128d vd_half;
#define VD_HALF(operation) simde_mm_##operation##_pd
VF_INLINE vd_half vd_low_half(vf a) { return simde_mm_cvtps_pd(a); }
VF_INLINE vd_half vd_high_half(vf a) { return simde_mm_cvtps_pd(simde_mm_movehl_ps(a, a)); }
VF_INLINE vf vd_join(vd_half low, vd_half high)
{
    return simde_mm_movelh_ps(simde_mm_cvtpd_ps(low), simde_mm_cvtpd_ps(high));
}
#if GYRE_FUSED
VF_INLINE vd_half vd_half_mla(vd_half a, vd_half b, vd_half c)
{
    return simde__m128d_from_neon_f64(
        vfmaq_f64(simde__m128d_to_neon_f64(c), simde__m128d_to_neon_f64(a), simde__m128d_to_neon_f64(b)));
}
VF_INLINE vd_half vd_half_nmla(vd_half a, vd_half b, vd_half c)
{
    return simde__m128d_from_neon_f64(
        vfmsq_f64(simde__m128d_to_neon_f64(c), simde__m128d_to_neon_f64(a), simde__m128d_to_neon_f64(b)));
}
#endif
#elif GYRE_LANES == 8
typedef simde__m256d vd_half;
#define VD_HALF(operation) simde_mm256_##operation##_pd
VF_INLINE vd_half vd_low_half(vf a) { return simde_mm256_cvtps_pd(simde_mm256_castps256_ps128(a)); }
VF_INLINE vd_half vd_high_half(vf a) { return simde_mm256_cvtps_pd(simde_mm256_extractf128_ps(a, 1)); }
VF_INLINE vf vd_join(vd_half low, vd_half high)
{
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(simde_mm256_cvtpd_ps(low)), simde_mm256_cvtpd_ps(high),
                                     1);
}
#if GYRE_FUSED
VF_INLINE vd_half vd_half_mla(vd_half a, vd_half b, vd_half c) { return _mm256_fmadd_pd(a, b, c); }
VF_INLINE vd_half vd_half_nmla(vd_half a, vd_half b, vd_half c) { return _mm256_fnmadd_pd(a, b, c); }
#endif
#else
typedef __m512d vd_half;
#define VD_HALF(operation) _mm512_##operation##_pd
VF_INLINE vd_half vd_low_half(vf a) { return _mm512_cvtps_pd(_mm512_castps512_ps256(a)); }
VF_INLINE vd_half vd_high_half(vf a) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)); }
VF_INLINE vf vd_join(vd_half low, vd_half high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high), 1);
}
#if GYRE_FUSED
VF_INLINE vd_half vd_half_mla(vd_half a, vd_half b, vd_half c) { return _mm512_fmadd_pd(a, b, c); }
VF_INLINE vd_half vd_half_nmla(vd_half a, vd_half b, vd_half c) { return _mm512_fnmadd_pd(a, b, c); }
#endif
#endif

typedef struct vd {
    vd_half low, high;
} vd;

#define VD_BINARY(name)                                                                                                \
    VF_INLINE vd vd_##name(vd x, vd y) { return (vd){VD_HALF(name)(x.low, y.low), VD_HALF(name)(x.high, y.high)}; }
VD_BINARY(add)
VD_BINARY(sub)
VD_BINARY(mul)
#undef VD_BINARY

#if GYRE_FUSED
#define VD_TERNARY(name)                                                                                               \
    VF_INLINE vd vd_##name(vd x, vd y, vd z)                                                                           \
    {                                                                                                                  \
        return (vd){vd_half_##name(x.low, y.low, z.low), vd_half_##name(x.high, y.high, z.high)};                      \
    }
VD_TERNARY(mla)
VD_TERNARY(nmla)
#undef VD_TERNARY
#else
VF_INLINE vd vd_mla(vd x, vd y, vd z) { return vd_add(vd_mul(x, y), z); }
VF_INLINE vd vd_nmla(vd x, vd y, vd z) { return vd_sub(z, vd_mul(x, y)); }
#endif

VF_INLINE vd vd_set1(double x) { return (vd){VD_HALF(set1)(x), VD_HALF(set1)(x)}; }
VF_INLINE vd vd_from_vf(vf x) { return (vd){vd_low_half(x), vd_high_half(x)}; }
VF_INLINE vf vd_to_vf(vd x) { return vd_join(x.low, x.high); }

typedef struct vd3 {
    vd x, y, z;
} vd3;

VF_INLINE vd3 vd3_from_vf3(vf3 a) { return (vd3){vd_from_vf(a.x), vd_from_vf(a.y), vd_from_vf(a.z)}; }
VF_INLINE vf3 vd3_to_vf3(vd3 a) { return (vf3){vd_to_vf(a.x), vd_to_vf(a.y), vd_to_vf(a.z)}; }
VF_INLINE vd3 vd3_add(vd3 a, vd3 b) { return (vd3){vd_add(a.x, b.x), vd_add(a.y, b.y), vd_add(a.z, b.z)}; }
VF_INLINE vd3 vd3_sub(vd3 a, vd3 b) { return (vd3){vd_sub(a.x, b.x), vd_sub(a.y, b.y), vd_sub(a.z, b.z)}; }
VF_INLINE vd3 vd3_times(vd3 a, vd3 b) { return (vd3){vd_mul(a.x, b.x), vd_mul(a.y, b.y), vd_mul(a.z, b.z)}; }
VF_INLINE vd3 vd3_scale(vd s, vd3 a) { return (vd3){vd_mul(s, a.x), vd_mul(s, a.y), vd_mul(s, a.z)}; }
VF_INLINE vd vd3_dot(vd3 a, vd3 b) { return vd_mla(a.x, b.x, vd_mla(a.y, b.y, vd_mul(a.z, b.z))); }

/* s a + b */
VF_INLINE vd3 vd3_scale_add(vd s, vd3 a, vd3 b)
{
    return (vd3){vd_mla(s, a.x, b.x), vd_mla(s, a.y, b.y), vd_mla(s, a.z, b.z)};
}

/* b - s a */
VF_INLINE vd3 vd3_scale_less(vd s, vd3 a, vd3 b)
{
    return (vd3){vd_nmla(s, a.x, b.x), vd_nmla(s, a.y, b.y), vd_nmla(s, a.z, b.z)};
}

VF_INLINE vd3 vd3_cross(vd3 a, vd3 b)
{
    return (vd3){
        vd_nmla(a.z, b.y, vd_mul(a.y, b.z)),
        vd_nmla(a.x, b.z, vd_mul(a.z, b.x)),
        vd_nmla(a.y, b.x, vd_mul(a.x, b.y)),
    };
}

#endif
