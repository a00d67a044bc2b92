/* gyre_interpolate: between two states, for rendering at a fraction of a step. */
#ifndef GYRE_ARRAYS_INTERPOLATE_H
#define GYRE_ARRAYS_INTERPOLATE_H

#include "common/kernel-inl.h"

/* near + s (far - near) with s <= 1/2: computed from the nearer end, so that the result is between both in any
   rounding. */
typedef struct interpolate_arrays {
    const float *near, *far;
    float *out;
    size_t count;
} interpolate_arrays;

typedef struct interpolate_shared {
    vf twice_s;
    bool copies; /* s = 0: ignores the value of far */
} interpolate_shared;

typedef struct interpolate_input {
    vf near, far;
} interpolate_input;

typedef vf interpolate_state;

VF_INLINE interpolate_shared interpolate_prepare(const interpolate_arrays *arrays, const float *s, unsigned has)
{
    (void)arrays, (void)has;
    return (interpolate_shared){vf_set1(2 * *s), *s == 0};
}

VF_INLINE interpolate_input interpolate_load(const interpolate_arrays *arrays, const interpolate_shared *shared,
                                             unsigned has, size_t i, size_t n)
{
    (void)shared, (void)has;
    return (interpolate_input){vf_load_n(arrays->near + i, n), vf_load_n(arrays->far + i, n)};
}

/* In halves, so that the difference cannot overflow: twice s is exact. */
VF_INLINE vf interpolate_step(const interpolate_shared *shared, unsigned has, interpolate_input in)
{
    (void)has;
    const vf half = vf_set1(0.5f), half_difference = vf_sub(vf_mul(half, in.far), vf_mul(half, in.near));
    return shared->copies ? in.near : vf_mul_add(shared->twice_s, half_difference, in.near);
}

VF_INLINE void interpolate_store(const interpolate_arrays *arrays, const interpolate_shared *shared, unsigned has,
                                 interpolate_input in, vf state, size_t i, size_t n)
{
    (void)shared, (void)has, (void)in;
    vf_store_n(arrays->out + i, state, n);
}

VF_INLINE void interpolate_prefetch(const interpolate_arrays *arrays, unsigned has, size_t i)
{
    (void)has;
    vf_prefetch_block(arrays->near + i);
    vf_prefetch_block(arrays->far + i);
    vf_prefetch_block(arrays->out + i);
}

#define INTERPOLATE_SETS(SET) SET(all, 0, 0, stream)
#define INTERPOLATE_FEW_SETS(SET) SET(all, 0, 0)
#define LOOP interpolate
#define LOOP_ARRAYS interpolate_arrays
#define LOOP_CALL float
#define LOOP_SETS INTERPOLATE_SETS
#define LOOP_FEW_SETS INTERPOLATE_FEW_SETS
#define LOOP_WRITTEN(arrays) arrays->out
#include "simd/loops/stream-inl.h"

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
    const interpolate_arrays arrays = {from_before ? before : now, from_before ? now : before, out, end};
    interpolate_loop(&arrays, &s, 0, begin, end);
    return GYRE_OK;
}

#endif
