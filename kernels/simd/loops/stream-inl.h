/* A kernel with little arithmetic between loads and stores. Included once for each kernel, with

       LOOP                     its name, the prefix of the names below; the loop is LOOP_loop
       LOOP_ARRAYS, LOOP_CALL   the types of the caller's arrays and of its other arguments
       LOOP_SETS(SET)           sets of features with a separate loop each, SET(name, always, maybe, shape): small
                                sets first and one with everything last. In its loop all features outside `always` and
                                `maybe` are known to be absent. The shapes are below: stream, vectors, parts
       LOOP_FEW_SETS(SET)       sets for fewer elements than a vector, SET(name, always, maybe)
       LOOP_WRITTEN(arrays)     an array that is stored, for alignment
       LOOP_FLAGS(arrays, has)  NULL, or flags, 0 for skipped elements; may be left out
       LOOP_COMPLETED(arrays, has)
                                the arrays, with others in place of missing ones, so that whole vectors are loaded
                                without checks; may be left out

   and these, which the loop inlines. `has` are the features of a call, as bits.

       LOOP_shared LOOP_prepare(const LOOP_ARRAYS *, const LOOP_CALL *, has)    values shared by all elements
       LOOP_input LOOP_load(const LOOP_ARRAYS *, const LOOP_shared *, has, i, n)
                                                                                the n elements at i
       LOOP_state LOOP_step(const LOOP_shared *, has, LOOP_input)               the kernel: a pure function
       void LOOP_store(const LOOP_ARRAYS *, const LOOP_shared *, has, LOOP_input, LOOP_state, i, n)
       void LOOP_prefetch(const LOOP_ARRAYS *, has, i)                          the block at i of every array

   The loop copies arrays and `shared` to variables whose address is passed to no other function, so they stay in
   registers. Each set has a separate function, because one that needs more registers would slow down the others. */
#include "simd/loops/parameters-inl.h"
#ifndef LOOP_FEW_SETS
#error "define LOOP_FEW_SETS"
#endif

/* Processes the n elements at i: a vector, or fewer. */
VF_INLINE void LOOP_NAME(part)(const LOOP_ARRAYS *arrays, const LOOP_NAME(shared) *shared, unsigned has, size_t i,
                               size_t n)
{
    const LOOP_NAME(input) in = LOOP_NAME(load)(arrays, shared, has, i, n);
    LOOP_NAME(store)(arrays, shared, has, in, LOOP_NAME(step)(shared, has, in), i, n);
}

/* ---- Fewer elements than a vector ---- */

#define LOOP_FUNCTION(name, always, maybe)                                                                             \
    VF_SHARED void LOOP_NAME(few_##name)(const LOOP_ARRAYS *arrays, const LOOP_CALL *call, unsigned all, size_t begin, \
                                         size_t end)                                                                   \
    {                                                                                                                  \
        const unsigned has = (always) | (all & (maybe));                                                               \
        const LOOP_NAME(shared) shared = LOOP_NAME(prepare)(arrays, call, has);                                        \
        LOOP_NAME(part)(arrays, &shared, has, begin, end - begin);                                                     \
    }
LOOP_FEW_SETS(LOOP_FUNCTION)
#undef LOOP_FUNCTION

