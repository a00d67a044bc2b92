/* The step of a vector of springs: a matrix (spring/matrix-inl.h) times displacement from the target and velocity. The
   kernels that share it are in step-inl.h, palette-inl.h, each-inl.h and at-inl.h. */
#ifndef GYRE_SPRING_STATE_H
#define GYRE_SPRING_STATE_H

#include "simd/awake-inl.h"
#include "simd/bounds-inl.h"
#include "spring/matrix-inl.h"

/* Which parts of a step a batch uses. */
typedef struct spring_features {
    bool target, period, rest, awake;
    bool ramp, stop, rest_scale, bounds, skip; /* in the general loop alone, */
    bool follow, time_scale;                   /* and of parameters per spring */
} spring_features;

VF_INLINE spring_features basic_features(spring_features has)
{
    return (spring_features){.target = has.target, .period = has.period, .rest = has.rest, .awake = has.awake};
}

/* x minus the nearest multiple of the period. The second subtraction is for a quotient, or its product with the period,
   that rounds across half a period. From 2^23 periods on a float does not determine the phase, and the quotient may
   overflow: then the result is 0. */
VF_INLINE vf wrapped(vf x, vf period)
{
    vf turns = vf_div(x, period);
    vf remainder = vf_neg_mul_add(vf_round(turns), period, x);
    vm far = vf_lt(vf_mul(vf_set1(0.5f), period), vf_abs(remainder));
    remainder = vf_select(far, vf_sub(remainder, vf_copysign(period, remainder)), remainder);
    return vf_select(vf_lt(vf_abs(turns), vf_set1(0x1p23f)), remainder, vf_mul(x, vf_set1(0)));
}

typedef struct spring_state {
    vf position, velocity, target;
} spring_state;

VF_INLINE spring_state load_springs(const gyre_springs *s, spring_features has, size_t i, size_t n)
{
    return (spring_state){
        .position = vf_load_n(s->position + i, n),
        .velocity = vf_load_n(s->velocity + i, n),
        .target = has.target ? vf_load_n(s->target + i, n) : vf_set1(0),
    };
}

VF_INLINE vf displacement_from(const gyre_springs *s, spring_features has, vf position, vf target)
{
    const vf x = has.target ? vf_sub(position, target) : position;
    return has.period ? wrapped(x, vf_set1(s->period)) : x;
}

/* Springs that pass their target, or an equal one, or start from it, and are finite. */
VF_INLINE vm stops_at_target(const gyre_springs *s, spring_features has, vf old_x, vf new_x, vf velocity)
{
    const vf zero = vf_set1(0), infinity = vf_set1(INFINITY);
    vm stops = vm_or(vf_eq(old_x, zero), vm_or(vm_and(vf_lt(old_x, zero), vf_lt(zero, new_x)),
                                               vm_and(vf_lt(zero, old_x), vf_lt(new_x, zero))));
    if (has.period) {
        stops = vm_or(stops, vf_le(vf_set1(s->period), vf_abs(new_x)));
    }
    return vm_and(stops, vm_and(vf_lt(vf_abs(new_x), infinity), vf_lt(vf_abs(velocity), infinity)));
}

/* A rest limit of each of n springs. */
VF_INLINE vf rest_limit(const gyre_springs *s, spring_features has, float limit, size_t i, size_t n)
{
    return has.rest_scale ? vf_mul(vf_load_n(s->rest_scale + i, n), vf_set1(limit)) : vf_set1(limit);
}

