/* How a sub-step changes an orientation without a bias in its rounding, and the momentum that the body sees: see
   "Rounding the orientation" in README.md. */
#ifndef GYRE_BODY_ORIENTATION_H
#define GYRE_BODY_ORIENTATION_H

#include "body/state-inl.h"

/* ---- The momentum in the body's frame ---- */

/* How far |q|^2 may be from 1 where a correction of first order is enough: it leaves (|q|^2 - 1)^2, at most half an
   ulp. A length of 1 + 2^-13 is within the limit, its square rounded. */
#define NEARLY_UNIT 0x1.003p-12f

/* The factor that gives a quaternion the length 1; 1 where |q|^2 is within the limit, NaN where the length is not
   between 2^-50 and 2^50. */
VF_INLINE vf unit_scale(float limit, vf square)
{
    const vf one = vf_set1(1);
    vm valid = vm_and(vf_lt(vf_set1(0x1p-100f), square), vf_lt(square, vf_set1(0x1p100f)));
    vf scale = vf_select(vf_is_unit_within(limit, square), one, vf_div(one, vf_sqrt(square)));
    return vf_select(valid, scale, vf_set1(NAN));
}

/* s R(q)^T L as the product of quaternions (-v, w) L (v, w). The direction is exact for any |q|; only the length grows
   with |q|^2, and the factor 2 - |q|^2 undoes that to first order. */
VF_INLINE vf3 momentum_in_body(vf4 q, vf3 momentum, vf square, vf s)
{
    vf3 once = vf3_scale_add(q.w, momentum, vf3_cross(momentum, q.v));
    vf3 rest = vf3_scale_add(vf3_dot(q.v, momentum), q.v, vf3_cross(once, q.v));
    vf3 m = vf3_scale_add(q.w, once, rest);
    return vf3_scale(vf_mul(s, vf_sub(vf_set1(2), square)), m);
}

/* The same in double, as M + 2 (2 - |q|^2) (v x (v x M) - w v x M) with M = s L. Rounded to float, the momentum would
   change the energy in every step. */
VF_INLINE vd3 precise_momentum_in_body(vd4 q, vd3 momentum, vd square, vd s)
{
    vd twice = vd_sub(vd_set1(4), vd_add(square, square));
    vd3 scaled = vd3_scale(s, momentum), once = vd3_cross(q.v, scaled);
    vd3 rest = vd3_neg_scale_add(q.w, once, vd3_cross(q.v, once));
    return vd3_scale_add(twice, rest, scaled);
}

/* ---- The sum of orientation and increment ---- */

/* One word of three components that change a little in every step. */
VF_INLINE vi combined_bits(vf3 a)
{
    return vi_add(vf_bits(a.x), vi_add(vi_shl(vf_bits(a.y), 9), vi_shl(vf_bits(a.z), 18)));
}

VF_INLINE vi orientation_bits(vf4 q) { return vi_add(combined_bits(q.v), vi_shl(vf_bits(q.w), 5)); }

/* Pseudo-random bits: the mixing of R. Jenkins' one-at-a-time hash (Dr. Dobb's Journal, September 1997), except that
   shifts to the right copy the sign. With shifts and exclusive or alone the bits of slow bodies follow their regular
   motion, and rounding errors grow several times faster. */
VF_INLINE vi hashed_bits(vi bits)
{
    bits = vi_add(bits, vi_shl(bits, 10));
    bits = vi_xor(bits, vi_sar(bits, 6));
    bits = vi_add(bits, vi_shl(bits, 3));
    bits = vi_xor(bits, vi_sar(bits, 11));
    return vi_add(bits, vi_shl(bits, 15));
}

/* Below 2^-94 it becomes 0, as with vf_flushed, in fewer operations; above 2^-45 it keeps its bits. */
VF_INLINE vf settled_component(vf a)
{
    const vf guard = vf_set1(0x1.8p-70f);
    return vf_sub(vf_add(a, guard), guard);
}

VF_INLINE vf4 vf4_settled(vf4 q)
{
    return (vf4){{settled_component(q.v.x), settled_component(q.v.y), settled_component(q.v.z)},
                 settled_component(q.w)};
}

VF_INLINE vf inverse_slope(vf slope) { return vf_div(slope, vf_mul_add(slope, slope, vf_set1(0x1p-100f))); }

/* A component of the orientation, moved by a few ulps so that the energy gains what it has `lost`. `slope` is the
   energy that a move of 1 gains. */
VF_INLINE vf compensated(vf component, vf slope, vf inverse_slope, vf *lost)
{
    const vf most = vf_set1(0x1p-24f);
    vf wanted = vf_max(vf_min(vf_mul(*lost, inverse_slope), most), vf_neg(most));
    vf other = vf_add(component, wanted);
    *lost = vf_neg_mul_add(slope, vf_sub(other, component), *lost);
    return other;
}

/* Whether a body turns by less than 1/180 rad; `square` is tan^2 of half the angle, or nearly that. */
VF_INLINE vm is_slow(vf square) { return vf_lt(square, vf_set1(0x1p-17f)); }

/* What a turn adds to q. The increment of a slow body would be rounded the same way for thousands of steps. So up to
   2^-22 q, pseudo-random, is added to it: that changes the length and not the direction, and makes the roundings
   independent. The next turn restores the length. */
