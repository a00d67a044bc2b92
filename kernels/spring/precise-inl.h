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

VF_INLINE vd precise_displacement(const gyre_springs *s, spring_features has, vd position, vd target)
{
    const vd x = has.target ? vd_sub(position, target) : position;
    return has.period ? wrapped_precisely(x, vd_set1(s->period)) : x;
}

/* Half a vector after a step: displacement, its distance from the target for the rest limits, and the state. */
typedef struct precise_half {
    vd x, distance, position, velocity;
} precise_half;

/* Floats become doubles as they are loaded, which spares the CPU's shuffle unit half of the work of a conversion. */
VF_INLINE precise_half advance_half(const gyre_springs *s, spring_features has, const precise_matrix *m, size_t i,
                                    int half)
{
    const vd target = has.target ? vd_load_half(s->target + i, half) : vd_set1(0);
    const vd position = vd_add(vd_load_half(s->position + i, half), vd_load_half(s->position_low + i, half));
    const vd v = vd_add(vd_load_half(s->velocity + i, half), vd_load_half(s->velocity_low + i, half));
    const vd x = precise_displacement(s, has, position, target);
    const vd new_x = vd_mul_add(m->pos_pos, x, vd_mul(m->pos_vel, v));
    return (precise_half){
        .x = new_x,
        .distance = has.rest && has.period ? wrapped_precisely(new_x, vd_set1(s->period)) : new_x,
        .position = has.target ? vd_add(target, new_x) : new_x,
        .velocity = vd_mul_add(m->vel_pos, x, vd_mul(m->vel_vel, v)),
    };
}

/* The state of the whole vector at i after a step by the matrices of its halves. */
VF_INLINE precise_state advance_precisely(const gyre_springs *s, spring_features has, const precise_matrix *first,
                                          const precise_matrix *second, size_t i)
{
    const precise_half a = advance_half(s, has, first, i, 0), b = advance_half(s, has, second, i, 1);
    precise_state new = {.target = has.target ? vf_load(s->target + i) : vf_set1(0)};
    vd_to_sum(a.position, b.position, &new.position, &new.position_low);
    vd_to_sum(a.velocity, b.velocity, &new.velocity, &new.velocity_low);
    new.velocity = vf_flushed(new.velocity);
    if (has.target) { /* displacements are flushed, and not positions */
        const vm at_target = vf_lt(vf_abs(vf_from_halves(a.x, b.x)), vf_set1(0x1p-95f));
        new.position = vf_select(at_target, new.target, new.position);
        new.position_low = vf_zero_where(at_target, new.position_low);
    } else {
        new.position = vf_flushed(new.position);
    }
    if (has.rest) {
        const vf distance = vf_abs(vf_from_halves(a.distance, b.distance));
        const vm rests =
            vm_and(vf_le(distance, vf_set1(s->rest_distance)), vf_le(vf_abs(new.velocity), vf_set1(s->rest_speed)));
        new.position = vf_select(rests, new.target, new.position);
        new.position_low = vf_zero_where(rests, new.position_low);
        new.velocity = vf_zero_where(rests, new.velocity);
        new.velocity_low = vf_zero_where(rests, new.velocity_low);
    }
    return new;
}

VF_INLINE void store_awake_precisely(const gyre_springs *s, spring_features has, const precise_state *state, size_t i,
                                     size_t n)
{
    vd displacement[2];
    for (int half = 0; half < 2; half++) {
        const vd position = vd_from_sum(state->position, state->position_low, half);
        displacement[half] = precise_displacement(s, has, position, vd_from_half(state->target, half));
    }
    const vf x = vf_from_halves(displacement[0], displacement[1]);
    const vf v = vf_from_halves(vd_from_sum(state->velocity, state->velocity_low, 0),
                                vd_from_sum(state->velocity, state->velocity_low, 1));
    vm_store_bytes_n(s->awake + i, vm_not(vm_and(vf_eq(x, vf_set1(0)), vf_eq(v, vf_set1(0)))), n);
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
    float position[GYRE_LANES], velocity[GYRE_LANES], target[GYRE_LANES];
    float position_low[GYRE_LANES], velocity_low[GYRE_LANES];
    uint8_t awake[GYRE_LANES];
} precise_copy;

VF_INLINE gyre_springs copy_few(precise_copy *copy, const gyre_springs *s, size_t i, size_t n)
{
    *copy = (precise_copy){.awake = {0}};
    memcpy(copy->position, s->position + i, n * sizeof(float));
    memcpy(copy->velocity, s->velocity + i, n * sizeof(float));
    memcpy(copy->position_low, s->position_low + i, n * sizeof(float));
    memcpy(copy->velocity_low, s->velocity_low + i, n * sizeof(float));
    if (s->target != NULL) {
        memcpy(copy->target, s->target + i, n * sizeof(float));
    }
    gyre_springs springs = *s;
    springs.position = copy->position;
    springs.velocity = copy->velocity;
    springs.target = s->target != NULL ? copy->target : NULL;
    springs.awake = s->awake != NULL ? copy->awake : NULL;
    springs.position_low = copy->position_low;
    springs.velocity_low = copy->velocity_low;
    return springs;
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
    size_t begin, end;
    const gyre_spring_matrix *matrix;
} precise_arguments;

VF_INLINE void precise_loop(const void *arguments, spring_features has)
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
            },
    };
    const vf_by_vectors loop = {precise_vector, precise_few, precise_prefetch};
    vf_vectors_range(loop, &context, context.springs.position, a->begin, a->end, context.springs.count);
}

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
    const precise_arguments arguments = {s, begin, end, m};
    run_spring_loop(precise_loop, &arguments, features_of(s));
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

/* The vector at i, each spring by its row; those of the identity keep their bits. */
VF_INLINE void step_rows(const gyre_springs *s, const gyre_spring_matrix rows[GYRE_LANES], size_t i)
{
    const spring_features has = features_of(s);
    const precise_matrix first = load_precise_matrix(rows), second = load_precise_matrix(rows + VD_LANES);
    const precise_state old = load_precisely(s, has, i, VF_LANES);
    precise_state new = advance_precisely(s, has, &first, &second, i);
    float is_still[GYRE_LANES];
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        is_still[lane] = is_precise_identity(&rows[lane]);
    }
    const vm still = vf_eq(vf_load(is_still), vf_set1(1));
    new.position = vf_select(still, old.position, new.position);
    new.velocity = vf_select(still, old.velocity, new.velocity);
    new.position_low = vf_select(still, old.position_low, new.position_low);
    new.velocity_low = vf_select(still, old.velocity_low, new.velocity_low);
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
