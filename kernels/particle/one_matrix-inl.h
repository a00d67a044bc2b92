/* gyre_particles_step: particles that share a matrix. */
#ifndef GYRE_PARTICLE_ONE_MATRIX_H
#define GYRE_PARTICLE_ONE_MATRIX_H

#include "particle/batch-inl.h"

VF_SHARED gyre_status particles_step_with_low_parts(const gyre_particles *p, unsigned has, size_t begin, size_t end,
                                                    const gyre_particle_matrix *m)
{
    if (p->velocity_low == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!are_finite(m->low[0], m->low[1], m->low[2], m->low[3])) {
        return GYRE_ERROR_VALUE;
    }
    if (!is_identity_particle_matrix_of_sums(m)) {
        vfd_particle_loop(p, m, has, begin, end);
    }
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status particles_step(const gyre_particles *particles, size_t begin, size_t end,
                                                const gyre_particle_matrix *matrix)
{
    if (particles == NULL || matrix == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_particle_matrix(matrix)) {
        return GYRE_ERROR_VALUE;
    }
    const gyre_status status = check_particles(particles, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const unsigned has = particle_features_of(particles);
    if (particles->position_low != NULL) {
        return particles_step_with_low_parts(particles, has, begin, end, matrix);
    }
    if (!is_identity_particle_matrix(matrix)) {
        vf_particle_loop(particles, matrix, has, begin, end);
    }
    return GYRE_OK;
}

#endif
