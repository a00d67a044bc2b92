/* vf: a vector of floats. The few operations from which every kernel is written once for every instruction set.

   GYRE_LANES (4, 8 or 16) and GYRE_FUSED (0 or 1) come from the build, one pair per table. Four and eight lanes go
   through SIMDe, so that the same block is SSE, NEON or plain C; sixteen lanes are AVX-512 itself, because SIMDe lacks
   several of its operations.

   Types    vf floats, vi 32-bit integers, vm a mask with one truth value per lane.
   Rounding Every operation is one IEEE operation to nearest even, subnormals kept. vf_mla and vf_nmla alone differ
            between tables: two roundings in a portable one, one in a fused one.
   NaN      Arithmetic passes NaN on. Comparisons with NaN are false. vf_min and vf_max answer their second argument
            if either is NaN. vf_abs, vf_neg, vf_copysign, vf_select and vf_drop move bits and ask no questions.
   Tails    vf_load_n and vf_store_n touch n lanes of memory only; the lanes beyond read as 0. */
#ifndef GYRE_SIMD_VF_H
#define GYRE_SIMD_VF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VF_LANES ((size_t)GYRE_LANES)
#define VF_INLINE static inline __attribute__((always_inline, unused))

#if GYRE_LANES == 4

#include <simde/x86/fma.h>
#include <simde/x86/sse4.1.h>

typedef simde__m128 vf;
typedef simde__m128i vi;
typedef simde__m128 vm;

VF_INLINE vf vf_set1(float x) { return simde_mm_set1_ps(x); }
VF_INLINE vf vf_load(const float *p) { return simde_mm_loadu_ps(p); }
VF_INLINE void vf_store(float *p, vf a) { simde_mm_storeu_ps(p, a); }

VF_INLINE vf vf_add(vf a, vf b) { return simde_mm_add_ps(a, b); }
VF_INLINE vf vf_sub(vf a, vf b) { return simde_mm_sub_ps(a, b); }
VF_INLINE vf vf_mul(vf a, vf b) { return simde_mm_mul_ps(a, b); }
VF_INLINE vf vf_div(vf a, vf b) { return simde_mm_div_ps(a, b); }
VF_INLINE vf vf_sqrt(vf a) { return simde_mm_sqrt_ps(a); }
VF_INLINE vf vf_min(vf a, vf b) { return simde_mm_min_ps(a, b); }
VF_INLINE vf vf_max(vf a, vf b) { return simde_mm_max_ps(a, b); }

VF_INLINE vm vf_lt(vf a, vf b) { return simde_mm_cmplt_ps(a, b); }
VF_INLINE vm vf_le(vf a, vf b) { return simde_mm_cmple_ps(a, b); }
VF_INLINE vm vf_eq(vf a, vf b) { return simde_mm_cmpeq_ps(a, b); }
VF_INLINE vm vm_and(vm a, vm b) { return simde_mm_and_ps(a, b); }
VF_INLINE vm vm_or(vm a, vm b) { return simde_mm_or_ps(a, b); }
VF_INLINE vm vm_not(vm a) { return simde_mm_xor_ps(a, simde_mm_castsi128_ps(simde_mm_set1_epi32(-1))); }
VF_INLINE bool vm_any(vm m) { return simde_mm_movemask_ps(m) != 0; }

VF_INLINE vf vf_drop(vm m, vf a) { return simde_mm_andnot_ps(m, a); }
VF_INLINE vf vf_select(vm m, vf a, vf b) { return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b)); }

VF_INLINE vi vf_bits(vf a) { return simde_mm_castps_si128(a); }
VF_INLINE vf vf_from_bits(vi a) { return simde_mm_castsi128_ps(a); }
VF_INLINE vi vi_set1(int32_t x) { return simde_mm_set1_epi32(x); }
VF_INLINE vi vi_add(vi a, vi b) { return simde_mm_add_epi32(a, b); }
VF_INLINE vi vi_sub(vi a, vi b) { return simde_mm_sub_epi32(a, b); }
VF_INLINE vi vi_and(vi a, vi b) { return simde_mm_and_si128(a, b); }
VF_INLINE vi vi_xor(vi a, vi b) { return simde_mm_xor_si128(a, b); }
VF_INLINE vm vi_disjoint(vi a, vi b)
{
    return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(simde_mm_and_si128(a, b), simde_mm_setzero_si128()));
}
VF_INLINE vf vi_to_vf(vi a) { return simde_mm_cvtepi32_ps(a); }
#define vi_shl(a, bits) simde_mm_slli_epi32(a, bits)
#define vi_sar(a, bits) simde_mm_srai_epi32(a, bits)

