/* The operations of simd/vf-inl.h in plain C, with 4 lanes: the vectors that gcc and clang have for every CPU. They
   become vector instructions if the CPU has some, such as NEON on AArch64, and otherwise operations on one lane after
   another. Included only by simd/vf-inl.h. */
#ifndef GYRE_SIMD_VF_PLAIN_H
#define GYRE_SIMD_VF_PLAIN_H

#include "scalar/square_root.h"
#if defined(__aarch64__)
#include <arm_neon.h> /* for the few instructions that compilers do not generate from plain C */
#endif

typedef float vf __attribute__((vector_size(16)));
typedef uint32_t vi __attribute__((vector_size(16))); /* unsigned, because sums wrap around */
typedef int32_t vm __attribute__((vector_size(16)));  /* 0 or -1 in each lane, as from comparisons */
typedef uint16_t vf_shorts __attribute__((vector_size(16)));

VF_INLINE vf vf_set1(float x) { return (vf){x, x, x, x}; }
/* Through pointers rather than memcpy, for which gcc computes every address again. */
typedef float vf_in_memory __attribute__((vector_size(16), aligned(4), may_alias));
VF_INLINE vf vf_load(const float *p) { return *(const vf_in_memory *)p; }
VF_INLINE void vf_store(float *p, vf a) { *(vf_in_memory *)p = a; }

VF_INLINE vf vf_add(vf a, vf b) { return a + b; }
VF_INLINE vf vf_sub(vf a, vf b) { return a - b; }
VF_INLINE vf vf_mul(vf a, vf b) { return a * b; }
VF_INLINE vf vf_div(vf a, vf b) { return a / b; }

VF_INLINE vf vf_from_bits(vi a) { return (vf)a; }
VF_INLINE vi vf_bits(vf a) { return (vi)a; }
VF_INLINE vi vi_set1(int32_t x) { return (vi){(uint32_t)x, (uint32_t)x, (uint32_t)x, (uint32_t)x}; }
VF_INLINE vi vi_add(vi a, vi b) { return a + b; }
VF_INLINE vi vi_sub(vi a, vi b) { return a - b; }
VF_INLINE vi vi_and(vi a, vi b) { return a & b; }
VF_INLINE vi vi_or(vi a, vi b) { return a | b; }
VF_INLINE vi vi_xor(vi a, vi b) { return a ^ b; }
VF_INLINE vi vi_shl(vi a, int bits) { return a << bits; }
VF_INLINE vi vi_sar(vi a, int bits) { return (vi)((vm)a >> bits); }
VF_INLINE vf vi_to_vf(vi a) { return __builtin_convertvector((vm)a, vf); }

VF_INLINE vm vf_lt(vf a, vf b) { return a < b; }
VF_INLINE vm vf_le(vf a, vf b) { return a <= b; }
VF_INLINE vm vf_eq(vf a, vf b) { return a == b; }
VF_INLINE vm vi_eq(vi a, vi b) { return a == b; }
VF_INLINE vm vi_disjoint(vi a, vi b) { return (a & b) == 0; }
VF_INLINE vm vm_and(vm a, vm b) { return a & b; }
VF_INLINE vm vm_or(vm a, vm b) { return a | b; }
VF_INLINE vm vm_not(vm a) { return ~a; }

VF_INLINE vf vf_zero_where(vm m, vf a) { return (vf)(~m & (vm)a); }
VF_INLINE vf vf_select(vm m, vf a, vf b) { return (vf)((m & (vm)a) | (~m & (vm)b)); }
VF_INLINE vf vf_min(vf a, vf b) { return vf_select(a < b, a, b); }
VF_INLINE vf vf_max(vf a, vf b) { return vf_select(a > b, a, b); }

#if defined(__aarch64__)
VF_INLINE vi vi_max_unsigned(vi a, vi b) { return vmaxq_u32(a, b); }
VF_INLINE uint64_t vm_shorts(vm m) { return vget_lane_u64(vreinterpret_u64_u16(vmovn_u32((uint32x4_t)m)), 0); }
VF_INLINE bool vm_any(vm m) { return vm_shorts(m) != 0; }
VF_INLINE bool vm_all(vm m) { return vm_shorts(m) == UINT64_MAX; }
#else
VF_INLINE vi vi_max_unsigned(vi a, vi b) { return (vi)vf_select(a > b, (vf)a, (vf)b); }
VF_INLINE bool vm_any(vm m)
{
    uint64_t halves[2];
    memcpy(halves, &m, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}
VF_INLINE bool vm_all(vm m) { return !vm_any(~m); }
#endif
/* The bits of all four lanes, joined by or. */
VF_INLINE uint32_t vm_joined(vm m)
{
    uint64_t halves[2];
    memcpy(halves, &m, sizeof halves);
    const uint64_t joined = halves[0] | halves[1];
    return (uint32_t)(joined | joined >> 32);
}
VF_INLINE unsigned vm_bits(vm m) { return vm_joined(m & (vm){1, 2, 4, 8}); }
VF_INLINE void vm_store_bytes(uint8_t *p, vm m)
{
#if defined(__aarch64__)
    const uint8x8_t bytes = vmovn_u16((uint16x8_t)vmovn_high_u32(vmovn_u32((uint32x4_t)(m & 1)), (uint32x4_t){0}));
    const uint32_t four = vget_lane_u32(vreinterpret_u32_u8(bytes), 0);
    memcpy(p, &four, sizeof four);
#else
    const uint32_t bytes = vm_joined(m & (vm){1, 0x100, 0x10000, 0x1000000});
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        p[lane] = (uint8_t)(bytes >> 8 * lane);
    }
#endif
}
VF_INLINE vm vm_load_bytes(const uint8_t *p) { return (vi){p[0], p[1], p[2], p[3]} != 0; }

