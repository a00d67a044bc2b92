/* What a call keeps while its bodies step, and one sub-step of a block of them, wherever they are. */
#ifndef GYRE_BODY_RUN_H
#define GYRE_BODY_RUN_H

#include "body/methods/small_angle-inl.h"
#include "body/torque-inl.h"
#include "body/memory-inl.h"
#include "body/methods/substep-inl.h"

typedef uint64_t body_set; /* a bit for each body of a block */

/* Bodies that need more sub-steps than their neighbours, from wherever they are, together. */
typedef struct body_stragglers {
    body_lanes lanes[BODY_VECTORS];
    size_t body[BODY_BLOCK];
    body_set busy;
} body_stragglers;

typedef struct body_run {
    body_state states[BODY_VECTORS]; /* of whatever vectors step */
    body_lanes lanes[BODY_VECTORS];
    body_momenta drift;
    const gyre_bodies *bodies;
    const body_plan *plan;
    body_substep *substep;
    gyre_body_report report;
    body_tally tally;
    body_stragglers stragglers;
} body_run;

_Static_assert(sizeof(body_run) < 40 * 1024, "body.h promises a small stack");

static size_t count_of(body_set set)
{
    size_t count = 0;
    for (; set != 0; set &= set - 1) {
        count++;
    }
    return count;
}

VF_INLINE body_set moving_set(const body_lanes *lanes, size_t vectors)
{
    body_set set = 0;
    FOR_EACH_VECTOR set |= (body_set)vm_bits(lanes_moving(&lanes[v])) << (v * VF_LANES);
    return set;
}

/* The step that the call asks for, for all bodies. */
static void plan_evenly(const body_plan *plan, body_lanes *lanes)
{
    for (size_t v = 0; v < BODY_VECTORS; v++) {
        lanes[v].half_h = vf_set1(0.5f * plan->h);
        lanes[v].substeps_left = vf_set1(plan->substeps);
        lanes[v].hit_limit = vf_set1(0);
    }
}

/* Loops of their own: to ask for low parts in each vector would cost bodies without any 2 percent (Zen 3). */
VF_INLINE void find_momenta(body_run *run, const body_block *block, body_lanes *lanes, size_t vectors)
{
    if (run->plan->low) {
        FOR_EACH_VECTOR_BY_TWOS join_orientation(block, v, &run->states[v]);
        FOR_EACH_VECTOR_BY_TWOS find_precise_momentum(block, v, &lanes[v], &run->states[v]);
    } else if (run->plan->short_step) {
        FOR_EACH_VECTOR_BY_TWOS find_momentum(true, block, v, &lanes[v]);
    } else {
        FOR_EACH_VECTOR_BY_TWOS find_momentum(false, block, v, &lanes[v]);
    }
}

/* Whether some may, of bodies whose least square of half a turn this is. */
VF_INLINE bool may_have_small_angles(const body_plan *plan, vf slowest)
{
    return vm_any(vf_lt(slowest, vf_set1(plan->small_angle_square)));
}

/* Those that crawl, if any may, take the sub-step by themselves; where all of a block do, no more is left of it. */
static void take_substep(body_run *run, const body_block *block, body_lanes *lanes, size_t vectors, bool small_angle)
{
    const body_plan *plan = run->plan;
    if (small_angle && plan->small_angle_square > 0) {
        vm all = vm_first(VF_LANES);
        FOR_EACH_VECTOR all = vm_and(all, step_small_angles(plan, block, v, &lanes[v], &run->states[v]));
        if (vm_all(all)) {
            FOR_EACH_VECTOR run->tally.iterations += vm_count(lanes_moving(&lanes[v])); /* as of bodies at rest */
            return;
        }
    }
    run->substep(block, lanes, run->states, vectors, plan, &run->tally);
}

/* One more sub-step. */
static void advance(body_run *run, const body_block *block, body_lanes *lanes, size_t vectors)
{
    find_momenta(run, block, lanes, vectors);
    vf slowest = vf_set1(1);
    FOR_EACH_VECTOR_BY_TWOS
    {
        find_half_angle(&lanes[v]);
        const vf moving =
            vf_select(lanes_moving(&lanes[v]), lanes[v].half_angle_square, slowest); /* idle lanes do not */
        slowest = vf_min(moving, slowest);
    }
    take_substep(run, block, lanes, vectors, may_have_small_angles(run->plan, slowest));
}

static void count_down(body_lanes *lanes, size_t vectors)
{
    FOR_EACH_VECTOR lanes[v].substeps_left = vf_sub(lanes[v].substeps_left, vf_set1(1));
}

static uint64_t sum_of_lanes(vf a)
{
    float lanes[GYRE_LANES];
    vf_store(lanes, a);
    uint64_t sum = 0;
    for (size_t k = 0; k < VF_LANES; k++) {
        sum += (uint64_t)lanes[k];
    }
    return sum;
}

#endif
