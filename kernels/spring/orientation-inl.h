/* gyre_orientation_springs_step: the arrays of springs on rotations, and the loop. */
#ifndef GYRE_SPRING_ORIENTATION_H
#define GYRE_SPRING_ORIENTATION_H

#include "common/awake-inl.h"
#include "common/kernel-inl.h"
#include "scalar/elementary.h"
#include "simd/loops/stages-inl.h"
#include "spring/batch-inl.h"
#include "spring/orientation_step-inl.h"

typedef orientation_settings orientation_shared;

VF_INLINE vf3 orientation_load3(float *const v[3], size_t i, size_t n) { return vf3_load_n(v[0], v[1], v[2], i, n); }

/* Lanes beyond the n quaternions hold the identity. */
VF_INLINE vf4 orientation_load_quaternion(const float *const q[4], size_t i, size_t n)
{
    const vf w = vf_load_n(q[3] + i, n);
    const vf4 loaded = {vf3_load_n(q[0], q[1], q[2], i, n), n == VF_LANES ? w : vf_select(vm_first(n), w, vf_set1(1))};
    return quaternion_of_length_1(loaded);
}

VF_INLINE vf4 orientation_load_target(const gyre_orientation_springs *s, unsigned has, size_t i, size_t n)
{
    const vf zero = vf_set1(0);
    return has & ORIENTATION_TARGET ? orientation_load_quaternion(s->target, i, n)
                                    : (vf4){{zero, zero, zero}, vf_set1(1)};
}

VF_INLINE orientation_input orientation_load(const gyre_orientation_springs *s, unsigned has, size_t i, size_t n)
{
    const float *const q[4] = {s->orientation[0], s->orientation[1], s->orientation[2], s->orientation[3]};
    const vf4 target = orientation_load_target(s, has, i, n);
    return (orientation_input){
        .orientation = orientation_load_quaternion(q, i, n),
        .target = target,
        .target_before = has & ORIENTATION_MOVING ? orientation_load_quaternion(s->target_before, i, n) : target,
        .omega = orientation_load3(s->angular_velocity, i, n),
    };
}

/* Springs that are skipped keep their bits. */
VF_INLINE void orientation_store(const gyre_orientation_springs *s, unsigned has, orientation_state next, vf4 target,
                                 size_t i, size_t n)
{
    const vm awake = awake_load_n(has & ORIENTATION_SKIP, s->awake, i, n);
    const orientation_state old = {vf4_load_n(s->orientation, i, n), orientation_load3(s->angular_velocity, i, n)};
    if (has & ORIENTATION_SKIP) {
        next.orientation = vf4_select(awake, next.orientation, old.orientation);
        next.omega = vf3_select(awake, next.omega, old.omega);
    }
    if (!(has & ORIENTATION_STILL)) {
        vf4_store_n(s->orientation, next.orientation, i, n);
        vf3_store_n(s->angular_velocity, next.omega, i, n);
    }
    if (has & ORIENTATION_AWAKE) {
        const vm changed =
            has & ORIENTATION_STILL ? orientation_is_unsettled(next, target) : orientation_differs(next, old);
        vm_store_bytes_n(s->awake + i, awake_after(has & ORIENTATION_SKIP, awake, changed), n);
    }
}

