/* How a small rotation is added to an orientation so that none of it is lost to rounding: q <- q (n v, 1 + less), as q
   and an increment, which is rounded relative to itself, and once more when it is added. What this second rounding does
   would add up over the steps. */
#ifndef GYRE_BODY_TURN_H
#define GYRE_BODY_TURN_H

#include "body/lanes-inl.h"

/* The quaternion (n v, 1 + less), |its square| = 1 up to rounding. */
typedef struct body_turn {
    vf3 v;
    vf n, less;
    vf square; /* v.v */
} body_turn;

/* One word of three components that change a little in every step, for `scrambled`. */
VF_INLINE vi combined_bits(vf3 a)
{
    return vi_add(vf_bits(a.x), vi_add(vi_shl(vf_bits(a.y), 9), vi_shl(vf_bits(a.z), 18)));
}

VF_INLINE vi orientation_bits(vf4 q) { return vi_add(combined_bits(q.v), vi_shl(vf_bits(q.w), 5)); }

/* Bits that look like chance: the mixing of R. Jenkins' one-at-a-time hash (Dr. Dobb's Journal, September 1997), but
   shifts to the right copy the sign. Shifts and exclusive or alone let slow bodies see their own regular motion, and
   rounding errors grow several times faster. */
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

/* A component of the orientation, moved by some neighbouring floats so that the energy gains what it has `lost`;
   `slope` is what it gains by a move of 1. */
VF_INLINE vf compensated(vf component, vf slope, vf inverse_slope, vf *lost)
{
    const vf most = vf_set1(0x1p-24f);
    vf wanted = vf_max(vf_min(vf_mul(*lost, inverse_slope), most), vf_neg(most));
    vf other = vf_add(component, wanted);
    *lost = vf_neg_mul_add(slope, vf_sub(other, component), *lost);
    return other;
}

/* Whether a body turns by less than 1/180 rad, from tan^2 of half its angle or nearly that. */
VF_INLINE vm is_slow(vf square) { return vf_lt(square, vf_set1(0x1p-17f)); }

/* What a turn adds to an orientation.

   A slow body's increments would be rounded alike for thousands of steps, and the orientation drift with them. So the
   sum is made a little longer or shorter, by up to 2^-22 of itself, as if by chance, which turns nothing but makes each
   rounding independent of the last. The next turn takes the length back. */
VF_INLINE vf4 increment_of(vf4 q, body_turn turn)
{
    vf3 across = vf3_add(vf3_scale(q.w, turn.v), vf3_cross(q.v, turn.v));
    vf along = vf3_dot(q.v, turn.v);
    vf4 increment = {vf3_scale_add(turn.n, across, vf3_scale(turn.less, q.v)),
                     vf_neg_mul_add(turn.n, along, vf_mul(turn.less, q.w))};
    vm slow = is_slow(turn.square);
    if (vm_any(slow)) {
        vi bits = hashed_bits(orientation_bits(q));
        vf noise = vf_select(slow, vf_mul(vi_to_vf(bits), vf_set1(0x1p-53f)), vf_set1(0));
        increment = (vf4){vf3_scale_add(noise, q.v, increment.v), vf_mul_add(noise, q.w, increment.w)};
    }
    return increment;
}

/* q + increment, and what its rounding costs. A fast body's roundings look like chance anyway, but energy, and with it
   the phase of a tumbling body, would wander with them. So two components may move to a neighbouring float where this
   makes up for the energy that rounding gave or took; a third gains a tenth more. */
typedef struct body_sum {
    vf4 q;
    vf slope_y, slope_z;     /* what the energy gains by a move of that component by 1 */
    vf inverse_y, inverse_z; /* 1 / slope, or 0 */
    vf lost;                 /* what it should gain */
} body_sum;

/* `uphill` is where in the body's frame a further turn raises the energy fastest, in any unit. */
VF_INLINE body_sum orientation_sum(vf4 q, vf4 increment, vf square, vf3 uphill)
{
    vf4 sum = {vf3_add(q.v, increment.v), vf_add(q.w, increment.w)};
    vf3 slope = vf3_add(vf3_scale(q.w, uphill), vf3_cross(q.v, uphill));
    vf4 lost = {vf3_add(vf3_sub(q.v, sum.v), increment.v), vf_add(vf_sub(q.w, sum.w), increment.w)};
    vf of_xy = vf_mul_add(slope.x, lost.v.x, vf_mul(slope.y, lost.v.y));
    vf of_zw = vf_neg_mul_add(vf3_dot(q.v, uphill), lost.w, vf_mul(slope.z, lost.v.z));
    vf energy = vf_add(of_xy, of_zw); /* in two halves, for the whole waits for it */
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

/* s q. A component below 2^-43 is rounded to a multiple of 2^-94, by the sum with a grain, and above it has no finer
   digits than 2^-95: so neither part of it is subnormal. */
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

VF_INLINE void store4(float *const to[4], size_t i, vf4 q)
{
    vf_store(to[0] + i, q.v.x);
    vf_store(to[1] + i, q.v.y);
    vf_store(to[2] + i, q.v.z);
    vf_store(to[3] + i, q.w);
}

/* Those of bodies with a turn that have a sub-step to do. In the arrays all have. */
VF_INLINE vm are_turning(const body_block *b, const body_lanes *lanes, vm turned)
{
    return is_gathered(b) ? vm_and(turned, lanes_moving(lanes)) : turned;
}

/* One sub-step is done. A turn of nothing leaves the orientation as it is, bit for bit, but for what is flushed. */
VF_INLINE void finish_substep(const body_block *b, size_t v, const body_lanes *lanes, vf4 sum, vf square)
{
    vm turning = are_turning(b, lanes, vf_lt(vf_set1(0), square));
    sum = vf4_settled(sum);
    if (!vm_all(turning)) {
        sum = vf4_select(turning, sum, vf4_flushed(orientation_at(b, v)));
    }
    store4(b->orientation, v * b->step, sum);
}

VF_INLINE void store_sum(const body_block *b, size_t v, const vd4 sum[2])
{
    FOR_EACH_HALF
    {
        const size_t i = v * b->step + (size_t)half * VD_LANES;
        store_split(b->orientation[0] + i, b->low[0] + i, sum[half].v.x);
        store_split(b->orientation[1] + i, b->low[1] + i, sum[half].v.y);
        store_split(b->orientation[2] + i, b->low[2] + i, sum[half].v.z);
        store_split(b->orientation[3] + i, b->low[3] + i, sum[half].w);
    }
}

/* Of those that are turning; the others' orientation stays, bit for bit, but for what is flushed. */
VF_INLINE void store_turned(vm turning, const body_block *b, size_t v, const vd4 sum[2])
{
    if (vm_all(turning)) {
        store_sum(b, v, sum);
    } else {
        const vf4 high = vf4_flushed(orientation_at(b, v)), low = vf4_flushed(low_at(b, v));
        store_sum(b, v, sum);
        store4(b->orientation, v * b->step, vf4_select(turning, orientation_at(b, v), high));
        store4(b->low, v * b->step, vf4_select(turning, low_at(b, v), low));
    }
}

/* The same with low parts, for the sum in double, of bodies with a turn. */
VF_INLINE void finish_precise_substep(const body_block *b, size_t v, const body_lanes *lanes, const vd4 sum[2],
                                      vm turned)
{
    store_turned(are_turning(b, lanes, turned), b, v, sum);
}

#endif
