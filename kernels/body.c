/* Bodies step: from the caller's arrays into vectors of bodies, through as many sub-steps as each needs, and back.

   No lane waits. Bodies are taken from the arrays a vector at a time. When at least half of a vector is done and the
   rest still has sub-steps to go, those bodies move into lanes of a second vector that stay busy until the end: a lane
   that is done is given to the next body that needs more. So the work follows the sum of sub-steps, whatever their
   order in the arrays, and as every lane computes by itself, no bits depend on it. */
#include "body_lanes.h"

#include "body_exponential.c"
#include "body_moser_veselov.c"

/* ---- How many sub-steps. ---- */

/* The largest |f1 c2 c3, ...| on the unit sphere: see body_moser_veselov.c. */
VF_INLINE wf cayley_bilinear_norm(wf3 f)
{
    wf3 s = wf3_times(f, f);
    wf largest = wf_max(wf_max(s.x, s.y), s.z);
    wf smallest = wf_min(wf_min(s.x, s.y), s.z);
    wf middle = wf_max(wf_min(s.x, s.y), wf_min(wf_max(s.x, s.y), s.z));
    wf e = wf_max(wf_set1(0), wf_sub(wf_add(middle, smallest), largest));
    wf product = wf_max(wf_mul(middle, smallest), wf_set1(0x1p-100f));
    return wf_sqrt(wf_div(largest, wf_sub(wf_set1(4), wf_div(wf_mul(e, e), product))));
}

/* Sub-steps a second that the method's bound asks for. */
VF_INLINE wf proven_rate(const gyre_body_solver *solver, const body_lanes *lanes, wf spin_square)
{
    const wf one = wf_set1(1);
    const wf3 i = lanes->inertia;
    wf smallest = wf_min(wf_min(i.x, i.y), i.z), momentum = wf_sqrt(wf3_dot(lanes->momentum, lanes->momentum));
    switch (solver->method) {
    case GYRE_BODY_MOSER_VESELOV: {
        wf3 f = asymmetry(i, lanes->over_inertia);
        wf q = cayley_bilinear_norm(f);
        wf rate = wf_mul(wf_add(wf_sqrt(wf_mla(q, q, one)), q), wf_sqrt(spin_square));
        wm masses = wf_le(wf3_largest(f), one);
        return wf_mul(wf_select(masses, wf_set1(solver->order == 2 ? 16.0f / 15 : 1), wf_set1(16.0f / 15)), rate);
    }
    case GYRE_BODY_MIDPOINT: return wf_div(wf_mul(wf_set1(0.70710678f), momentum), smallest);
    case GYRE_BODY_OBJECT_TRAPEZOID: return wf_div(momentum, smallest);
    case GYRE_BODY_TRAPEZOID: {
        wf over = wf_div(one, smallest), largest = wf_max(wf_max(i.x, i.y), i.z);
        wf d = wf_mul(wf_set1(0.5f), wf_sub(over, wf_div(one, largest)));
        wf root = wf_sqrt(wf_mul(d, over));
        return wf_mul(momentum, wf_add(wf_add(root, root), d));
    }
    default: return wf_set1(0);
    }
}

/* For Moser-Veselov: whether one sub-step is enough for all, at a glance: masses turning by at most 15/16 of 1/sqrt 3,
   for which proven_rate would answer the same whatever their shape. */
VF_INLINE bool all_slow(const body_lanes *lanes, wf dt, wf spin_square)
{
    const wf3 i = lanes->inertia;
    wf largest = wf_max(wf_max(i.x, i.y), i.z);
    wm masses = wf_le(wf_add(largest, largest), wf_add(i.x, wf_add(i.y, i.z)));
    wm slow = wf_le(wf_mul(wf_mul(dt, dt), spin_square), wf_set1(0.29f));
    return wm_all(wm_and(masses, slow));
}