VF_INLINE void orientation_block(const gyre_orientation_springs *s, const orientation_settings *settings, unsigned has,
                                 size_t i, size_t vectors, size_t n)
{
    vf4 target[VF_STAGED_VECTORS];
    orientation_motion motion[VF_STAGED_VECTORS];
    for (size_t v = 0; v < vectors; v++) {
        const orientation_input in = orientation_load(s, has, i + v * VF_LANES, n);
        target[v] = in.target;
        motion[v] = orientation_displacement(has, *settings, in);
    }
    for (size_t v = 0; v < vectors; v++) {
        motion[v] = orientation_advance(has, *settings, motion[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        const orientation_state next = orientation_turn(has, *settings, target[v], motion[v]);
        orientation_store(s, has, next, target[v], i + v * VF_LANES, n);
    }
}

/* 1 / limit, but finite, so that 0 is within the smallest limit. */
static float inverse_limit(float limit) { return limit < 0x1p-126f ? 0x1p126f : 1 / limit; }

/* 1 / sin(angle / 2); from pi on, a value with which every displacement is within the limit. */
static float inverse_half_sine(float angle)
{
    if (angle >= (float)SCALAR_PI) {
        return 0.5f;
    }
    double cosine, sine;
    scalar_cos_sin(0.5 * angle, &cosine, &sine);
    return inverse_limit((float)sine);
}

static orientation_settings orientation_settings_of(const gyre_orientation_springs *s, unsigned has,
                                                    const gyre_spring_matrix *m, float dt_s)
{
    const double dt = dt_s, low_pos_vel = m->low[1], low_vel_vel = m->low[3], low_pos = m->low[4], low_vel = m->low[5];
    const bool keeps_rate = m->vel_pos != 0 || m->vel_vel != 0 || m->vel_ramp != 0;
    const double pos_rate = (m->pos_ramp + low_pos) * dt + (m->pos_vel + low_pos_vel);
    const double vel_rate = (m->vel_ramp + low_vel) * dt + (m->vel_vel + low_vel_vel) - 1;
    return (orientation_settings){
        .pos_pos = vf_set1(m->pos_pos),
        .pos_vel = vf_set1(m->pos_vel),
        .pos_rate = vf_set1((float)pos_rate),
        .vel_pos = vf_set1(m->vel_pos),
        .vel_vel = vf_set1(m->vel_vel),
        .vel_rate = vf_set1(keeps_rate ? (float)vel_rate : 0),
        .keeps_rate = vf_set1(keeps_rate),
        .inverse_dt = vf_set1(dt_s >= 0x1p-126f || dt_s <= -0x1p-126f ? 1 / dt_s : 0),
        .inverse_rest_sine = vf_set1(has & ORIENTATION_REST ? inverse_half_sine(s->rest_angle) : 0),
        .inverse_rest_speed = vf_set1(has & ORIENTATION_REST ? inverse_limit(s->rest_speed) : 0),
    };
}

/* The arguments other than the springs. */
typedef struct orientation_call {
    const gyre_spring_matrix *matrix;
    float dt_s;
} orientation_call;

VF_INLINE orientation_settings orientation_prepare(const gyre_orientation_springs *s, const orientation_call *call,
                                                   unsigned has)
{
    return orientation_settings_of(s, has, call->matrix, call->dt_s);
}

#define ORIENTATION_SETS(SET) SET(all, 0, ORIENTATION_ALL, VF_STAGED_VECTORS)
#define LOOP orientation
#define LOOP_ARRAYS gyre_orientation_springs
#define LOOP_CALL orientation_call
#define LOOP_SETS ORIENTATION_SETS
#define LOOP_WRITTEN(settings, springs) springs->orientation[0]
#define LOOP_FLAGS(springs, has) awake_flags((has)&ORIENTATION_SKIP, (springs)->awake)
#include "simd/loops/staged-inl.h"

/* ---- The call ---- */

static bool has_four(const float *const q[4]) { return q[0] != NULL && q[1] != NULL && q[2] != NULL && q[3] != NULL; }

static gyre_status check_orientation_springs(const gyre_orientation_springs *s, size_t begin, size_t end)
{
    if (!is_range(begin, end, s->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (!is_finite_not_negative(s->rest_angle) || !is_finite_not_negative(s->rest_speed)) {
        return GYRE_ERROR_VALUE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    const bool targets =
        s->target[0] == NULL || (has_four(s->target) && (s->target_before[0] == NULL || has_four(s->target_before)));
    const bool all = none_is_null(s->orientation, 4) && none_is_null(s->angular_velocity, 3) && targets &&
                     !is_awake_missing(s->skip_asleep, s->awake);
    return all ? GYRE_OK : GYRE_ERROR_NULL;
}

/* Whether the parts of a matrix that moving targets need are finite. */
static bool has_finite_ramps(const gyre_spring_matrix *m)
{
    return are_finite(m->pos_ramp, m->vel_ramp, m->low[1] + m->low[3], m->low[4] + m->low[5]);
}

static unsigned orientation_features_of(const gyre_orientation_springs *s)
{
    const bool has_target = s->target[0] != NULL;
    return (has_target ? ORIENTATION_TARGET : 0u) |
           (has_target && s->target_before[0] != NULL ? ORIENTATION_MOVING : 0u) |
           (s->rest_angle > 0 && s->rest_speed > 0 ? ORIENTATION_REST : 0u) |
           (s->awake != NULL ? ORIENTATION_AWAKE : 0u) | (s->skip_asleep ? ORIENTATION_SKIP : 0u);
}

/* A step of no time: states keep their bits, and flags are written. */
VF_SHARED void orientations_stand_still(const gyre_orientation_springs *s, unsigned has, size_t begin, size_t end)
{
    for (size_t i = begin; i < end && has & ORIENTATION_AWAKE; i += VF_LANES) {
        const size_t n = vf_lanes_left(i, end);
        const orientation_input in = orientation_load(s, has, i, n);
        orientation_store(s, has | ORIENTATION_STILL, (orientation_state){in.orientation, in.omega}, in.target, i, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status orientation_springs_step(const gyre_orientation_springs *springs, size_t begin,
                                                          size_t end, const gyre_spring_matrix *matrix, float dt_s)
{
    if (springs == NULL || matrix == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_matrix(matrix) || !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    const gyre_status status = check_orientation_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const unsigned has = orientation_features_of(springs);
    if (has & ORIENTATION_MOVING && !has_finite_ramps(matrix)) {
        return GYRE_ERROR_VALUE;
    }
    if (is_identity(matrix)) {
        orientations_stand_still(springs, has, begin, end);
    } else {
        const orientation_call call = {matrix, dt_s};
        orientation_loop(springs, &call, has, begin, end);
    }
    return GYRE_OK;
}

#endif