VF_INLINE void vm_store_bytes(uint8_t *p, vm m)
{
    simde__m128i words = simde_mm_packs_epi32(simde_mm_castps_si128(m), simde_mm_setzero_si128());
    simde__m128i bytes = simde_mm_packs_epi16(words, words);
    int32_t four = simde_mm_cvtsi128_si32(simde_mm_and_si128(bytes, simde_mm_set1_epi8(1)));
    memcpy(p, &four, sizeof four);
}

#if GYRE_FUSED
VF_INLINE vf vf_mla(vf a, vf b, vf c) { return simde_mm_fmadd_ps(a, b, c); }
#endif

#elif GYRE_LANES == 8

#include <simde/x86/avx2.h>
#include <simde/x86/fma.h>

typedef simde__m256 vf;
typedef simde__m256i vi;
typedef simde__m256 vm;

VF_INLINE vf vf_set1(float x) { return simde_mm256_set1_ps(x); }
VF_INLINE vf vf_load(const float *p) { return simde_mm256_loadu_ps(p); }
VF_INLINE void vf_store(float *p, vf a) { simde_mm256_storeu_ps(p, a); }

VF_INLINE vf vf_add(vf a, vf b) { return simde_mm256_add_ps(a, b); }
VF_INLINE vf vf_sub(vf a, vf b) { return simde_mm256_sub_ps(a, b); }
VF_INLINE vf vf_mul(vf a, vf b) { return simde_mm256_mul_ps(a, b); }
VF_INLINE vf vf_div(vf a, vf b) { return simde_mm256_div_ps(a, b); }
VF_INLINE vf vf_sqrt(vf a) { return simde_mm256_sqrt_ps(a); }
VF_INLINE vf vf_min(vf a, vf b) { return simde_mm256_min_ps(a, b); }
VF_INLINE vf vf_max(vf a, vf b) { return simde_mm256_max_ps(a, b); }

VF_INLINE vm vf_lt(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ); }
VF_INLINE vm vf_le(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ); }
VF_INLINE vm vf_eq(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_EQ_OQ); }
VF_INLINE vm vm_and(vm a, vm b) { return simde_mm256_and_ps(a, b); }
VF_INLINE vm vm_or(vm a, vm b) { return simde_mm256_or_ps(a, b); }
VF_INLINE vm vm_not(vm a) { return simde_mm256_xor_ps(a, simde_mm256_castsi256_ps(simde_mm256_set1_epi32(-1))); }
VF_INLINE bool vm_any(vm m) { return simde_mm256_movemask_ps(m) != 0; }

VF_INLINE vf vf_drop(vm m, vf a) { return simde_mm256_andnot_ps(m, a); }
VF_INLINE vf vf_select(vm m, vf a, vf b) { return simde_mm256_blendv_ps(b, a, m); }

VF_INLINE vi vf_bits(vf a) { return simde_mm256_castps_si256(a); }
VF_INLINE vf vf_from_bits(vi a) { return simde_mm256_castsi256_ps(a); }
VF_INLINE vi vi_set1(int32_t x) { return simde_mm256_set1_epi32(x); }
VF_INLINE vi vi_add(vi a, vi b) { return simde_mm256_add_epi32(a, b); }
VF_INLINE vi vi_sub(vi a, vi b) { return simde_mm256_sub_epi32(a, b); }
VF_INLINE vi vi_and(vi a, vi b) { return simde_mm256_and_si256(a, b); }
VF_INLINE vi vi_xor(vi a, vi b) { return simde_mm256_xor_si256(a, b); }
VF_INLINE vm vi_disjoint(vi a, vi b)
{
    simde__m256i common = simde_mm256_and_si256(a, b);
    return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(common, simde_mm256_setzero_si256()));
}
VF_INLINE vf vi_to_vf(vi a) { return simde_mm256_cvtepi32_ps(a); }
#define vi_shl(a, bits) simde_mm256_slli_epi32(a, bits)
#define vi_sar(a, bits) simde_mm256_srai_epi32(a, bits)