VF_INLINE void plan_substeps(const body_plan *plan, body_lanes *lanes)
{
    const wf one = wf_set1(1), dt = wf_set1(plan->dt);
    const gyre_body_solver *solver = &plan->solver;
    lanes->limited = wf_set1(0);
    lanes->left = one;
    lanes->h = dt;
    if (solver->substeps > 0) {
        lanes->left = wf_set1((float)solver->substeps);
        lanes->h = wf_set1(plan->dt / (float)solver->substeps);
        return;
    }
    wf3 spin = wf3_times(lanes->seen, lanes->over_inertia);
    wf spin_square = wf3_dot(spin, spin);
    if (solver->method == GYRE_BODY_MOSER_VESELOV && all_slow(lanes, dt, spin_square)) {
        return;
    }
    wf rate = proven_rate(solver, lanes, spin_square), wanted = wf_mul(wf_abs(dt), rate);
    const wf most = wf_set1((float)solver->max_substeps);
    wm within = wf_le(wanted, most);
    lanes->left = wf_max(one, wf_select(within, wf_ceil(wanted), most));
    lanes->h = wf_select(within, wf_div(dt, lanes->left), wf_copysign(wf_div(one, rate), dt));
    lanes->limited = wf_select(within, wf_set1(0), one);
}

/* ---- From memory and back. ---- */

/* A float in +-ulp(near)/2 that looks like chance. */
VF_INLINE wf rounding_noise(wi bits, wf near)
{
    wf power = wf_from_bits(wi_and(wf_bits(near), wi_set1(0x7f800000)));
    return wf_mul(wi_to_wf(bits), wf_mul(power, wf_set1(0x1p-55f)));
}

/* L + kick, rounded up or down by chance, with odds that make up for what is lost: a torque that is too small to show
   in one step shows after many. */
VF_INLINE wf kicked(wf momentum, wf kick, wi bits)
{
    wf sum = wf_add(momentum, kick), shadow = wf_sub(sum, momentum);
    wf lost = wf_add(wf_sub(momentum, wf_sub(sum, shadow)), wf_sub(kick, shadow));
    wf result = wf_add(sum, wf_add(lost, rounding_noise(bits, sum)));
    return wf_flushed(wf_select(wf_eq(kick, wf_set1(0)), momentum, result));
}

VF_INLINE wf3 kicked_momentum(wf3 momentum, wf3 kick, wf4 q)
{
    wi bits = scrambled(momentum.x, momentum.y, momentum.z, q.w);
    return (wf3){kicked(momentum.x, kick.x, bits), kicked(momentum.y, kick.y, wi_shl(bits, 8)),
                 kicked(momentum.z, kick.z, wi_shl(bits, 16))};
}

/* For lanes that are not plain: which bodies are impossible, and what keeps the others inside the range of float.
   Returns the impossible ones among the first n. */
static __attribute__((noinline)) void look_closely(body_lanes *lanes, const wm *plain, size_t n, wm *impossible)
{
    const wf zero = wf_set1(0), one = wf_set1(1), nan = wf_set1(NAN), most = wf_set1(0x1p47f);
    wf4 q = lanes->orientation, low = lanes->low;
    wf3 i = lanes->inertia, momentum = lanes->momentum;
    wf traces = wf_add(wf_add(trace_of_infinity(q.v), trace_of_infinity(low.v)),
                       wf_add(trace_of_infinity(momentum), trace_of_infinity(i)));
    traces = wf_add(traces, trace_of_infinity((wf3){q.w, low.w, zero}));

    /* low parts that are none join the rest, which is then shortened to 1 */
    wm none = wf_lt(wf_set1(0x1p-20f), wf_max(wf3_largest(low.v), wf_abs(low.w)));
    q = wf4_select(none, (wf4){wf3_add(q.v, low.v), wf_add(q.w, low.w)}, q);
    low = wf4_select(none, (wf4){{zero, zero, zero}, zero}, low);
    wf square = versor_square(q);
    wm unit = wf_lt(wf_abs(wf_sub(square, one)), wf_set1(0.5f));
    wf shorten = wf_select(unit, one, wf_div(one, wf_sqrt(square)));
    q = (wf4){wf3_scale(shorten, q.v), wf_mul(shorten, q.w)};
    low = (wf4){wf3_scale(shorten, low.v), wf_mul(shorten, low.w)};

    wf smallest = wf_min(wf_min(i.x, i.y), i.z);
    wm possible = wm_and(wm_and(wf_eq(traces, zero), wf_lt(zero, smallest)),
                         wm_and(wf_lt(wf_set1(0x1p-100f), square), wf_lt(square, wf_set1(0x1p100f))));
    wm present = wm_first(n), usable = wm_and(present, possible);
    *impossible = wm_and(present, wm_not(possible));
    q = wf4_select(usable, q, (wf4){{nan, nan, nan}, nan});
    low = wf4_select(usable, low, (wf4){{nan, nan, nan}, nan});

    wi exponent = wi_and(wf_bits(wf3_largest(i)), wi_set1(0x7f800000));
    wf scale = wf_max(wf_from_bits(wi_sub(wi_set1(0x7f000000), exponent)), wf_set1(0x1p-126f));
    i = wf3_select(usable, wf3_scale(scale, i), (wf3){one, one, one});
    wf3 over = {wf_div(one, i.x), wf_div(one, i.y), wf_div(one, i.z)};
    momentum = wf3_scale(scale, momentum);
    momentum = (wf3){
        wf_max(wf_neg(most), wf_min(most, momentum.x)),
        wf_max(wf_neg(most), wf_min(most, momentum.y)),
        wf_max(wf_neg(most), wf_min(most, momentum.z)),
    };
    momentum = wf3_select(usable, momentum, (wf3){nan, nan, nan});

    lanes->orientation = wf4_select(*plain, lanes->orientation, q);
    lanes->low = wf4_select(*plain, lanes->low, low);
    lanes->momentum = wf3_select(*plain, lanes->momentum, momentum);
    lanes->inertia = wf3_select(*plain, lanes->inertia, i);
    lanes->over_inertia = wf3_select(*plain, lanes->over_inertia, over);
    lanes->scale = wf_select(*plain, lanes->scale, scale);
}

