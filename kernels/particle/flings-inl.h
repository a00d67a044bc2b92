/* gyre_flings_step: damping inside the edges, a spring to the edge outside them.

   Inside            x <- x + pos_vel v               v <- vel_vel v
   Outside           x <- edge + pos_pos (x - edge) + pos_vel v        v <- vel_pos (x - edge) + vel_vel v

   Those that meet an edge within the step are stepped again, each by itself (particle/flings.c). */
#ifndef GYRE_PARTICLE_FLINGS_INL_H
#define GYRE_PARTICLE_FLINGS_INL_H

#include "particle/flings.h"
#include "particle/matrix-inl.h"
#include "simd/awake-inl.h"
#include "simd/bounds-inl.h"
#include "spring/coefficients.h"
#include "spring/matrix-inl.h"

typedef struct fling_lanes {
    vf position, velocity, lower, upper;
} fling_lanes;

typedef struct flings_context {
    gyre_flings flings;
    fling_motion motion;
    spring_matrix spring;
    vf damped_pos_vel, damped_vel_vel;
    bool all_return; /* the spring takes whatever is outside back to its edge within the step */
} flings_context;

/* Edges that are not there are NaN, with which no comparison is true. Where lower is above upper, upper is both; vf_min
   returns its second operand if either is NaN, so lower stays what it is where there is no upper. */
VF_INLINE fling_lanes load_flings(const gyre_flings *f, size_t i, size_t n)
{
    const vf upper = load_bound(f->upper, i, n);
    return (fling_lanes){
        .position = vf_load_n(f->position + i, n),
        .velocity = vf_load_n(f->velocity + i, n),
        .lower = vf_min(upper, load_bound(f->lower, i, n)),
        .upper = upper,
    };
}

/* As if none met an edge. *meets: those that do. */
VF_INLINE fling_lanes advance_flings(const flings_context *c, fling_lanes old, vm *meets)
{
    const vf zero = vf_set1(0), v = old.velocity;
    const vm above = vf_lt(old.upper, old.position), below = vf_lt(old.position, old.lower);
    const vm outside = vm_or(above, below);
    fling_lanes new = old;
    new.velocity = vf_flushed(vf_mul(c->damped_vel_vel, v));
    new.position = vf_add(old.position, vf_flushed(vf_mul(c->damped_pos_vel, v)));
    const vm leave_up = vm_and(vf_lt(zero, v), vf_le(old.upper, new.position));
    const vm leave_down = vm_and(vf_lt(v, zero), vf_le(new.position, old.lower));
    *meets = vm_or(leave_up, leave_down);
    if (vm_any(outside)) {
        const vf edge = vf_select(above, old.upper, old.lower), x = vf_sub(old.position, edge);
        const vf new_x = vf_flushed(vf_mul_add(c->spring.pos_pos, x, vf_mul(c->spring.pos_vel, v)));
        const vf new_v = vf_flushed(vf_mul_add(c->spring.vel_pos, x, vf_mul(c->spring.vel_vel, v)));
        new.velocity = vf_select(outside, new_v, new.velocity);
        new.position = vf_select(outside, vf_add(edge, new_x), new.position);
        /* 0 too: what was thrown back may have decayed to nothing behind the edge */
        const vm back = vm_or(vm_and(above, vf_le(new_x, zero)), vm_and(below, vf_le(zero, new_x)));
        *meets = vm_or(vm_and(*meets, vm_not(outside)), c->all_return ? outside : back);
    }
    return new;
}

/* Those that meet an edge, once more. */
static __attribute__((noinline)) void advance_over_edges(const fling_motion *motion, const fling_lanes *old,
                                                         fling_lanes *new, unsigned meets)
{
    float start[4][GYRE_LANES], end[2][GYRE_LANES];
    memcpy(start, old, sizeof start);
    memcpy(end, new, sizeof end);
    for (; meets != 0; meets &= meets - 1) {
        const int k = __builtin_ctz(meets);
        const fling_state state = {start[0][k], start[1][k], start[2][k], start[3][k]};
        const fling_state after = gyre_scalar_fling_after(motion, state);
        end[0][k] = after.position;
        end[1][k] = after.velocity;
    }
    memcpy(new, end, sizeof end);
}

/* Slow enough, and inside or close enough to the edge. */
VF_INLINE vm are_flings_at_rest(fling_lanes s, vf rest_distance, vf rest_speed)
{
    const vm beyond =
        vm_or(vf_lt(rest_distance, vf_sub(s.position, s.upper)), vf_lt(rest_distance, vf_sub(s.lower, s.position)));
    const vm slow = vm_and(vf_le(vf_abs(s.velocity), rest_speed), vf_eq(s.position, s.position));
    return vm_and(slow, vm_not(beyond));
}

