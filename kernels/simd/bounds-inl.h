/* Bounds on positions, for springs and particles. A step is made as if there were none. Where it ends beyond a bound b,
   from (x0, v0) before it to (x1, v1), the position becomes b. A velocity v1 that points outward becomes -bounce s,
   where s is the speed at b under constant acceleration:

       s^2 = v0^2 + (v1^2 - v0^2) (b - x0) / (x1 - x0),      s = |v1| where x0 is beyond b already

   So bounce 1 keeps energy at any frame rate, and what is pressed on a bound comes to rest. With -bounce v1 it would
   hop for ever by what one step adds to its speed. */
#ifndef GYRE_SIMD_BOUNDS_H
#define GYRE_SIMD_BOUNDS_H

#include "simd/vd-inl.h"

#include <math.h> /* NAN */

/* Positions and velocities, with low parts or with zeros in their place. */
typedef struct bounded_state {
    vf position, velocity, position_low, velocity_low;
} bounded_state;

/* Without bounds, NaN, which bounds nothing. */
VF_INLINE vf load_bound(const float *bound, size_t i, size_t n)
{
    return bound != NULL ? vf_load_n(bound + i, n) : vf_set1(NAN);
}

/* sum < b */
VF_INLINE vm is_sum_below(vf high, vf low, vf b)
{
    return vm_or(vf_lt(high, b), vm_and(vf_eq(high, b), vf_lt(low, vf_set1(0))));
}

/* The velocity, as halves of doubles, with which a state leaves its bound. `side` is 1 for an upper bound and -1 for a
   lower one. */
VF_INLINE vd velocity_from_bound(const bounded_state *old, const bounded_state *new, const vf *bound, const vf *side,
                                 float bounce, int half)
{
    const vd b = vd_load(bound, half), outward = vd_load(side, half);
    const vd x0 = vd_add(vd_load(&old->position, half), vd_load(&old->position_low, half));
    const vd x1 = vd_add(vd_load(&new->position, half), vd_load(&new->position_low, half));
    const vd v0 = vd_add(vd_load(&old->velocity, half), vd_load(&old->velocity_low, half));
    const vd v1 = vd_add(vd_load(&new->velocity, half), vd_load(&new->velocity_low, half));
    const vd before = vd_mul(outward, vd_sub(b, x0)), behind = vd_mul(outward, vd_sub(x1, b));
    /* The parts of v0^2 and v1^2. No difference of floats is between -2^-149 and 0. */
    const vd part = vd_div(behind, vd_add(before, behind));
    const vd part0 = vd_zero_where(vd_le(before, vd_set1(-0x1p-149)), part), part1 = vd_sub(vd_set1(1), part0);
    const vd speed = vd_sqrt(vd_mul_add(part1, vd_mul(v1, v1), vd_mul(part0, vd_mul(v0, v0))));
    return vd_mul(vd_mul(vd_set1(-bounce), outward), speed);
}

/* Out of line: most steps of most batches reach no bound. In double, where no square of a float overflows. */
static __attribute__((noinline, unused)) void stop_at_bounds(bounded_state *new, const bounded_state *old, vf lower,
                                                             vf upper, float bounce, vf rest_speed)
{
    const vf zero = vf_set1(0), one = vf_set1(1);
    const vm below = is_sum_below(new->position, new->position_low, lower);
    const vf raised = vf_select(below, lower, new->position), raised_low = vf_zero_where(below, new->position_low);
    const vm above = is_sum_below(vf_neg(raised), vf_neg(raised_low), vf_neg(upper));
    const vm beyond = vm_or(below, above);
    const vf side = vf_select(above, one, vf_neg(one)), bound = vf_select(above, upper, raised);
    const vm leaves = vm_and(beyond, vf_lt(zero, vf_mul(side, new->velocity)));

    vf velocity, velocity_low;
    const vd first = velocity_from_bound(old, new, &bound, &side, bounce, 0);
    const vd second = velocity_from_bound(old, new, &bound, &side, bounce, 1);
    vd_to_sum(first, second, &velocity, &velocity_low);
    velocity = vf_flushed(velocity);
    const vm rests = vf_le(vf_abs(velocity), rest_speed);
    velocity = vf_zero_where(rests, velocity);
    velocity_low = vf_zero_where(rests, velocity_low);

    new->position = bound;
    new->position_low = vf_zero_where(beyond, new->position_low);
    new->velocity = vf_select(leaves, velocity, new->velocity);
    new->velocity_low = vf_select(leaves, velocity_low, new->velocity_low);
}

/* `new` within the bounds, min(max(x, lower), upper): a bound that is NaN bounds nothing. A speed of at most rest_speed
   with which a state would leave its bound becomes 0. */
VF_INLINE void keep_within_bounds(bounded_state *new, const bounded_state *old, vf lower, vf upper, float bounce,
                                  vf rest_speed)
{
    const vm below = is_sum_below(new->position, new->position_low, lower);
    const vm above = is_sum_below(vf_neg(new->position), vf_neg(new->position_low), vf_neg(upper));
    if (vm_any(vm_or(below, above))) {
        bounded_state in_memory = *new;
        const bounded_state old_in_memory = *old;
        stop_at_bounds(&in_memory, &old_in_memory, lower, upper, bounce, rest_speed);
        *new = in_memory;
    }
}

#endif
