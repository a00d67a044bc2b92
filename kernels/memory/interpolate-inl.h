/* gyre_interpolate: between two states, for rendering at part of a step. */
#ifndef GYRE_MEMORY_INTERPOLATE_H
#define GYRE_MEMORY_INTERPOLATE_H

#include "simd/kernel-inl.h"

/* near + s (far - near) with s <= 1/2: from the nearer end, so that the result lies between both, whatever rounds. */
typedef struct interpolation {
    const float *near, *far;
    float *out;
    vf twice_s;
    bool copies; /* s = 0: whatever far holds */
} interpolation;

/* By halves, lest the difference overflow: twice s is exact. */
VF_INLINE vf interpolated(const interpolation *p, vf near, vf far)
{
    const vf half = vf_set1(0.5f), half_difference = vf_sub(vf_mul(half, far), vf_mul(half, near));
    return p->copies ? near : vf_mul_add(p->twice_s, half_difference, near);
}

VF_INLINE void interpolate_load(const void *context, size_t i, vf state[VF_STREAM_STATE])
{
    const interpolation *p = context;
    state[0] = vf_load(p->near + i);
    state[1] = vf_load(p->far + i);
}

VF_INLINE void interpolate_store(const void *context, size_t i, const vf state[VF_STREAM_STATE])
{
    const interpolation *p = context;
    vf_store(p->out + i, interpolated(p, state[0], state[1]));
}

VF_INLINE void interpolate_prefetch(const void *context, size_t i)
{
    const interpolation *p = context;
    vf_prefetch_block(p->near + i);
    vf_prefetch_block(p->far + i);
    vf_prefetch_block(p->out + i);
}

GYRE_KERNEL_FUNCTION gyre_status interpolate(const float *before, const float *now, float part, float *out,
                                             size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (!(0 <= part && part <= 1)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    if (before == NULL || now == NULL || out == NULL) {
        return GYRE_ERROR_NULL;
    }
    const bool from_before = part <= 0.5f;
    const float s = from_before ? part : 1 - part;
    const interpolation p = {from_before ? before : now, from_before ? now : before, out, vf_set1(2 * s), s == 0};
    if (end - begin < VF_LANES) {
        const size_t n = end - begin;
        vf_store_n(out + begin, interpolated(&p, vf_load_n(p.near + begin, n), vf_load_n(p.far + begin, n)), n);
        return GYRE_OK;
    }
    const vf_stream stream = {interpolate_load, interpolate_store, interpolate_prefetch};
    vf_stream_range(stream, &p, out, begin, end, end);
    return GYRE_OK;
}

#endif
