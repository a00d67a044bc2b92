/* The operations of simd/vd-inl.h that are one intrinsic at every width. Included by simd/vd_4_lanes-inl.h,
   simd/vd_8_lanes-inl.h and simd/vd_16_lanes-inl.h, which define VD: the name of the intrinsic for an operation. */
#ifndef GYRE_SIMD_VD_ANY_LANES_H
#define GYRE_SIMD_VD_ANY_LANES_H

VF_INLINE vd vd_add(vd x, vd y) { return VD(add)(x, y); }
VF_INLINE vd vd_sub(vd x, vd y) { return VD(sub)(x, y); }
VF_INLINE vd vd_mul(vd x, vd y) { return VD(mul)(x, y); }
VF_INLINE vd vd_div(vd x, vd y) { return VD(div)(x, y); }
VF_INLINE vd vd_sqrt(vd x) { return VD(sqrt)(x); }
VF_INLINE vd vd_or(vd x, vd y) { return VD(or)(x, y); }
VF_INLINE vd vd_set1(double x) { return VD(set1)(x); }

#endif
