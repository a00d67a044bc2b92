/* Batches of springs: features, arrays and checks, and the loop over springs that share a matrix (spring/loop-inl.h)
   for both number types. */
#ifndef GYRE_SPRING_BATCH_H
#define GYRE_SPRING_BATCH_H

#include "common/kernel-inl.h"
#include "simd/loops/ranges-inl.h"
#include "simd/loops/runs-inl.h"
#include "simd/loops/sums-inl.h"
#include "spring/forms-inl.h"

/* Sets of features with a loop of their own (simd/loops/stream-inl.h): most batches have at most targets, and get a
   loop without branches for the other features. Doubles fill the registers with one vector. */
#define vf_SPRING_SETS(SET)                                                                                            \
    SET(zero, 0, 0, stream)                                                                                            \
    SET(target, SPRING_TARGET, 0, stream)                                                                              \
    SET(basics, 0, SPRING_BASICS, stream)                                                                              \
    SET(ramp, SPRING_TARGET | SPRING_RAMP, SPRING_BASICS & ~SPRING_TARGET, vectors)                                    \
    SET(stop, SPRING_STOP, SPRING_BASICS, vectors)                                                                     \
    SET(skip, SPRING_SKIP, SPRING_BASICS, vectors)                                                                     \
    SET(scale, SPRING_REST_SCALE, SPRING_BASICS, vectors)                                                              \
    SET(general, 0, SPRING_ALL, vectors)                                                                               \
    SET(still, SPRING_STILL, SPRING_ALL, vectors)
#define vfd_SPRING_SETS(SET)                                                                                           \
    SET(zero, 0, 0, vectors)                                                                                           \
    SET(target, SPRING_TARGET, 0, vectors)                                                                             \
    SET(basics, 0, SPRING_BASICS, vectors)                                                                             \
    SET(general, 0, SPRING_ALL, vectors)                                                                               \
    SET(still, SPRING_STILL, SPRING_ALL, vectors)
#define SPRING_FEW_SETS(SET)                                                                                           \
    SET(basics, 0, SPRING_BASICS)                                                                                      \
    SET(general, 0, SPRING_ALL)                                                                                        \
    SET(still, SPRING_STILL, SPRING_ALL)

/* The arrays of a batch (simd/loops/sums-inl.h). `awake` is not listed, because it has bytes. */
#define SPRING_ARRAYS(SUM, READ)                                                                                       \
    SUM(position)                                                                                                      \
    SUM(velocity)                                                                                                      \
    READ(target, SPRING_TARGET)                                                                                        \
    READ(target_before, SPRING_RAMP)                                                                                   \
    READ(lower, SPRING_LOWER)                                                                                          \
    READ(upper, SPRING_UPPER)                                                                                          \
    READ(rest_scale, SPRING_REST_SCALE)

/* The coefficients of a gyre_spring_matrix and their low parts. */
#define SPRING_COEFFICIENTS(COEFFICIENT)                                                                               \
    COEFFICIENT(pos_pos, low[0])                                                                                       \
    COEFFICIENT(pos_vel, low[1])                                                                                       \
    COEFFICIENT(vel_pos, low[2])                                                                                       \
    COEFFICIENT(vel_vel, low[3])                                                                                       \
    COEFFICIENT(pos_ramp, low[4])                                                                                      \
    COEFFICIENT(vel_ramp, low[5])

/* The spring and the time that a gyre_spring_matrix is for. */
#define SPRING_ORIGINS(ORIGIN)                                                                                         \
    ORIGIN(angular_frequency, spring.angular_frequency)                                                                \
    ORIGIN(damping_ratio, spring.damping_ratio)                                                                        \
    ORIGIN(follow, spring.follow)                                                                                      \
    ORIGIN(dt_s, dt_s)

VF_INLINE gyre_springs spring_completed(const gyre_springs *from, unsigned has)
{
    gyre_springs all = *from;
    SPRING_ARRAYS(COMPLETE_SUM, COMPLETE_READ)
    return all;
}

