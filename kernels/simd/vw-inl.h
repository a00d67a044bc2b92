/* vw: unsigned integers of 64 bits, half as many as a vf has floats, for hashes. The only product is that of 32-bit
   integers, which every instruction set has: vw_mul_add_low. */
#ifndef GYRE_SIMD_VW_H
#define GYRE_SIMD_VW_H

#include "simd/vf-inl.h"

/* vw_high(a) is a >> 32, and vw_swap(a) exchanges the halves of each word.
   vw_mul_add_low(a, b, c) is (a mod 2^32) (b mod 2^32) + c.
   vw_even(a) and vw_odd(a): words whose low 32 bits are lanes 0, 2, 4 ... and 1, 3, 5 ... of a; their other bits are
   unspecified. */

#if defined(GYRE_PLAIN_C)
#include "simd/vw_plain-inl.h"
#elif GYRE_LANES == 4
#include "simd/vw_4_lanes-inl.h"
#elif GYRE_LANES == 8
#include "simd/vw_8_lanes-inl.h"
#else
#include "simd/vw_16_lanes-inl.h"
#endif

enum { VW_LANES = GYRE_LANES / 2 };

VF_INLINE vw vw_load(const uint64_t *p)
{
    vw a;
    memcpy(&a, p, sizeof a);
    return a;
}
VF_INLINE void vw_store(uint64_t *p, vw a) { memcpy(p, &a, sizeof a); }

#endif