VF_INLINE void vm_store_bytes(uint8_t *p, vm m)
{
    simde__m256i lanes = simde_mm256_castps_si256(m);
    simde__m128i words =
        simde_mm_packs_epi32(simde_mm256_castsi256_si128(lanes), simde_mm256_extracti128_si256(lanes, 1));
    simde__m128i bytes = simde_mm_and_si128(simde_mm_packs_epi16(words, words), simde_mm_set1_epi8(1));
    simde_mm_storel_epi64((simde__m128i *)p, bytes);
}

#if GYRE_FUSED
VF_INLINE vf vf_mla(vf a, vf b, vf c) { return simde_mm256_fmadd_ps(a, b, c); }
#endif

#elif GYRE_LANES == 16

#include <immintrin.h>

typedef __m512 vf;
typedef __m512i vi;
typedef __mmask16 vm;

VF_INLINE vf vf_set1(float x) { return _mm512_set1_ps(x); }
VF_INLINE vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
VF_INLINE void vf_store(float *p, vf a) { _mm512_storeu_ps(p, a); }

VF_INLINE vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
VF_INLINE vf vf_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
VF_INLINE vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
VF_INLINE vf vf_div(vf a, vf b) { return _mm512_div_ps(a, b); }
VF_INLINE vf vf_sqrt(vf a) { return _mm512_sqrt_ps(a); }
VF_INLINE vf vf_min(vf a, vf b) { return _mm512_min_ps(a, b); }
VF_INLINE vf vf_max(vf a, vf b) { return _mm512_max_ps(a, b); }

