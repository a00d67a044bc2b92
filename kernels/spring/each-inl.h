/* gyre_springs_step_each: parameters per spring, matrix and step in one pass. */
#ifndef GYRE_SPRING_EACH_H
#define GYRE_SPRING_EACH_H

#include "simd/loops/parts-inl.h"
#include "spring/matrix_at-inl.h"
#include "spring/rows-inl.h"

/* The arguments other than the springs. */
typedef struct each_call {
    const float *angular_frequency, *damping_ratio, *follow, *time_scale; /* the last two may be NULL */
    float dt_s;
} each_call;

typedef struct each_shared {
    each_call call;
    vf_spring_settings settings;
    vf dt;
} each_shared;

/* Infinite times become NaN. */
VF_INLINE spring_parameters each_parameters(const each_shared *shared, unsigned has, size_t i, size_t n)
{
    vf t = shared->dt;
    if (has & SPRING_CLOCK) {
        t = vf_mul(vf_load_n(shared->call.time_scale + i, n), t);
        t = vf_add(t, vf_mul(t, vf_set1(0)));
    }
    return (spring_parameters){vf_load_n(shared->call.angular_frequency + i, n),
                               vf_load_n(shared->call.damping_ratio + i, n), t};
}

/* Adds the ramps where targets move. Springs whose `follow` is outside [0, 1] become NaN. */
VF_INLINE vf_spring_matrix each_with_ramps(const each_shared *shared, unsigned has, vf_spring_matrix m,
                                           spring_parameters p, size_t i, size_t n)
{
    vf follow = vf_set1(0);
    if (has & SPRING_FOLLOW) {
        follow = vf_load_n(shared->call.follow + i, n);
        const vm valid = vm_and(vf_le(vf_set1(0), follow), vf_le(follow, vf_set1(1)));
        m.pos_pos = vf_select(valid, m.pos_pos, vf_set1(NAN));
        m.vel_vel = vf_select(valid, m.vel_vel, vf_set1(NAN));
    }
    return has & SPRING_RAMP ? spring_with_ramps(m, p, follow) : m;
}

/* Sets `lower`, and with it the matrix, to 0 for a stiff spring whose new state the step would flush anyway: subnormal
   coefficients would make the step ten times as slow. The new state is below 2^-97 where its bound, lifted by 2^80, is
   below 2^-17. A state below 2^-20 is treated as 2^-20, so that the bound itself is not subnormal. */
VF_INLINE vf each_without_vanishing(vf lower, vf_spring_matrix lifted, unsigned has, vf_spring_input in)
{
    const vf on_position = vf_add(vf_abs(lifted.pos_pos), vf_abs(lifted.pos_vel));
    const vf on_velocity = vf_add(vf_abs(lifted.vel_pos), vf_abs(lifted.vel_vel));
    const vf target = has & SPRING_TARGET ? vf_abs(in.target) : vf_set1(0);
    const vf size = vf_add(vf_add(vf_abs(in.position), target), vf_abs(in.velocity));
    const vf left = vf_mul(vf_add(on_position, on_velocity), vf_max(vf_set1(0x1p-20f), size));
    const vm vanishes = vm_and(vf_lt(lower, vf_set1(1)), vf_lt(left, vf_set1(0x1p-17f)));
    return vf_zero_where(vanishes, lower);
}

/* Stage 7. */
VF_INLINE vf_spring_matrix each_matrix(unsigned has, bool stiff, spring_lanes l, spring_parameters p,
                                       vf_spring_input in)
{
    if (!stiff || has & SPRING_RAMP) { /* ramps are computed from the whole matrix */
        return spring_matrix_of(stiff, l.terms, l.decayed, l.lifted.lower, p.w, p.t);
    }
    const vf_spring_matrix lifted = spring_lifted_matrix(true, l.terms, l.decayed, p.w, p.t);
    return spring_lowered_matrix(each_without_vanishing(l.lifted.lower, lifted, has, in), lifted);
}

/* Stage 7 and the step. `stiff` is a constant: some spring of the block is stiff. */
VF_INLINE void each_step(const gyre_springs *s, const each_shared *shared, unsigned has, bool stiff,
                         const spring_lanes *lanes, size_t first, size_t vectors, size_t n)
{
    VF_EACH_VECTOR(v, vectors)
    {
        const size_t i = first + v * VF_LANES;
        const spring_parameters p = each_parameters(shared, has, i, n);
        const vf_spring_input in = vf_spring_input_at(s, has, i, n);
        vf_spring_matrix m = each_matrix(has, stiff, lanes[v], p, in);
        if (has & (SPRING_RAMP | SPRING_FOLLOW)) {
            m = each_with_ramps(shared, has, m, p, i, n);
        }
        if (has & SPRING_BOUNDS) {
            m.angular_frequency = p.w;
            m.damping_ratio = p.z;
            m.follow = has & SPRING_FOLLOW ? vf_load_n(shared->call.follow + i, n) : vf_set1(0);
            m.dt_s = p.t;
        }
        const vf_spring_state next = vf_spring_advance_by_own(has, shared->settings, m, in);
        vf_spring_store_state(s, shared->settings, has | SPRING_OWN, in, next, i, n);
    }
}

