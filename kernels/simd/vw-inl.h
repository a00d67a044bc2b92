/* vw: unsigned integers of 64 bits, half as many as a vf has floats, for hashes. The only product is that of 32-bit
   integers, which every instruction set has: vw_mul_add_low. */
#ifndef GYRE_SIMD_VW_H
#define GYRE_SIMD_VW_H

#include "simd/vf-inl.h"

#if defined(GYRE_PLAIN_C)
typedef uint64_t vw __attribute__((vector_size(16)));
VF_INLINE vw vw_set1(uint64_t x) { return (vw){x, x}; }
VF_INLINE vw vw_add(vw a, vw b) { return a + b; }
VF_INLINE vw vw_xor(vw a, vw b) { return a ^ b; }
VF_INLINE vw vw_high(vw a) { return a >> 32; }
VF_INLINE vw vw_swap(vw a) { return a << 32 | a >> 32; }
VF_INLINE vw vw_even(vi a) { return (vw){a[0], a[2]}; }
VF_INLINE vw vw_odd(vi a) { return (vw){a[1], a[3]}; }
#if defined(__aarch64__)
VF_INLINE vw vw_mul_add_low(vw a, vw b, vw c) { return vmlal_u32(c, vmovn_u64(a), vmovn_u64(b)); }
#else
VF_INLINE vw vw_mul_add_low(vw a, vw b, vw c)
{
    return (vw){(uint64_t)(uint32_t)a[0] * (uint32_t)b[0] + c[0], (uint64_t)(uint32_t)a[1] * (uint32_t)b[1] + c[1]};
}
#endif
#else
typedef vi vw;
#if GYRE_LANES == 4
#define VW(operation) simde_mm_##operation
VF_INLINE vw vw_set1(uint64_t x) { return VW(set1_epi64x)((int64_t)x); }
#elif GYRE_LANES == 8
#define VW(operation) simde_mm256_##operation
VF_INLINE vw vw_set1(uint64_t x) { return VW(set1_epi64x)((int64_t)x); }
#else
#define VW(operation) _mm512_##operation
VF_INLINE vw vw_set1(uint64_t x) { return VW(set1_epi64)((int64_t)x); }
#endif
VF_INLINE vw vw_add(vw a, vw b) { return VW(add_epi64)(a, b); }
VF_INLINE vw vw_xor(vw a, vw b) { return vi_xor(a, b); }
VF_INLINE vw vw_high(vw a) { return VW(srli_epi64)(a, 32); }
VF_INLINE vw vw_swap(vw a) { return VW(shuffle_epi32)(a, 0xb1); }
VF_INLINE vw vw_even(vi a) { return a; }
VF_INLINE vw vw_odd(vi a) { return vw_high(a); }
VF_INLINE vw vw_mul_add_low(vw a, vw b, vw c) { return vw_add(VW(mul_epu32)(a, b), c); }
#endif

/* vw_high(a) is a >> 32, and vw_swap(a) exchanges the halves of each word.
   vw_mul_add_low(a, b, c) is (a mod 2^32) (b mod 2^32) + c.
   vw_even(a) and vw_odd(a): words whose low 32 bits are lanes 0, 2, 4 ... and 1, 3, 5 ... of a; their other bits are
   unspecified. */

enum { VW_LANES = GYRE_LANES / 2 };

VF_INLINE vw vw_load(const uint64_t *p)
{
    vw a;
    memcpy(&a, p, sizeof a);
    return a;
}
VF_INLINE void vw_store(uint64_t *p, vw a) { memcpy(p, &a, sizeof a); }

#endif
