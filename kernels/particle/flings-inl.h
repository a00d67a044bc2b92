/* gyre_flings_step: the two matrices of a call, and the loops. */
#ifndef GYRE_PARTICLE_FLINGS_H
#define GYRE_PARTICLE_FLINGS_H

#include "common/awake-inl.h"
#include "common/kernel-inl.h"
#include "particle/coefficients.h"
#include "particle/fling_forms-inl.h"
#include "particle/matrix-inl.h"
#include "scalar/elementary.h"
#include "simd/loops/ranges-inl.h"
#include "simd/loops/sums-inl.h"
#include "spring/coefficients.h"
#include "spring/matrix-inl.h"

/* The arrays of a batch (simd/loops/sums-inl.h). `awake` is separate: it holds bytes. */
#define FLING_ARRAYS(SUM, READ)                                                                                        \
    SUM(position)                                                                                                      \
    SUM(velocity)                                                                                                      \
    READ(lower, FLING_LOWER)                                                                                           \
    READ(upper, FLING_UPPER)                                                                                           \
    READ(rest_at, FLING_REST_AT)

/* Sets of features with a loop of their own (simd/loops/stream-inl.h). */
#define vf_FLING_SETS(SET)                                                                                             \
    SET(all, 0, FLING_ALL & ~(FLING_SKIP | FLING_REST_AT), vectors)                                                    \
    SET(awake, FLING_AWAKE | FLING_SKIP, FLING_LOWER | FLING_UPPER, vectors)                                           \
    SET(general, 0, FLING_ALL, vectors)                                                                                \
    SET(still, FLING_STILL, FLING_ALL, parts)
#define vfd_FLING_SETS(SET)                                                                                            \
    SET(general, 0, FLING_ALL, vectors)                                                                                \
    SET(still, FLING_STILL, FLING_ALL, parts)
#define FLING_FEW_SETS(SET) SET(all, 0, FLING_ALL | FLING_STILL)

/* The coefficients of the matrices of a call: of the spring, and of the damping. */
typedef struct fling_coefficients {
    double pos_pos, pos_vel, vel_pos, vel_vel, damped_pos_vel, damped_vel_vel;
} fling_coefficients;

/* Whether the step is half a period of the spring, or nearly so: then any fling outside may meet an edge, and
   fling_after.c finds out which ones do. */
static bool fling_all_return(gyre_spring spring, double dt_s)
{
    const double z = spring.damping_ratio, phase = spring.angular_frequency * dt_s;
    return z < 1 && phase * double_square_root((1 - z) * (1 + z)) > 3;
}

#define REAL f
#include "particle/fling_loop-inl.h"
#define REAL fd
#include "particle/fling_loop-inl.h"

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
    const bool has_arrays = f->position != NULL && f->velocity != NULL &&
                            (f->position_low == NULL || f->velocity_low != NULL) &&
                            !is_awake_missing(f->skip_asleep, f->awake);
    return begin < end && !has_arrays ? GYRE_ERROR_NULL : GYRE_OK;
}

/* The floats of spring_matrix_at and particle_matrix_at. */
VF_INLINE fling_coefficients fling_coefficients_of(const gyre_flings *f, float dt_s)
{
    const gyre_spring spring = f->spring;
    const vf k = vf_set1(f->damping), t = vf_set1(dt_s);
    const spring_parameters parameters = {vf_set1(spring.angular_frequency), vf_set1(spring.damping_ratio), t};
    const vf_particle_matrix damped = particle_any_matrix(k, particle_exponent(k, t), t);
    const vf_spring_matrix sprung = spring_matrix_at_once(parameters);
    return (fling_coefficients){vf_lane_0(sprung.pos_pos), vf_lane_0(sprung.pos_vel), vf_lane_0(sprung.vel_pos),
                                vf_lane_0(sprung.vel_vel), vf_lane_0(damped.pos_vel), vf_lane_0(damped.vel_vel)};
}

/* With low parts. A separate function, because its stack would add to that of the loop without them. */
VF_SHARED void flings_step_with_low_parts(const gyre_flings *f, unsigned has, size_t begin, size_t end, float dt_s)
{
    const particle_coefficients damped = gyre_scalar_particle_coefficients(f->damping, dt_s);
    const spring_coefficients sprung = gyre_scalar_spring_coefficients(f->spring, dt_s);
    const fling_coefficients m = {sprung.pos_pos, sprung.pos_vel, sprung.vel_pos,
                                  sprung.vel_vel, damped.pos_vel, damped.vel_vel};
    const vfd_fling_shared shared = vfd_fling_shared_of(f, m, dt_s);
    vfd_fling_loop(f, &shared, has, begin, end);
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
                         (flings->rest_at != NULL ? FLING_REST_AT : 0u) | (flings->awake != NULL ? FLING_AWAKE : 0u) |
                         (flings->skip_asleep ? FLING_SKIP : 0u) | (dt_s == 0 ? FLING_STILL : 0u);
    if (dt_s == 0 && flings->awake == NULL) {
        return GYRE_OK;
    }
    if (flings->position_low != NULL) {
        flings_step_with_low_parts(flings, has, begin, end, dt_s);
        return GYRE_OK;
    }
    const vf_fling_shared shared = vf_fling_shared_of(flings, fling_coefficients_of(flings, dt_s), dt_s);
    vf_fling_loop(flings, &shared, has, begin, end);
    return GYRE_OK;
}

#endif
