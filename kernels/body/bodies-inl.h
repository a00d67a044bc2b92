/* gyre_bodies_step: bodies step a block at a time, through as many sub-steps as each needs.

   Most blocks step in the caller's arrays, and nothing is copied. A block is gathered into lanes if many of its bodies
   need more sub-steps than the call gives to all, if a body is not plain, if the last vector is not full, and always
   under explicit Euler, which changes the momentum. Bodies of other blocks that need more sub-steps become stragglers
   (body/block-inl.h). This does not affect the bits, since lanes are independent.

   README.md has a map of this folder, the terms for bodies, and the mathematics. */
#ifndef GYRE_BODY_BODIES_H
#define GYRE_BODY_BODIES_H

#include "body/block-inl.h"
#include "scalar/square_root.h"

/* Computes 1 / I and t, and whether all bodies are plain and planned. */
VF_INLINE bool prepare_inertia(bool closed_form, const body_block *b, body_block *in_memory)
{
    const body_plan *plan = b->plan;
    vm prepared = vm_first(VF_LANES), compact = prepared;
    vf slowest = vf_set1(1);
    VF_EACH_VECTOR(v, b->vectors) {
        body_lanes *lanes = &b->lanes[v];
        const vf3 inertia = inertia_at(b, v);
        const vm plain = is_plain_but_for_momentum(lanes->start.square, inertia);
        compact = vm_and(compact, is_compact(inertia));
        lanes->inverse = inverse_of(inertia);
        find_angle(lanes);
        const vm planned =
            closed_form ? is_slow_for_closed_form(inertia, lanes->angle) : are_planned(plan, lanes, inertia);
        prepared = vm_and(prepared, vm_and(plain, planned));
        slowest = vf_min(lanes->angle.square, slowest);
    }
    in_memory->compact = vm_all(compact);
    in_memory->small_angle = may_have_small_angles(plan, slowest);
    return vm_all(prepared);
}

/* A separate loop for the default: the general one checks the method for each vector. */
static bool prepare_block(body_block *block)
{
    const body_block copy = *block, *const b = &copy; /* so that no store can change its pointers */
    find_starts(b);
    const bool closed_form = b->plan->closed_form && b->plan->solver.substeps == 0;
    return closed_form ? prepare_inertia(true, b, block) : prepare_inertia(false, b, block);
}

/* n bodies of the block. */
static void gather_block(body_block *b, size_t n)
{
    for (size_t v = 0; v < b->vectors; v++) {
        gather_vector(b, v, vf_lanes_left(v * VF_LANES, n));
    }
    place_in_lanes(b);
}

/* Repairs the bodies that are not plain and plans those that need more sub-steps, for n bodies from i on. */
static void plan_each(body_run *run, body_block *b, size_t i, size_t n)
{
    const body_plan *plan = run->plan;
    for (size_t v = 0; v < b->vectors; v++) {
        body_lanes *lanes = &b->lanes[v];
        const size_t present = vf_lanes_left(v * VF_LANES, n);
        const vf3 momentum = vf3_add(lanes->body.momentum, lanes->body.momentum_low);
        vm planned = are_planned(plan, lanes, lanes->body.inertia);
        const vm plain = is_plain(planned, lanes->start.square, lanes->body.inertia, momentum);
        if (!vm_all(plain)) {
            repair_or_poison(lanes, plain);
            if (plan->low) {
                join_orientation(b, v);
            }
            poison_momentum(run->bodies, i + v * VF_LANES, present, is_valid_in_lanes(lanes));
            find_motion(b, v);
            planned = are_planned(plan, lanes, lanes->body.inertia);
            b->small_angle = true;
        }
        if (!vm_all(planned)) {
            plan_proven_substeps(b, v, planned);
            b->small_angle = true; /* the first of several sub-steps may be that short */
        }
        if (present < VF_LANES || !vm_all(plain)) {
            leave_out(lanes, present, &run->report);
        }
        run->report.substeps +=
            vm_all(vf_eq(lanes->substeps_left, vf_set1(1))) ? VF_LANES : sum_of_lanes(lanes->substeps_left);
    }
}

/* Counts the bodies that hit a limit; in a gathered block only those that have finished their step, because the others
   are counted as stragglers. Returns whether there are any. */
