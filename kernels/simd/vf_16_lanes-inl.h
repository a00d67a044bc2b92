/* The operations of simd/vf-inl.h that differ between widths, with 16 lanes: AVX-512, for which SIMDe lacks several
   operations. Included only by simd/vf-inl.h. */
#ifndef GYRE_SIMD_VF_16_LANES_H
#define GYRE_SIMD_VF_16_LANES_H

#include <immintrin.h>

typedef __m512 vf;
typedef __m512i vi;
typedef __mmask16 vm;

#define VF_FLOATS(operation) _mm512_##operation##_ps
#define VF_INTEGERS(operation) _mm512_##operation##_epi32
#define VF_BITS(operation) _mm512_##operation##_si512
#include "simd/vf_any_lanes-inl.h"

VF_INLINE vm vf_lt(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
VF_INLINE vm vf_le(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
VF_INLINE vm vf_eq(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
VF_INLINE vm vm_and(vm a, vm b) { return (vm)(a & b); }
VF_INLINE vm vm_or(vm a, vm b) { return (vm)(a | b); }
VF_INLINE vm vm_not(vm a) { return (vm)~a; }
VF_INLINE bool vm_any(vm m) { return m != 0; }
VF_INLINE bool vm_all(vm m) { return m == 0xffff; }
VF_INLINE unsigned vm_bits(vm m) { return m; }

VF_INLINE vf vf_zero_where(vm m, vf a) { return _mm512_mask_mov_ps(a, m, _mm512_setzero_ps()); }
VF_INLINE vf vf_select(vm m, vf a, vf b) { return _mm512_mask_mov_ps(b, m, a); }

VF_INLINE vf vf_from_bits(vi a) { return _mm512_castsi512_ps(a); }
VF_INLINE vi vi_max_unsigned(vi a, vi b) { return _mm512_max_epu32(a, b); }
VF_INLINE vm vi_disjoint(vi a, vi b) { return _mm512_testn_epi32_mask(a, b); }
VF_INLINE vf vf_flushed(vf a)
{
    return _mm512_maskz_mov_ps(_mm512_test_epi32_mask(vf_bits(a), vi_set1(VF_KEPT_EXPONENTS)), a);
}

VF_INLINE void vm_store_bytes(uint8_t *p, vm m) { _mm_storeu_si128((__m128i *)p, _mm_maskz_set1_epi8(m, 1)); }

VF_INLINE vm vm_load_bytes(const uint8_t *p)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)p);
    return _mm_test_epi8_mask(bytes, bytes);
}

VF_INLINE vm vi_eq(vi a, vi b) { return _mm512_cmpeq_epi32_mask(a, b); }
VF_INLINE vi vi_load_u16(const uint16_t *p) { return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)p)); }

VF_INLINE uint64_t vi_equal32(const uint16_t *a, const uint16_t *b)
{
    return _mm512_cmpeq_epi16_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}
VF_INLINE uint64_t vi_equal_u16(const uint16_t *a, const uint16_t *b)
{
    return vi_equal32(a, b) | vi_equal32(a + 32, b + 32) << 32;
}
VF_INLINE bool vi_chunk_is_at_most(const uint16_t *p, uint16_t limit)
{
    __m512i limits = _mm512_set1_epi16((int16_t)limit);
    __mmask32 low = _mm512_cmpgt_epu16_mask(_mm512_loadu_si512(p), limits);
    return (low | _mm512_cmpgt_epu16_mask(_mm512_loadu_si512(p + 32), limits)) == 0;
}

VF_INLINE vf vf_row4(const float *table, size_t stride, const uint16_t *which, size_t i)
{
    __m512 rows = _mm512_castps128_ps512(_mm_loadu_ps(table + stride * which[i]));
    rows = _mm512_insertf32x4(rows, _mm_loadu_ps(table + stride * which[i + 4]), 1);
    rows = _mm512_insertf32x4(rows, _mm_loadu_ps(table + stride * which[i + 8]), 2);
    return _mm512_insertf32x4(rows, _mm_loadu_ps(table + stride * which[i + 12]), 3);
}
VF_INLINE void vf_store_pieces4(float *const at[4], size_t offset, vf a)
{
    _mm_storeu_ps(at[0] + offset, _mm512_castps512_ps128(a));
    _mm_storeu_ps(at[1] + offset, _mm512_extractf32x4_ps(a, 1));
    _mm_storeu_ps(at[2] + offset, _mm512_extractf32x4_ps(a, 2));
    _mm_storeu_ps(at[3] + offset, _mm512_extractf32x4_ps(a, 3));
}
VF_INLINE void vf_store_pieces_n(float *const at[4], vf a, size_t n)
{
    vf_store_piece_n(at[0], _mm512_castps512_ps128(a), n);
    vf_store_piece_n(at[1], _mm512_extractf32x4_ps(a, 1), n);
    vf_store_piece_n(at[2], _mm512_extractf32x4_ps(a, 2), n);
    vf_store_piece_n(at[3], _mm512_extractf32x4_ps(a, 3), n);
}
VF_INLINE void vf_store_pieces8(float *const at[4], vf a, vf b)
{
    const vi low = _mm512_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
    const vi high = _mm512_setr_epi32(8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
    const vf ab01 = _mm512_permutex2var_ps(a, low, b), ab23 = _mm512_permutex2var_ps(a, high, b);
    _mm256_storeu_ps(at[0], _mm512_castps512_ps256(ab01));
    _mm256_storeu_ps(at[1], _mm512_extractf32x8_ps(ab01, 1));
    _mm256_storeu_ps(at[2], _mm512_castps512_ps256(ab23));
    _mm256_storeu_ps(at[3], _mm512_extractf32x8_ps(ab23, 1));
}
VF_INLINE vf vf_join_low(vf a, vf b) { return _mm512_shuffle_ps(a, b, 0x44); }
VF_INLINE vf vf_join_high(vf a, vf b) { return _mm512_shuffle_ps(a, b, 0xee); }

#if GYRE_FUSED
VF_INLINE vf vf_neg_mul_add(vf a, vf b, vf c) { return _mm512_fnmadd_ps(a, b, c); }
#endif

#endif
