/* A vector of rigid bodies between the start and the end of their step, and how a small rotation is added to an
   orientation so that none of it is lost to rounding. */
#ifndef GYRE_BODY_LANES_H
#define GYRE_BODY_LANES_H

#include "simd/kernel.h"
#include "simd/wd.h"
#include "simd/wf3.h"
#include "simd/wf.h"

/* Moments and momentum of very small and large bodies are multiplied by a power of two that brings them to the middle
   of the range of float, and changes no digit. Every field is a wf: lanes move to other vectors field by field. */
typedef struct body_lanes {
    wf4 orientation, low; /* low: 0 where the caller keeps none */
    wf3 momentum;         /* world; the same in all sub-steps, but for explicit Euler */
    wf3 seen, seen_low;   /* the momentum in the body's frame, as the sub-step begins, and what rounding took of it */
    wf3 inertia, over_inertia;
    wf scale;   /* what moments and momentum were multiplied by */
    wf h;       /* s, one sub-step */
    wf left;    /* sub-steps still to do */
    wf limited; /* 1 once the body has met a limit */
} body_lanes;

enum { BODY_FIELDS = sizeof(body_lanes) / sizeof(wf) };

/* What a call asks of every body. */
typedef struct body_plan {
    gyre_body_solver solver; /* where 0 stands for a default, the default */
    float dt;
    bool low, torque, measured; /* the caller keeps low parts, gives a torque, wants the residual */
} body_plan;

/* What the bodies did. */
typedef struct body_tally {
    uint64_t iterations;
    wf worst; /* (last correction / rotation)^2, its largest */
} body_tally;

VF_INLINE wm lanes_moving(const body_lanes *lanes) { return wf_lt(wf_set1(0), lanes->left); }

/* ---- The momentum that the body sees. ---- */

/* |q|^2, which rounding keeps some ulp from 1. */
VF_INLINE wf versor_square(wf4 q) { return wf_mla(q.w, q.w, wf3_dot(q.v, q.v)); }

/* R(q)^T L = (w^2 - v.v) L + 2 (v.L) v - 2 w v x L for q = (v, w). Of the ways to write it this is the one that turns L
   by the right angle if |q| is not quite 1: only the length goes with |q|^2, and that is undone. */
VF_INLINE wf3 momentum_in_body(wf4 q, wf3 momentum, wf square)
{
    wf w2 = wf_add(q.w, q.w), along = wf3_dot(q.v, momentum);
    wf3 m = wf3_scale_add(wf_sub(wf_mul(q.w, w2), square), momentum, wf3_scale(wf_add(along, along), q.v));
    m = wf3_sub(m, wf3_scale(w2, wf3_cross(q.v, momentum)));
    return wf3_scale(wf_sub(wf_set1(2), square), m);
}

typedef struct wd4 {
    wd3 v;
    wd w;
} wd4;

VF_INLINE wd4 precise_orientation(wf4 q, const wf4 *low)
{
    wd4 precise = {wd3_from_wf3(q.v), wd_from_wf(q.w)};
    if (low != NULL) {
        precise.v = wd3_add(precise.v, wd3_from_wf3(low->v));
        precise.w = wd_add(precise.w, wd_from_wf(low->w));
    }
    return precise;
}

/* The same in double: rounding turns the body a little off the way that keeps its energy, in every step. */
VF_INLINE wd3 precise_momentum_in_body(wd4 q, wf3 world)
{
    wd3 momentum = wd3_from_wf3(world);
    wd w2 = wd_add(q.w, q.w), along = wd3_dot(q.v, momentum);
    wd square = wd_add(wd_mul(q.w, q.w), wd3_dot(q.v, q.v));
    wd3 m = wd3_add(wd3_scale(wd_sub(wd_mul(q.w, w2), square), momentum), wd3_scale(wd_add(along, along), q.v));
    m = wd3_sub(m, wd3_scale(w2, wd3_cross(q.v, momentum)));
    return wd3_scale(wd_sub(wd_set1(2), square), m);
}

/* 0, or NaN if a component is NaN or infinite. */
VF_INLINE wf trace_of_infinity(wf3 a) { return wf3_dot(a, (wf3){wf_set1(0), wf_set1(0), wf_set1(0)}); }

/* ---- The turn. ---- */

/* The quaternion (n (v + v_low), 1 + less), |its square| = 1 up to rounding; v_low counts where the caller keeps low
   parts. */
typedef struct body_turn {
    wf3 v, v_low;
    wf n, less;
} body_turn;

/* Bits that look like chance, from four words that are different in every step: xorshift (G. Marsaglia, Xorshift RNGs,
   J. Statistical Software 8, 2003). */
