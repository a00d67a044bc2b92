/* gyre_springs_at: springs evaluated at any time after a start. */
#ifndef GYRE_SPRING_AT_H
#define GYRE_SPRING_AT_H

#include "spring/each-inl.h"

/* The arguments other than the start. */
typedef struct at_call {
    gyre_spring spring;
    const float *elapsed_s;
    float *position_out, *velocity_out;
} at_call;

typedef struct at_shared {
    at_call call;
    vf_spring_settings settings;
    spring_parameters parameters; /* except the time */
    vf speed_at_end;              /* after an infinite time: 0, or NaN for springs without damping */
} at_shared;

VF_INLINE spring_parameters at_parameters(const at_shared *shared, size_t i, size_t n)
{
    spring_parameters p = shared->parameters;
    p.t = vf_load_n(shared->call.elapsed_s + i, n);
    return p;
}

/* Where the time is infinite: the state at the end. */
VF_INLINE vf_spring_state at_end(const at_shared *shared, unsigned has, vf_spring_input in, vf_spring_state next, vf t)
{
    const vf zero = vf_set1(0);
    const vm endless = vf_eq(vf_abs(t), vf_set1(INFINITY));
    const vf speed = vf_select(vf_lt(zero, t), shared->speed_at_end, vf_set1(NAN));
    const vf position = vf_add(has & SPRING_TARGET ? in.target : zero, speed);
    next.position = vf_select(endless, position, next.position);
    next.velocity = vf_select(endless, speed, next.velocity);
    return next;
}

/* Stage 7 and the step. `stiff` is a constant: some spring of the block is stiff, or its time is infinite. */
VF_INLINE void at_evaluate(const gyre_springs *start, const at_shared *shared, unsigned has, bool stiff,
                           const spring_lanes *lanes, size_t first, size_t vectors, size_t n)
{
    VF_EACH_VECTOR(v, vectors) {
        const size_t i = first + v * VF_LANES;
        const spring_parameters p = at_parameters(shared, i, n);
        const vf_spring_input in = vf_spring_input_at(start, has, i, n);
        const vf_spring_matrix m = each_matrix(has, stiff, lanes[v], p, in);
        vf_spring_state next = vf_spring_advance(has, shared->settings, m, in);
        const vm at_start = vf_eq(p.t, vf_set1(0));
        next.position = vf_select(at_start, in.position, next.position);
        next.velocity = vf_select(at_start, in.velocity, next.velocity);
        if (stiff) {
            next = at_end(shared, has, in, next, p.t);
        }
        vf_store_n(shared->call.position_out + i, next.position, n);
        vf_store_n(shared->call.velocity_out + i, next.velocity, n);
    }
}

VF_INLINE void at_block(const gyre_springs *start, const at_shared *shared, unsigned has, size_t i, size_t vectors,
                        size_t n)
{
    spring_extent extent = spring_extent_of_none(shared->parameters);
    spring_lanes lanes[VF_STAGED_VECTORS];
    VF_EACH_VECTOR(v, vectors) {
        const spring_parameters p = at_parameters(shared, i + v * VF_LANES, n);
        lanes[v].terms = spring_classify(p);
        extent = spring_extent_with(extent, SPRING_OWN_T, p, lanes[v].terms.s);
    }
    const unsigned needs = spring_needs(extent);
    for (size_t v = 0; needs & SPRING_IS_UNUSUAL && v < vectors; v++) {
        lanes[v].terms = spring_classify_any(at_parameters(shared, i + v * VF_LANES, n));
    }
    spring_solve(lanes, vectors, needs);
    if (needs & SPRING_IS_STIFF) {
        at_evaluate(start, shared, has, true, lanes, i, vectors, n);
    } else {
        at_evaluate(start, shared, has, false, lanes, i, vectors, n);
    }
}

VF_INLINE at_shared at_prepare(const gyre_springs *start, const at_call *call, unsigned has)
{
    (void)has;
    const gyre_spring spring = call->spring;
    const bool damped = spring.angular_frequency > 0 && spring.damping_ratio > 0;
    return (at_shared){
        .call = *call,
        .settings = vf_spring_settings_of(start),
        .parameters = {vf_set1(spring.angular_frequency), vf_set1(spring.damping_ratio), vf_set1(0)},
        .speed_at_end = vf_set1(damped ? 0 : NAN),
    };
}

#define AT_SETS(SET) SET(any, 0, SPRING_TARGET | SPRING_PERIOD, VF_STAGED_VECTORS)
#define LOOP at
#define LOOP_ARRAYS gyre_springs
#define LOOP_CALL at_call
#define LOOP_SETS AT_SETS
#define LOOP_WRITTEN(shared, springs) shared->call.position_out
#define LOOP_COMPLETED(springs, has) spring_completed(springs, has)
#include "simd/loops/staged-inl.h"

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
    const gyre_status status = check_springs(&s, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (elapsed_s == NULL || position_out == NULL || velocity_out == NULL) {
        return GYRE_ERROR_NULL;
    }
    const at_call call = {spring, elapsed_s, position_out, velocity_out};
    at_loop(&s, &call, features_of(&s), begin, end);
    return GYRE_OK;
}

#endif
