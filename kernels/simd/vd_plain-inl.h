/* The operations of simd/vd-inl.h in plain C, with 2 lanes. Included only by simd/vd-inl.h. */
#ifndef GYRE_SIMD_VD_PLAIN_H
#define GYRE_SIMD_VD_PLAIN_H

#include "scalar/square_root.h"

typedef double vd __attribute__((vector_size(16)));
typedef uint64_t vd_words __attribute__((vector_size(16)));
VF_INLINE vd vd_add(vd x, vd y) { return x + y; }
VF_INLINE vd vd_sub(vd x, vd y) { return x - y; }
VF_INLINE vd vd_mul(vd x, vd y) { return x * y; }
VF_INLINE vd vd_div(vd x, vd y) { return x / y; }
VF_INLINE vd vd_set1(double x) { return (vd){x, x}; }
VF_INLINE vd vd_or(vd x, vd y) { return (vd)((vd_words)x | (vd_words)y); }
VF_INLINE vd vd_bits_added_and(vd x, int64_t added, int64_t mask)
{
    return (vd)(((vd_words)x + (uint64_t)added) & (uint64_t)mask);
}
typedef vd_words vdm; /* all bits set or none, as from comparisons */
VF_INLINE vdm vd_lt(vd x, vd y) { return (vdm)(x < y); }
VF_INLINE vdm vd_le(vd x, vd y) { return (vdm)(x <= y); }
VF_INLINE vdm vd_eq(vd x, vd y) { return (vdm)(x == y); }
VF_INLINE vdm vdm_and(vdm x, vdm y) { return x & y; }
VF_INLINE vdm vdm_or(vdm x, vdm y) { return x | y; }
VF_INLINE vd vd_zero_where(vdm m, vd x) { return (vd)(~m & (vd_words)x); }
VF_INLINE vd vd_select(vdm m, vd x, vd y) { return (vd)((m & (vd_words)x) | (~m & (vd_words)y)); }
VF_INLINE vm vm_from_halves(vdm a, vdm b) /* every word of a mask is all ones or 0 */
{
    const vm x = (vm)a, y = (vm)b;
    return (vm){x[0], x[2], y[0], y[2]};
}
#if defined(__aarch64__) /* gcc converts plain C lane by lane */
VF_INLINE vd vd_sqrt(vd x) { return vsqrtq_f64(x); }
VF_INLINE vd vd_from_floats(const float *a) { return vcvt_f64_f32(vld1_f32(a)); }
VF_INLINE void vd_to_floats(float *a, vd x) { vst1_f32(a, vcvt_f32_f64(x)); }
VF_INLINE vf vf_from_halves(vd a, vd b) { return vcvt_high_f32_f64(vcvt_f32_f64(a), b); }
VF_INLINE vd vd_from_half(vf a, int part) { return part ? vcvt_high_f64_f32(a) : vcvt_f64_f32(vget_low_f32(a)); }
#else
VF_INLINE vd vd_sqrt(vd x) { return (vd){double_square_root(x[0]), double_square_root(x[1])}; }
typedef float vd_floats __attribute__((vector_size(8)));
VF_INLINE vd vd_from_floats(const float *a)
{
    vd_floats part;
    memcpy(&part, a, sizeof part);
    return __builtin_convertvector(part, vd);
}
VF_INLINE void vd_to_floats(float *a, vd x)
{
    const vd_floats part = __builtin_convertvector(x, vd_floats);
    memcpy(a, &part, sizeof part);
}
VF_INLINE vf vf_from_halves(vd a, vd b) { return (vf){(float)a[0], (float)a[1], (float)b[0], (float)b[1]}; }
VF_INLINE vd vd_from_half(vf a, int part) { return part ? (vd){a[2], a[3]} : (vd){a[0], a[1]}; }
#endif
#if GYRE_FUSED
VF_INLINE vd vd_mul_add(vd a, vd b, vd c) { return vfmaq_f64(c, a, b); }
VF_INLINE vd vd_neg_mul_add(vd a, vd b, vd c) { return vfmsq_f64(c, a, b); }
#endif

#endif
