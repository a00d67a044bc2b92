/* The operations of simd/vw-inl.h in plain C, with 2 lanes. Included only by simd/vw-inl.h. */
#ifndef GYRE_SIMD_VW_PLAIN_H
#define GYRE_SIMD_VW_PLAIN_H

typedef uint64_t vw __attribute__((vector_size(16)));
VF_INLINE vw vw_set1(uint64_t x) { return (vw){x, x}; }
VF_INLINE vw vw_add(vw a, vw b) { return a + b; }
VF_INLINE vw vw_xor(vw a, vw b) { return a ^ b; }
VF_INLINE vw vw_high(vw a) { return a >> 32; }
VF_INLINE vw vw_swap(vw a) { return a << 32 | a >> 32; }
VF_INLINE vw vw_even(vi a) { return (vw){a[0], a[2]}; }
VF_INLINE vw vw_odd(vi a) { return (vw){a[1], a[3]}; }
#if defined(__aarch64__)
VF_INLINE vw vw_mul_add_low(vw a, vw b, vw c) { return vmlal_u32(c, vmovn_u64(a), vmovn_u64(b)); }
#else
VF_INLINE vw vw_mul_add_low(vw a, vw b, vw c)
{
    return (vw){(uint64_t)(uint32_t)a[0] * (uint32_t)b[0] + c[0], (uint64_t)(uint32_t)a[1] * (uint32_t)b[1] + c[1]};
}
#endif

#endif