VF_INLINE wi scrambled(wf a, wf b, wf c, wf d)
{
    wi bits = wi_add(wi_add(wf_bits(a), wi_shl(wf_bits(b), 9)),
                     wi_add(wi_shl(wf_bits(c), 17), wi_xor(wi_shl(wf_bits(d), 5), wi_sar(wf_bits(d), 11))));
    bits = wi_xor(bits, wi_shl(bits, 13));
    bits = wi_xor(bits, wi_sar(bits, 17));
    return wi_xor(bits, wi_shl(bits, 5));
}

VF_INLINE wf4 wf4_select(wm m, wf4 a, wf4 b) { return (wf4){wf3_select(m, a.v, b.v), wf_select(m, a.w, b.w)}; }

/* In +-2^-22: a window on the bits. */
#define LENGTH_NOISE(bits, k) wf_mul(wi_to_wf(wi_shl(bits, 7 * (k))), wf_set1(0x1p-53f))

/* q + increment + noise q, and what rounding took from it. */
VF_INLINE wf4 rounded_sum(wf4 q, wf4 increment, wf noise, wf4 *lost)
{
    increment = (wf4){wf3_scale_add(noise, q.v, increment.v), wf_mla(noise, q.w, increment.w)};
    wf4 sum = {wf3_add(q.v, increment.v), wf_add(q.w, increment.w)};
    *lost = (wf4){wf3_add(wf3_sub(q.v, sum.v), increment.v), wf_add(wf_sub(q.w, sum.w), increment.w)};
    return sum;
}

/* q <- q turn as q + (n q v + less q): the small increment is rounded relative to itself, and once more when it is
   added. A slow body's increments would be rounded alike for thousands of steps, and the orientation drift with them.
   So the sum is made a little longer or shorter, by up to 2^-22 of itself, as if by chance, which turns nothing but
   makes each rounding independent of the last. The next turn takes the length back. And as any length will do, fast
   bodies, whose roundings look like chance anyway, take of four lengths the one whose rounding changes their energy
   least. `uphill` is where in the body's frame a further turn raises the energy fastest, or NULL where a method's own
   error makes this pointless. Without it energy, and with it the phase of a tumbling body, wander twice as far. */
VF_INLINE wf4 turned(wf4 q, const body_turn *turn, const wf3 *uphill)
{
    wf3 across = wf3_add(wf3_scale(q.w, turn->v), wf3_cross(q.v, turn->v));
    wf along = wf3_dot(q.v, turn->v);
    wf4 increment = {wf3_scale_add(turn->n, across, wf3_scale(turn->less, q.v)),
                     wf_nmla(turn->n, along, wf_mul(turn->less, q.w))};
    wi bits = scrambled(q.v.x, q.v.y, q.v.z, q.w);
    wf4 lost, sum = rounded_sum(q, increment, LENGTH_NOISE(bits, 0), &lost);
    if (uphill != NULL) {
        wm slow = wf_lt(wf3_largest(turn->v), wf_set1(0x1p-5f));
        wf4 slope = {wf3_add(wf3_scale(q.w, *uphill), wf3_cross(q.v, *uphill)), wf_neg(wf3_dot(q.v, *uphill))};
        wf change = wf_abs(wf_mla(slope.w, lost.w, wf3_dot(slope.v, lost.v)));
        wf least = wf_select(slow, wf_set1(0), change);
#define TRY_LENGTH(k)                                                                                                  \
    {                                                                                                                  \
        wf4 other = rounded_sum(q, increment, LENGTH_NOISE(bits, k), &lost);                                           \
        change = wf_abs(wf_mla(slope.w, lost.w, wf3_dot(slope.v, lost.v)));                                            \
        sum = wf4_select(wf_lt(change, least), other, sum);                                                            \
        least = wf_min(change, least);                                                                                 \
    }
        TRY_LENGTH(1)
        TRY_LENGTH(2)
        TRY_LENGTH(3)
#undef TRY_LENGTH
    }
    return (wf4){{wf_flushed(sum.v.x), wf_flushed(sum.v.y), wf_flushed(sum.v.z)}, wf_flushed(sum.w)};
}

/* high + low is a to 2^-48. */
VF_INLINE void split(wd a, wf *high, wf *low)
{
    *high = wf_flushed(wd_to_wf(a));
    *low = wf_flushed(wd_to_wf(wd_sub(a, wd_from_wf(*high))));
}

