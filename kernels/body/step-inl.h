/* Bodies step, a block at a time, through as many sub-steps as each needs.

   Most blocks step where they are, in the caller's arrays: nothing is copied that is not changed. A block is copied
   into lanes of its own, apart, where many bodies turn so fast that they need more sub-steps than the call asks of all,
   where something is wrong or out of the ordinary with a body, or where the last vector is not full; and always under
   explicit Euler, whose drift changes the momentum.

   Bodies that crawl take a sub-step before the others of their block do, wherever it is
   (body/methods/small_angle-inl.h).

   No lane waits: few bodies that need more sub-steps than the rest of their block become stragglers at once, and where
   they are many, when at least half of the block apart is done (body/gathered-inl.h). No bits depend on that, since
   each lane computes by itself.

   Words for bodies, each of them a test:
       plain       moments in [2^-20, 2^20], momentum below 2^40, |q| next to 1: nothing leaves the range of float
       planned     the step that the call asks of all is proven for it
       physical    no moment above the sum of the others, as in all that has mass
       compact     no moment 64 times another
       easy        physical and compact, and turning by 0.8 rad or less in a sub-step: the closed form needs no mending
                   but that of rounding
       crawling    turning by so little that the first terms of the motion's series are all of it

   What is where, in the order to read it:
       body/lanes-inl.h                                        the vector of bodies that steps
       body/orientation-inl.h, body/state-inl.h                           a turn added to an orientation; what stages
   pass on body/methods/newton-inl.h, body/methods/midpoint_trapezoid_euler-inl.h                   Newton's iteration,
   and the methods it solves body/methods/cayley-inl.h, body/methods/moser_veselov-inl.h           Moser-Veselov
       body/methods/substep-inl.h, body/substeps-inl.h                      a sub-step of each, and how many
       body/methods/small_angle-inl.h, body/torque-inl.h                           what is next to rest, and torque
       body/memory-inl.h, body/block-inl.h, body/gathered-inl.h        arrays, what a call keeps, and who is left behind
 */
#include "body/torque-inl.h"
#include "body/gathered-inl.h"

/* Inverse inertia and half turn, and whether these are all there is to prepare: for plain bodies that turn slowly. */
VF_INLINE bool prepare_inertia(const body_plan *plan, const gyre_body_solver *solver, body_block *block,
                               body_lanes *all, size_t vectors)
{
    vm prepared = vm_first(VF_LANES), compact = prepared;
    vf slowest = vf_set1(1);
    FOR_EACH_VECTOR_BY_TWOS
    {
        body_lanes *lanes = &all[v];
        const vf3 inertia = inertia_at(block, v);
        vm plain = is_plain_but_for_momentum(inertia, lanes);
        compact = vm_and(compact, is_compact(inertia));
        invert_inertia(lanes, inertia);
        find_half_angle(lanes);
        prepared = vm_and(prepared, vm_and(plain, is_planned(solver, lanes, inertia)));
        slowest = vf_min(lanes->half_angle_square, slowest);
    }
    block->compact = vm_all(compact);
    block->small_angle = may_have_small_angles(plan, slowest);
    return vm_all(prepared);
}

/* What every sub-step begins with, and whether it is all there is to prepare. */
static bool prepare_block(body_run *run, body_block *block, size_t vectors)
{
    static const gyre_body_solver usual = {.method = GYRE_BODY_MOSER_VESELOV, .order = 6}; /* or 8: the same bound */
    const gyre_body_solver solver = run->plan->solver;
    find_momenta(run, block, run->lanes, vectors);
    /* a loop of its own: the other asks for the method in each vector */
    return run->plan->closed_form && solver.substeps == 0
               ? prepare_inertia(run->plan, &usual, block, run->lanes, vectors)
               : prepare_inertia(run->plan, &solver, block, run->lanes, vectors);
}

/* n bodies of the block, from now on apart. */
static void gather(body_run *run, body_block *block, size_t n)
{
    for (size_t v = 0; v * VF_LANES < n; v++) {
        copy_vector(block, run->plan->low, v, vf_lanes_left(v * VF_LANES, n), &run->lanes[v]);
    }
    place_in_lanes(block, run->lanes);
}

