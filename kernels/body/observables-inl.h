/* What follows from the state of bodies: energy, angular velocity, and matrices for instance buffers. */
#ifndef GYRE_BODY_OBSERVABLES_H
#define GYRE_BODY_OBSERVABLES_H

#include "body/torque-inl.h"

/* A vector of bodies in their own frames. Members are NaN where a body is invalid. */
typedef struct body_motion {
    vf4 orientation, low; /* of length 1 together */
    vf3 momentum;         /* in the world, then in the body */
    vf3 angular_velocity; /* in the body: I^-1 M */
    vm valid;
} body_motion;

/* A call, and whether every body so far was valid. */
typedef struct body_query {
    const gyre_bodies *bodies;
    float *const *out;
    bool *all_valid;
} body_query;

/* With `momentum`, a vector in the world. */
VF_INLINE void load_motion_with(vf3 momentum, const gyre_bodies *b, size_t i, size_t n, body_motion *motion)
{
    float *const *q = b->orientation, *const *low = b->orientation_low;
    motion->orientation = vf4_load_n(q, i, n);
    vf zero_if_finite = zero_or_nan(momentum);
    if (low[0] != NULL) {
        motion->low = vf4_load_n(low, i, n);
        zero_if_finite = vf_mul_add(motion->low.w, vf_set1(0), vf_add(zero_if_finite, zero_or_nan(motion->low.v)));
    }
    motion->momentum = vf3_add_scalar(momentum, zero_if_finite); /* NaN if one is infinite */
    motion->valid = vf_eq(zero_if_finite, vf_set1(0));
    const vf square = vf4_square(motion->orientation);
    const float limit = 0x1p-18f; /* for the momentum's way into the body and back; any step ends nearer to 1 */
    if (!vm_all(vf_is_unit_within(limit, square))) {
        const vf scale = unit_scale(limit, square);
        motion->valid = vm_and(motion->valid, vf_eq(scale, scale));
        motion->orientation = vf4_scale(scale, motion->orientation);
        if (low[0] != NULL) {
            motion->low = vf4_scale(scale, motion->low);
        }
    }
}

VF_INLINE void load_motion(const gyre_bodies *b, size_t i, size_t n, body_motion *motion)
{
    float *const *m = b->momentum;
    vf3 momentum = vf3_load_n(m[0], m[1], m[2], i, n);
    if (b->momentum_low[0] != NULL) {
        momentum = vf3_add(momentum, momentum_low_of(b, i, n));
    }
    load_motion_with(momentum, b, i, n, motion);
}

VF_INLINE vd4 precise_orientation_of(const gyre_bodies *b, const body_motion *motion, int half)
{
    const vd4 orientation = vd4_load(&motion->orientation, half);
    return b->orientation_low[0] != NULL ? vd4_add(orientation, vd4_load(&motion->low, half)) : orientation;
}

VF_INLINE void turn_momentum_into_body(const gyre_bodies *b, body_motion *motion)
{
    for (int half = 0; half < 2; half++) {
        const vd4 precise = precise_orientation_of(b, motion, half);
        vd3_store(
            &motion->momentum, half,
            precise_momentum_in_body(precise, vd3_load(&motion->momentum, half), vd4_square(precise), vd_set1(1)));
    }
}

VF_INLINE void find_angular_velocity(const gyre_bodies *b, size_t i, size_t n, body_motion *motion)
{
    vf3 inertia = vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], i, n);
    vm valid = vm_and(vf_lt(vf_set1(0), vf3_min(inertia)), vf_eq(zero_or_nan(inertia), vf_set1(0)));
    vf one_or_nan = vf_select(valid, vf_set1(1), vf_set1(NAN));
    motion->valid = vm_and(motion->valid, valid);
    motion->angular_velocity = (vf3){
        vf_mul(one_or_nan, vf_div(motion->momentum.x, inertia.x)),
        vf_mul(one_or_nan, vf_div(motion->momentum.y, inertia.y)),
        vf_mul(one_or_nan, vf_div(motion->momentum.z, inertia.z)),
    };
}