static bool count_limited(const body_block *b, gyre_body_report *report)
{
    bool any = false;
    for (size_t v = 0; v < b->vectors; v++) {
        vm limited = vf_lt(vf_set1(0), b->lanes[v].hit_limit);
        if (is_gathered(b)) {
            limited = vm_and(limited, vm_not(is_moving(&b->lanes[v])));
        }
        if (vm_any(limited)) {
            report->unconverged += vm_count(limited);
            any = true;
        }
    }
    return any;
}

/* ---- Turns that are lost: shorter than half an ulp of every component ---- */

static void copy_orientations(float (*to)[BODY_BLOCK], float *const from[4], size_t i, size_t n)
{
    for (size_t k = 0; k < 4; k++) {
        memcpy(to[k], from[k] + i, n * sizeof(float));
    }
}

/* Before a step of n bodies from i on, which are planned: whether some may turn so little. */
static bool watch_slow_turns(body_run *run, const body_block *b, size_t i, size_t n)
{
    const body_plan *plan = run->plan;
    bool any = false;
    for (size_t v = 0; v < b->vectors && plan->measured; v++) {
        const body_lanes *lanes = &b->lanes[v];
        const vm evenly = vf_eq(lanes->substeps_left, vf_set1(plan->substeps));
        run->before.slow[v] = vm_and(evenly, vf_lt(lanes->angle.square, vf_set1(0x1p-26f)));
        any |= vm_any(run->before.slow[v]);
    }
    if (any) {
        copy_orientations(run->before.high, run->bodies->orientation, i, n);
    }
    if (any && plan->low) {
        copy_orientations(run->before.low, run->bodies->orientation_low, i, n);
    }
    return any;
}

VF_INLINE vm are_equal(float (*before)[BODY_BLOCK], float *const now[4], size_t k, size_t i, size_t n)
{
    float *const old[] = {before[0], before[1], before[2], before[3]};
    const vf4 a = vf4_load_n(old, k, n), b = vf4_load_n(now, i + k, n);
    return vm_and(vm_and(vf_eq(a.v.x, b.v.x), vf_eq(a.v.y, b.v.y)), vm_and(vf_eq(a.v.z, b.v.z), vf_eq(a.w, b.w)));
}

/* After the step. */
static void count_lost_turns(body_run *run, const body_block *block, size_t i, size_t n)
{
    const gyre_bodies *b = run->bodies;
    for (size_t v = 0; v < block->vectors; v++) {
        const size_t k = v * VF_LANES, here = vf_lanes_left(k, n);
        const vm rests = vf3_is_zero(momentum_at(run->plan->momentum_low, block, v));
        vm lost = vm_and(vm_and(vm_first(here), run->before.slow[v]), vm_not(rests));
        lost = vm_and(lost, are_equal(run->before.high, b->orientation, k, i, here));
        if (run->plan->low) {
            lost = vm_and(lost, are_equal(run->before.low, b->orientation_low, k, i, here));
        }
        run->report.lost_turns += vm_count(lost);
    }
}

/* Steps n bodies from i on, until at least half of them are finished; the others become stragglers. */
VF_SHARED void step_gathered(body_run *run, body_block *b, size_t i, size_t n)
{
    const body_plan *plan = run->plan;
    const bool euler = plan->solver.method == GYRE_BODY_EXPLICIT_EULER;
    plan_each(run, b, i, n);
    const bool watched = watch_slow_turns(run, b, i, n);
    take_substep(run, b);
    count_down(b);
    body_set moving = moving_set(b);
    while (moving != 0 && (euler || 2 * count_of(moving) > n)) {
        advance(run, b);
        count_down(b);
        moving = moving_set(b);
    }
    store_orientations(run->bodies, plan->low, i, n, b->lanes);
    for (size_t v = 0; v < b->vectors && euler; v++) {
        run->report.unconverged += store_euler_momentum(run->bodies, &plan->kicks, &b->lanes[v], i + v * VF_LANES,
                                                        vf_lanes_left(v * VF_LANES, n));
    }
    if (watched) {
        count_lost_turns(run, b, i, n);
    }
    count_limited(b, &run->report);
    for (; moving != 0; moving &= moving - 1) {
        const size_t lane = lowest_of(moving);
        move_to_stragglers(run, lane, i + lane);
    }
    plan_evenly(plan, run->lanes);
}

