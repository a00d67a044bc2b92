/* The vector vocabulary: the operations from which every kernel is written once for every instruction set. See
   simd/README.md for a map of it.

   The build sets GYRE_LANES (4, 8 or 16) and GYRE_FUSED (0 or 1) for each table. The operations that differ between
   widths are in simd/vf_4_lanes-inl.h, simd/vf_8_lanes-inl.h and simd/vf_16_lanes-inl.h; those that differ only in the
   prefix of an intrinsic are in simd/vf_any_lanes-inl.h. What is built from them is here.

   Types      vf: floats. vi: 32-bit integers. vm: a mask, true or false for each lane.
   Rounding   Each operation is one IEEE operation, rounded to nearest even, with subnormal numbers kept. vf_mul_add and
              vf_neg_mul_add alone differ between tables: they round twice in a portable one and once in a fused one.
   NaN        Arithmetic propagates NaN. Comparisons with NaN are false. vf_min and vf_max return their second operand
              if either is NaN. vf_abs, vf_neg, vf_copysign, vf_select and vf_zero_where move bits.
   Tails      vf_load_n and vf_store_n access n floats of memory; vf_load_n sets the other lanes to 0.
   Indices    16-bit indices are compared VF_CHUNK at a time. */
#ifndef GYRE_SIMD_VF_H
#define GYRE_SIMD_VF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define VF_LANES ((size_t)GYRE_LANES)
#define VF_CHUNK ((size_t)64)
#define VF_INLINE static inline __attribute__((always_inline, unused))
/* What is rare is not inlined: it would take registers from the common case. */
#define VF_RARE static __attribute__((noinline, unused))
/* One copy for all callers: gcc would make one for each set of constant arguments. */
#if __has_attribute(noclone)
#define VF_SHARED static __attribute__((noinline, noclone))
#else
#define VF_SHARED static __attribute__((noinline))
#endif

/* vf_flushed(a): 0 where |a| < 2^-95, that is where these top three bits of the exponent are 0; else a. Products of
   the result with a factor above 2^-31 are then normal. A limit at the smallest normal number would be too late:
   subnormal operands take 50 times as long. The function is a third of a spring's step, so each width has its own, of
   two operations where the CPU has them: psignd keeps an operand where the other is positive and clears it where the
   other is 0. */
#define VF_KEPT_EXPONENTS 0x70000000

/* Four floats, as plain C has them; the first n of them in memory, n a constant. */
typedef float vf_piece __attribute__((vector_size(16)));
VF_INLINE void vf_store_piece_n(float *p, vf_piece a, size_t n)
{
    memcpy(p, &a, (n == 3 ? 2 : n) * sizeof *p);
    if (n == 3) {
        p[2] = a[2];
    }
}

#if defined(GYRE_PLAIN_C)
#include "simd/vf_plain-inl.h"
#elif GYRE_LANES == 4
#include "simd/vf_4_lanes-inl.h"
#elif GYRE_LANES == 8
#include "simd/vf_8_lanes-inl.h"
#elif GYRE_LANES == 16
#include "simd/vf_16_lanes-inl.h"
#else
#error "GYRE_LANES must be 4, 8 or 16"
#endif

/* vf_set1 for the constants of long loops. V8 computes a v128.const anew, in three instructions, wherever it is used;
   the result of an operation it keeps in a register. So this one is combined with a zero that compilers cannot see.
   Springs with parameters each take 1.4 times as long without. */
VF_INLINE vf vf_constant(float x)
{
#if defined(__wasm__) && !defined(GYRE_PLAIN_C)
    static const int32_t zero = 0;
    int32_t bits, hidden;
    memcpy(&bits, &x, sizeof bits);
    __asm__("local.get %1\n i32.load 0\n local.set %0" : "=r"(hidden) : "r"(&zero));
    return vf_from_bits(vi_set1(bits | hidden));
#else
    return vf_set1(x);
#endif
}

VF_INLINE vf vf_abs(vf a) { return vf_from_bits(vi_and(vf_bits(a), vi_set1(INT32_MAX))); }
VF_INLINE vf vf_xor(vf a, vf b) { return vf_from_bits(vi_xor(vf_bits(a), vf_bits(b))); }
VF_INLINE vf vf_neg(vf a) { return vf_from_bits(vi_xor(vf_bits(a), vi_set1(INT32_MIN))); }

VF_INLINE vf vf_copysign(vf magnitude, vf sign)
{
    vi sign_bit = vi_and(vf_bits(sign), vi_set1(INT32_MIN));
    return vf_from_bits(vi_xor(vf_bits(vf_abs(magnitude)), sign_bit));
}

/* a, or 0 where |a| < 2^-63: there the top two bits of the exponent are 0, and a^2 would be subnormal. */
VF_INLINE vf vf_flushed_for_square(vf a) { return vf_zero_where(vi_disjoint(vf_bits(a), vi_set1(0x60000000)), a); }

/* NaN remains NaN. */
VF_INLINE vf vf_clamp(vf a, vf least, vf most) { return vf_max(least, vf_min(most, a)); }

