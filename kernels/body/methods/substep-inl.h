/* One sub-step of every method, in stages.

   A sub-step is one long chain of operations that wait for each other, some 300 cycles, and a CPU looks ahead by some
   250 instructions (Zen 3; older ones and most boards' by fewer): it would wait for most of the time. So each stage is
   done for all vectors of a block before the next begins; a stage's own chain is short, and the CPU is soon at the next
   vector. What passes from stage to stage goes through memory, where it stays in the first cache, and few enough values
   are alive at once for the registers. */
#ifndef GYRE_BODY_STAGES_H
#define GYRE_BODY_STAGES_H

#include "body/methods/moser_veselov-inl.h"
#include "body/methods/midpoint_trapezoid_euler-inl.h"

VF_INLINE void note_worst(const body_state *states, size_t vectors, body_tally *tally)
{
    vf worst = tally->worst;
    FOR_EACH_VECTOR worst = vf_max(correction_ratio_square(&states[v]), worst);
    tally->worst = worst;
}

VF_INLINE void iterate(gyre_body_method method, const body_block *block, body_lanes *lanes, body_state *states,
                       size_t vectors, const body_plan *plan, body_tally *tally)
{
    const gyre_body_solver *solver = &plan->solver;
    const vf done = vf_set1(plan->correction_to_reach);
    bool active = true;
    for (int k = 0; k < solver->max_iterations && active; k++) {
#define FOR_EACH_ACTIVE FOR_EACH_VECTOR if (k == 0 || vm_any(states[v].active))
        FOR_EACH_ACTIVE rotation_residual(method, &states[v], &lanes[v], inertia_at(block, v));
        FOR_EACH_ACTIVE derive_rotation(method, &states[v], &lanes[v], inertia_at(block, v), k == 0,
                                        solver->fixed_point);
        active = false;
        FOR_EACH_ACTIVE
        {
            tally->iterations += vm_all(states[v].active) ? VF_LANES : vm_count(states[v].active);
            correct(&states[v], done);
            active |= vm_any(states[v].active);
        }
#undef FOR_EACH_ACTIVE
    }
    FOR_EACH_VECTOR end_iteration(&states[v], &lanes[v]);
    if (plan->measured) {
        note_worst(states, vectors, tally);
    }
}

/* Up to delta; with low parts it is little enough to be one stage. */
VF_INLINE void find_time_and_phase(int order, bool well_conditioned, bool low, const body_block *block,
                                   const body_lanes *lanes, body_state *states, size_t vectors)
{
    if (low) {
        FOR_EACH_VECTOR_BY_TWOS
        {
            begin_closed_form(low, &states[v], &lanes[v], inertia_at(block, v));
            find_time(order, well_conditioned, low, &states[v]);
            find_phase(order, well_conditioned, low, &states[v], &lanes[v], inertia_at(block, v));
            invert_inertia_precisely(&states[v], &lanes[v], block, v);
        }
    } else {
        FOR_EACH_VECTOR_BY_TWOS begin_closed_form(low, &states[v], &lanes[v], inertia_at(block, v));
        FOR_EACH_VECTOR_BY_TWOS find_time(order, well_conditioned, low, &states[v]);
        FOR_EACH_VECTOR_BY_TWOS find_phase(order, well_conditioned, low, &states[v], &lanes[v], inertia_at(block, v));
    }
}

/* `easy`: all bodies are. */
VF_INLINE void closed_form_stages(bool well_conditioned, bool low, const body_block *block, body_lanes *lanes,
                                  body_state *states, size_t vectors, const body_plan *plan, body_tally *tally)
{
    if (plan->solver.order == 6) {
        find_time_and_phase(6, well_conditioned, low, block, lanes, states, vectors);
    } else {
        find_time_and_phase(8, well_conditioned, low, block, lanes, states, vectors);
    }
    if (low) {
        FOR_EACH_VECTOR_BY_TWOS follow_curve(well_conditioned, &states[v]);
        FOR_EACH_VECTOR_BY_TWOS turn_along_curve(&states[v], &lanes[v]);
        FOR_EACH_VECTOR_BY_TWOS finish_along_curve(block, v, &lanes[v], &states[v]);
    } else {
        FOR_EACH_VECTOR_BY_TWOS find_mean(&states[v], &lanes[v]);
        FOR_EACH_VECTOR_BY_TWOS refine_mean(&states[v], &lanes[v]);
        if (!well_conditioned) {
            FOR_EACH_VECTOR refine_hard_mean(&states[v], &lanes[v], inertia_at(block, v));
        }
        if (plan->measured) {
            FOR_EACH_VECTOR_BY_TWOS measure_refinement(&states[v], &lanes[v]);
            note_worst(states, vectors, tally);
        }
        FOR_EACH_VECTOR_BY_TWOS turn_by_cayley(&states[v], &lanes[v], orientation_at(block, v));
        FOR_EACH_VECTOR_BY_TWOS add_closed_form(&states[v], orientation_at(block, v));
        FOR_EACH_VECTOR_BY_TWOS finish_substep(block, v, &lanes[v], energy_kept(states[v].sum), states[v].square);
    }
}

