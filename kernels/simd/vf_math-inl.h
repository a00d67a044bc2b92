/* Elementary functions of a vector of floats: one algorithm for each, with the same bits at every width. Derivations,
   error budgets and sources: math/README.md.

   Each function f has two halves, f_reduce and f_finish, because together they are a chain of 60 to 80 cycles; most
   loops apply f_reduce to a block, then f_finish (math/math-inl.h). The halves are for ordinary arguments only:
   f_reduce returns the lanes that have one. f itself takes any argument, and gives the same bits for ordinary ones.

   Coefficients: tools/coefficients. */
#ifndef GYRE_SIMD_VF_MATH_H
#define GYRE_SIMD_VF_MATH_H

#include "simd/lanes-inl.h"
#include "simd/vf-inl.h"
#include "simd/vf_math_coefficients.h"

/* Passed from the first half to the second. */
typedef struct vf_reduced {
    vf whole; /* the multiple of the constant: exp: as from vf_power; log: as a float; others: in the last bits */
    vf r;     /* the remainder, rounded; expm1, portable: its high part */
    vf lost;  /* the rounding error of r, to be subtracted; expm1: portable the low part of r, fused the argument */
} vf_reduced;

/* e^x = 2^n e^r with n = x / ln 2 rounded to an integer, r = x - n ln 2, |r| <= ln(2)/2, and
   e^r = 1 + (r + r^2 p(r)); fused 1 + r (1 + r p(r)). Largest error: portable 0.9886 ulp, fused 0.8913. */
VF_INLINE vm vf_exp_reduce(vf x, vf_reduced *to)
{
    vf rounder = vf_constant(VF_ROUNDER), shifted = vf_mul_add(x, vf_constant(VF_LOG2_E), rounder),
       n = vf_sub(shifted, rounder);
    to->whole = vf_power(shifted);
    to->r = vf_neg_mul_add(n, vf_constant(VF_LN2_1), vf_neg_mul_add(n, vf_constant(VF_LN2_0), x));
    return vf_le(vf_abs(x), vf_constant(86));
}

VF_INLINE vf vf_exp_p(vf r)
{
    vf high = vf_mul_add(r, vf_constant(VF_EXP_4), vf_constant(VF_EXP_3));
#if GYRE_FUSED
    high = vf_mul_add(r, vf_mul_add(r, high, vf_constant(VF_EXP_2)), vf_constant(VF_EXP_1));
#else
    vf low = vf_mul_add(r, vf_constant(VF_EXP_2), vf_constant(VF_EXP_1));
    high = vf_mul_add(vf_mul(r, r), high, low); /* r^2 is needed in vf_exp_of_rest too */
#endif
    return vf_mul_add(r, high, vf_constant(VF_EXP_0));
}

VF_INLINE vf vf_exp_of_rest(vf r)
{
    vf p = vf_exp_p(r);
#if GYRE_FUSED
    return vf_mul_add(vf_mul_add(p, r, vf_constant(1)), r, vf_constant(1));
#else
    return vf_add(vf_constant(1), vf_mul_add(vf_mul(r, r), p, r));
#endif
}

VF_INLINE vf vf_exp_finish(const vf_reduced *x) { return vf_scale_normal(vf_exp_of_rest(x->r), x->whole); }

VF_INLINE vf vf_exp(vf x)
{
    vf_reduced reduced;
    if (vm_all(vf_exp_reduce(x, &reduced))) {
        return vf_exp_finish(&reduced);
    }
    /* From 89 up the result is infinite, below -104 it is 0; NaN remains NaN. x is replaced by 0 there, because
       reaching 0 through subnormal numbers takes thirty times as long. */
    const vm vanishes = vf_lt(x, vf_constant(-104));
    vf_exp_reduce(vf_min(vf_constant(89), vf_zero_where(vanishes, x)), &reduced);
    return vf_zero_where(vanishes, vf_scale(vf_exp_of_rest(reduced.r), reduced.whole));
}