#if !GYRE_FUSED
VF_INLINE vf vf_mul_add(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); }
VF_INLINE vf vf_neg_mul_add(vf a, vf b, vf c) { return vf_sub(c, vf_mul(a, b)); }
#endif

/* The nearest integer, halves to even, for every float: a sum with 2^23 has no fraction. */
VF_INLINE vf vf_round(vf a)
{
    vf whole = vf_set1(0x1p23f), magnitude = vf_abs(a);
    vf rounded = vf_sub(vf_add(magnitude, whole), whole);
    return vf_select(vf_lt(magnitude, whole), vf_copysign(rounded, a), a);
}

/* The least integer not below a, for a >= 0. */
VF_INLINE vf vf_ceil(vf a)
{
    vf rounded = vf_round(a);
    return vf_select(vf_lt(rounded, a), vf_add(rounded, vf_set1(1)), rounded);
}

/* x + VF_ROUNDER, for |x| < 2^22, has the integer nearest to x in its low bits; subtracting VF_ROUNDER gives it as a
   float. */
#define VF_ROUNDER 0x1.8p23f

/* The form in which vf_scale takes n, from n + VF_ROUNDER: AVX-512 scales by a float, others by the low bits. */
VF_INLINE vf vf_power(vf shifted) { return GYRE_LANES == 16 ? vf_sub(shifted, vf_set1(VF_ROUNDER)) : shifted; }

/* a 2^n, rounded once, for |a| in [1/2, 2] and whole n in [-252, 252]. */
VF_INLINE vf vf_scale(vf a, vf power)
{
#if GYRE_LANES == 16
    return _mm512_scalef_ps(a, power);
#else
    /* by two powers of two, of which only the second product can round */
    vi whole = vf_bits(power), one = vf_bits(vf_set1(1.0f));
    vi first = vi_and(vi_shl(whole, 22), vi_set1(-0x800000));
    vi second = vi_sub(vi_shl(whole, 23), first);
    return vf_mul(vf_mul(a, vf_from_bits(vi_add(one, first))), vf_from_bits(vi_add(one, second)));
#endif
}

/* The same where a 2^n is normal, in a third of the operations. NaN does not remain NaN. */
VF_INLINE vf vf_scale_normal(vf a, vf power)
{
#if GYRE_LANES == 16
    return vf_scale(a, power);
#else
    return vf_from_bits(vi_add(vf_bits(a), vi_shl(vf_bits(power), 23)));
#endif
}