/* `vectors` of n bodies each, in stages. */
VF_INLINE void find_motions(const body_query *query, size_t i, size_t vectors, size_t n, body_motion *motions)
{
    const gyre_bodies *b = query->bodies;
    vm valid = vm_first(n);
    for (size_t v = 0; v < vectors; v++) {
        load_motion(b, i + v * VF_LANES, n, &motions[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        turn_momentum_into_body(b, &motions[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        find_angular_velocity(b, i + v * VF_LANES, n, &motions[v]);
        valid = vm_and(valid, motions[v].valid);
    }
    *query->all_valid &= vm_count(valid) == n;
}

VF_INLINE void energy_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const body_query *query = context;
    float *energy_J = query->out[0];
    body_motion motions[BODY_VECTORS];
    find_motions(query, i, vectors, n, motions);
    for (size_t v = 0; v < vectors; v++) {
        /* halved first, lest twice the energy overflow */
        const vf3 half = vf3_scale(vf_set1(0.5f), motions[v].angular_velocity);
        vf_store_n(energy_J + i + v * VF_LANES, vf3_dot(motions[v].momentum, half), n);
    }
}

VF_INLINE void angular_velocity_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const body_query *query = context;
    float *const *omega = query->out;
    body_motion motions[BODY_VECTORS];
    find_motions(query, i, vectors, n, motions);
    for (size_t v = 0; v < vectors; v++) {
        const size_t k = i + v * VF_LANES;
        vf4 q = motions[v].orientation, conjugate = {vf3_neg(q.v), q.w};
        vf3 world = momentum_in_body(conjugate, motions[v].angular_velocity, vf4_square(q), vf_set1(1));
        vf_store_n(omega[0] + k, world.x, n);
        vf_store_n(omega[1] + k, world.y, n);
        vf_store_n(omega[2] + k, world.z, n);
    }
}

/* To `arrays` arrays of floats. */
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

/* R(q)^T a where s is 1 and the other way where it is -1, for |q| next to 1. */
VF_INLINE vd3 precise_turned(vd4 q, double s, vd3 a)
{
    const vd4 p = {vd3_scale(vd_set1(s), q.v), q.w};
    return precise_momentum_in_body(p, a, vd_sub(vd_set1(2), vd_div(vd_set1(1), vd4_square(q))), vd_set1(1));
}

/* L = R(q) I R(q)^T omega in double. */
VF_INLINE void set_angular_velocity_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const body_query *query = context;
    const gyre_bodies *b = query->bodies;
    float *const *omega = query->out;
    for (size_t v = 0; v < vectors; v++) {
        const size_t k = i + v * VF_LANES;
        body_motion motion;
        load_motion_with(vf3_load_n(omega[0], omega[1], omega[2], k, n), b, k, n, &motion);
        const vm valid = vm_and(motion.valid, has_valid_shape(b, k, n));
        const vf3 inertia = vf3_load_n(b->inertia[0], b->inertia[1], b->inertia[2], k, n);
        const vd zero = vd_set1(0);
        const vd3 nothing = {zero, zero, zero};
        vf3_parts momentum;
        for (int half = 0; half < 2; half++) {
            const vd4 q = precise_orientation_of(b, &motion, half);
            const vd3 spin = precise_turned(q, 1, vd3_load(&motion.momentum, half));
            vd3_split(&momentum, half, nothing, precise_turned(q, -1, vd3_mul(vd3_load(&inertia, half), spin)));
        }
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

/* How many vectors compute 1 / |q|^2 in a stage of its own, so that the rest need not wait for it. Short vectors wait
   for less than it costs to compute the squares twice. WebAssembly gains all the same, a tenth. */
#if GYRE_LANES == 4 && !defined(__wasm__)
enum { TRANSFORM_VECTORS = 1 };
#else
enum { TRANSFORM_VECTORS = 8 };
#endif

/* 1 / |q|^2; NaN of a length that is not between 2^-50 and 2^50, where all_valid is cleared. */
VF_INLINE vf inverse_square(vf4 q, vm *all_valid)
{
    const vf3 v = q.v;
    vf wx_squares = vf_add(vf_mul(q.w, q.w), vf_mul(v.x, v.x)), yz_squares = vf_add(vf_mul(v.y, v.y), vf_mul(v.z, v.z));
    const vf square = vf_add(wx_squares, yz_squares), inverse = vf_div(vf_constant(1), square);
    const vm valid = vm_and(vf_lt(vf_constant(0x1p-100f), square), vf_lt(square, vf_constant(0x1p100f)));
    if (vm_all(valid)) {
        return inverse;
    }
    *all_valid = vm_and(*all_valid, valid);
    return vf_select(valid, inverse, vf_set1(NAN));
}

/* Rows of the rotation by q / |q|, each with a coordinate of the position behind it. The diagonal as a quotient of sums
   of the same four squares, which rounds less than 1 minus a sum near 2. */
VF_INLINE void transform_rows(vf4 q, vf inverse_square, vf3 position, vf entry[12])
{
    const vf3 v = q.v;
    vf xx = vf_mul(v.x, v.x), yy = vf_mul(v.y, v.y), zz = vf_mul(v.z, v.z), ww = vf_mul(q.w, q.w);
    vf wx_squares = vf_add(ww, xx), yz_squares = vf_add(yy, zz), twice = vf_add(inverse_square, inverse_square);
    vf ww_xx = vf_sub(ww, xx), yy_zz = vf_sub(yy, zz);
    vf xy = vf_mul(v.x, v.y), yz = vf_mul(v.y, v.z), zx = vf_mul(v.z, v.x);
    entry[0] = vf_mul(inverse_square, vf_sub(wx_squares, yz_squares));
    entry[1] = vf_mul(twice, vf_neg_mul_add(q.w, v.z, xy));
    entry[2] = vf_mul(twice, vf_mul_add(q.w, v.y, zx));
    entry[3] = position.x;
    entry[4] = vf_mul(twice, vf_mul_add(q.w, v.z, xy));
    entry[5] = vf_mul(inverse_square, vf_add(ww_xx, yy_zz));
    entry[6] = vf_mul(twice, vf_neg_mul_add(q.w, v.x, yz));
    entry[7] = position.y;
    entry[8] = vf_mul(twice, vf_neg_mul_add(q.w, v.y, zx));
    entry[9] = vf_mul(twice, vf_mul_add(q.w, v.x, yz));
    entry[10] = vf_mul(inverse_square, vf_sub(ww_xx, yy_zz));
    entry[11] = position.z;
}

typedef struct body_transforms {
    const gyre_bodies *bodies;
    const float *x, *y, *z;
    float *rows3x4;
    size_t stride_bytes;
} body_transforms;

/* `vectors` of n bodies each, from i on. Returns the lanes whose bodies are all valid. */
VF_INLINE vm transform_block(const body_transforms *call, size_t i, size_t vectors, size_t n)
{
    float *const *q = call->bodies->orientation;
    vf inverse[TRANSFORM_VECTORS];
    vm all_valid = vm_first(VF_LANES);
    for (size_t v = 0; v < vectors; v++) {
        inverse[v] = inverse_square(vf4_load_n(q, i + v * VF_LANES, n), &all_valid);
    }
    for (size_t v = 0; v < vectors; v++) {
        const size_t j = i + v * VF_LANES;
        vf3 position = {vf_set1(0), vf_set1(0), vf_set1(0)};
        if (call->x != NULL) {
            position = vf3_load_n(call->x, call->y, call->z, j, n);
        }
        vf entry[12];
        transform_rows(vf4_load_n(q, j, n), inverse[v], position, entry);
        float *rows = (float *)(void *)((char *)call->rows3x4 + j * call->stride_bytes);
        vf_store_rows12_n(rows, call->stride_bytes, entry, n);
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