VF_INLINE void see_momentum(const body_plan *plan, body_lanes *lanes)
{
    if (!plan->low) {
        lanes->seen = momentum_in_body(lanes->orientation, lanes->momentum, versor_square(lanes->orientation));
        return;
    }
    wd3 seen = precise_momentum_in_body(precise_orientation(lanes->orientation, &lanes->low), lanes->momentum);
    lanes->seen = wd3_to_wf3(seen);
    lanes->seen_low = wd3_to_wf3(wd3_sub(seen, wd3_from_wf3(lanes->seen)));
}

/* Bodies i..i+n-1, as their drift begins. The momentum at its end is written already, for the drift does not change it.
   Returns which are impossible; these, and lanes without a body, have no sub-step to do. */
VF_INLINE wm load_bodies(const gyre_bodies *b, const body_plan *plan, size_t i, size_t n, body_lanes *lanes)
{
    const wf one = wf_set1(1), zero = wf_set1(0);
    float *const *q = b->orientation, *const *low = b->orientation_low, *const *m = b->momentum;
    lanes->orientation = (wf4){wf3_load_n(q[0], q[1], q[2], i, n), wf_load_n(q[3] + i, n)};
    lanes->low = (wf4){{zero, zero, zero}, zero};
    if (plan->low) {
        lanes->low = (wf4){wf3_load_n(low[0], low[1], low[2], i, n), wf_load_n(low[3] + i, n)};
    }
    wf3 momentum = wf3_load_n(m[0], m[1], m[2], i, n), end = momentum;
    lanes->momentum = momentum;
    if (plan->torque) {
        wf3 torque = wf3_load_n(b->torque[0], b->torque[1], b->torque[2], i, n);
        lanes->momentum = wf3_scale_add(wf_set1(0.5f * plan->dt), torque, momentum);
        end = kicked_momentum(momentum, wf3_scale(wf_set1(plan->dt), torque), lanes->orientation);
    }
    wf3 inertia = wf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n), others = cyclic_products(inertia);
    lanes->inertia = inertia;
    lanes->over_inertia = wf3_scale(wf_div(one, wf_mul(inertia.x, others.x)), others);
    lanes->scale = one;

    /* Plain bodies are sure to stay inside the range of float. A comparison with NaN is false. */
    wf smallest = wf_min(wf_min(inertia.x, inertia.y), inertia.z),
       sum = wf_add(inertia.x, wf_add(inertia.y, inertia.z));
    wf square = versor_square(lanes->orientation);
    wm plain = wm_and(wm_and(wf_lt(wf_set1(0x1p-20f), smallest), wf_lt(sum, wf_set1(0x1p20f))),
                      wm_and(wf_lt(wf3_dot(lanes->momentum, lanes->momentum), wf_set1(0x1p80f)),
                             wf_lt(wf_abs(wf_sub(square, one)), wf_set1(0.5f))));
    if (plan->low) {
        wf largest_low = wf_max(wf3_largest(lanes->low.v), wf_abs(lanes->low.w));
        wf trace = wf_mla(zero, lanes->low.w, trace_of_infinity(lanes->low.v));
        plain = wm_and(plain, wf_lt(wf_add(largest_low, trace), wf_set1(0x1p-20f)));
    }
    wm impossible = wf_lt(one, zero);
    if (!wm_all(plain)) {
        look_closely(lanes, &plain, n, &impossible);
    }
    see_momentum(plan, lanes);
    plan_substeps(plan, lanes);
    if (n < WF_LANES || wm_any(impossible)) {
        lanes->left = wf_select(wm_and(wm_first(n), wm_not(impossible)), lanes->left, zero);
    }
    if (plan->torque || wm_any(impossible)) {
        const wf nan = wf_set1(NAN);
        end = wf3_select(impossible, (wf3){nan, nan, nan}, end);
        wf_store_n(m[0] + i, end.x, n);
        wf_store_n(m[1] + i, end.y, n);
        wf_store_n(m[2] + i, end.z, n);
    }
    return impossible;
}

