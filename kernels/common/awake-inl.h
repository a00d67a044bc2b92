/* What `awake` and `skip_asleep` of a batch mean. `awake` has a byte for each element, which a step writes: 1 where a
   value that it stored, low parts included, compares unequal to the value that it read, or is NaN, else 0. So whatever
   has to be drawn after a step is awake. A step of no time changes nothing; it writes 1 where the state is unsettled,
   that is, where a step of some time would have something to do. With `skip_asleep` the step reads the byte first: an
   element whose byte is 0 keeps its bits and stays asleep, until the caller writes its byte. */
#ifndef GYRE_COMMON_AWAKE_H
#define GYRE_COMMON_AWAKE_H

#include "simd/vf-inl.h"

/* The elements that are awake after a step that changed the values of `changed`. */
VF_INLINE vm awake_after(bool skips, vm before, vm changed) { return skips ? vm_and(changed, before) : changed; }

#if GYRE_LANES > 1
static inline bool is_awake_missing(bool skips, const uint8_t *awake) { return skips && awake == NULL; }

/* The flags by which a step skips elements; NULL if it skips none. */
VF_INLINE const uint8_t *awake_flags(bool skips, const uint8_t *awake) { return skips ? awake : NULL; }

/* Which of the n elements at i a step does not skip. */
VF_INLINE vm awake_load_n(bool skips, const uint8_t *awake, size_t i, size_t n)
{
    return skips ? vm_load_bytes_n(awake + i, n) : vm_first(VF_LANES);
}
#endif

#endif
