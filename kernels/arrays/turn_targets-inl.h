/* gyre_turn_targets: moves each target by whole periods to the place nearest to its position. */
#ifndef GYRE_ARRAYS_TURN_TARGETS_H
#define GYRE_ARRAYS_TURN_TARGETS_H

#include "common/kernel-inl.h"
#include "simd/vd-inl.h"

/* For half a vector: target - n period, where n is the number of periods between position and target, rounded to an
   integer. The quotient and the difference are computed in double, where n period is exact. */
VF_INLINE vd turned_half(vf target, vd turns, vd period, int part)
{
    return vd_neg_mul_add(vd_round(turns), period, vd_from_half(target, part));
}

VF_INLINE vd turns_of_half(vf target, vf position, vd period, int part)
{
    return vd_div(vd_sub(vd_from_half(target, part), vd_from_half(position, part)), period);
}

/* Gives the position where the quotient is 2^23 or more. A target that stays keeps its bits, including -0; NaN and
   infinities become NaN. */
VF_INLINE vf turned(vf target, vf position, vd period)
{
    const vd turns[2] = {turns_of_half(target, position, period, 0), turns_of_half(target, position, period, 1)};
    const vf near = vf_from_halves(turned_half(target, turns[0], period, 0), turned_half(target, turns[1], period, 1));
    const vm is_far = vf_le(vf_set1(0x1p23f), vf_abs(vf_from_halves(turns[0], turns[1])));
    const vm is_valid = vf_eq(vf_add(vf_sub(target, target), vf_sub(position, position)), vf_set1(0));
    const vf result = vf_select(is_far, position, vf_select(vf_eq(near, target), target, near));
    return vf_select(is_valid, result, vf_set1(NAN));
}

GYRE_KERNEL_FUNCTION gyre_status turn_targets(float *target, const float *position, float period, size_t begin,
                                              size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (!is_finite_positive(period)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin < end && (target == NULL || position == NULL)) {
        return GYRE_ERROR_NULL;
    }
    const vd p = vd_set1(period);
    for (size_t i = begin; i < end; i += VF_LANES) {
        const size_t n = vf_lanes_left(i, end);
        vf_store_n(target + i, turned(vf_load_n(target + i, n), vf_load_n(position + i, n), p), n);
    }
    return GYRE_OK;
}

#endif
