/* Which bodies are valid and which are plain (README.md), and the handling of those that are not. */
#ifndef GYRE_BODY_PLAIN_H
#define GYRE_BODY_PLAIN_H

#include "body/step-inl.h"

/* Bodies as in the caller's arrays; low parts are 0 if there are none. */
typedef struct body_values {
    vf4 orientation, low;
    vf3 momentum, momentum_low; /* in the world */
    vf3 inertia;
} body_values;

VF_INLINE vf3 vf3_or_nan(vm valid, vf3 a)
{
    const vf nan = vf_set1(NAN);
    return vf3_select(valid, a, (vf3){nan, nan, nan});
}

VF_INLINE vf4 vf4_or_nan(vm valid, vf4 a) { return (vf4){vf3_or_nan(valid, a.v), vf_select(valid, a.w, vf_set1(NAN))}; }

/* 0, or NaN if `sum` is NaN or a component is NaN or infinite. */
VF_INLINE vf vf4_zero_or_nan_added(vf sum, vf4 a) { return vf_mul_add(a.w, vf_set1(0), vf_add(sum, zero_or_nan(a.v))); }

/* ---- Valid ---- */

VF_INLINE vm is_valid_inertia(vf3 i)
{
    return vm_and(vf_lt(vf_set1(0), vf3_min(i)), vf_eq(zero_or_nan(i), vf_set1(0)));
}

VF_INLINE vm is_valid_shape(vf4 q, vf4 low, vf3 i)
{
    const vf square = vf4_square(q), sum = vf4_zero_or_nan_added(zero_or_nan(i), low);
    const vm has_length = vm_and(vf_lt(vf_set1(0x1p-100f), square), vf_lt(square, vf_set1(0x1p100f)));
    return vm_and(vm_and(vf_lt(vf_set1(0), vf3_min(i)), has_length), vf_eq(sum, vf_set1(0)));
}

VF_INLINE vm are_finite_vectors(vf3 a, vf3 b, vf3 c)
{
    return vf_eq(vf_add(vf_add(zero_or_nan(a), zero_or_nan(b)), zero_or_nan(c)), vf_set1(0));
}

/* ---- Plain: no result leaves the range of float ---- */

/* A comparison with NaN is false. */
VF_INLINE vm has_plain_inertia(vf3 i)
{
    vf smallest = vf3_min(i), sum = vf_add(i.x, vf_add(i.y, i.z));
    return vm_and(vf_lt(vf_set1(0x1p-20f), smallest), vf_lt(sum, vf_set1(0x1p20f)));
}

VF_INLINE vm has_plain_momentum(vf3 m)
{
    return vf_lt(vf_add(vf_abs(m.x), vf_add(vf_abs(m.y), vf_abs(m.z))), vf_set1(0x1p40f));
}

/* Ignores the momentum: is_planned tests its consequences. `square` is |q|^2. */
VF_INLINE vm is_plain_but_for_momentum(vf square, vf3 inertia)
{
    return vm_and(vf_is_unit_within(NEARLY_UNIT, square), has_plain_inertia(inertia));
}

/* is_planned has tested the consequences of a planned body's momentum. */
VF_INLINE vm is_plain(vm planned, vf square, vf3 inertia, vf3 momentum)
{
    return vm_and(is_plain_but_for_momentum(square, inertia), vm_or(planned, has_plain_momentum(momentum)));
}

/* ---- Those that are not ---- */

VF_INLINE vf3 vf3_clamped(vf bound, vf3 a)
{
    const vf lower = vf_neg(bound);
    return (vf3){vf_clamp(a.x, lower, bound), vf_clamp(a.y, lower, bound), vf_clamp(a.z, lower, bound)};
}

typedef struct body_repaired {
    body_values body;
    body_inverse inverse;
    vf scale; /* of moments and momentum, a power of two */
} body_repaired;

/* Invalid bodies become NaN, with moments of 1; the others are scaled into the range of float. */
VF_INLINE body_repaired repaired(body_values b)
{
    const vf zero = vf_set1(0), one = vf_set1(1), bound = vf_set1(0x1p47f);
    const vf finite = vf_add(vf_add(zero_or_nan(b.orientation.v), zero_or_nan(b.low.v)),
                             vf_add(zero_or_nan(b.momentum), zero_or_nan(b.inertia)));
    const vf zero_if_finite =
        vf_add(vf_add(finite, zero_or_nan(b.momentum_low)), zero_or_nan((vf3){b.orientation.w, b.low.w, zero}));

    /* low parts that are too large for low parts are added to the rest, which is then normalised */
    const vm none = vf_lt(vf_mul(vf_set1(0x1p-20f), vf4_max_abs(b.orientation)), vf4_max_abs(b.low));
    const vf4 q = vf4_select(none, vf4_add(b.orientation, b.low), b.orientation);
    const vf4 low = vf4_select(none, vf4_nothing(), b.low);
    const vf to_length_1 = unit_scale(NEARLY_UNIT, vf4_square(q));

    const vm valid =
        vm_and(vm_and(vf_eq(zero_if_finite, zero), vf_lt(zero, vf3_min(b.inertia))), vf_eq(to_length_1, to_length_1));

    const vi exponent = vi_and(vf_bits(vf3_max_abs(b.inertia)), vi_set1(0x7f800000));
    const vf scale = vf_max(vf_from_bits(vi_sub(vi_set1(0x7f000000), exponent)), vf_set1(0x1p-126f));
    const vf3 i = vf3_select(valid, vf3_scale(scale, b.inertia), (vf3){one, one, one});
    const vf3 over = {vf_div(one, i.x), vf_div(one, i.y), vf_div(one, i.z)};
    return (body_repaired){
        .body = {vf4_or_nan(valid, vf4_scale(to_length_1, q)), vf4_or_nan(valid, vf4_scale(to_length_1, low)),
                 vf3_or_nan(valid, vf3_clamped(bound, vf3_scale(scale, b.momentum))),
                 vf3_or_nan(valid, vf3_clamped(bound, vf3_scale(scale, b.momentum_low))), i},
        .inverse = {over, vf_mul(over.x, vf_mul(over.y, over.z))},
        .scale = scale,
    };
}

#endif
