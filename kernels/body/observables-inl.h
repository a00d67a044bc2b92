/* gyre_bodies_energy, gyre_bodies_angular_velocity and its inverse, and matrices for instance buffers. */
#ifndef GYRE_BODY_OBSERVABLES_H
#define GYRE_BODY_OBSERVABLES_H

#include "body/lanes-inl.h"
#include "body/observables_step-inl.h"

/* A call, and whether every body so far was valid. */
typedef struct body_query {
    const gyre_bodies *bodies;
    float *const *out;
    bool *all_valid;
} body_query;

/* A vector of bodies between stages. */
typedef struct body_motion {
    vf4 orientation, low; /* together of length 1 */
    vf3 vector;           /* the momentum, first in the world and then in the body's frame; or an angular velocity */
    vf3 angular_velocity; /* in the body's frame: I^-1 M */
    vm valid;
} body_motion;

VF_INLINE vf3 rounded_momentum_of(const gyre_bodies *b, size_t i, size_t n)
{
    float *const *m = b->momentum;
    const vf3 momentum = vf3_load_n(m[0], m[1], m[2], i, n);
    return b->momentum_low[0] != NULL ? vf3_add(momentum, momentum_low_of(b, i, n)) : momentum;
}

VF_INLINE void load_motion(const gyre_bodies *b, size_t i, size_t n, vf3 vector, body_motion *motion)
{
    const vf4 q = vf4_load_n(b->orientation, i, n);
    vf zero_if_finite = zero_or_nan(vector);
    motion->orientation = q;
    if (b->orientation_low[0] != NULL) {
        motion->low = vf4_load_n(b->orientation_low, i, n);
        zero_if_finite = vf4_zero_or_nan_added(zero_if_finite, motion->low);
    }
    motion->vector = vf3_add_scalar(vector, zero_if_finite); /* NaN if one is infinite */
    motion->valid = vf_eq(zero_if_finite, vf_set1(0));
    const vf square = vf4_square(q);
    if (!vm_all(vf_is_unit_within(VIEW_NEARLY_UNIT, square))) {
        const vf scale = unit_scale(VIEW_NEARLY_UNIT, square);
        motion->valid = vm_and(motion->valid, vf_eq(scale, scale));
        motion->orientation = vf4_scale(scale, q);
        if (b->orientation_low[0] != NULL) {
            motion->low = vf4_scale(scale, motion->low);
        }
    }
}

/* The sum of both parts. */
VF_INLINE vd4 precise_orientation_of(bool has_low, const body_motion *motion, int half)
{
    const vd4 high = vd4_load(&motion->orientation, half);
    return has_low ? vd4_add(high, vd4_load(&motion->low, half)) : high;
}

VF_INLINE void turn_momentum_into_body(bool has_low, body_motion *motion)
{
    for (int half = 0; half < 2; half++) {
        const vd4 q = precise_orientation_of(has_low, motion, half);
        vd3_store(&motion->vector, half, precisely_seen(q, vd3_load(&motion->vector, half)));
    }
}

/* Processes `vectors` vectors of n bodies each, in stages. */
VF_INLINE void find_motions(const body_query *query, size_t i, size_t vectors, size_t n, body_motion *motions)
{
    const gyre_bodies *b = query->bodies;
    vm all_valid = vm_first(n);
    for (size_t v = 0; v < vectors; v++) {
        const size_t k = i + v * VF_LANES;
        load_motion(b, k, n, rounded_momentum_of(b, k, n), &motions[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        turn_momentum_into_body(b->orientation_low[0] != NULL, &motions[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        const vf3 inertia = inertia_of(b, i + v * VF_LANES, n);
        const vm valid = is_valid_inertia(inertia);
        motions[v].angular_velocity = angular_velocity_of(motions[v].vector, inertia, valid);
        all_valid = vm_and(all_valid, vm_and(motions[v].valid, valid));
    }
    *query->all_valid &= vm_count(all_valid) == n;
}

VF_INLINE void energy_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const body_query *query = context;
    float *energy_J = query->out[0];
    body_motion motions[BODY_VECTORS];
    find_motions(query, i, vectors, n, motions);
    for (size_t v = 0; v < vectors; v++) {
        vf_store_n(energy_J + i + v * VF_LANES, energy_of(motions[v].vector, motions[v].angular_velocity), n);
    }
}

VF_INLINE void angular_velocity_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const body_query *query = context;
    float *const *omega = query->out;
    body_motion motions[BODY_VECTORS];
    find_motions(query, i, vectors, n, motions);
    for (size_t v = 0; v < vectors; v++) {
        const vf3 world = vector_in_world(motions[v].orientation, motions[v].angular_velocity);
        vf3_store_n(omega, world, i + v * VF_LANES, n);
    }
}

/* Writes the results to `arrays` arrays of floats. */
VF_INLINE gyre_status query_range(vf_staged_block *block, const gyre_bodies *bodies, size_t begin, size_t end,
                                  float *const *out, size_t arrays)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    gyre_status status = check_bodies(bodies, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    for (size_t k = 0; k < arrays; k++) {
        if (out == NULL || out[k] == NULL) {
            return GYRE_ERROR_NULL;
        }
    }
    bool all_valid = true;
    const body_query query = {bodies, out, &all_valid};
    vf_staged_range(block, &query, BODY_VECTORS, out[0], begin, end);
    return all_valid ? GYRE_OK : GYRE_INCOMPLETE;
}

GYRE_KERNEL_FUNCTION gyre_status bodies_energy(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J)
{
    return query_range(energy_block, bodies, begin, end, &energy_J, 1);
}

GYRE_KERNEL_FUNCTION gyre_status bodies_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                         float *const omega[3])
{
    return query_range(angular_velocity_block, bodies, begin, end, omega, 3);
}

/* L for omega, in double. */
VF_INLINE vd3_parts parts_of_momentum(bool has_low, const body_motion *motion, const vf3 *inertia, int half)
{
    const vd4 q = precise_orientation_of(has_low, motion, half);
    const vd3 momentum = precise_momentum_of(q, vd3_load(inertia, half), vd3_load(&motion->vector, half));
    return vd3_split(vd3_nothing(), momentum);
}

VF_INLINE void set_angular_velocity_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const body_query *query = context;
    const gyre_bodies *b = query->bodies;
    const bool has_low = b->orientation_low[0] != NULL;
    float *const *omega = query->out;
    for (size_t v = 0; v < vectors; v++) {
        const size_t k = i + v * VF_LANES;
        body_motion motion;
        load_motion(b, k, n, vf3_load_n(omega[0], omega[1], omega[2], k, n), &motion);
        const vm valid = vm_and(motion.valid, has_valid_shape(b, k, n));
        const vf3 inertia = inertia_of(b, k, n);
        const vd3_parts first = parts_of_momentum(has_low, &motion, &inertia, 0);
        const vf3_parts momentum = vf3_parts_from_halves(first, parts_of_momentum(has_low, &motion, &inertia, 1));
        vf3_store_n(b->momentum, vf3_or_nan(valid, momentum.high), k, n);
        if (b->momentum_low[0] != NULL) {
            vf3_store_n(b->momentum_low, vf3_or_nan(valid, vf3_flushed(momentum.low)), k, n);
        }
        *query->all_valid &= vm_count(vm_and(vm_first(n), valid)) == n;
    }
}

