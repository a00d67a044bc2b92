/* A step of springs in structure-of-arrays memory: their matrix (spring/matrix-inl.h) applied to displacement from the
   target and velocity. */
#ifndef GYRE_SPRING_STEP_H
#define GYRE_SPRING_STEP_H

#include "spring/matrix-inl.h"

/* What a batch asks for. Constants where a loop is made for them, else branches that the CPU predicts. */
typedef struct spring_features {
    bool target, period, rest, awake;
} spring_features;

/* x less the nearest multiple of the period. The second subtraction is for quotients, and their products with the
   period, that round across half a period. From 2^23 periods on a float does not tell the phase, and the quotient may
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

/* 1 where a spring still moves or is still away from its target; written for a batch that asks for it. */
VF_INLINE void report_awake(const gyre_springs *s, spring_features has, spring_state state, size_t i, size_t n)
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
        report_awake(s, has, new, i, n);
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

/* n springs with one matrix, and a block of them. */
VF_INLINE void springs_step_vector(const gyre_springs *s, spring_features has, const spring_matrix *m, size_t i,
                                   size_t n)
{
    store_springs(s, has, advance_springs(s, has, m, load_springs(s, has, i, n)), i, n);
}

VF_INLINE void springs_step_block(const gyre_springs *s, spring_features has, const spring_matrix *m, size_t i)
{
    VF_STREAM_BLOCK(spring_state, load_springs(s, has, j, VF_LANES),
                    store_springs(s, has, advance_springs(s, has, m, old), j, VF_LANES));
}

/* n springs, each by the matrix in its lane; those of the identity keep their bits. */
VF_INLINE void step_by_own_matrices(const gyre_springs *s, spring_features has, const spring_matrix *m, size_t i,
                                    size_t n)
{
    const vf zero = vf_set1(0), one = vf_set1(1);
    spring_state old = load_springs(s, has, i, n), new = advance_springs(s, has, m, old);
    vm still = vm_and(vf_eq(m->pos_pos, one), vf_eq(m->pos_vel, zero));
    if (vm_any(still)) { /* rarely */
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

/* With zeros of either sign. Bits are compared, because the integer units are idle where this is asked often; the first
   word rejects nearly every matrix. */
VF_INLINE bool is_identity(const gyre_spring_matrix *m)
{
    const uint32_t one = 0x3f800000, magnitude = 0x7fffffff;
    uint32_t bits[4];
    memcpy(bits, m, sizeof bits);
    return bits[0] == one && ((bits[1] & magnitude) | (bits[2] & magnitude) | (bits[3] ^ one)) == 0;
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

/* `call` with `has` as constants where batches have targets at most, which is what most have. */
#define BY_SPRING_FEATURES(features, call)                                                                             \
    do {                                                                                                               \
        if ((features).period || (features).rest || (features).awake) {                                                \
            const spring_features has = features;                                                                      \
            call;                                                                                                      \
        } else if ((features).target) {                                                                                \
            const spring_features has = {.target = true};                                                              \
            call;                                                                                                      \
        } else {                                                                                                       \
            const spring_features has = {0};                                                                           \
            call;                                                                                                      \
        }                                                                                                              \
    } while (0)

/* Where no time passes: `awake` is written, and states keep their bits. */
static void report_range(const gyre_springs *s, size_t begin, size_t end)
{
    spring_features has = features_of(s);
    if (has.awake) {
        for (size_t i = begin; i < end; i += VF_LANES) {
            size_t n = vf_lanes_left(i, end);
            report_awake(s, has, load_springs(s, has, i, n), i, n);
        }
    }
}

VF_INLINE spring_matrix broadcast_matrix(const gyre_spring_matrix *m)
{
    return (spring_matrix){vf_set1(m->pos_pos), vf_set1(m->pos_vel), vf_set1(m->vel_pos), vf_set1(m->vel_vel)};
}

#endif
