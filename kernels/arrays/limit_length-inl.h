/* gyre_limit_length: vectors no longer than a limit. */
#ifndef GYRE_ARRAYS_LIMIT_LENGTH_H
#define GYRE_ARRAYS_LIMIT_LENGTH_H

#include "common/kernel-inl.h"
#include "simd/vd-inl.h"

/* Half a vector of |v|^2, in double, which holds the square of every float exactly. NaN where a component is NaN or
   infinite. */
VF_INLINE vd square_of_half(const vf *v, size_t components, int part)
{
    vd sum = vd_set1(0);
    for (size_t c = 0; c < components; c++) {
        const vd x = vd_from_half(v[c], part);
        sum = vd_mul_add(x, x, sum);
    }
    return vd_add(sum, vd_sub(sum, sum));
}

typedef struct length_limit {
    vd longest, square; /* the largest square that is not shortened */
} length_limit;

/* The n vectors at i: v longest / |v| where |v| is longer. Unchanged vectors are not written. */
VF_INLINE void limit_vectors(float *const v[], size_t components, const length_limit *limit, size_t i, size_t n)
{
    vf x[4];
    for (size_t c = 0; c < components; c++) {
        x[c] = vf_load_n(v[c] + i, n);
    }
    const vd square[2] = {square_of_half(x, components, 0), square_of_half(x, components, 1)}, one = vd_set1(1);
    const vm within = vf_eq(vf_from_halves(vd_zero_where(vd_le(square[0], limit->square), one),
                                           vd_zero_where(vd_le(square[1], limit->square), one)),
                            vf_set1(0));
    if (vm_all(within)) {
        return;
    }
    const vd factor[2] = {vd_div(limit->longest, vd_sqrt(square[0])), vd_div(limit->longest, vd_sqrt(square[1]))};
    for (size_t c = 0; c < components; c++) {
        const vf limited =
            vf_from_halves(vd_mul(factor[0], vd_from_half(x[c], 0)), vd_mul(factor[1], vd_from_half(x[c], 1)));
        vf_store_n(v[c] + i, vf_select(within, x[c], limited), n);
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
       shortened, or limiting it again would change it. */
    const double max_length = longest * (1 + 0x1p-24 + 0x1p-42);
    const length_limit limit = {vd_set1(longest), vd_set1(max_length * max_length)};
    switch (components) {
    case 1: limit_range(v, 1, &limit, begin, end); break;
    case 2: limit_range(v, 2, &limit, begin, end); break;
    case 3: limit_range(v, 3, &limit, begin, end); break;
    default: limit_range(v, 4, &limit, begin, end); break;
    }
    return GYRE_OK;
}

#endif