VF_INLINE vf4 increment_of(vf4 q, body_turn turn)
{
    vf3 across = vf3_add(vf3_scale(q.w, turn.v), vf3_cross(q.v, turn.v));
    vf along = vf3_dot(q.v, turn.v);
    vf4 increment = {vf3_scale_add(turn.n, across, vf3_scale(turn.n_minus_1, q.v)),
                     vf_neg_mul_add(turn.n, along, vf_mul(turn.n_minus_1, q.w))};
    vm slow = is_slow(turn.square);
    if (vm_any(slow)) {
        vi bits = hashed_bits(orientation_bits(q));
        vf noise = vf_select(slow, vf_mul(vi_to_vf(bits), vf_set1(0x1p-53f)), vf_set1(0));
        increment = (vf4){vf3_scale_add(noise, q.v, increment.v), vf_mul_add(noise, q.w, increment.w)};
    }
    return increment;
}

/* q + increment of a fast body, whose energy, and with it the phase of a tumbling body, would wander with the rounding
   of the sum. Two components may move by an ulp to restore the energy that rounding changed; a third would gain a tenth
   more. `uphill` is the axis in the body's frame about which a turn raises the energy fastest, of any length. */
VF_INLINE body_sum orientation_sum(vf4 q, vf4 increment, vf square, vf3 uphill)
{
    vf4 sum = {vf3_add(q.v, increment.v), vf_add(q.w, increment.w)};
    vf3 slope = vf3_add(vf3_scale(q.w, uphill), vf3_cross(q.v, uphill));
    vf4 lost = {vf3_add(vf3_sub(q.v, sum.v), increment.v), vf_add(vf_sub(q.w, sum.w), increment.w)};
    vf of_xy = vf_mul_add(slope.x, lost.v.x, vf_mul(slope.y, lost.v.y));
    vf of_zw = vf_neg_mul_add(vf3_dot(q.v, uphill), lost.w, vf_mul(slope.z, lost.v.z));
    vf energy = vf_add(of_xy, of_zw); /* in two halves: a shorter chain */
    energy = vf_select(is_slow(square), vf_set1(0), energy);
    return (body_sum){sum, slope.y, slope.z, inverse_slope(slope.y), inverse_slope(slope.z), energy};
}

VF_INLINE vf4 energy_kept(body_sum s)
{
    s.q.v.z = compensated(s.q.v.z, s.slope_z, s.inverse_z, &s.lost);
    s.q.v.y = compensated(s.q.v.y, s.slope_y, s.inverse_y, &s.lost);
    return s.q;
}

/* ---- With low parts. ---- */

/* p q */
VF_INLINE vd4 vd4_turned(vd4 p, vd4 q)
{
    const vd3 v = vd3_scale_add(q.w, p.v, vd3_scale_add(p.w, q.v, vd3_cross(p.v, q.v)));
    return (vd4){v, vd_sub(vd_mul(p.w, q.w), vd3_dot(p.v, q.v))};
}

/* s q. The sum with a guard rounds a component below 2^-43 to a multiple of 2^-94; a larger one has no digits below
   2^-95. So neither part of it is subnormal. */
VF_INLINE vd4 vd4_scaled_guarded(vd s, vd4 q)
{
    const vd guard = vd_set1(0x1.8p-42);
    const vd3 v = vd3_scale_add(s, q.v, (vd3){guard, guard, guard});
    return (vd4){{vd_sub(v.x, guard), vd_sub(v.y, guard), vd_sub(v.z, guard)},
                 vd_sub(vd_mul_add(s, q.w, guard), guard)};
}

/* A component as two floats that are it to 2^-48. */
VF_INLINE void store_split(float *high, float *low, vd a)
{
    const vd rounded = vd_rounded_to_float(a);
    vd_to_floats(high, rounded);
    vd_to_floats(low, vd_sub(a, rounded));
}

/* The bodies that turn and have a sub-step to do. In the arrays all have. */
VF_INLINE vm are_turning(const body_block *b, size_t v, vm turned)
{
    return is_gathered(b) ? vm_and(turned, is_moving(&b->lanes[v])) : turned;
}

/* Ends a sub-step. An orientation that does not turn keeps its bits, except for components that are flushed to 0. */
VF_INLINE void finish_substep(const body_block *b, size_t v, vf4 sum, vf square)
{
    vm turning = are_turning(b, v, vf_lt(vf_set1(0), square));
    sum = vf4_settled(sum);
    if (!vm_all(turning)) {
        sum = vf4_select(turning, sum, vf4_flushed(orientation_at(b, v)));
    }
    vf4_store_n(b->orientation, sum, v * b->stride, VF_LANES);
}

VF_INLINE void store_sum(const body_block *b, size_t v, const vd4 sum[2])
{
    for (int half = 0; half < 2; half++) {
        const size_t i = v * b->stride + (size_t)half * VD_LANES;
        store_split(b->orientation[0] + i, b->low[0] + i, sum[half].v.x);
        store_split(b->orientation[1] + i, b->low[1] + i, sum[half].v.y);
        store_split(b->orientation[2] + i, b->low[2] + i, sum[half].v.z);
        store_split(b->orientation[3] + i, b->low[3] + i, sum[half].w);
    }
}

/* The same with low parts, for the sum in double. */
VF_INLINE void finish_precise_substep(const body_block *b, size_t v, const vd4 sum[2], vm turning)
{
    if (vm_all(turning)) {
        store_sum(b, v, sum);
    } else {
        const vf4 high = vf4_flushed(orientation_at(b, v)), low = vf4_flushed(low_at(b, v));
        store_sum(b, v, sum);
        vf4_store_n(b->orientation, vf4_select(turning, orientation_at(b, v), high), v * b->stride, VF_LANES);
        vf4_store_n(b->low, vf4_select(turning, low_at(b, v), low), v * b->stride, VF_LANES);
    }
}

#endif
