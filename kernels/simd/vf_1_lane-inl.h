/* The operations of simd/vf-inl.h on one lane, a number, as used by a GPU thread, in C, OpenCL C and CUDA. Included
   only by simd/vf-inl.h. */
#ifndef GYRE_SIMD_VF_1_LANE_H
#define GYRE_SIMD_VF_1_LANE_H

#include "scalar/square_root.h"

typedef float vf;
typedef uint32_t vi;
typedef bool vm;

VF_INLINE vf vf_set1(float x) { return x; }
VF_INLINE vf vf_load_n(const float *p, size_t n) { return n > 0 ? *p : 0; }
VF_INLINE void vf_store_n(float *p, vf a, size_t n) { *p = n > 0 ? a : *p; }
VF_INLINE float vf_lane_0(vf a) { return a; }

VF_INLINE vf vf_add(vf a, vf b) { return a + b; }
VF_INLINE vf vf_sub(vf a, vf b) { return a - b; }
VF_INLINE vf vf_mul(vf a, vf b) { return a * b; }
VF_INLINE vf vf_div(vf a, vf b) { return a / b; }
VF_INLINE vf vf_sqrt(vf a) { return float_square_root(a); }
#if GYRE_FUSED && defined(__OPENCL_C_VERSION__)
VF_INLINE vf vf_mul_add(vf a, vf b, vf c) { return fma(a, b, c); }
VF_INLINE vf vf_neg_mul_add(vf a, vf b, vf c) { return fma(-a, b, c); }
#elif GYRE_FUSED
VF_INLINE vf vf_mul_add(vf a, vf b, vf c) { return __builtin_fmaf(a, b, c); }
VF_INLINE vf vf_neg_mul_add(vf a, vf b, vf c) { return __builtin_fmaf(-a, b, c); }
#endif

VF_INLINE vf vf_from_bits(vi a) { return float_of_bits(a); }
VF_INLINE vi vf_bits(vf a) { return bits_of_float(a); }
VF_INLINE vi vi_set1(int32_t x) { return (vi)x; }
VF_INLINE vi vi_add(vi a, vi b) { return a + b; }
VF_INLINE vi vi_sub(vi a, vi b) { return a - b; }
VF_INLINE vi vi_and(vi a, vi b) { return a & b; }
VF_INLINE vi vi_or(vi a, vi b) { return a | b; }
VF_INLINE vi vi_xor(vi a, vi b) { return a ^ b; }
VF_INLINE vi vi_shl(vi a, int bits) { return a << bits; }
VF_INLINE vi vi_sar(vi a, int bits) { return (vi)((int32_t)a >> bits); }
VF_INLINE vi vi_max_unsigned(vi a, vi b) { return a > b ? a : b; }
VF_INLINE vf vi_to_vf(vi a) { return (float)(int32_t)a; }

VF_INLINE vm vf_lt(vf a, vf b) { return a < b; }
VF_INLINE vm vf_le(vf a, vf b) { return a <= b; }
VF_INLINE vm vf_eq(vf a, vf b) { return a == b; }
VF_INLINE vm vi_eq(vi a, vi b) { return a == b; }
VF_INLINE vm vi_disjoint(vi a, vi b) { return (a & b) == 0; }
VF_INLINE vm vm_and(vm a, vm b) { return a && b; }
VF_INLINE vm vm_or(vm a, vm b) { return a || b; }
VF_INLINE vm vm_not(vm a) { return !a; }
VF_INLINE bool vm_any(vm a) { return a; }
VF_INLINE bool vm_all(vm a) { return a; }
VF_INLINE unsigned vm_bits(vm a) { return a; }
VF_INLINE unsigned vm_count(vm a) { return a; }

VF_INLINE vf vf_select(vm m, vf a, vf b) { return m ? a : b; }
VF_INLINE vf vf_zero_where(vm m, vf a) { return m ? 0 : a; }
VF_INLINE vf vf_min(vf a, vf b) { return a < b ? a : b; }
VF_INLINE vf vf_max(vf a, vf b) { return a > b ? a : b; }
VF_INLINE vf vf_flushed(vf a) { return vf_zero_where(vi_disjoint(vf_bits(a), VF_KEPT_EXPONENTS), a); }

#endif
