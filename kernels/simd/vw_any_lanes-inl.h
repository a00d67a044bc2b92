/* The operations of simd/vw-inl.h that are one intrinsic at every width. Included by simd/vw_4_lanes-inl.h,
   simd/vw_8_lanes-inl.h and simd/vw_16_lanes-inl.h, which define VW: the name of the intrinsic for an operation. */
#ifndef GYRE_SIMD_VW_ANY_LANES_H
#define GYRE_SIMD_VW_ANY_LANES_H

typedef vi vw;

VF_INLINE vw vw_add(vw a, vw b) { return VW(add_epi64)(a, b); }
VF_INLINE vw vw_xor(vw a, vw b) { return vi_xor(a, b); }
VF_INLINE vw vw_high(vw a) { return VW(srli_epi64)(a, 32); }
VF_INLINE vw vw_swap(vw a) { return VW(shuffle_epi32)(a, 0xb1); }
VF_INLINE vw vw_even(vi a) { return a; }
VF_INLINE vw vw_odd(vi a) { return vw_high(a); }
VF_INLINE vw vw_mul_add_low(vw a, vw b, vw c) { return vw_add(VW(mul_epu32)(a, b), c); }

#endif
