/* The operations of simd/vw-inl.h for use with 4 floats. Included only by simd/vw-inl.h. */
#ifndef GYRE_SIMD_VW_4_LANES_H
#define GYRE_SIMD_VW_4_LANES_H

#define VW(operation) simde_mm_##operation
#include "simd/vw_any_lanes-inl.h"

VF_INLINE vw vw_set1(uint64_t x) { return VW(set1_epi64x)((int64_t)x); }

#endif