GYRE_KERNEL_FUNCTION gyre_status bodies_set_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                             float *const omega[3])
{
    return query_range(set_angular_velocity_block, bodies, begin, end, omega, 3);
}

/* How many vectors compute 1 / |q|^2 in a separate stage, so that the rest need not wait for it. Short vectors wait for
   less time than it takes to compute the squares twice. WebAssembly still gains a tenth. */
#if GYRE_LANES == 4 && !defined(__wasm__)
enum { TRANSFORM_VECTORS = 1 };
#else
enum { TRANSFORM_VECTORS = 8 };
#endif

typedef struct body_transforms {
    const gyre_bodies *bodies;
    const float *x, *y, *z;
    float *rows3x4;
    size_t stride_bytes;
} body_transforms;

/* Processes `vectors` vectors of n bodies each, from i on. Returns the lanes in which all bodies are valid. */
VF_INLINE vm transform_block(const body_transforms *call, size_t i, size_t vectors, size_t n)
{
    float *const *q = call->bodies->orientation;
    vf inverse[TRANSFORM_VECTORS];
    vm all_valid = vm_first(VF_LANES);
    for (size_t v = 0; v < vectors; v++) {
        const body_inverse_square square = inverse_square_of(vf4_load_n(q, i + v * VF_LANES, n));
        inverse[v] = square.inverse;
        all_valid = vm_and(all_valid, square.valid);
    }
    for (size_t v = 0; v < vectors; v++) {
        const size_t j = i + v * VF_LANES;
        const vf3 position = load3_or_nothing(call->x, call->y, call->z, j, n);
        const body_rows matrix = body_rows_of(vf4_load_n(q, j, n), inverse[v], position);
        float *rows = (float *)(void *)((char *)call->rows3x4 + j * call->stride_bytes);
        vf_store_rows12_n(rows, call->stride_bytes, matrix.entry, n);
    }
    return all_valid;
}

GYRE_KERNEL_FUNCTION gyre_status bodies_transforms(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                                   const float *y, const float *z, float *rows3x4, size_t stride_bytes)
{
    if (bodies == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_range(begin, end, bodies->count)) {
        return GYRE_ERROR_RANGE;
    }
    if (stride_bytes < 12 * sizeof(float) || stride_bytes % sizeof(float) != 0) {
        return GYRE_ERROR_VALUE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    float *const *q = bodies->orientation;
    if (rows3x4 == NULL || (x != NULL && (y == NULL || z == NULL)) || q[0] == NULL || q[1] == NULL || q[2] == NULL ||
        q[3] == NULL) {
        return GYRE_ERROR_NULL;
    }
    const body_transforms call = {bodies, x, y, z, rows3x4, stride_bytes};
    vm all_valid = vm_first(VF_LANES);
    size_t i = begin;
    for (size_t vectors; (vectors = vf_staged_vectors(i, end, TRANSFORM_VECTORS)) > 0; i += vectors * VF_LANES) {
        all_valid = vm_and(all_valid, transform_block(&call, i, vectors, VF_LANES));
    }
    if (i < end) {
        const vm absent = vm_not(vm_first(end - i));
        all_valid = vm_and(all_valid, vm_or(absent, transform_block(&call, i, 1, end - i)));
    }
    return vm_all(all_valid) ? GYRE_OK : GYRE_INCOMPLETE;
}

#endif
