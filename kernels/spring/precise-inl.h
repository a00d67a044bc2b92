/* Steps of springs with low parts: states and coefficients are sums of two floats, and the step is computed in double,
   half a vector at a time. In functions of their own, so that springs without low parts need no registers for it. */
#ifndef GYRE_SPRING_PRECISE_H
#define GYRE_SPRING_PRECISE_H

#include "simd/vd-inl.h"
#include "spring/state-inl.h"

/* The matrices of half a vector. */
typedef struct precise_matrix {
    vd pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp;
} precise_matrix;

typedef struct precise_state {
    vf position, velocity, target, position_low, velocity_low;
} precise_state;

/* x minus the nearest multiple of the period. From 2^29 periods on that product would be rounded: the result is 0. */
VF_INLINE vd wrapped_precisely(vd x, vd period)
{
    const vd turns = vd_div(x, period);
    const vd remainder = vd_neg_mul_add(vd_round(turns), period, x);
    const vd near = vd_zero_where(vd_le(vd_set1(0x1p29), vd_abs(turns)), remainder);
    return vd_add(near, vd_mul(x, vd_set1(0))); /* NaN of an infinite x */
}

VF_INLINE precise_state load_precisely(const gyre_springs *s, spring_features has, size_t i, size_t n)
{
    return (precise_state){
        .position = vf_load_n(s->position + i, n),
        .velocity = vf_load_n(s->velocity + i, n),
        .target = has.target ? vf_load_n(s->target + i, n) : vf_set1(0),
        .position_low = vf_load_n(s->position_low + i, n),
        .velocity_low = vf_load_n(s->velocity_low + i, n),
    };
}

VF_INLINE vd precise_displacement(const gyre_springs *s, spring_features has, vd position, vd target)
{
    const vd x = has.target ? vd_sub(position, target) : position;
    return has.period ? wrapped_precisely(x, vd_set1(s->period)) : x;
}

/* Half a vector: its displacement before a step and after it, the distance for the rest limits, and the new state. */
typedef struct precise_half {
    vd old_x, new_x, distance, position, velocity;
} precise_half;

/* Floats become doubles as they are loaded, which spares the CPU's shuffle unit half of the work of a conversion. */
VF_INLINE precise_half advance_half(const gyre_springs *s, spring_features has, const precise_matrix *m, size_t i,
                                    int half)
{
    const vd target = has.target ? vd_load_half(s->target + i, half) : vd_set1(0);
    const vd before = has.ramp ? vd_load_half(s->target_before + i, half) : target;
    const vd position = vd_add(vd_load_half(s->position + i, half), vd_load_half(s->position_low + i, half));
    const vd v = vd_add(vd_load_half(s->velocity + i, half), vd_load_half(s->velocity_low + i, half));
    const vd x = precise_displacement(s, has, position, before);
    vd new_x = vd_mul_add(m->pos_pos, x, vd_mul(m->pos_vel, v));
    vd velocity = vd_mul_add(m->vel_pos, x, vd_mul(m->vel_vel, v));
    if (has.ramp) {
        const vd move = precise_displacement(s, has, target, before);
        new_x = vd_mul_add(m->pos_ramp, move, new_x);
        velocity = vd_mul_add(m->vel_ramp, move, velocity);
    }
    return (precise_half){
        .old_x = x,
        .new_x = new_x,
        .distance = has.rest && has.period ? wrapped_precisely(new_x, vd_set1(s->period)) : new_x,
        .position = has.target ? vd_add(target, new_x) : new_x,
        .velocity = velocity,
    };
}

VF_INLINE precise_state select_precisely(vm mask, const precise_state *a, const precise_state *b)
{
    return (precise_state){
        .position = vf_select(mask, a->position, b->position),
        .velocity = vf_select(mask, a->velocity, b->velocity),
        .target = a->target,
        .position_low = vf_select(mask, a->position_low, b->position_low),
        .velocity_low = vf_select(mask, a->velocity_low, b->velocity_low),
    };
}

/* At their targets, not moving, where `mask` is true. */
VF_INLINE precise_state rested_where(vm mask, const precise_state *state)
{
    return (precise_state){
        .position = vf_select(mask, state->target, state->position),
        .velocity = vf_zero_where(mask, state->velocity),
        .target = state->target,
        .position_low = vf_zero_where(mask, state->position_low),
        .velocity_low = vf_zero_where(mask, state->velocity_low),
    };
}