/* n and r of an exponent that is itself rounded: using ln 2 in one part then adds half of that error again. */
VF_INLINE void vf_exponent_reduce(vf x, vf *power, vf *r)
{
    vf rounder = vf_constant(VF_ROUNDER), shifted = vf_mul_add(x, vf_constant(VF_LOG2_E), rounder),
       n = vf_sub(shifted, rounder);
    *power = vf_power(shifted);
    *r = vf_neg_mul_add(n, vf_constant(VF_LN2), x);
}

/* e^x for |x| <= 150, from n and r, and its relative rounding error `lost` near x = 0: where n is 0, (1 + lost) e^x is
   accurate to about 2^-26 |x|. It is for products with e^x that are to be rounded once. `normal`: all |x| are at most
   80. */
VF_INLINE vf vf_exp_and_lost(vf power, vf r, bool normal, vf *lost)
{
    vf less_one = vf_mul_add(vf_mul(r, r), vf_exp_p(r), r);
    vf sum = vf_add(vf_constant(1.0f), less_one);
    *lost = vf_sub(less_one, vf_sub(sum, vf_constant(1.0f)));
    return normal ? vf_scale_normal(sum, power) : vf_scale(sum, power);
}

/* e^x - 1 = 2^n m + (2^n - 1), where m = e^r - 1 = r + r^2 q(r) is in [-1/4, 1/2]: n changes where r is ln(3/4) or
   ln(3/2). Portable: r = high - low. Largest error: portable 0.9584 ulp, fused 0.9565. */
#define VF_EXPM1_ROUNDER (VF_ROUNDER + 127) /* for the exponent of 2^n */

VF_INLINE vm vf_expm1_reduce(vf x, vf_reduced *to)
{
    const vf rounder = vf_constant(VF_EXPM1_ROUNDER), bounded = vf_max(vf_constant(-80), x);
    to->whole = vf_add(vf_mul_add(bounded, vf_constant(VF_LOG2_E), vf_constant(VF_EXPM1_SHIFT)), rounder);
    vf n = vf_sub(to->whole, rounder);
#if GYRE_FUSED
    to->r = vf_neg_mul_add(n, vf_constant(VF_LN2_REST), vf_neg_mul_add(n, vf_constant(VF_LN2), bounded));
    to->lost = x;
#else
    to->r = vf_neg_mul_add(n, vf_constant(VF_LN2_0), bounded);
    to->lost = vf_mul(n, vf_constant(VF_LN2_1));
#endif
    return vf_le(x, vf_constant(86));
}

VF_INLINE vf vf_expm1_of_rest(const vf_reduced *x)
{
#if GYRE_FUSED
    const vf r = x->r;
    vf q = vf_mul_add(r, vf_mul_add(r, vf_constant(VF_EXPM1_FUSED_4), vf_constant(VF_EXPM1_FUSED_3)),
                      vf_constant(VF_EXPM1_FUSED_2));
    q = vf_mul_add(r, vf_mul_add(r, q, vf_constant(VF_EXPM1_FUSED_1)), vf_constant(VF_EXPM1_FUSED_0));
    return vf_mul_add(r, vf_mul(r, q), r);
#else
    const vf high = x->r, low = x->lost, r = vf_sub(high, low), r2 = vf_mul(r, r);
    vf p = vf_mul_add(r2, vf_constant(VF_EXPM1_4), vf_mul_add(r, vf_constant(VF_EXPM1_3), vf_constant(VF_EXPM1_2)));
    p = vf_mul_add(r2, p, vf_mul_add(r, vf_constant(VF_EXPM1_1), vf_constant(VF_EXPM1_0)));
    return vf_sub(high, vf_neg_mul_add(r2, vf_mul_add(r, p, vf_constant(0.5f)), low));
#endif
}

