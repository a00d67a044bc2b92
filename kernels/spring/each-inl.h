/* gyre_springs_step_each: parameters per spring, matrix and step in one pass. */
#ifndef GYRE_SPRING_EACH_H
#define GYRE_SPRING_EACH_H

#include "spring/matrix_at-inl.h"
#include "spring/precise-inl.h"

/* Sets the matrix of a stiff spring to 0 where the step would flush everything that it leaves: subnormal coefficients
   would make the step ten times as slow. What is left is below 2^-97 where the bound, lifted by 2^80, is below 2^-17. A
   state below 2^-20 counts as 2^-20, so that the bound itself is not subnormal. Out of line: springs that are not stiff
   need no registers for it. */
static __attribute__((noinline)) void flush_vanishing_matrices(const gyre_springs *s, spring_features has,
                                                               const spring_parameters *p, spring_lanes *lanes,
                                                               size_t i, size_t vectors, size_t n)
{
    for (size_t v = 0; v < vectors; v++) {
        const vm lifted = vf_lt(lanes[v].lower, vf_set1(1));
        if (!vm_any(lifted)) {
            continue;
        }
        const size_t j = i + v * VF_LANES;
        const vf w = load_parameter(&p->w, j, n), t = load_parameter(&p->t, j, n);
        const spring_matrix m = lifted_matrix_of(&lanes[v], true, w, t);
        const vf on_position = vf_add(vf_abs(m.pos_pos), vf_abs(m.pos_vel));
        const vf on_velocity = vf_add(vf_abs(m.vel_pos), vf_abs(m.vel_vel));
        const spring_state state = load_springs(s, has, j, n);
        const vf size = vf_add(vf_add(vf_abs(state.position), vf_abs(state.target)), vf_abs(state.velocity));
        const vf left = vf_mul(vf_add(on_position, on_velocity), vf_max(vf_set1(0x1p-20f), size));
        const vm vanishes = vm_and(lifted, vf_lt(left, vf_set1(0x1p-17f)));
        lanes[v].lower = vf_zero_where(vanishes, lanes[v].lower);
    }
}

/* The vectors of a block whose E C and E S are solved. `stiff` is a constant: some spring of the block is stiff. */
VF_INLINE void step_solved(const gyre_springs *s, spring_features has, const spring_parameters *p, bool stiff,
                           const spring_lanes *lanes, size_t i, size_t vectors, size_t n)
{
#pragma GCC unroll 2
    for (size_t v = 0; v < vectors; v++) {
        const size_t j = i + v * VF_LANES;
        const spring_matrix m = spring_matrix_of(&lanes[v], stiff, load_parameter(&p->w, j, n), vf_set1(p->t.all));
        step_by_own_matrices(s, has, &m, j, n);
    }
}

/* What the blocks of a call share. */
typedef struct each_context {
    gyre_springs springs;
    spring_features has;
    spring_parameters parameters;
    size_t begin, end;
} each_context;

VF_INLINE void each_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const each_context *c = context;
    const gyre_springs springs = c->springs; /* copies, because a function that is not inlined gets their addresses */
    const spring_parameters parameters = c->parameters;
    spring_lanes lanes[VF_STAGED_VECTORS];
    const spring_needs needs = solve_springs(lanes, &parameters, i, vectors, n);
    if (needs.stiff) {
        const gyre_springs in_memory = springs;
        const spring_parameters also_in_memory = parameters;
        flush_vanishing_matrices(&in_memory, c->has, &also_in_memory, lanes, i, vectors, n);
        step_solved(&springs, c->has, &parameters, true, lanes, i, vectors, n);
    } else {
        step_solved(&springs, c->has, &parameters, false, lanes, i, vectors, n);
    }
}

VF_INLINE void each_loop(const void *context, spring_features has)
{
    each_context c = *(const each_context *)context;
    c.has = has;
    vf_staged_range(each_block, &c, VF_STAGED_VECTORS, c.springs.position, c.begin, c.end);
}

/* springs_step_each with low parts: each spring's matrix by itself, as spring_matrix_at computes it; NaN where that
   refuses the spring. */
static __attribute__((noinline)) void springs_step_each_precisely(const gyre_springs *s, size_t begin, size_t end,
                                                                  const float *angular_frequency,
                                                                  const float *damping_ratio, float dt_s)
{
    if (dt_s == 0) {
        store_awake_of_precise_range(s, begin, end);
        return;
    }
    for (size_t i = begin; i < end; i += VF_LANES) {
        gyre_spring_matrix rows[GYRE_LANES];
        const size_t n = vf_lanes_left(i, end);
        for (size_t lane = 0; lane < VF_LANES; lane++) {
            rows[lane] = (gyre_spring_matrix){.pos_pos = NAN, .pos_vel = NAN, .vel_pos = NAN, .vel_vel = NAN};
            if (lane < n) {
                const gyre_spring spring = {angular_frequency[i + lane], damping_ratio[i + lane], 0};
                (void)spring_matrix_at(spring, dt_s, &rows[lane]);
            }
        }
        step_rows_precisely(s, rows, i, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status springs_step_each(const gyre_springs *springs, size_t begin, size_t end,
                                                   const float *angular_frequency, const float *damping_ratio,
                                                   float dt_s)
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
    const bool precise = springs->position_low != NULL;
    if (angular_frequency == NULL || damping_ratio == NULL || (precise && springs->velocity_low == NULL)) {
        return GYRE_ERROR_NULL;
    }
    if (precise) {
        springs_step_each_precisely(springs, begin, end, angular_frequency, damping_ratio, dt_s);
        return GYRE_OK;
    }
    if (dt_s == 0) {
        store_awake_of_range(springs, begin, end);
        return GYRE_OK;
    }
    const each_context context = {
        .springs = *springs,
        .parameters = {.w.each = angular_frequency, .z.each = damping_ratio, .t.all = dt_s},
        .begin = begin,
        .end = end,
    };
    run_spring_loop(each_loop, &context, features_of(springs));
    return GYRE_OK;
}

#endif
