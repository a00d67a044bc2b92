/* Vectors of three components and quaternions, one in each lane. */
#ifndef GYRE_SIMD_VF3_H
#define GYRE_SIMD_VF3_H

#include "simd/vf-inl.h"

typedef struct vf3 {
    vf x, y, z;
} vf3;

/* x y z w */
typedef struct vf4 {
    vf3 v;
    vf w;
} vf4;

VF_INLINE vf3 vf3_load_n(const float *x, const float *y, const float *z, size_t i, size_t n)
{
    return (vf3){vf_load_n(x + i, n), vf_load_n(y + i, n), vf_load_n(z + i, n)};
}

VF_INLINE void vf3_store_n(float *const to[3], vf3 a, size_t i, size_t n)
{
    vf_store_n(to[0] + i, a.x, n);
    vf_store_n(to[1] + i, a.y, n);
    vf_store_n(to[2] + i, a.z, n);
}

VF_INLINE vf3 vf3_add(vf3 a, vf3 b) { return (vf3){vf_add(a.x, b.x), vf_add(a.y, b.y), vf_add(a.z, b.z)}; }
VF_INLINE vf3 vf3_sub(vf3 a, vf3 b) { return (vf3){vf_sub(a.x, b.x), vf_sub(a.y, b.y), vf_sub(a.z, b.z)}; }
VF_INLINE vf3 vf3_mul(vf3 a, vf3 b) { return (vf3){vf_mul(a.x, b.x), vf_mul(a.y, b.y), vf_mul(a.z, b.z)}; }
VF_INLINE vf3 vf3_scale(vf s, vf3 a) { return (vf3){vf_mul(s, a.x), vf_mul(s, a.y), vf_mul(s, a.z)}; }
VF_INLINE vf3 vf3_neg(vf3 a) { return (vf3){vf_neg(a.x), vf_neg(a.y), vf_neg(a.z)}; }
VF_INLINE vf3 vf3_abs(vf3 a) { return (vf3){vf_abs(a.x), vf_abs(a.y), vf_abs(a.z)}; }

VF_INLINE vf3 vf3_flushed(vf3 a) { return (vf3){vf_flushed(a.x), vf_flushed(a.y), vf_flushed(a.z)}; }

VF_INLINE vf3 vf3_flushed_for_square(vf3 a)
{
    return (vf3){vf_flushed_for_square(a.x), vf_flushed_for_square(a.y), vf_flushed_for_square(a.z)};
}

/* s added to every component. */
VF_INLINE vf3 vf3_add_scalar(vf3 a, vf s) { return (vf3){vf_add(a.x, s), vf_add(a.y, s), vf_add(a.z, s)}; }

/* 0 for every component whose magnitude is below `least`. */
VF_INLINE vf3 vf3_zero_below(float least, vf3 a)
{
    const vf limit = vf_set1(least);
    return (vf3){vf_zero_where(vf_lt(vf_abs(a.x), limit), a.x), vf_zero_where(vf_lt(vf_abs(a.y), limit), a.y),
                 vf_zero_where(vf_lt(vf_abs(a.z), limit), a.z)};
}

/* s a + b */
VF_INLINE vf3 vf3_scale_add(vf s, vf3 a, vf3 b)
{
    return (vf3){vf_mul_add(s, a.x, b.x), vf_mul_add(s, a.y, b.y), vf_mul_add(s, a.z, b.z)};
}

/* b - s a */
VF_INLINE vf3 vf3_neg_scale_add(vf s, vf3 a, vf3 b)
{
    return (vf3){vf_neg_mul_add(s, a.x, b.x), vf_neg_mul_add(s, a.y, b.y), vf_neg_mul_add(s, a.z, b.z)};
}

/* Components multiplied: a b + c */
VF_INLINE vf3 vf3_mul_add(vf3 a, vf3 b, vf3 c)
{
    return (vf3){vf_mul_add(a.x, b.x, c.x), vf_mul_add(a.y, b.y, c.y), vf_mul_add(a.z, b.z, c.z)};
}

/* c - a b */
VF_INLINE vf3 vf3_neg_mul_add(vf3 a, vf3 b, vf3 c)
{
    return (vf3){vf_neg_mul_add(a.x, b.x, c.x), vf_neg_mul_add(a.y, b.y, c.y), vf_neg_mul_add(a.z, b.z, c.z)};
}

VF_INLINE vf3 vf3_select(vm m, vf3 a, vf3 b)
{
    return (vf3){vf_select(m, a.x, b.x), vf_select(m, a.y, b.y), vf_select(m, a.z, b.z)};
}

/* y z and cyclic */
VF_INLINE vf3 vf3_cyclic_products(vf3 a) { return (vf3){vf_mul(a.y, a.z), vf_mul(a.z, a.x), vf_mul(a.x, a.y)}; }

