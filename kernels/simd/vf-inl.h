/* The vector operations with which every kernel is written once for all instruction sets. See simd/README.md for a map.

   The build sets GYRE_LANES (4, 8 or 16; 1 on GPUs) and GYRE_FUSED (0 or 1) for each table. The operations that differ
   between widths are in simd/vf_4_lanes-inl.h, simd/vf_8_lanes-inl.h and simd/vf_16_lanes-inl.h; those that differ only
   in the prefix of an intrinsic are in simd/vf_any_lanes-inl.h. Operations built from them are here.

   Types      vf: floats. vi: 32-bit integers. vm: a mask, true or false for each lane.
   Rounding   Each operation is one IEEE operation, rounded to nearest even, with subnormal numbers kept. Only
   vf_mul_add and vf_neg_mul_add differ between tables: they round twice in a portable one and once in a fused one.
   NaN        Arithmetic propagates NaN. Comparisons with NaN are false. vf_min and vf_max return their second operand
              if either is NaN. vf_abs, vf_neg, vf_copysign, vf_select and vf_zero_where move bits.
   Tails      vf_load_n and vf_store_n access n floats of memory; vf_load_n sets the other lanes to 0.
   Indices    16-bit indices are compared VF_CHUNK at a time. */
#ifndef GYRE_SIMD_VF_H
#define GYRE_SIMD_VF_H

#include "scalar/language.h"

#define VF_LANES ((size_t)GYRE_LANES)
#define VF_CHUNK ((size_t)64)
#define VF_INLINE GYRE_DEVICE static inline __attribute__((always_inline, unused))
/* Rare code is not inlined: it would take registers from the common case. */
#define VF_RARE GYRE_DEVICE static __attribute__((noinline, unused))
/* One copy for all callers: gcc would make one for each set of constant arguments. */
#if __has_attribute(noclone)
#define VF_SHARED GYRE_DEVICE static __attribute__((noinline, noclone))
#else
#define VF_SHARED GYRE_DEVICE static __attribute__((noinline))
#endif

/* vf_flushed(a): 0 where |a| < 2^-95, that is, where these top three bits of the exponent are 0; otherwise a. Products
   of the result with a factor above 2^-31 are then normal. A limit at the smallest normal number would be too late:
   subnormal operands take 50 times as long. The function is a third of a spring's step, so each width has its own
   version, with two operations where the CPU has them: psignd keeps an operand where the other is positive and clears
   it where the other is 0. */
#define VF_KEPT_EXPONENTS 0x70000000

#if GYRE_LANES > 1
/* Four floats as a vector of plain C; the first n of them in memory, n a constant. */
typedef float vf_piece __attribute__((vector_size(16)));
VF_INLINE void vf_store_piece_n(float *p, vf_piece a, size_t n)
{
    memcpy(p, &a, (n == 3 ? 2 : n) * sizeof *p);
    if (n == 3) {
        p[2] = a[2];
    }
}
#endif

#if GYRE_LANES == 1
#include "simd/vf_1_lane-inl.h"
#elif defined(GYRE_PLAIN_C)
#include "simd/vf_plain-inl.h"
#elif GYRE_LANES == 4
#include "simd/vf_4_lanes-inl.h"
#elif GYRE_LANES == 8
#include "simd/vf_8_lanes-inl.h"
#elif GYRE_LANES == 16
#include "simd/vf_16_lanes-inl.h"
#else
#error "GYRE_LANES must be 1, 4, 8 or 16"
#endif

/* vf_set1 for the constants of long loops. V8 recomputes a v128.const, in three instructions, at each use, but keeps
   the result of an operation in a register. So the constant is combined with a zero that is opaque to compilers.
   Without it, springs with individual parameters take 1.4 times as long. */
VF_INLINE vf vf_constant(float x)
{
#if defined(__wasm__) && !defined(GYRE_PLAIN_C)
    static const int32_t zero = 0;
    int32_t hidden;
    __asm__("local.get %1\n i32.load 0\n local.set %0" : "=r"(hidden) : "r"(&zero));
    return vf_from_bits(vi_set1((int32_t)bits_of_float(x) | hidden));
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
VF_INLINE vf vf_clamp(vf a, vf lower, vf upper) { return vf_max(lower, vf_min(upper, a)); }

#if !GYRE_FUSED
VF_INLINE vf vf_mul_add(vf a, vf b, vf c) { return vf_add(vf_mul(a, b), c); }
VF_INLINE vf vf_neg_mul_add(vf a, vf b, vf c) { return vf_sub(c, vf_mul(a, b)); }
#endif

/* The nearest integer, ties to even, for every float: a sum with 2^23 has no fraction. */
VF_INLINE vf vf_round(vf a)
{
    vf whole = vf_set1(0x1p23f), magnitude = vf_abs(a);
    vf rounded = vf_sub(vf_add(magnitude, whole), whole);
    return vf_select(vf_lt(magnitude, whole), vf_copysign(rounded, a), a);
}

/* The smallest integer not below a, for a >= 0. */
VF_INLINE vf vf_ceil(vf a)
{
    vf rounded = vf_round(a);
    return vf_select(vf_lt(rounded, a), vf_add(rounded, vf_set1(1)), rounded);
}

/* x + VF_ROUNDER, for |x| < 2^22, has the integer nearest to x in its low bits; subtracting VF_ROUNDER gives it as a
   float. */
#define VF_ROUNDER 0x1.8p23f

/* The form of n for vf_scale, from n + VF_ROUNDER: AVX-512 scales by a float, others by the low bits. */
VF_INLINE vf vf_power(vf shifted) { return GYRE_LANES == 16 ? vf_sub(shifted, vf_set1(VF_ROUNDER)) : shifted; }

/* a 2^n, rounded once, for |a| in [1/2, 2] and integer n in [-252, 252]. */
VF_INLINE vf vf_scale(vf a, vf power)
{
#if GYRE_LANES == 16
    return _mm512_scalef_ps(a, power);
#else
    /* in two factors that are powers of two; only the second product can round */
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
#if GYRE_LANES == 1
    return n > 0;
#elif GYRE_LANES == 16
    return (vm)((1u << n) - 1);
#else
    static const float lane[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return vf_lt(vf_load(lane), vf_set1((float)n));
#endif
}

VF_INLINE vm vm_none(void) { return vm_not(vm_first(VF_LANES)); }

#if GYRE_LANES > 1
#include "simd/vf_memory-inl.h"
#endif

#endif
