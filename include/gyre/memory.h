/* What programs need around the kernels, over arrays. Part of Gyre: see gyre.h for what holds of every function. */
#ifndef GYRE_MEMORY_H
#define GYRE_MEMORY_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