#define LOOP_FEW_CASE(name, always, maybe)                                                                             \
    if ((has & ~(unsigned)(maybe)) == (always)) {                                                                      \
        LOOP_NAME(few_##name)(arrays, call, has, begin, end);                                                          \
        return;                                                                                                        \
    }
VF_INLINE void LOOP_NAME(few)(const LOOP_ARRAYS *arrays, const LOOP_CALL *call, unsigned has, size_t begin, size_t end)
{
    LOOP_FEW_SETS(LOOP_FEW_CASE)
}
#undef LOOP_FEW_CASE

/* ---- The shapes ---- */

/* Shared by the vectors of a call, and its sources. */
typedef struct LOOP_NAME(context) {
    LOOP_ARRAYS arrays;
    LOOP_NAME(shared) shared;
    const LOOP_ARRAYS *in_memory;
    const LOOP_CALL *call;
} LOOP_NAME(context);

/* Processes the block at i: all loads come before the stores. */
VF_INLINE void LOOP_NAME(block)(const LOOP_ARRAYS *arrays, const LOOP_NAME(shared) *shared, unsigned has, size_t i)
{
    LOOP_NAME(input) in[VF_BLOCK_VECTORS];
    for (size_t k = 0; k < VF_BLOCK_VECTORS; k++) {
        in[k] = LOOP_NAME(load)(arrays, shared, has, i + k * VF_LANES, VF_LANES);
    }
    for (size_t k = 0; k < VF_BLOCK_VECTORS; k++) {
        LOOP_NAME(store)(arrays, shared, has, in[k], LOOP_NAME(step)(shared, has, in[k]), i + k * VF_LANES, VF_LANES);
    }
}

/* At least VF_LANES elements. If the range does not begin at a cache line, or whole vectors leave elements over, the
   first or the last vector overlaps its neighbour. It is loaded before anything is stored, so the elements stored twice
   get the same bits both times. Copying a vector out and back in parts would take six times as long
   (bench/notes/loops.md). */
VF_INLINE void LOOP_NAME(stream)(const LOOP_NAME(context) *c, unsigned has, size_t begin, size_t end)
{
    const LOOP_ARRAYS *arrays = &c->arrays;
    const LOOP_NAME(shared) *shared = &c->shared;
    const size_t before = vf_lanes_before_line(LOOP_WRITTEN(arrays), begin, end, 512);
    size_t i = begin + before;
    const size_t prefetch_end = vf_prefetch_end(i, end, arrays->count);
    const LOOP_NAME(input) first = LOOP_NAME(load)(arrays, shared, has, begin, VF_LANES),
                           last = LOOP_NAME(load)(arrays, shared, has, end - VF_LANES, VF_LANES);
    for (; i < prefetch_end; i += VF_BLOCK) {
        LOOP_NAME(prefetch)(arrays, has, i + VF_PREFETCH_DISTANCE);
        LOOP_NAME(block)(arrays, shared, has, i);
    }
    for (; end - i >= VF_BLOCK; i += VF_BLOCK) {
        LOOP_NAME(block)(arrays, shared, has, i);
    }
    for (; end - i >= VF_LANES; i += VF_LANES) {
        LOOP_NAME(part)(arrays, shared, has, i, VF_LANES);
    }
    if (i < end) {
        LOOP_NAME(store)(arrays, shared, has, last, LOOP_NAME(step)(shared, has, last), end - VF_LANES, VF_LANES);
    }
    if (before > 0) {
        LOOP_NAME(store)(arrays, shared, has, first, LOOP_NAME(step)(shared, has, first), begin, VF_LANES);
    }
}

/* One vector after another, for steps that fill the registers with one. */
VF_INLINE void LOOP_NAME(vectors)(const LOOP_NAME(context) *c, unsigned has, size_t begin, size_t end)
{
    const size_t before = vf_lanes_before_line(LOOP_WRITTEN((&c->arrays)), begin, end, 512);
    if (before > 0) {
        LOOP_NAME(few)(c->in_memory, c->call, has, begin, begin + before);
    }
    size_t i = begin + before;
    for (const size_t prefetch_end = vf_prefetch_end(i, end, c->arrays.count); i < prefetch_end;) {
        LOOP_NAME(prefetch)(&c->arrays, has, i + VF_PREFETCH_DISTANCE);
#pragma GCC unroll 1
        for (const size_t block_end = i + VF_BLOCK; i < block_end; i += VF_LANES) {
            LOOP_NAME(part)(&c->arrays, &c->shared, has, i, VF_LANES);
        }
    }
    for (; end - i >= VF_LANES; i += VF_LANES) {
        LOOP_NAME(part)(&c->arrays, &c->shared, has, i, VF_LANES);
    }
    if (i < end) {
        LOOP_NAME(few)(c->in_memory, c->call, has, i, end);
    }
}

/* The smallest code, for rare cases. */
VF_INLINE void LOOP_NAME(parts)(const LOOP_NAME(context) *c, unsigned has, size_t begin, size_t end)
{
    for (size_t i = begin, n; i < end; i += n) {
        n = vf_lanes_left(i, end);
        LOOP_NAME(few)(&c->arrays, c->call, has, i, i + n);
    }
}

/* ---- The loop ---- */

#define LOOP_BEGIN                                                                                                     \
    const LOOP_NAME(context) context = {LOOP_COMPLETED(arrays, has), LOOP_NAME(prepare)(arrays, call, has), arrays,    \
                                        call};
#define LOOP_RUN(shape, begin, end) LOOP_NAME(shape)(&context, has, begin, end)
#define LOOP_FEW(begin, end)                                                                                           \
    if (end - begin < VF_LANES && LOOP_FLAGS(arrays, has) == NULL) {                                                   \
        LOOP_NAME(few)(arrays, call, has, begin, end);                                                                 \
        return;                                                                                                        \
    }
#include "simd/loops/sets-inl.h"
#undef LOOP_FEW_SETS