VF_INLINE vf vf_expm1_of(const vf_reduced *x, bool ordinary)
{
    const vf m = vf_expm1_of_rest(x);
    const float one = ordinary ? 1 : 0.5f;
    const vi power = vi_shl(vf_bits(x->whole), 23);
    const vf u = vf_from_bits(ordinary ? power : vi_sub(power, vi_set1(1 << 23)));
    const vf less_start = vf_sub(vf_constant(one), u);
    const vf kept = vf_add(u, less_start), lost = vf_xor(kept, vf_constant(-one)); /* kept is 0 or `one` */
    vf result = vf_sub(vf_mul_add(u, m, lost), less_start);
    if (!ordinary) {
        result = vf_select(vf_lt(vf_abs(m), vf_constant(0x1p-100f)), m, vf_add(result, result));
    }
    return GYRE_FUSED ? vf_max(result, x->lost) : result;
}

VF_INLINE vf vf_expm1_finish(const vf_reduced *x) { return vf_expm1_of(x, true); }

VF_INLINE vf vf_expm1(vf x)
{
    vf_reduced reduced;
    vf_expm1_reduce(vf_min(vf_constant(89), x), &reduced); /* above 89 the result is infinite; NaN stays NaN */
    return vf_expm1_of(&reduced, false);
}

/* x = 2^e m with sqrt(1/2) <= m < sqrt(2), for positive normal x. */
VF_INLINE void vf_log_split(vf x, vf *e, vf *m)
{
    vi exponent = vi_sar(vi_sub(vf_bits(x), vf_bits(vf_constant(0x1.6a09e6p-1f))), 23);
    *e = vi_to_vf(exponent);
    *m = vf_from_bits(vi_sub(vf_bits(x), vi_shl(exponent, 23)));
}

/* log x = e ln 2 + log(1 + f) with x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and log(1 + f) = f - f^2/2 + f^3
   p(f). For arguments that are not positive and normal, e is out of range.
   Largest error: portable 0.9289 ulp, fused 0.9829. */
VF_INLINE vm vf_log_reduce(vf x, vf_reduced *to)
{
    vf m;
    vf_log_split(x, &to->whole, &m);
    to->r = vf_sub(m, vf_constant(1));
    return vf_lt(vf_abs(to->whole), vf_constant(126));
}

VF_INLINE vf vf_log_finish(const vf_reduced *x)
{
    vf e = x->whole, f = x->r, f2 = vf_mul(f, f);
#if GYRE_FUSED
    vf even = vf_mul_add(vf_constant(VF_LOG_7), f2, vf_constant(VF_LOG_5));
    vf odd = vf_mul_add(vf_constant(VF_LOG_6), f2, vf_constant(VF_LOG_4));
    even = vf_mul_add(even, f2, vf_constant(VF_LOG_3));
    odd = vf_mul_add(odd, f2, vf_constant(VF_LOG_2));
    even = vf_mul_add(even, f2, vf_constant(VF_LOG_1));
    odd = vf_mul_add(odd, f2, vf_constant(VF_LOG_0));
    even = vf_mul_add(even, f2, vf_constant(-0.5f));
    return vf_mul_add(e, vf_constant(VF_LN2), vf_mul_add(f2, vf_mul_add(odd, f, even), f));
#else
    vf p = vf_mul_add(f, vf_constant(VF_LOG_1), vf_constant(VF_LOG_0));
    vf p2 = vf_mul_add(f, vf_constant(VF_LOG_3), vf_constant(VF_LOG_2));
    vf p4 = vf_mul_add(f, vf_constant(VF_LOG_5), vf_constant(VF_LOG_4));
    vf p6 = vf_mul_add(f, vf_constant(VF_LOG_7), vf_constant(VF_LOG_6));
    p = vf_mul_add(vf_mul(f2, f2), vf_mul_add(f2, p6, p4), vf_mul_add(f2, p2, p));
    vf y = vf_neg_mul_add(vf_constant(0.5f), f2, vf_mul(e, vf_constant(VF_LN2_1)));
    y = vf_mul_add(vf_mul(f2, f), p, y);
    return vf_mul_add(e, vf_constant(VF_LN2_0), vf_add(f, y));
#endif
}

