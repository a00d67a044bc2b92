/* Kicks: what a torque and damping add to the momentum.

   A step is a kick, a drift and a kick. With damping k the momentum decays by e^(-k t), and the drift, which turns the
   body along the path of constant momentum, takes the time (1 - e^(-k h)) / k. With a torque each kick is
   tau tanh(k h / 2) / k, which makes the momentum exact. Where the torque is the world's, both kicks and the decay are
   one sum, because the drift does not change the momentum. */
#ifndef GYRE_BODY_TORQUE_H
#define GYRE_BODY_TORQUE_H

#include "body/memory-inl.h"
#include "math/scalar.h"

/* ---- Coefficients of a call, in double ---- */

/* Finite as a float. */
static double bounded_for_float(double a) { return a > 0x1p127 ? 0x1p127 : a < -0x1p127 ? -0x1p127 : a; }

static body_kicks kicks_of(double damping, double dt_s)
{
    if (damping == 0) {
        return (body_kicks){{0, dt_s}, 0.5 * dt_s, 1};
    }
    const double h = scalar_abs(dt_s), y = damping * h, mean = scalar_mean_decay(y), left = scalar_exp(-y);
    const double forwards = dt_s < 0 ? 1 / left : 1; /* backwards everything grows by as much */
    const double decay = bounded_for_float((dt_s < 0 ? y : -y) * mean * forwards);
    const double time = bounded_for_float(dt_s * mean * forwards);
    return (body_kicks){{decay, time}, dt_s * mean / (1 + left), time / (float)time};
}

/* ---- Without low parts ---- */

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

/* ---- With low parts ---- */

/* Numbers as floats, their low parts, and what rounding those leaves. */
typedef struct vf3_parts {
    vf3 high, low, rest;
} vf3_parts;

/* Of near + off, where near is nothing or a float near the sum, so that no digit of `off` is lost. */
VF_INLINE void vd_split(vf *high, vf *low, vf *rest, int half, vd near, vd off)
{
    const vd rounded = vd_rounded_to_float(vd_add(near, off)), of_low = vd_add(vd_sub(near, rounded), off);
    const vd rounded_low = vd_rounded_to_float(of_low);
    vd_store(high, half, rounded);
    vd_store(low, half, rounded_low);
    vd_store(rest, half, vd_sub(of_low, rounded_low));
}

/* Half a vector of them. */
VF_INLINE void vd3_split(vf3_parts *parts, int half, vd3 near, vd3 off)
{
    vd_split(&parts->high.x, &parts->low.x, &parts->rest.x, half, near.x, off.x);
    vd_split(&parts->high.y, &parts->low.y, &parts->rest.y, half, near.y, off.y);
    vd_split(&parts->high.z, &parts->low.z, &parts->rest.z, half, near.z, off.z);
}

/* The low part, rounded at random: a steady kick would be rounded the same way for many steps. */
VF_INLINE vf low_at_random(vf low, vf rest, vi bits)
{
    const vf sum = vf_add(low, vf_add(rest, rounding_noise(bits, low)));
    return vf_flushed(vf_select(vf_eq(rest, vf_set1(0)), low, sum));
}

/* All of the bits of three numbers, of which two may be 0. */
VF_INLINE vi rotated_bits(vf3 a)
{
    return vi_add(vf_bits(a.x), vi_add(ROTATED_BITS(vf_bits(a.y), 9), ROTATED_BITS(vf_bits(a.z), 18)));
}

VF_INLINE vf3 momentum_low_at_random(const vf3_parts *p)
{
    const vi bits = hashed_bits(vi_add(hashed_bits(rotated_bits(p->low)), rotated_bits(p->rest)));
    return (vf3){low_at_random(p->low.x, p->rest.x, bits), low_at_random(p->low.y, p->rest.y, ROTATED_BITS(bits, 8)),
                 low_at_random(p->low.z, p->rest.z, ROTATED_BITS(bits, 16))};
}

/* L + decay L + of_torque tau, where L is the sum of high and low. */
VF_INLINE void kick_half(vf3_parts *parts, int half, vd3 high, vd3 low, body_kick kick, vd3 torque)
{
    const vd3 damped = vd3_scale_add(vd_set1(kick.decay), vd3_add(high, low), low);
    vd3_split(parts, half, high, vd3_scale_add(vd_set1(kick.of_torque), torque, damped));
}

/* ---- Of bodies in the arrays ---- */

/* Momenta before the drift, where those in the caller's arrays are the ones at the end of the step. */
typedef struct body_momenta {
    float high[3][BODY_BLOCK], low[3][BODY_BLOCK];
} body_momenta;

/* A vector of bodies as a kick sees it. */
typedef struct body_pushed {
    vf4 orientation;
    vf3 momentum, momentum_low, torque;
} body_pushed;

