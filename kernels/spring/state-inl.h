/* The step of a vector of springs: a matrix (spring/matrix-inl.h) times displacement from the target and velocity. The
   kernels that share it are in step-inl.h, palette-inl.h, each-inl.h and at-inl.h. */
#ifndef GYRE_SPRING_STATE_H
#define GYRE_SPRING_STATE_H

#include "spring/matrix-inl.h"

/* Which parts of a step a batch uses. */
typedef struct spring_features {
    bool target, period, rest, awake;
} spring_features;

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

VF_INLINE spring_state advance_springs(const gyre_springs *s, spring_features has, const spring_matrix *m,
                                       spring_state old)
{
    vf x = has.target ? vf_sub(old.position, old.target) : old.position;
    if (has.period) {
        x = wrapped(x, vf_set1(s->period));
    }
    vf new_x = vf_flushed(vf_mul_add(m->pos_pos, x, vf_mul(m->pos_vel, old.velocity)));
    vf velocity = vf_flushed(vf_mul_add(m->vel_pos, x, vf_mul(m->vel_vel, old.velocity)));
    if (has.rest) {
        vf distance = vf_abs(has.period ? wrapped(new_x, vf_set1(s->period)) : new_x);
        vm rests = vm_and(vf_le(distance, vf_set1(s->rest_distance)), vf_le(vf_abs(velocity), vf_set1(s->rest_speed)));
        new_x = vf_zero_where(rests, new_x);
        velocity = vf_zero_where(rests, velocity);
    }
    return (spring_state){has.target ? vf_add(old.target, new_x) : new_x, velocity, old.target};
}

/* Writes `awake`: 1 where a spring moves or is away from its target, or is NaN. */
VF_INLINE void store_awake(const gyre_springs *s, spring_features has, spring_state state, size_t i, size_t n)
{
    vf x = has.target ? vf_sub(state.position, state.target) : state.position;
    if (has.period) {
        x = wrapped(x, vf_set1(s->period));
    }
    vm rests = vm_and(vf_eq(x, vf_set1(0)), vf_eq(state.velocity, vf_set1(0)));
    vm_store_bytes_n(s->awake + i, vm_not(rests), n);
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
}

VF_INLINE void step_springs(const gyre_springs *s, spring_features has, const spring_matrix *m, size_t i, size_t n)
{
    store_springs(s, has, advance_springs(s, has, m, load_springs(s, has, i, n)), i, n);
}

/* n springs with the matrix in each one's lane; those of the identity keep their bits. */
VF_INLINE void step_by_own_matrices(const gyre_springs *s, spring_features has, const spring_matrix *m, size_t i,
                                    size_t n)
{
    const vf zero = vf_set1(0), one = vf_set1(1);
    spring_state old = load_springs(s, has, i, n), new = advance_springs(s, has, m, old);
    vm still = vm_and(vf_eq(m->pos_pos, one), vf_eq(m->pos_vel, zero));
    if (vm_any(still)) { /* rare */
        still = vm_and(still, vm_and(vf_eq(m->vel_pos, zero), vf_eq(m->vel_vel, one)));
        new.position = vf_select(still, old.position, new.position);
        new.velocity = vf_select(still, old.velocity, new.velocity);
    }
    store_springs(s, has, new, i, n);
}

VF_INLINE gyre_status check_springs(const gyre_springs *springs, size_t begin, size_t end)
{
    const float period = springs->period, distance = springs->rest_distance, speed = springs->rest_speed;
    if (!is_range(begin, end, springs->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (!(period >= 0 && distance >= 0 && speed >= 0 && are_finite(period, distance, speed, 0))) {
        return GYRE_ERROR_VALUE;
    }
    return begin < end && (springs->position == NULL || springs->velocity == NULL) ? GYRE_ERROR_NULL : GYRE_OK;
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
    };
}

/* A loop over the springs that `context` describes. Inlined, with `has` constant where run_spring_loop says so. */
typedef void spring_loop(const void *context, spring_features has);

/* Most batches have targets at most, and get a loop without the branches of the other features. */
VF_INLINE void run_spring_loop(spring_loop *loop, const void *context, spring_features has)
{
    if (has.period || has.rest || has.awake) {
        loop(context, has);
    } else if (has.target) {
        loop(context, (spring_features){.target = true});
    } else {
        loop(context, (spring_features){.target = false});
    }
}

/* A step of no time: states keep their bits, and `awake` is written. */
static void store_awake_of_range(const gyre_springs *s, size_t begin, size_t end)
{
    spring_features has = features_of(s);
    if (has.awake) {
        for (size_t i = begin; i < end; i += VF_LANES) {
            size_t n = vf_lanes_left(i, end);
            store_awake(s, has, load_springs(s, has, i, n), i, n);
        }
    }
}

VF_INLINE spring_matrix broadcast_matrix(const gyre_spring_matrix *m)
{
    return (spring_matrix){vf_set1(m->pos_pos), vf_set1(m->pos_vel), vf_set1(m->vel_pos), vf_set1(m->vel_vel)};
}

#endif
