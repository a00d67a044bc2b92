/* Bodies step, a block at a time, through as many sub-steps as each needs.

   Most blocks step where they are, in the caller's arrays: nothing is copied that is not changed. A block is copied
   into lanes of its own, apart, where many bodies turn so fast that they need more sub-steps than the call asks of all,
   where something is wrong or out of the ordinary with a body, or where the last vector is not full; and always under
   explicit Euler, whose drift changes the momentum.

   Bodies that crawl take a sub-step before the others of their block do, wherever it is (body_crawl.h).

   No lane waits. Few bodies that need more sub-steps than the rest of their block become stragglers: they move into
   lanes of another block, which stay busy until the end, for a lane that is done is given to the next of them. Where
   they are many they go when at least half of the block apart is done. So the work follows the sum of sub-steps,
   whatever their order in the arrays, and as every lane computes by itself, no bits depend on it, nor on who is where.
 */
#include "body_crawl.h"
#include "body_memory.h"
#include "body_stages.h"

typedef uint64_t body_set; /* a bit for each body of a block */

/* Of a straggler's substeps_left, before its first one. */
#define NOT_PLANNED INFINITY

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

/* Loops of their own: to ask for low parts in each vector would cost bodies without any 2 percent (Zen 3). */
VF_INLINE void find_momenta(body_run *run, const body_block *block, body_lanes *lanes, size_t vectors)
{
    if (run->plan->low) {
        FOR_EACH_VECTOR_BY_TWOS join_orientation(block, v, &run->states[v]);
        FOR_EACH_VECTOR_BY_TWOS find_momentum(true, true, block, v, &lanes[v], &run->states[v]);
    } else if (run->plan->short_step) {
        FOR_EACH_VECTOR_BY_TWOS find_momentum(false, true, block, v, &lanes[v], &run->states[v]);
    } else {
        FOR_EACH_VECTOR_BY_TWOS find_momentum(false, false, block, v, &lanes[v], &run->states[v]);
    }
}

/* Whether some may, of bodies whose least square of half a turn this is. */
VF_INLINE bool may_crawl(const body_plan *plan, vf slowest)
{
    return vm_any(vf_lt(slowest, vf_set1(plan->crawling_square)));
}

/* Those that crawl, if any may, take the sub-step by themselves; where all of a block do, no more is left of it. */
static void take_substep(body_run *run, const body_block *block, body_lanes *lanes, size_t vectors, bool crawling)
{
    const body_plan *plan = run->plan;
    if (crawling && plan->crawling_square > 0) {
        vm all = vm_first(VF_LANES);
        FOR_EACH_VECTOR all = vm_and(all, crawl(plan, block, v, &lanes[v], &run->states[v]));
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
        find_half_turn(&lanes[v]);
        const vf square = square_of_turn(&lanes[v]);
        slowest = vf_min(vf_select(lanes_moving(&lanes[v]), square, slowest), slowest); /* idle lanes do not */
    }
    take_substep(run, block, lanes, vectors, may_crawl(run->plan, slowest));
}

static void count_down(body_lanes *lanes, size_t vectors)
{
    FOR_EACH_VECTOR lanes[v].substeps_left = vf_sub(lanes[v].substeps_left, vf_set1(1));
}

