/* The matrix of damping k for t seconds. Derivation: kernels/particle/README.md. */
#ifndef GYRE_PARTICLE_MATRIX_H
#define GYRE_PARTICLE_MATRIX_H

#include "particle/forms-inl.h"
#include "simd/vf_math-inl.h"

/* Damping must be at least 0 and finite; anything else becomes NaN, and with it the matrix. */
VF_INLINE vf particle_valid_damping(vf damping)
{
    const vm valid = vm_and(vf_le(vf_set1(0), damping), vf_le(damping, vf_constant(FLT_MAX)));
    return vf_select(valid, damping, vf_constant(NAN));
}

/* p = -k t. Below 2^-26 it changes no bit of the coefficients, and its powers would be subnormal, which takes many CPUs
   a hundred cycles, so it becomes 0. */
VF_INLINE vf particle_exponent(vf damping, vf t)
{
    const vf p = vf_neg(vf_mul(damping, t));
    return vf_zero_where(vf_lt(vf_abs(p), vf_constant(0x1p-26f)), p);
}

VF_INLINE vm particle_is_short(vf p) { return vf_le(vf_abs(p), vf_constant(1)); }

/* |p| <= 1. phi2 by its series, error 0.1 * 2^-24; then phi1 = 1 + p phi2 and exp p = 1 + p phi1, which add a rounding
   each, at most 2^-25 where exp p is 0.37, and need no division. */
VF_INLINE vf_particle_matrix particle_short_matrix(vf p, vf t)
{
    const vf one = vf_constant(1), p2 = vf_mul(p, p);
    const vf low = vf_mul_add(p2, vf_mul_add(p, vf_constant(VF_PHI2_2), vf_constant(VF_PHI2_1)),
                              vf_mul_add(p, vf_constant(VF_PHI2_0), vf_constant(0.5f)));
    const vf high = vf_mul_add(p2, vf_mul_add(p, vf_constant(VF_PHI2_6), vf_constant(VF_PHI2_5)),
                               vf_mul_add(p, vf_constant(VF_PHI2_4), vf_constant(VF_PHI2_3)));
    const vf phi2 = vf_mul_add(vf_mul(p2, p2), high, low);
    const vf phi1 = vf_mul_add(p, phi2, one);
    const vf pos_vel = vf_mul(t, phi1);
    return (vf_particle_matrix){
        .pos_vel = pos_vel,
        .vel_vel = vf_mul_add(p, phi1, one),
        .pos_acc = vf_mul(t, vf_mul(t, phi2)),
        .vel_acc = pos_vel,
    };
}

/* Any p. Where |p| > 1 the differences lose at most two bits:
       pos_vel = (1 - exp p) / k        pos_acc = (t - pos_vel) / k */
VF_INLINE vf_particle_matrix particle_any_matrix(vf damping, vf p, vf t)
{
    const vf one = vf_constant(1);
    const vm is_short = particle_is_short(p);
    /* An exponential below 2^-126 becomes 0: multiplying by a subnormal number is slow, and the step would flush the
       product unless the speed is above 2^31. */
    const vm underflows = vf_lt(p, vf_constant(-126 * VF_LN2));
    const vf exp = vf_zero_where(underflows, vf_exp(vf_zero_where(underflows, p)));
    const vf divisor = vf_select(is_short, one, damping); /* not 0 */
    const vf pos_vel = vf_div(vf_sub(one, exp), divisor), pos_acc = vf_div(vf_sub(t, pos_vel), divisor);
    const vf_particle_matrix m = particle_short_matrix(p, t);
    const vf pos_vel_of_all = vf_select(is_short, m.pos_vel, pos_vel);
    return (vf_particle_matrix){
        .pos_vel = pos_vel_of_all,
        .vel_vel = vf_select(is_short, m.vel_vel, exp),
        .pos_acc = vf_select(is_short, m.pos_acc, pos_acc),
        .vel_acc = pos_vel_of_all,
    };
}

#endif
