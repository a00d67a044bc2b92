/* Rotations from rotation vectors. With [v]x the matrix of the cross product, a = |v| and z = a^2 (Rodrigues):

       R(v) = exp([v]x)                   = 1 + S1 [v]x + S2 [v]x^2       S1 = sin a / a
       T(v) = integral of R(s v) ds, 0..1 = 1 + S2 [v]x + S3 [v]x^2       S2 = (1 - cos a) / z
                                                                          S3 = (a - sin a) / a^3
   and [v]x^2 = v v^T - z. All three follow from half the angle: rotation/half_angle-inl.h. */
#include "rotation/half_angle-inl.h"
#include "simd/kernel-inl.h"
#include "simd/vf3-inl.h"
#include "simd/vf_math-inl.h"

/* How many vectors go through the stages together. The last stage stores up to nine vectors for each, and a CPU buffers
   some 64 stores: with sixteen, arithmetic would wait for them where the arrays are not in the first cache. */
enum { ROTATION_VECTORS = 8 };

/* The squares of 2^-15 and 23,170 rad. Below the one z is 2^-33 of what it is added to, or less, and counts as 0: its
   powers would be subnormal numbers. Up to the other half the angle is ordinary. */
#define HALF_ROTATION_ORDINARY_BEGIN 0x1p-30f
#define HALF_ROTATION_ORDINARY_END 0x1p29f

/* From 2^24 rad on no digit of the angle means anything; from 2^40 on v is scaled, lest products of it overflow. */
VF_INLINE vf3 bounded_rotation(vf3 v)
{
    vm huge = vf_le(vf_set1(0x1p40f), vf3_max_abs(v));
    return vm_any(huge) ? vf3_scale(vf_select(huge, vf_set1(0x1p-88f), vf_set1(1)), v) : v;
}

/* 0 where |a| < 2^-63, which is where the first two bits of the exponent are 0 and a square would be subnormal. */
VF_INLINE vf squarable(vf a) { return vf_zero_where(vi_disjoint(vf_bits(a), vi_set1(0x60000000)), a); }

/* 1 + p [v]x + q [u]x^2, row by row: u is v, or a 0 of its sign where squares of v are nothing. */
VF_INLINE void rotation_entries(vf3 v, vf3 u, vf p, vf q, vf entry[9])
{
    const vf one = vf_set1(1);
    vf3 pv = vf3_scale(p, v), qu = vf3_scale(q, u);
    vf qxx = vf_mul(qu.x, u.x), qyy = vf_mul(qu.y, u.y), qzz = vf_mul(qu.z, u.z);
    vf qxy = vf_mul(qu.x, u.y), qyz = vf_mul(qu.y, u.z), qzx = vf_mul(qu.z, u.x);
    entry[0] = vf_sub(one, vf_add(qyy, qzz));
    entry[1] = vf_sub(qxy, pv.z);
    entry[2] = vf_add(qzx, pv.y);
    entry[3] = vf_add(qxy, pv.z);
    entry[4] = vf_sub(one, vf_add(qzz, qxx));
    entry[5] = vf_sub(qyz, pv.x);
    entry[6] = vf_sub(qzx, pv.y);
    entry[7] = vf_add(qyz, pv.x);
    entry[8] = vf_sub(one, vf_add(qxx, qyy));
}

VF_INLINE void quaternion_entries(vf3 v, vf3 u, vf p, vf q, vf entry[4])
{
    (void)u;
    entry[0] = vf_mul(p, v.x);
    entry[1] = vf_mul(p, v.y);
    entry[2] = vf_mul(p, v.z);
    entry[3] = q;
}

/* Entries that are computed from a rotation vector and two of the functions of its length. */
typedef struct rotation_pair {
    vf p, q;
} rotation_pair;

typedef struct rotation_form {
    rotation_pair (*pair_of)(half_rotation t);
    void (*entries_of)(vf3 v, vf3 u, vf p, vf q, vf *entry);
    size_t entries;
} rotation_form;

