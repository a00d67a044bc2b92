/* Elementary functions of a vector of floats: one algorithm each, for every width, with the same bits at every width.

   Each reduces its argument with parts of a constant so short that their products are exact, evaluates a polynomial
   there, and puts the result together in an order that rounds the large terms last. Where the algorithm differs between
   portable and fused tables, it is because a fused operation makes a shorter form accurate enough.

   The comments give error budgets in ulp of the result, and the largest error measured over all 2^32 floats
   (tests/test_math.c does it again). Special values are those of C99 Annex F; NaN and infinities pass through the
   arithmetic or the clamps, without tests of their own where that is possible.

   Cody and Waite, Software Manual for the Elementary Functions, Prentice-Hall 1980: reduction by parts.
   Payne and Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18, 1983: large arguments.
   Dekker, A floating-point technique for extending the available precision, Numer. Math. 18, 1971: lost low parts.
   Muller, Elementary Functions, 3rd edition, Birkhaeuser 2016: all of it together.

   Coefficients: tools/coefficients. */
#ifndef GYRE_SIMD_VF_MATH_H
#define GYRE_SIMD_VF_MATH_H

#include <math.h>

#include "vf.h"
#include "vf_math_coefficients.h"

/* Adding this to |x| < 2^22 rounds x to an integer, which the sum's low bits hold and a subtraction gives back. */
#define VF_ROUNDER 0x1.8p23f

/* e^x = 2^n e^r with n = x / ln 2 to the nearest integer and r = x - n ln 2, |r| <= ln(2)/2.
   n times the first part of ln 2 is exact, and so is its subtraction; then r is rounded once.
   e^r = 1 + (r + r^2 p(r)), p of degree 4, error 0.055 * 2^-24. 2^n is applied with one rounding, so that subnormal
   results and the last finite one are right.

   Budget, worst for r near -ln(2)/2 where e^r is 0.71: r 1/5, p and r^2 1/20, sum with r 1/4, sum with 1 1/2.
   A fused table rounds no product, and its form 1 + r (1 + r p) costs 1/6 in place of 1/4; unfused it would reach 1.2.
   Largest error: portable 0.9886 at -0x1.769da2p+2, fused 0.8913 at -0x1.765026p+2. */
VF_INLINE void vf_exp_reduce(vf x, vf *n, vf *r)
{
    vf rounder = vf_set1(VF_ROUNDER);
    *n = vf_sub(vf_mla(x, vf_set1(VF_LOG2_E), rounder), rounder);
    *r = vf_nmla(*n, vf_set1(VF_LN2_1), vf_nmla(*n, vf_set1(VF_LN2_0), x));
}

VF_INLINE vf vf_exp_p(vf r)
{
    vf high = vf_mla(r, vf_set1(VF_EXP_4), vf_set1(VF_EXP_3));
    vf low = vf_mla(r, vf_set1(VF_EXP_2), vf_set1(VF_EXP_1));
    return vf_mla(r, vf_mla(vf_mul(r, r), high, low), vf_set1(VF_EXP_0));
}

VF_INLINE vf vf_exp(vf x)
{
    /* Beyond these the result is 0 or infinite whatever x is; NaN stays. */
    vf clamped = vf_max(vf_set1(-104.0f), vf_min(vf_set1(89.0f), x));
    vf n, r;
    vf_exp_reduce(clamped, &n, &r);
    vf p = vf_exp_p(r);
#if GYRE_FUSED
    p = vf_mla(vf_mla(p, r, vf_set1(1.0f)), r, vf_set1(1.0f));
#else
    p = vf_add(vf_set1(1.0f), vf_mla(vf_mul(r, r), p, r));
#endif
    return vf_scale(p, n);
}

/* e^x for |x| <= 150 from what vf_exp_reduce made of x, and what rounding took from it near x = 0, relative: where n is
   0, (1 + lost) e^x is right to some 2^-26 |x|. For products with e^x that are to be rounded once. Largest error of e^x
   itself as of the portable vf_exp. `normal` tells that all |x| are at most 80. */
