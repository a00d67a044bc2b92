/* Bodies that turn by a small angle in a sub-step. By every method their turn is, in the letters of README.md,

       c1 = t1 + f1 t2 t3 + t1 (2 mean - b1 + I1 X / 3) + ... and cyclic,

   the first terms of a series. What else a method computes are squares and products of c, most of them subnormal, which
   takes ten to a hundred times as long on many CPUs. So these bodies turn by this c, and to the method they are at
   rest. */
#ifndef GYRE_BODY_SMALL_ANGLE_H
#define GYRE_BODY_SMALL_ANGLE_H

#include "body/methods/moser_veselov-inl.h"

/* The largest |t|^2 of such bodies, or 0: there the terms left out are below rounding. With low parts rounding is less,
   and the terms of third order, in which the other methods differ from Moser-Veselov, must be at most 2^-36 of the
   turn. */
static float small_angle_square(const gyre_body_solver *solver, bool low)
{
    if (solver->method == GYRE_BODY_EXPLICIT_EULER) {
        return 0;
    }
    return low && solver->method != GYRE_BODY_MOSER_VESELOV ? 0x1p-36f : 0x1p-26f;
}

/* rad: components of t below that turn nothing, so that squares of the others are normal numbers. */
#define SMALL_ANGLE_LEAST 0x1p-50f

/* By the first two terms; the third is 2^-26 of the turn. */
VF_INLINE void turn_by_small_angle(vm small_angle, const body_block *b, size_t v)
{
    const body_lanes *lanes = &b->lanes[v];
    const vf4 q = orientation_at(b, v);
    const vf3 t = vf3_zero_below(SMALL_ANGLE_LEAST, lanes->half_angle),
              f = asymmetry(inertia_at(b, v), lanes->inverse_inertia);
    const vf3 c = vf3_zero_below(SMALL_ANGLE_LEAST, vf3_mul_add(f, vf3_cyclic_products(t), t));
    const vf square = vf3_dot(c, c);
    const vf4 sum = vf4_add(q, increment_of(q, cayley_turn(c, square, lanes)));
    const vm turning = are_turning(b, v, vf_lt(vf_set1(0), square));
    const vf4 next = vf4_select(turning, vf4_settled(sum), vf4_flushed(q));
    vf4_store_n(b->orientation, vf4_select(small_angle, next, q), v * b->stride, VF_LANES);
}

/* c with all three terms. */
VF_INLINE vd3 small_angle_turn(vd3 t, vd3 i, vd3 inverse_i)
{
    const vd3 f = vd3_mul(vd3_cyclic_differences(i), inverse_i), tau = vd3_mul(t, t);
    const vd3 b = vd3_mul(vd3_cyclic_products(f), tau), parts = vd3_mul(vd3_cyclic_products(inverse_i), tau);
    const vd third = vd_set1(1.0 / 3), twice_mean = vd_mul(vd_set1(2.0 / 3), vd3_sum(b));
    const vd x = vd_mul(third, vd_sub(vd_mul(vd3_sum(i), vd3_sum(parts)), vd_mul(vd_set1(2), vd3_dot(i, parts))));
    const vd3 of_t = vd3_scale_add(x, i, vd3_sub((vd3){twice_mean, twice_mean, twice_mean}, b));
    return vd3_mul_add(f, vd3_cyclic_products(t), vd3_mul_add(of_t, t, t));
}

/* By all three terms, with low parts: in double, where no square is subnormal. */
VF_INLINE void turn_by_small_angle_precisely(vm turning, const body_block *b, size_t v)
{
    const vd one = vd_set1(1);
    vd4 sum[2];
    for (int half = 0; half < 2; half++) {
        const vd3 i = precise_inertia_at(b, v, half);
        const vd3 inverse_i = precise_inverse(i, vd_load(&b->lanes[v].inverse_product, half));
        const vd3 c = small_angle_turn(vd3_mul(b->states[v].mu[half], inverse_i), i, inverse_i);
        const vd4 q = b->states[v].orientation[half];
        const vd square = vd4_square(q), square_minus_1 = vd_mul_add(square, vd3_dot(c, c), vd_sub(square, one));
        sum[half] = vd4_scaled_guarded(inverse_root(square_minus_1), vd4_turned(q, (vd4){c, one}));
    }
    finish_precise_substep(b, v, sum, turning);
}

/* What a step does to bodies at rest: components below 2^-95 become 0. */
VF_INLINE void leave_at_rest(float *const parts[4], size_t i)
{
    vf4_store_n(parts, vf4_flushed(vf4_load_n(parts, i, VF_LANES)), i, VF_LANES);
}

/* Turns the bodies of a vector that turn by a small angle, and leaves them at rest for the rest of the sub-step;
   returns which those are. Out of line: it would take registers from the common case. */
static __attribute__((noinline)) vm step_small_angles(const body_block *b, size_t v)
{
    body_lanes *lanes = &b->lanes[v];
    const bool low = b->plan->low;
    const vm slow = vf_lt(lanes->half_angle_square, vf_set1(b->plan->small_angle_square));
    const vm small_angle = vm_and(slow, is_mass(inertia_at(b, v)));
    if (!vm_any(small_angle)) {
        return small_angle;
    }
    /* the square of a smaller turn is 0 */
    const vm turned = vm_and(small_angle, vf_lt(vf_set1(0x1p-75f), vf3_max_abs(lanes->half_angle)));
    const vm turning = are_turning(b, v, turned);
    if (vm_any(turning)) {
        low ? turn_by_small_angle_precisely(turning, b, v) : turn_by_small_angle(small_angle, b, v);
    } else if (vm_all(small_angle)) { /* otherwise the rest of the sub-step follows, and does so */
        leave_at_rest(b->orientation, v * b->stride);
        if (low) {
            leave_at_rest(b->low, v * b->stride);
        }
    }
    put_to_rest(small_angle, low, lanes, &b->states[v]);
    return small_angle;
}

#endif
