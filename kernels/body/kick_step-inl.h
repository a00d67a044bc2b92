/* Kicks: the change of momentum by a torque and damping, as functions of values.

   A step is a kick, a drift and a kick. With damping k the momentum decays by e^(-k t), and the drift, which turns the
   body along the path of constant momentum, takes the time (1 - e^(-k h)) / k. With a torque each kick is
   tau tanh(k h / 2) / k, which makes the momentum exact. If the torque is in the world, both kicks and the decay are
   one sum, because the drift does not change the momentum. */
#ifndef GYRE_BODY_KICK_STEP_H
#define GYRE_BODY_KICK_STEP_H

#include "body/step-inl.h"
#include "scalar/elementary.h"

/* ---- Coefficients of a call, in double ---- */

/* A kick changes the momentum L by decay L + of_torque tau. */
typedef struct body_kick {
    double decay;     /* e^(-k h) - 1, the change by damping as a fraction of the momentum */
    double of_torque; /* s */
} body_kick;

typedef struct body_kicks {
    body_kick end;    /* of the whole step */
    double of_torque; /* s, tanh(k h / 2) / k: for the kick before the drift */
    double of_drift;  /* the time of the drift divided by that time rounded to float */
} body_kicks;

/* Limited to the range of float. */
VF_INLINE double bounded_for_float(double a) { return a > 0x1p127 ? 0x1p127 : a < -0x1p127 ? -0x1p127 : a; }

/* Growth by e^700 overflows every float but 0. */
VF_RARE body_kicks damped_kicks_of(double damping, double dt_s)
{
    const double h = scalar_abs(dt_s), all = damping * h, y = dt_s < 0 && all > 700 ? 700 : all;
    const double mean = scalar_mean_decay(y), left = scalar_exp(-y);
    const double forwards = dt_s < 0 ? 1 / left : 1; /* backwards, everything grows by the same factor */
    const double decay = (dt_s < 0 ? y : -y) * mean * forwards;
    const double time = bounded_for_float(dt_s * mean * forwards);
    return (body_kicks){{decay, time}, dt_s * mean / (1 + left), time / (float)time};
}

VF_INLINE body_kicks kicks_of(double damping, double dt_s)
{
    return damping == 0 ? (body_kicks){{0, dt_s}, 0.5 * dt_s, 1} : damped_kicks_of(damping, dt_s);
}

/* ---- Without low parts ---- */

/* The state of a body used in a kick. */
typedef struct body_pushed {
    vf4 orientation;
    vf3 momentum, momentum_low, torque;
} body_pushed;

/* A pseudo-random float in +-ulp/2. Near the ends its steps are 2^-25 ulp, and a sum half-way between two floats rounds
   to even, so the mean of kicks is exact to about that much. Below a power of two the ulp is half as large, and so is
   the noise there: otherwise no small kick would ever cross the power. */
VF_INLINE vf rounding_noise(vi bits, vf near)
{
    const vf one = vf_set1(1);
    vf power = vf_from_bits(vi_and(vf_bits(near), vi_set1(0x7f800000)));
    vf noise = vf_mul(vf_mul(vi_to_vf(bits), vf_set1(0x1p-55f)), power);
    vm is_power = vi_disjoint(vf_bits(near), vi_set1(0x007fffff));
    if (vm_any(is_power)) {
        vm inward = vf_lt(vf_mul(vf_copysign(one, near), noise), vf_set1(0));
        noise = vf_select(vm_and(is_power, inward), vf_mul(vf_set1(0.5f), noise), noise);
    }
    return noise;
}

/* L + kick, rounded up or down at random with odds that make the mean exact: a torque too small to show in one step
   shows over many. */
VF_INLINE vf kicked(vf momentum, vf kick, vi bits)
{
    vf sum = vf_add(momentum, kick), shadow = vf_sub(sum, momentum);
    vf lost = vf_add(vf_sub(momentum, vf_sub(sum, shadow)), vf_sub(kick, shadow));
    /* where the sum is infinite, `lost` is NaN, and the minimum is not */
    vf result = vf_add(sum, vf_min(vf_add(lost, rounding_noise(bits, sum)), vf_set1(0x1p120f)));
    return vf_select(vf_eq(kick, vf_set1(0)), momentum, result);
}

/* Random bits for another axis: the same bits, rotated (the sign is copied into the vacated places). A macro, because
   shifts are by constants. */
#define ROTATED_BITS(bits, left) vi_xor(vi_shl(bits, left), vi_sar(bits, 32 - (left)))

/* The orientation serves only as a source of random bits, because a slow body's momentum keeps its bits for many
   steps. */
VF_INLINE vf3 kicked_momentum(vf3 momentum, vf3 kick, vf4 q)
{
    vi bits = hashed_bits(vi_add(orientation_bits(q), vi_shl(combined_bits(momentum), 3)));
    return (vf3){kicked(momentum.x, kick.x, bits), kicked(momentum.y, kick.y, ROTATED_BITS(bits, 8)),
                 kicked(momentum.z, kick.z, ROTATED_BITS(bits, 16))};
}

/* The momentum at the end of the step. `damped`: a constant, whether kick.decay is not 0. */
VF_INLINE vf3 momentum_after(bool damped, body_kick kick, body_pushed p)
{
    vf3 all = vf3_scale(vf_set1((float)kick.of_torque), p.torque);
    if (damped) {
        all = vf3_scale_add(vf_set1((float)kick.decay), p.momentum, all);
    }
    return kicked_momentum(p.momentum, all, p.orientation);
}

/* The momentum during the drift. */
VF_INLINE vf3 momentum_in_drift(body_kicks kicks, body_pushed p)
{
    return vf3_scale_add(vf_set1((float)kicks.of_torque), p.torque, p.momentum);
}