/* The state of the whole vector at i after a step by the matrices of its halves, in the order of advance_springs. */
VF_INLINE precise_state advance_precisely(const gyre_springs *s, spring_features has, const precise_matrix *first,
                                          const precise_matrix *second, size_t i)
{
    const precise_half a = advance_half(s, has, first, i, 0), b = advance_half(s, has, second, i, 1);
    const vf new_x = vf_from_halves(a.new_x, b.new_x);
    precise_state new = {.target = has.target ? vf_load(s->target + i) : vf_set1(0)};
    vd_to_sum(a.position, b.position, &new.position, &new.position_low);
    vd_to_sum(a.velocity, b.velocity, &new.velocity, &new.velocity_low);
    new.velocity = vf_flushed(new.velocity);
    if (has.target) { /* displacements are flushed, and not positions */
        const vm at_target = vf_lt(vf_abs(new_x), vf_set1(0x1p-95f));
        new.position = vf_select(at_target, new.target, new.position);
        new.position_low = vf_zero_where(at_target, new.position_low);
    } else {
        new.position = vf_flushed(new.position);
    }
    if (has.stop) {
        const vf old_x = vf_from_halves(a.old_x, b.old_x);
        new = rested_where(stops_at_target(s, has, old_x, vf_flushed(new_x), new.velocity), &new);
    }
    if (has.rest) {
        const vf distance = vf_abs(vf_from_halves(a.distance, b.distance));
        const vm rests = vm_and(vf_le(distance, rest_limit(s, has, s->rest_distance, i, VF_LANES)),
                                vf_le(vf_abs(new.velocity), rest_limit(s, has, s->rest_speed, i, VF_LANES)));
        new = rested_where(rests, &new);
    }
    if (has.bounds || has.skip) {
        const precise_state old = load_precisely(s, has, i, VF_LANES);
        if (has.bounds) {
            const bounded_state from = {old.position, old.velocity, old.position_low, old.velocity_low};
            bounded_state to = {new.position, new.velocity, new.position_low, new.velocity_low};
            keep_within_bounds(&to, &from, load_bound(s->lower, i, VF_LANES), load_bound(s->upper, i, VF_LANES),
                               s->bounce, rest_limit(s, has, s->rest_speed, i, VF_LANES));
            new = (precise_state){to.position, to.velocity, new.target, to.position_low, to.velocity_low};
        }
        if (has.skip) {
            new = select_precisely(vm_load_awake(s->awake + i, VF_LANES), &new, &old);
        }
    }
    return new;
}

VF_INLINE void store_awake_precisely(const gyre_springs *s, spring_features has, const precise_state *state, size_t i,
                                     size_t n)
{
    const vf zero = vf_set1(0);
    vd displacement[2];
    for (int half = 0; half < 2; half++) {
        const vd position = vd_from_sum(state->position, state->position_low, half);
        displacement[half] = precise_displacement(s, has, position, vd_from_half(state->target, half));
    }
    vm arrived = vf_eq(vf_from_halves(displacement[0], displacement[1]), zero);
    if (has.bounds) {
        const vm held = is_held_by_bound(s, state->position, state->target, i, n);
        arrived = vm_or(arrived, vm_and(held, vf_eq(state->position_low, zero)));
    }
    const vf v = vf_from_halves(vd_from_sum(state->velocity, state->velocity_low, 0),
                                vd_from_sum(state->velocity, state->velocity_low, 1));
    store_awake_where(s, has, vm_not(vm_and(arrived, vf_eq(v, zero))), i, n);
}

VF_INLINE void store_precisely(const gyre_springs *s, spring_features has, precise_state new, size_t i)
{
    vf_store(s->position + i, new.position);
    vf_store(s->velocity + i, new.velocity);
    vf_store(s->position_low + i, new.position_low);
    vf_store(s->velocity_low + i, new.velocity_low);
    if (has.awake) {
        store_awake_precisely(s, has, &new, i, VF_LANES);
    }
}

/* A copy of the arrays of fewer springs than a vector has. */
typedef struct precise_copy {
    float position[GYRE_LANES], velocity[GYRE_LANES], target[GYRE_LANES], target_before[GYRE_LANES];
    float position_low[GYRE_LANES], velocity_low[GYRE_LANES];
    float lower[GYRE_LANES], upper[GYRE_LANES], rest_scale[GYRE_LANES];
    uint8_t awake[GYRE_LANES];
} precise_copy;

