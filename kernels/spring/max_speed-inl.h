/* gyre_limit_targets: targets for a greatest speed. */
#ifndef GYRE_SPRING_MAX_SPEED_H
#define GYRE_SPRING_MAX_SPEED_H

#include "common/kernel-inl.h"
#include "scalar/elementary.h"
#include "spring/max_speed_step-inl.h"

typedef struct pursuit_arrays {
    float *const *position, *const *velocity, *const *target_before, *const *target;
    float *const *before_out, *const *after_out;
} pursuit_arrays;

/* The n vectors at i. A target that is not limited is copied bit for bit. */
VF_INLINE void limit_targets_of_vectors(const pursuit_arrays *a, size_t components, const speed_limit *s, size_t i,
                                        size_t n)
{
    pursuit p;
    vf before[4], after[4];
    for (size_t c = 0; c < components; c++) {
        before[c] = vf_load_n(a->target_before[c] + i, n);
        after[c] = vf_load_n(a->target[c] + i, n);
        p.position[c] = vfd_from_vf(vf_load_n(a->position[c] + i, n));
        p.velocity[c] = vfd_from_vf(vf_load_n(a->velocity[c] + i, n));
        p.target_before[c] = vfd_from_vf(before[c]);
        p.target[c] = vfd_from_vf(after[c]);
    }
    const limited_targets limited = limited_targets_of(*s, components, p);
    for (size_t c = 0; c < components; c++) {
        vf_store_n(a->before_out[c] + i, vf_select(limited.near, before[c], vf_nearest(limited.before[c])), n);
        vf_store_n(a->after_out[c] + i, vf_select(limited.arrives, after[c], vf_nearest(limited.after[c])), n);
    }
}

VF_INLINE void limit_targets_of_range(const pursuit_arrays *a, size_t components, const speed_limit *s, size_t begin,
                                      size_t end)
{
    for (size_t i = begin; i < end; i += VF_LANES) {
        limit_targets_of_vectors(a, components, s, i, vf_lanes_left(i, end));
    }
}

VF_INLINE bool are_pursuit_arrays(const pursuit_arrays *a, size_t components)
{
    return none_is_null(a->position, components) && none_is_null(a->velocity, components) &&
           none_is_null(a->target_before, components) && none_is_null(a->target, components) &&
           none_is_null(a->before_out, components) && none_is_null(a->after_out, components);
}

/* A ratio above 2^32 is treated as 2^32, as in the matrix. */
VF_INLINE speed_limit speed_limit_of(gyre_spring spring, float max_speed, float dt_s)
{
    const double w = spring.angular_frequency, z = spring.damping_ratio < 0x1p32f ? spring.damping_ratio : 0x1p32;
    const double h = dt_s, speed = max_speed, decay = scalar_mean_decay(2 * z * w * h);
    return (speed_limit){
        .longest = vfd_set1(2 * z * speed / w),
        .speed = vfd_set1(speed),
        .reach = vfd_set1(max_speed == INFINITY ? speed : speed * h),
        .coast = vfd_set1(h * decay),
        .driven = vfd_set1(h - h * decay),
    };
}

GYRE_KERNEL_FUNCTION gyre_status limit_targets(float *const position[], float *const velocity[],
                                               float *const target_before[], float *const target[], size_t components,
                                               gyre_spring spring, float max_speed, float dt_s,
                                               float *const target_before_out[], float *const target_out[],
                                               size_t begin, size_t end)
{
    const pursuit_arrays arrays = {position, velocity, target_before, target, target_before_out, target_out};
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (components == 0 || components > 4 || !is_finite_positive(spring.angular_frequency) ||
        !is_finite_positive(spring.damping_ratio) || !(spring.follow == 0) || !(max_speed >= 0) ||
        !is_finite_not_negative(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin < end && !are_pursuit_arrays(&arrays, components)) {
        return GYRE_ERROR_NULL;
    }
    const speed_limit limit = speed_limit_of(spring, max_speed, dt_s);
    switch (components) {
    case 1: limit_targets_of_range(&arrays, 1, &limit, begin, end); break;
    case 2: limit_targets_of_range(&arrays, 2, &limit, begin, end); break;
    case 3: limit_targets_of_range(&arrays, 3, &limit, begin, end); break;
    default: limit_targets_of_range(&arrays, 4, &limit, begin, end); break;
    }
    return GYRE_OK;
}

#endif
