/* Stragglers: bodies that need more sub-steps than the rest of their block. They move into lanes of a block of their
   own, which stay busy until the end, for a lane that is done is given to the next of them. So the work follows the sum
   of sub-steps, whatever their order in the arrays. */
#ifndef GYRE_BODY_STRAGGLERS_H
#define GYRE_BODY_STRAGGLERS_H

#include "body/block-inl.h"

/* Of a straggler's substeps_left, before its first one. */
#define NOT_PLANNED INFINITY

/* One body's place in a field of a block of lanes. */
VF_INLINE float *lane_of(vf *field, size_t lane)
{
    return (float *)(void *)((char *)field + lane % VF_LANES * sizeof(float));
}

/* How many sub-steps each of the newcomers needs: of many at once, wherever they come from. */
static void plan_stragglers(body_run *run, const body_block *block, size_t vectors)
{
    const body_plan *plan = run->plan;
    body_lanes *lanes = run->stragglers.lanes;
    FOR_EACH_VECTOR
    {
        const vm planned = vf_lt(lanes[v].substeps_left, vf_set1(NOT_PLANNED));
        if (vm_all(planned)) {
            continue;
        }
        if (plan->low) {
            join_orientation(block, v, &run->states[v]);
        }
        plan_proven_substeps(plan, block, v, planned, &lanes[v], &run->states[v]);
        run->report.substeps += sum_of_lanes(vf_zero_where(planned, lanes[v].substeps_left));
    }
}

/* One sub-step for all stragglers; whoever is done goes home. */
static void advance_stragglers(body_run *run)
{
    body_stragglers *s = &run->stragglers;
    const size_t vectors = (64 - (size_t)__builtin_clzll(s->busy) + VF_LANES - 1) / VF_LANES;
    body_block block = {.compact = false};
    place_in_lanes(&block, s->lanes);
    plan_stragglers(run, &block, vectors);
    advance(run, &block, s->lanes, vectors);
    count_down(s->lanes, vectors);
    body_set done = s->busy & ~moving_set(s->lanes, vectors);
    s->busy &= ~done;
    for (; done != 0; done &= done - 1) {
        const size_t lane = (size_t)__builtin_ctzll(done), body = s->body[lane];
        body_lanes *lanes = &s->lanes[lane / VF_LANES];
        vf4 *q = &lanes->orientation, *low = &lanes->low;
        vf *parts[8] = {&q->v.x, &q->v.y, &q->v.z, &q->w, &low->v.x, &low->v.y, &low->v.z, &low->w};
        for (size_t k = 0; k < 4; k++) {
            run->bodies->orientation[k][body] = *lane_of(parts[k], lane);
            if (run->plan->low) {
                run->bodies->orientation_low[k][body] = *lane_of(parts[4 + k], lane);
            }
        }
        run->report.unconverged += *lane_of(&lanes->hit_limit, lane) > 0;
    }
}

/* When there is no room, they advance first; returns whether they did. */
static bool move_to_stragglers(body_run *run, body_lanes *lanes, size_t lane, size_t body)
{
    body_stragglers *s = &run->stragglers;
    const bool full = s->busy == UINT64_MAX;
    while (s->busy == UINT64_MAX) {
        advance_stragglers(run);
    }
    if (s->busy == 0) {
        memset(s->lanes, 0, sizeof s->lanes); /* at rest; only calls with stragglers pay for it */
    }
    const size_t to = (size_t)__builtin_ctzll(~s->busy);
    s->busy |= UINT64_C(1) << to;
    s->body[to] = body;
    vf *from = (vf *)&lanes[lane / VF_LANES], *into = (vf *)&s->lanes[to / VF_LANES];
    for (size_t field = 0; field < BODY_LASTING_FIELDS; field++) {
        *lane_of(into + field, to) = *lane_of(from + field, lane);
    }
    return full;
}

/* Bodies that need more sub-steps than the rest of a block become stragglers at once, and lie at rest where they were
   until they come home. Returns whether the block can step in the arrays then: not where more than a quarter of it
   would have to go, lane by lane, or something else is the matter with a body. */
static __attribute__((noinline)) bool part_with_stragglers(body_run *run, const body_block *block, size_t i,
                                                           size_t vectors)
{
    const body_plan *plan = run->plan;
    body_lanes *lanes = run->lanes;
    vm others[BODY_VECTORS];
    body_set leaving = 0;
    FOR_EACH_VECTOR
    {
        others[v] = is_planned(&plan->solver, &lanes[v], inertia_at(block, v));
        leaving |= (body_set)vm_bits(vm_not(others[v])) << (v * VF_LANES);
    }
    vm plain = vm_first(VF_LANES);
    FOR_EACH_VECTOR
    {
        plain = vm_and(plain, is_plain(others[v], &lanes[v], inertia_at(block, v), momentum_at(block, v)));
    }
    if (!vm_all(plain) || 4 * count_of(leaving) > vectors * VF_LANES || plan->solver.substeps > 0) {
        return false;
    }
    FOR_EACH_VECTOR
    {
        if (!vm_all(others[v])) {
            copy_vector(block, plan->low, v, VF_LANES, &lanes[v]);
            lanes[v].substeps_left = vf_set1(NOT_PLANNED);
        }
    }
    run->report.substeps -= count_of(leaving); /* one each will be counted with the block */
    bool advanced = false;
    for (body_set set = leaving; set != 0; set &= set - 1) {
        const size_t lane = (size_t)__builtin_ctzll(set);
        advanced |= move_to_stragglers(run, lanes, lane, i + lane);
    }
    plan_evenly(plan, lanes);
    if (advanced) { /* on the states that held the block's momenta */
        find_momenta(run, block, lanes, vectors);
    }
    FOR_EACH_VECTOR
    {
        const vm left = vm_not(others[v]);
        lanes[v].substeps_left = vf_zero_where(left, lanes[v].substeps_left);
        put_to_rest(left, plan->low, &lanes[v], &run->states[v]);
    }
    return true;
}

#endif
