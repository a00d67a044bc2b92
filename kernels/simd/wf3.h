/* Vectors of three components and quaternions, one in each lane. */
#ifndef GYRE_SIMD_WF3_H
#define GYRE_SIMD_WF3_H

#include "wf.h"

typedef struct wf3 {
    wf x, y, z;
} wf3;

/* x y z w */
typedef struct wf4 {
    wf3 v;
    wf w;
} wf4;

VF_INLINE wf3 wf3_load_n(const float *x, const float *y, const float *z, size_t i, size_t n)
{
    return (wf3){wf_load_n(x + i, n), wf_load_n(y + i, n), wf_load_n(z + i, n)};
}

VF_INLINE wf3 wf3_add(wf3 a, wf3 b) { return (wf3){wf_add(a.x, b.x), wf_add(a.y, b.y), wf_add(a.z, b.z)}; }
VF_INLINE wf3 wf3_sub(wf3 a, wf3 b) { return (wf3){wf_sub(a.x, b.x), wf_sub(a.y, b.y), wf_sub(a.z, b.z)}; }
VF_INLINE wf3 wf3_times(wf3 a, wf3 b) { return (wf3){wf_mul(a.x, b.x), wf_mul(a.y, b.y), wf_mul(a.z, b.z)}; }
VF_INLINE wf3 wf3_scale(wf s, wf3 a) { return (wf3){wf_mul(s, a.x), wf_mul(s, a.y), wf_mul(s, a.z)}; }
VF_INLINE wf3 wf3_neg(wf3 a) { return (wf3){wf_neg(a.x), wf_neg(a.y), wf_neg(a.z)}; }

/* s a + b */
VF_INLINE wf3 wf3_scale_add(wf s, wf3 a, wf3 b)
{
    return (wf3){wf_mla(s, a.x, b.x), wf_mla(s, a.y, b.y), wf_mla(s, a.z, b.z)};
}

/* Components multiplied: a b + c */
VF_INLINE wf3 wf3_times_add(wf3 a, wf3 b, wf3 c)
{
    return (wf3){wf_mla(a.x, b.x, c.x), wf_mla(a.y, b.y, c.y), wf_mla(a.z, b.z, c.z)};
}

VF_INLINE wf3 wf3_select(wm m, wf3 a, wf3 b)
{
    return (wf3){wf_select(m, a.x, b.x), wf_select(m, a.y, b.y), wf_select(m, a.z, b.z)};
}

VF_INLINE wf wf3_dot(wf3 a, wf3 b) { return wf_mla(a.x, b.x, wf_mla(a.y, b.y, wf_mul(a.z, b.z))); }

VF_INLINE wf3 wf3_cross(wf3 a, wf3 b)
{
    return (wf3){
        wf_nmla(a.z, b.y, wf_mul(a.y, b.z)),
        wf_nmla(a.x, b.z, wf_mul(a.z, b.x)),
        wf_nmla(a.y, b.x, wf_mul(a.x, b.y)),
    };
}

VF_INLINE wf wf3_largest(wf3 a) { return wf_max(wf_max(wf_abs(a.x), wf_abs(a.y)), wf_abs(a.z)); }

#endif
