/* The state of a call while its bodies step; one sub-step of a block, in the arrays or gathered; and stragglers, bodies
   that need more sub-steps than the rest of their block. Stragglers move into the lanes of a separate block. A lane
   that has finished is given to the next one, so the work is proportional to the sum of sub-steps, whatever the order
   in the arrays. */
#ifndef GYRE_BODY_BLOCK_H
#define GYRE_BODY_BLOCK_H

#include "body/kick-inl.h"
#include "body/plan-inl.h"
#include "body/stages-inl.h"

typedef uint64_t body_set; /* a bit for each body of a block */

typedef struct body_stragglers {
    body_lanes lanes[BODY_VECTORS];
    size_t body[BODY_BLOCK];
    body_set busy;
} body_stragglers;

/* A block before a step. */
typedef struct body_before {
    float high[4][BODY_BLOCK], low[4][BODY_BLOCK]; /* orientations */
    vm slow[BODY_VECTORS];                         /* bodies that may turn by less than an ulp */
} body_before;

typedef struct body_run {
    body_states states; /* of the vectors that are stepping */
    body_lanes lanes[BODY_VECTORS];
    body_momenta drift;
    body_before before; /* for reports */
    const gyre_bodies *bodies;
    const body_plan *plan;
    body_substep *substep;
    gyre_body_report report;
    body_tally tally;
    body_stragglers stragglers;
} body_run;

_Static_assert(sizeof(body_run) < 40 * 1024, "body.h promises a small stack");

VF_INLINE body_block block_of(body_run *run, body_lanes *lanes, size_t vectors)
{
    return (body_block){
        .vectors = vectors, .lanes = lanes, .states = &run->states, .plan = run->plan, .tally = &run->tally};
}

/* For a set that is not empty. Where registers have 32 bits, gcc calls its run-time library for 64 bits. */
static inline size_t lowest_of(body_set set)
{
    const uint32_t low = (uint32_t)set;
    if (sizeof(size_t) == sizeof set) {
        return (size_t)__builtin_ctzll(set);
    }
    return (size_t)(low != 0 ? __builtin_ctz(low) : 32 + __builtin_ctz((uint32_t)(set >> 32)));
}

static size_t count_of(body_set set)
{
    size_t count = 0;
    for (; set != 0; set &= set - 1) {
        count++;
    }
    return count;
}

VF_INLINE body_set bits_of(vm m, size_t v) { return (body_set)vm_bits(m) << (v * VF_LANES); }

VF_INLINE body_set moving_set(const body_block *b)
{
    body_set set = 0;
    for (size_t v = 0; v < b->vectors; v++) {
        set |= bits_of(is_moving(&b->lanes[v]), v);
    }
    return set;
}

/* For whole numbers up to 2^24. */
static uint64_t sum_of_lanes(vf a)
{
    float lanes[GYRE_LANES];
    vf_store(lanes, a);
    uint64_t sum = 0;
    for (size_t k = 0; k < VF_LANES; k++) {
        sum += (uint32_t)lanes[k];
    }
    return sum;
}

/* ---- A sub-step ---- */

VF_INLINE void find_starts_of(bool momentum_low, const body_block *b)
{
    if (b->plan->low) {
        VF_EACH_VECTOR(v, b->vectors) { join_orientation(b, v); }
        VF_EACH_VECTOR(v, b->vectors) { find_precise_start(momentum_low, b, v); }
    } else {
        VF_EACH_VECTOR(v, b->vectors) { find_start(momentum_low, b, v); }
    }
}

VF_INLINE void find_starts(const body_block *b)
{
    b->plan->momentum_low ? find_starts_of(true, b) : find_starts_of(false, b);
}

/* Whether some bodies may turn by a small angle; `slowest` has the smallest |t|^2. */
VF_INLINE bool may_have_small_angles(const body_plan *plan, vf slowest)
{
    return vm_any(vf_lt(slowest, vf_set1(plan->small_angle_square)));
}

/* Bodies that turn by a small angle come first. If that is the whole block, the sub-step is finished. */
static void take_substep(body_run *run, const body_block *b)
{
    if (b->small_angle && b->plan->small_angle_square > 0) {
        vm all = vm_first(VF_LANES);
        for (size_t v = 0; v < b->vectors; v++) {
            all = vm_and(all, step_small_angles(b, v));
        }
        if (vm_all(all)) {
            for (size_t v = 0; v < b->vectors; v++) {
                run->tally.iterations += vm_count(is_moving(&b->lanes[v])); /* for bodies at rest */
            }
            return;
        }
    }
    run->substep(b);
}

/* The next sub-step. */
static void advance(body_run *run, body_block *block)
{
    const body_block copy = *block, *const b = &copy;
    find_starts(b);
    vf slowest = vf_set1(1);
    VF_EACH_VECTOR(v, b->vectors) {
        body_lanes *lanes = &b->lanes[v];
        find_angle(lanes);
        slowest = vf_min(vf_select(is_moving(lanes), lanes->angle.square, slowest), slowest);
    }
    block->small_angle = may_have_small_angles(b->plan, slowest);
    take_substep(run, block);
}

