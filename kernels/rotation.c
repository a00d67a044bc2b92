/* Rotations from rotation vectors. With [v]x the matrix of the cross product, a = |v| and z = a^2 (Rodrigues):

       R(v) = exp([v]x)                   = 1 + S1 [v]x + S2 [v]x^2       S1 = sin a / a
       T(v) = integral of R(s v), 0..1    = 1 + S2 [v]x + S3 [v]x^2       S2 = (1 - cos a) / z
                                                                          S3 = (a - sin a) / a^3
   and [v]x^2 = v v^T - z. All three are entire functions of z, so no square root is needed where a is small, and
   nothing is divided by zero: with the entire functions C and S of simd/wf.h,

       S1 = S(z)      S2 = (1 - C(z)) / z      S3 = (1 - S(z)) / z

   where the last two are the series behind the first term themselves. Beyond their domain, from 1.58 rad on, sine and
   cosine of a/2 serve, whose squares lose nothing to cancellation. */
#include "simd/kernel.h"
#include "simd/wf3.h"
#include "simd/wf.h"

/* Largest a^2 that the series are for. */
#define ROTATION_SERIES_END 2.5f

typedef struct rotation_series {
    wf s1, s2, s3;
} rotation_series;

VF_INLINE rotation_series rotation_series_of(wf z)
{
    wf c, s;
    wf_entire(z, &c, &s);
    rotation_series r = {wf_mla(z, s, wf_set1(1)), wf_neg(c), wf_neg(s)};
    wm wide = wf_lt(wf_set1(ROTATION_SERIES_END), z);
    if (wm_any(wide)) {
        wf a = wf_sqrt(z), sine, cosine;
        wf_sincos(wf_mul(wf_set1(0.5f), a), &sine, &cosine);
        wf twice = wf_add(sine, sine);
        wf s1 = wf_div(wf_mul(twice, cosine), a);
        r.s1 = wf_select(wide, s1, r.s1);
        r.s2 = wf_select(wide, wf_div(wf_mul(twice, sine), z), r.s2);
        r.s3 = wf_select(wide, wf_div(wf_sub(wf_set1(1), s1), z), r.s3);
    }
    return r;
}

/* From 2^24 rad on no digit of the angle means anything; from 2^40 on v is scaled, lest products of it overflow. */
VF_INLINE wf3 tame_rotation(wf3 v)
{
    wm huge = wf_le(wf_set1(0x1p40f), wf3_largest(v));
    return wm_any(huge) ? wf3_scale(wf_select(huge, wf_set1(0x1p-88f), wf_set1(1)), v) : v;
}

typedef enum rotation_kind { ROTATION_MATRIX, ROTATION_TANGENT } rotation_kind;

/* 1 + p [v]x + q [v]x^2, row by row. */
VF_INLINE void rotation_entries(wf3 v, rotation_kind kind, wf entry[9])
{
    rotation_series s = rotation_series_of(wf3_dot(v, v));
    wf p = kind == ROTATION_MATRIX ? s.s1 : s.s2, q = kind == ROTATION_MATRIX ? s.s2 : s.s3;
    const wf one = wf_set1(1);
    wf3 pv = wf3_scale(p, v), qv = wf3_scale(q, v);
    wf qxx = wf_mul(qv.x, v.x), qyy = wf_mul(qv.y, v.y), qzz = wf_mul(qv.z, v.z);
    wf qxy = wf_mul(qv.x, v.y), qyz = wf_mul(qv.y, v.z), qzx = wf_mul(qv.z, v.x);
    entry[0] = wf_sub(one, wf_add(qyy, qzz));
    entry[1] = wf_sub(qxy, pv.z);
    entry[2] = wf_add(qzx, pv.y);
    entry[3] = wf_add(qxy, pv.z);
    entry[4] = wf_sub(one, wf_add(qzz, qxx));
    entry[5] = wf_sub(qyz, pv.x);
    entry[6] = wf_sub(qzx, pv.y);
    entry[7] = wf_add(qyz, pv.x);
    entry[8] = wf_sub(one, wf_add(qxx, qyy));
}

/* (v sin(a/2) / a, cos(a/2)) */
VF_INLINE void rotation_versor(wf3 v, wf q[4])
{
    wf z = wf3_dot(v, v), quarter = wf_mul(wf_set1(0.25f), z), c, s;
    wf_entire(quarter, &c, &s);
    const wf one = wf_set1(1);
    wf cosine = wf_mla(quarter, c, one), over_a = wf_mul(wf_set1(0.5f), wf_mla(quarter, s, one));
    wm wide = wf_lt(wf_set1(ROTATION_SERIES_END), quarter);
    if (wm_any(wide)) {
        wf a = wf_sqrt(z), wide_sine, wide_cosine;
        wf_sincos(wf_mul(wf_set1(0.5f), a), &wide_sine, &wide_cosine);
        over_a = wf_select(wide, wf_div(wide_sine, a), over_a);
        cosine = wf_select(wide, wide_cosine, cosine);
    }
    q[0] = wf_mul(over_a, v.x);
    q[1] = wf_mul(over_a, v.y);
    q[2] = wf_mul(over_a, v.z);
    q[3] = cosine;
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

VF_INLINE gyre_status rotation_entries_range(rotation_kind kind, const float *vx, const float *vy, const float *vz,
                                             float *const entries[9], size_t begin, size_t end)
{
    gyre_status status = check_rotations(vx, vy, vz, entries, 9, begin, end);
    if (status != GYRE_OK) {
        return status;
    }
    for (size_t i = begin, n; i < end; i += n) {
        n = wf_lanes_left(i, end);
        wf entry[9];
        rotation_entries(tame_rotation(wf3_load_n(vx, vy, vz, i, n)), kind, entry);
        for (size_t k = 0; k < 9; k++) {
            wf_store_n(entries[k] + i, entry[k], n);
        }
    }
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status rotation_matrix(const float *vx, const float *vy, const float *vz, float *const r[9],
                                                 size_t begin, size_t end)
{
    return rotation_entries_range(ROTATION_MATRIX, vx, vy, vz, r, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_tangent(const float *vx, const float *vy, const float *vz, float *const t[9],
                                                  size_t begin, size_t end)
{
    return rotation_entries_range(ROTATION_TANGENT, vx, vy, vz, t, begin, end);
}

GYRE_KERNEL_FUNCTION gyre_status rotation_quaternion(const float *vx, const float *vy, const float *vz,
                                                     float *const q[4], size_t begin, size_t end)
{
    gyre_status status = check_rotations(vx, vy, vz, q, 4, begin, end);
    if (status != GYRE_OK) {
        return status;
    }
    for (size_t i = begin, n; i < end; i += n) {
        n = wf_lanes_left(i, end);
        wf versor[4];
        rotation_versor(tame_rotation(wf3_load_n(vx, vy, vz, i, n)), versor);
        for (size_t k = 0; k < 4; k++) {
            wf_store_n(q[k] + i, versor[k], n);
        }
    }
    return GYRE_OK;
}
