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
   (bench/NOTES.md). Arrays that lie differently in their lines gain for one of them only. */
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
   is less time to fetch it in (bench/NOTES.md). */
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

/* What a kernel does to a vector: `load` is the state of the vector at j, and `store` takes that, `old`. */
#define VF_LOAD_AT(at, state, load)                                                                                    \
    do {                                                                                                               \
        const size_t j = at;                                                                                           \
        state = load;                                                                                                  \
    } while (0)
#define VF_STORE_AT(at, state_type, state, store)                                                                      \
    do {                                                                                                               \
        const size_t j = at;                                                                                           \
        const state_type old = state;                                                                                  \
        store;                                                                                                         \
    } while (0)

/* A block from i on whose vectors have nothing to do with each other, all loads before the stores. */
#define VF_STREAM_BLOCK(state_type, load, store)                                                                       \
    do {                                                                                                               \
        state_type state_[VF_BLOCK_VECTORS];                                                                           \
        for (size_t k_ = 0; k_ < VF_BLOCK_VECTORS; k_++) {                                                             \
            VF_LOAD_AT(i + k_ * VF_LANES, state_[k_], load);                                                           \
        }                                                                                                              \
        for (size_t k_ = 0; k_ < VF_BLOCK_VECTORS; k_++) {                                                             \
            VF_STORE_AT(i + k_ * VF_LANES, state_type, state_[k_], store);                                             \
        }                                                                                                              \
    } while (0)

/* The loop of a kernel that streams begin..end-1 of arrays of `count` elements, one of them `written`: at least a
   vector of them. Where they do not begin with a line, or whole vectors leave some over, the first or the last vector
   overlaps its neighbour: its state is loaded before anything is stored, so that what is stored twice is the same bits.
   A vector that is copied out and back by parts costs six times as much (bench/NOTES.md). `prefetch` sees i. */
#define VF_STREAM(begin, end, count, written, prefetch, state_type, load, store)                                       \
    do {                                                                                                               \
        const size_t before_ = vf_lanes_before_line(written, begin, end, 512);                                         \
        size_t i = begin + before_;                                                                                    \
        const size_t prefetch_end_ = vf_prefetch_end(i, end, count);                                                   \
        state_type first_, last_;                                                                                      \
        VF_LOAD_AT(begin, first_, load);                                                                               \
        VF_LOAD_AT(end - VF_LANES, last_, load);                                                                       \
        for (; i < prefetch_end_; i += VF_BLOCK) {                                                                     \
            prefetch;                                                                                                  \
            VF_STREAM_BLOCK(state_type, load, store);                                                                  \
        }                                                                                                              \
        for (; end - i >= VF_BLOCK; i += VF_BLOCK) {                                                                   \
            VF_STREAM_BLOCK(state_type, load, store);                                                                  \
        }                                                                                                              \
        for (; end - i >= VF_LANES; i += VF_LANES) {                                                                   \
            state_type whole_;                                                                                         \
            VF_LOAD_AT(i, whole_, load);                                                                               \
            VF_STORE_AT(i, state_type, whole_, store);                                                                 \
        }                                                                                                              \
        if (i < end) {                                                                                                 \
            VF_STORE_AT(end - VF_LANES, state_type, last_, store);                                                     \
        }                                                                                                              \
        if (before_ > 0) {                                                                                             \
            VF_STORE_AT(begin, state_type, first_, store);                                                             \
        }                                                                                                              \
    } while (0)

/* ---- In stages ---- */

/* Where one vector's arithmetic is a chain of 60 cycles and more, the CPU looks ahead little further than that vector.
   Such chains are cut into stages of 20 to 50 cycles, each done for all `vectors` vectors of a block before the next
   begins: inside a stage vectors overlap, and between stages they wait in the nearest cache. */
#define FOR_EACH_VECTOR for (size_t v = 0; v < vectors; v++)

/* The same with two vectors in the loop's body, for stages that are little but arithmetic: 2 to 10 percent of them,
   most with wide vectors. Those that store much lose by it (rotations with AVX-512 up to a quarter). */
#define FOR_EACH_VECTOR_BY_TWOS _Pragma("GCC unroll 2") FOR_EACH_VECTOR
#define FOR_EACH_VECTOR_BY_FOURS _Pragma("GCC unroll 4") FOR_EACH_VECTOR

/* Enough for stages of little state. */
#define VF_STAGED_VECTORS (128 / VF_LANES)

/* How many whole vectors of the elements i..end-1 go through the stages next, where there is room for `most`. */
VF_INLINE size_t vf_staged_vectors(size_t i, size_t end, size_t most)
{
    size_t whole = (end - i) / VF_LANES;
    return whole < most ? whole : most;
}

/* The loop of a kernel in stages over begin..end-1 of arrays, one of them `written`: `block` for up to `most` whole
   vectors at a time, from i on, and `rest` for the n elements from i on that come before the first line, or are less
   than a vector at the end. */
#define VF_STAGED_AND_REST(begin, end, most, written, block, rest)                                                     \
    do {                                                                                                               \
        size_t i = begin;                                                                                              \
        for (size_t before_ = vf_lanes_before_line(written, begin, end, 2048); i < end; before_ = 0) {                 \
            for (size_t vectors; before_ == 0 && (vectors = vf_staged_vectors(i, end, most)) > 0;                      \
                 i += vectors * VF_LANES) {                                                                            \
                block;                                                                                                 \
            }                                                                                                          \
            const size_t n = before_ > 0 ? before_ : end - i;                                                          \
            if (n > 0) {                                                                                               \
                rest;                                                                                                  \
                i += n;                                                                                                \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

/* The same with one statement for both: of `vectors` vectors that have n elements each. */
#define VF_STAGED(begin, end, most, written, block)                                                                    \
    VF_STAGED_AND_REST(                                                                                                \
        begin, end, most, written,                                                                                     \
        {                                                                                                              \
            const size_t n = VF_LANES;                                                                                 \
            block;                                                                                                     \
        },                                                                                                             \
        {                                                                                                              \
            const size_t vectors = 1;                                                                                  \
            block;                                                                                                     \
        })

#endif