VF_INLINE void store_orientation(const gyre_bodies *b, bool low, const body_lanes *lanes, size_t i, size_t n)
{
    wf4 q = lanes->orientation, l = lanes->low;
    const wf parts[8] = {q.v.x, q.v.y, q.v.z, q.w, l.v.x, l.v.y, l.v.z, l.w};
    for (size_t k = 0; k < 4; k++) {
        wf_store_n(b->orientation[k] + i, parts[k], n);
        if (low) {
            wf_store_n(b->orientation_low[k] + i, parts[4 + k], n);
        }
    }
}

/* Explicit Euler's momentum is the drift's work, and the second half of the kick comes after it. All bodies take the
   same number of sub-steps there, so they are never apart from their neighbours. */
VF_INLINE void store_euler_momentum(const gyre_bodies *b, const body_plan *plan, const body_lanes *lanes, size_t i,
                                    size_t n)
{
    wf3 momentum = wf3_scale(wf_div(wf_set1(1), lanes->scale), lanes->momentum);
    if (plan->torque) {
        wf3 torque = wf3_load_n(b->torque[0], b->torque[1], b->torque[2], i, n);
        momentum = wf3_scale_add(wf_set1(0.5f * plan->dt), torque, momentum);
    }
    wf_store_n(b->momentum[0] + i, wf_flushed(momentum.x), n);
    wf_store_n(b->momentum[1] + i, wf_flushed(momentum.y), n);
    wf_store_n(b->momentum[2] + i, wf_flushed(momentum.z), n);
}

/* ---- The sub-steps. ---- */

typedef void body_substep(body_lanes *lanes, const body_plan *plan, body_tally *tally);

#define SUBSTEP(name, call)                                                                                            \
    static __attribute__((noinline)) void name(body_lanes *lanes, const body_plan *plan, body_tally *tally)            \
    {                                                                                                                  \
        (void)plan, (void)tally;                                                                                       \
        call;                                                                                                          \
    }
SUBSTEP(substep_moser_veselov, moser_veselov_substep(lanes, plan, false, tally))
SUBSTEP(substep_moser_veselov_low, moser_veselov_substep(lanes, plan, true, tally))
SUBSTEP(substep_midpoint, implicit_substep(GYRE_BODY_MIDPOINT, lanes, plan, false, tally))
SUBSTEP(substep_midpoint_low, implicit_substep(GYRE_BODY_MIDPOINT, lanes, plan, true, tally))
SUBSTEP(substep_object_trapezoid, implicit_substep(GYRE_BODY_OBJECT_TRAPEZOID, lanes, plan, false, tally))
SUBSTEP(substep_object_trapezoid_low, implicit_substep(GYRE_BODY_OBJECT_TRAPEZOID, lanes, plan, true, tally))
SUBSTEP(substep_trapezoid, implicit_substep(GYRE_BODY_TRAPEZOID, lanes, plan, false, tally))
SUBSTEP(substep_trapezoid_low, implicit_substep(GYRE_BODY_TRAPEZOID, lanes, plan, true, tally))
SUBSTEP(substep_euler, euler_substep(lanes, false))
SUBSTEP(substep_euler_low, euler_substep(lanes, true))

