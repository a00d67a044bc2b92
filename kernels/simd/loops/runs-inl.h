/* Finds the runs of elements that a kernel must process, by flags: a byte for each element, 0 for one that is
   asleep. */
#ifndef GYRE_SIMD_LOOPS_RUNS_H
#define GYRE_SIMD_LOOPS_RUNS_H

#include "simd/vf-inl.h"

/* Flags are checked in chunks of this many. */
#define VF_FLAGS ((size_t)64)

/* Whether any of 64 flags is not 0. */
VF_INLINE bool vf_any_flag(const uint8_t *flags)
{
    vi joined = vi_set1(0), some;
    for (size_t k = 0; k < VF_FLAGS; k += sizeof some) {
        memcpy(&some, flags + k, sizeof some);
        joined = vi_or(joined, some);
    }
    return !vm_all(vi_eq(joined, vi_set1(0)));
}

/* The first element from i on, at the start of a chunk, whose chunk has a nonzero flag (`wanted`) or has none; `end` if
   there is no such chunk. Chunks are counted from i; the last one may be shorter. */
VF_INLINE size_t vf_next_flags(const uint8_t *flags, size_t i, size_t end, bool wanted)
{
    for (; end - i >= VF_FLAGS; i += VF_FLAGS) {
        if (vf_any_flag(flags + i) == wanted) {
            return i;
        }
    }
    if (i == end) {
        return end;
    }
    uint8_t last[VF_FLAGS] = {0};
    memcpy(last, flags + i, end - i);
    return vf_any_flag(last) == wanted ? i : end;
}

/* Elements begin..end-1. */
typedef struct vf_run {
    size_t begin, end;
} vf_run;

/* The first elements of begin..end-1 that a kernel has to process: consecutive chunks that have a nonzero flag. Empty
   if all sleep. All elements if flags is NULL. */
VF_INLINE vf_run vf_first_run(const uint8_t *flags, size_t begin, size_t end)
{
    if (flags == NULL) {
        return (vf_run){begin, end};
    }
    const size_t first = vf_next_flags(flags, begin, end, true);
    return (vf_run){first, vf_next_flags(flags, first, end, false)};
}

/* Finds the next run after *run and stores it there; false if there is none:

       vf_run run = vf_first_run(flags, begin, end);
       do { ... } while (vf_find_run(flags, &run, end)); */
VF_INLINE bool vf_find_run(const uint8_t *flags, vf_run *run, size_t end)
{
    if (flags == NULL || run->end == end) {
        return false;
    }
    *run = vf_first_run(flags, run->end, end);
    return run->begin < run->end;
}

#endif