VF_INLINE vf vf_exp_and_lost(vf n, vf r, bool normal, vf *lost)
{
    vf less_one = vf_mla(vf_mul(r, r), vf_exp_p(r), r);
    vf whole = vf_add(vf_set1(1.0f), less_one);
    *lost = vf_sub(less_one, vf_sub(whole, vf_set1(1.0f)));
    return normal ? vf_scale_normal(whole, n) : vf_scale(whole, n);
}

/* e^x - 1 = 2^n (1 + r + r^2/2 + r^3 p(r)) - 1, reduced as in vf_exp, but with r_low = what rounding r lost.
   p of degree 4, error 0.009 * 2^-24. With u = 2^(n - 1), which does not overflow, half the result is
       (u - 1/2) + u r + u (r^2/2 + r^3 p + r_low),
   where the first sum's two roundings are added to the small last term (the first is inexact for n > 24 alone).
   Arguments below 2^-26 are their own result, which also keeps -0 and subnormal numbers.

   Budget, worst for n = 1 and r near -ln(2)/2 where the result is 0.42: r^2/2, the small term and its product 1/8 each,
   last sum 1/2. Fusing changes little.
   Largest error: portable 0.8253 at 0x1.7cd0e4p-2, fused 0.8269 at 0x1.7cfde2p-2. */
VF_INLINE vf vf_expm1(vf x)
{
    /* Beyond these the result is -1 or infinite; NaN stays. */
    vf clamped = vf_max(vf_set1(-17.5f), vf_min(vf_set1(89.0f), x));

    vf rounder = vf_set1(VF_ROUNDER);
    vf sum = vf_mla(clamped, vf_set1(VF_LOG2_E), rounder);
    vf n = vf_sub(sum, rounder);
    vf high = vf_nmla(n, vf_set1(VF_LN2_0), clamped);
    vf r = vf_nmla(n, vf_set1(VF_LN2_1), high);
    vf r_low = vf_nmla(n, vf_set1(VF_LN2_1), vf_sub(high, r));

    vf r2 = vf_mul(r, r);
    vf p = vf_mla(r2, vf_set1(VF_EXPM1_4), vf_mla(r, vf_set1(VF_EXPM1_3), vf_set1(VF_EXPM1_2)));
    p = vf_mla(r2, p, vf_mla(r, vf_set1(VF_EXPM1_1), vf_set1(VF_EXPM1_0)));
    vf rest = vf_mla(vf_set1(0.5f), r2, vf_mla(vf_mul(r2, r), p, r_low));

    vf u = vf_from_bits(vi_add(vi_shl(vf_bits(sum), 23), vi_set1(126 << 23)));
    vf start = vf_sub(u, vf_set1(0.5f)), linear = vf_mul(u, r);
    vf half = vf_add(start, linear);
    vf lost = vf_add(vf_add(vf_sub(start, half), linear), vf_sub(vf_sub(u, start), vf_set1(0.5f)));
    half = vf_add(half, vf_mla(u, rest, lost));
    return vf_select(vf_lt(vf_abs(x), vf_set1(0x1p-26f)), x, vf_add(half, half));
}

/* x = 2^e m with sqrt(1/2) <= m < sqrt(2), for positive normal x. */
VF_INLINE void vf_log_split(vf x, vf *e, vf *m)
{
    vi exponent = vi_sar(vi_sub(vf_bits(x), vf_bits(vf_set1(0x1.6a09e6p-1f))), 23);
    *e = vi_to_vf(exponent);
    *m = vf_from_bits(vi_sub(vf_bits(x), vi_shl(exponent, 23)));
}

