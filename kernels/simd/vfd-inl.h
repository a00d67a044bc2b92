/* vfd: doubles, as many as a vf has floats: two vd, or one where a vf has one lane. Its operations are called as those
   of vf are, so that a step can be written once for both (simd/real-inl.h). Comparisons give the mask of all lanes.

   In memory a vfd is an unevaluated sum of two floats, which keeps 48 bits of it: vfd_sum. */
#ifndef GYRE_SIMD_VFD_H
#define GYRE_SIMD_VFD_H

#include "simd/vd-inl.h"

typedef struct vfd {
    vd half[2];
} vfd;

#define VFD_OF_ONE(operation)                                                                                          \
    VF_INLINE vfd vfd_##operation(vfd a) { return (vfd){{vd_##operation(a.half[0]), vd_##operation(a.half[1])}}; }
#define VFD_OF_TWO(operation)                                                                                          \
    VF_INLINE vfd vfd_##operation(vfd a, vfd b)                                                                        \
    {                                                                                                                  \
        return (vfd){{vd_##operation(a.half[0], b.half[0]), vd_##operation(a.half[1], b.half[1])}};                    \
    }
#define VFD_OF_THREE(operation)                                                                                        \
    VF_INLINE vfd vfd_##operation(vfd a, vfd b, vfd c)                                                                 \
    {                                                                                                                  \
        return (vfd){{vd_##operation(a.half[0], b.half[0], c.half[0]),                                                 \
                      vd_##operation(a.half[1], b.half[1], c.half[1])}};                                               \
    }
#define VFD_COMPARISON(operation)                                                                                      \
    VF_INLINE vm vfd_##operation(vfd a, vfd b)                                                                         \
    {                                                                                                                  \
        return vm_from_halves(vd_##operation(a.half[0], b.half[0]), vd_##operation(a.half[1], b.half[1]));             \
    }
VFD_OF_TWO(add)
VFD_OF_TWO(sub)
VFD_OF_TWO(mul)
VFD_OF_TWO(div)
VFD_OF_TWO(copysign)
VFD_OF_THREE(mul_add)
VFD_OF_THREE(neg_mul_add)
VFD_OF_ONE(sqrt)
VFD_OF_ONE(abs)
VFD_OF_ONE(neg)
VFD_OF_ONE(round)
VFD_OF_ONE(flushed)
VFD_COMPARISON(lt)
VFD_COMPARISON(le)
VFD_COMPARISON(eq)

VF_INLINE vfd vfd_set1(double x) { return (vfd){{vd_set1(x), vd_set1(x)}}; }

VF_INLINE vfd vfd_select(vm m, vfd a, vfd b)
{
    return (vfd){{vd_select(vdm_from_half(m, 0), a.half[0], b.half[0]),
                  vd_select(vdm_from_half(m, 1), a.half[1], b.half[1])}};
}

VF_INLINE vfd vfd_zero_where(vm m, vfd a)
{
    return (vfd){{vd_zero_where(vdm_from_half(m, 0), a.half[0]), vd_zero_where(vdm_from_half(m, 1), a.half[1])}};
}

VF_INLINE vfd vfd_from_vf(vf a) { return (vfd){{vd_from_half(a, 0), vd_from_half(a, 1)}}; }

/* Floats become doubles as they are loaded, which spares the CPU's shuffle unit half of the work of a conversion. */
VF_INLINE vfd vfd_load_n(const float *p, size_t n)
{
    return n == VF_LANES ? (vfd){{vd_load_half(p, 0), vd_load_half(p, 1)}} : vfd_from_vf(vf_load_n(p, n));
}

VF_INLINE vfd vfd_load_doubles(const double *p)
{
    return (vfd){{vd_load_doubles(p), vd_load_doubles(p + VD_LANES)}};
}

/* high + low, unevaluated; |low| is at most half an ulp of high. */
typedef struct vfd_sum {
    vf high, low;
} vfd_sum;

/* Good to 2^-48. Low parts are flushed as floats are. */
VF_INLINE vfd_sum vfd_to_sum(vfd a)
{
    const vfd high = {{vd_rounded_to_float(a.half[0]), vd_rounded_to_float(a.half[1])}}, low = vfd_sub(a, high);
    return (vfd_sum){vf_from_halves(high.half[0], high.half[1]), vf_flushed(vf_from_halves(low.half[0], low.half[1]))};
}

VF_INLINE vfd vfd_from_sum(vfd_sum a) { return vfd_add(vfd_from_vf(a.high), vfd_from_vf(a.low)); }

VF_INLINE vfd_sum vfd_sum_select(vm m, vfd_sum a, vfd_sum b)
{
    return (vfd_sum){vf_select(m, a.high, b.high), vf_select(m, a.low, b.low)};
}

/* The first n lanes of sums in two arrays, at element i: as they are, and added. */
VF_INLINE vfd_sum vfd_load_parts_n(const float *high, const float *low, size_t i, size_t n)
{
    return (vfd_sum){vf_load_n(high + i, n), vf_load_n(low + i, n)};
}
VF_INLINE vfd vfd_load_sum_n(const float *high, const float *low, size_t i, size_t n)
{
    return vfd_add(vfd_load_n(high + i, n), vfd_load_n(low + i, n));
}

VF_INLINE void vfd_store_sum_n(float *high, float *low, size_t i, vfd_sum a, size_t n)
{
    vf_store_n(high + i, a.high, n);
    vf_store_n(low + i, a.low, n);
}

/* A double as it is stored without a low part. */
VF_INLINE vf vf_from_vfd(vfd a)
{
    return vf_from_halves(vd_rounded_to_float(a.half[0]), vd_rounded_to_float(a.half[1]));
}

#endif