/* Steps whole vectors of plain and planned bodies in the arrays. */
VF_INLINE void step_in_arrays(body_run *run, body_block *b, size_t i)
{
    const body_plan *plan = run->plan;
    const bool watched = watch_slow_turns(run, b, i, b->vectors * VF_LANES);
    run->report.substeps += b->vectors * VF_LANES * (size_t)plan->substeps;
    take_substep(run, b);
    for (float k = 1; k < plan->substeps; k++) {
        advance(run, b);
    }
    if (watched) {
        count_lost_turns(run, b, i, b->vectors * VF_LANES);
    }
    /* the closed form has no limit except that of sub-steps */
    if (!plan->closed_form && count_limited(b, &run->report)) {
        plan_evenly(plan, run->lanes);
    }
}

/* Steps n bodies from i on. A block on its own makes no stragglers: nothing would step at the same time. */
static void step_body_block(body_run *run, size_t i, size_t n, bool more_follow)
{
    const body_plan *plan = run->plan;
    bool gathered = n % VF_LANES != 0 || plan->solver.method == GYRE_BODY_EXPLICIT_EULER;
    body_block block = block_of(run, run->lanes, (n + VF_LANES - 1) / VF_LANES);
    place_in_arrays(&block, run->bodies, i);
    if (plan->kicked) {
        run->report.unconverged += kick(run->bodies, &plan->kicks, i, n, &run->drift);
        for (size_t k = 0; k < 3; k++) {
            block.momentum[k] = run->drift.high[k];
            block.momentum_low[k] = plan->momentum_low ? run->drift.low[k] : NULL;
        }
    }
    if (gathered) {
        gather_block(&block, n);
    }
    const bool prepared = prepare_block(&block);
    if (!prepared && !gathered) {
        const bool beside_others = more_follow || run->stragglers.busy != 0;
        gathered = !(beside_others && take_out_stragglers(run, &block, i));
        if (gathered) {
            gather_block(&block, n);
        }
    }
    if (gathered) {
        step_gathered(run, &block, i, n);
    } else {
        step_in_arrays(run, &block, i);
        if (!prepared) {
            plan_evenly(plan, run->lanes);
        }
    }
}

static void step_bodies(body_run *run, size_t begin, size_t end)
{
    plan_evenly(run->plan, run->lanes);
    for (size_t i = begin, n; i < end; i += n) {
        n = end - i < BODY_BLOCK ? end - i : BODY_BLOCK;
        step_body_block(run, i, n, i + n < end);
    }
    while (run->stragglers.busy != 0) {
        advance_stragglers(run);
    }
}

/* ---- The call ---- */

/* Sub-steps are counted down in floats. */
enum { MAX_SUBSTEPS = 1 << 24 };

static bool is_solver(const gyre_body_solver *s)
{
    bool order = s->order == 0 || s->order == 6 || s->order == 8;
    return (unsigned)s->method <= GYRE_BODY_EXPLICIT_EULER && (order || s->method != GYRE_BODY_MOSER_VESELOV) &&
           is_finite_not_negative(s->tolerance) && s->max_iterations >= 0 && s->max_substeps >= 0 && s->substeps >= 0 &&
           s->substeps <= MAX_SUBSTEPS;
}

/* (correction / rotation)^2 at which the next correction would be below the tolerance. Newton's next correction is
   about the square of the last one, so this is the tolerance itself; that of the simple iterator is about as large as
   the last one, so this is the tolerance squared. Without a tolerance, one more correction follows, with the same
   derivative, and leaves the cube of the last one: at most 2^-21 of the rotation, times its size in rad; 2^-26 where
   the method conserves energy, and 2^-27 with low parts. A tolerance below rounding is the same as none. Every
   correction meets a tolerance of 1 (see correct), so a larger one is treated as 1; its square could be infinite, and
   infinity times the rotation of a body at rest is NaN. */
