/* A kernel in stages (simd/loops/stages-inl.h) with features and flags.

   Included once for each kernel, with

       LOOP                     its name, of which the names below are made; the loop is LOOP_loop
       LOOP_ARRAYS, LOOP_CALL   the types of its arrays, as the caller gives them, and of its other arguments
       LOOP_SETS(SET)           sets of features, SET(name, always, maybe, vectors), as in simd/loops/stream-inl.h, with
                                the number of vectors of a block
       LOOP_WRITTEN(shared, arrays), LOOP_FLAGS(arrays, has), LOOP_COMPLETED(arrays, has)
                                as there

   and these, which the loop inlines. `has` are the features of a call, as bits.

       LOOP_shared LOOP_prepare(const LOOP_ARRAYS *, const LOOP_CALL *, has)    what all elements share
       void LOOP_block(const LOOP_ARRAYS *, const LOOP_shared *, has, i, vectors, n)
                                                                                all stages of `vectors` whole vectors at
                                                                                i with n = VF_LANES, or of n elements
*/
#if !defined(LOOP) || !defined(LOOP_ARRAYS) || !defined(LOOP_CALL) || !defined(LOOP_SETS) || !defined(LOOP_WRITTEN)
#error "define what the comment above names"
#endif
#ifndef LOOP_FLAGS
#define LOOP_FLAGS(arrays, has) NULL
#endif
#ifndef LOOP_COMPLETED
#define LOOP_COMPLETED(arrays, has) *(arrays)
#endif

typedef struct LOOP_NAME(context) {
    LOOP_ARRAYS arrays;
    LOOP_NAME(shared) shared;
    unsigned has;
} LOOP_NAME(context);

VF_INLINE void LOOP_NAME(block_of)(const void *context, size_t i, size_t vectors, size_t n)
{
    const LOOP_NAME(context) *c = context;
    LOOP_NAME(block)(&c->arrays, &c->shared, c->has, i, vectors, n);
}

#define LOOP_FUNCTION(name, always, maybe, vectors)                                                                    \
    VF_SHARED void LOOP_NAME(loop_##name)(const LOOP_ARRAYS *in_memory, const LOOP_CALL *call, unsigned all,           \
                                          size_t begin, size_t end)                                                    \
    {                                                                                                                  \
        const unsigned has = (always) | (all & (maybe));                                                               \
        const uint8_t *flags = LOOP_FLAGS(in_memory, has);                                                             \
        vf_run run = vf_first_run(flags, begin, end);                                                                  \
        if (run.begin == run.end) {                                                                                    \
            return;                                                                                                    \
        }                                                                                                              \
        const LOOP_NAME(context) context = {LOOP_COMPLETED(in_memory, has),                                            \
                                            LOOP_NAME(prepare)(in_memory, call, has), has};                            \
        do {                                                                                                           \
            vf_staged_range(LOOP_NAME(block_of), &context, vectors,                                                    \
                            LOOP_WRITTEN((&context.shared), (&context.arrays)), run.begin, run.end);                   \
        } while (vf_find_run(flags, &run, end));                                                                       \
    }
LOOP_SETS(LOOP_FUNCTION)
#undef LOOP_FUNCTION

/* Elements begin..end-1, at least one. */
VF_INLINE void LOOP_NAME(loop)(const LOOP_ARRAYS *arrays, const LOOP_CALL *call, unsigned has, size_t begin, size_t end)
{
    LOOP_SETS(LOOP_CASE)
}

#undef LOOP
#undef LOOP_ARRAYS
#undef LOOP_CALL
#undef LOOP_SETS
#undef LOOP_WRITTEN
#undef LOOP_FLAGS
#undef LOOP_COMPLETED
