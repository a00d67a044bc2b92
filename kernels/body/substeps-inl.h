/* How many sub-steps a body takes, and its momentum in the body's frame when one begins. README.md proves the bounds.
 */
#ifndef GYRE_BODY_SUBSTEPS_H
#define GYRE_BODY_SUBSTEPS_H

#include "body/orientation-inl.h"

/* |a|, where squares may be out of the range of float: the momentum's are, in units of a thin rotor's shortest step. */
VF_INLINE vf length_of(vf3 a)
{
    const vf largest = vf_max(vf3_max_abs(a), vf_set1(0x1p-126f));
    const vf3 part = vf3_scale(vf_div(vf_set1(1), largest), a);
    return vf_mul(largest, vf_sqrt(vf3_dot(part, part)));
}

/* How many sub-steps the method's bound asks for, before rounding up, if the step is that of lanes->mu. */
VF_INLINE vf proven_substeps(const gyre_body_solver *solver, const body_lanes *lanes, vf3 i)
{
    const vf one = vf_set1(1);
    vf smallest = vf3_min(i), half_h_momentum = length_of(lanes->mu);
    vf h_momentum = vf_add(half_h_momentum, half_h_momentum); /* h |L| */
    switch (solver->method) {
    case GYRE_BODY_MOSER_VESELOV: { /* |t| and |f| |t| of at most 0.4 */
        const vf f = vf_max(one, vf_div(largest_difference(i), smallest));
        return vf_mul(vf_set1(2.5f), vf_mul(f, vf_sqrt(vf3_dot(lanes->half_angle, lanes->half_angle))));
    }
    case GYRE_BODY_MIDPOINT: return vf_div(vf_mul(vf_set1(0.70710678f), h_momentum), smallest);
    case GYRE_BODY_OBJECT_TRAPEZOID: return vf_div(h_momentum, smallest);
    case GYRE_BODY_TRAPEZOID: {
        vf d = vf_mul(vf_set1(0.5f), vf_sub(one, vf_div(smallest, vf3_max(i)))); /* in parts of 1 / smallest */
        vf root = vf_sqrt(d);
        return vf_mul(vf_div(h_momentum, smallest), vf_add(vf_add(root, root), d));
    }
    default: return vf_set1(0); /* explicit Euler solves nothing */
    }
}

/* Cheaper tests for one sub-step: where they hold, proven_substeps is at most 1, whatever the shape. In closed form a
   limit of 0.797 rad in place of 0.8, for what is_mass allows. */
VF_INLINE vm is_slow_for_closed_form(const body_lanes *lanes, vf3 i)
{
    return vm_and(vf_le(lanes->half_angle_square, vf_set1(0.159f)), is_mass(i));
}

VF_INLINE vm is_slow_for(const gyre_body_solver *solver, const body_lanes *lanes, vf3 i)
{
    if (solver->method == GYRE_BODY_MOSER_VESELOV) {
        return is_slow_for_closed_form(lanes, i);
    }
    /* |mu| in parts of the smallest moment, squared; the trapezoid's least limit is that of a rod, and explicit
       Euler's may be any */
    const float most = solver->method == GYRE_BODY_MIDPOINT           ? 0.49f
                       : solver->method == GYRE_BODY_OBJECT_TRAPEZOID ? 0.24f
                                                                      : 0.068f;
    vf smallest = vf3_min(i), square = vf_mul(vf_set1(most), vf_mul(smallest, smallest));
    vm squarable = vf_lt(vf_set1(0x1p-40f), smallest);
    const vf3 mu = vf3_add_scalar(lanes->mu, vf_mul(vf_set1(0x1p-40f), smallest)); /* the guard of find_half_angle */
    return vm_and(squarable, vf_le(vf3_dot(mu, mu), square));
}

VF_INLINE vm is_finite_for(const body_lanes *lanes) { return vf_lt(lanes->half_angle_square, vf_set1(0x1p79f)); }

/* A stage of its own: with the momentum it would read eleven arrays at once. Large arrays often begin at the same place
   of a page, and a first-level cache holds eight lines of those. */
VF_INLINE void join_orientation(const body_block *b, size_t v)
{
    for (int half = 0; half < 2; half++) {
        b->states[v].orientation[half] = precise_orientation_at(b, v, half);
    }
}

/* |q|^2 and mu. Momenta below 2^-95 turn nothing. */
VF_INLINE void find_momentum(bool low, const body_block *b, size_t v)
{
    body_lanes *lanes = &b->lanes[v];
    const vf4 q = orientation_at(b, v);
    lanes->square = vf4_square(q);
    lanes->mu = momentum_in_body(q, vf3_flushed(momentum_at(low, b, v)), lanes->square, lanes->half_h);
}

/* The same with low parts of the orientation, which is joined. */
VF_INLINE void find_precise_momentum(bool low, const body_block *b, size_t v)
{
    body_lanes *lanes = &b->lanes[v];
    for (int half = 0; half < 2; half++) {
        const vd4 q = b->states[v].orientation[half];
        const vd square = vd4_square(q), s = vd_load(&lanes->half_h, half);
        const vd3 mu = precise_momentum_in_body(q, precise_momentum_at(low, b, v, half), square, s);
        b->states[v].mu[half] = mu;
        vd_store(&lanes->square, half, square);
        vd3_store(&lanes->mu, half, mu);
    }
}

VF_INLINE void find_half_angle(body_lanes *lanes)
{
    const vf3 t = vf3_mul(lanes->mu, lanes->inverse_inertia);
    lanes->half_angle = t;
    lanes->half_angle_square = vf3_square_of_guarded(t, 0x1p-40f);
}

/* |q|^2, mu and t of one vector, whose orientation is joined where there are low parts. */
VF_INLINE void find_motion(const body_block *b, size_t v)
{
    const bool low = b->plan->momentum_low;
    b->plan->low ? find_precise_momentum(low, b, v) : find_momentum(low, b, v);
    find_half_angle(&b->lanes[v]);
}

VF_INLINE void find_motion_for_step(vf h, const body_block *b, size_t v)
{
    b->lanes[v].half_h = vf_mul(vf_set1(0.5f), h);
    find_motion(b, v);
}

/* With mu and t of the step that the call asks of all bodies: whether that step needs no more planning. */
VF_INLINE vm is_planned(const gyre_body_solver *solver, const body_lanes *lanes, vf3 inertia)
{
    return solver->substeps == 0 ? is_slow_for(solver, lanes, inertia) : is_finite_for(lanes);
}

#endif
