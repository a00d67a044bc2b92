/* The number of sub-steps of bodies, and their length. */
#ifndef GYRE_BODY_PLAN_H
#define GYRE_BODY_PLAN_H

#include "body/lanes-inl.h"
#include "body/methods/axisymmetric-inl.h"
#include "body/substeps-inl.h"

/* Plans the step that the call gives to all bodies. */
static void plan_evenly(const body_plan *plan, body_lanes *lanes)
{
    for (size_t v = 0; v < BODY_VECTORS; v++) {
        lanes[v].half_h = vf_set1(0.5f * plan->h);
        lanes[v].half_h_low = vf_set1(0.5f * plan->h_low);
        lanes[v].substeps_left = vf_set1(plan->substeps);
        lanes[v].hit_limit = vf_set1(0);
    }
}

VF_INLINE vm are_planned(const body_plan *plan, const body_lanes *lanes, vf3 inertia)
{
    return is_planned(plan->solver.method, plan->solver.substeps > 0, inertia, lanes->start.mu, lanes->angle);
}

/* ---- Bodies with two equal moments ---- */

VF_INLINE single_vector single_of_lane(const vf3 *a, size_t lane)
{
    return (single_vector){vf_lane(&a->x, lane), vf_lane(&a->y, lane), vf_lane(&a->z, lane)};
}

/* Sets both parts of it. */
VF_INLINE void set_lane_of_sum(vf *high, vf *low, size_t lane, double a)
{
    const double guard = 0x1.8p-42, guarded = (a + guard) - guard; /* see vd4_scaled_guarded */
    const float rounded = (float)guarded;
    vf_set_lane(high, lane, rounded);
    vf_set_lane(low, lane, (float)(guarded - (double)rounded));
}

/* Turns a body through the whole step, and leaves it at rest. */
VF_INLINE void turn_axisymmetric_lane(double dt, body_values *b, size_t lane)
{
    vf4 *high = &b->orientation, *low = &b->low;
    const single_vector momentum =
        single_add(single_of_lane(&b->momentum, lane), single_of_lane(&b->momentum_low, lane));
    const single_quaternion q = axisymmetric_turned(
        (single_quaternion){single_add(single_of_lane(&high->v, lane), single_of_lane(&low->v, lane)),
                            (double)vf_lane(&high->w, lane) + (double)vf_lane(&low->w, lane)},
        momentum, single_of_lane(&b->inertia, lane), dt);
    set_lane_of_sum(&high->v.x, &low->v.x, lane, q.v.x);
    set_lane_of_sum(&high->v.y, &low->v.y, lane, q.v.y);
    set_lane_of_sum(&high->v.z, &low->v.z, lane, q.v.z);
    set_lane_of_sum(&high->w, &low->w, lane, q.w);
}

/* Not inlined: it is rare, and would take registers from the common case. */
VF_RARE void turn_axisymmetric_bodies(const body_block *b, size_t v, vm turned)
{
    body_values *body = &b->lanes[v].body;
    for (vm_lanes left = vm_to_lanes(turned); vm_has_lane(left); left = vm_without_first(left)) {
        turn_axisymmetric_lane(b->plan->dt, body, (size_t)vm_first_lane(left));
    }
    body->momentum = vf3_select(turned, vf3_nothing(), body->momentum);
    body->momentum_low = vf3_select(turned, vf3_nothing(), body->momentum_low);
    if (b->plan->low) {
        join_orientation(b, v);
    }
}

/* ---- Bodies that are not planned ---- */

VF_INLINE void find_motion_for_step(vf h, vf h_low, const body_block *b, size_t v)
{
    b->lanes[v].half_h = vf_mul(vf_set1(0.5f), h);
    b->lanes[v].half_h_low = vf_mul(vf_set1(0.5f), h_low);
    find_motion(b, v);
}

/* What rounding h = dt / count lost, of bodies that step through all of dt. */
VF_INLINE vf lost_of_substep(vf dt, body_substeps substeps)
{
    vd lost[2];
    for (int half = 0; half < 2; half++) {
        const vd count = vd_from_half(substeps.count, half), h = vd_from_half(substeps.h, half);
        lost[half] = vd_div(vd_neg_mul_add(count, h, vd_from_half(dt, half)), count);
    }
    return vf_zero_where(vf_lt(vf_set1(0), substeps.hit_limit), vf_from_halves(lost[0], lost[1]));
}

/* The number of sub-steps that the bound requires, or the limit, for bodies that are not planned yet. Planned bodies,
   which are here because a neighbour is new, keep theirs. Not inlined: it is rare, and would take registers from the
   common case. */
VF_RARE void plan_proven_substeps(const body_block *b, size_t v, vm planned)
{
    const body_plan *plan = b->plan;
    body_lanes *lanes = &b->lanes[v];
    const vf dt = vf_set1(plan->dt), zero = vf_set1(0), given = vf_add(lanes->half_h, lanes->half_h);
    const vf given_low = vf_add(lanes->half_h_low, lanes->half_h_low);
    find_motion_for_step(vf_set1(1), zero, b, v);
    const vf unit = vf_div(vf_set1(1), turn_in_a_second(lanes->angle.t));
    vf h = given, h_low = given_low;
    if (plan->solver.substeps == 0) {
        const vf3 inertia = inertia_at(b, v);
        body_wanted wanted = wanted_substeps(plan->solver.method, dt, inertia, lanes->start.mu, lanes->angle.t);
        if (plan->closed_form) {
            const vm turned = are_fast_and_axisymmetric(inertia, planned, wanted.substeps);
            if (vm_any(turned)) {
                turn_axisymmetric_bodies(b, v, turned);
                wanted.substeps = vf_zero_where(turned, wanted.substeps);
            }
        }
        const body_substeps substeps = substeps_within(vf_set1((float)plan->solver.max_substeps), dt, wanted);
        lanes->substeps_left = vf_select(planned, lanes->substeps_left, substeps.count);
        lanes->hit_limit = vf_select(planned, lanes->hit_limit, substeps.hit_limit);
        h = vf_select(planned, given, substeps.h);
        h_low = vf_select(planned, given_low, lost_of_substep(dt, substeps));
    }
    find_motion_for_step(h, h_low, b, v);
    const vm tame = vm_or(planned, is_tame(lanes->angle.t));
    if (!vm_all(tame)) {
        find_motion_for_step(vf_select(tame, h, longest_step(unit, dt)), vf_zero_where(vm_not(tame), h_low), b, v);
    }
}

#endif