VF_INLINE void step_flings(const flings_context *c, size_t i, size_t n)
{
    const gyre_flings *f = &c->flings;
    const vm awake = f->skip_asleep ? vm_load_awake(f->awake + i, n) : vm_first(VF_LANES);
    const fling_lanes old = load_flings(f, i, n);
    vm meets;
    fling_lanes new = advance_flings(c, old, &meets);
    const unsigned lanes = vm_bits(vm_and(awake, meets));
    if (lanes != 0) { /* copies, for the context and the vectors stay in registers */
        const fling_motion motion = c->motion;
        const fling_lanes start = old;
        fling_lanes end = new;
        advance_over_edges(&motion, &start, &end, lanes);
        new = end;
    }
    vm rests = are_flings_at_rest(new, vf_set1(f->rest_distance), vf_set1(f->rest_speed));
    new.position = vf_select(rests, vf_clamp(new.position, new.lower, new.upper), new.position);
    new.velocity = vf_zero_where(rests, new.velocity);
    if (f->skip_asleep) {
        new.position = vf_select(awake, new.position, old.position);
        new.velocity = vf_select(awake, new.velocity, old.velocity);
        rests = vm_or(rests, vm_not(awake));
    }
    vf_store_n(f->position + i, new.position, n);
    vf_store_n(f->velocity + i, new.velocity, n);
    if (f->awake != NULL) {
        vm_store_bytes_n(f->awake + i, vm_not(rests), n);
    }
}

VF_INLINE void flings_vector(const void *context, size_t i) { step_flings(context, i, VF_LANES); }

static __attribute__((noinline)) void step_few_flings(const flings_context *c, size_t i, size_t n)
{
    step_flings(c, i, n);
}

VF_INLINE void flings_few(const void *context, size_t i, size_t n)
{
    const flings_context copy = *(const flings_context *)context; /* the context itself stays in registers */
    step_few_flings(&copy, i, n);
}

VF_INLINE void flings_prefetch(const void *context, size_t i)
{
    const gyre_flings *f = &((const flings_context *)context)->flings;
    vf_prefetch_block(f->position + i);
    vf_prefetch_block(f->velocity + i);
    if (f->lower != NULL) {
        vf_prefetch_block(f->lower + i);
    }
    if (f->upper != NULL) {
        vf_prefetch_block(f->upper + i);
    }
}

VF_INLINE void flings_range(const flings_context *c, size_t begin, size_t end)
{
    const vf_by_vectors loop = {flings_vector, flings_few, flings_prefetch};
    vf_vectors_range(loop, c, c->flings.position, begin, end, c->flings.count);
}

/* A step of no time. */
static void store_awake_of_flings(const gyre_flings *f, size_t begin, size_t end)
{
    const vf zero = vf_set1(0);
    for (size_t i = begin; i < end && f->awake != NULL; i += VF_LANES) {
        const size_t n = vf_lanes_left(i, end);
        const vm rests = are_flings_at_rest(load_flings(f, i, n), zero, zero);
        const vm awake = f->skip_asleep ? vm_load_awake(f->awake + i, n) : vm_first(VF_LANES);
        vm_store_bytes_n(f->awake + i, vm_and(awake, vm_not(rests)), n);
    }
}

VF_INLINE gyre_status check_flings(const gyre_flings *f, size_t begin, size_t end, float dt_s)
{
    if (!is_range(begin, end, f->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (!is_finite_not_negative(f->damping) || !is_valid_spring(f->spring) ||
        !is_finite_not_negative(f->rest_distance) || !is_finite_not_negative(f->rest_speed) ||
        !is_finite_not_negative(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    const bool has_arrays = f->position != NULL && f->velocity != NULL && (f->awake != NULL || !f->skip_asleep);
    return begin < end && !has_arrays ? GYRE_ERROR_NULL : GYRE_OK;
}

/* The floats of spring_matrix_at and particle_matrix_at. */
VF_INLINE flings_context context_of(const gyre_flings *flings, float dt_s)
{
    const gyre_spring spring = flings->spring;
    const vf w = vf_set1(spring.angular_frequency), k = vf_set1(flings->damping), t = vf_set1(dt_s);
    const spring_parameters parameters = {
        .w.all = spring.angular_frequency, .z.all = spring.damping_ratio, .t.all = dt_s};
    spring_lanes lanes;
    const spring_needs needs = solve_springs(&lanes, &parameters, 0, 1, VF_LANES);
    const particle_matrix damped = any_step_matrix(k, damping_exponent(k, t), t);
    const double z = spring.damping_ratio, phase = (double)spring.angular_frequency * dt_s;
    flings_context context = {
        .flings = *flings,
        .motion = {flings->damping, spring, dt_s},
        .spring = spring_matrix_of(&lanes, needs.stiff, w, t),
        .damped_pos_vel = damped.pos_vel,
        .damped_vel_vel = damped.vel_vel,
        /* half a period, or nearly so: flings.c finds which do */
        .all_return = z < 1 && phase * double_square_root((1 - z) * (1 + z)) > 3,
    };
    if (flings->rest_speed == 0) { /* then nothing comes to rest outside */
        context.flings.rest_distance = 0;
    }
    return context;
}

GYRE_KERNEL_FUNCTION gyre_status flings_step(const gyre_flings *flings, size_t begin, size_t end, float dt_s)
{
    if (flings == NULL) {
        return GYRE_ERROR_NULL;
    }
    const gyre_status status = check_flings(flings, begin, end, dt_s);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    if (dt_s == 0) {
        store_awake_of_flings(flings, begin, end);
        return GYRE_OK;
    }
    const flings_context context = context_of(flings, dt_s);
    if (!flings->skip_asleep) {
        flings_range(&context, begin, end);
        return GYRE_OK;
    }
    for (awake_run run = next_awake_run(flings->awake, begin, end); run.begin < run.end;
         run = next_awake_run(flings->awake, run.end, end)) {
        flings_range(&context, run.begin, run.end);
    }
    return GYRE_OK;
}

#endif
