/* What programs need around the kernels, over arrays. Part of Gyre: see gyre.h for what holds of every function. */
#ifndef GYRE_ARRAYS_H
#define GYRE_ARRAYS_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies floats out of an array of structures into arrays of floats: component c of element i to to[c][i].

   from          the first of the floats in structure 0, aligned as a float is
   stride_bytes  from a structure to the next: a multiple of 4, at least 4 components
   components    1 to 16 floats, one behind the other
   to            components arrays of at least `end` floats
   begin, end    elements begin..end-1 are copied, others are not touched. An empty range needs no arrays.

   Returns  GYRE_OK
            GYRE_ERROR_NULL    from, to or one of its arrays is NULL
            GYRE_ERROR_RANGE   begin > end
            GYRE_ERROR_VALUE   components is 0 or above 16, or such a stride is not allowed
   Threads  may gather disjoint ranges at once. Of fewer than four components up to 12 bytes behind those of an element
            may be read, and nothing behind the last component of element end - 1.
   Aliasing the arrays must not overlap.
   Error    none: bits are copied, those of NaN too.
   Cost     that of memory. Three floats at a stride of 48 bytes with AVX2, in cache: 0.7 ns per element, half the time
            of a compiled loop. */
GYRE_API gyre_status gyre_gather(const void *from, size_t stride_bytes, size_t components, float *const to[],
                                 size_t begin, size_t end);

/* Copies arrays of floats back into an array of structures: from[c][i] to component c of element i. Bytes between the
   components of two elements are never written, not even with what they hold: other threads may write them meanwhile.

   Parameters, results and rules are those of gyre_gather with the directions exchanged.
   Cost     that of memory. Three floats at a stride of 48 bytes with AVX2, in cache: 1.1 ns per element, two thirds of
            the time of a compiled loop. */
GYRE_API gyre_status gyre_scatter(float *const from[], size_t components, void *to, size_t stride_bytes, size_t begin,
                                  size_t end);

/* States between those before and after a step, for rendering at part of it: before + part (now - before).

   before, now  count floats each
   part         in [0, 1]. 0 copies before and 1 copies now, whatever the other holds, NaN and infinities too.
   out          count floats
   begin, end   elements begin..end-1 are written, others are not touched. An empty range needs no arrays.

   Returns  GYRE_OK
            GYRE_ERROR_NULL    before, now or out is NULL
            GYRE_ERROR_RANGE   begin > end
            GYRE_ERROR_VALUE   part is NaN or outside [0, 1]
            Where before or now is NaN or infinite, and part is neither 0 nor 1, the result is NaN or infinite.
   Threads  may write disjoint ranges of the same arrays at once.
   Aliasing out may be before or now. Otherwise the arrays must not overlap.
   Error    2^-24 of |now - before| and 2^-24 of the result, and 2^-148. The result is never outside of the two, and is
            theirs where they are equal. No difference overflows.
   Cost     that of memory: in cache 0.15 ns per element with 8 lanes. */
GYRE_API gyre_status gyre_interpolate(const float *before, const float *now, float part, float *out, size_t begin,
                                      size_t end);

/* Shortens vectors to a length: a greatest speed, force or distance. Limiting components one by one would let vectors
   be longer in some directions than in others.

   v           components arrays of count floats, in and out
   components  1 to 4
   longest     >= 0; 0 makes every vector 0, INFINITY none shorter
   begin, end  vectors begin..end-1 are limited, others are not touched. An empty range needs no arrays.

   Returns  GYRE_OK
            GYRE_ERROR_NULL    v or one of its arrays is NULL
            GYRE_ERROR_RANGE   begin > end
            GYRE_ERROR_VALUE   components is 0 or above 4; longest is NaN or negative
            A vector with a component that is NaN or infinite becomes NaN in all components.
   Threads  may limit disjoint ranges of the same arrays at once.
   Aliasing the arrays must not overlap.
   Error    A vector that is not longer than longest keeps its bits, and so may one that is longer by up to 2^-24 of it.
            Any other has a length within 1.001 2^-24 of longest, and each component is within 0.5001 ulp of the exact
            one, so that a limited vector keeps its bits when it is limited again (for longest of at least 2^-100).
            Squares do not overflow or underflow: they are in double.
   Cost     with three components and 8 lanes 0.7 ns per vector. Where nothing is too long nothing is written. */
GYRE_API gyre_status gyre_limit_length(float *const v[], size_t components, float longest, size_t begin, size_t end);