VF_INLINE vf vf_log(vf x)
{
    vf_reduced reduced;
    if (!vm_all(vf_log_reduce(x, &reduced))) {
        vm subnormal = vf_lt(x, vf_constant(0x1p-126f));
        vf_log_reduce(vf_select(subnormal, vf_mul(x, vf_constant(0x1p23f)), x), &reduced);
        vf e = vf_select(subnormal, vf_sub(reduced.whole, vf_constant(23)), reduced.whole);
        e = vf_select(vf_lt(x, vf_constant(INFINITY)), e, x);
        e = vf_select(vf_eq(x, vf_set1(0)), vf_constant(-INFINITY), e);
        reduced.whole = vf_select(vf_lt(x, vf_set1(0)), vf_constant(NAN), e);
    }
    return vf_log_finish(&reduced);
}

/* The smallest large angle. Below it the quotient q is at most 2^13, and r is either 0 or at least 2^-27.9. */
#if GYRE_FUSED
#define VF_LARGE_ANGLE 0x1.9222dcp13f /* 2^13 + 1/4 quadrants: see vf_angle_reduce */
#else
#define VF_LARGE_ANGLE 0x1.9p13f
#endif

/* Reduces a large finite angle, with the result of vf_angle_reduce: |x| = m 2^e with 24 bits in m. Only the bits of |x|
   2/pi below 2^2 are needed: m times 96 bits of 2/pi, the first of weight 2^(1 - e). The product in double precision is
   the same on every machine. */
typedef struct large_angle {
    float quadrant, r, lost;
} large_angle;

GYRE_CONSTANTS uint32_t vf_2_over_pi_words[] = VF_2_OVER_PI_WORDS;

GYRE_DEVICE static inline large_angle large_angle_reduced(float x)
{
    const bool negative = x < 0;
    const float magnitude = negative ? -x : x;
    const uint32_t bits = bits_of_float(magnitude);
    const uint32_t at = (bits >> 23) - 136; /* e + 14: where the bits start; the first 14 are unused */
    const uint64_t m = (uint64_t)((bits & 0x7fffff) | 0x800000) << at % 8;
    const uint32_t first = at / 8; /* successive words of 2/pi are four apart */
    const uint64_t high = vf_2_over_pi_words[first], middle = vf_2_over_pi_words[first + 4],
                   low = vf_2_over_pi_words[first + 8];
    const uint64_t turns = (m * high << 32) + m * middle + (m * low >> 32);
    const uint64_t q = (turns + ((uint64_t)1 << 61)) >> 62;
    const int64_t part = (int64_t)(turns - (q << 62));
    /* Rounded once, like a conversion of 64 bits, for which 32-bit CPUs need the compiler's run-time library. */
    const double rest = ((double)(int32_t)(part >> 32) * 0x1p32 + (double)(uint32_t)part) * 0x1.921fb54442d18p-62;
    const double signed_rest = negative ? -rest : rest;
    const float r = (float)signed_rest;
    return (large_angle){VF_ROUNDER + (float)(negative ? -(int)q : (int)q), r, (float)((double)r - signed_rest)};
}

/* Replaces the result of vf_angle_reduce in lanes with large angles, and changes no other lane. Infinite angles give
   NaN. */
VF_RARE vf_reduced vf_reduce_large(vf angle, vf whole, vf r, vf lost)
{
    const vf_lanes x = vf_to_lanes(angle);
    const vm endless = vf_eq(vf_abs(angle), vf_set1(INFINITY));
    const vm large = vm_and(vf_le(vf_set1(VF_LARGE_ANGLE), vf_abs(angle)), vm_not(endless));
    vf_lanes quadrants = vf_to_lanes(whole), rests = vf_to_lanes(vf_select(endless, vf_set1(NAN), r)),
             errors = vf_to_lanes(lost);
    for (vm_lanes left = vm_to_lanes(large); vm_has_lane(left); left = vm_without_first(left)) {
        const int k = vm_first_lane(left);
        const large_angle reduced = large_angle_reduced(x.lane[k]);
        quadrants.lane[k] = reduced.quadrant;
        rests.lane[k] = reduced.r;
        errors.lane[k] = reduced.lost;
    }
    return (vf_reduced){vf_from_lanes(quadrants), vf_from_lanes(rests), vf_from_lanes(errors)};
}

