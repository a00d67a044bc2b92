/* Kicks of bodies in the caller's arrays, and gyre_bodies_kick. */
#ifndef GYRE_BODY_KICK_H
#define GYRE_BODY_KICK_H

#include "body/lanes-inl.h"

VF_INLINE body_pushed load_pushed(bool momentum_low, const gyre_bodies *b, size_t i, size_t n)
{
    float *const *m = b->momentum;
    const float *const *t = b->torque;
    return (body_pushed){
        vf4_load_n(b->orientation, i, n),
        vf3_load_n(m[0], m[1], m[2], i, n),
        momentum_low ? momentum_low_of(b, i, n) : vf3_nothing(),
        load3_or_nothing(t[0], t[1], t[2], i, n),
    };
}

VF_INLINE precise_pushed half_of_pushed(body_pushed p, int half)
{
    return (precise_pushed){vd3_from_half(p.momentum, half), vd3_from_half(p.momentum_low, half),
                            vd3_from_half(p.torque, half)};
}

/* Stores momenta after a kick, for n bodies from i on. Returns how many lost a momentum that turns them. */
VF_INLINE size_t store_momentum(bool damped, const gyre_bodies *b, body_kick kick, vf3 torque, vf3 momentum, size_t i,
                                size_t n)
{
    size_t lost = 0;
    if (vm_any(may_be_tiny(momentum))) {
        const settled_momentum s = settled(damped, momentum, torque, inertia_of(b, i, n), kick.of_torque);
        momentum = s.momentum;
        lost = vm_count(vm_and(vm_first(n), s.lost));
    }
    vf3_store_n(b->momentum, momentum, i, n);
    return lost;
}

/* The same with low parts, if the caller keeps those. Without damping both parts keep their bits where there is no
   torque. */
VF_INLINE size_t store_momentum_precisely(const gyre_bodies *b, body_kick kick, body_pushed p, vf3_parts momentum,
                                          size_t i, size_t n)
{
    const bool damped = kick.decay != 0;
    vf3 high = momentum.high, low = momentum_low_at_random(momentum);
    const vm kept = vf3_is_zero(p.torque);
    if (!damped && vm_any(kept)) {
        high = vf3_select(kept, p.momentum, high);
        low = vf3_select(kept, p.momentum_low, low);
    }
    if (b->momentum_low[0] != NULL) {
        vf3_store_n(b->momentum_low, low, i, n);
    }
    return store_momentum(damped, b, kick, p.torque, high, i, n);
}

/* ---- With a drift ---- */

/* Momenta before the drift, when those in the caller's arrays are the ones at the end of the step. */
typedef struct body_momenta {
    float high[3][BODY_BLOCK], low[3][BODY_BLOCK];
} body_momenta;

/* Kicks n bodies from i on. Returns how many lost a momentum that turns them. */
VF_INLINE size_t kick_each(bool damped, const gyre_bodies *b, const body_kicks *kicks, size_t i, size_t n,
                         body_momenta *drift)
{
    float *const to[] = {drift->high[0], drift->high[1], drift->high[2]};
    size_t lost = 0;
    for (size_t v = 0; v * VF_LANES < n; v++) {
        const size_t k = i + v * VF_LANES, here = vf_lanes_left(v * VF_LANES, n);
        const body_pushed p = load_pushed(false, b, k, here);
        lost += store_momentum(damped, b, kicks->end, p.torque, momentum_after(damped, kicks->end, p), k, here);
        vf3_store_n(to, momentum_in_drift(*kicks, p), v * VF_LANES, VF_LANES);
    }
    return lost;
}

VF_SHARED size_t kick_each_precisely(const gyre_bodies *b, const body_kicks *kicks, size_t i, size_t n,
                                     body_momenta *drift)
{
    float *const to[] = {drift->high[0], drift->high[1], drift->high[2]};
    float *const to_low[] = {drift->low[0], drift->low[1], drift->low[2]};
    size_t lost = 0;
    for (size_t v = 0; v * VF_LANES < n; v++) {
        const size_t k = i + v * VF_LANES, here = vf_lanes_left(v * VF_LANES, n);
        const body_pushed p = load_pushed(true, b, k, here);
        const precise_pushed first = half_of_pushed(p, 0), second = half_of_pushed(p, 1);
        const vf3_parts end =
            vf3_parts_from_halves(precisely_kicked(kicks->end, first), precisely_kicked(kicks->end, second));
        const vf3_parts in_drift =
            vf3_parts_from_halves(precise_momentum_in_drift(*kicks, first), precise_momentum_in_drift(*kicks, second));
        lost += store_momentum_precisely(b, kicks->end, p, end, k, here);
        vf3_store_n(to, in_drift.high, v * VF_LANES, VF_LANES);
        vf3_store_n(to_low, in_drift.low, v * VF_LANES, VF_LANES);
    }
    return lost;
}

/* With low parts in double, and also where a momentum grows by a factor that is out of the range of float. */
static inline bool is_kicked_precisely(const gyre_bodies *b, const body_kicks *kicks)
{
    return b->momentum_low[0] != NULL || kicks->end.decay > 0x1p126;
}

VF_INLINE size_t kick(const gyre_bodies *b, const body_kicks *kicks, size_t i, size_t n, body_momenta *drift)
{
    if (is_kicked_precisely(b, kicks)) {
        return kick_each_precisely(b, kicks, i, n, drift);
    }
    return kicks->end.decay != 0 ? kick_each(true, b, kicks, i, n, drift) : kick_each(false, b, kicks, i, n, drift);
}