VF_INLINE vf vf_flushed(vf a)
{
#if defined(__aarch64__)
    uint32x4_t tiny; /* |a| < 2^-95 in one instruction; compilers make two of vcagtq_f32 with a constant */
    __asm__("facgt %0.4s, %1.4s, %2.4s" : "=w"(tiny) : "w"(vf_set1(0x1p-95f)), "w"(a));
    return vf_zero_where((vm)tiny, a);
#else
    return vf_zero_where(vi_disjoint(vf_bits(a), vi_set1(VF_KEPT_EXPONENTS)), a);
#endif
}

VF_INLINE vi vi_load_u16(const uint16_t *p) { return (vi){p[0], p[1], p[2], p[3]}; }

VF_INLINE vf_shorts vf_load_shorts(const uint16_t *p)
{
    vf_shorts a;
    memcpy(&a, p, sizeof a);
    return a;
}
VF_INLINE vf_shorts vf_equal_shorts(const uint16_t *a, const uint16_t *b)
{
    return (vf_shorts)(vf_load_shorts(a) == vf_load_shorts(b));
}
#if defined(__aarch64__)
/* Byte k of 16 has bit k % 8 set where a[k] and b[k] are equal, and is 0 otherwise. */
VF_INLINE uint8x16_t vi_equal16(const uint16_t *a, const uint16_t *b)
{
    const uint8x16_t bit = vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x8040201008040201)));
    const uint8x16_t low = (uint8x16_t)vf_equal_shorts(a, b), high = (uint8x16_t)vf_equal_shorts(a + 8, b + 8);
    return vandq_u8(bit, vuzp1q_u8(low, high));
}
VF_INLINE uint64_t vi_equal_u16(const uint16_t *a, const uint16_t *b)
{
    const uint8x16_t low = vpaddq_u8(vi_equal16(a, b), vi_equal16(a + 16, b + 16));
    const uint8x16_t high = vpaddq_u8(vi_equal16(a + 32, b + 32), vi_equal16(a + 48, b + 48));
    const uint8x16_t by_eights = vpaddq_u8(low, high);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(by_eights, by_eights)), 0);
}
#else
VF_INLINE uint64_t vi_equal_u16(const uint16_t *a, const uint16_t *b)
{
    const vf_shorts low = {1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80}, high = low << 8;
    uint64_t equal = 0;
    for (size_t k = 0; k < VF_CHUNK; k += 16) {
        const vf_shorts bits = (vf_equal_shorts(a + k, b + k) & low) | (vf_equal_shorts(a + k + 8, b + k + 8) & high);
        const uint32_t joined = vm_joined((vm)bits);
        equal |= (uint64_t)((joined | joined >> 16) & 0xffff) << k;
    }
    return equal;
}
#endif
VF_INLINE bool vi_chunk_is_at_most(const uint16_t *p, uint16_t limit)
{
    vm over = {0};
    for (size_t k = 0; k < VF_CHUNK; k += 8) {
        over |= (vm)(vf_load_shorts(p + k) > limit);
    }
    return vm_joined(over) == 0;
}

VF_INLINE vf vf_zip_low(vf a, vf b) { return (vf){a[0], b[0], a[1], b[1]}; }
VF_INLINE vf vf_zip_high(vf a, vf b) { return (vf){a[2], b[2], a[3], b[3]}; }
VF_INLINE vf vf_join_low(vf a, vf b) { return (vf){a[0], a[1], b[0], b[1]}; }
VF_INLINE vf vf_join_high(vf a, vf b) { return (vf){a[2], a[3], b[2], b[3]}; }

VF_INLINE vf vf_row4(const float *table, size_t stride, const uint16_t *which, size_t i)
{
    return vf_load(table + stride * which[i]);
}
VF_INLINE void vf_store_pieces4(float *const at[1], size_t offset, vf a) { vf_store(at[0] + offset, a); }
VF_INLINE void vf_store_pieces_n(float *const at[1], vf a, size_t n) { vf_store_piece_n(at[0], a, n); }
VF_INLINE void vf_store_pieces8(float *const at[1], vf a, vf b)
{
    vf_store(at[0], a);
    vf_store(at[0] + 4, b);
}

#if defined(__aarch64__)
VF_INLINE vf vf_sqrt(vf a) { return vsqrtq_f32(a); }
#else
VF_INLINE vf vf_sqrt(vf a)
{
    return (vf){float_square_root(a[0]), float_square_root(a[1]), float_square_root(a[2]), float_square_root(a[3])};
}
#endif

#if GYRE_FUSED && !defined(__aarch64__)
#error "a fused table in plain C needs its CPU's multiply-add here, and in simd/vd-inl.h"
#elif GYRE_FUSED
VF_INLINE vf vf_mul_add(vf a, vf b, vf c) { return vfmaq_f32(c, a, b); }
VF_INLINE vf vf_neg_mul_add(vf a, vf b, vf c) { return vfmsq_f32(c, a, b); }
#endif

#endif