/* Lanes 0..n-1. */
VF_INLINE vm vm_first(size_t n)
{
#if GYRE_LANES == 16
    return (vm)((1u << n) - 1);
#else
    static const float lane[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return vf_lt(vf_load(lane), vf_set1((float)n));
#endif
}

VF_INLINE vm vm_none(void) { return vm_not(vm_first(VF_LANES)); }

/* With a mask where there is one, because a vector that was just stored in parts is slow to load as a whole. AVX2's
   masked stores are slow. */
VF_INLINE vf vf_load_n(const float *p, size_t n)
{
    if (n == VF_LANES) {
        return vf_load(p);
    }
#if GYRE_LANES == 16
    return _mm512_maskz_loadu_ps(vm_first(n), p);
#elif GYRE_LANES == 8
    return simde_mm256_maskload_ps(p, simde_mm256_castps_si256(vm_first(n)));
#else
    float padded[GYRE_LANES] = {0};
    memcpy(padded, p, n * sizeof *p);
    return vf_load(padded);
#endif
}

VF_INLINE void vf_store_n(float *p, vf a, size_t n)
{
    if (n == VF_LANES) {
        vf_store(p, a);
        return;
    }
#if GYRE_LANES == 16
    _mm512_mask_storeu_ps(p, vm_first(n), a);
#else
    float padded[GYRE_LANES];
    vf_store(padded, a);
    memcpy(p, padded, n * sizeof *p);
#endif
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

/* Bit k is set where a[k] and b[k] differ, for k < VF_CHUNK. */
VF_INLINE uint64_t vi_differ_u16(const uint16_t *a, const uint16_t *b) { return ~vi_equal_u16(a, b); }

/* Those of pairs k..k+n-1. */
VF_INLINE uint64_t vi_bits_of(uint64_t bits, size_t k, size_t n) { return bits & UINT64_MAX >> (VF_CHUNK - n) << k; }

/* Within each group of four lanes: lane c of column[k] is lane k of row[c]. */
VF_INLINE void vf_transpose4(const vf row[4], vf column[4])
{
    vf low01 = vf_zip_low(row[0], row[1]), low23 = vf_zip_low(row[2], row[3]);
    vf high01 = vf_zip_high(row[0], row[1]), high23 = vf_zip_high(row[2], row[3]);
    column[0] = vf_join_low(low01, low23);
    column[1] = vf_join_high(low01, low23);
    column[2] = vf_join_low(high01, high23);
    column[3] = vf_join_high(high01, high23);
}

/* Lane i of column[c] is table[stride * which[i] + c]. Loading whole rows and transposing them is twice as fast as
   gathering each column (Zen 3). */
VF_INLINE void vf_load_rows4(const float *table, size_t stride, const uint16_t *which, vf column[4])
{
    const vf row[4] = {vf_row4(table, stride, which, 0), vf_row4(table, stride, which, 1),
                       vf_row4(table, stride, which, 2), vf_row4(table, stride, which, 3)};
    vf_transpose4(row, column);
}

/* The first four of each of at most VF_TABLE_ROWS rows, `stride` apart, for repeated lookups. With AVX-512 its columns
   are in registers, 16 rows in each. The result of an index beyond the table is unspecified. */
#if GYRE_LANES == 16
#define VF_TABLE_ROWS 64
typedef struct vf_table4 {
    vf column[4][VF_TABLE_ROWS / 16];
} vf_table4;

VF_INLINE void vf_table4_load(vf_table4 *t, const float *rows, size_t stride, size_t count)
{
    for (size_t part = 0; part < VF_TABLE_ROWS / 16; part++) {
        uint16_t which[16];
        for (size_t k = 0; k < 16; k++) {
            which[k] = (uint16_t)(16 * part + k < count ? 16 * part + k : 0);
        }
        vf column[4];
        vf_load_rows4(rows, stride, which, column);
        for (size_t c = 0; c < 4; c++) {
            t->column[c][part] = column[c];
        }
    }
}

VF_INLINE void vf_table4_rows(const vf_table4 *t, const uint16_t *which, vf column[4])
{
    const vi index = vi_load_u16(which);
    const vm upper = _mm512_test_epi32_mask(index, vi_set1(32));
    for (size_t c = 0; c < 4; c++) {
        const vf *own = t->column[c];
        column[c] = vf_select(upper, _mm512_permutex2var_ps(own[2], index, own[3]),
                              _mm512_permutex2var_ps(own[0], index, own[1]));
    }
}
#else
#define VF_TABLE_ROWS 0 /* no table is ever used */
typedef struct vf_table4 {
    const float *rows;
    size_t stride;
} vf_table4;

VF_INLINE void vf_table4_load(vf_table4 *t, const float *rows, size_t stride, size_t count)
{
    (void)count;
    t->rows = rows;
    t->stride = stride;
}

VF_INLINE void vf_table4_rows(const vf_table4 *t, const uint16_t *which, vf column[4])
{
    vf_load_rows4(t->rows, t->stride, which, column);
}
#endif

/* Stores the twelve floats of lane i at p + i stride (in bytes), for the first n lanes. A piece is four lanes of a
   vector: vf_store_pieces8 stores each piece of a followed by that of b, vf_store_pieces4 the pieces of one vector at
   an offset; vf_store_pieces_n the first n floats of each piece. */
VF_INLINE void vf_store_rows12_n(float *p, size_t stride, const vf column[12], size_t n)
{
    float spare[GYRE_LANES][12], *at[4][GYRE_LANES / 4]; /* for lanes from n on; where lane k + 4 piece goes */
    for (size_t lane = 0; lane < VF_LANES; lane++) {
        at[lane % 4][lane / 4] = lane < n ? (float *)(void *)((char *)p + lane * stride) : spare[lane];
    }
    const bool whole_rows = GYRE_LANES > 4; /* consecutive stores to a cache line are faster, but need registers */
    vf first[4], second[4], third[4];
    vf_transpose4(column, first);
    vf_transpose4(column + 4, second);
    if (whole_rows) {
        vf_transpose4(column + 8, third);
    }
    for (size_t k = 0; k < 4; k++) {
        vf_store_pieces8(at[k], first[k], second[k]);
        if (whole_rows) {
            vf_store_pieces4(at[k], 8, third[k]);
        }
    }
    if (!whole_rows) {
        vf_transpose4(column + 8, third);
        for (size_t k = 0; k < 4; k++) {
            vf_store_pieces4(at[k], 8, third[k]);
        }
    }
}

/* The number of lanes that are true. */
VF_INLINE unsigned vm_count(vm m)
{
    unsigned bits = vm_bits(m);
    bits -= bits >> 1 & 0x5555;
    bits = (bits & 0x3333) + (bits >> 2 & 0x3333);
    bits = (bits + (bits >> 4)) & 0x0f0f;
    return (bits + (bits >> 8)) & 0x1f;
}

/* The largest lane, where no lane is NaN. */
VF_INLINE float vf_largest_lane(vf a)
{
    float lanes[GYRE_LANES];
    vf_store(lanes, a);
    float largest = lanes[0];
    for (size_t k = 1; k < VF_LANES; k++) {
        largest = lanes[k] > largest ? lanes[k] : largest;
    }
    return largest;
}

/* The value of lane 0, for functions of one element. */
VF_INLINE float vf_lane_0(vf a)
{
    float lanes[GYRE_LANES];
    vf_store(lanes, a);
    return lanes[0];
}

#endif
