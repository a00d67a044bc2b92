/* Bodies that crawl: that turn by so little in a step that the first terms of a series say by how much.

   By every method the step of a slow body is the one that turns it by Cayley's vector

       c1 = t1 + f1 t2 t3 + t1 (2 mean - b1 + I1 X / 3) + ... and cyclic,     t = h omega / 2,     f1 = (I2 - I3) / I1,

   which are the first terms of body/methods/moser_veselov-inl.h, in its notation: b1 = f2 f3 t1^2, X = sum (I2 + I3 -
   I1) / (I2 I3) t1^2, y1 = mu1 (1 + 2 mean - b1) + e1 and delta = X / 3. What else a method computes of such a body are
   squares and products of c, of which most would be subnormal numbers, and these take ten to a hundred times as long on
   many CPUs. So all that crawl are turned by this c, and to the method they are bodies at rest. */
#ifndef GYRE_BODY_SMALL_ANGLE_H
#define GYRE_BODY_SMALL_ANGLE_H

#include "body/methods/cayley-inl.h"
#include "body/substeps-inl.h"

/* Up to which |t|^2 bodies crawl, or 0: where what the series leaves out is less than rounding. With low parts more of
   it shows, and the terms of third order, in which the other methods differ, are to be 2^-36 of the turn or less. */
static float small_angle_square(const gyre_body_solver *solver, bool low)
{
    if (solver->method == GYRE_BODY_EXPLICIT_EULER) {
        return 0;
    }
    return low && solver->method != GYRE_BODY_MOSER_VESELOV ? 0x1p-36f : 0x1p-26f;
}

/* What is below that, in rad of half the turn, turns nothing: squares of the rest are normal numbers. */
#define SMALL_ANGLE_LEAST 0x1p-50f

/* By the first two terms, for the third is 2^-26 of the turn. */
VF_INLINE void turn_by_small_angle(vm small_angle, const body_block *b, size_t v, const body_lanes *lanes,
                                   body_state *s)
{
    const vf4 q = orientation_at(b, v);
    const vf3 t = vf3_at_least(SMALL_ANGLE_LEAST, lanes->half_angle),
              f = asymmetry(inertia_at(b, v), lanes->inverse_inertia);
    s->c = vf3_at_least(SMALL_ANGLE_LEAST, vf3_mul_add(f, vf3_cyclic_products(t), t));
    s->square = vf3_dot(s->c, s->c);
    turn_by_cayley(s, lanes, q);
    const vm turning = are_turning(b, lanes, vf_lt(vf_set1(0), s->square));
    const vf4 next = vf4_select(turning, vf4_settled(vf4_add(q, s->increment)), vf4_flushed(q));
    store4(b->orientation, v * b->step, vf4_select(small_angle, next, q));
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

/* 1 / sqrt(1 + x) of a small x */
VF_INLINE vd inverse_root(vd x) { return vd_mul_add(x, vd_mul_add(vd_set1(0.375), x, vd_set1(-0.5)), vd_set1(1)); }

/* With low parts: in double, whose squares are no trifles. */
VF_INLINE void turn_by_small_angle_precisely(vm turning, const body_block *b, size_t v, const body_lanes *lanes,
                                             const body_state *s)
{
    const vd one = vd_set1(1);
    vd4 sum[2];
    FOR_EACH_HALF
    {
        const vd3 i = precise_inertia_at(b, v, half);
        const vd3 inverse_i = precise_inverse(i, vd_load(&lanes->inverse_product, half));
        const vd3 c = small_angle_turn(vd3_mul(s->precise_mu[half], inverse_i), i, inverse_i);
        const vd4 q = s->precise_orientation[half];
        const vd square = vd4_square(q), longer = vd_mul_add(square, vd3_dot(c, c), vd_sub(square, one));
        sum[half] = vd4_scaled_guarded(inverse_root(longer), vd4_turned(q, (vd4){c, one}));
    }
    store_turned(turning, b, v, sum);
}

/* What a step does to bodies at rest. */
VF_INLINE void leave_at_rest(float *const parts[4], size_t i)
{
    store4(parts, i, vf4_flushed(vf4_load_n(parts, i, VF_LANES)));
}

/* Turns those of a vector that crawl, and has the rest of the step find them at rest; returns which those are. Out of
   line: it is of no use to the registers of others. */
static __attribute__((noinline)) vm step_small_angles(const body_plan *plan, const body_block *b, size_t v,
                                                      body_lanes *lanes, body_state *state)
{
    const vm slow = vf_lt(lanes->half_angle_square, vf_set1(plan->small_angle_square));
    const vm small_angle = vm_and(slow, is_mass(inertia_at(b, v)));
    if (!vm_any(small_angle)) {
        return small_angle;
    }
    /* of other turns the square is 0 */
    const vm turned = vm_and(small_angle, vf_lt(vf_set1(0x1p-75f), vf3_max_abs(lanes->half_angle)));
    const vm turning = are_turning(b, lanes, turned);
    if (vm_any(turning)) {
        plan->low ? turn_by_small_angle_precisely(turning, b, v, lanes, state)
                  : turn_by_small_angle(small_angle, b, v, lanes, state);
    } else if (vm_all(small_angle)) { /* otherwise the rest of the step follows, and does so */
        leave_at_rest(b->orientation, v * b->step);
        if (plan->low) {
            leave_at_rest(b->low, v * b->step);
        }
    }
    put_to_rest(small_angle, plan->low, lanes, state);
    return small_angle;
}

#endif
