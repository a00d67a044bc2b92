/* gyre_springs_at: springs evaluated at any time after a start. */
#include "spring/each-inl.h"

/* What the blocks of a call share. */
typedef struct at_context {
    gyre_springs start;
    spring_features has;
    spring_parameters parameters;
    float *position, *velocity;
    float speed_at_end; /* after an infinite time: 0, or NaN for springs without damping */
} at_context;

VF_INLINE void evaluate_solved(const at_context *c, bool stiff, const spring_lanes *lanes, size_t i, size_t vectors,
                               size_t n)
{
    const gyre_springs *s = &c->start;
    const vf zero = vf_set1(0), nan = vf_set1(NAN);
#pragma GCC unroll 2
    for (size_t v = 0; v < vectors; v++) {
        const size_t j = i + v * VF_LANES;
        const vf t = load_parameter(&c->parameters.t, j, n);
        const spring_matrix m = spring_matrix_of(&lanes[v], stiff, vf_set1(c->parameters.w.all), t);
        const spring_state old = load_springs(s, c->has, j, n), new = advance_springs(s, c->has, &m, old, j, n);
        const vm at_start = vf_eq(t, zero), endless = vf_eq(vf_abs(t), vf_set1(INFINITY));
        vf position = vf_select(at_start, old.position, new.position);
        vf velocity = vf_select(at_start, old.velocity, new.velocity);
        if (stiff && vm_any(endless)) { /* a block with an infinite time counts as stiff */
            const vf speed = vf_select(vf_lt(zero, t), vf_set1(c->speed_at_end), nan);
            position = vf_select(endless, vf_add(old.target, speed), position);
            velocity = vf_select(endless, speed, velocity);
        }
        vf_store_n(c->position + j, position, n);
        vf_store_n(c->velocity + j, velocity, n);
    }
}

VF_INLINE void at_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const at_context c = *(const at_context *)context; /* a copy: a function that is not inlined gets its address */
    spring_lanes lanes[VF_STAGED_VECTORS];
    const spring_needs needs = solve_springs(lanes, &c.parameters, i, vectors, n);
    if (needs.stiff) {
        flush_vanishing_matrices(&c.start, &c.parameters, i, lanes, i, vectors, n);
        evaluate_solved(&c, true, lanes, i, vectors, n);
    } else {
        evaluate_solved(&c, false, lanes, i, vectors, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status springs_at(const gyre_springs *start, size_t begin, size_t end, gyre_spring spring,
                                            const float *elapsed_s, float *position_out, float *velocity_out)
{
    if (start == NULL) {
        return GYRE_ERROR_NULL;
    }
    const gyre_springs s = {.count = start->count,
                            .position = start->position,
                            .velocity = start->velocity,
                            .target = start->target,
                            .period = start->period};
    if (!is_valid_spring(spring)) {
        return GYRE_ERROR_VALUE;
    }
    gyre_status status = check_springs(&s, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (elapsed_s == NULL || position_out == NULL || velocity_out == NULL) {
        return GYRE_ERROR_NULL;
    }
    const bool damped = spring.angular_frequency > 0 && spring.damping_ratio > 0;
    const at_context context = {
        .start = s,
        .has = features_of(&s),
        .parameters = {.w.all = spring.angular_frequency, .z.all = spring.damping_ratio, .t.each = elapsed_s},
        .position = position_out,
        .velocity = velocity_out,
        .speed_at_end = damped ? 0 : NAN,
    };
    vf_staged_range(at_block, &context, VF_STAGED_VECTORS, position_out, begin, end);
    return GYRE_OK;
}
