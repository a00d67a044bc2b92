/* The ramps of a spring's matrix: what a target that moves at constant velocity adds to a step. Derivation:
   spring/README.md. */
#ifndef GYRE_SPRING_RAMP_H
#define GYRE_SPRING_RAMP_H

#include "spring/matrix-inl.h"

/* (1 - e^-p) / p */
VF_INLINE vf spring_mean_decay(vf p)
{
    const vf zero = vf_set1(0);
    return vf_select(vf_eq(p, zero), vf_set1(1), vf_div(vf_expm1(vf_neg(p)), vf_neg(p)));
}

/* The sum of c_n / (n + 1), where S = sum c_n is the power series of pos_vel / t: with u = 2 z w t and q = (w t)^2
       c_0 = 0    c_1 = 1    (n + 1) c_(n+1) = -u c_n - q c_(n-1) / n */
VF_INLINE vf spring_response_series(vf u, vf q)
{
    vf before = vf_set1(0), term = vf_set1(1), sum = vf_set1(0.5f);
    VF_EACH_TERM for (int n = 1; n < 14; n++)
    {
        const vf next = vf_mul_add(u, vf_mul(term, vf_set1(-1.0f / (float)(n + 1))),
                                   vf_mul(q, vf_mul(before, vf_set1(-1.0f / (float)(n * (n + 1))))));
        before = term;
        term = next;
        sum = vf_mul_add(term, vf_set1(1.0f / (float)(n + 2)), sum);
    }
    return sum;
}

/* (1 - pos_pos) / (w t) without cancellation: the step response over the angle w t. */
VF_INLINE vf spring_response_over_angle(vf wt, vf z, vf pos_pos)
{
    const vf one = vf_set1(1);
    const vm small = vf_le(vf_abs(wt), vf_set1(1)), overdamped = vf_lt(vf_set1(1.25f), z);
    vf response = vf_div(vf_sub(one, pos_pos), vf_select(small, one, wt));
    if (vm_any(small)) {
        const vf u = vf_mul(vf_mul(vf_set1(2), z), wt), q = vf_mul(wt, wt);
        response = vf_select(small, vf_mul(wt, spring_response_series(u, q)), response);
    }
    if (vm_any(overdamped)) {
        const vf at_least = vf_select(overdamped, z, vf_set1(2));
        const vf root = vf_sqrt(vf_mul(vf_sub(at_least, one), vf_add(at_least, one))), fast = vf_add(at_least, root);
        const vf difference = vf_sub(spring_mean_decay(vf_div(wt, fast)), spring_mean_decay(vf_mul(wt, fast)));
        response = vf_select(overdamped, vf_div(difference, vf_add(root, root)), response);
    }
    return response;
}

/* Adds to m, the matrix of these parameters, the ramps: what a target that moves by 1 during the step adds to
   displacement and velocity, 0 where t is 0. follow is in [0, 1]. */
VF_INLINE vf_spring_matrix spring_with_ramps(vf_spring_matrix m, spring_parameters p, vf follow)
{
    const vf zero = vf_set1(0), one = vf_set1(1);
    const vf pos_vel_over_t = vf_div(m.pos_vel, vf_select(vf_eq(p.t, zero), one, p.t));
    const vf ratio = vf_min(vf_set1(0x1p32f), p.z), twice_z = vf_add(ratio, ratio);
    const vf response = spring_response_over_angle(vf_mul(p.w, p.t), ratio, m.pos_pos);
    m.pos_ramp = vf_neg_mul_add(vf_mul(vf_sub(one, follow), twice_z), response, vf_neg(pos_vel_over_t));
    m.vel_ramp = vf_mul(p.w, vf_mul_add(vf_mul(follow, twice_z), pos_vel_over_t, response));
    return m;
}

#endif
