/* Rotation vectors of quaternions, their products, interpolation between them, and vectors that they turn. */
#ifndef GYRE_ROTATION_FROM_QUATERNIONS_H
#define GYRE_ROTATION_FROM_QUATERNIONS_H

#include "common/kernel-inl.h"
#include "rotation/step-inl.h"

typedef struct quaternion_arrays {
    float *a[4], *b[4], *out[4];
    float part;
} quaternion_arrays;

/* b and out have three or four arrays. A kernel of one quaternion passes a for b too. */
VF_INLINE gyre_status quaternion_range(vf_staged_block *block, float *const a[4], float *const *b, float part,
                                       float *const *out, size_t components, size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    if (!none_is_null(a, 4) || !none_is_null(b, components) || !none_is_null(out, components)) {
        return GYRE_ERROR_NULL;
    }
    quaternion_arrays arrays = {.part = part};
    for (size_t k = 0; k < 4; k++) {
        arrays.a[k] = a[k];
        arrays.b[k] = k < components ? b[k] : NULL;
        arrays.out[k] = k < components ? out[k] : NULL;
    }
    vf_staged_range(block, &arrays, VF_STAGED_VECTORS, out[0], begin, end);
    return GYRE_OK;
}

/* ---- Rotation vectors ---- */

VF_INLINE void vector_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const quaternion_arrays *arrays = context;
    log_terms terms[VF_STAGED_VECTORS];
    for (size_t v = 0; v < vectors; v++) {
        terms[v] = log_terms_of(vf4_load_n(arrays->a, i + v * VF_LANES, n));
    }
    for (size_t v = 0; v < vectors; v++) {
        const size_t at = i + v * VF_LANES;
        const vf3 q = vf3_load_n(arrays->a[0], arrays->a[1], arrays->a[2], at, n);
        vf3_store_n(arrays->out, log_of_terms(terms[v], q), at, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status rotation_vector(float *const q[4], float *const v[3], size_t begin, size_t end)
{
    return quaternion_range(vector_block, q, q, 0, v, 3, begin, end);
}

/* ---- Products ---- */

VF_INLINE void product_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const quaternion_arrays *arrays = context;
    for (size_t v = 0; v < vectors; v++) {
        const size_t at = i + v * VF_LANES;
        const vf4 a = vf4_load_n(arrays->a, at, n), b = vf4_load_n(arrays->b, at, n);
        vf4_store_n(arrays->out, quaternion_product(a, b), at, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status rotation_product(float *const a[4], float *const b[4], float *const out[4],
                                                  size_t begin, size_t end)
{
    return quaternion_range(product_block, a, b, 0, out, 4, begin, end);
}

/* ---- Vectors ---- */

VF_INLINE void apply_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const quaternion_arrays *arrays = context;
    for (size_t v = 0; v < vectors; v++) {
        const size_t at = i + v * VF_LANES;
        const vf4 q = vf4_load_n(arrays->a, at, n);
        const vf3 turned = vf3_load_n(arrays->b[0], arrays->b[1], arrays->b[2], at, n);
        vf3_store_n(arrays->out, quaternion_apply(q, turned), at, n);
    }
}

GYRE_KERNEL_FUNCTION gyre_status rotation_apply(float *const q[4], float *const v[3], float *const out[3], size_t begin,
                                                size_t end)
{
    return quaternion_range(apply_block, q, v, 0, out, 3, begin, end);
}

/* ---- Between two rotations ---- */

VF_INLINE void between_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const quaternion_arrays *arrays = context;
    const float part = arrays->part;
    angle_between angle[VF_STAGED_VECTORS];
    for (size_t v = 0; v < vectors; v++) {
        const size_t at = i + v * VF_LANES;
        angle[v] = angle_between_of(vf4_load_n(arrays->a, at, n), vf4_load_n(arrays->b, at, n));
    }
    for (size_t v = 0; v < vectors; v++) {
        const size_t at = i + v * VF_LANES;
        const vf4 a = vf4_load_n(arrays->a, at, n), b = vf4_load_n(arrays->b, at, n);
        vf4_store_n(arrays->out, rotation_between_of(part, a, b, angle[v]), at, n);
    }
}

VF_INLINE void beyond_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const quaternion_arrays *arrays = context;
    for (size_t v = 0; v < vectors; v++) {
        const size_t at = i + v * VF_LANES;
        const vf4 a = vf4_load_n(arrays->a, at, n), b = vf4_load_n(arrays->b, at, n);
        vf4_store_n(arrays->out, rotation_beyond(arrays->part, a, b), at, n);
    }
}

/* A part whose turn is far below an ulp becomes 0. Parts are limited to 2^37, where the angle has long been
   arbitrary. */
static float ordinary_part(float part)
{
    const float max_part = 0x1p37f, bounded = part > max_part ? max_part : part < -max_part ? -max_part : part;
    return bounded > -0x1p-30f && bounded < 0x1p-30f ? 0 : bounded;
}

GYRE_KERNEL_FUNCTION gyre_status rotation_between(float *const a[4], float *const b[4], float part, float *const out[4],
                                                  size_t begin, size_t end)
{
    if (begin <= end && !is_finite(part)) {
        return GYRE_ERROR_VALUE;
    }
    const float bounded = ordinary_part(part);
    return bounded >= 0 && bounded <= 1 ? quaternion_range(between_block, a, b, bounded, out, 4, begin, end)
                                        : quaternion_range(beyond_block, a, b, bounded, out, 4, begin, end);
}

#endif