/* The n springs at i a step after `old`; include/gyre/spring.h says in which order. */
VF_INLINE spring_state advance_springs(const gyre_springs *s, spring_features has, const spring_matrix *m,
                                       spring_state old, size_t i, size_t n)
{
    const vf before = has.ramp ? vf_load_n(s->target_before + i, n) : old.target;
    const vf x = displacement_from(s, has, old.position, before);
    vf new_x = vf_mul_add(m->pos_pos, x, vf_mul(m->pos_vel, old.velocity));
    vf velocity = vf_mul_add(m->vel_pos, x, vf_mul(m->vel_vel, old.velocity));
    if (has.ramp) {
        const vf move = displacement_from(s, has, old.target, before);
        new_x = vf_mul_add(m->pos_ramp, move, new_x);
        velocity = vf_mul_add(m->vel_ramp, move, velocity);
    }
    new_x = vf_flushed(new_x);
    velocity = vf_flushed(velocity);
    if (has.stop) {
        const vm stops = stops_at_target(s, has, x, new_x, velocity);
        new_x = vf_zero_where(stops, new_x);
        velocity = vf_zero_where(stops, velocity);
    }
    if (has.rest) {
        const vf distance = vf_abs(has.period ? wrapped(new_x, vf_set1(s->period)) : new_x);
        const vm rests = vm_and(vf_le(distance, rest_limit(s, has, s->rest_distance, i, n)),
                                vf_le(vf_abs(velocity), rest_limit(s, has, s->rest_speed, i, n)));
        new_x = vf_zero_where(rests, new_x);
        velocity = vf_zero_where(rests, velocity);
    }
    spring_state new = {has.target ? vf_add(old.target, new_x) : new_x, velocity, old.target};
    if (has.bounds) {
        const vf zero = vf_set1(0);
        const bounded_state from = {old.position, old.velocity, zero, zero};
        bounded_state to = {new.position, new.velocity, zero, zero};
        keep_within_bounds(&to, &from, load_bound(s->lower, i, n), load_bound(s->upper, i, n), s->bounce,
                           rest_limit(s, has, s->rest_speed, i, n));
        new.position = to.position;
        new.velocity = to.velocity;
    }
    if (has.skip) {
        const vm awake = vm_load_awake(s->awake + i, n);
        new.position = vf_select(awake, new.position, old.position);
        new.velocity = vf_select(awake, new.velocity, old.velocity);
    }
    return new;
}

/* Springs on a bound that their target lies beyond. */
VF_INLINE vm is_held_by_bound(const gyre_springs *s, vf position, vf target, size_t i, size_t n)
{
    const vf lower = load_bound(s->lower, i, n), upper = load_bound(s->upper, i, n);
    return vm_or(vm_and(vf_eq(position, lower), vf_lt(target, lower)),
                 vm_and(vf_eq(position, upper), vf_lt(upper, target)));
}

/* What sleeps and is skipped stays asleep. */
VF_INLINE void store_awake_where(const gyre_springs *s, spring_features has, vm awake, size_t i, size_t n)
{
    if (has.skip) {
        awake = vm_and(awake, vm_load_awake(s->awake + i, n));
    }
    vm_store_bytes_n(s->awake + i, awake, n);
}

/* Writes `awake`: 1 where a spring moves or is away from where it rests, or is NaN. */
VF_INLINE void store_awake(const gyre_springs *s, spring_features has, spring_state state, size_t i, size_t n)
{
    const vf zero = vf_set1(0);
    vm arrived = vf_eq(displacement_from(s, has, state.position, state.target), zero);
    if (has.bounds) {
        arrived = vm_or(arrived, is_held_by_bound(s, state.position, state.target, i, n));
    }
    store_awake_where(s, has, vm_not(vm_and(arrived, vf_eq(state.velocity, zero))), i, n);
}

VF_INLINE void store_springs(const gyre_springs *s, spring_features has, spring_state new, size_t i, size_t n)
{
    vf_store_n(s->position + i, new.position, n);
    vf_store_n(s->velocity + i, new.velocity, n);
    if (has.awake) {
        store_awake(s, has, new, i, n);
    }
}

VF_INLINE void prefetch_springs(const gyre_springs *s, spring_features has, size_t i)
{
    vf_prefetch_block(s->position + i);
    vf_prefetch_block(s->velocity + i);
    if (has.target) {
        vf_prefetch_block(s->target + i);
    }
    if (has.ramp) {
        vf_prefetch_block(s->target_before + i);
    }
}

VF_INLINE void step_springs(const gyre_springs *s, spring_features has, const spring_matrix *m, size_t i, size_t n)
{
    store_springs(s, has, advance_springs(s, has, m, load_springs(s, has, i, n), i, n), i, n);
}

/* n springs with the matrix in each one's lane; those of the identity keep their bits. */
VF_INLINE void step_by_own_matrices(const gyre_springs *s, spring_features has, const spring_matrix *m, size_t i,
                                    size_t n)
{
    const vf zero = vf_set1(0), one = vf_set1(1);
    spring_state old = load_springs(s, has, i, n), new = advance_springs(s, has, m, old, i, n);
    vm still = vm_and(vf_eq(m->pos_pos, one), vf_eq(m->pos_vel, zero));
    if (vm_any(still)) { /* rare */
        still = vm_and(still, vm_and(vf_eq(m->vel_pos, zero), vf_eq(m->vel_vel, one)));
        new.position = vf_select(still, old.position, new.position);
        new.velocity = vf_select(still, old.velocity, new.velocity);
    }
    store_springs(s, has, new, i, n);
}