/* log x = e ln 2 + log(1 + f) with x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2); f is exact.
   log(1 + f) = f - f^2/2 + f^3 p(f), p of degree 7, error 0.14 * 2^-24.
   e times the first part of ln 2 is exact; the second part joins the small terms.
   Subnormal numbers are scaled first. For 0, negative numbers, infinity and NaN the exponent is replaced by what the
   result shall be, and the finite rest changes nothing. One test for any of these keeps them out of the way.

   Budget, worst near x = sqrt(1/2) and sqrt(2) where the result is 0.35: polynomial 1/8, f^2/2 and the small terms 1/4,
   sum with f 1/2. With e != 0 the sum with e ln 2 costs 1/2, or nothing where it cancels.
   Largest error: portable 0.8836 at 0x1.65f574p-1, fused 0.8649 at 0x1.6a05eap+0. */
VF_INLINE vf vf_log(vf x)
{
    vf e, m;
    vf_log_split(x, &e, &m);
    vm ordinary = vm_and(vf_le(vf_set1(0x1p-126f), x), vf_lt(x, vf_set1(INFINITY)));
    if (vm_any(vm_not(ordinary))) {
        vm subnormal = vf_lt(x, vf_set1(0x1p-126f));
        vf_log_split(vf_select(subnormal, vf_mul(x, vf_set1(0x1p23f)), x), &e, &m);
        e = vf_select(subnormal, vf_sub(e, vf_set1(23.0f)), e);
        e = vf_select(vf_lt(x, vf_set1(INFINITY)), e, x);
        e = vf_select(vf_eq(x, vf_set1(0.0f)), vf_set1(-INFINITY), e);
        e = vf_select(vf_lt(x, vf_set1(0.0f)), vf_set1(NAN), e);
    }

    vf f = vf_sub(m, vf_set1(1.0f));
    vf f2 = vf_mul(f, f);
    vf p = vf_mla(f, vf_set1(VF_LOG_1), vf_set1(VF_LOG_0));
    vf p2 = vf_mla(f, vf_set1(VF_LOG_3), vf_set1(VF_LOG_2));
    vf p4 = vf_mla(f, vf_set1(VF_LOG_5), vf_set1(VF_LOG_4));
    vf p6 = vf_mla(f, vf_set1(VF_LOG_7), vf_set1(VF_LOG_6));
    p = vf_mla(vf_mul(f2, f2), vf_mla(f2, p6, p4), vf_mla(f2, p2, p));
    vf y = vf_mla(e, vf_set1(VF_LN2_1), vf_mul(vf_mul(f2, f), p));
    y = vf_nmla(vf_set1(0.5f), f2, y);
    return vf_mla(e, vf_set1(VF_LN2_0), vf_add(f, y));
}

/* x = quadrant pi/2 + r + r_low, |r| <= pi/4 and a little, |r_low| <= ulp(r). The low bits of `quadrant` are the
   quadrant's. */
typedef struct vf_angle {
    vf quadrant, r, r_low;
} vf_angle;

/* Here begin the large arguments. Below, the quotient of x and pi/2 is less than 2^13, and r at least 2^-27.9. */
#define VF_LARGE_ANGLE 0x1.9p13f

/* Replaces what vf_reduce made of large arguments, and touches no other lane. x >= 0.
   x = m 2^e with 24 bits in m. Multiples of four quadrants do not matter, so of x 2/pi only the bits below 2^2 are
   computed: m times 96 bits of 2/pi, the first of them with the weight 2^(1 - e). 62 bits of fraction remain, and no
   float is nearer to a multiple of pi/2 than 2^-30: r + r_low is good to 2^-30 of itself. The product in double
   precision is the same on every machine. */
