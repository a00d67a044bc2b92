/* Kernels with long chains of dependent arithmetic, in stages.

   If the arithmetic of one vector is a dependency chain of 60 cycles or more, the CPU's reorder buffer holds little
   more than that vector. Such a chain is cut into stages of 20 to 50 cycles: pure functions from struct to struct. A
   block of vectors goes through each stage before the next stage begins: within a stage the vectors overlap, and
   between stages their state is in the first-level cache.

       VF_EACH_VECTOR(v, vectors) lanes[v].sum = sum_of(lanes[v].terms);

   A single element is a block of one vector with one lane. */
#ifndef GYRE_SIMD_LOOPS_STAGES_H
#define GYRE_SIMD_LOOPS_STAGES_H

#include "simd/vf-inl.h"

/* Number of vectors in a block of stages with little state. */
#define VF_STAGED_VECTORS (128 / VF_LANES)

/* Introduces the loop body for each vector v of a block. Two at a time save 2 to 10 percent of a stage that is nearly
   all arithmetic, most with wide vectors. Stages that store much become slower (rotations with AVX-512 by up to a
   quarter). */
#define VF_EACH_VECTOR(v, vectors) _Pragma("GCC unroll 2") for (size_t v = 0; v < (vectors); v++)

/* Like VF_EACH_VECTOR, for a constant number of vectors, at most four, that stay in registers. */
#define VF_EACH_IN_REGISTERS(v, vectors) _Pragma("GCC unroll 4") for (size_t v = 0; v < (vectors); v++)

/* Introduces a loop over the terms of a series: unrolled, so that expressions of the index are constant. */
#define VF_EACH_TERM _Pragma("GCC unroll 16")

#endif