/* The same in double, where nothing drifts. */
VF_INLINE void turned_precisely(wd4 q, body_turn turn, wf4 *high, wf4 *low)
{
    wd3 c = wd3_add(wd3_from_wf3(turn.v), wd3_from_wf3(turn.v_low));
    wd n = wd_from_wf(turn.n), whole = wd_add(wd_set1(1), wd_from_wf(turn.less));
    wd3 across = wd3_add(wd3_scale(q.w, c), wd3_cross(q.v, c));
    wd3 v = wd3_add(wd3_scale(whole, q.v), wd3_scale(n, across));
    wd w = wd_sub(wd_mul(whole, q.w), wd_mul(n, wd3_dot(q.v, c)));
    split(v.x, &high->v.x, &low->v.x);
    split(v.y, &high->v.y, &low->v.y);
    split(v.z, &high->v.z, &low->v.z);
    split(w, &high->w, &low->w);
}

/* One sub-step is done. A turn of nothing leaves the orientation as it is, bit for bit. */
VF_INLINE void finish_substep(body_lanes *lanes, bool low, body_turn turn, const wf3 *uphill)
{
    wm moving = lanes_moving(lanes), turning = wm_and(moving, wf_lt(wf_set1(0), wf3_largest(turn.v)));
    wf4 high, rest;
    if (low) {
        turned_precisely(precise_orientation(lanes->orientation, &lanes->low), turn, &high, &rest);
        const wf4 kept = {{wf_flushed(lanes->low.v.x), wf_flushed(lanes->low.v.y), wf_flushed(lanes->low.v.z)},
                          wf_flushed(lanes->low.w)};
        lanes->low = wf4_select(turning, rest, kept);
    } else {
        high = turned(lanes->orientation, &turn, uphill);
    }
    lanes->orientation = wm_all(turning) ? high : wf4_select(turning, high, lanes->orientation);
    lanes->left = wf_max(wf_sub(lanes->left, wf_set1(1)), wf_set1(0));
}

/* ---- Newton's iteration. ---- */

typedef struct wf33 {
    wf3 row[3];
} wf33;

/* The inverse: columns of the adjugate, and 1 / the determinant. */
typedef struct wf33_inverse {
    wf3 column[3];
    wf over;
} wf33_inverse;

VF_INLINE wf33_inverse inverse_of(wf33 a)
{
    wf33_inverse i = {{wf3_cross(a.row[1], a.row[2]), wf3_cross(a.row[2], a.row[0]), wf3_cross(a.row[0], a.row[1])},
                      wf_set1(1)};
    i.over = wf_div(i.over, wf3_dot(a.row[0], i.column[0]));
    return i;
}

VF_INLINE wf3 inverse_times(const wf33_inverse *i, wf3 b)
{
    wf3 sum = wf3_scale_add(b.y, i->column[1], wf3_scale(b.z, i->column[2]));
    return wf3_scale(i->over, wf3_scale_add(b.x, i->column[0], sum));
}

VF_INLINE wf33_inverse inverse_select(wm m, wf33_inverse x, wf33_inverse y)
{
    for (int k = 0; k < 3; k++) {
        x.column[k] = wf3_select(m, x.column[k], y.column[k]);
    }
    x.over = wf_select(m, x.over, y.over);
    return x;
}

/* Where the iteration stands in each lane. */
typedef struct body_iteration {
    wm active;
    wf square, last_square; /* of the rotation, and of its last correction */
} body_iteration;

VF_INLINE body_iteration begin_iteration(const body_lanes *lanes)
{
    return (body_iteration){lanes_moving(lanes), wf_set1(1), wf_set1(0)};
}

/* x corrected, unless that would throw it out of all bounds; and whether its last correction was small enough, which is
   `done` times x, squared. */
VF_INLINE wf3 corrected(body_iteration *now, wf3 x, wf3 correction, wf done)
{
    wf size = wf3_dot(correction, correction);
    wm sane = wm_and(now->active, wf_lt(size, wf_set1(0x1p40f)));
    x = wf3_select(sane, wf3_add(x, correction), x);
    now->square = wf_select(now->active, wf3_dot(x, x), now->square);
    now->last_square = wf_select(now->active, size, now->last_square);
    now->active = wm_and(now->active, wm_not(wf_le(size, wf_mul(done, now->square))));
    return x;
}

VF_INLINE void end_iteration(const body_iteration *now, body_lanes *lanes, const body_plan *plan, body_tally *tally)
{
    lanes->limited = wf_select(now->active, wf_set1(1), lanes->limited);
    if (plan->measured) {
        wf ratio = wf_div(now->last_square, wf_max(now->square, wf_set1(0x1p-120f)));
        tally->worst = wf_max(wf_min(ratio, wf_set1(1)), tally->worst);
    }
}

#endif