static body_substep *substep_of(const body_plan *plan)
{
    static body_substep *const substeps[][2] = {
        [GYRE_BODY_MOSER_VESELOV] = {substep_moser_veselov, substep_moser_veselov_low},
        [GYRE_BODY_MIDPOINT] = {substep_midpoint, substep_midpoint_low},
        [GYRE_BODY_OBJECT_TRAPEZOID] = {substep_object_trapezoid, substep_object_trapezoid_low},
        [GYRE_BODY_TRAPEZOID] = {substep_trapezoid, substep_trapezoid_low},
        [GYRE_BODY_EXPLICIT_EULER] = {substep_euler, substep_euler_low},
    };
    return substeps[plan->solver.method][plan->low];
}

/* Bodies that need more sub-steps than their neighbours, from wherever they are, together. */
typedef struct body_stragglers {
    body_lanes lanes;
    size_t body[2 * GYRE_LANES];
    uint32_t busy; /* a bit for each lane */
} body_stragglers;

typedef struct body_run {
    const gyre_bodies *bodies;
    const body_plan *plan;
    body_substep *substep;
    gyre_body_report report;
    body_tally tally;
    body_stragglers stragglers;
} body_run;

static float lane_of(const wf *field, unsigned lane)
{
    float x;
    memcpy(&x, (const char *)field + lane * sizeof x, sizeof x);
    return x;
}

static void set_lane(wf *field, unsigned lane, float x) { memcpy((char *)field + lane * sizeof x, &x, sizeof x); }

/* One sub-step for all stragglers; whoever is done goes home. */
static void advance_stragglers(body_run *run)
{
    body_stragglers *s = &run->stragglers;
    run->substep(&s->lanes, run->plan, &run->tally);
    see_momentum(run->plan, &s->lanes);
    uint32_t done = s->busy & ~wm_bits(lanes_moving(&s->lanes));
    s->busy &= ~done;
    for (; done != 0; done &= done - 1) {
        unsigned lane = (unsigned)__builtin_ctz(done);
        const wf4 *q = &s->lanes.orientation, *low = &s->lanes.low;
        const wf *parts[8] = {&q->v.x, &q->v.y, &q->v.z, &q->w, &low->v.x, &low->v.y, &low->v.z, &low->w};
        for (size_t k = 0; k < 4; k++) {
            run->bodies->orientation[k][s->body[lane]] = lane_of(parts[k], lane);
            if (run->plan->low) {
                run->bodies->orientation_low[k][s->body[lane]] = lane_of(parts[4 + k], lane);
            }
        }
        run->report.unconverged += lane_of(&s->lanes.limited, lane) > 0;
    }
}

static void move_to_stragglers(body_run *run, const body_lanes *from, unsigned lane, size_t body)
{
    body_stragglers *s = &run->stragglers;
    while (s->busy == UINT32_MAX >> (32 - WF_LANES)) {
        advance_stragglers(run);
    }
    unsigned to = (unsigned)__builtin_ctz(~s->busy);
    s->busy |= UINT32_C(1) << to;
    s->body[to] = body;
    for (size_t field = 0; field < BODY_FIELDS; field++) {
        set_lane((wf *)&s->lanes + field, to, lane_of((const wf *)from + field, lane));
    }
}

static uint64_t sum_of_lanes(wf a)
{
    float lanes[2 * GYRE_LANES];
    wf_store(lanes, a);
    uint64_t sum = 0;
    for (size_t k = 0; k < WF_LANES; k++) {
        sum += (uint64_t)lanes[k];
    }
    return sum;
}

/* n bodies from i on, until at least half of them are done; the rest go to the stragglers. */
VF_INLINE void step_body_vector(body_run *run, size_t i, size_t n)
{
    const gyre_bodies *b = run->bodies;
    const body_plan *plan = run->plan;
    const bool euler = plan->solver.method == GYRE_BODY_EXPLICIT_EULER;
    body_lanes lanes;
    wm impossible = load_bodies(b, plan, i, n, &lanes);
    run->report.substeps += wm_all(wf_eq(lanes.left, wf_set1(1))) ? WF_LANES : sum_of_lanes(lanes.left);
    run->substep(&lanes, plan, &run->tally);
    wm moving = lanes_moving(&lanes);
    while (2 * wm_count(moving) > WF_LANES || (euler && wm_any(moving))) {
        see_momentum(plan, &lanes);
        run->substep(&lanes, plan, &run->tally);
        moving = lanes_moving(&lanes);
    }
    store_orientation(b, plan->low, &lanes, i, n);
    if (euler) {
        store_euler_momentum(b, plan, &lanes, i, n);
    }
    wm limited = wm_and(wf_lt(wf_set1(0), lanes.limited), wm_not(moving));
    wm unconverged = wm_or(limited, impossible);
    if (wm_any(wm_or(unconverged, moving))) {
        run->report.unconverged += wm_count(wm_and(wm_first(n), unconverged));
        see_momentum(plan, &lanes);
        for (uint32_t rest = wm_bits(moving); rest != 0; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            move_to_stragglers(run, &lanes, lane, i + lane);
        }
    }
}

