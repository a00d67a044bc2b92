/* gyre_decelerate: vectors that friction slows down until they stop. */
#ifndef GYRE_PARTICLE_FRICTION_H
#define GYRE_PARTICLE_FRICTION_H

#include "common/kernel-inl.h"
#include "particle/friction_step-inl.h"

/* The n vectors at i. Vectors at rest keep their bits. Where all are at rest, nothing is written. */
VF_INLINE void decelerate_vectors(float *const x[], float *const v[], size_t components, const friction_settings *s,
                                  size_t i, size_t n)
{
    vf old_v[4];
    vfd exact_v[4];
    for (size_t c = 0; c < components; c++) {
        old_v[c] = vf_load_n(v[c] + i, n);
        exact_v[c] = vfd_from_vf(old_v[c]);
    }
    const vfd speed = vfd_length(exact_v, components);
    const vm stands = vfd_mask_to_vm(vfd_eq(speed, vfd_set1(0)));
    if (vm_all(stands)) {
        return;
    }
    const friction_change change = friction_of(*s, speed);
    for (size_t c = 0; c < components; c++) {
        const vf old_x = vf_load_n(x[c] + i, n);
        vf_store_n(x[c] + i, vf_select(stands, old_x, friction_position(change, old_x, exact_v[c])), n);
        vf_store_n(v[c] + i, vf_select(stands, old_v[c], friction_velocity(change, exact_v[c])), n);
    }
}

VF_INLINE void decelerate_range(float *const x[], float *const v[], size_t components, const friction_settings *s,
                                size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += VF_LANES) {
        decelerate_vectors(x, v, components, s, i, vf_lanes_left(i, end));
    }
}

GYRE_KERNEL_FUNCTION gyre_status decelerate(float *const position[], float *const velocity[], size_t components,
                                            float deceleration, float dt_s, size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (components == 0 || components > 4 || !is_finite_not_negative(deceleration) || !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin < end && (!none_is_null(position, components) || !none_is_null(velocity, components))) {
        return GYRE_ERROR_NULL;
    }
    if (dt_s == 0) {
        return GYRE_OK;
    }
    const double a = deceleration, dt = dt_s;
    const friction_settings s = {vfd_set1(dt), vfd_set1(dt / 2), vfd_set1(a * dt), vfd_set1(0.5 / a)};
    switch (components) {
    case 1: decelerate_range(position, velocity, 1, &s, begin, end); break;
    case 2: decelerate_range(position, velocity, 2, &s, begin, end); break;
    case 3: decelerate_range(position, velocity, 3, &s, begin, end); break;
    default: decelerate_range(position, velocity, 4, &s, begin, end); break;
    }
    return GYRE_OK;
}

#endif
