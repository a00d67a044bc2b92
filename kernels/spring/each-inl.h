/* gyre_springs_step_each: parameters per spring, matrix and step in one pass. */
#ifndef GYRE_SPRING_EACH_H
#define GYRE_SPRING_EACH_H

#include "spring/matrix_at-inl.h"
#include "spring/precise-inl.h"

/* Sets the matrix of a stiff spring to 0 where the step would flush everything that it leaves: subnormal coefficients
   would make the step ten times as slow. What is left is below 2^-97 where the bound, lifted by 2^80, is below 2^-17. A
   state below 2^-20 counts as 2^-20, so that the bound itself is not subnormal. Out of line: springs that are not stiff
   need no registers for it. The parameters of spring i are at `first`. */
static __attribute__((noinline)) void flush_vanishing_matrices(const gyre_springs *s, const spring_parameters *p,
                                                               size_t first, spring_lanes *lanes, size_t i,
                                                               size_t vectors, size_t n)
{
    const spring_features has = {.target = s->target != NULL};
    for (size_t k = 0; k < vectors * VF_LANES; k += VF_LANES) {
        spring_lanes *l = &lanes[k / VF_LANES];
        const vm lifted = vf_lt(l->lower, vf_set1(1));
        if (!vm_any(lifted)) {
            continue;
        }
        const vf w = load_parameter(&p->w, first + k, n), t = load_parameter(&p->t, first + k, n);
        const spring_matrix m = lifted_matrix_of(l, true, w, t);
        const vf on_position = vf_add(vf_abs(m.pos_pos), vf_abs(m.pos_vel));
        const vf on_velocity = vf_add(vf_abs(m.vel_pos), vf_abs(m.vel_vel));
        const spring_state state = load_springs(s, has, i + k, n);
        const vf size = vf_add(vf_add(vf_abs(state.position), vf_abs(state.target)), vf_abs(state.velocity));
        const vf left = vf_mul(vf_add(on_position, on_velocity), vf_max(vf_set1(0x1p-20f), size));
        const vm vanishes = vm_and(lifted, vf_lt(left, vf_set1(0x1p-17f)));
        l->lower = vf_zero_where(vanishes, l->lower);
    }
}

/* What the blocks of a call share. */
typedef struct each_context {
    gyre_springs springs;
    spring_features has;
    spring_parameters parameters;     /* with the time of the step for all, */
    const float *follow, *time_scale; /* and these per spring, or NULL */
} each_context;

/* Springs whose `follow` is outside [0, 1] become NaN. */
VF_INLINE void add_ramps(spring_matrix *m, const each_context *c, vf w, vf z, vf t, size_t i, size_t n)
{
    vf follow = vf_set1(0);
    if (c->has.follow) {
        follow = vf_load_n(c->follow + i, n);
        const vm valid = vm_and(vf_le(vf_set1(0), follow), vf_le(follow, vf_set1(1)));
        m->pos_pos = vf_select(valid, m->pos_pos, vf_set1(NAN));
        m->vel_vel = vf_select(valid, m->vel_vel, vf_set1(NAN));
    }
    if (c->has.ramp) {
        const spring_ramps ramps = ramps_of(m, w, z, t, follow);
        m->pos_ramp = ramps.pos_ramp;
        m->vel_ramp = ramps.vel_ramp;
    }
}

/* The vectors of a block whose E C and E S are solved. `stiff` is a constant: some spring of the block is stiff. */
VF_INLINE void step_solved(const each_context *c, const gyre_springs *s, const spring_parameters *p, size_t first,
                           bool stiff, const spring_lanes *lanes, size_t i, size_t vectors, size_t n)
{
#pragma GCC unroll 2
    for (size_t v = 0; v < vectors; v++) {
        const size_t k = v * VF_LANES;
        const vf w = load_parameter(&p->w, first + k, n), t = load_parameter(&p->t, first + k, n);
        spring_matrix m = spring_matrix_of(&lanes[v], stiff, w, t);
        if (c->has.ramp || c->has.follow) {
            add_ramps(&m, c, w, load_parameter(&p->z, first + k, n), t, i + k, n);
        }
        step_by_own_matrices(s, c->has, &m, i + k, n);
    }
}

/* The parameters of a block from spring i on, with a time for each: the step's times `time_scale`. Infinite times
   become NaN. */
VF_INLINE spring_parameters scale_times(const each_context *c, float times[VF_STAGED_VECTORS * GYRE_LANES], size_t i,
                                        size_t vectors, size_t n)
{
    const vf dt = vf_set1(c->parameters.t.all);
    for (size_t k = 0; k < vectors * VF_LANES; k += VF_LANES) {
        const vf t = vf_mul(vf_load_n(c->time_scale + i + k, n), dt);
        vf_store(times + k, vf_add(t, vf_mul(t, vf_set1(0))));
    }
    return (spring_parameters){.w.each = c->parameters.w.each + i, .z.each = c->parameters.z.each + i, .t.each = times};
}

