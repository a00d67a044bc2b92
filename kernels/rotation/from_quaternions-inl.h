/* Rotation vectors of quaternions, their products, and interpolation between them. */
#include "rotation/quaternion-inl.h"
#include "simd/kernel-inl.h"

typedef struct quaternion_arrays {
    float *a[4], *b[4], *out[4];
    float part;
} quaternion_arrays;

/* Three or four outputs. A kernel of one quaternion has a for b too. */
VF_INLINE gyre_status quaternion_range(vf_staged_block *block, float *const a[4], float *const b[4], float part,
                                       float *const *out, size_t outputs, size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    if (!are_given(a, 4) || !are_given(b, 4) || !are_given(out, outputs)) {
        return GYRE_ERROR_NULL;
    }
    quaternion_arrays arrays = {.part = part};
    for (size_t k = 0; k < 4; k++) {
        arrays.a[k] = a[k];
        arrays.b[k] = b[k];
        arrays.out[k] = k < outputs ? out[k] : NULL;
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

/* ---- Between two rotations ----

   With h the angle between the quaternions (half of the rotation's), cos h = |a . b|, and the sign of a . b:

       out = a sin((1 - part) h) / sin h +- b sin(part h) / sin h

   The weight of b is part S(4 part^2 h^2) h / sin h, where S is that of the half angle, and 4 h^2 is
   4 (h / sin h)^2 y (2 - y) with y = 1 - cos h. No form divides or has a limit at h = 0, and both weights depend so
   little on y that an error of y hardly matters. Components of results below 2^-63 become 0, so that products of two
   are not subnormal in the next call, which often begins where this one ended. */

/* Whether the length is 1 within 2^-7. The square of 1 + 2^-7 is within the limit, rounded. */
VF_INLINE vm is_nearly_unit(vf4 q) { return vf_is_unit_within(0x1.02p-6f, vf4_square(q)); }

/* `value` where both lengths are nearly 1, else NaN. */
VF_INLINE vf valid_between(vf4 a, vf4 b, vf value)
{
    return vf_select(vm_and(is_nearly_unit(a), is_nearly_unit(b)), value, vf_set1(NAN));
}

/* h / sin h with the sign of a . b, and (2 h)^2. */
typedef struct angle_between {
    vf ratio, square;
} angle_between;

VF_INLINE angle_between angle_between_of(vf4 a, vf4 b)
{
    const vf dot = vf3_dot_add(a.v, b.v, vf_mul_add(a.w, b.w, vf_set1(0))); /* the 0, so that it is not -0 */
    const vf y = vf_sub(vf_set1(1), vf_abs(dot));
    const vf ratio = vf_angle_over_sine(y), twice = vf_add(ratio, ratio);
    const vf square = vf_mul(vf_mul(twice, twice), vf_mul(y, vf_sub(vf_set1(2), y)));
    return (angle_between){vf_copysign(valid_between(a, b, ratio), dot), square};
}

/* sin(part h) / sin h for a part in [0, 1], exactly 1 for 1. Below 2^-13 the square of the part is nothing beside 1,
   and its powers would be subnormal. */
VF_INLINE vf weight_between(float part, angle_between angle)
{
    const float squared = part < 0x1p-13f ? 0 : part * part;
    const vf sine = half_rotation_by_series(vf_mul(vf_set1(squared), angle.square)).sine;
    const vf weight = vf_mul(vf_set1(part), vf_mul(sine, vf_abs(angle.ratio)));
    return part == 1 ? vf_add(vf_sub(weight, weight), vf_set1(1)) : weight;
}

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
        const vf of_a = weight_between(1 - part, angle[v]);
        const vf of_b = vf_copysign(weight_between(part, angle[v]), angle[v].ratio);
        vf4_store_n(arrays->out, vf4_flushed_for_square(vf4_scale_add(of_b, b, vf4_scale(of_a, a))), at, n);
    }
}

/* a exp(part log(a^-1 b)), of any part. */
VF_INLINE void beyond_block(const void *context, size_t i, size_t vectors, size_t n)
{
    const quaternion_arrays *arrays = context;
    for (size_t v = 0; v < vectors; v++) {
        const size_t at = i + v * VF_LANES;
        const vf4 a = vf4_load_n(arrays->a, at, n), b = vf4_load_n(arrays->b, at, n);
        const vf3 whole = vf3_flushed_for_square(quaternion_log(quaternion_product(quaternion_conjugate(a), b)));
        const vf3 turn = vf3_scale(valid_between(a, b, vf_set1(arrays->part)), whole);
        const vf4 result = quaternion_product(a, quaternion_exp(turn, half_rotation_of_vector(turn)));
        vf4_store_n(arrays->out, vf4_flushed_for_square(result), at, n);
    }
}

/* A part whose turn is far below an ulp becomes 0, and none is beyond 2^37: long before that the angle is arbitrary. */
static float ordinary_part(float part)
{
    const float most = 0x1p37f, bounded = part > most ? most : part < -most ? -most : part;
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
