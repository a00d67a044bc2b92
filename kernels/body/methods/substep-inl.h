/* One sub-step of a block by every method, in stages.

   A sub-step is a chain of operations of some 300 cycles, and a CPU looks ahead by some 250 instructions (Zen 3; others
   by fewer). So each stage is done for all vectors of the block before the next begins: the chain of a stage is short,
   and the CPU soon reaches the next vector. What passes from stage to stage is in the first-level cache. */
#ifndef GYRE_BODY_SUBSTEP_H
#define GYRE_BODY_SUBSTEP_H

#include "body/methods/midpoint_trapezoid_euler-inl.h"
#include "body/methods/moser_veselov-inl.h"

/* ---- Moser-Veselov ---- */

/* In the caller's arrays, unless the caller gives the number of sub-steps, all bodies are masses with a planned step.
 */
VF_INLINE bool all_well_conditioned(const body_block *b)
{
    return b->compact && !is_gathered(b) && b->plan->solver.substeps == 0;
}

VF_INLINE void find_phases(int order, bool compact, const body_block *b)
{
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        find_phase(order, compact, &b->states[v].moser_veselov, &b->lanes[v], inertia_at(b, v));
    }
}

VF_INLINE void find_times(int order, const body_block *b)
{
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        find_time(order, &b->states[v].moser_veselov.curve);
        find_b_pairs(&b->states[v].moser_veselov);
    }
    for (size_t v = 0; v < b->vectors && !all_well_conditioned(b); v++) {
        stay_on_curve(&b->states[v].moser_veselov.curve);
    }
    b->compact ? find_phases(order, true, b) : find_phases(order, false, b);
}

/* The block is copied so that the compiler knows that no store of a vector changes its pointers; so are those below. */
static __attribute__((noinline)) void moser_veselov_substep(const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        const body_lanes lanes = b->lanes[v]; /* loaded before the stores, which may alias it */
        const vf3 inertia = inertia_at(b, v);
        begin_curve(&b->states[v].moser_veselov.curve, &lanes, inertia);
        find_products(&b->states[v].moser_veselov, &lanes, inertia);
    }
    b->plan->solver.order == 6 ? find_times(6, b) : find_times(8, b);
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        find_y(&b->states[v].moser_veselov, &b->lanes[v]);
    }
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        refine_c(&b->states[v].moser_veselov, &b->lanes[v]);
    }
    for (size_t v = 0; v < b->vectors && !all_well_conditioned(b); v++) {
        refine_ill_conditioned(&b->states[v].moser_veselov, &b->lanes[v], inertia_at(b, v));
    }
    for (size_t v = 0; v < b->vectors && b->plan->measured; v++) {
        b->tally->worst = vf_max(refinement_square(&b->states[v].moser_veselov, &b->lanes[v]), b->tally->worst);
    }
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        moser_veselov_state *s = &b->states[v].moser_veselov;
        s->increment = increment_of(orientation_at(b, v), cayley_turn(s->c, s->c_square, &b->lanes[v]));
    }
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        moser_veselov_state *s = &b->states[v].moser_veselov;
        s->sum = orientation_sum(orientation_at(b, v), s->increment, s->c_square, s->e); /* e is mu x t */
    }
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        const moser_veselov_state *s = &b->states[v].moser_veselov;
        finish_substep(b, v, energy_kept(s->sum), s->c_square);
    }
}

VF_INLINE void find_phases_low(int order, bool compact, const body_block *b)
{
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        find_phase_low(order, compact, &b->states[v].moser_veselov_low, b, v);
    }
}

VF_INLINE void find_times_low(int order, const body_block *b)
{
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        begin_curve(&b->states[v].moser_veselov_low.curve, &b->lanes[v], inertia_at(b, v));
        find_time(order, &b->states[v].moser_veselov_low.curve);
    }
    for (size_t v = 0; v < b->vectors && !all_well_conditioned(b); v++) {
        stay_on_curve(&b->states[v].moser_veselov_low.curve);
    }
    b->compact ? find_phases_low(order, true, b) : find_phases_low(order, false, b);
}

static __attribute__((noinline)) void moser_veselov_low_substep(const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
    b->plan->solver.order == 6 ? find_times_low(6, b) : find_times_low(8, b);
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        follow_curve(&b->states[v].moser_veselov_low, b->states[v].mu);
    }
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        turn_along_curve(&b->states[v].moser_veselov_low, b->states[v].orientation, &b->lanes[v]);
    }
#pragma GCC unroll 2
    for (size_t v = 0; v < b->vectors; v++) {
        finish_along_curve(&b->states[v].moser_veselov_low, b, v);
    }
}

/* ---- The others ---- */

/* The first iteration is of all vectors, the next ones of those that have a lane to go on. */
VF_INLINE bool is_active(const rotation_state *s, int iteration) { return iteration == 0 || vm_any(s->active); }

