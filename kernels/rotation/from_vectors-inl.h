/* Matrices, left Jacobians and quaternions from rotation vectors. With [v]x the matrix of the cross product and the
   functions S1, S2, S3 of a = |v| (rotation/half_angle-inl.h):

       R(v) = exp([v]x)                   = 1 + S1 [v]x + S2 [v]x^2
       T(v) = integral of R(s v) ds, 0..1 = 1 + S2 [v]x + S3 [v]x^2
       q(v) = (v S / 2, C) */
#include "rotation/half_angle-inl.h"
#include "simd/kernel-inl.h"
#include "simd/vf3-inl.h"
#include "simd/vf_math-inl.h"

/* Vectors in a block of stages. The last stage stores up to nine arrays, and a CPU buffers some 64 stores: with blocks
   of sixteen vectors the arithmetic would wait for them where the arrays are not in the first-level cache. */
enum { ROTATION_VECTORS = 8 };

/* z = |v|^2 is ordinary from (2^-15 rad)^2 on, or 0, up to (23,170 rad)^2. Below, z is at most 2^-33 of what it is
   added to and is replaced by 0, because powers of it would be subnormal. */
#define ROTATION_ORDINARY_BEGIN 0x1p-30f
#define ROTATION_ORDINARY_END 0x1p29f

/* ---- From the functions of the angle to entries. ---- */

/* A matrix is 1 + p [v]x + q [v]x^2, a quaternion (p v, q). */
typedef struct rotation_coefficients {
    vf p, q;
} rotation_coefficients;

VF_INLINE rotation_coefficients matrix_coefficients(half_rotation t) { return (rotation_coefficients){t.s1, t.s2}; }

VF_INLINE rotation_coefficients left_jacobian_coefficients(half_rotation t)
{
    return (rotation_coefficients){t.s2, t.s3};
}

VF_INLINE rotation_coefficients quaternion_coefficients(half_rotation t)
{
    return (rotation_coefficients){vf_mul(vf_set1(0.5f), t.sine), t.cosine};
}

/* 1 + p [v]x + q [u]x^2, row by row, with [u]x^2 = u u^T - |u|^2. u is v, or zeros of v's signs where squares of v
   count as 0. */
VF_INLINE void matrix_entries(vf3 v, vf3 u, rotation_coefficients c, vf entry[9])
{
    const vf one = vf_set1(1);
    const vf3 pv = vf3_scale(c.p, v), qu = vf3_scale(c.q, u);
    const vf xx = vf_mul(qu.x, u.x), yy = vf_mul(qu.y, u.y), zz = vf_mul(qu.z, u.z);
    const vf xy = vf_mul(qu.x, u.y), yz = vf_mul(qu.y, u.z), zx = vf_mul(qu.z, u.x);
    entry[0] = vf_sub(one, vf_add(yy, zz));
    entry[1] = vf_sub(xy, pv.z);
    entry[2] = vf_add(zx, pv.y);
    entry[3] = vf_add(xy, pv.z);
    entry[4] = vf_sub(one, vf_add(zz, xx));
    entry[5] = vf_sub(yz, pv.x);
    entry[6] = vf_sub(zx, pv.y);
    entry[7] = vf_add(yz, pv.x);
    entry[8] = vf_sub(one, vf_add(xx, yy));
}

VF_INLINE void quaternion_entries(vf3 v, vf3 u, rotation_coefficients c, vf entry[4])
{
    (void)u;
    entry[0] = vf_mul(c.p, v.x);
    entry[1] = vf_mul(c.p, v.y);
    entry[2] = vf_mul(c.p, v.z);
    entry[3] = c.q;
}

/* A kind of result. Its functions are inlined constants. */
typedef struct rotation_kind {
    rotation_coefficients (*coefficients)(half_rotation t);
    void (*entries)(vf3 v, vf3 u, rotation_coefficients c, vf *entry);
    size_t arrays;
} rotation_kind;

/* ---- A vector of rotations, and a block of vectors. ---- */

/* What the blocks of one call share. */
typedef struct rotation_arrays {
    const float *v[3];
    float *const *out;
} rotation_arrays;

VF_INLINE vf3 load_rotations(const rotation_arrays *a, size_t i, size_t n)
{
    return vf3_load_n(a->v[0], a->v[1], a->v[2], i, n);
}

VF_INLINE void store_rotations(rotation_kind kind, const rotation_arrays *a, vf3 v, vf3 u, half_rotation t, size_t i,
                               size_t n)
{
    vf entry[9];
    kind.entries(v, u, kind.coefficients(t), entry);
    for (size_t k = 0; k < kind.arrays; k++) {
        vf_store_n(a->out[k] + i, entry[k], n);
    }
}

/* v, scaled by 2^-88 where a component is 2^40 or more, so that no product overflows. From 2^24 rad on the angle of a
   float vector is arbitrary: neighbours differ by more than a turn. */
VF_INLINE vf3 bounded_rotation(vf3 v)
{
    const vm huge = vf_le(vf_set1(0x1p40f), vf3_max_abs(v));
    return vm_any(huge) ? vf3_scale(vf_select(huge, vf_set1(0x1p-88f), vf_set1(1)), v) : v;
}

