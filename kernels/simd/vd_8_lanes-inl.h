/* The operations of simd/vd-inl.h for use with 8 floats: AVX2, through SIMDe. Included only by simd/vd-inl.h. */
#ifndef GYRE_SIMD_VD_8_LANES_H
#define GYRE_SIMD_VD_8_LANES_H

typedef simde__m256d vd;
#define VD(operation) simde_mm256_##operation##_pd
#include "simd/vd_any_lanes-inl.h"

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

#endif