/* One body's place in a field of a block of lanes. */
VF_INLINE float *lane_of(vf *field, size_t lane)
{
    return (float *)(void *)((char *)field + lane % VF_LANES * sizeof(float));
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
        run->report.substeps += sum_of_lanes(vf_drop(planned, lanes[v].substeps_left));
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

/* The step that the call asks for, for all bodies. */
static void plan_evenly(const body_plan *plan, body_lanes *lanes)
{
    for (size_t v = 0; v < BODY_VECTORS; v++) {
        lanes[v].half_h = vf_set1(0.5f * plan->h);
        lanes[v].substeps_left = vf_set1(plan->substeps);
        lanes[v].hit_limit = vf_set1(0);
    }
}

/* Inverse inertia and half turn, and whether these are all there is to prepare: for plain bodies that turn slowly. */
VF_INLINE bool prepare_inertia(const body_plan *plan, const gyre_body_solver *solver, body_block *block,
                               body_lanes *all, size_t vectors)
{
    vm easy = vm_first(VF_LANES), compact = easy;
    vf slowest = vf_set1(1);
    FOR_EACH_VECTOR_BY_TWOS
    {
        body_lanes *lanes = &all[v];
        const vf3 inertia = inertia_at(block, v);
        vm plain = is_plain_but_for_momentum(inertia, lanes);
        compact = vm_and(compact, is_compact(inertia));
        invert_inertia(lanes, inertia);
        find_half_turn(lanes);
        easy = vm_and(easy, vm_and(plain, is_planned(solver, lanes, inertia)));
        slowest = vf_min(square_of_turn(lanes), slowest);
    }
    block->compact = vm_all(compact);
    block->crawling = may_crawl(plan, slowest);
    return vm_all(easy);
}

/* What every sub-step begins with, and whether it is all there is to prepare. */
static bool prepare_block(body_run *run, body_block *block, size_t vectors)
{
    static const gyre_body_solver usual = {.method = GYRE_BODY_MOSER_VESELOV, .order = 6};
    const gyre_body_solver solver = run->plan->solver;
    find_momenta(run, block, run->lanes, vectors);
    /* a loop of its own: the other asks for the method in each vector */
    return run->plan->closed_form && solver.substeps == 0
               ? prepare_inertia(run->plan, &usual, block, run->lanes, vectors)
               : prepare_inertia(run->plan, &solver, block, run->lanes, vectors);
}

/* n bodies of the block, from now on apart. */
static void set_apart(body_run *run, body_block *block, size_t n)
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
    bool crawling = block->crawling;
    for (size_t v = 0; v * VF_LANES < n; v++) {
        body_lanes *lanes = &run->lanes[v];
        body_state *state = &run->states[v];
        const size_t present = vf_lanes_left(v * VF_LANES, n);
        vm planned = is_planned(&plan->solver, lanes, lanes->inertia);
        const vm plain = is_plain(planned, lanes, lanes->inertia, lanes->momentum);
        if (!vm_all(plain)) {
            repair_or_spoil(lanes, plain, plan->low);
            if (plan->low) {
                join_orientation(block, v, state);
            }
            spoil_momentum(run->bodies, i + v * VF_LANES, present, lanes);
            find_momentum(plan->low, plan->short_step, block, v, lanes, state);
            find_half_turn(lanes);
            planned = is_planned(&plan->solver, lanes, lanes->inertia);
            crawling = true;
        }
        if (!vm_all(planned)) {
            plan_proven_substeps(plan, block, v, planned, lanes, state);
            crawling = true; /* the first of several sub-steps may be as short as that */
        }
        if (present < VF_LANES || !vm_all(plain)) {
            leave_out(lanes, present, &run->report);
        }
        run->report.substeps +=
            vm_all(vf_eq(lanes->substeps_left, vf_set1(1))) ? VF_LANES : sum_of_lanes(lanes->substeps_left);
    }
    return crawling;
}

/* Counts the bodies that have met a limit, of those that are not moving; returns whether there are any. */
static bool count_limited(const body_lanes *lanes, size_t vectors, bool apart, gyre_body_report *report)
{
    bool any = false;
    FOR_EACH_VECTOR
    {
        vm limited = vf_lt(vf_set1(0), lanes[v].hit_limit);
        if (apart) { /* those that go on are counted when they go home */
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
static __attribute__((noinline)) void step_apart(body_run *run, const body_block *block, size_t i, size_t n)
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
        lanes[v].substeps_left = vf_drop(left, lanes[v].substeps_left);
        put_to_rest(left, plan->low, &lanes[v], &run->states[v]);
    }
    return true;
}

/* Whole vectors of plain and slow bodies, where they are. */
VF_INLINE void step_in_arrays(body_run *run, const body_block *block, size_t vectors)
{
    const body_plan *plan = run->plan;
    run->report.substeps += vectors * VF_LANES * (size_t)plan->substeps;
    take_substep(run, block, run->lanes, vectors, block->crawling);
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
    bool apart = n % VF_LANES != 0 || plan->solver.method == GYRE_BODY_EXPLICIT_EULER;
    body_block block;
    place_in_arrays(&block, run->bodies, i);
    if (plan->torque) {
        kick(run->bodies, plan->dt, i, n, run->drift);
        for (size_t k = 0; k < 3; k++) {
            block.momentum[k] = run->drift[k];
        }
    }
    if (apart) {
        set_apart(run, &block, n);
    }
    const bool easy = prepare_block(run, &block, vectors);
    if (!easy && !apart) {
        const bool beside_others = more_follow || run->stragglers.busy != 0;
        apart = !(beside_others && part_with_stragglers(run, &block, i, vectors));
        if (apart) {
            set_apart(run, &block, n);
        }
    }
    if (apart) {
        step_apart(run, &block, i, n);
    } else {
        step_in_arrays(run, &block, vectors);
        if (!easy) {
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
    bool order = s->order == 0 || s->order == 2 || s->order == 4 || s->order == 6 || s->order == 8;
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
    const bool keeps_energy = s->method == GYRE_BODY_MOSER_VESELOV || s->method == GYRE_BODY_OBJECT_TRAPEZOID;
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
        .closed_form = s.method == GYRE_BODY_MOSER_VESELOV && s.order >= 6,
        .crawling_square = crawling_square(&s, low),
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
