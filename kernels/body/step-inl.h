/* The parts of a sub-step that all methods share, as functions of values: the momentum in the body's frame, and how the
   orientation changes without a bias in its rounding ("Rounding the orientation" in README.md). The parts in between
   are in methods. The notation is that of README.md. */
#ifndef GYRE_BODY_STEP_H
#define GYRE_BODY_STEP_H

#include "simd/vd-inl.h"
#include "simd/vf3-inl.h"

VF_INLINE vf3 vf3_nothing(void) { return (vf3){vf_set1(0), vf_set1(0), vf_set1(0)}; }
VF_INLINE vf4 vf4_nothing(void) { return (vf4){vf3_nothing(), vf_set1(0)}; }
VF_INLINE vd3 vd3_nothing(void) { return (vd3){vd_set1(0), vd_set1(0), vd_set1(0)}; }

/* ---- Bodies and their kinds: see README.md ---- */

typedef struct body_inverse {
    vf3 inertia; /* 1 / I */
    vf product;  /* 1 / (I1 I2 I3) */
} body_inverse;

typedef struct body_shape {
    vf3 inertia;
    body_inverse inverse;
} body_shape;

/* The state at the start of a sub-step. */
typedef struct body_start {
    vf square; /* |q|^2, with low parts that of their sum */
    vf3 mu;    /* h/2 times the momentum in the body's frame */
} body_start;

typedef struct body_angle {
    vf3 t;     /* mu / I */
    vf square; /* |t|^2, to 2^-38 of |t| */
} body_angle;

/* For plain bodies. */
VF_INLINE body_inverse inverse_of(vf3 inertia)
{
    const vf3 others = vf3_cyclic_products(inertia);
    const vf product = vf_div(vf_set1(1), vf_mul(inertia.x, others.x));
    return (body_inverse){vf3_scale(product, others), product};
}

/* 1 / I, by a Newton step from the float 1 / (I1 I2 I3): all three components are off by the same 2^-46 or less. */
VF_INLINE vd3 precise_inverse(vd3 inertia, vd inverse_product)
{
    const vd3 others = vd3_cyclic_products(inertia);
    const vd residual = vd_neg_mul_add(vd_mul(inertia.x, others.x), inverse_product, vd_set1(1));
    return vd3_scale(vd_mul_add(inverse_product, residual, inverse_product), others);
}

VF_INLINE vm is_compact(vf3 i)
{
    vf smallest = vf3_min(i), largest = vf3_max(i);
    return vf_lt(largest, vf_mul(vf_set1(64), smallest));
}

VF_INLINE vf vf3_middle(vf3 a) { return vf_max(vf_min(a.x, a.y), vf_min(vf_max(a.x, a.y), a.z)); }

/* For moments that no mass has, the largest |f| times the smallest moment; for a mass at most the smallest moment. The
   difference of two similar moments is exact. */
VF_INLINE vf largest_difference(vf3 i) { return vf_sub(vf3_max(i), vf3_middle(i)); }

/* Whether no moment exceeds the sum of the others, apart from rounding of the moments. */
VF_INLINE vm is_mass(vf3 i) { return vf_le(largest_difference(i), vf_mul(vf_set1(1 + 0x1p-9f), vf3_min(i))); }

/* A sub-step is planned for |t| <= 0.4; the limit leaves room for the rounding of h. */
VF_INLINE vm is_well_conditioned(vf3 i, body_angle angle)
{
    vm slow = vf_le(angle.square, vf_set1(0.1602f));
    return vm_and(slow, vm_and(is_compact(i), is_mass(i)));
}

/* f1 = (I2 - I3) / I1 and cyclic */
VF_INLINE vf3 asymmetry(vf3 i, vf3 inverse_i) { return vf3_mul(vf3_cyclic_differences(i), inverse_i); }

VF_INLINE vm vf3_is_zero(vf3 a)
{
    const vf zero = vf_set1(0);
    return vm_and(vm_and(vf_eq(a.x, zero), vf_eq(a.y, zero)), vf_eq(a.z, zero));
}

/* 0, or NaN if a component is NaN or infinite. */
VF_INLINE vf zero_or_nan(vf3 a) { return vf3_dot(a, vf3_nothing()); }

/* ---- The momentum in the body's frame ---- */

/* How far |q|^2 may be from 1 for a first-order correction to be enough: it leaves (|q|^2 - 1)^2, at most half an ulp.
   A length of 1 + 2^-13 is within the limit, with its square rounded. */
#define NEARLY_UNIT 0x1.003p-12f

