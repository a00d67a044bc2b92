/* gyre_springs_step: springs that share a matrix. */
#ifndef GYRE_SPRING_ONE_MATRIX_H
#define GYRE_SPRING_ONE_MATRIX_H

#include "spring/batch-inl.h"

VF_INLINE bool has_finite_low_parts(const gyre_spring_matrix *m, bool of_ramps)
{
    return are_finite(m->low[0], m->low[1], m->low[2], m->low[3]) &&
           (!of_ramps || are_finite(m->low[4], m->low[5], 0, 0));
}

VF_SHARED gyre_status springs_step_with_low_parts(const gyre_springs *s, unsigned has, size_t begin, size_t end,
                                                  const gyre_spring_matrix *m)
{
    if (!has_finite_low_parts(m, has & SPRING_RAMP)) {
        return GYRE_ERROR_VALUE;
    }
    if (is_identity_of_sums(m)) {
        springs_stand_still(s, has, begin, end);
    } else {
        vfd_spring_loop(s, m, has, begin, end);
    }
    return GYRE_OK;
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
    const bool more = may_have_more_than_basics(springs);
    const gyre_status status = more ? check_springs(springs, begin, end) : check_plain_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const unsigned has = more ? features_of(springs) : basic_features_of(springs);
    if (has & SPRING_RAMP && !are_finite(matrix->pos_ramp, matrix->vel_ramp, 0, 0)) {
        return GYRE_ERROR_VALUE;
    }
    if (springs->position_low != NULL) {
        return springs_step_with_low_parts(springs, has, begin, end, matrix);
    }
    if (is_identity(matrix)) {
        springs_stand_still(springs, has, begin, end);
    } else {
        vf_spring_loop(springs, matrix, has, begin, end);
    }
    return GYRE_OK;
}

#endif
