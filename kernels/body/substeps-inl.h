/* How many sub-steps a body takes. README.md proves the bounds. */
#ifndef GYRE_BODY_SUBSTEPS_H
#define GYRE_BODY_SUBSTEPS_H

#include "body/step-inl.h"

#include <gyre/body.h>

/* |a|, where squares may be out of the range of float, as those of the momentum are in units of a thin rotor's shortest
   step. */
VF_INLINE vf length_of(vf3 a)
{
    const vf largest = vf_max(vf3_max_abs(a), vf_set1(0x1p-126f));
    const vf3 part = vf3_scale(vf_div(vf_set1(1), largest), a);
    return vf_mul(largest, vf_sqrt(vf3_dot(part, part)));
}

/* The number of sub-steps required by the method's bound, before rounding up, for a step with these mu and t. */
VF_INLINE vf proven_substeps(gyre_body_method method, vf3 inertia, vf3 mu, vf3 t)
{
    const vf one = vf_set1(1);
    vf smallest = vf3_min(inertia), half_h_momentum = length_of(mu);
    vf h_momentum = vf_add(half_h_momentum, half_h_momentum); /* h |L| */
    switch (method) {
    case GYRE_BODY_MOSER_VESELOV: { /* |t| and |f| |t| at most 0.4 */
        const vf f = vf_max(one, vf_div(largest_difference(inertia), smallest));
        return vf_mul(vf_set1(2.5f), vf_mul(f, vf_sqrt(vf3_dot(t, t))));
    }
    case GYRE_BODY_MIDPOINT: return vf_div(vf_mul(vf_set1(0.70710678f), h_momentum), smallest);
    case GYRE_BODY_OBJECT_TRAPEZOID: return vf_div(h_momentum, smallest);
    case GYRE_BODY_TRAPEZOID: {
        vf d = vf_mul(vf_set1(0.5f), vf_sub(one, vf_div(smallest, vf3_max(inertia)))); /* in units of 1 / smallest */
        vf root = vf_sqrt(d);
        return vf_mul(vf_div(h_momentum, smallest), vf_add(vf_add(root, root), d));
    }
    default: return vf_set1(0); /* explicit Euler solves no equation */
    }
}

/* ---- Cheaper tests for one sub-step: if they pass, proven_substeps is at most 1, whatever the shape ---- */

/* In closed form a limit of 0.797 rad instead of 0.8, because of the tolerance in is_mass. */
VF_INLINE vm is_slow_for_closed_form(vf3 inertia, body_angle angle)
{
    return vm_and(vf_le(angle.square, vf_set1(0.159f)), is_mass(inertia));
}

VF_INLINE vm is_slow_for(gyre_body_method method, vf3 inertia, vf3 mu, body_angle angle)
{
    if (method == GYRE_BODY_MOSER_VESELOV) {
        return is_slow_for_closed_form(inertia, angle);
    }
    /* |mu| in units of the smallest moment, squared; the smallest limit of the trapezoid is that of a rod, and explicit
       Euler has none */
    const float ratio = method == GYRE_BODY_MIDPOINT ? 0.49f : method == GYRE_BODY_OBJECT_TRAPEZOID ? 0.24f : 0.068f;
    vf smallest = vf3_min(inertia), square = vf_mul(vf_set1(ratio), vf_mul(smallest, smallest));
    vm squarable = vf_lt(vf_set1(0x1p-40f), smallest);
    const vf3 guarded = vf3_add_scalar(mu, vf_mul(vf_set1(0x1p-40f), smallest)); /* the guard of angle_of */
    return vm_and(squarable, vf_le(vf3_dot(guarded, guarded), square));
}

/* With mu and t of the step that the call gives to all bodies: whether that step needs no more planning. `given`: the
   caller gives the number of sub-steps. */
VF_INLINE vm is_planned(gyre_body_method method, bool given, vf3 inertia, vf3 mu, body_angle angle)
{
    return given ? vf_lt(angle.square, vf_set1(0x1p79f)) : is_slow_for(method, inertia, mu, angle);
}

/* ---- The number of sub-steps, and their length ---- */

/* rad/s, half of the largest component of omega, from t for a step of 1 s. In the step that is its inverse, no square
   over- or underflows. */
VF_INLINE vf turn_in_a_second(vf3 t) { return vf_max(vf3_max_abs(t), vf_set1(0x1p-126f)); }

typedef struct body_wanted {
    vf unit, of_unit; /* s, such a step, and how many sub-steps it takes */
    vf substeps;      /* in the whole step */
} body_wanted;

/* From mu and t for a step of 1 s. Spheres and explicit Euler need no sub-steps, however far they turn. */
VF_INLINE body_wanted wanted_substeps(gyre_body_method method, vf dt, vf3 inertia, vf3 mu, vf3 t)
{
    const vf turn = turn_in_a_second(t), unit = vf_div(vf_set1(1), turn);
    const vf of_unit = proven_substeps(method, inertia, vf3_scale(unit, mu), vf3_scale(unit, t));
    const vf wanted = vf_mul(vf_mul(vf_abs(dt), turn), of_unit);
    return (body_wanted){unit, of_unit, vf_zero_where(vf_eq(of_unit, vf_set1(0)), wanted)};
}

typedef struct body_substeps {
    vf count, h;
    vf hit_limit; /* 1 where they are too few */
} body_substeps;

VF_INLINE body_substeps substeps_within(vf max_substeps, vf dt, body_wanted wanted)
{
    const vf one = vf_set1(1);
    const vm within = vf_le(wanted.substeps, max_substeps);
    const vf count = vf_max(one, vf_select(within, vf_ceil(wanted.substeps), max_substeps));
    return (body_substeps){
        .count = count,
        .h = vf_select(within, vf_div(dt, count), vf_copysign(vf_div(wanted.unit, wanted.of_unit), dt)),
        .hit_limit = vf_zero_where(within, one),
    };
}

/* Spheres and explicit Euler take any step at once, but an angle without a correct digit must not overflow. */
#define LARGEST_ANGLE 0x1p40f

VF_INLINE vm is_tame(vf3 t) { return vf_le(vf3_max_abs(t), vf_set1(LARGEST_ANGLE)); }

VF_INLINE vf longest_step(vf unit, vf dt) { return vf_copysign(vf_mul(vf_set1(LARGEST_ANGLE), unit), dt); }

#endif