/* NULL where there is no array. */
VF_INLINE float *copied(float *to, const float *from, size_t i, size_t n)
{
    return from != NULL ? memcpy(to, from + i, n * sizeof *to) : NULL;
}

VF_INLINE gyre_springs copy_few(precise_copy *copy, const gyre_springs *s, size_t i, size_t n)
{
    *copy = (precise_copy){.awake = {0}};
    gyre_springs few = *s;
    few.position = copied(copy->position, s->position, i, n);
    few.velocity = copied(copy->velocity, s->velocity, i, n);
    few.target = copied(copy->target, s->target, i, n);
    few.target_before = copied(copy->target_before, s->target_before, i, n);
    few.position_low = copied(copy->position_low, s->position_low, i, n);
    few.velocity_low = copied(copy->velocity_low, s->velocity_low, i, n);
    few.lower = copied(copy->lower, s->lower, i, n);
    few.upper = copied(copy->upper, s->upper, i, n);
    few.rest_scale = copied(copy->rest_scale, s->rest_scale, i, n);
    few.awake = s->awake != NULL ? memcpy(copy->awake, s->awake + i, n) : NULL;
    return few;
}

VF_INLINE void copy_back(const precise_copy *copy, const gyre_springs *s, size_t i, size_t n)
{
    memcpy(s->position + i, copy->position, n * sizeof(float));
    memcpy(s->velocity + i, copy->velocity, n * sizeof(float));
    memcpy(s->position_low + i, copy->position_low, n * sizeof(float));
    memcpy(s->velocity_low + i, copy->velocity_low, n * sizeof(float));
    if (s->awake != NULL) {
        memcpy(s->awake + i, copy->awake, n);
    }
}

VF_INLINE bool has_finite_low_parts(const gyre_spring_matrix *m, bool of_ramps)
{
    return are_finite(m->low[0], m->low[1], m->low[2], m->low[3]) &&
           (!of_ramps || are_finite(m->low[4], m->low[5], 0, 0));
}

VF_INLINE bool is_precise_identity(const gyre_spring_matrix *m)
{
    return is_identity(m) && m->low[0] == 0 && m->low[1] == 0 && m->low[2] == 0 && m->low[3] == 0;
}

/* ---- One matrix for all ---- */

typedef struct precise_context {
    gyre_springs springs;
    spring_features has;
    precise_matrix matrix;
} precise_context;

VF_INLINE void precise_vector(const void *context, size_t i)
{
    const precise_context *c = context;
    const gyre_springs *s = &c->springs;
    store_precisely(s, c->has, advance_precisely(s, c->has, &c->matrix, &c->matrix, i), i);
}

static __attribute__((noinline)) void step_few_precisely(const precise_context *c, size_t i, size_t n)
{
    precise_copy copy;
    const precise_context few = {copy_few(&copy, &c->springs, i, n), features_of(&c->springs), c->matrix};
    precise_vector(&few, 0);
    copy_back(&copy, &c->springs, i, n);
}

VF_INLINE void precise_few(const void *context, size_t i, size_t n)
{
    const precise_context copy = *(const precise_context *)context; /* the context itself stays in registers */
    step_few_precisely(&copy, i, n);
}

VF_INLINE void precise_prefetch(const void *context, size_t i)
{
    const precise_context *c = context;
    prefetch_springs(&c->springs, c->has, i);
    vf_prefetch_block(c->springs.position_low + i);
    vf_prefetch_block(c->springs.velocity_low + i);
}

/* The arguments of a call. */
typedef struct precise_arguments {
    const gyre_springs *springs;
    const gyre_spring_matrix *matrix;
} precise_arguments;

VF_INLINE void precise_loop(const void *arguments, spring_features has, size_t begin, size_t end)
{
    const precise_arguments *a = arguments;
    const gyre_spring_matrix *m = a->matrix;
    const precise_context context = {
        .springs = *a->springs,
        .has = has,
        .matrix =
            {
                .pos_pos = vd_set1((double)m->pos_pos + m->low[0]),
                .pos_vel = vd_set1((double)m->pos_vel + m->low[1]),
                .vel_pos = vd_set1((double)m->vel_pos + m->low[2]),
                .vel_vel = vd_set1((double)m->vel_vel + m->low[3]),
                .pos_ramp = vd_set1((double)m->pos_ramp + m->low[4]),
                .vel_ramp = vd_set1((double)m->vel_ramp + m->low[5]),
            },
    };
    const vf_by_vectors loop = {precise_vector, precise_few, precise_prefetch};
    vf_vectors_range(loop, &context, context.springs.position, begin, end, context.springs.count);
}