/* The factor that normalises a quaternion; 1 where |q|^2 is within the limit, NaN where the length is not between 2^-50
   and 2^50. */
VF_INLINE vf unit_scale(float limit, vf square)
{
    const vf one = vf_set1(1);
    vm valid = vm_and(vf_lt(vf_set1(0x1p-100f), square), vf_lt(square, vf_set1(0x1p100f)));
    vf scale = vf_select(vf_is_unit_within(limit, square), one, vf_div(one, vf_sqrt(square)));
    return vf_select(valid, scale, vf_set1(NAN));
}

/* s R(q)^T L as the product of quaternions (-v, w) L (v, w). The direction is exact for any |q|; only the length is
   multiplied by |q|^2, and the factor 2 - |q|^2 undoes that to first order. */
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

/* |q|^2 and mu. Momenta below 2^-95 cause no turn. */
VF_INLINE body_start start_of(vf4 q, vf3 momentum, vf half_h)
{
    const vf square = vf4_square(q);
    return (body_start){square, momentum_in_body(q, vf3_flushed(momentum), square, half_h)};
}

/* The same in double. */
typedef struct precise_start {
    vd square;
    vd3 mu;
} precise_start;

VF_INLINE precise_start precise_start_of(vd4 q, vd3 momentum, vd half_h)
{
    const vd square = vd4_square(q);
    return (precise_start){square, precise_momentum_in_body(q, momentum, square, half_h)};
}

VF_INLINE body_angle angle_of(vf3 mu, vf3 inverse_inertia)
{
    const vf3 t = vf3_mul(mu, inverse_inertia);
    return (body_angle){t, vf3_square_of_guarded(t, 0x1p-40f)};
}

/* ---- The turn ---- */

/* The rotation that a sub-step adds: the quaternion (n v, 1 + n_minus_1), |its square| = 1 up to rounding. */
typedef struct body_turn {
    vf3 v;
    vf n, n_minus_1;
    vf square; /* v.v */
} body_turn;

/* One word from three components that change slightly in every step. */
VF_INLINE vi combined_bits(vf3 a)
{
    return vi_add(vf_bits(a.x), vi_add(vi_shl(vf_bits(a.y), 9), vi_shl(vf_bits(a.z), 18)));
}

VF_INLINE vi orientation_bits(vf4 q) { return vi_add(combined_bits(q.v), vi_shl(vf_bits(q.w), 5)); }

/* Pseudo-random bits: the mixing of R. Jenkins' one-at-a-time hash (Dr. Dobb's Journal, September 1997), except that
   shifts to the right copy the sign. With only shifts and exclusive or, the bits of slow bodies follow their regular
   motion, and rounding errors grow several times faster. */
VF_INLINE vi hashed_bits(vi bits)
{
    bits = vi_add(bits, vi_shl(bits, 10));
    bits = vi_xor(bits, vi_sar(bits, 6));
    bits = vi_add(bits, vi_shl(bits, 3));
    bits = vi_xor(bits, vi_sar(bits, 11));
    return vi_add(bits, vi_shl(bits, 15));
}

/* Whether a body turns by less than 1/180 rad; `square` is tan^2 of half the angle, or nearly that. */
VF_INLINE vm is_slow(vf square) { return vf_lt(square, vf_set1(0x1p-17f)); }

/* Whether q + a differs from q. */
VF_INLINE vm changes(vf4 q, vf4 a)
{
    const vf4 off = {vf3_sub(vf3_add(q.v, a.v), q.v), vf_sub(vf_add(q.w, a.w), q.w)};
    return vf_lt(vf_set1(0), vf4_max_abs(off));
}

/* The increment that a turn adds to q. The increment of a slow body would be rounded the same way for thousands of
   steps. So up to 2^-22 q, pseudo-random, is added to it: that changes the length but not the direction, and makes the
   roundings independent. The next turn restores the length. A turn below half an ulp of every component would be lost
   anyway: it leaves q as it is, and a report counts it. */
VF_INLINE vf4 increment_of(vf4 q, body_turn turn)
{
    vf3 across = vf3_add(vf3_scale(q.w, turn.v), vf3_cross(q.v, turn.v));
    vf along = vf3_dot(q.v, turn.v);
    vf4 increment = {vf3_scale_add(turn.n, across, vf3_scale(turn.n_minus_1, q.v)),
                     vf_neg_mul_add(turn.n, along, vf_mul(turn.n_minus_1, q.w))};
    vm slow = is_slow(turn.square);
    if (vm_any(slow)) {
        slow = vm_and(slow, changes(q, (vf4){across, vf_neg(along)}));
        vi bits = hashed_bits(orientation_bits(q));
        vf noise = vf_select(slow, vf_mul(vi_to_vf(bits), vf_set1(0x1p-53f)), vf_set1(0));
        increment = (vf4){vf3_scale_add(noise, q.v, increment.v), vf_mul_add(noise, q.w, increment.w)};
    }
    return increment;
}

