/* Springs that share a matrix, springs with parameters each, and springs at any time. */
#include "spring/state-inl.h"

VF_INLINE void step_range(gyre_springs s, spring_features has, spring_matrix m, size_t begin, size_t end)
{
    VF_STREAM(begin, end, s.count, s.position, prefetch_springs(&s, has, i + VF_PREFETCH_DISTANCE), spring_state,
              load_springs(&s, has, j, VF_LANES),
              store_springs(&s, has, advance_springs(&s, has, &m, old), j, VF_LANES));
}

/* A function each: in one, what the last keeps on the stack makes 64 springs a tenth slower. */
static __attribute__((noinline)) void step_about_zero(const gyre_springs *s, size_t begin, size_t end,
                                                      const gyre_spring_matrix *m)
{
    step_range(*s, (spring_features){0}, broadcast_matrix(m), begin, end);
}

static __attribute__((noinline)) void step_about_targets(const gyre_springs *s, size_t begin, size_t end,
                                                         const gyre_spring_matrix *m)
{
    step_range(*s, (spring_features){.target = true}, broadcast_matrix(m), begin, end);
}

static __attribute__((noinline)) void step_with_all(const gyre_springs *s, size_t begin, size_t end,
                                                    const gyre_spring_matrix *m)
{
    step_range(*s, features_of(s), broadcast_matrix(m), begin, end);
}

/* Less than a vector. */
static __attribute__((noinline)) void step_few(const gyre_springs *s, size_t begin, size_t end,
                                               const gyre_spring_matrix *matrix)
{
    const spring_matrix m = broadcast_matrix(matrix);
    springs_step_vector(s, features_of(s), &m, begin, end - begin);
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
    gyre_status status = check_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const spring_features has = features_of(springs);
    if (is_identity(matrix)) {
        report_range(springs, begin, end);
    } else if (end - begin < VF_LANES) {
        step_few(springs, begin, end, matrix);
    } else if (has.period || has.rest || has.awake) {
        step_with_all(springs, begin, end, matrix);
    } else if (has.target) {
        step_about_targets(springs, begin, end, matrix);
    } else {
        step_about_zero(springs, begin, end, matrix);
    }
    return GYRE_OK;
}

/* ---- Parameters per spring. ---- */

/* Stiff springs of which the step will flush whatever a matrix leaves get one that is 0: a coefficient that is
   subnormal would cost ten times the step. Less than 2^-97 is left where the lifted bound is below 2^-17, and what is
   smaller than 2^-20 counts as that, lest the bound be subnormal itself. Out of line: what is not stiff needs no
   registers for it. */