static __attribute__((noinline, unused)) void vf_reduce_large(const vf *magnitude, vf_angle *angle)
{
    static const uint32_t words[] = VF_2_OVER_PI_WORDS;
    float x[GYRE_LANES], quadrant[GYRE_LANES], r[GYRE_LANES], r_low[GYRE_LANES];
    vf_store(x, *magnitude);
    vf_store(quadrant, angle->quadrant);
    vf_store(r, angle->r);
    vf_store(r_low, angle->r_low);
    for (int lane = 0; lane < GYRE_LANES; lane++) {
        if (!(x[lane] >= VF_LARGE_ANGLE)) {
            continue;
        }
        if (x[lane] == INFINITY) {
            r[lane] = NAN;
            continue;
        }
        uint32_t bits;
        memcpy(&bits, &x[lane], sizeof bits);
        uint32_t at = (bits >> 23) - 136; /* e + 14: where the bits start in `words`, whose first 14 are of no use */
        uint64_t m = (uint64_t)((bits & 0x7fffff) | 0x800000) << at % 8;
        const uint32_t *window = &words[at / 8]; /* successive words of 2/pi are four apart */
        uint64_t turns = (m * window[0] << 32) + m * window[4] + (m * window[8] >> 32);
        uint64_t q = (turns + ((uint64_t)1 << 61)) >> 62;
        double rest = (double)(int64_t)(turns - (q << 62)) * 0x1.921fb54442d18p-62;
        quadrant[lane] = VF_ROUNDER + (float)(int)q;
        r[lane] = (float)rest;
        r_low[lane] = (float)(rest - (double)r[lane]);
    }
    angle->quadrant = vf_load(quadrant);
    angle->r = vf_load(r);
    angle->r_low = vf_load(r_low);
}

/* x >= 0. The products of the quotient and all parts of pi/2 but the last are exact (the first one of a fused table is,
   inside the fused operation), so are the differences until r, and what r loses is recovered exactly. */
VF_INLINE vf_angle vf_reduce(vf magnitude)
{
    vf rounder = vf_set1(VF_ROUNDER);
    vf_angle angle;
    angle.quadrant = vf_mla(magnitude, vf_set1(VF_2_OVER_PI), rounder);
    vf q = vf_sub(angle.quadrant, rounder);
#if GYRE_FUSED
    vf high = vf_nmla(q, vf_set1(VF_PI_2_LONG_0), magnitude);
    angle.r = vf_nmla(q, vf_set1(VF_PI_2_LONG_1), high);
    angle.r_low = vf_nmla(q, vf_set1(VF_PI_2_LONG_1), vf_sub(high, angle.r));
    angle.r_low = vf_nmla(q, vf_set1(VF_PI_2_LONG_2), angle.r_low);
#else
    vf high = vf_nmla(q, vf_set1(VF_PI_2_SHORT_0), magnitude);
    high = vf_nmla(q, vf_set1(VF_PI_2_SHORT_1), high);
    angle.r = vf_nmla(q, vf_set1(VF_PI_2_SHORT_2), high);
    angle.r_low = vf_nmla(q, vf_set1(VF_PI_2_SHORT_2), vf_sub(high, angle.r));
    angle.r_low = vf_nmla(q, vf_set1(VF_PI_2_SHORT_3), angle.r_low);
#endif
    if (vm_any(vf_le(vf_set1(VF_LARGE_ANGLE), magnitude))) {
        vf_angle in_memory = angle; /* copies, lest the others have to live there */
        vf x = magnitude;
        vf_reduce_large(&x, &in_memory);
        angle = in_memory;
    }
    return angle;
}

/* sin x and cos x: x reduced to r + r_low and a quadrant, the sine and cosine of r + r_low, then the quadrant's choice
   of the two and of signs. The sign of x goes to the sine last, so that sin(-0) = -0. With z = r^2:

       sin = r + (r z s(z) + r_low)                   s of degree 2, error 0.07 * 2^-24
       cos = 1 - (z/2 - (z^2 c(z) - r r_low))         c of degree 2, error 0.002 * 2^-24

   A fused table nests the second as 1 - r (r (1/2 - z c) + r_low), which takes half the operations. A portable table
   takes 1/4 from both sides of the outer difference, which leaves little to round inside where |r| is large.

   Budget, worst for |r| near pi/4 or where a result is just above a power of two: s or c and their products 1/6, z 1/4
   in the cosine, last sum 1/2; near zeros r_low 1/3 for the largest quotients.
   Largest error: sin portable 0.9865 at 0x1.6f64fep+13, fused 0.9289 at 0x1.42bd42p+59;
   cos portable 0.9906 at 0x1.8231e2p+13, fused 0.9297 at 0x1.385e1ap+13. */
