/* gyre_rotation_matrix, gyre_rotation_left_jacobian and gyre_rotation_quaternion: blocks of rotation vectors. */
#ifndef GYRE_ROTATION_FROM_VECTORS_H
#define GYRE_ROTATION_FROM_VECTORS_H

#include "common/kernel-inl.h"
#include "rotation/step-inl.h"
#include "simd/vf_math-inl.h"

/* Vectors in a block of stages. The last stage stores up to nine arrays, and a CPU buffers some 64 stores: with blocks
   of sixteen vectors, the arithmetic would wait for stores that miss the first-level cache. */
enum { ROTATION_VECTORS = 8 };

/* Shared by the blocks of one call. */
typedef struct rotation_arrays {
    const float *v[3];
    float *const *out;
} rotation_arrays;

VF_INLINE vf3 rotation_load(const rotation_arrays *a, size_t i, size_t n)
{
    return vf3_load_n(a->v[0], a->v[1], a->v[2], i, n);
}

/* `kind` is a constant here and below. */
VF_INLINE void rotation_store(rotation_kind kind, const rotation_arrays *a, rotation_entries entries, size_t i,
                              size_t n)
{
    for (size_t k = 0; k < (kind == ROTATION_QUATERNION ? 4 : 9); k++) {
        vf_store_n(a->out[k] + i, entries.entry[k], n);
    }
}

/* Whole vectors of ordinary rotations, some of them beyond the series, in two stages. */
VF_INLINE void rotation_wide_block(rotation_kind kind, const rotation_arrays *a, const vf *z, size_t i, size_t vectors)
{
    vf half[ROTATION_VECTORS];
    vf_reduced reduced[ROTATION_VECTORS];
    for (size_t v = 0; v < vectors; v++) {
        half[v] = half_of_angle(z[v]);
        vf_angle_reduce(half[v], &reduced[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        const vf3 rotation = rotation_load(a, i + v * VF_LANES, VF_LANES);
        vf sine, cosine;
        vf_sincos_finish(&reduced[v], &sine, &cosine);
        const half_rotation t = half_rotation_by_sincos(half_rotation_by_series(z[v]), z[v], half[v], sine, cosine);
        rotation_store(kind, a, rotation_entries_of(kind, rotation, rotation, t), i + v * VF_LANES, VF_LANES);
    }
}

/* Whole vectors in stages. A NaN is ignored by the maximum of z and counts as ordinary; its results are NaN either
   way. */
VF_INLINE void rotation_whole_block(rotation_kind kind, const rotation_arrays *a, size_t i, size_t vectors)
{
    vf z[ROTATION_VECTORS], largest = vf_set1(0);
    vi smallest = vi_set1(0); /* of the nonzero z: the largest -bits(z), unsigned, which is 0 for z = 0 */
    for (size_t v = 0; v < vectors; v++) {
        const vf3 rotation = rotation_load(a, i + v * VF_LANES, VF_LANES);
        z[v] = vf3_dot(rotation, rotation);
        largest = vf_max(z[v], largest);
        smallest = vi_max_unsigned(vi_sub(vi_set1(0), vf_bits(z[v])), smallest);
    }
    const vi begin = vi_sub(vi_set1(0), vf_bits(vf_set1(ROTATION_ORDINARY_BEGIN)));
    const vm large_enough = vi_eq(vi_max_unsigned(smallest, begin), begin);
    if (!vm_all(vm_and(large_enough, vf_lt(largest, vf_set1(ROTATION_ORDINARY_END))))) {
        for (size_t v = 0; v < vectors; v++) {
            const size_t k = i + v * VF_LANES;
            rotation_store(kind, a, rotation_of_any(kind, rotation_load(a, k, VF_LANES)), k, VF_LANES);
        }
        return;
    }
    if (vm_any(vf_lt(vf_set1(HALF_ROTATION_SERIES_END), largest))) {
        rotation_wide_block(kind, a, z, i, vectors);
        return;
    }
    for (size_t v = 0; v < vectors; v++) {
        const vf3 rotation = rotation_load(a, i + v * VF_LANES, VF_LANES);
        const half_rotation t = half_rotation_by_series(z[v]);
        rotation_store(kind, a, rotation_entries_of(kind, rotation, rotation, t), i + v * VF_LANES, VF_LANES);
    }
}

VF_INLINE void rotation_block(rotation_kind kind, const rotation_arrays *a, size_t i, size_t vectors, size_t n)
{
    if (n == VF_LANES) {
        rotation_whole_block(kind, a, i, vectors);
    } else {
        rotation_store(kind, a, rotation_of_any(kind, rotation_load(a, i, n)), i, n);
    }
}

/* ---- The functions ---- */

static gyre_status check_rotations(float *const v[3], float *const *out, size_t arrays, size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    return none_is_null(v, 3) && none_is_null(out, arrays) ? GYRE_OK : GYRE_ERROR_NULL;
}

VF_INLINE gyre_status rotation_range(vf_staged_block *block, float *const v[3], float *const *out, size_t arrays,
                                     size_t begin, size_t end)
{
    const gyre_status status = check_rotations(v, out, arrays, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const rotation_arrays a = {{v[0], v[1], v[2]}, out};
    vf_staged_range(block, &a, ROTATION_VECTORS, out[0], begin, end);
    return GYRE_OK;
}

VF_INLINE void matrix_block(const void *arrays, size_t i, size_t vectors, size_t n)
{
    rotation_block(ROTATION_MATRIX, arrays, i, vectors, n);
}

VF_INLINE void left_jacobian_block(const void *arrays, size_t i, size_t vectors, size_t n)
{
    rotation_block(ROTATION_LEFT_JACOBIAN, arrays, i, vectors, n);
}

VF_INLINE void quaternion_block(const void *arrays, size_t i, size_t vectors, size_t n)
{
    rotation_block(ROTATION_QUATERNION, arrays, i, vectors, n);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_matrix(float *const v[3], float *const r[9], size_t begin, size_t end)
{
    return rotation_range(matrix_block, v, r, 9, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_left_jacobian(float *const v[3], float *const t[9], size_t begin, size_t end)
{
    return rotation_range(left_jacobian_block, v, t, 9, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_quaternion(float *const v[3], float *const q[4], size_t begin, size_t end)
{
    return rotation_range(quaternion_block, v, q, 4, begin, end);
}

#endif
