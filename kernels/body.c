/* Bodies step: from the caller's arrays into blocks of lanes, through as many sub-steps as each needs, and back.

   No lane waits. Bodies are taken from the arrays a block at a time. When at least half of a block is done and the rest
   still has sub-steps to go, those bodies move into lanes of a second block that stay busy until the end: a lane that
   is done is given to the next body that needs more. So the work follows the sum of sub-steps, whatever their order in
   the arrays, and as every lane computes by itself, no bits depend on it. */
#include "body_memory.h"
#include "body_plan.h"
#include "body_stages.h"

typedef uint64_t body_set; /* a bit for each body of a block */

/* Bodies that need more sub-steps than their neighbours, from wherever they are, together. */
typedef struct body_stragglers {
    body_lanes lanes[BODY_VECTORS];
    size_t body[64];
    body_set busy;
} body_stragglers;

typedef struct body_run {
    body_state states[BODY_VECTORS]; /* of whatever vectors step */
    const gyre_bodies *bodies;
    const body_plan *plan;
    body_substep *substep;
    gyre_body_report report;
    body_tally tally;
    body_stragglers stragglers;
} body_run;

_Static_assert(sizeof(body_run) + BODY_VECTORS * sizeof(body_lanes) < 40 * 1024, "body.h promises a small stack");

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

VF_INLINE void see_momenta(body_run *run, body_lanes *lanes, size_t vectors)
{
    const bool low = run->plan->low;
    FOR_EACH_VECTOR see_momentum(low, &lanes[v], &run->states[v]);
}

/* One more sub-step. */
static void advance(body_run *run, body_lanes *lanes, size_t vectors)
{
    FOR_EACH_VECTOR lanes[v].square = versor_square(lanes[v].orientation);
    see_momenta(run, lanes, vectors);
    FOR_EACH_VECTOR see_half_turn(&lanes[v]);
    run->substep(lanes, run->states, vectors, run->plan, &run->tally);
}

/* One body's place in a field of a block of lanes. */
VF_INLINE float *place(vf *field, size_t lane)
{
    return (float *)(void *)((char *)field + lane % VF_LANES * sizeof(float));
}

/* One sub-step for all stragglers; whoever is done goes home. */
static void advance_stragglers(body_run *run)
{
    body_stragglers *s = &run->stragglers;
    const size_t vectors = (64 - (size_t)__builtin_clzll(s->busy) + VF_LANES - 1) / VF_LANES;
    advance(run, s->lanes, vectors);
    body_set done = s->busy & ~moving_set(s->lanes, vectors);
    s->busy &= ~done;
    for (; done != 0; done &= done - 1) {
        const size_t lane = (size_t)__builtin_ctzll(done), body = s->body[lane];
        body_lanes *lanes = &s->lanes[lane / VF_LANES];
        vf4 *q = &lanes->orientation, *low = &lanes->low;
        vf *parts[8] = {&q->v.x, &q->v.y, &q->v.z, &q->w, &low->v.x, &low->v.y, &low->v.z, &low->w};
        for (size_t k = 0; k < 4; k++) {
            run->bodies->orientation[k][body] = *place(parts[k], lane);
            if (run->plan->low) {
                run->bodies->orientation_low[k][body] = *place(parts[4 + k], lane);
            }
        }
        run->report.unconverged += *place(&lanes->limited, lane) > 0;
    }
}

