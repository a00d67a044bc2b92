/* The operations of simd/vf-inl.h that differ between widths, with 4 lanes: SSE2, SSE4.1 and WebAssembly, through
   SIMDe. Included only by simd/vf-inl.h. */
#ifndef GYRE_SIMD_VF_4_LANES_H
#define GYRE_SIMD_VF_4_LANES_H

#include <simde/x86/sse4.1.h>

typedef simde__m128 vf;
typedef simde__m128i vi;
typedef simde__m128 vm;

#define VF_FLOATS(operation) simde_mm_##operation##_ps
#define VF_INTEGERS(operation) simde_mm_##operation##_epi32
#define VF_BITS(operation) simde_mm_##operation##_si128
#include "simd/vf_any_lanes-inl.h"

VF_INLINE vm vf_lt(vf a, vf b) { return simde_mm_cmplt_ps(a, b); }
VF_INLINE vm vf_le(vf a, vf b) { return simde_mm_cmple_ps(a, b); }
VF_INLINE vm vf_eq(vf a, vf b) { return simde_mm_cmpeq_ps(a, b); }
VF_INLINE vm vm_and(vm a, vm b) { return simde_mm_and_ps(a, b); }
VF_INLINE vm vm_or(vm a, vm b) { return simde_mm_or_ps(a, b); }
VF_INLINE vm vm_not(vm a) { return simde_mm_xor_ps(a, simde_mm_castsi128_ps(simde_mm_set1_epi32(-1))); }
VF_INLINE vf vf_zero_where(vm m, vf a) { return simde_mm_andnot_ps(m, a); }
#if defined(__wasm__) /* one instruction each; SIMDe 0.7 uses several, or works lane by lane */
VF_INLINE bool vm_any(vm m) { return wasm_v128_any_true(m); }
VF_INLINE bool vm_all(vm m) { return wasm_i32x4_all_true(m); }
VF_INLINE unsigned vm_bits(vm m) { return wasm_i32x4_bitmask(m); }
VF_INLINE unsigned vi_bits_of_bytes(vi a) { return wasm_i8x16_bitmask(a); }
VF_INLINE vf vf_select(vm m, vf a, vf b) { return wasm_v128_bitselect(a, b, m); }
VF_INLINE vf vf_min(vf a, vf b) { return wasm_f32x4_pmin(b, a); } /* b if one is NaN, as in SSE */
VF_INLINE vf vf_max(vf a, vf b) { return wasm_f32x4_pmax(b, a); }
#else
VF_INLINE bool vm_any(vm m) { return simde_mm_movemask_ps(m) != 0; }
VF_INLINE bool vm_all(vm m) { return simde_mm_movemask_ps(m) == 0xf; }
VF_INLINE unsigned vm_bits(vm m) { return (unsigned)simde_mm_movemask_ps(m); }
VF_INLINE unsigned vi_bits_of_bytes(vi a) { return (unsigned)simde_mm_movemask_epi8(a); }
VF_INLINE vf vf_select(vm m, vf a, vf b) { return simde_mm_or_ps(simde_mm_and_ps(m, a), simde_mm_andnot_ps(m, b)); }
#endif

VF_INLINE vf vf_from_bits(vi a) { return simde_mm_castsi128_ps(a); }
VF_INLINE vm vi_disjoint(vi a, vi b)
{
    return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(simde_mm_and_si128(a, b), simde_mm_setzero_si128()));
}

#if defined(GYRE_SSE41)
VF_INLINE vi vi_max_unsigned(vi a, vi b) { return simde_mm_max_epu32(a, b); }
VF_INLINE vf vf_flushed(vf a)
{
    return vf_from_bits(simde_mm_sign_epi32(vf_bits(a), vi_and(vf_bits(a), vi_set1(VF_KEPT_EXPONENTS))));
}
#else
VF_INLINE vi vi_max_unsigned(vi a, vi b) /* as signed integers, 2^31 less */
{
    vi lowest = vi_set1(INT32_MIN), greater = simde_mm_cmpgt_epi32(vi_xor(a, lowest), vi_xor(b, lowest));
    return vf_bits(vf_select(vf_from_bits(greater), vf_from_bits(a), vf_from_bits(b)));
}
VF_INLINE vf vf_flushed(vf a) { return vf_zero_where(vi_disjoint(vf_bits(a), vi_set1(VF_KEPT_EXPONENTS)), a); }
#endif

VF_INLINE void vm_store_bytes(uint8_t *p, vm m)
{
    simde__m128i words = simde_mm_packs_epi32(simde_mm_castps_si128(m), simde_mm_setzero_si128());
    simde__m128i bytes = simde_mm_packs_epi16(words, words);
    int32_t four = simde_mm_cvtsi128_si32(simde_mm_and_si128(bytes, simde_mm_set1_epi8(1)));
    memcpy(p, &four, sizeof four);
}

VF_INLINE vm vi_eq(vi a, vi b) { return simde_mm_castsi128_ps(simde_mm_cmpeq_epi32(a, b)); }
VF_INLINE vm vm_load_bytes(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    simde__m128i bytes = simde_mm_cvtsi32_si128(four), zero = simde_mm_setzero_si128();
    return vm_not(vi_eq(simde_mm_unpacklo_epi16(simde_mm_unpacklo_epi8(bytes, zero), zero), zero));
}
VF_INLINE vi vi_load_u16(const uint16_t *p)
{
    return simde_mm_unpacklo_epi16(simde_mm_loadl_epi64((const simde__m128i *)p), simde_mm_setzero_si128());
}

VF_INLINE uint64_t vi_equal16(const uint16_t *a, const uint16_t *b)
{
    simde__m128i a_low = simde_mm_loadu_si128((const simde__m128i *)a);
    simde__m128i b_low = simde_mm_loadu_si128((const simde__m128i *)b);
    simde__m128i a_high = simde_mm_loadu_si128((const simde__m128i *)(a + 8));
    simde__m128i b_high = simde_mm_loadu_si128((const simde__m128i *)(b + 8));
    simde__m128i equal = simde_mm_packs_epi16(simde_mm_cmpeq_epi16(a_low, b_low), simde_mm_cmpeq_epi16(a_high, b_high));
    return vi_bits_of_bytes(equal);
}
VF_INLINE uint64_t vi_equal_u16(const uint16_t *a, const uint16_t *b)
{
    return vi_equal16(a, b) | vi_equal16(a + 16, b + 16) << 16 | vi_equal16(a + 32, b + 32) << 32 |
           vi_equal16(a + 48, b + 48) << 48;
}
VF_INLINE bool vi_chunk_is_at_most(const uint16_t *p, uint16_t limit)
{
    simde__m128i over = simde_mm_setzero_si128();
    for (size_t k = 0; k < VF_CHUNK; k += 8) {
        simde__m128i these = simde_mm_loadu_si128((const simde__m128i *)(p + k));
        over = simde_mm_or_si128(over, simde_mm_subs_epu16(these, simde_mm_set1_epi16((int16_t)limit)));
    }
    return vm_all(vi_eq(over, vi_set1(0)));
}

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
VF_INLINE vf vf_join_low(vf a, vf b) { return simde_mm_movelh_ps(a, b); }
VF_INLINE vf vf_join_high(vf a, vf b) { return simde_mm_movehl_ps(b, a); }

#endif