/* Any rotations. Subnormal operands take 10 to 40 times as long, so z is 0 below the ordinary range, and squares of v
   are 0 where z < 2^-60. */
VF_INLINE void any_rotations(rotation_kind kind, const rotation_arrays *a, size_t i, size_t n)
{
    const vf3 v = bounded_rotation(load_rotations(a, i, n));
    const vf3 flushed = vf3_flushed_for_square(v);
    /* where z is ordinary no component is flushed: in a fused sum even the smallest one can change the rounding */
    const vm large = vf_lt(vf_set1(0x1p-40f), vf3_dot(flushed, flushed));
    const vf3 squared = vf3_select(large, v, flushed);
    const vf z = vf3_dot(squared, squared);
    const vm tiny = vf_lt(z, vf_set1(0x1p-60f));
    const vf zero = vf_set1(0);
    const vf3 signed_zero = {vf_copysign(zero, v.x), vf_copysign(zero, v.y), vf_copysign(zero, v.z)};
    const half_rotation t = half_rotation_of(vf_zero_where(vf_lt(z, vf_set1(ROTATION_ORDINARY_BEGIN)), z));
    store_rotations(kind, a, v, vf3_select(tiny, signed_zero, v), t, i, n);
}

/* Whole vectors of ordinary rotations, some of them beyond the series, in two stages. */
VF_INLINE void wide_rotations(rotation_kind kind, const rotation_arrays *a, const vf *z, size_t i, size_t vectors)
{
    vf half[ROTATION_VECTORS];
    vf_reduced reduced[ROTATION_VECTORS];
    for (size_t v = 0; v < vectors; v++) {
        half[v] = half_of_angle(z[v]);
        vf_angle_reduce(half[v], &reduced[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        const vf3 rotation = load_rotations(a, i + v * VF_LANES, VF_LANES);
        vf sine, cosine;
        vf_sincos_finish(&reduced[v], &sine, &cosine);
        const half_rotation t = half_rotation_by_sincos(half_rotation_by_series(z[v]), z[v], half[v], sine, cosine);
        store_rotations(kind, a, rotation, rotation, t, i + v * VF_LANES, VF_LANES);
    }
}

/* Whole vectors in stages. A NaN is skipped by the maximum of z and counts as ordinary; its results are NaN either way.
 */
VF_INLINE void whole_rotations(rotation_kind kind, const rotation_arrays *a, size_t i, size_t vectors)
{
    vf z[ROTATION_VECTORS], largest = vf_set1(0);
    vi smallest = vi_set1(0); /* of the z that are not 0: the largest -bits(z), unsigned; for z = 0 that is 0 */
    for (size_t v = 0; v < vectors; v++) {
        const vf3 rotation = load_rotations(a, i + v * VF_LANES, VF_LANES);
        z[v] = vf3_dot(rotation, rotation);
        largest = vf_max(z[v], largest);
        smallest = vi_max_unsigned(vi_sub(vi_set1(0), vf_bits(z[v])), smallest);
    }
    const vi begin = vi_sub(vi_set1(0), vf_bits(vf_set1(ROTATION_ORDINARY_BEGIN)));
    const vm large_enough = vi_eq(vi_max_unsigned(smallest, begin), begin);
    if (!vm_all(vm_and(large_enough, vf_lt(largest, vf_set1(ROTATION_ORDINARY_END))))) {
        for (size_t v = 0; v < vectors; v++) {
            any_rotations(kind, a, i + v * VF_LANES, VF_LANES);
        }
        return;
    }
    if (vm_any(vf_lt(vf_set1(HALF_ROTATION_SERIES_END), largest))) {
        wide_rotations(kind, a, z, i, vectors);
        return;
    }
    for (size_t v = 0; v < vectors; v++) {
        const vf3 rotation = load_rotations(a, i + v * VF_LANES, VF_LANES);
        store_rotations(kind, a, rotation, rotation, half_rotation_by_series(z[v]), i + v * VF_LANES, VF_LANES);
    }
}

VF_INLINE void rotation_block(rotation_kind kind, const rotation_arrays *a, size_t i, size_t vectors, size_t n)
{
    if (n == VF_LANES) {
        whole_rotations(kind, a, i, vectors);
    } else {
        any_rotations(kind, a, i, n);
    }
}

/* ---- The functions. ---- */

static gyre_status check_rotations(float *const v[3], float *const *out, size_t arrays, size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    return are_given(v, 3) && are_given(out, arrays) ? GYRE_OK : GYRE_ERROR_NULL;
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
    rotation_block((rotation_kind){matrix_coefficients, matrix_entries, 9}, arrays, i, vectors, n);
}

VF_INLINE void left_jacobian_block(const void *arrays, size_t i, size_t vectors, size_t n)
{
    rotation_block((rotation_kind){left_jacobian_coefficients, matrix_entries, 9}, arrays, i, vectors, n);
}

VF_INLINE void quaternion_block(const void *arrays, size_t i, size_t vectors, size_t n)
{
    rotation_block((rotation_kind){quaternion_coefficients, quaternion_entries, 4}, arrays, i, vectors, n);
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
