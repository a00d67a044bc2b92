/* The operations of simd/vw-inl.h for use with 16 floats. Included only by simd/vw-inl.h. */
#ifndef GYRE_SIMD_VW_16_LANES_H
#define GYRE_SIMD_VW_16_LANES_H

#define VW(operation) _mm512_##operation
#include "simd/vw_any_lanes-inl.h"

VF_INLINE vw vw_set1(uint64_t x) { return VW(set1_epi64)((int64_t)x); }

#endif