VF_INLINE void each_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const each_context *c = context;
    const gyre_springs springs = c->springs; /* copies, because a function that is not inlined gets their addresses */
    float times[VF_STAGED_VECTORS * GYRE_LANES];
    const spring_parameters parameters = c->has.time_scale ? scale_times(c, times, i, vectors, n) : c->parameters;
    const size_t first = c->has.time_scale ? 0 : i;
    spring_lanes lanes[VF_STAGED_VECTORS];
    const spring_needs needs = solve_springs(lanes, &parameters, first, vectors, n);
    if (needs.stiff) {
        if (!c->has.ramp) { /* ramps are computed from the matrix, which must stay whole */
            const gyre_springs in_memory = springs;
            const spring_parameters also_in_memory = parameters;
            flush_vanishing_matrices(&in_memory, &also_in_memory, first, lanes, i, vectors, n);
        }
        step_solved(c, &springs, &parameters, first, true, lanes, i, vectors, n);
    } else {
        step_solved(c, &springs, &parameters, first, false, lanes, i, vectors, n);
    }
}

VF_INLINE void each_loop(const void *context, spring_features has, size_t begin, size_t end)
{
    each_context c = *(const each_context *)context;
    c.has = has;
    vf_staged_range(each_block, &c, VF_STAGED_VECTORS, c.springs.position, begin, end);
}

/* Two functions, because each has a block on the stack. That there are w and z, and no time for each, is known here:
   the loops do not ask. */
static __attribute__((noinline, nonnull)) void step_each_plainly(const gyre_springs *s, size_t begin, size_t end,
                                                                 const float *w, const float *z, float dt_s)
{
    const each_context context = {.springs = *s, .parameters = {.w.each = w, .z.each = z, .t.all = dt_s}};
    run_plain_loop(each_loop, &context, features_of(s), begin, end);
}

static __attribute__((noinline)) void step_each_in_general(const each_context *c, size_t begin, size_t end)
{
    run_general_loop(each_loop, c, &c->springs, c->has, begin, end);
}

/* With low parts: each spring's matrix by itself, as spring_matrix_at computes it; NaN where that refuses the spring.
 */
static __attribute__((noinline)) void step_each_precisely(const each_context *c, size_t begin, size_t end)
{
    const gyre_springs *s = &c->springs;
    for (awake_run run = next_springs(s, c->has, begin, end); run.begin < run.end;
         run = next_springs(s, c->has, run.end, end)) {
        for (size_t i = run.begin; i < run.end; i += VF_LANES) {
            gyre_spring_matrix rows[GYRE_LANES];
            const size_t n = vf_lanes_left(i, run.end);
            for (size_t lane = 0; lane < VF_LANES; lane++) {
                rows[lane] = (gyre_spring_matrix){.pos_pos = NAN, .pos_vel = NAN, .vel_pos = NAN, .vel_vel = NAN};
                if (lane < n && (!c->has.skip || s->awake[i + lane] != 0)) {
                    const size_t k = i + lane;
                    const gyre_spring spring = {c->parameters.w.each[k], c->parameters.z.each[k],
                                                c->has.follow ? c->follow[k] : 0};
                    const float t = c->parameters.t.all * (c->has.time_scale ? c->time_scale[k] : 1);
                    (void)spring_matrix_at(spring, t, &rows[lane]);
                }
            }
            step_rows_precisely(s, rows, i, n);
        }
    }
}

GYRE_KERNEL_FUNCTION gyre_status springs_step_each(const gyre_springs *springs, size_t begin, size_t end,
                                                   const float *angular_frequency, const float *damping_ratio,
                                                   const float *follow, const float *time_scale, float dt_s)
{
    if (springs == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    gyre_status status = check_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (angular_frequency == NULL || damping_ratio == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (dt_s == 0) {
        store_awake_of_range(springs, begin, end);
        return GYRE_OK;
    }
    const bool precise = springs->position_low != NULL;
    if (!precise && !needs_general_loop(springs) && follow == NULL && time_scale == NULL) {
        step_each_plainly(springs, begin, end, angular_frequency, damping_ratio, dt_s);
        return GYRE_OK;
    }
    each_context context = {
        .springs = *springs,
        .has = features_of(springs),
        .parameters = {.w.each = angular_frequency, .z.each = damping_ratio, .t.all = dt_s},
        .follow = follow,
        .time_scale = time_scale,
    };
    context.has.follow = follow != NULL;
    context.has.time_scale = time_scale != NULL;
    if (precise) {
        step_each_precisely(&context, begin, end);
    } else {
        step_each_in_general(&context, begin, end);
    }
    return GYRE_OK;
}

#endif
