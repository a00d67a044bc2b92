/* Array utilities: gather and scatter, interpolation, limits, what is awake, targets of angles, hashes. Part of Gyre:
   see gyre.h for what holds for all functions, and arrays-reference.md for statuses, full error bounds and reasons.

   Only elements begin..end-1 are read or written. Arrays have at least `end` elements and must not overlap. An empty
   range needs no arrays. Threads may work on disjoint ranges of the same arrays at once. */
#ifndef GYRE_ARRAYS_H
#define GYRE_ARRAYS_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- gyre_gather and gyre_scatter ----

   Component c of structure i is element i of array c. Bits are copied, those of NaNs too.

   from, to      the first of the floats in structure 0, aligned as a float is; and `components` arrays of floats
   stride_bytes  from one structure to the next: a multiple of 4, at least 4 * components
   components    1 to 16 contiguous floats of each structure

   Cost  that of memory. Three floats at a stride of 48 bytes, in cache with AVX2: 0.7 ns per element to gather, 1.1 ns
         to scatter. */

/* Copies floats out of an array of structures into arrays of floats.
   With fewer than 4 components, up to 12 bytes after those of an element may be read as well, but nothing after the
   last component of element end - 1. */
GYRE_API gyre_status gyre_gather(const void *from, size_t stride_bytes, size_t components, float *const to[],
                                 size_t begin, size_t end);

/* Copies arrays of floats into an array of structures.
   Bytes between the components of two elements are never written, so other threads may write them meanwhile. */
GYRE_API gyre_status gyre_scatter(float *const from[], size_t components, void *to, size_t stride_bytes, size_t begin,
                                  size_t end);

/* Interpolates between the states before and after a step, for rendering at part of the step.
   The result is before + part (now - before), and never lies outside the two.

   part   in [0, 1]. 0 copies before and 1 copies now, NaN and infinity included.
   out    may be before or now

   Error  2^-24 |now - before| + 2^-24 |result| + 2^-148
   Cost   that of memory; in cache 0.15 ns per element with 8 lanes */
GYRE_API gyre_status gyre_interpolate(const float *before, const float *now, float part, float *out, size_t begin,
                                      size_t end);

/* Shortens vectors to at most a given length, such as a maximum speed, force or distance.
   A vector with a component that is NaN or infinite becomes NaN in all components.

   v        `components` arrays of floats, 1 to 4, changed in place
   longest  at least 0; INFINITY leaves all finite vectors unchanged

   Error    0.5001 ulp in each component. A length may exceed longest by little more than 2^-24 of it.
   Cost     with three components and 8 lanes 0.7 ns per vector. Where no vector is too long, nothing is written. */
GYRE_API gyre_status gyre_limit_length(float *const v[], size_t components, float longest, size_t begin, size_t end);

/* Lists the indices of awake elements in ascending order, for work on few elements of many.

   awake    flags, as the steps write them: 0 for an element that is asleep
   indices  receives each i in begin..end-1 whose flag is not 0; room for end - begin of them
   found    receives how many there are, 0 for an empty range

   Returns  GYRE_ERROR_RANGE also if end > 2^32
   Cost     with 8 lanes 0.02 ns per element where all are asleep, 0.6 ns where all are awake */
GYRE_API gyre_status gyre_find_awake(const uint8_t *awake, uint32_t *indices, size_t *found, size_t begin, size_t end);

/* Moves targets of angles (or of anything else periodic) by whole periods to within half a period of their positions.
   Call it once where targets change, and then step the springs without a period (0), so that a fast one may swing
   beyond half a period and come back. Where target or position is NaN or infinite, the target becomes NaN.

   target, position  in the same unit; targets are changed in place
   period            finite and above 0, in that unit: 360, or 2 pi as a float

   Error  0.5001 ulp (arrays-reference.md); at 2^23 periods apart or more, the target becomes the position
   Cost   about 1 ns per element with 8 lanes */
GYRE_API gyre_status gyre_turn_targets(float *target, const float *position, float period, size_t begin, size_t end);

/* ---- Hashes, for lockstep, rollback and replays ----

   If two hashes differ, the states differ. A change of a single float or byte always changes the hash. Any other
   change goes unseen with odds of 2^-64, unless an attacker chooses the values. The hashes of slices add up to the
   hash of the whole, in any order: sum += slice, with uint64_t. A hash is the same on every table and architecture and
   in every version 0.1.x.

   hash  receives the hash, 0 for an empty range

   Cost  0.5 ns per float or byte with 8 lanes */

/* Hashes the floats of a state, to compare states in lockstep, rollback and replays.
   All NaNs hash alike; 0 and -0 differ.

   arrays  `components` arrays, any number: all that the state consists of, in an order that you choose */
GYRE_API gyre_status gyre_hash(float *const arrays[], size_t components, uint64_t *hash, size_t begin, size_t end);

/* Hashes bytes, such as the flags of what is awake. Steps with skip_asleep read these flags, so they belong to the
   state. The hash may be added to the gyre_hash of the same elements. Two flags that are not 0 but differ hash
   differently. */
GYRE_API gyre_status gyre_hash_bytes(const uint8_t *bytes, uint64_t *hash, size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