/* Lists what is awake, for work on few elements of many: compaction, events, rendering.

   awake       count flags, as the steps write them
   indices     receives i, ascending, for each i in begin..end-1 whose flag is not 0; room for end - begin of them
   found       receives how many there are
   begin, end  an empty range needs no arrays, and finds 0

   Returns  GYRE_OK
            GYRE_ERROR_NULL    awake, indices or found is NULL
            GYRE_ERROR_RANGE   begin > end, or end > 2^32
   Threads  may look at any ranges at once, each with indices and found of its own.
   Aliasing the arrays must not overlap.
   Cost     64 flags at a time: with 8 lanes 0.02 ns per element where all sleep, 0.6 ns where all are awake. */
GYRE_API gyre_status gyre_find_awake(const uint8_t *awake, uint32_t *indices, size_t *found, size_t begin, size_t end);

/* Turns targets of angles, or of anything else with a period, to their nearest equals: each target moves by whole
   periods to within half a period of its position. Call it once where targets change, and step the springs without a
   period (0): they then go the short way, and a fast one may swing beyond half a period and come back. With a period
   each step decides anew which way is short, so that the frame rate decides where such a spring ends.

   target      count floats, in and out
   position    count floats, in the same unit
   period      > 0, in that unit: 360, or 2 pi as a float
   begin, end  elements begin..end-1 are turned, others are not touched. An empty range needs no arrays.

   Returns  GYRE_OK
            GYRE_ERROR_NULL    target or position is NULL
            GYRE_ERROR_RANGE   begin > end
            GYRE_ERROR_VALUE   period is NaN, infinite, 0 or negative
            A target or a position that is NaN or infinite makes that target NaN.
   Threads  may turn disjoint ranges of the same arrays at once.
   Aliasing the arrays must not overlap.
   Error    0.5001 ulp of the exact target minus whole periods. A target within half a period already keeps its bits. At
            half a period, to within 2^-28 of a period, either side may be taken. From 2^23 periods between position
            and target on a float does not determine the phase: the target becomes the position.
   Cost     that of a division in double: about 1 ns per element with 8 lanes. */
GYRE_API gyre_status gyre_turn_targets(float *target, const float *position, float period, size_t begin, size_t end);

/* A hash of states, for lockstep, rollback and replays. Where two machines' hashes differ, their states differ; where
   the hashes are equal, so are the states, but for the odds under Error.

   arrays      components arrays of count floats: all that a state consists of, in an order of the caller's
   components  any number
   hash        receives the hash; what it held before is of no effect
   begin, end  elements begin..end-1. An empty range needs no arrays: 0.

   The hash is a sum modulo 2^64 over elements and components, each float mixed with its index and its component. So
   the hashes of slices add up to that of the whole, in any order: sum += slice, with uint64_t. All NaNs count as one;
   0 and -0 differ, as the next step may make different bits of them.

   Returns  GYRE_OK
            GYRE_ERROR_NULL    hash, arrays or one of the arrays is NULL
            GYRE_ERROR_RANGE   begin > end
   Threads  may hash any ranges at once, each into a hash of its own.
   Error    A single float that changes always changes the hash. For any other change, such as two elements or two
            components exchanged, the odds that it goes unseen are 2^-64. Good against faults, not against an attacker
            who chooses the floats.
   Cost     with 8 lanes 0.5 ns per float. The same hash on every table, architecture and version 0.1.x. */
GYRE_API gyre_status gyre_hash(float *const arrays[], size_t components, uint64_t *hash, size_t begin, size_t end);

/* A hash of bytes, for the flags of what is awake: states whose floats are equal go on to differ where these do, for a
   step with skip_asleep reads them.

   bytes       count bytes; flags that are not 0 differ where the bytes do
   hash        receives the hash; what it held before is of no effect
   begin, end  elements begin..end-1. An empty range needs no array: 0.

   Sums of slices, threads and errors are as for gyre_hash. It may be added to the gyre_hash of the same elements: no byte
   is mixed as a float is.

   Returns  GYRE_OK
            GYRE_ERROR_NULL    hash or bytes is NULL
            GYRE_ERROR_RANGE   begin > end
   Error    as for gyre_hash: a single byte that changes always changes the hash
   Cost     with 8 lanes 0.5 ns per byte. The same hash on every table, architecture and version 0.1.x. */
GYRE_API gyre_status gyre_hash_bytes(const uint8_t *bytes, uint64_t *hash, size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