/* Those that are not plain or need more sub-steps, of n from i on; returns whether some may crawl. */
static bool plan_each(body_run *run, const body_block *block, size_t i, size_t n)
{
    const body_plan *plan = run->plan;
    bool small_angle = block->small_angle;
    for (size_t v = 0; v * VF_LANES < n; v++) {
        body_lanes *lanes = &run->lanes[v];
        body_state *state = &run->states[v];
        const size_t present = vf_lanes_left(v * VF_LANES, n);
        vm planned = is_planned(&plan->solver, lanes, lanes->inertia);
        const vm plain = is_plain(planned, lanes, lanes->inertia, lanes->momentum);
        if (!vm_all(plain)) {
            repair_or_poison(lanes, plain, plan->low);
            if (plan->low) {
                join_orientation(block, v, state);
            }
            poison_momentum(run->bodies, i + v * VF_LANES, present, lanes);
            find_momentum_of_either(plan, block, v, lanes, state);
            find_half_angle(lanes);
            planned = is_planned(&plan->solver, lanes, lanes->inertia);
            small_angle = true;
        }
        if (!vm_all(planned)) {
            plan_proven_substeps(plan, block, v, planned, lanes, state);
            small_angle = true; /* the first of several sub-steps may be as short as that */
        }
        if (present < VF_LANES || !vm_all(plain)) {
            leave_out(lanes, present, &run->report);
        }
        run->report.substeps +=
            vm_all(vf_eq(lanes->substeps_left, vf_set1(1))) ? VF_LANES : sum_of_lanes(lanes->substeps_left);
    }
    return small_angle;
}

/* Counts the bodies that have met a limit, of those that are not moving; returns whether there are any. */
static bool count_limited(const body_lanes *lanes, size_t vectors, bool gathered, gyre_body_report *report)
{
    bool any = false;
    FOR_EACH_VECTOR
    {
        vm limited = vf_lt(vf_set1(0), lanes[v].hit_limit);
        if (gathered) { /* those that go on are counted when they go home */
            limited = vm_and(limited, vm_not(lanes_moving(&lanes[v])));
        }
        if (vm_any(limited)) {
            report->unconverged += vm_count(limited);
            any = true;
        }
    }
    return any;
}

/* n bodies from i on, until at least half of them are done; the rest go to the stragglers. */
static __attribute__((noinline)) void step_gathered(body_run *run, const body_block *block, size_t i, size_t n)
{
    const gyre_bodies *b = run->bodies;
    const body_plan *plan = run->plan;
    const bool euler = plan->solver.method == GYRE_BODY_EXPLICIT_EULER;
    const size_t vectors = (n + VF_LANES - 1) / VF_LANES;
    body_lanes *lanes = run->lanes;
    take_substep(run, block, lanes, vectors, plan_each(run, block, i, n));
    count_down(lanes, vectors);
    body_set moving = moving_set(lanes, vectors);
    while (moving != 0 && (euler || 2 * count_of(moving) > n)) {
        advance(run, block, lanes, vectors);
        count_down(lanes, vectors);
        moving = moving_set(lanes, vectors);
    }
    store_orientations(b, plan->low, i, n, lanes);
    if (euler) {
        FOR_EACH_VECTOR store_euler_momentum(b, plan, &lanes[v], i + v * VF_LANES, vf_lanes_left(v * VF_LANES, n));
    }
    count_limited(lanes, vectors, true, &run->report);
    for (; moving != 0; moving &= moving - 1) {
        const size_t lane = (size_t)__builtin_ctzll(moving);
        move_to_stragglers(run, lanes, lane, i + lane);
    }
    plan_evenly(plan, lanes);
}

/* Whole vectors of plain and slow bodies, where they are. */
VF_INLINE void step_in_arrays(body_run *run, const body_block *block, size_t vectors)
{
    const body_plan *plan = run->plan;
    run->report.substeps += vectors * VF_LANES * (size_t)plan->substeps;
    take_substep(run, block, run->lanes, vectors, block->small_angle);
    for (float k = 1; k < plan->substeps; k++) {
        advance(run, block, run->lanes, vectors);
    }
    /* the closed form has no other limits than that of sub-steps */
    if (!plan->closed_form && count_limited(run->lanes, vectors, false, &run->report)) {
        plan_evenly(plan, run->lanes);
    }
}

