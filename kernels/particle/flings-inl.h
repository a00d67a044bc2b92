/* gyre_flings_step: the arrays of flings, the two matrices of a call, and the loop. */
#ifndef GYRE_PARTICLE_FLINGS_H
#define GYRE_PARTICLE_FLINGS_H

#include "common/awake-inl.h"
#include "common/kernel-inl.h"
#include "particle/fling_step-inl.h"
#include "particle/matrix-inl.h"
#include "scalar/elementary.h"
#include "simd/loops/ranges-inl.h"
#include "spring/coefficients.h"
#include "spring/matrix-inl.h"

typedef struct fling_shared {
    fling_motion motion;
    fling_settings settings;
} fling_shared;

/* Where lower is above upper, upper is both; vf_min returns its second operand if either is NaN, so lower stays what it
   is where there is no upper. */
VF_INLINE fling_input fling_load(const gyre_flings *f, const fling_shared *shared, unsigned has, size_t i, size_t n)
{
    (void)shared;
    const vf nan = vf_set1(NAN), upper = has & FLING_UPPER ? vf_load_n(f->upper + i, n) : nan;
    return (fling_input){
        .position = vf_load_n(f->position + i, n),
        .velocity = vf_load_n(f->velocity + i, n),
        .lower = vf_min(upper, has & FLING_LOWER ? vf_load_n(f->lower + i, n) : nan),
        .upper = upper,
        .awake = awake_load_n(has & FLING_SKIP, f->awake, i, n),
    };
}

VF_INLINE fling_state fling_step(const fling_shared *shared, unsigned has, fling_input in)
{
    return fling_advance(has, shared->motion, shared->settings, in);
}

VF_INLINE void fling_store(const gyre_flings *f, const fling_shared *shared, unsigned has, fling_input in,
                           fling_state next, size_t i, size_t n)
{
    (void)shared;
    if (has & FLING_SKIP) {
        next.position = vf_select(next.keeps, in.position, next.position);
        next.velocity = vf_select(next.keeps, in.velocity, next.velocity);
    }
    if (!(has & FLING_STILL)) {
        vf_store_n(f->position + i, next.position, n);
        vf_store_n(f->velocity + i, next.velocity, n);
    }
    if (has & FLING_AWAKE) {
        vm_store_bytes_n(f->awake + i, vm_not(next.rests), n);
    }
}

VF_INLINE void fling_prefetch(const gyre_flings *f, unsigned has, size_t i)
{
    vf_prefetch_block(f->position + i);
    vf_prefetch_block(f->velocity + i);
    if (has & FLING_LOWER) {
        vf_prefetch_block(f->lower + i);
    }
    if (has & FLING_UPPER) {
        vf_prefetch_block(f->upper + i);
    }
}

/* The matrices of a call are computed before the loop: what it is called with is what the flings share. */
VF_INLINE fling_shared fling_prepare(const gyre_flings *f, const fling_shared *shared, unsigned has)
{
    (void)f, (void)has;
    return *shared;
}

#define FLING_SETS(SET)                                                                                                \
    SET(all, 0, FLING_ALL & ~FLING_SKIP, vectors)                                                                      \
    SET(awake, FLING_AWAKE | FLING_SKIP, FLING_LOWER | FLING_UPPER, vectors)                                           \
    SET(still, FLING_STILL, FLING_ALL, parts)
#define FLING_FEW_SETS(SET) SET(all, 0, FLING_ALL | FLING_STILL)
#define LOOP fling
#define LOOP_ARRAYS gyre_flings
#define LOOP_CALL fling_shared
#define LOOP_SETS FLING_SETS
#define LOOP_FEW_SETS FLING_FEW_SETS
#define LOOP_WRITTEN(flings) flings->position
#define LOOP_FLAGS(flings, has) awake_flags((has) & FLING_SKIP, (flings)->awake)
#include "simd/loops/stream-inl.h"

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
    const bool has_arrays = f->position != NULL && f->velocity != NULL && !is_awake_missing(f->skip_asleep, f->awake);
    return begin < end && !has_arrays ? GYRE_ERROR_NULL : GYRE_OK;
}

/* With the floats of spring_matrix_at and particle_matrix_at. */
VF_INLINE fling_shared fling_shared_of(const gyre_flings *f, float dt_s)
{
    const gyre_spring spring = f->spring;
    const vf k = vf_set1(f->damping), t = vf_set1(dt_s);
    const spring_parameters parameters = {vf_set1(spring.angular_frequency), vf_set1(spring.damping_ratio), t};
    const vf_particle_matrix damped = particle_any_matrix(k, particle_exponent(k, t), t);
    const double z = spring.damping_ratio, phase = (double)spring.angular_frequency * dt_s;
    return (fling_shared){
        .motion = {f->damping, spring, dt_s},
        .settings =
            {
                .spring = spring_matrix_at_once(parameters),
                .damped_pos_vel = damped.pos_vel,
                .damped_vel_vel = damped.vel_vel,
                /* half a period, or nearly so: fling_after.c finds which do */
                .all_return = z < 1 && phase * double_square_root((1 - z) * (1 + z)) > 3,
                .rest_distance = vf_set1(f->rest_speed == 0 ? 0 : f->rest_distance), /* then none rests outside */
                .rest_speed = vf_set1(f->rest_speed),
            },
    };
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
    const unsigned has = (flings->lower != NULL ? FLING_LOWER : 0u) | (flings->upper != NULL ? FLING_UPPER : 0u) |
                         (flings->awake != NULL ? FLING_AWAKE : 0u) | (flings->skip_asleep ? FLING_SKIP : 0u) |
                         (dt_s == 0 ? FLING_STILL : 0u);
    if (dt_s == 0 && flings->awake == NULL) {
        return GYRE_OK;
    }
    const fling_shared shared = fling_shared_of(flings, dt_s);
    fling_loop(flings, &shared, has, begin, end);
    return GYRE_OK;
}

#endif