/* x = q pi/2 + r - lost, with |r| at most slightly above pi/4; the low bits of `whole` give the quadrant. The products
   of q and `next` are exact, and so is the sum that recovers the rounding error of r. */
VF_INLINE void vf_angle_rest(vf high, vf q, float next, float last, vf_reduced *to)
{
    to->r = vf_neg_mul_add(q, vf_constant(next), high);
    to->lost = vf_mul_add(q, vf_constant(next), vf_sub(to->r, high));
    to->lost = vf_mul_add(q, vf_constant(last), to->lost);
}

#if GYRE_FUSED
/* q in units of 2^-22, the spacing of floats from 2 to 4, added to 2 + 2^-9. For q in [-2^13, 2^13) only bit 30, the
   whole exponent from 2 to 4, and the last 14 bits of the sum can be set; for other q some other bit is. */
VF_INLINE vm vf_angle_reduce(vf x, vf_reduced *to)
{
    const float unit = 0x1p-22f;
    const vf rounder = vf_constant(2 + 0x1p13f * unit);
    to->whole = vf_mul_add(x, vf_constant(VF_2_OVER_PI * unit), rounder);
    vf q = vf_sub(to->whole, rounder), high = vf_neg_mul_add(q, vf_constant(VF_PI_2_LONG_0 / unit), x);
    vf_angle_rest(high, q, VF_PI_2_LONG_1 / unit, VF_PI_2_LONG_2 / unit, to);
    return vi_disjoint(vf_bits(to->whole), vi_set1(~(1 << 30 | ((1 << 14) - 1))));
}
#else
VF_INLINE vf vf_quadrants(vf x, vf *whole)
{
    *whole = vf_mul_add(x, vf_constant(VF_2_OVER_PI), vf_constant(VF_ROUNDER));
    return vf_sub(*whole, vf_constant(VF_ROUNDER));
}

VF_INLINE vm vf_angle_reduce(vf x, vf_reduced *to)
{
    vf q = vf_quadrants(x, &to->whole);
    vf high = vf_neg_mul_add(q, vf_constant(VF_PI_2_SHORT_1), vf_neg_mul_add(q, vf_constant(VF_PI_2_SHORT_0), x));
    vf_angle_rest(high, q, VF_PI_2_SHORT_2, VF_PI_2_SHORT_3, to);
    return vf_lt(vf_abs(x), vf_constant(VF_LARGE_ANGLE));
}

/* The same bits for |x| < 100, with one part of pi/2 fewer: q is at most 64, so the parts may have 17 and 18 bits.
   Their sum is that of the three parts above. */
VF_INLINE vm vf_near_angle_reduce(vf x, vf_reduced *to)
{
    vf q = vf_quadrants(x, &to->whole);
    vf_angle_rest(vf_neg_mul_add(q, vf_constant(VF_PI_2_NEAR_0), x), q, VF_PI_2_NEAR_1, VF_PI_2_NEAR_2, to);
    return vf_lt(vf_abs(x), vf_constant(100));
}
#endif

/* sin x and cos x: the sine and cosine of r - lost; the quadrant then selects between them and sets the signs. With z =
   r^2:

       portable: sin = r - (lost - r z s(z))          cos = 1 - (z/2 - (z^2 c(z) + r lost))
       fused:    sin = r - e, e = lost - r (z s)      cos = 1 + r e, e = lost - r (1/2 - z c)

   Largest error: sin portable 0.9789 ulp, fused 0.9185; cos portable 0.9352, fused 0.9297. */

/* The differences between sine and cosine: the coefficients and the polynomial's factor. In a fused table, c has the
   opposite sign. */
typedef struct vf_circular {
    vf p0, p1, p2;
    vf offset; /* in a fused table: 0 or 1/2 */
    vf factor; /* in a portable one: r or z */
} vf_circular;

VF_INLINE vf_circular vf_for_sine(vf r)
{
    return (vf_circular){vf_constant(VF_SIN_0), vf_constant(VF_SIN_1), vf_constant(VF_SIN_2), vf_set1(0), r};
}

