/* gyre_limit_length: vectors no longer than a limit. */
#ifndef GYRE_ARRAYS_LIMIT_LENGTH_H
#define GYRE_ARRAYS_LIMIT_LENGTH_H

#include "common/kernel-inl.h"
#include "common/lengths-inl.h"

typedef struct length_limit {
    vfd longest, square; /* the largest square that is not shortened */
} length_limit;

/* The n vectors at i: v longest / |v| where |v| is longer. Unchanged vectors are not written. */
VF_INLINE void limit_vectors(float *const v[], size_t components, const length_limit *limit, size_t i, size_t n)
{
    vf x[4];
    vfd exact[4];
    for (size_t c = 0; c < components; c++) {
        x[c] = vf_load_n(v[c] + i, n);
        exact[c] = vfd_from_vf(x[c]);
    }
    const vfd square = vfd_length_square(exact, components);
    const vm within = vfd_mask_to_vm(vfd_le(square, limit->square));
    if (vm_all(within)) {
        return;
    }
    const vfd factor = vfd_div(limit->longest, vfd_sqrt(square));
    for (size_t c = 0; c < components; c++) {
        vf_store_n(v[c] + i, vf_select(within, x[c], vf_nearest(vfd_mul(factor, exact[c]))), n);
    }
}

VF_INLINE void limit_range(float *const v[], size_t components, const length_limit *limit, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += VF_LANES) {
        limit_vectors(v, components, limit, i, vf_lanes_left(i, end));
    }
}

GYRE_KERNEL_FUNCTION gyre_status limit_length(float *const v[], size_t components, float longest, size_t begin,
                                              size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (components == 0 || components > 4 || !(longest >= 0)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin < end && !none_is_null(v, components)) {
        return GYRE_ERROR_NULL;
    }
    /* Rounding a vector of length `longest` to floats makes it longer by up to 2^-24. A vector within that is not
       shortened; otherwise limiting it again would change it. */
    const double max_length = longest * (1 + 0x1p-24 + 0x1p-42);
    const length_limit limit = {vfd_set1(longest), vfd_set1(max_length * max_length)};
    switch (components) {
    case 1: limit_range(v, 1, &limit, begin, end); break;
    case 2: limit_range(v, 2, &limit, begin, end); break;
    case 3: limit_range(v, 3, &limit, begin, end); break;
    default: limit_range(v, 4, &limit, begin, end); break;
    }
    return GYRE_OK;
}

#endif