/* n bodies from i on. A block by itself has no use for stragglers beside it. */
static void step_body_block(body_run *run, size_t i, size_t n, bool more_follow)
{
    const body_plan *plan = run->plan;
    const size_t vectors = (n + VF_LANES - 1) / VF_LANES;
    bool gathered = n % VF_LANES != 0 || plan->solver.method == GYRE_BODY_EXPLICIT_EULER;
    body_block block;
    place_in_arrays(&block, run->bodies, i);
    if (plan->torque) {
        kick(run->bodies, plan->dt, i, n, run->drift);
        for (size_t k = 0; k < 3; k++) {
            block.momentum[k] = run->drift[k];
        }
    }
    if (gathered) {
        gather(run, &block, n);
    }
    const bool prepared = prepare_block(run, &block, vectors);
    if (!prepared && !gathered) {
        const bool beside_others = more_follow || run->stragglers.busy != 0;
        gathered = !(beside_others && part_with_stragglers(run, &block, i, vectors));
        if (gathered) {
            gather(run, &block, n);
        }
    }
    if (gathered) {
        step_gathered(run, &block, i, n);
    } else {
        step_in_arrays(run, &block, vectors);
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

/* ---- The call. ---- */

/* Sub-steps are counted down in floats. */
enum { MOST_SUBSTEPS = 1 << 24 };

static bool is_solver(const gyre_body_solver *s)
{
    bool order = s->order == 0 || s->order == 6 || s->order == 8;
    return (unsigned)s->method <= GYRE_BODY_EXPLICIT_EULER && (order || s->method != GYRE_BODY_MOSER_VESELOV) &&
           is_finite_not_negative(s->tolerance) && s->max_iterations >= 0 && s->max_substeps >= 0 && s->substeps >= 0 &&
           s->substeps <= MOST_SUBSTEPS;
}

/* What the square of a correction must come down to, in parts of the square of the rotation, for the next correction to
   be below the tolerance. Newton's next is about the square of this one: so the limit is the tolerance itself. The
   simple iterator's is about as large as this one: so it is the tolerance squared. Without a tolerance a last
   correction follows, with the same derivative, and leaves the cube of this one: 2^-21 of the rotation at the most,
   times its size in rad; 2^-26 where the method keeps an energy that nothing else takes, and 2^-27 if low parts keep it
   too. Tolerances below what rounding leaves are as good as none. */
static float correction_to_reach(const gyre_body_solver *s, bool low)
{
    const float tolerance = s->tolerance;
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
    s.max_substeps = s.max_substeps == 0 ? 64 : s.max_substeps < MOST_SUBSTEPS ? s.max_substeps : MOST_SUBSTEPS;
    const float substeps = s.substeps > 0 ? (float)s.substeps : 1;
    return (body_plan){
        .solver = s,
        .dt = dt_s,
        .substeps = substeps,
        .h = dt_s / substeps,
        .correction_to_reach = correction_to_reach(&s, low),
        .low = low,
        .torque = b->torque[0] != NULL,
        .measured = measured,
        .closed_form = s.method == GYRE_BODY_MOSER_VESELOV,
        .small_angle_square = small_angle_square(&s, low),
        .short_step = dt_s >= -0x1p20f && dt_s <= 0x1p20f,
    };
}

GYRE_KERNEL_FUNCTION gyre_status bodies_step(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s,
                                             const gyre_body_solver *solver, gyre_body_report *report)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(dt_s) || (solver != NULL && !is_solver(solver))) {
        return GYRE_ERROR_VALUE;
    }
    gyre_status status = check_bodies(bodies, begin, end);
    if (status != GYRE_OK || begin == end || dt_s == 0) {
        return status;
    }
    const body_plan plan = plan_step(bodies, solver, dt_s, report != NULL);
    body_run run;
    run.bodies = bodies;
    run.plan = &plan;
    run.substep = substep_of(&plan);
    run.report = (gyre_body_report){0};
    run.tally = (body_tally){0, vf_set1(0)};
    run.stragglers.busy = 0;
    step_bodies(&run, begin, end);
    if (report != NULL) {
        report->substeps += run.report.substeps;
        report->iterations += plan.closed_form ? run.report.substeps : run.tally.iterations;
        report->unconverged += run.report.unconverged;
        float worst = vf_largest_lane(run.tally.worst);
        if (plan.solver.fixed_point || plan.closed_form) {
            worst = __builtin_sqrtf(worst);
        } else if (worst <= plan.correction_to_reach) { /* all converged, so a last correction came after it */
            worst *= __builtin_sqrtf(worst);
        }
        report->worst_residual = worst > report->worst_residual ? worst : report->worst_residual;
    }
    return GYRE_OK;
}
