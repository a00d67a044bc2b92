/* Rotations from rotation vectors. With [v]x the matrix of the cross product, a = |v| and z = a^2 (Rodrigues):

       R(v) = exp([v]x)                   = 1 + S1 [v]x + S2 [v]x^2       S1 = sin a / a
       T(v) = integral of R(s v), 0..1    = 1 + S2 [v]x + S3 [v]x^2       S2 = (1 - cos a) / z
                                                                          S3 = (a - sin a) / a^3
   and [v]x^2 = v v^T - z. All three are entire functions of z, so no square root is needed where a is small, and
   nothing is divided by zero: with the entire functions C and S of simd/vf_math.h,

       S1 = S(z)      S2 = (1 - C(z)) / z      S3 = (1 - S(z)) / z

   where the last two are the series behind the first term themselves. Beyond their domain, from 1.58 rad on, sine and
   cosine of a/2 serve, whose squares lose nothing to cancellation. */
#include "simd/kernel.h"
#include "simd/vf3.h"
#include "simd/vf_math.h"

/* Largest a^2 that the series are for. */
#define ROTATION_SERIES_END 2.5f

typedef struct rotation_series {
    vf s1, s2, s3;
} rotation_series;

VF_INLINE rotation_series rotation_series_of(vf z)
{
    vf c, s;
    vf_entire(z, &c, &s);
    rotation_series r = {vf_mla(z, s, vf_set1(1)), vf_neg(c), vf_neg(s)};
    vm wide = vf_lt(vf_set1(ROTATION_SERIES_END), z);
    if (vm_any(wide)) {
        vf a = vf_sqrt(z), sine, cosine;
        vf_sincos(vf_mul(vf_set1(0.5f), a), &sine, &cosine);
        vf twice = vf_add(sine, sine);
        vf s1 = vf_div(vf_mul(twice, cosine), a);
        r.s1 = vf_select(wide, s1, r.s1);
        r.s2 = vf_select(wide, vf_div(vf_mul(twice, sine), z), r.s2);
        r.s3 = vf_select(wide, vf_div(vf_sub(vf_set1(1), s1), z), r.s3);
    }
    return r;
}

/* From 2^24 rad on no digit of the angle means anything; from 2^40 on v is scaled, lest products of it overflow. */
VF_INLINE vf3 tame_rotation(vf3 v)
{
    vm huge = vf_le(vf_set1(0x1p40f), vf3_largest(v));
    return vm_any(huge) ? vf3_scale(vf_select(huge, vf_set1(0x1p-88f), vf_set1(1)), v) : v;
}

/* 1 + p [v]x + q [v]x^2, row by row. */
VF_INLINE void rotation_entries(vf3 v, vf p, vf q, vf entry[9])
{
    const vf one = vf_set1(1);
    vf3 pv = vf3_scale(p, v), qv = vf3_scale(q, v);
    vf qxx = vf_mul(qv.x, v.x), qyy = vf_mul(qv.y, v.y), qzz = vf_mul(qv.z, v.z);
    vf qxy = vf_mul(qv.x, v.y), qyz = vf_mul(qv.y, v.z), qzx = vf_mul(qv.z, v.x);
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

VF_INLINE void matrix_entries(vf3 v, vf *r)
{
    rotation_series s = rotation_series_of(vf3_dot(v, v));
    rotation_entries(v, s.s1, s.s2, r);
}

VF_INLINE void tangent_entries(vf3 v, vf *t)
{
    rotation_series s = rotation_series_of(vf3_dot(v, v));
    rotation_entries(v, s.s2, s.s3, t);
}

/* The quaternion of R(2 v): (v sin a / a, cos a) with a^2 = z. */
VF_INLINE void versor_of_half(vf3 v, vf z, vf q[4])
{
    const vf one = vf_set1(1);
    vf c, s;
    vf_entire(z, &c, &s);
    vf cosine = vf_mla(z, c, one), sine_over_a = vf_mla(z, s, one);
    vm wide = vf_lt(vf_set1(ROTATION_SERIES_END), z);
    if (vm_any(wide)) {
        vf a = vf_sqrt(z), wide_sine, wide_cosine;
        vf_sincos(a, &wide_sine, &wide_cosine);
        sine_over_a = vf_select(wide, vf_div(wide_sine, a), sine_over_a);
        cosine = vf_select(wide, wide_cosine, cosine);
    }
    q[0] = vf_mul(sine_over_a, v.x);
    q[1] = vf_mul(sine_over_a, v.y);
    q[2] = vf_mul(sine_over_a, v.z);
    q[3] = cosine;
}

VF_INLINE void quaternion_entries(vf3 v, vf *q)
{
    vf3 half = vf3_scale(vf_set1(0.5f), v);
    versor_of_half(half, vf3_dot(half, half), q);
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

/* What is made of a rotation vector: 4 or 9 entries. */
typedef void rotation_form(vf3 v, vf *entry);

VF_INLINE void rotation_vector(rotation_form *form, size_t entries, const float *vx, const float *vy, const float *vz,
                               float *const *out, size_t i, size_t n)
{
    vf entry[9];
    form(tame_rotation(vf3_load_n(vx, vy, vz, i, n)), entry);
    for (size_t k = 0; k < entries; k++) {
        vf_store_n(out[k] + i, entry[k], n);
    }
}

VF_INLINE gyre_status rotation_range(rotation_form *form, size_t entries, const float *vx, const float *vy,
                                     const float *vz, float *const *out, size_t begin, size_t end)
{
    gyre_status status = check_rotations(vx, vy, vz, out, entries, begin, end);
    if (status != GYRE_OK) {
        return status;
    }
    size_t i = begin;
    for (; end - i >= VF_LANES; i += VF_LANES) {
        rotation_vector(form, entries, vx, vy, vz, out, i, VF_LANES);
    }
    if (i < end) {
        rotation_vector(form, entries, vx, vy, vz, out, i, end - i);
    }
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status rotation_matrix(const float *vx, const float *vy, const float *vz, float *const r[9],
                                                 size_t begin, size_t end)
{
    return rotation_range(matrix_entries, 9, vx, vy, vz, r, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_tangent(const float *vx, const float *vy, const float *vz, float *const t[9],
                                                  size_t begin, size_t end)
{
    return rotation_range(tangent_entries, 9, vx, vy, vz, t, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_quaternion(const float *vx, const float *vy, const float *vz,
                                                     float *const q[4], size_t begin, size_t end)
{
    return rotation_range(quaternion_entries, 4, vx, vy, vz, q, begin, end);
}