VF_INLINE vf_circular vf_for_cosine(vf z)
{
    const float sign = GYRE_FUSED ? -1 : 1;
    return (vf_circular){vf_constant(sign * VF_COS_0), vf_constant(sign * VF_COS_1), vf_constant(sign * VF_COS_2),
                         vf_constant(0.5f), z};
}

VF_INLINE vf_circular vf_circular_select(vm m, vf_circular a, vf_circular b)
{
    return (vf_circular){vf_select(m, a.p0, b.p0), vf_select(m, a.p1, b.p1), vf_select(m, a.p2, b.p2),
                         vf_select(m, a.offset, b.offset), vf_select(m, a.factor, b.factor)};
}

/* e, or in a portable table r z s or z^2 c. */
VF_INLINE vf vf_circular_term(const vf_reduced *x, vf z, vf_circular of)
{
    vf p = vf_mul_add(z, vf_mul_add(z, of.p2, of.p1), of.p0);
    return GYRE_FUSED ? vf_neg_mul_add(x->r, vf_mul_add(z, p, of.offset), x->lost) : vf_mul(vf_mul(of.factor, z), p);
}

/* r - sin */
VF_INLINE vf vf_less_sine(const vf_reduced *x, vf term) { return GYRE_FUSED ? term : vf_sub(x->lost, term); }

VF_INLINE vf vf_cosine(const vf_reduced *x, vf z, vf term)
{
    if (GYRE_FUSED) {
        return vf_mul_add(x->r, term, vf_constant(1));
    }
    vf less_quarter = vf_sub(vf_mul(vf_constant(0.5f), z), vf_constant(0.25f));
    return vf_sub(vf_constant(0.75f), vf_sub(vf_neg_mul_add(x->r, x->lost, less_quarter), term));
}

/* Quadrants 2 and 3 change the signs. (In odd quadrants the sine is c and the cosine -s.) */
VF_INLINE vf vf_signed_by_quadrant(vf a, vi quadrant)
{
    return vf_xor(a, vf_from_bits(vi_and(vi_shl(quadrant, 30), vi_set1(INT32_MIN))));
}

VF_INLINE void vf_sincos_finish(const vf_reduced *x, vf *sin, vf *cos)
{
    const vi quadrant = vf_bits(x->whole);
    const vm even = vi_disjoint(quadrant, vi_set1(1));
    const vf r = x->r, z = vf_mul(r, r);
    vf less_s = vf_less_sine(x, vf_circular_term(x, z, vf_for_sine(r)));
    vf c = vf_cosine(x, z, vf_circular_term(x, z, vf_for_cosine(z)));
    *sin = vf_signed_by_quadrant(vf_select(even, vf_sub(r, less_s), c), quadrant);
    *cos = vf_signed_by_quadrant(vf_select(even, c, vf_sub(less_s, r)), quadrant);
}

/* Where vf_select is one operation, sine or cosine alone evaluates one polynomial, with the coefficients for each
   lane's quadrant. The bits are the same. */
#define VF_ONE_POLYNOMIAL (GYRE_LANES == 16)

VF_INLINE vf vf_circular_finish(const vf_reduced *x, bool cosine)
{
    if (!VF_ONE_POLYNOMIAL) {
        vf sin, cos;
        vf_sincos_finish(x, &sin, &cos);
        return cosine ? cos : sin;
    }
    const vi quadrant = vf_bits(x->whole);
    const vm even = vi_disjoint(quadrant, vi_set1(1));
    const vf r = x->r, z = vf_mul(r, r);
    const vf_circular s = vf_for_sine(r), c = vf_for_cosine(z);
    const vf term = vf_circular_term(x, z, cosine ? vf_circular_select(even, c, s) : vf_circular_select(even, s, c));
    const vf less_s = vf_less_sine(x, term), by_c = vf_cosine(x, z, term);
    const vf result = cosine ? vf_select(even, by_c, vf_sub(less_s, r)) : vf_select(even, vf_sub(r, less_s), by_c);
    return vf_signed_by_quadrant(result, quadrant);
}

