/* The matrix of one spring. */
#include "spring/matrix-inl.h"

GYRE_KERNEL_FUNCTION gyre_status spring_matrix_at(gyre_spring spring, float dt_s, gyre_spring_matrix *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_not_negative(spring.angular_frequency) || !is_finite_not_negative(spring.damping_ratio) ||
        !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    spring_lanes lanes;
    const spring_parameters parameters = {
        .w.all = spring.angular_frequency, .z.all = spring.damping_ratio, .t.all = dt_s};
    const spring_needs needs = solve_springs(&lanes, &parameters, 0, 1, VF_LANES);
    const spring_matrix m = spring_matrix_of(&lanes, needs.stiff, vf_set1(spring.angular_frequency), vf_set1(dt_s));
    gyre_spring_matrix result = {vf_lane_0(m.pos_pos), vf_lane_0(m.pos_vel), vf_lane_0(m.vel_pos),
                                 vf_lane_0(m.vel_vel)};
    if (!is_finite_matrix(&result)) {
        return GYRE_ERROR_RANGE;
    }
    *out = result;
    return GYRE_OK;
}
