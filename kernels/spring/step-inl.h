/* gyre_springs_step: springs that share a matrix. */
#ifndef GYRE_SPRING_STEP_H
#define GYRE_SPRING_STEP_H

#include "spring/precise-inl.h"

/* What the vectors of a call share. */
typedef struct step_context {
    gyre_springs springs;
    spring_features has;
    spring_matrix matrix;
} step_context;

VF_INLINE void step_load(const void *context, size_t i, vf state[VF_STREAM_STATE])
{
    const step_context *c = context;
    const spring_state old = load_springs(&c->springs, c->has, i, VF_LANES);
    state[0] = old.position;
    state[1] = old.velocity;
    state[2] = old.target;
}

VF_INLINE void step_store(const void *context, size_t i, const vf state[VF_STREAM_STATE])
{
    const step_context *c = context;
    const spring_state old = {state[0], state[1], state[2]};
    const spring_state new = advance_springs(&c->springs, c->has, &c->matrix, old, i, VF_LANES);
    store_springs(&c->springs, c->has, new, i, VF_LANES);
}

VF_INLINE void step_prefetch(const void *context, size_t i)
{
    const step_context *c = context;
    prefetch_springs(&c->springs, c->has, i);
}

static const vf_stream step_stream = {step_load, step_store, step_prefetch};

VF_INLINE void step_range(const gyre_springs *s, spring_features has, const gyre_spring_matrix *m, size_t begin,
                          size_t end)
{
    const step_context context = {*s, has, broadcast_matrix(m)};
    vf_stream_range(step_stream, &context, s->position, begin, end, s->count);
}

/* A function for each set of features: in one function the stack frame of the last makes 64 springs a tenth slower. */
static __attribute__((noinline)) void step_about_zero(const gyre_springs *s, size_t begin, size_t end,
                                                      const gyre_spring_matrix *m)
{
    step_range(s, (spring_features){.target = false}, m, begin, end);
}

static __attribute__((noinline)) void step_about_targets(const gyre_springs *s, size_t begin, size_t end,
                                                         const gyre_spring_matrix *m)
{
    step_range(s, (spring_features){.target = true}, m, begin, end);
}

static __attribute__((noinline)) void step_with_basics(const gyre_springs *s, size_t begin, size_t end,
                                                       const gyre_spring_matrix *m)
{
    step_range(s, basic_features(features_of(s)), m, begin, end);
}

/* Fewer than a vector. */
static __attribute__((noinline)) void step_few(const gyre_springs *s, size_t begin, size_t end,
                                               const gyre_spring_matrix *matrix)
{
    const spring_matrix m = broadcast_matrix(matrix);
    step_springs(s, basic_features(features_of(s)), &m, begin, end - begin);
}

VF_INLINE void general_vector(const void *context, size_t i)
{
    const step_context *c = context;
    step_springs(&c->springs, c->has, &c->matrix, i, VF_LANES);
}

static __attribute__((noinline)) void step_few_in_general(const step_context *c, size_t i, size_t n)
{
    step_springs(&c->springs, c->has, &c->matrix, i, n);
}

VF_INLINE void general_few(const void *context, size_t i, size_t n)
{
    const step_context copy = *(const step_context *)context; /* the context itself stays in registers */
    step_few_in_general(&copy, i, n);
}

/* No vector overlaps another here: what sleeps is known from flags that the loop writes. */
VF_INLINE void general_loop(const void *context, spring_features has, size_t begin, size_t end)
{
    (void)has; /* in the context */
    const step_context *c = context;
    const vf_by_vectors loop = {general_vector, general_few, step_prefetch};
    vf_vectors_range(loop, c, c->springs.position, begin, end, c->springs.count);
}

/* All that may be asked of a step. */
static __attribute__((noinline)) gyre_status springs_step_in_general(const gyre_springs *s, size_t begin, size_t end,
                                                                     const gyre_spring_matrix *m)
{
    const gyre_status status = check_springs(s, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const spring_features has = features_of(s);
    if (has.ramp && !are_finite(m->pos_ramp, m->vel_ramp, 0, 0)) {
        return GYRE_ERROR_VALUE;
    }
    if (s->position_low != NULL) {
        return springs_step_precisely(s, begin, end, m);
    }
    if (is_identity(m)) {
        store_awake_of_range(s, begin, end);
        return GYRE_OK;
    }
    const step_context context = {*s, has, broadcast_matrix(m)};
    run_general_loop(general_loop, &context, s, has, begin, end);
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status springs_step(const gyre_springs *springs, size_t begin, size_t end,
                                              const gyre_spring_matrix *matrix)
{
    if (springs == NULL || matrix == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_matrix(matrix)) {
        return GYRE_ERROR_VALUE;
    }
    if (needs_general_loop(springs)) {
        return springs_step_in_general(springs, begin, end, matrix);
    }
    gyre_status status = check_plain_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (springs->position_low != NULL) {
        return springs_step_precisely(springs, begin, end, matrix);
    }
    const spring_features has = features_of(springs);
    if (is_identity(matrix)) {
        store_awake_of_range(springs, begin, end);
    } else if (end - begin < VF_LANES) {
        step_few(springs, begin, end, matrix);
    } else if (has.period || has.rest || has.awake) {
        step_with_basics(springs, begin, end, matrix);
    } else if (has.target) {
        step_about_targets(springs, begin, end, matrix);
    } else {
        step_about_zero(springs, begin, end, matrix);
    }
    return GYRE_OK;
}

#endif