VF_INLINE rotation_pair matrix_pair(half_rotation t) { return (rotation_pair){t.s1, t.s2}; }
VF_INLINE rotation_pair left_jacobian_pair(half_rotation t) { return (rotation_pair){t.s2, t.s3}; }
VF_INLINE rotation_pair quaternion_pair(half_rotation t)
{
    return (rotation_pair){vf_mul(vf_set1(0.5f), t.sine), t.cosine};
}

/* Whether a vector's pair and its entries are computed in one stage: quaternions are, and with registers enough the
   rest. It spares stores of the pair, and two stages that the CPU would overlap anyway. */
VF_INLINE bool is_one_stage(rotation_form form) { return form.entries == 4 || GYRE_LANES == 16; }

VF_INLINE void put_rotation(rotation_form form, vf3 v, vf3 u, rotation_pair pair, float *const *out, size_t i, size_t n)
{
    vf entry[9];
    form.entries_of(v, u, pair.p, pair.q, entry);
    for (size_t k = 0; k < form.entries; k++) {
        vf_store_n(out[k] + i, entry[k], n);
    }
}

/* Of any angle. What is subnormal takes ten to forty times as long: so z counts from where it shows, and squares of v
   from 2^-60 on. */
VF_INLINE void put_any_rotation(rotation_form form, const float *vx, const float *vy, const float *vz,
                                float *const *out, size_t i, size_t n)
{
    const vf3 v = bounded_rotation(vf3_load_n(vx, vy, vz, i, n));
    const vf3 parts = {squarable(v.x), squarable(v.y), squarable(v.z)};
    /* of ordinary ones all counts, for in a fused sum the least may tip a rounding */
    const vm large = vf_lt(vf_set1(0x1p-40f), vf3_dot(parts, parts));
    const vf3 squared = vf3_select(large, v, parts);
    const vf z = vf3_dot(squared, squared);
    const vm tiny = vf_lt(z, vf_set1(0x1p-60f));
    const vf zero = vf_set1(0);
    const vf3 u = vf3_select(tiny, (vf3){vf_copysign(zero, v.x), vf_copysign(zero, v.y), vf_copysign(zero, v.z)}, v);
    const vf counted = vf_zero_where(vf_lt(z, vf_set1(HALF_ROTATION_ORDINARY_BEGIN)), z);
    put_rotation(form, v, u, form.pair_of(half_rotation_of(counted)), out, i, n);
}

/* The pairs of a block whose angles are ordinary, but beyond the series. */
VF_INLINE void wide_pairs(rotation_form form, const vf *z, rotation_pair *pair, size_t vectors)
{
    vf half_angle[ROTATION_VECTORS];
    vf_reduced reduced[ROTATION_VECTORS];
    for (size_t v = 0; v < vectors; v++) {
        half_angle[v] = half_angle_of(z[v]);
        vf_angle_reduce(half_angle[v], &reduced[v]);
    }
    for (size_t v = 0; v < vectors; v++) {
        vf sine, cosine;
        vf_sincos_finish(&reduced[v], &sine, &cosine);
        pair[v] =
            form.pair_of(half_rotation_by_angle(half_rotation_by_series(z[v]), z[v], half_angle[v], sine, cosine));
    }
}

static gyre_status check_rotations(const float *vx, const float *vy, const float *vz, float *const *out, size_t arrays,
                                   size_t begin, size_t end)
{
    if (begin > end) {
        return GYRE_ERROR_RANGE;
    }
    if (begin == end) {
        return GYRE_OK;
    }
    bool all = vx != NULL && vy != NULL && vz != NULL && out != NULL;
    for (size_t k = 0; all && k < arrays; k++) {
        all = out[k] != NULL;
    }
    return all ? GYRE_OK : GYRE_ERROR_NULL;
}

/* Whole vectors from i on, in stages (simd/loops.h), by the series alone where no angle is beyond it. NaN counts as no
   angle here, and gives NaN either way. */
