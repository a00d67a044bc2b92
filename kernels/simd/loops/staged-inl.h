/* A kernel in stages (simd/loops/stages-inl.h) with features and flags.

   Included once for each kernel, with

       LOOP                     its name, the prefix of the names below; the loop is LOOP_loop
       LOOP_ARRAYS, LOOP_CALL   the types of the caller's arrays and of its other arguments
       LOOP_SETS(SET)           sets of features, SET(name, always, maybe, vectors), as in simd/loops/stream-inl.h, with
                                the number of vectors of a block
       LOOP_WRITTEN(shared, arrays), LOOP_FLAGS(arrays, has), LOOP_COMPLETED(arrays, has)
                                as in stream-inl.h

   and these, which the loop inlines. `has` are the features of a call, as bits.

       LOOP_shared LOOP_prepare(const LOOP_ARRAYS *, const LOOP_CALL *, has)    values shared by all elements
       void LOOP_block(const LOOP_ARRAYS *, const LOOP_shared *, has, i, vectors, n)
                                                                                all stages of `vectors` whole vectors at
                                                                                i with n = VF_LANES, or of n elements
*/
#include "simd/loops/parameters-inl.h"

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

#define LOOP_BEGIN                                                                                                     \
    const LOOP_NAME(context) context = {LOOP_COMPLETED(arrays, has), LOOP_NAME(prepare)(arrays, call, has), has};
#define LOOP_RUN(vectors, begin, end)                                                                                  \
    vf_staged_range(LOOP_NAME(block_of), &context, vectors, LOOP_WRITTEN((&context.shared), (&context.arrays)), begin, \
                    end)
#include "simd/loops/sets-inl.h"
