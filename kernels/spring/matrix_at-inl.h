/* gyre_spring_matrix_at: the matrix of one spring. Its floats have the bits that springs_step_each computes from the
   same parameters. Its low parts are computed in double. */
#ifndef GYRE_SPRING_MATRIX_AT_H
#define GYRE_SPRING_MATRIX_AT_H

#include "scalar/elementary.h"
#include "spring/batch-inl.h"
#include "spring/coefficients.h"
#include "spring/ramp-inl.h"

GYRE_KERNEL_FUNCTION gyre_status spring_matrix_at(gyre_spring spring, float dt_s, gyre_spring_matrix *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_valid_spring(spring) || !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    const spring_parameters p = {vf_set1(spring.angular_frequency), vf_set1(spring.damping_ratio), vf_set1(dt_s)};
    const vf_spring_matrix m = spring_with_ramps(spring_matrix_at_once(p), p, vf_set1(spring.follow));
    gyre_spring_matrix result = {
        .pos_pos = vf_lane_0(m.pos_pos),
        .pos_vel = vf_lane_0(m.pos_vel),
        .vel_pos = vf_lane_0(m.vel_pos),
        .vel_vel = vf_lane_0(m.vel_vel),
        .pos_ramp = vf_lane_0(m.pos_ramp),
        .vel_ramp = vf_lane_0(m.vel_ramp),
        .spring = spring,
        .dt_s = dt_s,
    };
    if (!is_finite_matrix(&result) || !is_finite(result.pos_ramp) || !is_finite(result.vel_ramp)) {
        return GYRE_ERROR_RANGE;
    }
    const spring_coefficients exact = gyre_scalar_spring_coefficients(spring, dt_s);
    result.low[0] = scalar_low_part(exact.pos_pos, result.pos_pos);
    result.low[1] = scalar_low_part(exact.pos_vel, result.pos_vel);
    result.low[2] = scalar_low_part(exact.vel_pos, result.vel_pos);
    result.low[3] = scalar_low_part(exact.vel_vel, result.vel_vel);
    result.low[4] = scalar_low_part(exact.pos_ramp, result.pos_ramp);
    result.low[5] = scalar_low_part(exact.vel_ramp, result.vel_ramp);
    *out = result;
    return GYRE_OK;
}

#endif