/* a.y b.z + a.z b.y and cyclic */
VF_INLINE vf3 vf3_mixed_products(vf3 a, vf3 b)
{
    return (vf3){
        vf_mul_add(a.y, b.z, vf_mul(a.z, b.y)),
        vf_mul_add(a.z, b.x, vf_mul(a.x, b.z)),
        vf_mul_add(a.x, b.y, vf_mul(a.y, b.x)),
    };
}

/* y - z and cyclic */
VF_INLINE vf3 vf3_cyclic_differences(vf3 a) { return (vf3){vf_sub(a.y, a.z), vf_sub(a.z, a.x), vf_sub(a.x, a.y)}; }

VF_INLINE vf vf3_sum(vf3 a) { return vf_add(a.x, vf_add(a.y, a.z)); }

VF_INLINE vf vf3_dot(vf3 a, vf3 b) { return vf_mul_add(a.x, b.x, vf_mul_add(a.y, b.y, vf_mul(a.z, b.z))); }

/* a . b + c */
VF_INLINE vf vf3_dot_add(vf3 a, vf3 b, vf c)
{
    return vf_mul_add(a.x, b.x, vf_mul_add(a.y, b.y, vf_mul_add(a.z, b.z, c)));
}

/* |a|^2 + about guard^2, without subnormal products. A portable table adds the guard to each component; a fused one
   adds its square to the sum, which uses the unrounded products. */
VF_INLINE vf vf3_square_of_guarded(vf3 a, float guard)
{
#if GYRE_FUSED
    return vf3_dot_add(a, a, vf_set1(guard * guard));
#else
    a = vf3_add_scalar(a, vf_set1(guard));
    return vf3_dot(a, a);
#endif
}

VF_INLINE vf3 vf3_cross(vf3 a, vf3 b)
{
    return (vf3){
        vf_neg_mul_add(a.z, b.y, vf_mul(a.y, b.z)),
        vf_neg_mul_add(a.x, b.z, vf_mul(a.z, b.x)),
        vf_neg_mul_add(a.y, b.x, vf_mul(a.x, b.y)),
    };
}

VF_INLINE vf vf3_min(vf3 a) { return vf_min(vf_min(a.x, a.y), a.z); }
VF_INLINE vf vf3_max(vf3 a) { return vf_max(vf_max(a.x, a.y), a.z); }
VF_INLINE vf vf3_max_abs(vf3 a) { return vf3_max(vf3_abs(a)); }

VF_INLINE vf4 vf4_load_n(float *const q[4], size_t i, size_t n)
{
    return (vf4){vf3_load_n(q[0], q[1], q[2], i, n), vf_load_n(q[3] + i, n)};
}

VF_INLINE void vf4_store_n(float *const to[4], vf4 a, size_t i, size_t n)
{
    vf3_store_n(to, a.v, i, n);
    vf_store_n(to[3] + i, a.w, n);
}

VF_INLINE vf4 vf4_add(vf4 a, vf4 b) { return (vf4){vf3_add(a.v, b.v), vf_add(a.w, b.w)}; }
VF_INLINE vf4 vf4_scale(vf s, vf4 a) { return (vf4){vf3_scale(s, a.v), vf_mul(s, a.w)}; }

/* s a + b */
VF_INLINE vf4 vf4_scale_add(vf s, vf4 a, vf4 b) { return (vf4){vf3_scale_add(s, a.v, b.v), vf_mul_add(s, a.w, b.w)}; }

VF_INLINE vf4 vf4_select(vm m, vf4 a, vf4 b) { return (vf4){vf3_select(m, a.v, b.v), vf_select(m, a.w, b.w)}; }
VF_INLINE vf vf4_max_abs(vf4 a) { return vf_max(vf3_max_abs(a.v), vf_abs(a.w)); }
VF_INLINE vf vf4_square(vf4 a) { return vf_mul_add(a.w, a.w, vf3_dot(a.v, a.v)); }

/* Whether the square of a length is 1 within `limit`. */
VF_INLINE vm vf_is_unit_within(float limit, vf square)
{
    return vf_lt(vf_abs(vf_sub(square, vf_set1(1))), vf_set1(limit));
}

VF_INLINE vf4 vf4_zero_below(float least, vf4 a)
{
    return (vf4){vf3_zero_below(least, a.v), vf_zero_where(vf_lt(vf_abs(a.w), vf_set1(least)), a.w)};
}

VF_INLINE vf4 vf4_flushed(vf4 a) { return (vf4){vf3_flushed(a.v), vf_flushed(a.w)}; }

VF_INLINE vf4 vf4_flushed_for_square(vf4 a) { return (vf4){vf3_flushed_for_square(a.v), vf_flushed_for_square(a.w)}; }

#endif