static __attribute__((noinline)) void step_precisely_in_general(const precise_arguments *a, spring_features has,
                                                                size_t begin, size_t end)
{
    run_general_loop(precise_loop, a, a->springs, has, begin, end);
}

/* A step of no time, with low parts or without: states keep their bits, and `awake` is written. */
static void store_awake_of_range(const gyre_springs *s, size_t begin, size_t end)
{
    const spring_features has = features_of(s);
    if (!has.awake) {
        return;
    }
    for (awake_run run = next_springs(s, has, begin, end); run.begin < run.end;
         run = next_springs(s, has, run.end, end)) {
        for (size_t i = run.begin; i < run.end; i += VF_LANES) {
            const size_t n = vf_lanes_left(i, run.end);
            if (s->position_low != NULL) {
                const precise_state state = load_precisely(s, has, i, n);
                store_awake_precisely(s, has, &state, i, n);
            } else {
                store_awake(s, has, load_springs(s, has, i, n), i, n);
            }
        }
    }
}

/* springs_step with low parts; its other arguments are checked. */
static __attribute__((noinline)) gyre_status springs_step_precisely(const gyre_springs *s, size_t begin, size_t end,
                                                                    const gyre_spring_matrix *m)
{
    const spring_features has = features_of(s);
    if (!has_finite_low_parts(m, has.ramp)) {
        return GYRE_ERROR_VALUE;
    }
    if (is_precise_identity(m)) {
        store_awake_of_range(s, begin, end);
        return GYRE_OK;
    }
    const precise_arguments arguments = {s, m};
    if (needs_general_loop(s)) {
        step_precisely_in_general(&arguments, has, begin, end);
    } else {
        run_plain_loop(precise_loop, &arguments, has, begin, end);
    }
    return GYRE_OK;
}

/* ---- A matrix for each, as rows ---- */

VF_INLINE precise_matrix load_precise_matrix(const gyre_spring_matrix rows[VD_LANES], bool with_ramps)
{
    double column[6][GYRE_LANES / 2];
    for (int lane = 0; lane < VD_LANES; lane++) {
        const gyre_spring_matrix *m = &rows[lane];
        column[0][lane] = (double)m->pos_pos + m->low[0];
        column[1][lane] = (double)m->pos_vel + m->low[1];
        column[2][lane] = (double)m->vel_pos + m->low[2];
        column[3][lane] = (double)m->vel_vel + m->low[3];
        if (with_ramps) {
            column[4][lane] = (double)m->pos_ramp + m->low[4];
            column[5][lane] = (double)m->vel_ramp + m->low[5];
        }
    }
    return (precise_matrix){
        .pos_pos = vd_load_doubles(column[0]),
        .pos_vel = vd_load_doubles(column[1]),
        .vel_pos = vd_load_doubles(column[2]),
        .vel_vel = vd_load_doubles(column[3]),
        .pos_ramp = with_ramps ? vd_load_doubles(column[4]) : vd_set1(0),
        .vel_ramp = with_ramps ? vd_load_doubles(column[5]) : vd_set1(0),
    };
}

/* The vector at i, each spring by its row; those of the identity keep their bits. */
VF_INLINE void step_rows(const gyre_springs *s, const gyre_spring_matrix rows[GYRE_LANES], size_t i)
{
    const spring_features has = features_of(s);
    const precise_matrix first = load_precise_matrix(rows, has.ramp),
                         second = load_precise_matrix(rows + VD_LANES, has.ramp);
    const precise_state old = load_precisely(s, has, i, VF_LANES);
    precise_state new = advance_precisely(s, has, &first, &second, i);
    float is_still[GYRE_LANES];
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        is_still[lane] = is_precise_identity(&rows[lane]);
    }
    const vm still = vf_eq(vf_load(is_still), vf_set1(1));
    new = select_precisely(still, &old, &new);
    store_precisely(s, has, new, i);
}

/* n springs; rows from n on are not used. */
static __attribute__((noinline)) void step_rows_precisely(const gyre_springs *s,
                                                          const gyre_spring_matrix rows[GYRE_LANES], size_t i, size_t n)
{
    if (n == VF_LANES) {
        step_rows(s, rows, i);
        return;
    }
    precise_copy copy;
    const gyre_springs few = copy_few(&copy, s, i, n);
    step_rows(&few, rows, 0);
    copy_back(&copy, s, i, n);
}

#endif
