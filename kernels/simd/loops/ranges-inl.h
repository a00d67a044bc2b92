/* How loops divide a range: where its first whole cache line begins, in blocks, and how far ahead they prefetch. */
#ifndef GYRE_SIMD_LOOPS_RANGES_H
#define GYRE_SIMD_LOOPS_RANGES_H

#include "simd/vf-inl.h"

/* The names of a loop that is included once for each kernel (simd/loops/stream-inl.h): LOOP_NAME(load) is LOOP_load. */
#define LOOP_JOINED_(a, b) a##_##b
#define LOOP_JOINED(a, b) LOOP_JOINED_(a, b)
#define LOOP_NAME(part) LOOP_JOINED(LOOP, part)

/* The number of elements of the vector at i, of elements i..end-1. */
VF_INLINE size_t vf_lanes_left(size_t i, size_t end) { return end - i < VF_LANES ? end - i : VF_LANES; }

/* The number of elements of begin..end-1 before the first whose address in `written` is a multiple of the vector size;
   0 in ranges of fewer than `worth_it` elements, and with vectors of four. A vector across two cache lines takes two
   accesses, and arrays rarely begin at a line: malloc aligns to 16 bytes, and the slice of a job begins anywhere. So a
   loop processes these elements as a separate vector, at the cost of one vector, and continues after them. That saves a
   tenth to two fifths of the time, most where much is stored, and nothing with vectors of four (bench/notes/loops.md).
   Only arrays with the alignment of `written` become faster. */
VF_INLINE size_t vf_lanes_before_line(const float *written, size_t begin, size_t end, size_t worth_it)
{
    if (GYRE_LANES == 4 || end - begin < worth_it) {
        return 0;
    }
    return -((uintptr_t)(written + begin) / sizeof *written) % VF_LANES;
}

/* Streams are processed in blocks: whole cache lines, and at least two vectors, so that the loads of one vector do not
   wait for the stores of another. WebAssembly has no prefetch, and half a line is as fast and smaller. */
#if GYRE_LANES == 4 && !defined(__wasm__)
#define VF_BLOCK_VECTORS 4
#else
#define VF_BLOCK_VECTORS 2
#endif
#define VF_BLOCK (VF_BLOCK_VECTORS * VF_LANES)

/* How far ahead streams prefetch, in elements: including the block, up to 512 bytes. Further ahead costs 10 to 30
   percent on Zen 4, whose hardware prefetcher then loses the stream; nearer leaves less time for the fetch
   (bench/notes/loops.md). */
#define VF_PREFETCH_DISTANCE ((size_t)96)

/* Where prefetching ends in a loop over elements begin..end-1 of arrays of `count` elements. A stream has more
   arithmetic between its loads than a copy has; from 2 million elements up, prefetching makes it 10 to 30 percent
   faster on Zen 3, and changes nothing on Zen 4. Arrays of up to 4 MiB are in some cache, where the hardware prefetcher
   keeps up and the instructions cost up to a tenth. Prefetching beyond the arrays could cost a page walk for each
   unmapped page. */
VF_INLINE size_t vf_prefetch_end(size_t begin, size_t end, size_t count)
{
    const size_t cached = (size_t)1 << 20;
    return count > cached && end - begin >= VF_PREFETCH_DISTANCE + VF_BLOCK
               ? end - (VF_PREFETCH_DISTANCE + VF_BLOCK) + 1
               : begin;
}

VF_INLINE void vf_prefetch_block(const float *p)
{
    for (size_t k = 0; k < VF_BLOCK; k += 64 / sizeof *p) {
        __builtin_prefetch(p + k);
    }
}

#endif