VF_INLINE vm vf_lt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
VF_INLINE vm vf_le(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
VF_INLINE vm vf_eq(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
VF_INLINE vm vm_and(vm a, vm b) { return (vm)(a & b); }
VF_INLINE vm vm_or(vm a, vm b) { return (vm)(a | b); }
VF_INLINE vm vm_not(vm a) { return (vm)~a; }
VF_INLINE bool vm_any(vm m) { return m != 0; }

VF_INLINE vf vf_drop(vm m, vf a) { return _mm512_mask_mov_ps(a, m, _mm512_setzero_ps()); }
VF_INLINE vf vf_select(vm m, vf a, vf b) { return _mm512_mask_mov_ps(b, m, a); }

VF_INLINE vi vf_bits(vf a) { return _mm512_castps_si512(a); }
VF_INLINE vf vf_from_bits(vi a) { return _mm512_castsi512_ps(a); }
VF_INLINE vi vi_set1(int32_t x) { return _mm512_set1_epi32(x); }
VF_INLINE vi vi_add(vi a, vi b) { return _mm512_add_epi32(a, b); }
VF_INLINE vi vi_sub(vi a, vi b) { return _mm512_sub_epi32(a, b); }
VF_INLINE vi vi_and(vi a, vi b) { return _mm512_and_si512(a, b); }
VF_INLINE vi vi_xor(vi a, vi b) { return _mm512_xor_si512(a, b); }
VF_INLINE vm vi_disjoint(vi a, vi b) { return _mm512_testn_epi32_mask(a, b); }
VF_INLINE vf vi_to_vf(vi a) { return _mm512_cvtepi32_ps(a); }
#define vi_shl(a, bits) _mm512_slli_epi32(a, bits)
#define vi_sar(a, bits) _mm512_srai_epi32(a, bits)

/* _mm512_scalef_ps rounds once and is right for subnormal and infinite results. */
VF_INLINE vf vf_scale(vf a, vf n) { return _mm512_scalef_ps(a, n); }

VF_INLINE void vm_store_bytes(uint8_t *p, vm m) { _mm_storeu_si128((__m128i *)p, _mm_maskz_set1_epi8(m, 1)); }

#if GYRE_FUSED
VF_INLINE vf vf_mla(vf a, vf b, vf c) { return _mm512_fmadd_ps(a, b, c); }
#endif

#else
#error "GYRE_LANES must be 4, 8 or 16"
#endif

/* What every width has in common. */

VF_INLINE vf vf_abs(vf a) { return vf_from_bits(vi_and(vf_bits(a), vi_set1(INT32_MAX))); }
VF_INLINE vf vf_neg(vf a) { return vf_from_bits(vi_xor(vf_bits(a), vi_set1(INT32_MIN))); }

VF_INLINE vf vf_copysign(vf magnitude, vf sign)
{
    vi sign_bit = vi_and(vf_bits(sign), vi_set1(INT32_MIN));
    return vf_from_bits(vi_xor(vf_bits(vf_abs(magnitude)), sign_bit));
}

#if GYRE_FUSED
/* The sign of a factor goes through a multiply exactly; compilers fold the negation into the instruction. */
VF_INLINE vf vf_nmla(vf a, vf b, vf c) { return vf_mla(vf_neg(a), b, c); }
#else
VF_INLINE vf vf_mla(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); }
VF_INLINE vf vf_nmla(vf a, vf b, vf c) { return vf_sub(c, vf_mul(a, b)); }
#endif

/* To the nearest integer, halves to even, for every float: adding and taking away 2^23 leaves no fraction. */
VF_INLINE vf vf_round(vf a)
{
    vf whole = vf_set1(0x1p23f), magnitude = vf_abs(a);
    vf rounded = vf_sub(vf_add(magnitude, whole), whole);
    return vf_select(vf_lt(magnitude, whole), vf_copysign(rounded, a), a);
}

/* a 2^n, rounded once, for |a| in [1/2, 2] and whole n in [-250, 250]: two powers of two, of which only the second can
   make the product round. The low bits of n + 1.5 * 2^23 are those of n. */
#if GYRE_LANES != 16
VF_INLINE vf vf_scale(vf a, vf n)
{
    vi whole = vf_bits(vf_add(n, vf_set1(0x1.8p23f))), one = vf_bits(vf_set1(1.0f));
    vi first = vi_and(vi_shl(whole, 22), vi_set1(-0x800000));
    vi second = vi_sub(vi_shl(whole, 23), first);
    return vf_mul(vf_mul(a, vf_from_bits(vi_add(one, first))), vf_from_bits(vi_add(one, second)));
}
#endif

VF_INLINE vf vf_load_n(const float *p, size_t n)
{
    if (n == VF_LANES) {
        return vf_load(p);
    }
    float padded[GYRE_LANES] = {0};
    memcpy(padded, p, n * sizeof *p);
    return vf_load(padded);
}

VF_INLINE void vf_store_n(float *p, vf a, size_t n)
{
    if (n == VF_LANES) {
        vf_store(p, a);
        return;
    }
    float padded[GYRE_LANES];
    vf_store(padded, a);
    memcpy(p, padded, n * sizeof *p);
}

VF_INLINE void vm_store_bytes_n(uint8_t *p, vm m, size_t n)
{
    if (n == VF_LANES) {
        vm_store_bytes(p, m);
        return;
    }
    uint8_t padded[GYRE_LANES];
    vm_store_bytes(padded, m);
    memcpy(p, padded, n);
}

/* How many of the elements i..end-1 the next vector takes. */
VF_INLINE size_t vf_lanes_left(size_t i, size_t end) { return end - i < VF_LANES ? end - i : VF_LANES; }

/* Loops over memory take a block at a time: whole cache lines, and at least two vectors, so that the loads of one
   do not wait for the stores of another. */
#define VF_BLOCK_VECTORS (GYRE_LANES == 4 ? 4 : 2)
#define VF_BLOCK (VF_BLOCK_VECTORS * VF_LANES)

/* Asks for the block 2 KiB on. With more arithmetic than a copy between its loads, a loop reaches the memory's full
   speed only so (0.99 of it against 0.93 without). Asking for what is no array's memory does no harm. */
VF_INLINE void vf_prefetch_block(const float *p)
{
    uintptr_t ahead = (uintptr_t)p + 2048;
    for (size_t line = 0; line < VF_BLOCK * sizeof *p; line += 64) {
        __builtin_prefetch((const void *)(ahead + line));
    }
}

/* The value of lane 0, for functions of one element. */
VF_INLINE float vf_first(vf a)
{
    float lanes[GYRE_LANES];
    vf_store(lanes, a);
    return lanes[0];
}

#endif
