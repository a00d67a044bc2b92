/* vfd: doubles, as many as a vf has floats: two vd, or one if a vf has one lane. Its operations are called like those
   of vf, so that a step can be written once for both (simd/real-inl.h). Comparisons return a vfd_mask, because
   converting it to a vm and back takes shuffles. */
#ifndef GYRE_SIMD_VFD_H
#define GYRE_SIMD_VFD_H

#include "simd/vd-inl.h"

#if GYRE_LANES == 1
typedef vd vfd;
typedef vdm vfd_mask;
#define VFD_OF_ONE(operation)                                                                                          \
    VF_INLINE vfd vfd_##operation(vfd a) { return vd_##operation(a); }
#define VFD_OF_TWO(operation)                                                                                          \
    VF_INLINE vfd vfd_##operation(vfd a, vfd b) { return vd_##operation(a, b); }
#define VFD_OF_THREE(operation)                                                                                        \
    VF_INLINE vfd vfd_##operation(vfd a, vfd b, vfd c) { return vd_##operation(a, b, c); }
#define VFD_COMPARISON(operation)                                                                                      \
    VF_INLINE vfd_mask vfd_##operation(vfd a, vfd b) { return vd_##operation(a, b); }
VF_INLINE vm vfd_mask_to_vm(vfd_mask m) { return m; }
VF_INLINE vfd_mask vfd_mask_and(vfd_mask a, vfd_mask b) { return a && b; }
VF_INLINE vfd_mask vfd_mask_or(vfd_mask a, vfd_mask b) { return a || b; }
VF_INLINE vfd vfd_set1(double x) { return x; }
VF_INLINE vfd vfd_select(vfd_mask m, vfd a, vfd b) { return m ? a : b; }
VF_INLINE vfd vfd_zero_where(vfd_mask m, vfd a) { return m ? 0 : a; }
VF_INLINE vfd vfd_from_vf(vf a) { return a; }
VF_INLINE vf vf_from_vfd(vfd a) { return (float)vd_rounded_to_float(a); }
VF_INLINE vf vf_nearest(vfd a) { return (float)a; }
#else
typedef struct vfd {
    vd part[2];
} vfd;

typedef struct vfd_mask {
    vdm part[2];
} vfd_mask;

#define VFD_OF_ONE(operation)                                                                                          \
    VF_INLINE vfd vfd_##operation(vfd a) { return (vfd){{vd_##operation(a.part[0]), vd_##operation(a.part[1])}}; }
#define VFD_OF_TWO(operation)                                                                                          \
    VF_INLINE vfd vfd_##operation(vfd a, vfd b)                                                                        \
    {                                                                                                                  \
        return (vfd){{vd_##operation(a.part[0], b.part[0]), vd_##operation(a.part[1], b.part[1])}};                    \
    }
#define VFD_OF_THREE(operation)                                                                                        \
    VF_INLINE vfd vfd_##operation(vfd a, vfd b, vfd c)                                                                 \
    {                                                                                                                  \
        return (vfd){                                                                                                  \
            {vd_##operation(a.part[0], b.part[0], c.part[0]), vd_##operation(a.part[1], b.part[1], c.part[1])}};       \
    }
#define VFD_COMPARISON(operation)                                                                                      \
    VF_INLINE vfd_mask vfd_##operation(vfd a, vfd b)                                                                   \
    {                                                                                                                  \
        return (vfd_mask){{vd_##operation(a.part[0], b.part[0]), vd_##operation(a.part[1], b.part[1])}};               \
    }

VF_INLINE vm vfd_mask_to_vm(vfd_mask m) { return vm_from_halves(m.part[0], m.part[1]); }

VF_INLINE vfd_mask vfd_mask_and(vfd_mask a, vfd_mask b)
{
    return (vfd_mask){{vdm_and(a.part[0], b.part[0]), vdm_and(a.part[1], b.part[1])}};
}

VF_INLINE vfd_mask vfd_mask_or(vfd_mask a, vfd_mask b)
{
    return (vfd_mask){{vdm_or(a.part[0], b.part[0]), vdm_or(a.part[1], b.part[1])}};
}

VF_INLINE vfd vfd_set1(double x) { return (vfd){{vd_set1(x), vd_set1(x)}}; }

VF_INLINE vfd vfd_select(vfd_mask m, vfd a, vfd b)
{
    return (vfd){{vd_select(m.part[0], a.part[0], b.part[0]), vd_select(m.part[1], a.part[1], b.part[1])}};
}

VF_INLINE vfd vfd_zero_where(vfd_mask m, vfd a)
{
    return (vfd){{vd_zero_where(m.part[0], a.part[0]), vd_zero_where(m.part[1], a.part[1])}};
}

VF_INLINE vfd vfd_from_vf(vf a) { return (vfd){{vd_from_half(a, 0), vd_from_half(a, 1)}}; }

/* A double as stored without a low part. */
VF_INLINE vf vf_from_vfd(vfd a)
{
    return vf_from_halves(vd_rounded_to_float(a.part[0]), vd_rounded_to_float(a.part[1]));
}

/* The nearest floats, including subnormal ones. */
VF_INLINE vf vf_nearest(vfd a) { return vf_from_halves(a.part[0], a.part[1]); }
#endif

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
VFD_OF_ONE(rounded_to_float)
VFD_COMPARISON(lt)
VFD_COMPARISON(le)
VFD_COMPARISON(eq)

/* Like vf_min and vf_max, these return the second operand where either is NaN. */
VF_INLINE vfd vfd_min(vfd a, vfd b) { return vfd_select(vfd_lt(a, b), a, b); }
VF_INLINE vfd vfd_max(vfd a, vfd b) { return vfd_select(vfd_lt(b, a), a, b); }

VF_INLINE vfd vfd_clamp(vfd a, vfd lower, vfd upper) { return vfd_max(lower, vfd_min(upper, a)); }

VF_INLINE vfd_mask vfd_mask_not(vfd_mask m)
{
    const vfd one = vfd_set1(1);
    return vfd_eq(vfd_zero_where(m, one), one);
}

#endif