VF_INLINE void vf_sincos(vf x, vf *sin, vf *cos)
{
    vf_angle angle = vf_reduce(vf_abs(x));
    vf r = angle.r, z = vf_mul(r, r);

    vf z2 = vf_mul(z, z);
    vf s = vf_mla(z2, vf_set1(VF_SIN_2), vf_mla(z, vf_set1(VF_SIN_1), vf_set1(VF_SIN_0)));
    s = vf_add(r, vf_mla(vf_mul(r, z), s, angle.r_low));

    vf c = vf_mla(z2, vf_set1(VF_COS_2), vf_mla(z, vf_set1(VF_COS_1), vf_set1(VF_COS_0)));
#if GYRE_FUSED
    c = vf_nmla(r, vf_mla(r, vf_nmla(z, c, vf_set1(0.5f)), angle.r_low), vf_set1(1.0f));
#else
    vf rest = vf_nmla(r, angle.r_low, vf_mul(z2, c));
    c = vf_sub(vf_set1(0.75f), vf_sub(vf_sub(vf_mul(vf_set1(0.5f), z), vf_set1(0.25f)), rest));
#endif

    /* Odd quadrants swap the two; the sine is negative in 2 and 3, the cosine in 1 and 2. */
    vm even = vi_disjoint(vf_bits(angle.quadrant), vi_set1(1));
    vi sign_bit = vi_set1(INT32_MIN), turn = vi_shl(vf_bits(angle.quadrant), 30);
    vi sin_sign = vi_and(vi_xor(turn, vf_bits(x)), sign_bit);
    vi cos_sign = vi_and(vi_add(turn, vi_set1(1 << 30)), sign_bit);
    *sin = vf_from_bits(vi_xor(vf_bits(vf_select(even, s, c)), sin_sign));
    *cos = vf_from_bits(vi_xor(vf_bits(vf_select(even, c, s)), cos_sign));
}

/* Both quadrants' polynomials are needed for either, so these are vf_sincos, and have its bits. */
VF_INLINE vf vf_sin(vf x)
{
    vf sin, cos;
    vf_sincos(x, &sin, &cos);
    return sin;
}

VF_INLINE vf vf_cos(vf x)
{
    vf sin, cos;
    vf_sincos(x, &sin, &cos);
    return cos;
}

/* The entire functions C(s) = cos(sqrt s) and S(s) = sin(sqrt s) / sqrt s, as the slopes (C - 1) / s and (S - 1) / s,
   for s in [-2.05, 2.5]. What the polynomials miss of C and S: 0.36 eps and 0.08 eps. */
VF_INLINE void vf_entire(vf s, vf *c_slope, vf *s_slope)
{
    vf s2 = vf_mul(s, s);
    vf c = vf_mla(s, vf_set1(VF_ENTIRE_C_2), vf_set1(VF_ENTIRE_C_1));
    c = vf_mla(s2, vf_mla(s, vf_set1(VF_ENTIRE_C_4), vf_set1(VF_ENTIRE_C_3)), c);
    *c_slope = vf_mla(s, c, vf_set1(VF_ENTIRE_C_0));
    vf d = vf_mla(s, vf_set1(VF_ENTIRE_S_2), vf_set1(VF_ENTIRE_S_1));
    d = vf_mla(s2, vf_mla(s, vf_set1(VF_ENTIRE_S_4), vf_set1(VF_ENTIRE_S_3)), d);
    *s_slope = vf_mla(s, d, vf_set1(VF_ENTIRE_S_0));
}

#endif