VF_INLINE vf vf_sin_finish(const vf_reduced *x) { return vf_circular_finish(x, false); }
VF_INLINE vf vf_cos_finish(const vf_reduced *x) { return vf_circular_finish(x, true); }

VF_INLINE vf_reduced vf_angle_reduced(vf x)
{
    vf_reduced reduced;
    if (!vm_all(vf_angle_reduce(x, &reduced))) {
        reduced = vf_reduce_large(x, reduced.whole, reduced.r, reduced.lost);
    }
    return reduced;
}

VF_INLINE void vf_sincos(vf x, vf *sin, vf *cos)
{
    const vf_reduced reduced = vf_angle_reduced(x);
    vf_sincos_finish(&reduced, sin, cos);
}

VF_INLINE vf vf_sin(vf x)
{
    const vf_reduced reduced = vf_angle_reduced(x);
    return vf_sin_finish(&reduced);
}

VF_INLINE vf vf_cos(vf x)
{
    const vf_reduced reduced = vf_angle_reduced(x);
    return vf_cos_finish(&reduced);
}

/* a / sin a for the angle a = acos(1 - y), for y in [0, 1], where a is up to a quarter turn. Its value is 1 to 1.571,
   within 2.8 eps of 1. The function continues slightly below 0. */
VF_INLINE vf vf_angle_over_sine(vf y)
{
    const vf y2 = vf_mul(y, y);
    vf even = vf_mul_add(y2, vf_constant(VF_ANGLE_OVER_SINE_8), vf_constant(VF_ANGLE_OVER_SINE_6));
    vf odd = vf_mul_add(y2, vf_constant(VF_ANGLE_OVER_SINE_7), vf_constant(VF_ANGLE_OVER_SINE_5));
    even = vf_mul_add(y2, even, vf_constant(VF_ANGLE_OVER_SINE_4));
    odd = vf_mul_add(y2, odd, vf_constant(VF_ANGLE_OVER_SINE_3));
    even = vf_mul_add(y2, even, vf_constant(VF_ANGLE_OVER_SINE_2));
    odd = vf_mul_add(y2, odd, vf_constant(VF_ANGLE_OVER_SINE_1));
    even = vf_mul_add(y2, even, vf_constant(VF_ANGLE_OVER_SINE_0));
    return vf_mul_add(y, vf_mul_add(y, odd, even), vf_constant(1));
}

/* Stumpff's functions C(x) = cos(sqrt x) and S(x) = sin(sqrt x) / sqrt x of x = s unit in [-2.05, 2.5], as the slopes
   (C - 1) / s and (S - 1) / s. The unit is a power of two. The polynomials are within 0.36 eps of C and 0.08 eps of S.
 */
VF_INLINE void vf_stumpff(vf s, float unit, vf *c_slope, vf *s_slope)
{
    const float u1 = unit, u2 = u1 * unit, u3 = u2 * unit, u4 = u3 * unit, u5 = u4 * unit;
    vf s2 = vf_mul(s, s);
    vf c = vf_mul_add(s, vf_constant(u3 * VF_STUMPFF_C_2), vf_constant(u2 * VF_STUMPFF_C_1));
    c = vf_mul_add(s2, vf_mul_add(s, vf_constant(u5 * VF_STUMPFF_C_4), vf_constant(u4 * VF_STUMPFF_C_3)), c);
    *c_slope = vf_mul_add(s, c, vf_constant(u1 * VF_STUMPFF_C_0));
    vf d = vf_mul_add(s, vf_constant(u3 * VF_STUMPFF_S_2), vf_constant(u2 * VF_STUMPFF_S_1));
    d = vf_mul_add(s2, vf_mul_add(s, vf_constant(u5 * VF_STUMPFF_S_4), vf_constant(u4 * VF_STUMPFF_S_3)), d);
    *s_slope = vf_mul_add(s, d, vf_constant(u1 * VF_STUMPFF_S_0));
}

#endif