static __attribute__((noinline)) void flush_vanishing_matrices(const gyre_springs *s, spring_features has,
                                                               const spring_parameters *p, spring_lanes *lanes,
                                                               size_t i, size_t vectors, size_t n)
{
    FOR_EACH_VECTOR
    {
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

/* `stiff`: some springs are. A loop that asked would ask in each vector. */
VF_INLINE void step_solved(const gyre_springs *s, spring_features has, const spring_parameters *p, bool stiff,
                           const spring_lanes *lanes, size_t i, size_t vectors, size_t n)
{
    FOR_EACH_VECTOR_BY_TWOS
    {
        size_t j = i + v * VF_LANES;
        const spring_matrix m = spring_matrix_of(&lanes[v], stiff, load_parameter(&p->w, j, n), vf_set1(p->t.all));
        step_by_own_matrices(s, has, &m, j, n);
    }
}

/* From i on: `vectors` whole vectors, or one of n springs. */
VF_INLINE void step_each_block(const gyre_springs *s, spring_features has, const float *angular_frequency,
                               const float *damping_ratio, float dt_s, size_t i, size_t vectors, size_t n)
{
    const spring_parameters parameters = {.w.each = angular_frequency, .z.each = damping_ratio, .t.all = dt_s};
    spring_lanes lanes[VF_STAGED_VECTORS];
    const spring_needs needs = solve_springs(lanes, &parameters, i, vectors, n);
    if (needs.stiff) {
        flush_vanishing_matrices(s, has, &parameters, lanes, i, vectors, n);
        step_solved(s, has, &parameters, true, lanes, i, vectors, n);
    } else {
        step_solved(s, has, &parameters, false, lanes, i, vectors, n);
    }
}

VF_INLINE void step_each_range(gyre_springs s, spring_features has, const float *angular_frequency,
                               const float *damping_ratio, float dt_s, size_t begin, size_t end)
{
    VF_STAGED(begin, end, VF_STAGED_VECTORS, s.position,
              step_each_block(&s, has, angular_frequency, damping_ratio, dt_s, i, vectors, n));
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
    if (angular_frequency == NULL || damping_ratio == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (dt_s == 0) {
        report_range(springs, begin, end);
        return GYRE_OK;
    }
    const spring_features features = features_of(springs);
    BY_SPRING_FEATURES(features, step_each_range(*springs, has, angular_frequency, damping_ratio, dt_s, begin, end));
    return GYRE_OK;
}

/* ---- Evaluating instead of stepping. ---- */

/* Where to, and what the speed is when all time has passed. */
typedef struct spring_evaluation {
    float *position, *velocity;
    float speed_at_end;
} spring_evaluation;

VF_INLINE void evaluate_solved(const gyre_springs *s, spring_features has, const spring_parameters *p, bool stiff,
                               const spring_lanes *lanes, const spring_evaluation *out, size_t i, size_t vectors,
                               size_t n)
{
    const vf zero = vf_set1(0), nan = vf_set1(NAN);
    FOR_EACH_VECTOR_BY_TWOS
    {
        size_t j = i + v * VF_LANES;
        const vf t = load_parameter(&p->t, j, n);
        const spring_matrix m = spring_matrix_of(&lanes[v], stiff, vf_set1(p->w.all), t);
        spring_state old = load_springs(s, has, j, n), new = advance_springs(s, has, &m, old);
        vm at_start = vf_eq(t, zero), endless = vf_eq(vf_abs(t), vf_set1(INFINITY));
        vf position = vf_select(at_start, old.position, new.position);
        vf velocity = vf_select(at_start, old.velocity, new.velocity);
        if (stiff && vm_any(endless)) { /* as all are that are out of the ordinary */
            vf speed = vf_select(vf_lt(zero, t), vf_set1(out->speed_at_end), nan);
            position = vf_select(endless, vf_add(old.target, speed), position);
            velocity = vf_select(endless, speed, velocity);
        }
        vf_store_n(out->position + j, position, n);
        vf_store_n(out->velocity + j, velocity, n);
    }
}

/* From i on: `vectors` whole vectors, or one of n springs. */
VF_INLINE void evaluate_block(const gyre_springs *s, spring_features has, gyre_spring spring, const float *elapsed_s,
                              const spring_evaluation *out, size_t i, size_t vectors, size_t n)
{
    const spring_parameters parameters = {
        .w.all = spring.angular_frequency, .z.all = spring.damping_ratio, .t.each = elapsed_s};
    spring_lanes lanes[VF_STAGED_VECTORS];
    const spring_needs needs = solve_springs(lanes, &parameters, i, vectors, n);
    if (needs.stiff) {
        flush_vanishing_matrices(s, has, &parameters, lanes, i, vectors, n);
        evaluate_solved(s, has, &parameters, true, lanes, out, i, vectors, n);
    } else {
        evaluate_solved(s, has, &parameters, false, lanes, out, i, vectors, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status springs_at(const gyre_springs *start, size_t begin, size_t end, gyre_spring spring,
                                            const float *elapsed_s, float *position_out, float *velocity_out)
{
    if (start == NULL) {
        return GYRE_ERROR_NULL;
    }
    gyre_springs s = *start;
    s.rest_distance = s.rest_speed = 0;
    if (!is_finite_not_negative(spring.angular_frequency) || !is_finite_not_negative(spring.damping_ratio)) {
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
    const spring_evaluation out = {position_out, velocity_out, damped ? 0 : NAN};
    const spring_features has = features_of(&s);
    VF_STAGED(begin, end, VF_STAGED_VECTORS, position_out,
              evaluate_block(&s, has, spring, elapsed_s, &out, i, vectors, n));
    return GYRE_OK;
}