static void move_to_stragglers(body_run *run, body_lanes *lanes, size_t lane, size_t body)
{
    body_stragglers *s = &run->stragglers;
    while (s->busy == UINT64_MAX) {
        advance_stragglers(run);
    }
    if (s->busy == 0) {
        memset(s->lanes, 0, sizeof s->lanes); /* at rest, and no call pays for it that needs it not */
    }
    const size_t to = (size_t)__builtin_ctzll(~s->busy);
    s->busy |= UINT64_C(1) << to;
    s->body[to] = body;
    vf *from = (vf *)&lanes[lane / VF_LANES], *into = (vf *)&s->lanes[to / VF_LANES];
    for (size_t field = 0; field < BODY_LASTING_FIELDS; field++) {
        *place(into + field, to) = *place(from + field, lane);
    }
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

/* Those that stay in the block; the others are counted when they go home. */
VF_INLINE void count_limited(const body_lanes *lanes, size_t vectors, gyre_body_report *report)
{
    FOR_EACH_VECTOR
    {
        vm limited = vm_and(vf_lt(vf_set1(0), lanes[v].limited), vm_not(lanes_moving(&lanes[v])));
        if (vm_any(limited)) {
            report->unconverged += vm_count(limited);
        }
    }
}

/* A block that is not easy throughout. */
static __attribute__((noinline)) void begin_closely(body_run *run, body_lanes *lanes, size_t i, size_t n)
{
    const gyre_bodies *b = run->bodies;
    const body_plan *plan = run->plan;
    for (size_t v = 0; v * VF_LANES < n; v++) {
        const size_t first = i + v * VF_LANES, present = vf_lanes_left(v * VF_LANES, n);
        const vm plain = is_plain(&lanes[v], plan->low);
        if (!vm_all(plain)) {
            look_closely(&lanes[v], plain, plan->low);
            spoil_momentum(b, first, present, &lanes[v]);
            see_momentum(plan->low, &lanes[v], &run->states[v]);
        }
        if (!vm_all(plan_one(plan, &lanes[v]))) {
            plan_proven_substeps(plan, &lanes[v], &run->states[v]);
        }
        if (present < VF_LANES || !vm_all(plain)) {
            leave_out(&lanes[v], present, &run->report);
        }
        run->report.substeps += vm_all(vf_eq(lanes[v].left, vf_set1(1))) ? VF_LANES : sum_of_lanes(lanes[v].left);
    }
}

static __attribute__((noinline)) void take_last(const body_run *run, size_t i, size_t n, body_lanes *lanes)
{
    take_orientation(run->bodies, i, n, lanes);
    if (run->plan->low) {
        take_low(run->bodies, i, n, lanes);
    }
    take_inertia(run->bodies, run->plan, i, n, lanes);
    take_momentum(run->bodies, run->plan, i, n, lanes);
}

/* n bodies from i on, until at least half of them are done; the rest go to the stragglers. */
VF_INLINE void step_body_block(body_run *run, size_t i, size_t n)
{
    const gyre_bodies *b = run->bodies;
    const body_plan *plan = run->plan;
    const size_t whole = n / VF_LANES, rest = n % VF_LANES, vectors = whole + (rest > 0);
    body_lanes lanes[BODY_VECTORS];
    vm easy = vm_first(rest == 0 ? VF_LANES : 0); /* plain bodies in whole vectors that turn slowly */
#define FOR_EACH_WHOLE for (size_t v = 0; v < whole; v++)
    FOR_EACH_WHOLE
    {
        take_orientation(b, i + v * VF_LANES, VF_LANES, &lanes[v]);
        easy = vm_and(easy, is_versor(lanes[v].square));
    }
    if (plan->low) {
        FOR_EACH_WHOLE
        {
            take_low(b, i + v * VF_LANES, VF_LANES, &lanes[v]);
            easy = vm_and(easy, has_plain_low(&lanes[v]));
        }
    }
    FOR_EACH_WHOLE
    {
        take_inertia(b, plan, i + v * VF_LANES, VF_LANES, &lanes[v]);
        easy = vm_and(easy, has_plain_inertia(&lanes[v]));
    }
    FOR_EACH_WHOLE
    {
        take_momentum(b, plan, i + v * VF_LANES, VF_LANES, &lanes[v]);
        easy = vm_and(easy, has_plain_momentum(&lanes[v]));
    }
#undef FOR_EACH_WHOLE
    if (rest > 0) {
        take_last(run, i + whole * VF_LANES, rest, &lanes[whole]);
    }
    see_momenta(run, lanes, vectors);
    FOR_EACH_VECTOR easy = vm_and(easy, plan_one(plan, &lanes[v]));
    const bool all_easy = vm_all(easy);
    if (all_easy) {
        run->report.substeps += n * (size_t)plan->substeps;
    } else {
        begin_closely(run, lanes, i, n);
    }
    run->substep(lanes, run->states, vectors, plan, &run->tally);
    body_set moving = all_easy && plan->substeps == 1 ? 0 : moving_set(lanes, vectors);
    const bool euler = plan->solver.method == GYRE_BODY_EXPLICIT_EULER;
    while (moving != 0 && (euler || 2 * count_of(moving) > n)) {
        advance(run, lanes, vectors);
        moving = moving_set(lanes, vectors);
    }
    store_orientations(b, plan->low, i, n, lanes);
    if (euler) {
        FOR_EACH_VECTOR store_euler_momentum(b, plan, &lanes[v], i + v * VF_LANES, vf_lanes_left(v * VF_LANES, n));
    }
    if (!(all_easy && plan->closed_form)) { /* which has no other limits than that of sub-steps */
        count_limited(lanes, vectors, &run->report);
    }
    for (; moving != 0; moving &= moving - 1) {
        const size_t lane = (size_t)__builtin_ctzll(moving);
        move_to_stragglers(run, lanes, lane, i + lane);
    }
}

static void step_bodies(body_run *run, size_t begin, size_t end)
{
    for (size_t i = begin, n; i < end; i += n) {
        n = end - i < 64 ? end - i : 64;
        step_body_block(run, i, n);
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
   be below the tolerance: Newton's next is about the square of the last, and a last one with the same derivative leaves
   the cube: 2^-21 of the rotation at the most, times its own size in rad; 2^-26 where the method keeps an energy that
   nothing else takes, and 2^-27 if low parts keep it too. Tolerances below what rounding leaves are as good as none. */
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
    s.tolerance = correction_to_reach(&s, low);
    s.order = s.order == 0 ? 6 : s.order;
    s.max_iterations = s.max_iterations == 0 ? 8 : s.max_iterations;
    s.max_substeps = s.max_substeps == 0 ? 64 : s.max_substeps < MOST_SUBSTEPS ? s.max_substeps : MOST_SUBSTEPS;
    const float substeps = s.substeps > 0 ? (float)s.substeps : 1;
    return (body_plan){
        .solver = s,
        .dt = dt_s,
        .substeps = substeps,
        .h = dt_s / substeps,
        .low = low,
        .torque = b->torque[0] != NULL,
        .measured = measured,
        .closed_form = s.method == GYRE_BODY_MOSER_VESELOV && s.order == 6,
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
        } else if (worst <= plan.solver.tolerance) { /* all converged, so a last correction came after it */
            worst *= __builtin_sqrtf(worst);
        }
        report->worst_residual = worst > report->worst_residual ? worst : report->worst_residual;
    }
    return GYRE_OK;
}