VF_INLINE body_pushed load_pushed(bool momentum_low, const gyre_bodies *b, size_t i, size_t n)
{
    float *const *q = b->orientation, *const *m = b->momentum, *const *low = b->momentum_low;
    const float *const *t = b->torque;
    const vf zero = vf_set1(0);
    const vf3 nothing = {zero, zero, zero};
    return (body_pushed){
        vf4_load_n(q, i, n),
        vf3_load_n(m[0], m[1], m[2], i, n),
        momentum_low ? vf3_load_n(low[0], low[1], low[2], i, n) : nothing,
        t[0] != NULL ? vf3_load_n(t[0], t[1], t[2], i, n) : nothing,
    };
}

VF_INLINE vf3 vf3_or_nan(vm valid, vf3 a)
{
    const vf nan = vf_set1(NAN);
    return vf3_select(valid, a, (vf3){nan, nan, nan});
}

/* With low parts, of n bodies from i on; NaN of those that are not valid. */
VF_INLINE void store_momentum(const gyre_bodies *b, size_t i, const vf3_parts *momentum, vm valid, size_t n)
{
    vf3_store_n(b->momentum, vf3_or_nan(valid, vf3_flushed(momentum->high)), i, n);
    vf3_store_n(b->momentum_low, vf3_or_nan(valid, momentum_low_at_random(momentum)), i, n);
}

/* Momenta before the drift, and those at the end of the step in the caller's arrays. */
VF_INLINE void kick_vector(bool damped, const gyre_bodies *b, const body_kicks *kicks, size_t i, size_t n, vf3 *drift)
{
    const body_pushed p = load_pushed(false, b, i, n);
    vf3 kick = vf3_scale(vf_set1((float)kicks->end.of_torque), p.torque);
    if (damped) {
        kick = vf3_scale_add(vf_set1((float)kicks->end.decay), p.momentum, kick);
    }
    vf3_store_n(b->momentum, kicked_momentum(p.momentum, kick, p.orientation), i, n);
    *drift = vf3_scale_add(vf_set1((float)kicks->of_torque), p.torque, p.momentum);
}

/* The drift's momenta are for its time rounded to float. */
VF_INLINE void kick_precisely(const gyre_bodies *b, const body_kicks *kicks, size_t i, size_t n, vf3_parts *drift)
{
    const body_pushed p = load_pushed(true, b, i, n);
    const vd zero = vd_set1(0);
    const vd3 nothing = {zero, zero, zero};
    vf3_parts end;
    for (int half = 0; half < 2; half++) {
        const vd3 high = vd3_load(&p.momentum, half), low = vd3_load(&p.momentum_low, half);
        const vd3 torque = vd3_load(&p.torque, half);
        const vd3 before = vd3_scale_add(vd_set1(kicks->of_torque), torque, vd3_add(high, low));
        kick_half(&end, half, high, low, kicks->end, torque);
        vd3_split(drift, half, nothing, vd3_scale(vd_set1(kicks->of_drift), before));
    }
    store_momentum(b, i, &end, vm_first(n), n);
}

/* Of n bodies from i on. */
VF_INLINE void kick_each(bool damped, const gyre_bodies *b, const body_kicks *kicks, size_t i, size_t n,
                         body_momenta *drift)
{
    for (size_t v = 0; v * VF_LANES < n; v++) {
        float *const to[] = {drift->high[0], drift->high[1], drift->high[2]};
        vf3 momentum;
        kick_vector(damped, b, kicks, i + v * VF_LANES, vf_lanes_left(v * VF_LANES, n), &momentum);
        vf3_store_n(to, momentum, v * VF_LANES, VF_LANES);
    }
}

static __attribute__((noinline)) void kick_each_precisely(const gyre_bodies *b, const body_kicks *kicks, size_t i,
                                                          size_t n, body_momenta *drift)
{
    for (size_t v = 0; v * VF_LANES < n; v++) {
        float *const to[] = {drift->high[0], drift->high[1], drift->high[2]};
        float *const to_low[] = {drift->low[0], drift->low[1], drift->low[2]};
        vf3_parts momentum;
        kick_precisely(b, kicks, i + v * VF_LANES, vf_lanes_left(v * VF_LANES, n), &momentum);
        vf3_store_n(to, momentum.high, v * VF_LANES, VF_LANES);
        vf3_store_n(to_low, momentum.low, v * VF_LANES, VF_LANES);
    }
}

VF_INLINE void kick(const gyre_bodies *b, const body_kicks *kicks, size_t i, size_t n, body_momenta *drift)
{
    if (b->momentum_low[0] != NULL) {
        kick_each_precisely(b, kicks, i, n, drift);
    } else if (kicks->end.decay != 0) {
        kick_each(true, b, kicks, i, n, drift);
    } else {
        kick_each(false, b, kicks, i, n, drift);
    }
}

/* Explicit Euler changes the momentum in the drift, and decay and the kick behind it come after that. All bodies take
   the same number of sub-steps there, so a block ends together. */