static float correction_to_reach(const gyre_body_solver *s, bool low)
{
    const float tolerance = s->tolerance < 1 ? s->tolerance : 1;
    if (s->fixed_point) {
        return tolerance > 0x1p-22f ? tolerance * tolerance : 0x1p-44f;
    }
    const bool keeps_energy = s->method == GYRE_BODY_OBJECT_TRAPEZOID;
    float rounding = !keeps_energy ? 0x1p-14f : low ? 0x1p-18f : 0x1p-17f;
    return tolerance == 0 ? rounding : tolerance > 0x1p-40f ? tolerance : 0x1p-40f;
}

static body_plan plan_step(const gyre_bodies *b, const gyre_body_solver *solver, float dt_s, bool measured)
{
    gyre_body_solver s = {0};
    if (solver != NULL) {
        s = *solver;
    }
    const bool low = b->orientation_low[0] != NULL;
    s.order = s.order == 0 ? 6 : s.order;
    s.max_iterations = s.max_iterations == 0 ? 8 : s.max_iterations;
    s.max_substeps = s.max_substeps == 0 ? 1024 : s.max_substeps < MAX_SUBSTEPS ? s.max_substeps : MAX_SUBSTEPS;
    const float substeps = s.substeps > 0 ? (float)s.substeps : 1;
    const body_kicks kicks = kicks_of(b->angular_damping, dt_s);
    const float drift_s = (float)kicks.end.of_torque, h = drift_s / substeps;
    return (body_plan){
        .solver = s,
        .kicks = kicks,
        .dt = drift_s,
        .substeps = substeps,
        .h = h,
        .h_low = (float)((double)drift_s / (double)substeps - (double)h),
        .correction_to_reach = correction_to_reach(&s, low),
        .low = low,
        .momentum_low = b->momentum_low[0] != NULL,
        .kicked = b->torque[0] != NULL || b->angular_damping != 0,
        .measured = measured,
        .closed_form = s.method == GYRE_BODY_MOSER_VESELOV,
        .small_angle_square = small_angle_square(s.method, low),
    };
}

GYRE_KERNEL_FUNCTION gyre_status bodies_step(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s,
                                             const gyre_body_solver *solver, gyre_body_report *report)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(dt_s) || !is_finite_not_negative(bodies->angular_damping) ||
        (solver != NULL && !is_solver(solver))) {
        return GYRE_ERROR_VALUE;
    }
    gyre_status status = check_bodies(bodies, begin, end);
    if (status != GYRE_OK || begin == end || dt_s == 0) {
        return status;
    }
    /* the kick after the drift of a torque in the body's frame uses the new orientation: a step without a torque */
    gyre_bodies drifting = *bodies;
    const bool in_body = bodies->torque[0] != NULL && bodies->torque_in_body;
    if (in_body) {
        drifting.torque[0] = drifting.torque[1] = drifting.torque[2] = NULL;
    }
    const body_plan plan = plan_step(&drifting, solver, dt_s, report != NULL);
    uint64_t lost = in_body ? kick_alone(bodies, plan.kicks.of_torque, begin, end).lost : 0;
    body_run run;
    run.bodies = &drifting;
    run.plan = &plan;
    run.substep = substep_of(&plan);
    run.report = (gyre_body_report){0};
    run.tally = (body_tally){0, vf_set1(0)};
    run.stragglers.busy = 0;
    step_bodies(&run, begin, end);
    lost += in_body ? kick_alone(bodies, plan.kicks.of_torque, begin, end).lost : 0;
    run.report.unconverged += lost;
    if (report != NULL) {
        report->substeps += run.report.substeps;
        report->iterations += plan.closed_form ? run.report.substeps : run.tally.iterations;
        report->unconverged += run.report.unconverged;
        report->lost_turns += run.report.lost_turns;
        float worst = vf_largest_lane(run.tally.worst);
        if (plan.solver.fixed_point || plan.closed_form) {
            worst = float_square_root(worst);
        } else if (worst <= plan.correction_to_reach) { /* all converged, so one last correction followed */
            worst *= float_square_root(worst);
        }
        report->worst_residual = worst > report->worst_residual ? worst : report->worst_residual;
    }
    return run.report.unconverged > 0 ? GYRE_INCOMPLETE : GYRE_OK;
}

#endif
