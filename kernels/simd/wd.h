/* wd: doubles, as many as a wf has floats. For the few sums that must not be rounded to float. Every operation is one
   IEEE operation, in all tables: nothing is fused here. */
#ifndef GYRE_SIMD_WD_H
#define GYRE_SIMD_WD_H

#include "wf3.h"

#if GYRE_LANES == 4
typedef simde__m128d vd_half;
#define VD_HALF(operation) simde_mm_##operation##_pd
VF_INLINE vd_half vd_low_half(vf a) { return simde_mm_cvtps_pd(a); }
VF_INLINE vd_half vd_high_half(vf a) { return simde_mm_cvtps_pd(simde_mm_movehl_ps(a, a)); }
VF_INLINE vf vd_join(vd_half low, vd_half high)
{
    return simde_mm_movelh_ps(simde_mm_cvtpd_ps(low), simde_mm_cvtpd_ps(high));
}
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
#else
typedef __m512d vd_half;
#define VD_HALF(operation) _mm512_##operation##_pd
VF_INLINE vd_half vd_low_half(vf a) { return _mm512_cvtps_pd(_mm512_castps512_ps256(a)); }
VF_INLINE vd_half vd_high_half(vf a) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(a, 1)); }
VF_INLINE vf vd_join(vd_half low, vd_half high)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(low)), _mm512_cvtpd_ps(high), 1);
}
#endif

typedef struct wd {
    vd_half part[4];
} wd;

#define WD_BINARY(name)                                                                                                \
    VF_INLINE wd wd_##name(wd x, wd y)                                                                                 \
    {                                                                                                                  \
        return (wd){{VD_HALF(name)(x.part[0], y.part[0]), VD_HALF(name)(x.part[1], y.part[1]),                         \
                     VD_HALF(name)(x.part[2], y.part[2]), VD_HALF(name)(x.part[3], y.part[3])}};                       \
    }
WD_BINARY(add)
WD_BINARY(sub)
WD_BINARY(mul)
#undef WD_BINARY

VF_INLINE wd wd_set1(double x)
{
    return (wd){{VD_HALF(set1)(x), VD_HALF(set1)(x), VD_HALF(set1)(x), VD_HALF(set1)(x)}};
}
VF_INLINE wd wd_from_wf(wf x)
{
    return (wd){{vd_low_half(x.a), vd_high_half(x.a), vd_low_half(x.b), vd_high_half(x.b)}};
}
VF_INLINE wf wd_to_wf(wd x) { return (wf){vd_join(x.part[0], x.part[1]), vd_join(x.part[2], x.part[3])}; }

typedef struct wd3 {
    wd x, y, z;
} wd3;

VF_INLINE wd3 wd3_from_wf3(wf3 a) { return (wd3){wd_from_wf(a.x), wd_from_wf(a.y), wd_from_wf(a.z)}; }
VF_INLINE wf3 wd3_to_wf3(wd3 a) { return (wf3){wd_to_wf(a.x), wd_to_wf(a.y), wd_to_wf(a.z)}; }
VF_INLINE wd3 wd3_add(wd3 a, wd3 b) { return (wd3){wd_add(a.x, b.x), wd_add(a.y, b.y), wd_add(a.z, b.z)}; }
VF_INLINE wd3 wd3_sub(wd3 a, wd3 b) { return (wd3){wd_sub(a.x, b.x), wd_sub(a.y, b.y), wd_sub(a.z, b.z)}; }
VF_INLINE wd3 wd3_times(wd3 a, wd3 b) { return (wd3){wd_mul(a.x, b.x), wd_mul(a.y, b.y), wd_mul(a.z, b.z)}; }
VF_INLINE wd3 wd3_scale(wd s, wd3 a) { return (wd3){wd_mul(s, a.x), wd_mul(s, a.y), wd_mul(s, a.z)}; }
VF_INLINE wd wd3_dot(wd3 a, wd3 b) { return wd_add(wd_mul(a.x, b.x), wd_add(wd_mul(a.y, b.y), wd_mul(a.z, b.z))); }

VF_INLINE wd3 wd3_cross(wd3 a, wd3 b)
{
    return (wd3){
        wd_sub(wd_mul(a.y, b.z), wd_mul(a.z, b.y)),
        wd_sub(wd_mul(a.z, b.x), wd_mul(a.x, b.z)),
        wd_sub(wd_mul(a.x, b.y), wd_mul(a.y, b.x)),
    };
}

#endif
