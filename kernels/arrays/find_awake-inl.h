/* gyre_find_awake: the indices of awake elements. */
#ifndef GYRE_ARRAYS_FIND_AWAKE_H
#define GYRE_ARRAYS_FIND_AWAKE_H

#include "common/kernel-inl.h"
#include "simd/loops/parts-inl.h"

typedef struct awake_indices {
    const uint8_t *awake;
    uint32_t *indices;
    size_t *found;
} awake_indices;

VF_INLINE void find_awake_part(const void *context, size_t i, size_t n)
{
    const awake_indices *c = context;
    size_t found = *c->found;
    for (unsigned left = vm_bits(vm_load_bytes_n(c->awake + i, n)); left != 0; left &= left - 1) {
        c->indices[found++] = (uint32_t)(i + (size_t)__builtin_ctz(left));
    }
    *c->found = found;
}

/* Whether a uint32_t can hold every index below `end`. */
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
    const awake_indices context = {awake, indices, &count};
    if (begin < end) {
        vf_each_part(find_awake_part, &context, awake, begin, end);
    }
    *found = count;
    return GYRE_OK;
}

#endif
