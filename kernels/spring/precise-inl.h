/* Steps of springs with low parts: states and coefficients are sums of two floats, and the step is computed in double,
   half a vector at a time. In functions of their own, so that springs without low parts need no registers for it. */
#ifndef GYRE_SPRING_PRECISE_H
#define GYRE_SPRING_PRECISE_H

#include "simd/vd-inl.h"
#include "spring/state-inl.h"

/* The matrices of half a vector. */
typedef struct precise_matrix {
    vd pos_pos, pos_vel, vel_pos, vel_vel;
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

VF_INLINE vd precise_displacement(const gyre_springs *s, spring_features has, const precise_state *state, int half)
{
    const vd x = vd_sub(vd_from_sum(state->position, state->position_low, half), vd_from_half(state->target, half));
    return has.period ? wrapped_precisely(x, vd_set1(s->period)) : x;
}

/* Half a vector after a step: displacement, its distance from the target for the rest limits, and the state. */
typedef struct precise_half {
    vd x, distance, position, velocity;
} precise_half;

VF_INLINE precise_half advance_half(const gyre_springs *s, spring_features has, const precise_matrix *m,
                                    const precise_state *old, int half)
{
    const vd x = precise_displacement(s, has, old, half);
    const vd v = vd_from_sum(old->velocity, old->velocity_low, half);
    const vd new_x = vd_mul_add(m->pos_pos, x, vd_mul(m->pos_vel, v));
    return (precise_half){
        .x = new_x,
        .distance = has.rest && has.period ? wrapped_precisely(new_x, vd_set1(s->period)) : new_x,
        .position = vd_add(vd_from_half(old->target, half), new_x),
        .velocity = vd_mul_add(m->vel_pos, x, vd_mul(m->vel_vel, v)),
    };
}

VF_INLINE precise_state advance_precisely(const gyre_springs *s, spring_features has, const precise_matrix *first,
                                          const precise_matrix *second, precise_state old)
{
    const precise_half a = advance_half(s, has, first, &old, 0), b = advance_half(s, has, second, &old, 1);
    precise_state new = {.target = old.target};
    vd_to_sum(a.position, b.position, &new.position, &new.position_low);
    vd_to_sum(a.velocity, b.velocity, &new.velocity, &new.velocity_low);
    new.velocity = vf_flushed(new.velocity);
    /* the flush of displacements: as those of springs without low parts, of which vf_flushed leaves none below 2^-95 */
    vm at_target = vf_lt(vf_abs(vf_from_halves(a.x, b.x)), vf_set1(0x1p-95f));
    if (has.rest) {
        const vf distance = vf_abs(vf_from_halves(a.distance, b.distance));
        const vm rests =
            vm_and(vf_le(distance, vf_set1(s->rest_distance)), vf_le(vf_abs(new.velocity), vf_set1(s->rest_speed)));
        at_target = vm_or(at_target, rests);
        new.velocity = vf_zero_where(rests, new.velocity);
        new.velocity_low = vf_zero_where(rests, new.velocity_low);
    }
    new.position = vf_select(at_target, old.target, new.position);
    new.position_low = vf_zero_where(at_target, new.position_low);
    return new;
}

VF_INLINE void store_awake_precisely(const gyre_springs *s, spring_features has, const precise_state *state, size_t i,
                                     size_t n)
{
    const vf x = vf_from_halves(precise_displacement(s, has, state, 0), precise_displacement(s, has, state, 1));
    const vf v = vf_from_halves(vd_from_sum(state->velocity, state->velocity_low, 0),
                                vd_from_sum(state->velocity, state->velocity_low, 1));
    vm_store_bytes_n(s->awake + i, vm_not(vm_and(vf_eq(x, vf_set1(0)), vf_eq(v, vf_set1(0)))), n);
}

VF_INLINE void store_precisely(const gyre_springs *s, spring_features has, precise_state new, size_t i, size_t n)
{
    vf_store_n(s->position + i, new.position, n);
    vf_store_n(s->velocity + i, new.velocity, n);
    vf_store_n(s->position_low + i, new.position_low, n);
    vf_store_n(s->velocity_low + i, new.velocity_low, n);
    if (has.awake) {
        store_awake_precisely(s, has, &new, i, n);
    }
}

VF_INLINE bool is_finite_precise_matrix(const gyre_spring_matrix *m)
{
    return is_finite_matrix(m) && are_finite(m->low[0], m->low[1], m->low[2], m->low[3]);
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

VF_INLINE void precise_load(const void *context, size_t i, vf state[VF_STREAM_STATE])
{
    const precise_context *c = context;
    const precise_state old = load_precisely(&c->springs, c->has, i, VF_LANES);
    state[0] = old.position;
    state[1] = old.velocity;
    state[2] = old.target;
    state[3] = old.position_low;
    state[4] = old.velocity_low;
}

VF_INLINE void precise_store(const void *context, size_t i, const vf state[VF_STREAM_STATE])
{
    const precise_context *c = context;
    const precise_state old = {state[0], state[1], state[2], state[3], state[4]};
    store_precisely(&c->springs, c->has, advance_precisely(&c->springs, c->has, &c->matrix, &c->matrix, old), i,
                    VF_LANES);
}

VF_INLINE void precise_prefetch(const void *context, size_t i)
{
    const precise_context *c = context;
    prefetch_springs(&c->springs, c->has, i);
    vf_prefetch_block(c->springs.position_low + i);
    vf_prefetch_block(c->springs.velocity_low + i);
}

static const vf_stream precise_stream = {precise_load, precise_store, precise_prefetch};

static void store_awake_of_precise_range(const gyre_springs *s, size_t begin, size_t end)
{
    const spring_features has = features_of(s);
    if (has.awake) {
        for (size_t i = begin; i < end; i += VF_LANES) {
            const size_t n = vf_lanes_left(i, end);
            const precise_state state = load_precisely(s, has, i, n);
            store_awake_precisely(s, has, &state, i, n);
        }
    }
}

/* springs_step with low parts; its other arguments are checked. */
static __attribute__((noinline)) gyre_status springs_step_precisely(const gyre_springs *s, size_t begin, size_t end,
                                                                    const gyre_spring_matrix *m)
{
    if (s->velocity_low == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_precise_matrix(m)) {
        return GYRE_ERROR_VALUE;
    }
    if (is_precise_identity(m)) {
        store_awake_of_precise_range(s, begin, end);
        return GYRE_OK;
    }
    const precise_context context = {
        .springs = *s,
        .has = features_of(s),
        .matrix =
            {
                .pos_pos = vd_set1((double)m->pos_pos + m->low[0]),
                .pos_vel = vd_set1((double)m->pos_vel + m->low[1]),
                .vel_pos = vd_set1((double)m->vel_pos + m->low[2]),
                .vel_vel = vd_set1((double)m->vel_vel + m->low[3]),
            },
    };
    if (end - begin >= VF_LANES) {
        vf_stream_range(precise_stream, &context, s->position, begin, end, s->count);
    } else {
        const precise_matrix *matrix = &context.matrix;
        const precise_state old = load_precisely(s, context.has, begin, end - begin);
        store_precisely(s, context.has, advance_precisely(s, context.has, matrix, matrix, old), begin, end - begin);
    }
    return GYRE_OK;
}

/* ---- A matrix for each, as rows ---- */

VF_INLINE precise_matrix load_precise_matrix(const gyre_spring_matrix rows[VD_LANES])
{
    double column[4][GYRE_LANES / 2];
    for (int lane = 0; lane < VD_LANES; lane++) {
        const gyre_spring_matrix *m = &rows[lane];
        column[0][lane] = (double)m->pos_pos + m->low[0];
        column[1][lane] = (double)m->pos_vel + m->low[1];
        column[2][lane] = (double)m->vel_pos + m->low[2];
        column[3][lane] = (double)m->vel_vel + m->low[3];
    }
    return (precise_matrix){vd_load_doubles(column[0]), vd_load_doubles(column[1]), vd_load_doubles(column[2]),
                            vd_load_doubles(column[3])};
}

/* n springs, each by its row; those of the identity keep their bits. Rows from n on are not used. */
static __attribute__((noinline)) void step_rows_precisely(const gyre_springs *s,
                                                          const gyre_spring_matrix rows[GYRE_LANES], size_t i, size_t n)
{
    const spring_features has = features_of(s);
    const precise_matrix first = load_precise_matrix(rows), second = load_precise_matrix(rows + VD_LANES);
    const precise_state old = load_precisely(s, has, i, n);
    precise_state new = advance_precisely(s, has, &first, &second, old);
    float is_still[GYRE_LANES];
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        is_still[lane] = is_precise_identity(&rows[lane]);
    }
    const vm still = vf_eq(vf_load(is_still), vf_set1(1));
    new.position = vf_select(still, old.position, new.position);
    new.velocity = vf_select(still, old.velocity, new.velocity);
    new.position_low = vf_select(still, old.position_low, new.position_low);
    new.velocity_low = vf_select(still, old.velocity_low, new.velocity_low);
    store_precisely(s, has, new, i, n);
}

#endif
