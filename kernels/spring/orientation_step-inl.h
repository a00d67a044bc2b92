/* The step of springs on rotations, exact in the exponential coordinates of their targets. With y the rotation vector
   of q q_t^-1, t the target's angular velocity and T the left Jacobian (spring/README.md):

       y' = T(y)^-1 (omega - t) - y x t
       y  <- pos_pos y + pos_vel y' + (pos_ramp dt + pos_vel) t            q     <- exp(y) q_t
       y' <- vel_pos y + vel_vel y' + (vel_ramp dt + vel_vel - 1) t        omega <- T(y) (y' + y x t) + t */
#ifndef GYRE_SPRING_ORIENTATION_STEP_H
#define GYRE_SPRING_ORIENTATION_STEP_H

#include "rotation/quaternion-inl.h"

/* Features of a batch. */
enum {
    ORIENTATION_TARGET = 1 << 0,
    ORIENTATION_MOVING = 1 << 1, /* targets turn during the step */
    ORIENTATION_REST = 1 << 2,
    ORIENTATION_AWAKE = 1 << 3, /* flags are written */
    ORIENTATION_SKIP = 1 << 4,  /* flags are read */
    ORIENTATION_STILL = 1 << 5, /* no time passes: flags are written, and nothing else */

    ORIENTATION_ALL = ORIENTATION_TARGET | ORIENTATION_MOVING | ORIENTATION_REST | ORIENTATION_AWAKE | ORIENTATION_SKIP,
};

/* What all springs of a call share; pos_rate and vel_rate are the coefficients of the target's angular velocity. */
typedef struct orientation_settings {
    vf pos_pos, pos_vel, pos_rate, vel_pos, vel_vel, vel_rate;
    vf keeps_rate; /* 1; 0 where the matrix gives a velocity of 0, as that of first-order smoothing does */
    vf inverse_dt;
    vf inverse_rest_sine, inverse_rest_speed; /* 1 / sin(rest_angle / 2), 1 / rest_speed; 0 without rest limits */
} orientation_settings;

/* A spring before its step: quaternions of length 1. */
typedef struct orientation_input {
    vf4 orientation, target, target_before;
    vf3 omega;
} orientation_input;

typedef struct orientation_state {
    vf4 orientation;
    vf3 omega;
} orientation_state;

/* q - other, with -q in place of q where that is nearer, and |q . other|. */
typedef struct quaternion_change {
    vf4 difference;
    vf cosine;
} quaternion_change;

VF_INLINE quaternion_change short_difference(vf4 q, vf4 other)
{
    const vf dot = vf_mul_add(q.w, other.w, vf3_dot(q.v, other.v)), cosine = vf_abs(dot), sign = vf_xor(dot, cosine);
    const vf4 difference = {{vf_sub(vf_xor(q.v.x, sign), other.v.x), vf_sub(vf_xor(q.v.y, sign), other.v.y),
                             vf_sub(vf_xor(q.v.z, sign), other.v.z)},
                            vf_sub(vf_xor(q.w, sign), other.w)};
    return (quaternion_change){difference, cosine};
}

/* Components of a displacement below this become 0. Products of larger components are not subnormal. */
#define ORIENTATION_LEAST 0x1p-62f

/* q other^-1, the short way. Its vector part is that of (q - other) other^-1: nothing cancels where they are near each
   other, and it is 0 where they are equal. */
VF_INLINE vf4 short_turn(vf4 q, vf4 other)
{
    const quaternion_change change = short_difference(q, other);
    const vf3 v = vf3_zero_below(ORIENTATION_LEAST, change.difference.v);
    const vf w = vf_zero_where(vf_lt(vf_abs(change.difference.w), vf_set1(ORIENTATION_LEAST)), change.difference.w);
    const vf3 across = vf3_neg_scale_add(w, other.v, vf3_cross(other.v, v));
    return (vf4){vf3_scale_add(other.w, v, across), change.cosine};
}

/* p q as q + (p - 1) q, with p = (v, 1 + w_minus_1): a small turn is rounded once. */
VF_INLINE vf4 turned_by(vf3 v, vf w_minus_1, vf4 q) { return vf4_add(q, quaternion_product((vf4){v, w_minus_1}, q)); }

/* Components of a rotation vector below 2^-30 rad change no product with it by as much as half an ulp of the sum that
   it is added to. They are set to 0, so that products of two small numbers are not subnormal. */
VF_INLINE vf3 turning_part(vf3 y) { return vf3_zero_below(0x1p-30f, y); }

VF_INLINE vm is_zero(vf3 a)
{
    const vf zero = vf_set1(0);
    return vm_and(vm_and(vf_eq(a.x, zero), vf_eq(a.y, zero)), vf_eq(a.z, zero));
}

