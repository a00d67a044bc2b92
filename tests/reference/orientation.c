#include "reference/orientation.h"

#include <math.h>

orientation_matrix orientation_matrix_of(const gyre_spring_matrix *m, double h)
{
    orientation_matrix exact = {(double)m->pos_pos, (double)m->pos_vel,  (double)m->vel_pos,
                                (double)m->vel_vel, (double)m->pos_ramp, (double)m->vel_ramp};
    exact.pos_ramp += (double)m->low[4] + (h == 0 ? 0 : (double)m->low[1] / h);
    exact.vel_ramp += (double)m->low[5] + (h == 0 ? 0 : (double)m->low[3] / h);
    return exact;
}

orientation_state reference_orientation_step(orientation_matrix m, double h, orientation_state state, quaternion before,
                                             quaternion after)
{
    const vector move = reference_vector(quaternion_product(after, quaternion_conjugate(before)));
    const vector target_omega = vector_scaled(move, h == 0 ? 0 : 1 / h);
    const quaternion turn = quaternion_product(state.q, quaternion_conjugate(before));
    vector y = reference_vector(turn);
    const vector relative = vector_difference(state.omega, matrix_times(reference_rotation(y), target_omega));
    if (turn.at[3] == 0 && vector_dot(y, relative) > 0) {
        y = vector_scaled(y, -1);
    }
    const vector rate = matrix_solve(reference_left_jacobian(y), relative);
    vector new_y = vector_sum(vector_scaled(y, m.pos_pos), vector_scaled(rate, m.pos_vel));
    vector new_rate = vector_sum(vector_scaled(y, m.vel_pos), vector_scaled(rate, m.vel_vel));
    if (h != 0) {
        new_y = vector_sum(new_y, vector_scaled(move, m.pos_ramp + m.pos_vel / h));
        new_rate = vector_sum(new_rate, vector_scaled(move, m.vel_ramp - (1 - m.vel_vel) / h));
    }
    const vector turning = matrix_times(reference_left_jacobian(new_y), new_rate);
    return (orientation_state){
        quaternion_product(reference_quaternion(new_y), after),
        vector_sum(turning, matrix_times(reference_rotation(new_y), target_omega)),
    };
}