/* If sub-steps are not given, only masses with a proven step are in the caller's arrays. */
VF_INLINE void closed_form_substep(bool low, const body_block *block, body_lanes *lanes, body_state *states,
                                   size_t vectors, const body_plan *plan, body_tally *tally)
{
    if (plan->solver.substeps == 0 && block->compact && !is_gathered(block)) {
        closed_form_stages(true, low, block, lanes, states, vectors, plan, tally);
    } else {
        closed_form_stages(false, low, block, lanes, states, vectors, plan, tally);
    }
}

VF_INLINE void finish_exponential(bool low, const body_block *block, body_lanes *lanes, body_state *states,
                                  size_t vectors)
{
    FOR_EACH_VECTOR states[v].turn = exponential_turn(states[v].x, states[v].square, lanes[v].square);
    if (low) {
        FOR_EACH_VECTOR turn_by_precise_exponential(&states[v]);
        FOR_EACH_VECTOR finish_precise_substep(block, v, &lanes[v], states[v].precise_orientation,
                                               vf_lt(vf_set1(0), states[v].square));
    } else {
        FOR_EACH_VECTOR states[v].increment = increment_of(orientation_at(block, v), states[v].turn);
        FOR_EACH_VECTOR
        {
            vf4 sum = vf4_add(orientation_at(block, v), states[v].increment);
            finish_substep(block, v, &lanes[v], sum, states[v].square);
        }
    }
}

VF_INLINE void exponential_substep(gyre_body_method method, bool low, const body_block *block, body_lanes *lanes,
                                   body_state *states, size_t vectors, const body_plan *plan, body_tally *tally)
{
    FOR_EACH_VECTOR begin_rotation(&states[v], &lanes[v], &plan->solver);
    iterate(method, block, lanes, states, vectors, plan, tally);
    FOR_EACH_VECTOR rotation_last_residual(method, &states[v], &lanes[v], inertia_at(block, v));
    FOR_EACH_VECTOR solve_rotation(&states[v]);
    finish_exponential(low, block, lanes, states, vectors);
}

VF_INLINE void euler_substep(bool low, const body_block *block, body_lanes *lanes, body_state *states, size_t vectors)
{
    FOR_EACH_VECTOR turn_euler(&states[v], &lanes[v]);
    finish_exponential(low, block, lanes, states, vectors);
}

typedef void body_substep(const body_block *block, body_lanes *lanes, body_state *states, size_t vectors,
                          const body_plan *plan, body_tally *tally);

/* Each with and without low parts; the compiler leaves out what a method does not need. The block is a local copy,
   whose pointers no store of a vector can change. */
#define SUBSTEP(name, call)                                                                                            \
    static __attribute__((noinline)) void name(const body_block *in_memory, body_lanes *lanes, body_state *states,     \
                                               size_t vectors, const body_plan *plan, body_tally *tally)               \
    {                                                                                                                  \
        const body_block copy = *in_memory, *const block = &copy;                                                      \
        (void)plan, (void)tally;                                                                                       \
        call;                                                                                                          \
    }
SUBSTEP(step_closed_form, closed_form_substep(false, block, lanes, states, vectors, plan, tally))
SUBSTEP(step_closed_form_low, closed_form_substep(true, block, lanes, states, vectors, plan, tally))
SUBSTEP(step_midpoint, exponential_substep(GYRE_BODY_MIDPOINT, false, block, lanes, states, vectors, plan, tally))
SUBSTEP(step_midpoint_low, exponential_substep(GYRE_BODY_MIDPOINT, true, block, lanes, states, vectors, plan, tally))
SUBSTEP(step_object, exponential_substep(GYRE_BODY_OBJECT_TRAPEZOID, false, block, lanes, states, vectors, plan, tally))
SUBSTEP(step_object_low,
        exponential_substep(GYRE_BODY_OBJECT_TRAPEZOID, true, block, lanes, states, vectors, plan, tally))
SUBSTEP(step_trapezoid, exponential_substep(GYRE_BODY_TRAPEZOID, false, block, lanes, states, vectors, plan, tally))
SUBSTEP(step_trapezoid_low, exponential_substep(GYRE_BODY_TRAPEZOID, true, block, lanes, states, vectors, plan, tally))
SUBSTEP(step_euler, euler_substep(false, block, lanes, states, vectors))
SUBSTEP(step_euler_low, euler_substep(true, block, lanes, states, vectors))

static body_substep *substep_of(const body_plan *plan)
{
    static body_substep *const substeps[][2] = {
        [GYRE_BODY_MOSER_VESELOV] = {step_closed_form, step_closed_form_low},
        [GYRE_BODY_MIDPOINT] = {step_midpoint, step_midpoint_low},
        [GYRE_BODY_OBJECT_TRAPEZOID] = {step_object, step_object_low},
        [GYRE_BODY_TRAPEZOID] = {step_trapezoid, step_trapezoid_low},
        [GYRE_BODY_EXPLICIT_EULER] = {step_euler, step_euler_low},
    };
    return substeps[plan->solver.method][plan->low];
}

#endif
