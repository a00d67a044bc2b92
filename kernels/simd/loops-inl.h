/* Loops over arrays: streams and stages. simd/README.md says which is for what. */
#ifndef GYRE_SIMD_LOOPS_H
#define GYRE_SIMD_LOOPS_H

#include "simd/vf-inl.h"

/* The number of elements of the vector at i, of elements i..end-1. */
VF_INLINE size_t vf_lanes_left(size_t i, size_t end) { return end - i < VF_LANES ? end - i : VF_LANES; }

/* The number of elements of begin..end-1 before the first whose address in `written` is a multiple of the vector size;
   0 in ranges of fewer than `worth_it` elements, and with vectors of four. A vector across two cache lines takes two
   accesses, and arrays seldom begin at a line: malloc aligns to 16 bytes, and the slice of a job begins anywhere. So a
   loop takes these elements as a vector of their own, which costs as much as one vector, and begins behind them. That
   saves a tenth to two fifths of the time, most where much is stored, and nothing with vectors of four
   (bench/notes/loops.md). Only arrays with the alignment of `written` gain. */
VF_INLINE size_t vf_lanes_before_line(const float *written, size_t begin, size_t end, size_t worth_it)
{
    if (GYRE_LANES == 4 || end - begin < worth_it) {
        return 0;
    }
    return -((uintptr_t)(written + begin) / sizeof *written) % VF_LANES;
}

/* ---- As a stream ---- */

/* A stream goes by blocks: whole cache lines, and at least two vectors, so that the loads of one vector do not wait for
   the stores of another. WebAssembly has no prefetch, and half a line is as fast and smaller. */
#if GYRE_LANES == 4 && !defined(__wasm__)
#define VF_BLOCK_VECTORS 4
#else
#define VF_BLOCK_VECTORS 2
#endif
#define VF_BLOCK (VF_BLOCK_VECTORS * VF_LANES)

/* How far ahead streams prefetch, in elements: with the block, up to 512 bytes. Further ahead costs 10 to 30 percent on
   Zen 4, whose hardware prefetcher then loses the stream; nearer leaves less time for the fetch
   (bench/notes/loops.md). */
#define VF_PREFETCH_DISTANCE ((size_t)96)

/* Where prefetching ends in a loop over elements begin..end-1 of arrays of `count` elements. A stream has more
   arithmetic between its loads than a copy has; from 2 million elements on, prefetching makes it 10 to 30 percent
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

/* ---- A vector at a time, from memory to memory ----

   For kernels in double, whose floats are converted as they are loaded: the registers of a stream would hold floats,
   whose halves cost a shuffle each. And for kernels that read flags which they write, so that no vector may overlap
   another. Inlined constants, as those of vf_stream: `vector` takes the whole vector at i,
   `few` the n elements at i, fewer than a vector, and `prefetch` requests the block at i of every array. */
typedef struct vf_by_vectors {
    void (*vector)(const void *context, size_t i);
    void (*few)(const void *context, size_t i, size_t n);
    void (*prefetch)(const void *context, size_t i);
} vf_by_vectors;

/* Elements begin..end-1 of arrays of `count` elements, one of which is `written`. */
VF_INLINE void vf_vectors_range(vf_by_vectors kernel, const void *context, const float *written, size_t begin,
                                size_t end, size_t count)
{
    size_t i = begin;
    const size_t before = vf_lanes_before_line(written, begin, end, 512);
    if (before > 0) {
        kernel.few(context, i, before);
        i += before;
    }
    const size_t prefetch_end = vf_prefetch_end(i, end, count);
    for (; i < prefetch_end; i += VF_BLOCK) {
        kernel.prefetch(context, i + VF_PREFETCH_DISTANCE);
        for (size_t k = 0; k < VF_BLOCK; k += VF_LANES) {
            kernel.vector(context, i + k);
        }
    }
    for (; end - i >= VF_LANES; i += VF_LANES) {
        kernel.vector(context, i);
    }
    if (i < end) {
        kernel.few(context, i, end - i);
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