VF_INLINE void iterate(gyre_body_method method, const body_block *b)
{
    const gyre_body_solver *solver = &b->plan->solver;
    const vf done = vf_set1(b->plan->correction_to_reach);
    bool active = true;
    for (int k = 0; k < solver->max_iterations && active; k++) {
        for (size_t v = 0; v < b->vectors; v++) {
            rotation_state *s = &b->states[v].rotation;
            if (is_active(s, k)) {
                rotation_residual(method, s, &b->lanes[v], inertia_at(b, v));
            }
        }
        for (size_t v = 0; v < b->vectors; v++) {
            rotation_state *s = &b->states[v].rotation;
            if (is_active(s, k)) {
                update_inverse(method, s, &b->lanes[v], inertia_at(b, v), k == 0, solver->fixed_point);
            }
        }
        active = false;
        for (size_t v = 0; v < b->vectors; v++) {
            rotation_state *s = &b->states[v].rotation;
            if (is_active(s, k)) {
                b->tally->iterations += vm_all(s->active) ? VF_LANES : vm_count(s->active);
                correct(s, done);
                active |= vm_any(s->active);
            }
        }
    }
    for (size_t v = 0; v < b->vectors; v++) {
        end_iteration(&b->states[v].rotation, &b->lanes[v]);
    }
    for (size_t v = 0; v < b->vectors && b->plan->measured; v++) {
        b->tally->worst = vf_max(correction_ratio_square(&b->states[v].rotation), b->tally->worst);
    }
}

/* Turns every body by its v. */
VF_INLINE void finish_exponential(bool low, const body_block *b)
{
    for (size_t v = 0; v < b->vectors; v++) {
        rotation_state *s = &b->states[v].rotation;
        s->turn = exponential_turn(s->v, s->square, b->lanes[v].square);
    }
    for (size_t v = 0; v < b->vectors && low; v++) {
        turn_by_precise_exponential(&b->states[v].rotation, b->states[v].orientation);
    }
    for (size_t v = 0; v < b->vectors && low; v++) {
        const vm turned = vf_lt(vf_set1(0), b->states[v].rotation.square);
        finish_precise_substep(b, v, b->states[v].orientation, are_turning(b, v, turned));
    }
    for (size_t v = 0; v < b->vectors && !low; v++) {
        rotation_state *s = &b->states[v].rotation;
        s->increment = increment_of(orientation_at(b, v), s->turn);
    }
    for (size_t v = 0; v < b->vectors && !low; v++) {
        const rotation_state *s = &b->states[v].rotation;
        finish_substep(b, v, vf4_add(orientation_at(b, v), s->increment), s->square);
    }
}

VF_INLINE void exponential_substep(gyre_body_method method, const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
    for (size_t v = 0; v < b->vectors; v++) {
        begin_rotation(&b->states[v].rotation, &b->lanes[v], &b->plan->solver);
    }
    iterate(method, b);
    for (size_t v = 0; v < b->vectors; v++) {
        rotation_last_residual(method, &b->states[v].rotation, &b->lanes[v], inertia_at(b, v));
    }
    for (size_t v = 0; v < b->vectors; v++) {
        solve_rotation(&b->states[v].rotation);
    }
    finish_exponential(b->plan->low, b);
}

static __attribute__((noinline)) void midpoint_substep(const body_block *b)
{
    exponential_substep(GYRE_BODY_MIDPOINT, b);
}

static __attribute__((noinline)) void object_trapezoid_substep(const body_block *b)
{
    exponential_substep(GYRE_BODY_OBJECT_TRAPEZOID, b);
}

static __attribute__((noinline)) void trapezoid_substep(const body_block *b)
{
    exponential_substep(GYRE_BODY_TRAPEZOID, b);
}

static __attribute__((noinline)) void explicit_euler_substep(const body_block *in_memory)
{
    const body_block copy = *in_memory, *const b = &copy;
    for (size_t v = 0; v < b->vectors; v++) {
        turn_euler(&b->states[v].rotation, &b->lanes[v]);
    }
    finish_exponential(b->plan->low, b);
}

/* ---- The method of a call ---- */

typedef void body_substep(const body_block *block);

static body_substep *substep_of(const body_plan *plan)
{
    switch (plan->solver.method) {
    case GYRE_BODY_MIDPOINT: return midpoint_substep;
    case GYRE_BODY_OBJECT_TRAPEZOID: return object_trapezoid_substep;
    case GYRE_BODY_TRAPEZOID: return trapezoid_substep;
    case GYRE_BODY_EXPLICIT_EULER: return explicit_euler_substep;
    default: return plan->low ? moser_veselov_low_substep : moser_veselov_substep;
    }
}

#endif