/* Explicit Euler changes the momentum in the drift: p has the new one, in units of 1 / unscale. */
VF_INLINE vd3_parts precisely_kicked_after_euler(body_kick after, body_pushed p, vf unscale, int half)
{
    const vd scale = vd_from_half(unscale, half);
    precise_pushed precise = half_of_pushed(p, half);
    precise.high = vd3_scale(scale, precise.high);
    precise.low = vd3_scale(scale, precise.low);
    return precisely_kicked(after, precise);
}

/* Decay and the kick after such a drift. All bodies take the same number of sub-steps there, so a block ends
   together. */
VF_INLINE size_t store_euler_momentum(const gyre_bodies *b, const body_kicks *kicks, const body_lanes *lanes, size_t i,
                                      size_t n)
{
    const vf unscale = vf_div(vf_set1(1), lanes->scale);
    body_pushed p = load_pushed(false, b, i, n);
    p.momentum = lanes->body.momentum;
    const body_kick after = {kicks->end.decay, kicks->of_torque};
    if (!is_kicked_precisely(b, kicks)) {
        p.momentum = vf3_scale(unscale, p.momentum);
        return store_momentum(after.decay != 0, b, after, p.torque, momentum_after_euler(*kicks, p), i, n);
    }
    p.momentum_low = lanes->body.momentum_low;
    const vd3_parts first = precisely_kicked_after_euler(after, p, unscale, 0);
    const vf3_parts end = vf3_parts_from_halves(first, precisely_kicked_after_euler(after, p, unscale, 1));
    p.momentum = vf3_scale(unscale, p.momentum);
    p.momentum_low = vf3_scale(unscale, p.momentum_low);
    return store_momentum_precisely(b, after, p, end, i, n);
}

/* ---- Without a drift: for torques in the body's frame, and for calls of gyre_bodies_kick ---- */

VF_INLINE vd3_parts precisely_kicked_alone(bool in_body, body_kick kick, body_pushed p, vf4 low, int half)
{
    precise_pushed precise = half_of_pushed(p, half);
    if (in_body) {
        const vd4 q = vd4_add(vd4_from_half(p.orientation, half), vd4_from_half(low, half));
        const vf scale = unit_scale(NEARLY_UNIT, vf4_square(p.orientation));
        precise.torque = precise_torque_in_world(q, vd_from_half(scale, half), precise.torque);
    }
    return precisely_kicked(kick, precise);
}

/* What became of the bodies of a call. */
typedef struct body_kicked {
    bool all_valid;
    uint64_t lost; /* those that lost a momentum that turns them */
} body_kicked;

/* Kicks n bodies from i on, with the torque acting for of_torque s. Momenta of invalid bodies become NaN. */
VF_INLINE body_kicked kick_alone_vector(bool precise, const gyre_bodies *b, double of_torque, size_t i, size_t n)
{
    const body_kick kick = {0, of_torque};
    const vf4 low = load4_or_nothing(b->orientation_low, i, n);
    body_pushed p = load_pushed(precise, b, i, n);
    const vm valid = vm_and(is_valid_shape(p.orientation, low, inertia_of(b, i, n)),
                            are_finite_vectors(p.momentum, p.momentum_low, p.torque));
    p.momentum = vf3_or_nan(valid, p.momentum);
    p.momentum_low = vf3_or_nan(valid, p.momentum_low);
    size_t lost;
    if (precise) {
        const vd3_parts first = precisely_kicked_alone(b->torque_in_body, kick, p, low, 0);
        const vd3_parts second = precisely_kicked_alone(b->torque_in_body, kick, p, low, 1);
        lost = store_momentum_precisely(b, kick, p, vf3_parts_from_halves(first, second), i, n);
    } else {
        const vf3 torque = b->torque_in_body ? torque_in_world(p.orientation, p.torque) : p.torque;
        const vf3 momentum = kicked_momentum(p.momentum, vf3_scale(vf_set1((float)of_torque), torque), p.orientation);
        lost = store_momentum(false, b, kick, torque, vf3_or_nan(valid, momentum), i, n);
    }
    return (body_kicked){vm_count(vm_and(vm_first(n), valid)) == n, lost};
}

/* Kicks bodies begin..end-1. */
static body_kicked kick_alone(const gyre_bodies *b, double of_torque, size_t begin, size_t end)
{
    const bool precise = b->momentum_low[0] != NULL;
    body_kicked all = {true, 0};
    for (size_t i = begin, n; i < end; i += n) {
        n = vf_lanes_left(i, end);
        const body_kicked these =
            precise ? kick_alone_vector(true, b, of_torque, i, n) : kick_alone_vector(false, b, of_torque, i, n);
        all.all_valid &= these.all_valid;
        all.lost += these.lost;
    }
    return all;
}

GYRE_KERNEL_FUNCTION gyre_status bodies_kick(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(dt_s) || !is_finite_not_negative(bodies->angular_damping)) {
        return GYRE_ERROR_VALUE;
    }
    const gyre_status status = check_bodies(bodies, begin, end);
    if (status != GYRE_OK || begin == end || dt_s == 0 || bodies->torque[0] == NULL) {
        return status;
    }
    /* tanh(k t) / k is the value for a step of 2 t */
    const double of_torque = kicks_of(bodies->angular_damping, 2.0 * dt_s).of_torque;
    const body_kicked kicked = kick_alone(bodies, of_torque, begin, end);
    return kicked.all_valid && kicked.lost == 0 ? GYRE_OK : GYRE_INCOMPLETE;
}

#endif
