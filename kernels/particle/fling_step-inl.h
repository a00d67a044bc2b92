/* The step of flings: damping inside the edges, a spring to the edge outside them.

       inside     x <- x + pos_vel v                               v <- vel_vel v
       outside    x <- edge + pos_pos (x - edge) + pos_vel v       v <- vel_pos (x - edge) + vel_vel v

   Those that meet an edge within the step are stepped again, each by itself (particle/fling_after.h). */
#ifndef GYRE_PARTICLE_FLING_STEP_H
#define GYRE_PARTICLE_FLING_STEP_H

#include "particle/fling_after.h"
#include "simd/lanes-inl.h"
#include "spring/forms-inl.h"

/* Features of a batch. */
enum {
    FLING_LOWER = 1 << 0,
    FLING_UPPER = 1 << 1,
    FLING_AWAKE = 1 << 2, /* flags are written */
    FLING_SKIP = 1 << 3,  /* flags are read */
    FLING_STILL = 1 << 4, /* no time passes: flags are written, and nothing else */

    FLING_ALL = FLING_LOWER | FLING_UPPER | FLING_AWAKE | FLING_SKIP,
};

/* What all flings of a call share, beside their motion. */
typedef struct fling_settings {
    vf_spring_matrix spring;
    vf damped_pos_vel, damped_vel_vel;
    bool all_return; /* the spring takes whatever is outside back to its edge within the step */
    vf rest_distance, rest_speed;
} fling_settings;

/* Edges that are not there are NaN, with which no comparison is true. lower <= upper. */
typedef struct fling_input {
    vf position, velocity, lower, upper;
    vm awake; /* false: the fling is skipped */
} fling_input;

typedef struct fling_state {
    vf position, velocity;
    vm rests, keeps; /* at rest; flings that keep their bits in memory */
} fling_state;

typedef struct fling_move {
    vf position, velocity;
    vm meets; /* an edge */
} fling_move;

/* As if none met an edge. */
VF_INLINE fling_move fling_move_freely(fling_settings s, fling_input in)
{
    const vf zero = vf_set1(0), v = in.velocity;
    const vm above = vf_lt(in.upper, in.position), below = vf_lt(in.position, in.lower);
    const vm outside = vm_or(above, below);
    fling_move next = {
        .position = vf_add(in.position, vf_flushed(vf_mul(s.damped_pos_vel, v))),
        .velocity = vf_flushed(vf_mul(s.damped_vel_vel, v)),
    };
    const vm leave_up = vm_and(vf_lt(zero, v), vf_le(in.upper, next.position));
    const vm leave_down = vm_and(vf_lt(v, zero), vf_le(next.position, in.lower));
    next.meets = vm_or(leave_up, leave_down);
    if (vm_any(outside)) {
        const vf edge = vf_select(above, in.upper, in.lower), x = vf_sub(in.position, edge);
        const vf new_x = vf_flushed(vf_mul_add(s.spring.pos_pos, x, vf_mul(s.spring.pos_vel, v)));
        const vf new_v = vf_flushed(vf_mul_add(s.spring.vel_pos, x, vf_mul(s.spring.vel_vel, v)));
        next.velocity = vf_select(outside, new_v, next.velocity);
        next.position = vf_select(outside, vf_add(edge, new_x), next.position);
        /* 0 too: what was thrown back may have decayed to nothing behind the edge */
        const vm back = vm_or(vm_and(above, vf_le(new_x, zero)), vm_and(below, vf_le(zero, new_x)));
        next.meets = vm_or(vm_and(next.meets, vm_not(outside)), s.all_return ? outside : back);
    }
    return next;
}

/* Those that meet an edge once more, each by itself. Vectors as arguments: a struct would have to be in memory before,
   where no fling meets an edge too. */
VF_RARE fling_move fling_move_over_edges(fling_motion motion, vf position, vf velocity, vf lower, vf upper,
                                         vf new_position, vf new_velocity, vm meets)
{
    const vf_lanes x = vf_to_lanes(position), v = vf_to_lanes(velocity), low = vf_to_lanes(lower),
                   high = vf_to_lanes(upper);
    vf_lanes new_x = vf_to_lanes(new_position), new_v = vf_to_lanes(new_velocity);
    for (vm_lanes left = vm_to_lanes(meets); vm_has_lane(left); left = vm_without_first(left)) {
        const int k = vm_first_lane(left);
        const single_fling start = {x.lane[k], v.lane[k], low.lane[k], high.lane[k]};
        const single_fling end = gyre_scalar_fling_after(motion, start);
        new_x.lane[k] = end.position;
        new_v.lane[k] = end.velocity;
    }
    return (fling_move){vf_from_lanes(new_x), vf_from_lanes(new_v), meets};
}

/* Slow enough, and inside or close enough to the edge. */
VF_INLINE vm fling_rests(fling_input in, vf position, vf velocity, vf rest_distance, vf rest_speed)
{
    const vm beyond =
        vm_or(vf_lt(rest_distance, vf_sub(position, in.upper)), vf_lt(rest_distance, vf_sub(in.lower, position)));
    const vm slow = vm_and(vf_le(vf_abs(velocity), rest_speed), vf_eq(position, position));
    return vm_and(slow, vm_not(beyond));
}

VF_INLINE fling_state fling_stand_still(unsigned has, fling_input in)
{
    const vf zero = vf_set1(0);
    const vm rests = fling_rests(in, in.position, in.velocity, zero, zero), asleep = vm_not(in.awake);
    return (fling_state){in.position, in.velocity, has & FLING_SKIP ? vm_or(rests, asleep) : rests, asleep};
}

VF_INLINE fling_state fling_advance(unsigned has, fling_motion motion, fling_settings s, fling_input in)
{
    if (has & FLING_STILL) {
        return fling_stand_still(has, in);
    }
    fling_move next = fling_move_freely(s, in);
    const vm meets = vm_and(in.awake, next.meets), asleep = vm_not(in.awake);
    if (vm_any(meets)) {
        next = fling_move_over_edges(motion, in.position, in.velocity, in.lower, in.upper, next.position, next.velocity,
                                     meets);
    }
    const vm rests = fling_rests(in, next.position, next.velocity, s.rest_distance, s.rest_speed);
    return (fling_state){
        .position = vf_select(rests, vf_clamp(next.position, in.lower, in.upper), next.position),
        .velocity = vf_zero_where(rests, next.velocity),
        .rests = has & FLING_SKIP ? vm_or(rests, asleep) : rests,
        .keeps = asleep,
    };
}

#endif