#define REAL f
#include "spring/loop-inl.h"
#define REAL fd
#include "spring/loop-inl.h"

/* Whether a batch may have features other than the basics. It is a single test, because every test shows in calls of 64
   springs. */
VF_INLINE bool may_have_more_than_basics(const gyre_springs *s)
{
    const uintptr_t arrays =
        (uintptr_t)s->target_before | (uintptr_t)s->lower | (uintptr_t)s->upper | (uintptr_t)s->rest_scale;
    return (arrays | bits_of_float(s->bounce) | s->stop_at_target | s->skip_asleep) != 0;
}

VF_INLINE unsigned basic_features_of(const gyre_springs *s)
{
    return (s->target != NULL ? SPRING_TARGET : 0u) | (s->period > 0 ? SPRING_PERIOD : 0u) |
           (s->rest_distance > 0 && s->rest_speed > 0 ? SPRING_REST : 0u) | (s->awake != NULL ? SPRING_AWAKE : 0u);
}

static unsigned features_of(const gyre_springs *s)
{
    return basic_features_of(s) | (s->target != NULL && s->target_before != NULL ? SPRING_RAMP : 0u) |
           (s->stop_at_target ? SPRING_STOP : 0u) | (s->rest_scale != NULL ? SPRING_REST_SCALE : 0u) |
           (s->lower != NULL ? SPRING_LOWER : 0u) | (s->upper != NULL ? SPRING_UPPER : 0u) |
           (s->skip_asleep ? SPRING_SKIP : 0u);
}

/* All checks for springs that have only the basics. */
VF_INLINE gyre_status check_plain_springs(const gyre_springs *s, size_t begin, size_t end)
{
    if (!is_range(begin, end, s->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (!(s->period >= 0 && s->rest_distance >= 0 && s->rest_speed >= 0 &&
          are_finite(s->period, s->rest_distance, s->rest_speed, 0))) {
        return GYRE_ERROR_VALUE;
    }
    return begin < end &&
                   (s->position == NULL || s->velocity == NULL || (s->position_low != NULL && s->velocity_low == NULL))
               ? GYRE_ERROR_NULL
               : GYRE_OK;
}

static gyre_status check_springs(const gyre_springs *s, size_t begin, size_t end)
{
    const gyre_status status = check_plain_springs(s, begin, end);
    if (status == GYRE_ERROR_RANGE) {
        return status;
    }
    if (!(s->bounce >= 0 && s->bounce <= 1) || (s->period > 0 && (s->lower != NULL || s->upper != NULL))) {
        return GYRE_ERROR_VALUE;
    }
    return status == GYRE_OK && begin < end && is_awake_missing(s->skip_asleep, s->awake) ? GYRE_ERROR_NULL : status;
}

/* Zeros may have either sign. With low parts, is_identity_of_sums decides. */
VF_INLINE bool is_identity(const gyre_spring_matrix *m)
{
    return m->pos_pos == 1 && m->pos_vel == 0 && m->vel_pos == 0 && m->vel_vel == 1;
}

VF_INLINE bool is_identity_of_sums(const gyre_spring_matrix *m)
{
    return is_identity(m) && m->low[0] == 0 && m->low[1] == 0 && m->low[2] == 0 && m->low[3] == 0;
}

VF_INLINE bool is_finite_matrix(const gyre_spring_matrix *m)
{
    return are_finite(m->pos_pos, m->pos_vel, m->vel_pos, m->vel_vel);
}

/* A step of no time: states keep their bits, and flags are written. */
VF_SHARED void springs_stand_still(const gyre_springs *s, unsigned has, size_t begin, size_t end)
{
    static const gyre_spring_matrix unused = {0};
    if (!(has & SPRING_AWAKE)) {
        return;
    }
    if (s->position_low != NULL) {
        vfd_spring_loop(s, &unused, has | SPRING_STILL, begin, end);
    } else {
        vf_spring_loop(s, &unused, has | SPRING_STILL, begin, end);
    }
}

#endif