/* Explicit Euler changes the momentum in the drift: applies decay and the kick after it. */
VF_INLINE vf3 momentum_after_euler(body_kicks kicks, body_pushed p)
{
    const vf decay = vf_set1((float)kicks.end.decay);
    const vf3 momentum = kicks.end.decay != 0 ? vf3_scale_add(decay, p.momentum, p.momentum) : p.momentum;
    return vf3_scale_add(vf_set1((float)kicks.of_torque), p.torque, momentum);
}

/* ---- Momenta next to 0 ---- */

typedef struct settled_momentum {
    vf3 momentum;
    vm lost; /* bodies that lost enough to turn by 2^-49 rad or more in the step */
} settled_momentum;

/* Bodies with a component that is tiny, or 0. */
VF_INLINE vm may_be_tiny(vf3 momentum) { return vf_lt(vf3_min(vf3_abs(momentum)), vf_set1(0x1p-95f)); }

/* Below `limit`, but not 0. */
VF_INLINE vm is_below(vf limit, vf a) { return vm_and(vf_lt(vf_abs(a), limit), vm_not(vf_eq(a, vf_set1(0)))); }

/* Kicks write no subnormal numbers, which are slow. Damping brings a body to rest: without a torque, a component below
   2^-95 becomes 0 as soon as it turns its body by less than 2^-49 rad in a step. What no kick changes keeps its bits. */
VF_INLINE settled_momentum settled(bool damped, vf3 momentum, vf3 torque, vf3 inertia, double time_s)
{
    const vf zero = vf_set1(0), normal = vf_set1(0x1p-126f);
    const vf of_turn = vf_div(vf_mul(vf_set1(0x1p-49f), vf3_min(inertia)), vf_set1((float)scalar_abs(time_s)));
    const vf at_rest = damped ? vf_max(normal, vf_min(vf_set1(0x1p-95f), of_turn)) : zero;
    const vm x = is_below(vf_select(vf_eq(torque.x, zero), at_rest, normal), momentum.x);
    const vm y = is_below(vf_select(vf_eq(torque.y, zero), at_rest, normal), momentum.y);
    const vm z = is_below(vf_select(vf_eq(torque.z, zero), at_rest, normal), momentum.z);
    const vm turns = vf_le(of_turn, vf3_max_abs((vf3){vf_select(x, momentum.x, zero), vf_select(y, momentum.y, zero),
                                                      vf_select(z, momentum.z, zero)}));
    return (settled_momentum){
        {vf_zero_where(x, momentum.x), vf_zero_where(y, momentum.y), vf_zero_where(z, momentum.z)},
        vm_and(turns, vm_or(x, vm_or(y, z))),
    };
}

/* R(q) tau, for an orientation of any valid length; otherwise NaN. */
VF_INLINE vf3 torque_in_world(vf4 orientation, vf3 torque)
{
    const vf4 q = vf4_scale(unit_scale(NEARLY_UNIT, vf4_square(orientation)), orientation);
    const vf4 conjugate = {vf3_neg(q.v), q.w};
    return momentum_in_body(conjugate, torque, vf4_square(q), vf_set1(1));
}

/* ---- With low parts ---- */

/* In double: the momentum as the sum of both parts. */
typedef struct precise_pushed {
    vd3 high, low, torque;
} precise_pushed;

/* L + decay L + of_torque tau */
VF_INLINE vd3_parts precisely_kicked(body_kick kick, precise_pushed p)
{
    const vd3 damped = vd3_scale_add(vd_set1(kick.decay), vd3_add(p.high, p.low), p.low);
    return vd3_split(p.high, vd3_scale_add(vd_set1(kick.of_torque), p.torque, damped));
}

/* The momentum during the drift, for the drift's time rounded to float. */
VF_INLINE vd3_parts precise_momentum_in_drift(body_kicks kicks, precise_pushed p)
{
    const vd3 before = vd3_scale_add(vd_set1(kicks.of_torque), p.torque, vd3_add(p.high, p.low));
    return vd3_split(vd3_nothing(), vd3_scale(vd_set1(kicks.of_drift), before));
}

/* The low part, rounded at random: a steady kick would be rounded the same way for many steps. */
VF_INLINE vf low_at_random(vf low, vf rest, vi bits)
{
    const vf sum = vf_add(low, vf_add(rest, rounding_noise(bits, low)));
    return vf_flushed(vf_select(vf_eq(rest, vf_set1(0)), low, sum));
}

/* All bits of three numbers, two of which may be 0. */
VF_INLINE vi rotated_bits(vf3 a)
{
    return vi_add(vf_bits(a.x), vi_add(ROTATED_BITS(vf_bits(a.y), 9), ROTATED_BITS(vf_bits(a.z), 18)));
}

VF_INLINE vf3 momentum_low_at_random(vf3_parts p)
{
    const vi bits = hashed_bits(vi_add(hashed_bits(rotated_bits(p.low)), rotated_bits(p.rest)));
    return (vf3){low_at_random(p.low.x, p.rest.x, bits), low_at_random(p.low.y, p.rest.y, ROTATED_BITS(bits, 8)),
                 low_at_random(p.low.z, p.rest.z, ROTATED_BITS(bits, 16))};
}

/* R(q) tau in double, where q is the sum of the orientation and its low parts, times `scale`. */
VF_INLINE vd3 precise_torque_in_world(vd4 q, vd scale, vd3 torque)
{
    const vd one = vd_set1(1);
    const vd4 conjugate = {vd3_scale(vd_sub(vd_set1(0), scale), q.v), vd_mul(scale, q.w)};
    return precise_momentum_in_body(conjugate, torque, vd_sub(vd_set1(2), vd_div(one, vd4_square(conjugate))), one);
}

#endif
