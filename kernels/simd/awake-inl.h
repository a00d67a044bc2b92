/* Flags of what is awake: a byte for each element, 0 for one that rests. */
#ifndef GYRE_SIMD_AWAKE_H
#define GYRE_SIMD_AWAKE_H

#include "simd/loops-inl.h"

/* Flags are looked at in chunks of this many. */
#define AWAKE_CHUNK ((size_t)64)

/* Whether any of 64 flags is not 0. */
VF_INLINE bool is_any_awake(const uint8_t *awake)
{
    vi joined = vi_set1(0), flags;
    for (size_t k = 0; k < AWAKE_CHUNK; k += sizeof flags) {
        memcpy(&flags, awake + k, sizeof flags);
        joined = vi_or(joined, flags);
    }
    return !vm_all(vi_eq(joined, vi_set1(0)));
}

/* The first element from i on, at the beginning of a chunk, whose chunk has a flag that is not 0 (`wanted`) or has
   none; `end` if there is no such chunk. Chunks are counted from i; the last one may be shorter. */
VF_INLINE size_t next_chunk(const uint8_t *awake, size_t i, size_t end, bool wanted)
{
    for (; end - i >= AWAKE_CHUNK; i += AWAKE_CHUNK) {
        if (is_any_awake(awake + i) == wanted) {
            return i;
        }
    }
    uint8_t last[AWAKE_CHUNK] = {0};
    memcpy(last, awake + i, end - i);
    return i < end && is_any_awake(last) == wanted ? i : end;
}

/* Elements begin..end-1. */
typedef struct awake_run {
    size_t begin, end;
} awake_run;

/* The next elements of begin..end-1 that a kernel has to look at: chunks in a row that have a flag that is not 0.
   Empty, at `end`, where all that is left sleeps:

       for (awake_run run = next_awake_run(awake, begin, end); run.begin < run.end;
            run = next_awake_run(awake, run.end, end)) */
VF_INLINE awake_run next_awake_run(const uint8_t *awake, size_t begin, size_t end)
{
    const size_t first = next_chunk(awake, begin, end, true);
    return (awake_run){first, next_chunk(awake, first, end, false)};
}

/* True where a flag is not 0; false beyond the n flags. */
VF_INLINE vm vm_load_awake(const uint8_t *awake, size_t n)
{
    if (n == VF_LANES) {
        return vm_load_bytes(awake);
    }
    uint8_t padded[GYRE_LANES] = {0};
    memcpy(padded, awake, n);
    return vm_load_bytes(padded);
}

#endif
