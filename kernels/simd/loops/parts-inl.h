/* The simplest loop: a vector at a time, whole or not, for kernels whose arithmetic hides its cost. */
#ifndef GYRE_SIMD_LOOPS_PARTS_H
#define GYRE_SIMD_LOOPS_PARTS_H

#include "simd/loops/ranges-inl.h"
#include "simd/loops/runs-inl.h"

/* Processes the n elements at i. An inlined constant. */
typedef void vf_part(const void *context, size_t i, size_t n);

/* Processes elements begin..end-1, without those that sleep according to the flags, which may be NULL. */
VF_INLINE void vf_each_part(vf_part *part, const void *context, const uint8_t *flags, size_t begin, size_t end)
{
    vf_run run = vf_first_run(flags, begin, end);
    do {
        for (size_t i = run.begin; i < run.end; i += VF_LANES) {
            part(context, i, vf_lanes_left(i, run.end));
        }
    } while (vf_find_run(flags, &run, end));
}

#endif
