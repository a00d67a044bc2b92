/* The operations of simd/vf-inl.h that differ between widths, with 8 lanes: AVX2, through SIMDe. Included only by
   simd/vf-inl.h. */
#ifndef GYRE_SIMD_VF_8_LANES_H
#define GYRE_SIMD_VF_8_LANES_H

#include <simde/x86/avx2.h>
#if GYRE_FUSED
#include <simde/x86/fma.h>
#endif

typedef simde__m256 vf;
typedef simde__m256i vi;
typedef simde__m256 vm;

#define VF_FLOATS(operation) simde_mm256_##operation##_ps
#define VF_INTEGERS(operation) simde_mm256_##operation##_epi32
#define VF_BITS(operation) simde_mm256_##operation##_si256
#include "simd/vf_any_lanes-inl.h"

VF_INLINE vm vf_lt(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LT_OQ); }
VF_INLINE vm vf_le(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_LE_OQ); }
VF_INLINE vm vf_eq(vf a, vf b) { return simde_mm256_cmp_ps(a, b, SIMDE_CMP_EQ_OQ); }
VF_INLINE vm vm_and(vm a, vm b) { return simde_mm256_and_ps(a, b); }
VF_INLINE vm vm_or(vm a, vm b) { return simde_mm256_or_ps(a, b); }
VF_INLINE vm vm_not(vm a) { return simde_mm256_xor_ps(a, simde_mm256_castsi256_ps(simde_mm256_set1_epi32(-1))); }
VF_INLINE bool vm_any(vm m) { return simde_mm256_movemask_ps(m) != 0; }
VF_INLINE bool vm_all(vm m) { return simde_mm256_movemask_ps(m) == 0xff; }
VF_INLINE unsigned vm_bits(vm m) { return (unsigned)simde_mm256_movemask_ps(m); }

VF_INLINE vf vf_zero_where(vm m, vf a) { return simde_mm256_andnot_ps(m, a); }
VF_INLINE vf vf_select(vm m, vf a, vf b) { return simde_mm256_blendv_ps(b, a, m); }

VF_INLINE vf vf_from_bits(vi a) { return simde_mm256_castsi256_ps(a); }
VF_INLINE vi vi_max_unsigned(vi a, vi b) { return simde_mm256_max_epu32(a, b); }
VF_INLINE vm vi_disjoint(vi a, vi b)
{
    simde__m256i common = simde_mm256_and_si256(a, b);
    return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(common, simde_mm256_setzero_si256()));
}
VF_INLINE vf vf_flushed(vf a)
{
    return vf_from_bits(simde_mm256_sign_epi32(vf_bits(a), vi_and(vf_bits(a), vi_set1(VF_KEPT_EXPONENTS))));
}

VF_INLINE void vm_store_bytes(uint8_t *p, vm m)
{
    simde__m256i lanes = simde_mm256_castps_si256(m);
    simde__m128i words =
        simde_mm_packs_epi32(simde_mm256_castsi256_si128(lanes), simde_mm256_extracti128_si256(lanes, 1));
    simde__m128i bytes = simde_mm_and_si128(simde_mm_packs_epi16(words, words), simde_mm_set1_epi8(1));
    simde_mm_storel_epi64((simde__m128i *)p, bytes);
}

VF_INLINE vm vi_eq(vi a, vi b) { return simde_mm256_castsi256_ps(simde_mm256_cmpeq_epi32(a, b)); }
VF_INLINE vm vm_load_bytes(const uint8_t *p)
{
    simde__m256i bytes = simde_mm256_cvtepu8_epi32(simde_mm_loadl_epi64((const simde__m128i *)p));
    return vm_not(vi_eq(bytes, vi_set1(0)));
}
VF_INLINE vi vi_load_u16(const uint16_t *p)
{
    return simde_mm256_cvtepu16_epi32(simde_mm_loadu_si128((const simde__m128i *)p));
}

VF_INLINE uint64_t vi_equal32(const uint16_t *a, const uint16_t *b)
{
    simde__m256i a_low = simde_mm256_loadu_si256((const simde__m256i *)a);
    simde__m256i b_low = simde_mm256_loadu_si256((const simde__m256i *)b);
    simde__m256i a_high = simde_mm256_loadu_si256((const simde__m256i *)(a + 16));
    simde__m256i b_high = simde_mm256_loadu_si256((const simde__m256i *)(b + 16));
    simde__m256i equal =
        simde_mm256_packs_epi16(simde_mm256_cmpeq_epi16(a_low, b_low), simde_mm256_cmpeq_epi16(a_high, b_high));
    equal = simde_mm256_permute4x64_epi64(equal, 0xd8); /* packs works within 128 bits: quarters 0 2 1 3 */
    return (uint32_t)simde_mm256_movemask_epi8(equal);
}
VF_INLINE uint64_t vi_equal_u16(const uint16_t *a, const uint16_t *b)
{
    return vi_equal32(a, b) | vi_equal32(a + 32, b + 32) << 32;
}
VF_INLINE bool vi_chunk_is_at_most(const uint16_t *p, uint16_t limit)
{
    simde__m256i over = simde_mm256_setzero_si256();
    for (size_t k = 0; k < VF_CHUNK; k += 16) {
        simde__m256i these = simde_mm256_loadu_si256((const simde__m256i *)(p + k));
        over = simde_mm256_or_si256(over, simde_mm256_subs_epu16(these, simde_mm256_set1_epi16((int16_t)limit)));
    }
    return simde_mm256_movemask_epi8(simde_mm256_cmpeq_epi16(over, simde_mm256_setzero_si256())) == -1;
}

VF_INLINE vf vf_row4(const float *table, size_t stride, const uint16_t *which, size_t i)
{
    simde__m128 low = simde_mm_loadu_ps(table + stride * which[i]),
                high = simde_mm_loadu_ps(table + stride * which[i + 4]);
    return simde_mm256_insertf128_ps(simde_mm256_castps128_ps256(low), high, 1);
}
VF_INLINE void vf_store_pieces4(float *const at[2], size_t offset, vf a)
{
    simde_mm_storeu_ps(at[0] + offset, simde_mm256_castps256_ps128(a));
    simde_mm_storeu_ps(at[1] + offset, simde_mm256_extractf128_ps(a, 1));
}
VF_INLINE void vf_store_pieces_n(float *const at[2], vf a, size_t n)
{
    vf_store_piece_n(at[0], simde_mm256_castps256_ps128(a), n);
    vf_store_piece_n(at[1], simde_mm256_extractf128_ps(a, 1), n);
}
VF_INLINE void vf_store_pieces8(float *const at[2], vf a, vf b)
{
    simde_mm256_storeu_ps(at[0], simde_mm256_insertf128_ps(a, simde_mm256_castps256_ps128(b), 1));
    simde_mm256_storeu_ps(at[1], simde_mm256_permute2f128_ps(a, b, 0x31));
}
VF_INLINE vf vf_join_low(vf a, vf b) { return simde_mm256_shuffle_ps(a, b, 0x44); }
VF_INLINE vf vf_join_high(vf a, vf b) { return simde_mm256_shuffle_ps(a, b, 0xee); }

#if GYRE_FUSED
VF_INLINE vf vf_neg_mul_add(vf a, vf b, vf c) { return _mm256_fnmadd_ps(a, b, c); } /* SIMDe's rounds twice */
#endif

#endif
