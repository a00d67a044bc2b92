/* How kernels go over memory: as a stream, a block at a time, or in stages. */
#ifndef GYRE_SIMD_LOOPS_H
#define GYRE_SIMD_LOOPS_H

#include "simd/vf-inl.h"

/* How many of the elements i..end-1 the next vector takes. */
VF_INLINE size_t vf_lanes_left(size_t i, size_t end) { return end - i < VF_LANES ? end - i : VF_LANES; }

/* How many of the elements begin..end-1 come before the first whose address in `written` is a multiple of a vector's
   size; 0 in ranges shorter than `worth_it`. A vector that crosses from one cache line into the next takes two
   accesses, and arrays seldom begin where a line does: malloc promises 16 bytes, and a job's slice begins anywhere. So
   a loop begins behind these elements, and takes them by a vector of their own; that costs what one vector costs by
   itself. It is worth a tenth to two fifths of the time, most where much is stored, and nothing to vectors of four
   (bench/notes/loops.md). Arrays that lie differently in their lines gain for one of them only. */
VF_INLINE size_t vf_lanes_before_line(const float *written, size_t begin, size_t end, size_t worth_it)
{
    if (GYRE_LANES == 4 || end - begin < worth_it) {
        return 0;
    }
    return -((uintptr_t)(written + begin) / sizeof *written) % VF_LANES;
}

/* ---- As a stream ---- */

/* Loops over memory take a block at a time: whole cache lines, and at least two vectors, so that the loads of one
   do not wait for the stores of another. */
#define VF_BLOCK_VECTORS (GYRE_LANES == 4 ? 4 : 2)
#define VF_BLOCK (VF_BLOCK_VECTORS * VF_LANES)

/* How far ahead loops over memory prefetch, in elements. With the block it ends within 512 bytes: what a program asks
   for further ahead costs Zen 4 10 to 30 percent, because its own prefetching then loses the stream, and nearer there
   is less time to fetch it in (bench/notes/loops.md). */
#define VF_PREFETCH_DISTANCE ((size_t)96)

/* Up to where a loop over begin..end-1 of arrays of `count` elements does so. It has more arithmetic between its loads
   than a copy, and from 2 million elements on is 10 to 30 percent faster with it on Zen 3; Zen 4 gains nothing. Arrays
   of up to 4 MiB are held by some cache, which the CPU's own prefetching keeps up with: there the instructions cost up
   to a tenth. What is not mapped would cost a page walk each time. */
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

/* A kernel that streams. Its three functions are inlined constants; `context` holds what does not change within a call.
   `load` fills `state` with the vector at element i, `store` computes that vector's new state and writes it, and
   `prefetch` requests the block at i of every array. `store` must depend on `state` and `context` alone. */
enum { VF_STREAM_STATE = 3 };

typedef struct vf_stream {
    void (*load)(const void *context, size_t i, vf state[VF_STREAM_STATE]);
    void (*store)(const void *context, size_t i, const vf state[VF_STREAM_STATE]);
    void (*prefetch)(const void *context, size_t i);
} vf_stream;

/* The block at i: all loads come before the stores. */
VF_INLINE void vf_stream_block(vf_stream kernel, const void *context, size_t i)
{
    vf state[VF_BLOCK_VECTORS][VF_STREAM_STATE];
    for (size_t k = 0; k < VF_BLOCK_VECTORS; k++) {
        kernel.load(context, i + k * VF_LANES, state[k]);
    }
    for (size_t k = 0; k < VF_BLOCK_VECTORS; k++) {
        kernel.store(context, i + k * VF_LANES, state[k]);
    }
}

VF_INLINE void vf_stream_vector(vf_stream kernel, const void *context, size_t i)
{
    vf state[VF_STREAM_STATE];
    kernel.load(context, i, state);
    kernel.store(context, i, state);
}

/* Elements begin..end-1, at least VF_LANES of them, of arrays of `count` elements, one of which is `written`. Where the
   range does not begin at a cache line, or whole vectors leave elements over, the first or the last vector overlaps its
   neighbour. Its state is loaded before anything is stored, so the elements stored twice get the same bits twice. A
   vector that is copied out and back in parts takes six times as long (bench/notes/loops.md). */
VF_INLINE void vf_stream_range(vf_stream kernel, const void *context, const float *written, size_t begin, size_t end,
                               size_t count)
{
    const size_t before = vf_lanes_before_line(written, begin, end, 512);
    size_t i = begin + before;
    const size_t prefetch_end = vf_prefetch_end(i, end, count);
    vf first[VF_STREAM_STATE], last[VF_STREAM_STATE];
    kernel.load(context, begin, first);
    kernel.load(context, end - VF_LANES, last);
    for (; i < prefetch_end; i += VF_BLOCK) {
        kernel.prefetch(context, i + VF_PREFETCH_DISTANCE);
        vf_stream_block(kernel, context, i);
    }
    for (; end - i >= VF_BLOCK; i += VF_BLOCK) {
        vf_stream_block(kernel, context, i);
    }
    for (; end - i >= VF_LANES; i += VF_LANES) {
        vf_stream_vector(kernel, context, i);
    }
    if (i < end) {
        kernel.store(context, end - VF_LANES, last);
    }
    if (before > 0) {
        kernel.store(context, begin, first);
    }
}

/* ---- In stages ----

   Where the arithmetic of one vector is a dependency chain of 60 cycles and more, the CPU's reorder buffer holds little
   more than that vector. Such a chain is cut into stages of 20 to 50 cycles. A block of `vectors` vectors goes through
   each stage before the next stage begins: within a stage the vectors overlap, and between stages their state is in the
   first-level cache. A stage is a plain loop,

       for (size_t v = 0; v < vectors; v++)

   with `#pragma GCC unroll 2` where it is nearly all arithmetic: that is 2 to 10 percent of such a stage, most with
   wide vectors. Stages that store much lose by it (rotations with AVX-512 up to a quarter). */

/* How many vectors a block of stages with little state has. */
#define VF_STAGED_VECTORS (128 / VF_LANES)

/* How many whole vectors of elements i..end-1 the next block has, at most `most`. */
VF_INLINE size_t vf_staged_vectors(size_t i, size_t end, size_t most)
{
    const size_t whole = (end - i) / VF_LANES;
    return whole < most ? whole : most;
}

/* The stages of a kernel for the elements from i on: `vectors` whole vectors with n = VF_LANES, or one vector of n
   elements, n < VF_LANES. An inlined constant, as the functions of vf_stream are. Where a block passes the address of
   what is in the context to a function that is not inlined, it must pass that of a copy, or the compiler reads the
   whole context again after each store (springs with parameters each, clang: 20 percent). */
typedef void vf_staged_block(const void *context, size_t i, size_t vectors, size_t n);

/* Elements begin..end-1 of arrays, one of which is `written`, in blocks of at most `most` vectors. The elements before
   the first cache line and those left over at the end are vectors of their own. */
VF_INLINE void vf_staged_range(vf_staged_block *block, const void *context, size_t most, const float *written,
                               size_t begin, size_t end)
{
    size_t i = begin;
    for (size_t before = vf_lanes_before_line(written, begin, end, 2048); i < end; before = 0) {
        for (size_t vectors; before == 0 && (vectors = vf_staged_vectors(i, end, most)) > 0; i += vectors * VF_LANES) {
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
