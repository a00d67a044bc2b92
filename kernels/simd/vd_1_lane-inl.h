/* The operations of simd/vd-inl.h on one lane, which is its own half. Included only by simd/vd-inl.h. */
#ifndef GYRE_SIMD_VD_1_LANE_H
#define GYRE_SIMD_VD_1_LANE_H

typedef double vd;
typedef bool vdm;

VF_INLINE vd vd_set1(double x) { return x; }
VF_INLINE vd vd_add(vd x, vd y) { return x + y; }
VF_INLINE vd vd_sub(vd x, vd y) { return x - y; }
VF_INLINE vd vd_mul(vd x, vd y) { return x * y; }
VF_INLINE vd vd_div(vd x, vd y) { return x / y; }
VF_INLINE vd vd_sqrt(vd x) { return double_square_root(x); }
#if GYRE_FUSED && defined(__OPENCL_C_VERSION__)
VF_INLINE vd vd_mul_add(vd a, vd b, vd c) { return fma(a, b, c); }
VF_INLINE vd vd_neg_mul_add(vd a, vd b, vd c) { return fma(-a, b, c); }
#elif GYRE_FUSED
VF_INLINE vd vd_mul_add(vd a, vd b, vd c) { return __builtin_fma(a, b, c); }
VF_INLINE vd vd_neg_mul_add(vd a, vd b, vd c) { return __builtin_fma(-a, b, c); }
#endif

VF_INLINE vd vd_or(vd x, vd y) { return double_of_bits(bits_of_double(x) | bits_of_double(y)); }
VF_INLINE vd vd_bits_added_and(vd x, int64_t added, int64_t mask)
{
    return double_of_bits((bits_of_double(x) + (uint64_t)added) & (uint64_t)mask);
}

VF_INLINE vdm vd_lt(vd x, vd y) { return x < y; }
VF_INLINE vdm vd_le(vd x, vd y) { return x <= y; }
VF_INLINE vdm vd_eq(vd x, vd y) { return x == y; }
VF_INLINE vdm vdm_and(vdm x, vdm y) { return x && y; }
VF_INLINE vdm vdm_or(vdm x, vdm y) { return x || y; }
VF_INLINE vd vd_select(vdm m, vd x, vd y) { return m ? x : y; }
VF_INLINE vd vd_zero_where(vdm m, vd x) { return m ? 0 : x; }

VF_INLINE vd vd_from_floats(const float *a) { return *a; }
VF_INLINE void vd_to_floats(float *a, vd x) { *a = (float)x; }
VF_INLINE vd vd_from_half(vf a, int part) { return part == 0 ? a : 0; }
VF_INLINE vf vf_from_halves(vd a, vd b)
{
    (void)b;
    return (float)a;
}

enum { VD_LANES = 1 };
VF_INLINE vd vd_load_half(const float *a, int part) { return vd_from_floats(a + part); }

#endif
