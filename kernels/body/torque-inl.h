/* The kick of a torque: half of it before the drift, half after. Both are one sum, because the drift does not change
   the momentum. */
#ifndef GYRE_BODY_TORQUE_H
#define GYRE_BODY_TORQUE_H

#include "body/orientation-inl.h"

/* A pseudo-random float in +-ulp/2. Near the ends it has steps of 2^-25 ulp, and a sum half-way between two floats goes
   to the even one, so kicks add up to within about that much each. Towards 0 of a power of two the ulp is half as
   large, and so is the noise there: otherwise no small kick would ever cross the power. */
VF_INLINE vf rounding_noise(vi bits, vf near)
{
    const vf half = vf_set1(0.5f), one = vf_set1(1);
    vf power = vf_from_bits(vi_and(vf_bits(near), vi_set1(0x7f800000)));
    vf noise = vf_mul(vi_to_vf(bits), vf_mul(power, vf_set1(0x1p-55f)));
    vm is_power = vi_disjoint(vf_bits(near), vi_set1(0x007fffff));
    if (vm_any(is_power)) {
        vm inward = vf_lt(vf_mul(vf_copysign(one, near), noise), vf_set1(0));
        noise = vf_select(vm_and(is_power, inward), vf_mul(half, noise), noise);
    }
    return noise;
}

/* L + kick, rounded up or down at random with odds that make the mean exact: a torque too small to show in one step
   shows after many. */
VF_INLINE vf kicked(vf momentum, vf kick, vi bits)
{
    vf sum = vf_add(momentum, kick), shadow = vf_sub(sum, momentum);
    vf lost = vf_add(vf_sub(momentum, vf_sub(sum, shadow)), vf_sub(kick, shadow));
    vf result = vf_add(sum, vf_add(lost, rounding_noise(bits, sum)));
    return vf_flushed(vf_select(vf_eq(kick, vf_set1(0)), momentum, result));
}

/* Random bits for another axis: the same bits, rotated (the sign is copied into the places that are left). A macro,
   because shifts are by constants. */
#define ROTATED_BITS(bits, left) vi_xor(vi_shl(bits, left), vi_sar(bits, 32 - (left)))

/* The orientation is only a source of random bits: a slow body's momentum keeps its own for many steps. */
VF_INLINE vf3 kicked_momentum(vf3 momentum, vf3 kick, vf4 q)
{
    vi bits = hashed_bits(vi_add(orientation_bits(q), vi_shl(combined_bits(momentum), 3)));
    return (vf3){kicked(momentum.x, kick.x, bits), kicked(momentum.y, kick.y, ROTATED_BITS(bits, 8)),
                 kicked(momentum.z, kick.z, ROTATED_BITS(bits, 16))};
}

/* Momenta with half of a kick, where those in the caller's arrays have the whole. */
typedef float body_momenta[3][BODY_BLOCK];

/* Half of it for the drift, and all of it in the caller's array. */
VF_INLINE void kick(const gyre_bodies *b, float dt_s, size_t i, size_t n, body_momenta drift)
{
    for (size_t v = 0; v * VF_LANES < n; v++) {
        const size_t j = i + v * VF_LANES, present = vf_lanes_left(v * VF_LANES, n);
        float *const *m = b->momentum;
        const float *const *t = b->torque;
        vf3 momentum = vf3_load_n(m[0], m[1], m[2], j, present), torque = vf3_load_n(t[0], t[1], t[2], j, present);
        float *const *q = b->orientation;
        const vf4 orientation = vf4_load_n(q, j, present);
        vf3 end = kicked_momentum(momentum, vf3_scale(vf_set1(dt_s), torque), orientation);
        vf3 middle = vf3_scale_add(vf_set1(0.5f * dt_s), torque, momentum);
        vf_store_n(m[0] + j, end.x, present);
        vf_store_n(m[1] + j, end.y, present);
        vf_store_n(m[2] + j, end.z, present);
        vf_store(drift[0] + v * VF_LANES, middle.x);
        vf_store(drift[1] + v * VF_LANES, middle.y);
        vf_store(drift[2] + v * VF_LANES, middle.z);
    }
}

#endif