VF_INLINE void store_euler_momentum(const gyre_bodies *b, const body_kicks *kicks, const body_lanes *lanes, size_t i,
                                    size_t n)
{
    const vf unscale = vf_div(vf_set1(1), lanes->scale);
    const bool has_low = b->momentum_low[0] != NULL;
    const body_pushed p = load_pushed(has_low, b, i, n);
    if (!has_low) {
        vf3 momentum = vf3_scale(unscale, lanes->momentum);
        if (kicks->end.decay != 0) {
            momentum = vf3_scale_add(vf_set1((float)kicks->end.decay), momentum, momentum);
        }
        momentum = vf3_scale_add(vf_set1((float)kicks->of_torque), p.torque, momentum);
        vf3_store_n(b->momentum, vf3_flushed(momentum), i, n);
        return;
    }
    vf3_parts momentum;
    for (int half = 0; half < 2; half++) {
        const vd scale = vd_load(&unscale, half);
        const vd3 high = vd3_scale(scale, vd3_load(&lanes->momentum, half));
        const vd3 low = vd3_scale(scale, vd3_load(&lanes->momentum_low, half));
        const body_kick behind = {kicks->end.decay, kicks->of_torque};
        kick_half(&momentum, half, high, low, behind, vd3_load(&p.torque, half));
    }
    store_momentum(b, i, &momentum, vm_first(n), n);
}

/* ---- Kicks without a drift: those of torques in the body's frame, and the caller's ---- */

/* R(q) tau, of an orientation of any valid length; else NaN. */
VF_INLINE vf3 torque_in_world(const body_pushed *p)
{
    const vf4 q = vf4_scale(unit_scale(NEARLY_UNIT, vf4_square(p->orientation)), p->orientation);
    const vf4 conjugate = {vf3_neg(q.v), q.w};
    return momentum_in_body(conjugate, p->torque, vf4_square(q), vf_set1(1));
}

/* The same in double, by the sum of the orientation and its low parts. */
VF_INLINE vd3 precise_torque_in_world(const body_pushed *p, vf4 low, int half)
{
    const vd one = vd_set1(1);
    const vf scale = unit_scale(NEARLY_UNIT, vf4_square(p->orientation));
    const vd s = vd_load(&scale, half);
    const vd4 sum = vd4_add(vd4_load(&p->orientation, half), vd4_load(&low, half));
    const vd4 conjugate = {vd3_scale(vd_sub(vd_set1(0), s), sum.v), vd_mul(s, sum.w)};
    const vd square = vd4_square(conjugate);
    return precise_momentum_in_body(conjugate, vd3_load(&p->torque, half), vd_sub(vd_set1(2), vd_div(one, square)),
                                    one);
}

VF_INLINE void kick_alone_vector(const gyre_bodies *b, float of_torque, size_t i, size_t n, vm valid)
{
    const body_pushed p = load_pushed(false, b, i, n);
    const vf3 torque = b->torque_in_body ? torque_in_world(&p) : p.torque;
    const vf3 momentum = kicked_momentum(p.momentum, vf3_scale(vf_set1(of_torque), torque), p.orientation);
    vf3_store_n(b->momentum, vf3_or_nan(valid, momentum), i, n);
}

VF_INLINE void kick_alone_precisely(const gyre_bodies *b, double of_torque, size_t i, size_t n, vm valid)
{
    const body_pushed p = load_pushed(true, b, i, n);
    const vf4 orientation_low = orientation_low_of(b, i, n);
    vf3_parts momentum;
    for (int half = 0; half < 2; half++) {
        const vd3 torque =
            b->torque_in_body ? precise_torque_in_world(&p, orientation_low, half) : vd3_load(&p.torque, half);
        const vd3 high = vd3_load(&p.momentum, half), low = vd3_load(&p.momentum_low, half);
        kick_half(&momentum, half, high, low, (body_kick){0, of_torque}, torque);
    }
    store_momentum(b, i, &momentum, valid, n);
}

/* Bodies begin..end-1, by the torque for of_torque s. Returns whether all are valid; momenta of the others become NaN.
 */
static bool kick_alone(const gyre_bodies *b, double of_torque, size_t begin, size_t end)
{
    bool all_valid = true;
    for (size_t i = begin, n; i < end; i += n) {
        n = vf_lanes_left(i, end);
        const vm valid = are_valid(b, i, n);
        all_valid &= vm_count(vm_and(vm_first(n), valid)) == n;
        if (b->momentum_low[0] != NULL) {
            kick_alone_precisely(b, of_torque, i, n, valid);
        } else {
            kick_alone_vector(b, (float)of_torque, i, n, valid);
        }
    }
    return all_valid;
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
    /* tanh(k t) / k is that of a step of 2 t */
    const double of_torque = kicks_of(bodies->angular_damping, 2.0 * dt_s).of_torque;
    return kick_alone(bodies, of_torque, begin, end) ? GYRE_OK : GYRE_INCOMPLETE;
}

#endif