VF_INLINE void put_rotations(rotation_form form, const float *vx, const float *vy, const float *vz, float *const *out,
                             size_t i, size_t vectors)
{
    vf z[ROTATION_VECTORS], largest = vf_set1(0);
    vi smallest = vi_set1(0); /* but for 0, as minus its bits, unsigned */
    rotation_pair pair[ROTATION_VECTORS];
    for (size_t v = 0; v < vectors; v++) {
        const vf3 rotation = vf3_load_n(vx, vy, vz, i + v * VF_LANES, VF_LANES);
        z[v] = vf3_dot(rotation, rotation);
        largest = vf_max(z[v], largest);
        smallest = vi_max_unsigned(vi_sub(vi_set1(0), vf_bits(z[v])), smallest);
    }
    const vi begin = vi_sub(vi_set1(0), vf_bits(vf_set1(HALF_ROTATION_ORDINARY_BEGIN)));
    const vm begun = vi_eq(vi_max_unsigned(smallest, begin), begin);
    if (!vm_all(vm_and(begun, vf_lt(largest, vf_set1(HALF_ROTATION_ORDINARY_END))))) {
        for (size_t v = 0; v < vectors; v++) {
            put_any_rotation(form, vx, vy, vz, out, i + v * VF_LANES, VF_LANES);
        }
        return;
    }
    const bool wide = vm_any(vf_lt(vf_set1(HALF_ROTATION_SERIES_END), largest));
    if (!wide && is_one_stage(form)) {
        for (size_t v = 0; v < vectors; v++) {
            const vf3 rotation = vf3_load_n(vx, vy, vz, i + v * VF_LANES, VF_LANES);
            const rotation_pair own = form.pair_of(half_rotation_by_series(z[v]));
            put_rotation(form, rotation, rotation, own, out, i + v * VF_LANES, VF_LANES);
        }
        return;
    }
    if (wide) {
        wide_pairs(form, z, pair, vectors);
    } else {
        for (size_t v = 0; v < vectors; v++) {
            pair[v] = form.pair_of(half_rotation_by_series(z[v]));
        }
    }
    for (size_t v = 0; v < vectors; v++) {
        const vf3 rotation = vf3_load_n(vx, vy, vz, i + v * VF_LANES, VF_LANES);
        put_rotation(form, rotation, rotation, pair[v], out, i + v * VF_LANES, VF_LANES);
    }
}

/* What the calls of one function share. */
typedef struct rotation_arrays {
    const float *vx, *vy, *vz;
    float *const *out;
} rotation_arrays;

VF_INLINE void rotation_block(rotation_form form, const rotation_arrays *a, size_t i, size_t vectors, size_t n)
{
    if (n == VF_LANES) {
        put_rotations(form, a->vx, a->vy, a->vz, a->out, i, vectors);
    } else {
        put_any_rotation(form, a->vx, a->vy, a->vz, a->out, i, n);
    }
}

VF_INLINE void matrix_block(const void *arrays, size_t i, size_t vectors, size_t n)
{
    rotation_block((rotation_form){matrix_pair, rotation_entries, 9}, arrays, i, vectors, n);
}

VF_INLINE void left_jacobian_block(const void *arrays, size_t i, size_t vectors, size_t n)
{
    rotation_block((rotation_form){left_jacobian_pair, rotation_entries, 9}, arrays, i, vectors, n);
}

VF_INLINE void quaternion_block(const void *arrays, size_t i, size_t vectors, size_t n)
{
    rotation_block((rotation_form){quaternion_pair, quaternion_entries, 4}, arrays, i, vectors, n);
}

VF_INLINE gyre_status rotation_range(vf_staged_block *block, size_t entries, const float *vx, const float *vy,
                                     const float *vz, float *const *out, size_t begin, size_t end)
{
    gyre_status status = check_rotations(vx, vy, vz, out, entries, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    const rotation_arrays arrays = {vx, vy, vz, out};
    vf_staged_range(block, &arrays, ROTATION_VECTORS, out[0], begin, end);
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status rotation_matrix(const float *vx, const float *vy, const float *vz, float *const r[9],
                                                 size_t begin, size_t end)
{
    return rotation_range(matrix_block, 9, vx, vy, vz, r, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_left_jacobian(const float *vx, const float *vy, const float *vz,
                                                        float *const t[9], size_t begin, size_t end)
{
    return rotation_range(left_jacobian_block, 9, vx, vy, vz, t, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_quaternion(const float *vx, const float *vy, const float *vz,
                                                     float *const q[4], size_t begin, size_t end)
{
    return rotation_range(quaternion_block, 4, vx, vy, vz, q, begin, end);
}
