/* Batches of particles: features, arrays and checks, and the loop over particles that share a matrix
   (particle/loop-inl.h) for both number types. */
#ifndef GYRE_PARTICLE_BATCH_H
#define GYRE_PARTICLE_BATCH_H

#include "common/kernel-inl.h"
#include "particle/forms-inl.h"
#include "simd/loops/ranges-inl.h"
#include "simd/loops/runs-inl.h"
#include "simd/loops/sums-inl.h"

/* Sets of features with a loop of their own (simd/loops/stream-inl.h). Doubles fill the registers with one vector. */
#define vf_PARTICLE_SETS(SET)                                                                                          \
    SET(uniform, 0, 0, stream)                                                                                         \
    SET(accelerated, PARTICLE_ACCELERATION, 0, stream)                                                                 \
    SET(bounded, 0, PARTICLE_ALL, stream)
#define vfd_PARTICLE_SETS(SET)                                                                                         \
    SET(uniform, 0, 0, vectors)                                                                                        \
    SET(accelerated, PARTICLE_ACCELERATION, 0, vectors)                                                                \
    SET(bounded, 0, PARTICLE_ALL, vectors)
#define PARTICLE_FEW_SETS(SET) SET(any, 0, PARTICLE_ALL)

/* The arrays of a batch (simd/loops/sums-inl.h). */
#define PARTICLE_ARRAYS(SUM, READ)                                                                                     \
    SUM(position)                                                                                                      \
    SUM(velocity)                                                                                                      \
    READ(acceleration, PARTICLE_ACCELERATION)                                                                          \
    READ(lower, PARTICLE_LOWER)                                                                                        \
    READ(upper, PARTICLE_UPPER)

/* The coefficients of a gyre_particle_matrix and their low parts. */
#define PARTICLE_COEFFICIENTS(COEFFICIENT)                                                                             \
    COEFFICIENT(pos_vel, low[0])                                                                                       \
    COEFFICIENT(vel_vel, low[1])                                                                                       \
    COEFFICIENT(pos_acc, low[2])                                                                                       \
    COEFFICIENT(vel_acc, low[3])

VF_INLINE gyre_particles particle_completed(const gyre_particles *from, unsigned has)
{
    gyre_particles all = *from;
    PARTICLE_ARRAYS(COMPLETE_SUM, COMPLETE_READ)
    return all;
}

#define REAL f
#include "particle/loop-inl.h"
#define REAL fd
#include "particle/loop-inl.h"

VF_INLINE unsigned particle_features_of(const gyre_particles *p)
{
    return (p->acceleration != NULL ? PARTICLE_ACCELERATION : 0u) | (p->lower != NULL ? PARTICLE_LOWER : 0u) |
           (p->upper != NULL ? PARTICLE_UPPER : 0u);
}

VF_INLINE gyre_status check_particles(const gyre_particles *particles, size_t begin, size_t end)
{
    if (!is_range(begin, end, particles->count)) {
        return GYRE_ERROR_RANGE;
    }
    if ((particles->acceleration == NULL && !is_finite(particles->uniform_acceleration)) ||
        !(particles->bounce >= 0 && particles->bounce <= 1)) {
        return GYRE_ERROR_VALUE;
    }
    return begin < end && (particles->position == NULL || particles->velocity == NULL) ? GYRE_ERROR_NULL : GYRE_OK;
}

VF_INLINE bool is_finite_particle_matrix(const gyre_particle_matrix *m)
{
    return are_finite(m->pos_vel, m->vel_vel, m->pos_acc, m->vel_acc);
}

/* With low parts, the function below decides. */
VF_INLINE bool is_identity_particle_matrix(const gyre_particle_matrix *m)
{
    return m->pos_vel == 0 && m->vel_vel == 1 && m->pos_acc == 0 && m->vel_acc == 0;
}

VF_INLINE bool is_identity_particle_matrix_of_sums(const gyre_particle_matrix *m)
{
    return is_identity_particle_matrix(m) && m->low[0] == 0 && m->low[1] == 0 && m->low[2] == 0 && m->low[3] == 0;
}

#endif