/* Whether |a| is within a limit, of which the inverse is given. */
VF_INLINE vm is_within(vf inverse_limit, vf3 a)
{
    return vf_le(vf3_guarded_square(vf3_scale(inverse_limit, a)), vf_set1(1));
}

/* The rotation vector of a turn. Within rounding of half a turn both ways are short, and a spring continues the way it
   turns. */
VF_INLINE vf3 displacement_vector(vf4 turn, vf3 relative)
{
    const vf3 y = quaternion_log(turn);
    const vm is_half_turn = vf_le(turn.w, vf_set1(0x1p-23f));
    if (!vm_any(is_half_turn)) {
        return y;
    }
    return vf3_select(vm_and(is_half_turn, vf_lt(vf_set1(0), vf3_dot(y, relative))), vf3_neg(y), y);
}

/* ---- The stages ---- */

/* y, its rate, and t. The rate is omega - t at first, and then y'. */
typedef struct orientation_motion {
    vf3 y, rate, target_rate;
} orientation_motion;

VF_INLINE orientation_motion orientation_displacement(unsigned has, orientation_settings s, orientation_input in)
{
    const vf zero = vf_set1(0);
    const vf4 before = has & ORIENTATION_MOVING ? in.target_before : in.target;
    const vf3 t = has & ORIENTATION_MOVING ? vf3_scale(s.inverse_dt, quaternion_log(short_turn(in.target, before)))
                                           : (vf3){zero, zero, zero};
    const vf3 relative = vf3_sub(in.omega, t);
    return (orientation_motion){displacement_vector(short_turn(in.orientation, before), relative), relative, t};
}

/* Computes y' before the step, and applies the matrix. */
VF_INLINE orientation_motion orientation_advance(unsigned has, orientation_settings s, orientation_motion l)
{
    const vf3 turning = turning_part(l.y), t = l.target_rate;
    vf3 old_rate = inverse_left_jacobian_mul(turning, half_rotation_of_vector(turning), l.rate);
    if (has & ORIENTATION_MOVING) {
        old_rate = vf3_sub(old_rate, vf3_cross(turning, t));
    }
    vf3 y = vf3_scale_add(s.pos_pos, l.y, vf3_scale(s.pos_vel, old_rate));
    vf3 rate = vf3_scale_add(s.vel_pos, l.y, vf3_scale(s.vel_vel, old_rate));
    if (has & ORIENTATION_MOVING) {
        y = vf3_scale_add(s.pos_rate, t, y);
        rate = vf3_scale_add(s.vel_rate, t, rate);
    }
    return (orientation_motion){vf3_zero_below(ORIENTATION_LEAST, y), vf3_flushed(rate), vf3_scale(s.keeps_rate, t)};
}

VF_INLINE orientation_state orientation_turn(unsigned has, orientation_settings s, vf4 target, orientation_motion l)
{
    const vf3 y = turning_part(l.y), t = l.target_rate;
    const half_rotation by = half_rotation_of_vector(y);
    const vf3 half_y = vf3_scale(vf_mul(vf_set1(0.5f), by.sine), l.y);
    vf4 q = turned_by(half_y, by.cosine_minus_1, target);
    vf3 omega = has & ORIENTATION_MOVING ? vf3_add(left_jacobian_mul(y, by, vf3_add(l.rate, vf3_cross(y, t))), t)
                                         : left_jacobian_mul(y, by, l.rate);
    if (has & ORIENTATION_REST) {
        const vm rests = vm_and(is_within(s.inverse_rest_sine, half_y), is_within(s.inverse_rest_speed, omega));
        q = vf4_select(rests, target, q);
        omega = (vf3){vf_zero_where(rests, omega.x), vf_zero_where(rests, omega.y), vf_zero_where(rests, omega.z)};
    }
    return (orientation_state){q, omega};
}

VF_INLINE vm is_equal(vf3 a, vf3 b) { return vm_and(vm_and(vf_eq(a.x, b.x), vf_eq(a.y, b.y)), vf_eq(a.z, b.z)); }

/* Where a number compares unequal, or is NaN. */
VF_INLINE vm orientation_differs(orientation_state a, orientation_state b)
{
    const vm same_q = vm_and(is_equal(a.orientation.v, b.orientation.v), vf_eq(a.orientation.w, b.orientation.w));
    return vm_not(vm_and(same_q, is_equal(a.omega, b.omega)));
}

/* Where a spring turns, or is away from its target, or is NaN. */
VF_INLINE vm orientation_is_unsettled(orientation_state state, vf4 target)
{
    const vf4 d = short_difference(state.orientation, target).difference;
    return vm_not(vm_and(vm_and(is_zero(d.v), vf_eq(d.w, vf_set1(0))), is_zero(state.omega)));
}

#endif
