/* The operations of simd/vd-inl.h for use with 4 floats: SSE2 and WebAssembly, through SIMDe. Included only by
   simd/vd-inl.h. */
#ifndef GYRE_SIMD_VD_4_LANES_H
#define GYRE_SIMD_VD_4_LANES_H

typedef simde__m128d vd;
#define VD(operation) simde_mm_##operation##_pd
#include "simd/vd_any_lanes-inl.h"

VF_INLINE vd vd_from_floats(const float *a)
{
    return simde_mm_cvtps_pd(simde_mm_castsi128_ps(simde_mm_loadl_epi64((const simde__m128i *)(const void *)a)));
}
#if defined(__wasm__) && __clang_major__ < 19
/* In one instruction, where clang would use four. clang 19 crashes on vectors in assembly. */
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
/* Joined in registers, for operations that would otherwise wait for halves in memory. */
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

#endif