/* Whether a batch uses what is in the general loop alone. One test, because calls of 64 springs feel each. */
VF_INLINE bool needs_general_loop(const gyre_springs *s)
{
    const uintptr_t arrays =
        (uintptr_t)s->target_before | (uintptr_t)s->lower | (uintptr_t)s->upper | (uintptr_t)s->rest_scale;
    uint32_t bounce;
    memcpy(&bounce, &s->bounce, sizeof bounce);
    return (arrays | bounce | s->stop_at_target | s->skip_asleep) != 0;
}

/* All checks of springs that do not need the general loop. */
VF_INLINE gyre_status check_plain_springs(const gyre_springs *s, size_t begin, size_t end)
{
    if (!is_range(begin, end, s->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (!(s->period >= 0 && s->rest_distance >= 0 && s->rest_speed >= 0 &&
          are_finite(s->period, s->rest_distance, s->rest_speed, 0))) {
        return GYRE_ERROR_VALUE;
    }
    return begin < end &&
                   (s->position == NULL || s->velocity == NULL || (s->position_low != NULL && s->velocity_low == NULL))
               ? GYRE_ERROR_NULL
               : GYRE_OK;
}

static gyre_status check_springs(const gyre_springs *s, size_t begin, size_t end)
{
    const gyre_status status = check_plain_springs(s, begin, end);
    if (status == GYRE_ERROR_RANGE) {
        return status;
    }
    if (!(s->bounce >= 0 && s->bounce <= 1) || (s->period > 0 && (s->lower != NULL || s->upper != NULL))) {
        return GYRE_ERROR_VALUE;
    }
    return status == GYRE_OK && begin < end && s->skip_asleep && s->awake == NULL ? GYRE_ERROR_NULL : status;
}

/* With zeros of either sign. */
VF_INLINE bool is_identity(const gyre_spring_matrix *m)
{
    return m->pos_pos == 1 && m->pos_vel == 0 && m->vel_pos == 0 && m->vel_vel == 1;
}

static spring_features features_of(const gyre_springs *s)
{
    return (spring_features){
        .target = s->target != NULL,
        .period = s->period > 0,
        .rest = s->rest_distance > 0 && s->rest_speed > 0,
        .awake = s->awake != NULL,
        .ramp = s->target != NULL && s->target_before != NULL,
        .stop = s->stop_at_target,
        .rest_scale = s->rest_scale != NULL,
        .bounds = s->lower != NULL || s->upper != NULL,
        .skip = s->skip_asleep,
    };
}

/* The next of the springs begin..end-1 that a loop has to look at:

       for (awake_run run = next_springs(s, has, begin, end); run.begin < run.end;
            run = next_springs(s, has, run.end, end)) */
VF_INLINE awake_run next_springs(const gyre_springs *s, spring_features has, size_t begin, size_t end)
{
    return has.skip ? next_awake_run(s->awake, begin, end) : (awake_run){begin, end};
}

/* A loop over the springs begin..end-1 that `context` describes. Inlined, with parts of `has` constant as
   run_plain_loop says. */
typedef void spring_loop(const void *context, spring_features has, size_t begin, size_t end);

/* Most batches have targets at most, and get a loop without the branches of the other features. */
VF_INLINE void run_plain_loop(spring_loop *loop, const void *context, spring_features has, size_t begin, size_t end)
{
    if (has.period || has.rest || has.awake) {
        VF_APART loop(context, basic_features(has), begin, end);
    } else if (has.target) {
        VF_APART loop(context, (spring_features){.target = true}, begin, end);
    } else {
        VF_APART loop(context, (spring_features){.target = false}, begin, end);
    }
}

/* One loop with everything. In functions of its own, because it needs more registers than the others. */
VF_INLINE void run_general_loop(spring_loop *loop, const void *context, const gyre_springs *s, spring_features has,
                                size_t begin, size_t end)
{
    for (awake_run run = next_springs(s, has, begin, end); run.begin < run.end;
         run = next_springs(s, has, run.end, end)) {
        loop(context, has, run.begin, run.end);
    }
}

VF_INLINE spring_matrix broadcast_matrix(const gyre_spring_matrix *m)
{
    return (spring_matrix){vf_set1(m->pos_pos), vf_set1(m->pos_vel),  vf_set1(m->vel_pos),
                           vf_set1(m->vel_vel), vf_set1(m->pos_ramp), vf_set1(m->vel_ramp)};
}

#endif
