/* A range in blocks of vectors, for kernels in stages (simd/loops/stages-inl.h). */
#ifndef GYRE_SIMD_LOOPS_BLOCKS_H
#define GYRE_SIMD_LOOPS_BLOCKS_H

#include "simd/loops/ranges-inl.h"
#include "simd/loops/stages-inl.h"

/* The number of whole vectors in the next block of elements i..end-1, at most `max_vectors`. */
VF_INLINE size_t vf_staged_vectors(size_t i, size_t end, size_t max_vectors)
{
    const size_t whole = (end - i) / VF_LANES;
    return whole < max_vectors ? whole : max_vectors;
}

/* The stages of a kernel for the elements from i on: `vectors` whole vectors with n = VF_LANES, or one vector of n
   elements, n < VF_LANES. An inlined constant. A block that passes the address of a member of the context to a function
   that is not inlined must pass that of a copy, or the compiler reads the whole context again after each store (springs
   with individual parameters, clang: 20 percent). */
typedef void vf_staged_block(const void *context, size_t i, size_t vectors, size_t n);

/* Elements begin..end-1 of arrays, one of which is `written`, in blocks of at most `max_vectors`. The elements before
   the first cache line and those left over at the end are separate vectors. */
VF_INLINE void vf_staged_range(vf_staged_block *block, const void *context, size_t max_vectors, const float *written,
                               size_t begin, size_t end)
{
    size_t i = begin;
    for (size_t before = vf_lanes_before_line(written, begin, end, 2048); i < end; before = 0) {
        for (size_t vectors; before == 0 && (vectors = vf_staged_vectors(i, end, max_vectors)) > 0;
             i += vectors * VF_LANES) {
            block(context, i, vectors, VF_LANES);
        }
        const size_t n = before > 0 ? before : end - i;
        if (n > 0) {
            block(context, i, 1, n);
            i += n;
        }
    }
}

#endif