static __attribute__((noinline)) void step_last(body_run *run, size_t i, size_t n) { step_body_vector(run, i, n); }

static void step_bodies(body_run *run, size_t begin, size_t end)
{
    size_t i = begin;
    for (; end - i >= WF_LANES; i += WF_LANES) {
        step_body_vector(run, i, WF_LANES);
    }
    if (i < end) {
        step_last(run, i, end - i);
    }
    while (run->stragglers.busy != 0) {
        advance_stragglers(run);
    }
}

/* ---- The call. ---- */

static gyre_status check_bodies(const gyre_bodies *b, size_t begin, size_t end)
{
    if (begin > end || end > b->count) {
        return GYRE_ERROR_RANGE;
    }
    bool all = true;
    for (size_t k = 0; k < 4; k++) {
        all &= b->orientation[k] != NULL && (b->orientation_low[0] == NULL || b->orientation_low[k] != NULL);
    }
    for (size_t k = 0; k < 3; k++) {
        all &= b->momentum[k] != NULL && b->inertia[k] != NULL && (b->torque[0] == NULL || b->torque[k] != NULL);
    }
    return begin < end && !all ? GYRE_ERROR_NULL : GYRE_OK;
}

static bool is_solver(const gyre_body_solver *s)
{
    bool order = s->order == 0 || s->order == 2 || s->order == 4 || s->order == 6 || s->order == 8;
    return (unsigned)s->method <= GYRE_BODY_EXPLICIT_EULER && (order || s->method != GYRE_BODY_MOSER_VESELOV) &&
           is_finite_not_negative(s->tolerance) && s->max_iterations >= 0 && s->max_substeps >= 0 && s->substeps >= 0;
}

/* What the square of a correction must come down to, in parts of the square of the rotation, for the next correction to
   be below the tolerance: Newton's next is about the square of the last. Moser-Veselov takes the next anyway, with the
   same Jacobian; so its cube counts, and 2^-26 of the rotation is left, or 2^-30 where low parts are kept. Tolerances
   below what rounding leaves are as good as none. */
static float last_correction(const gyre_body_solver *s, bool low)
{
    float tolerance = s->tolerance;
    if (s->fixed_point) {
        return tolerance > 0x1p-22f ? tolerance * tolerance : 0x1p-44f;
    }
    float rounding = s->method != GYRE_BODY_MOSER_VESELOV ? 0x1p-26f : low ? 0x1p-20f : 0x1p-17f;
    return tolerance == 0 ? rounding : tolerance > 0x1p-40f ? tolerance : 0x1p-40f;
}

static body_plan plan_step(const gyre_bodies *b, const gyre_body_solver *solver, float dt_s, bool measured)
{
    gyre_body_solver s = {0};
    if (solver != NULL) {
        s = *solver;
    }
    const bool low = b->orientation_low[0] != NULL;
    s.tolerance = last_correction(&s, low);
    s.order = s.order == 0 ? 6 : s.order;
    s.max_iterations = s.max_iterations == 0 ? 8 : s.max_iterations;
    s.max_substeps = s.max_substeps == 0 ? 64 : s.max_substeps;
    return (body_plan){
        .solver = s,
        .dt = dt_s,
        .low = low,
        .torque = b->torque[0] != NULL,
        .measured = measured,
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
    body_plan plan = plan_step(bodies, solver, dt_s, report != NULL);
    body_run run = {.bodies = bodies, .plan = &plan, .substep = substep_of(&plan)};
    run.tally.worst = wf_set1(0);
    step_bodies(&run, begin, end);
    if (report != NULL) {
        report->substeps += run.report.substeps;
        report->iterations += run.tally.iterations;
        report->unconverged += run.report.unconverged;
        float worst = wf_largest_lane(run.tally.worst);
        worst = plan.solver.fixed_point ? __builtin_sqrtf(worst) : worst;
        report->worst_residual = worst > report->worst_residual ? worst : report->worst_residual;
    }
    return GYRE_OK;
}