/* ---- The sum of orientation and increment ---- */

/* The sum, and the energy lost by rounding it. */
typedef struct body_sum {
    vf4 q;
    vf slope_y, slope_z;     /* energy gained where that component moves by 1 */
    vf inverse_y, inverse_z; /* 1 / slope, or 0 */
    vf lost;                 /* the energy to regain */
} body_sum;

VF_INLINE vf inverse_slope(vf slope) { return vf_div(slope, vf_mul_add(slope, slope, vf_set1(0x1p-100f))); }

/* q + increment for a fast body, whose energy, and with it the phase of a tumbling body, would drift with the rounding
   of the sum. Two components may move by an ulp to restore the energy; a third would gain a tenth more. `uphill` is the
   axis in the body's frame about which a turn raises the energy fastest, of any length. */
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

/* How far a component moves, at most a few ulps, to regain the lost energy, and the energy still lost after that.
   `slope` is the energy gained by a move of 1. */
typedef struct compensated {
    vf component, lost;
} compensated;

VF_INLINE compensated compensate(vf component, vf slope, vf inverse_slope, vf lost)
{
    const vf bound = vf_set1(0x1p-24f);
    vf wanted = vf_max(vf_min(vf_mul(lost, inverse_slope), bound), vf_neg(bound));
    vf other = vf_add(component, wanted);
    return (compensated){other, vf_neg_mul_add(slope, vf_sub(other, component), lost)};
}

VF_INLINE vf4 energy_kept(body_sum s)
{
    const compensated z = compensate(s.q.v.z, s.slope_z, s.inverse_z, s.lost);
    const compensated y = compensate(s.q.v.y, s.slope_y, s.inverse_y, z.lost);
    return (vf4){{s.q.v.x, y.component, z.component}, s.q.w};
}

/* Below 2^-94 it becomes 0, like vf_flushed, in fewer operations; above 2^-45 it keeps its bits. */
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

/* The orientation after a sub-step in which some bodies do not turn: these keep their bits, except for components that
   are flushed to 0. */
VF_INLINE vf4 kept_where_still(vm turning, vf4 settled, vf4 before)
{
    return vf4_select(turning, settled, vf4_flushed(before));
}

/* ---- With low parts ---- */

/* p q */
VF_INLINE vd4 vd4_turned(vd4 p, vd4 q)
{
    const vd3 v = vd3_scale_add(q.w, p.v, vd3_scale_add(p.w, q.v, vd3_cross(p.v, q.v)));
    return (vd4){v, vd_sub(vd_mul(p.w, q.w), vd3_dot(p.v, q.v))};
}

/* s q. The sum with a guard rounds a component below 2^-43 to a multiple of 2^-94; a larger one has no digits below
   2^-95. So neither of its parts is subnormal. */
VF_INLINE vd4 vd4_scaled_guarded(vd s, vd4 q)
{
    const vd guard = vd_set1(0x1.8p-42);
    const vd3 v = vd3_scale_add(s, q.v, (vd3){guard, guard, guard});
    return (vd4){{vd_sub(v.x, guard), vd_sub(v.y, guard), vd_sub(v.z, guard)},
                 vd_sub(vd_mul_add(s, q.w, guard), guard)};
}

/* Numbers as floats, their low parts, and the rounding errors of those: in double, and as floats. */
typedef struct vd3_parts {
    vd3 high, low, rest;
} vd3_parts;

typedef struct vf3_parts {
    vf3 high, low, rest;
} vf3_parts;

/* For near + off, where near is 0 or a float close to the sum, so that no digit of `off` is lost. */
VF_INLINE vd3_parts vd3_split(vd3 near, vd3 off)
{
    const vd3 high = vd3_rounded_to_float(vd3_add(near, off)), of_low = vd3_add(vd3_sub(near, high), off);
    const vd3 low = vd3_rounded_to_float(of_low);
    return (vd3_parts){high, low, vd3_sub(of_low, low)};
}

VF_INLINE vf3_parts vf3_parts_from_halves(vd3_parts a, vd3_parts b)
{
    return (vf3_parts){vf3_from_halves(a.high, b.high), vf3_from_halves(a.low, b.low), vf3_from_halves(a.rest, b.rest)};
}

#endif
