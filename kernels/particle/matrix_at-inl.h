/* gyre_particle_matrix_at: the matrix of one particle. Its floats have the bits that particles_step_each computes from
   the same damping. Its low parts are computed in double. */
#ifndef GYRE_PARTICLE_MATRIX_AT_H
#define GYRE_PARTICLE_MATRIX_AT_H

#include "particle/batch-inl.h"
#include "particle/coefficients.h"
#include "particle/matrix-inl.h"
#include "scalar/elementary.h"

GYRE_KERNEL_FUNCTION gyre_status particle_matrix_at(float damping, float dt_s, gyre_particle_matrix *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_not_negative(damping) || !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    const vf k = vf_constant(damping), t = vf_constant(dt_s), p = particle_exponent(k, t);
    const vf_particle_matrix m =
        vm_all(particle_is_short(p)) ? particle_short_matrix(p, t) : particle_any_matrix(k, p, t);
    gyre_particle_matrix result = {
        .pos_vel = vf_lane_0(m.pos_vel),
        .vel_vel = vf_lane_0(m.vel_vel),
        .pos_acc = vf_lane_0(m.pos_acc),
        .vel_acc = vf_lane_0(m.vel_acc),
        .damping = damping,
        .dt_s = dt_s,
    };
    if (!is_finite_particle_matrix(&result)) {
        return GYRE_ERROR_RANGE;
    }
    const particle_coefficients exact = gyre_scalar_particle_coefficients(damping, dt_s);
    result.low[0] = scalar_low_part(exact.pos_vel, result.pos_vel);
    result.low[1] = scalar_low_part(exact.vel_vel, result.vel_vel);
    result.low[2] = scalar_low_part(exact.pos_acc, result.pos_acc);
    result.low[3] = scalar_low_part(exact.pos_vel, result.vel_acc);
    *out = result;
    return GYRE_OK;
}

#endif