VF_INLINE void each_block(const gyre_springs *s, const each_shared *shared, unsigned has, size_t i, size_t vectors,
                          size_t n)
{
    const unsigned own = SPRING_OWN_W | SPRING_OWN_Z | (has & SPRING_CLOCK ? SPRING_OWN_T : 0u);
    spring_extent extent = spring_extent_of_none((spring_parameters){vf_set1(0), vf_set1(0), shared->dt});
    spring_lanes lanes[VF_STAGED_VECTORS];
    VF_EACH_VECTOR(v, vectors)
    {
        const spring_parameters p = each_parameters(shared, has, i + v * VF_LANES, n);
        lanes[v].terms = spring_classify(p);
        extent = spring_extent_with(extent, own, p, lanes[v].terms.s);
    }
    const unsigned needs = spring_needs(extent);
    for (size_t v = 0; needs & SPRING_IS_UNUSUAL && v < vectors; v++) {
        lanes[v].terms = spring_classify_any(each_parameters(shared, has, i + v * VF_LANES, n));
    }
    spring_solve(lanes, vectors, needs);
    if (needs & SPRING_IS_STIFF) {
        each_step(s, shared, has, true, lanes, i, vectors, n);
    } else {
        each_step(s, shared, has, false, lanes, i, vectors, n);
    }
}

VF_INLINE each_shared each_prepare(const gyre_springs *s, const each_call *call, unsigned has)
{
    (void)has;
    return (each_shared){*call, vf_spring_settings_of(s), vf_set1(call->dt_s)};
}

#define EACH_SETS(SET)                                                                                                 \
    SET(zero, 0, 0, VF_STAGED_VECTORS)                                                                                 \
    SET(target, SPRING_TARGET, 0, VF_STAGED_VECTORS)                                                                   \
    SET(basics, 0, SPRING_BASICS, VF_STAGED_VECTORS)                                                                   \
    SET(general, 0, SPRING_ALL | SPRING_FOLLOW | SPRING_CLOCK, VF_STAGED_VECTORS)
#define LOOP each
#define LOOP_ARRAYS gyre_springs
#define LOOP_CALL each_call
#define LOOP_SETS EACH_SETS
#define LOOP_WRITTEN(shared, springs) springs->position
#define LOOP_FLAGS(springs, has) awake_flags((has) & SPRING_SKIP, (springs)->awake)
#define LOOP_COMPLETED(springs, has) spring_completed(springs, has)
#include "simd/loops/staged-inl.h"

/* ---- With low parts: a call of spring_matrix_at for each spring ---- */

typedef struct each_part {
    const gyre_springs *springs;
    unsigned has;
    each_call call;
} each_part;

VF_INLINE void each_low_part(const void *context, size_t i, size_t n)
{
    const each_part *p = context;
    const each_call *call = &p->call;
    spring_rows rows = spring_rows_of_nan();
    for (size_t lane = 0; lane < n; lane++) {
        const size_t k = i + lane;
        if (!(p->has & SPRING_SKIP) || p->springs->awake[k] != 0) {
            const gyre_spring spring = {call->angular_frequency[k], call->damping_ratio[k],
                                        p->has & SPRING_FOLLOW ? call->follow[k] : 0};
            const float t = call->dt_s * (p->has & SPRING_CLOCK ? call->time_scale[k] : 1);
            (void)spring_matrix_at(spring, t, &rows.of[lane]); /* stays NaN if the spring is refused */
        }
    }
    springs_step_rows(p->springs, p->has, &rows, i, n);
}

/* A separate function, because its stack would add to that of the loop without low parts. */
VF_SHARED void springs_step_each_with_low_parts(const gyre_springs *s, unsigned has, const each_call *call,
                                                size_t begin, size_t end)
{
    const each_part part = {s, has, *call};
    vf_each_part(each_low_part, &part, awake_flags(has & SPRING_SKIP, s->awake), begin, end);
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
    const gyre_status status = check_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (angular_frequency == NULL || damping_ratio == NULL) {
        return GYRE_ERROR_NULL;
    }
    const unsigned has =
        features_of(springs) | (follow != NULL ? SPRING_FOLLOW : 0u) | (time_scale != NULL ? SPRING_CLOCK : 0u);
    const each_call call = {angular_frequency, damping_ratio, follow, time_scale, dt_s};
    if (dt_s == 0) {
        springs_stand_still(springs, has, begin, end);
    } else if (springs->position_low != NULL) {
        springs_step_each_with_low_parts(springs, has, &call, begin, end);
    } else {
        each_loop(springs, &call, has, begin, end);
    }
    return GYRE_OK;
}

#endif
