/* gyre_find_awake: the indices of what is awake. */
#ifndef GYRE_MEMORY_FIND_AWAKE_H
#define GYRE_MEMORY_FIND_AWAKE_H

#include "simd/awake-inl.h"
#include "simd/kernel-inl.h"

/* Of the n elements at i; returns how many there are. */
VF_INLINE size_t find_in_vector(const uint8_t *awake, size_t i, size_t n, uint32_t *indices)
{
    size_t found = 0;
    for (unsigned left = vm_bits(vm_load_awake(awake + i, n)); left != 0; left &= left - 1) {
        indices[found++] = (uint32_t)(i + (size_t)__builtin_ctz(left));
    }
    return found;
}

/* Whether a uint32_t holds every index below `end`. */
VF_INLINE bool indices_fit(size_t end)
{
#if SIZE_MAX > UINT32_MAX
    return end <= (size_t)1 << 32;
#else
    (void)end;
    return true;
#endif
}

GYRE_KERNEL_FUNCTION gyre_status find_awake(const uint8_t *awake, uint32_t *indices, size_t *found, size_t begin,
                                            size_t end)
{
    if (begin > end || !indices_fit(end)) {
        return GYRE_ERROR_RANGE;
    }
    if (found == NULL || (begin < end && (awake == NULL || indices == NULL))) {
        return GYRE_ERROR_NULL;
    }
    size_t count = 0;
    for (awake_run run = next_awake_run(awake, begin, end); run.begin < run.end;
         run = next_awake_run(awake, run.end, end)) {
        for (size_t i = run.begin; i < run.end; i += VF_LANES) {
            count += find_in_vector(awake, i, vf_lanes_left(i, run.end), indices + count);
        }
    }
    *found = count;
    return GYRE_OK;
}

#endif