static void count_down(const body_block *b)
{
    for (size_t v = 0; v < b->vectors; v++) {
        b->lanes[v].substeps_left = vf_sub(b->lanes[v].substeps_left, vf_set1(1));
    }
}

/* ---- Stragglers ---- */

/* substeps_left of a straggler before it is planned. */
#define NOT_PLANNED INFINITY

/* Finds the number of sub-steps of new stragglers, many at once. */
static void plan_stragglers(body_run *run, const body_block *b)
{
    for (size_t v = 0; v < b->vectors; v++) {
        body_lanes *lanes = &b->lanes[v];
        const vm planned = vf_lt(lanes->substeps_left, vf_set1(NOT_PLANNED));
        if (vm_all(planned)) {
            continue;
        }
        if (b->plan->low) {
            join_orientation(b, v);
        }
        plan_proven_substeps(b, v, planned);
        run->report.substeps += sum_of_lanes(vf_zero_where(planned, lanes->substeps_left));
    }
}

/* Writes a finished straggler to the arrays. */
static void store_straggler(body_run *run, size_t lane)
{
    const size_t body = run->stragglers.body[lane], k = lane % VF_LANES;
    const body_lanes *lanes = &run->stragglers.lanes[lane / VF_LANES];
    store_lane4(run->bodies->orientation, body, &lanes->body.orientation, k);
    if (run->plan->low) {
        store_lane4(run->bodies->orientation_low, body, &lanes->body.low, k);
    }
    run->report.unconverged += vf_lane(&lanes->hit_limit, k) > 0;
}

/* One sub-step of all stragglers. */
static void advance_stragglers(body_run *run)
{
    body_stragglers *s = &run->stragglers;
    const size_t vectors = (64 - (size_t)__builtin_clzll(s->busy) + VF_LANES - 1) / VF_LANES;
    body_block block = block_of(run, s->lanes, vectors);
    place_in_lanes(&block);
    plan_stragglers(run, &block);
    advance(run, &block);
    count_down(&block);
    body_set done = s->busy & ~moving_set(&block);
    s->busy &= ~done;
    for (; done != 0; done &= done - 1) {
        store_straggler(run, lowest_of(done));
    }
}

/* Moves a body from its lane to the stragglers. If there is no room, they advance first; returns whether they did. */
static bool move_to_stragglers(body_run *run, size_t lane, size_t body)
{
    body_stragglers *s = &run->stragglers;
    const bool full = s->busy == UINT64_MAX;
    while (s->busy == UINT64_MAX) {
        advance_stragglers(run);
    }
    if (s->busy == 0) {
        memset(s->lanes, 0, sizeof s->lanes); /* at rest; only calls with stragglers pay for this */
    }
    const size_t to = lowest_of(~s->busy);
    s->busy |= UINT64_C(1) << to;
    s->body[to] = body;
    copy_body(&s->lanes[to / VF_LANES], to % VF_LANES, &run->lanes[lane / VF_LANES], lane % VF_LANES);
    return full;
}

/* Makes stragglers of the bodies in a block that need more sub-steps than the rest; they rest in the block until they
   are stored. Returns whether the block can step in the arrays: not if more than a quarter would have to leave, or if
   some body is not plain. */
VF_RARE bool take_out_stragglers(body_run *run, const body_block *b, size_t i)
{
    const body_plan *plan = run->plan;
    vm planned[BODY_VECTORS], plain = vm_first(VF_LANES);
    body_set leaving = 0;
    for (size_t v = 0; v < b->vectors; v++) {
        const vf3 inertia = inertia_at(b, v);
        const vf3 momentum = momentum_at(plan->momentum_low, b, v);
        planned[v] = are_planned(plan, &b->lanes[v], inertia);
        leaving |= bits_of(vm_not(planned[v]), v);
        plain = vm_and(plain, is_plain(planned[v], b->lanes[v].start.square, inertia, momentum));
    }
    if (!vm_all(plain) || 4 * count_of(leaving) > b->vectors * VF_LANES || plan->solver.substeps > 0) {
        return false;
    }
    for (size_t v = 0; v < b->vectors; v++) {
        if (!vm_all(planned[v])) {
            gather_vector(b, v, VF_LANES);
            b->lanes[v].substeps_left = vf_set1(NOT_PLANNED);
        }
    }
    run->report.substeps -= count_of(leaving); /* the block will count one for each */
    bool advanced = false;
    for (; leaving != 0; leaving &= leaving - 1) {
        const size_t lane = lowest_of(leaving);
        advanced |= move_to_stragglers(run, lane, i + lane);
    }
    plan_evenly(plan, run->lanes);
    if (advanced) { /* which used the states that held the block's momenta */
        find_starts(b);
    }
    for (size_t v = 0; v < b->vectors; v++) {
        const vm left = vm_not(planned[v]);
        b->lanes[v].substeps_left = vf_zero_where(left, b->lanes[v].substeps_left);
        put_to_rest(left, b, v);
    }
    return true;
}

#endif
