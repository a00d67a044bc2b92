/* The operations of simd/vd-inl.h for use with 16 floats: AVX-512. Included only by simd/vd-inl.h. */
#ifndef GYRE_SIMD_VD_16_LANES_H
#define GYRE_SIMD_VD_16_LANES_H

typedef __m512d vd;
#define VD(operation) _mm512_##operation##_pd
#include "simd/vd_any_lanes-inl.h"

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
