/* The operations of simd/vf-inl.h that are one intrinsic at every width and differ only in its prefix. Included by
   simd/vf_4_lanes-inl.h, simd/vf_8_lanes-inl.h and simd/vf_16_lanes-inl.h, which define VF_FLOATS, VF_INTEGERS and
   VF_BITS: the name of the intrinsic for an operation. */
#ifndef GYRE_SIMD_VF_ANY_LANES_H
#define GYRE_SIMD_VF_ANY_LANES_H

VF_INLINE vf vf_set1(float x) { return VF_FLOATS(set1)(x); }
VF_INLINE vf vf_load(const float *p) { return VF_FLOATS(loadu)(p); }
VF_INLINE void vf_store(float *p, vf a) { VF_FLOATS(storeu)(p, a); }

VF_INLINE vf vf_add(vf a, vf b) { return VF_FLOATS(add)(a, b); }
VF_INLINE vf vf_sub(vf a, vf b) { return VF_FLOATS(sub)(a, b); }
VF_INLINE vf vf_mul(vf a, vf b) { return VF_FLOATS(mul)(a, b); }
VF_INLINE vf vf_div(vf a, vf b) { return VF_FLOATS(div)(a, b); }
VF_INLINE vf vf_sqrt(vf a) { return VF_FLOATS(sqrt)(a); }
#if !defined(__wasm__)
VF_INLINE vf vf_min(vf a, vf b) { return VF_FLOATS(min)(a, b); }
VF_INLINE vf vf_max(vf a, vf b) { return VF_FLOATS(max)(a, b); }
#endif
#if GYRE_FUSED
VF_INLINE vf vf_mul_add(vf a, vf b, vf c) { return VF_FLOATS(fmadd)(a, b, c); }
#endif

VF_INLINE vf vf_zip_low(vf a, vf b) { return VF_FLOATS(unpacklo)(a, b); }
VF_INLINE vf vf_zip_high(vf a, vf b) { return VF_FLOATS(unpackhi)(a, b); }

VF_INLINE vi vi_set1(int32_t x) { return VF_INTEGERS(set1)(x); }
VF_INLINE vi vi_add(vi a, vi b) { return VF_INTEGERS(add)(a, b); }
VF_INLINE vi vi_sub(vi a, vi b) { return VF_INTEGERS(sub)(a, b); }
VF_INLINE vi vi_and(vi a, vi b) { return VF_BITS(and)(a, b); }
VF_INLINE vi vi_or(vi a, vi b) { return VF_BITS(or)(a, b); }
VF_INLINE vi vi_xor(vi a, vi b) { return VF_BITS(xor)(a, b); }
#define vi_shl(a, bits) VF_INTEGERS(slli)(a, bits)
#define vi_sar(a, bits) VF_INTEGERS(srai)(a, bits)
VF_INLINE vf vi_to_vf(vi a) { return VF_FLOATS(cvtepi32)(a); }
VF_INLINE vi vf_bits(vf a) { return VF_BITS(castps)(a); }

#endif
