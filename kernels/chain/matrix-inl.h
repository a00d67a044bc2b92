/* The matrix of a bone's motion for a time h:  x'' + c x' + w2 x = A,  x measured from the target and A constant. With
   a = c h / 2, m = w2 h^2, s = m - a^2 and E = exp(-a), the state after h is

       x  <- pp x + pv x' + ramp A         pp = E (C + a S)      pv = h E S           C = cos(sqrt s)
       x' <- vp x + vv x' + pv A           vp = -w2 pv           vv = E (C - a S)     S = sin(sqrt s) / sqrt s

   and ramp = (1 - pp) / w2. It is spring/matrix-inl.h for a rate and a damping that are known by their products, of
   which either may be 0. */
#ifndef GYRE_CHAIN_MATRIX_H
#define GYRE_CHAIN_MATRIX_H

#include "simd/vf_math-inl.h"

typedef struct chain_matrix {
    vf pp, pv, vp, vv, ramp;
} chain_matrix;

/* E C, E S, and the coefficients that follow from them; `step` is (1 - pp) / m. */
typedef struct chain_decay {
    vf pp, es, vv, step;
} chain_decay;

/* By the series of C and S, for |s| <= 2, which is every frame rate above 20 Hz for ordinary hair. Where m is small,
   1 - pp would cancel. With divided differences of C and S between -a^2, where C + a S is 1 / E, and s

       step = -E (C[s, -a^2] + a S[s, -a^2]) = E (S / 2 - (a + m / 4) S') + ...

   with S' at the middle: C' = -S / 2, and the next term is below 2^-28 for m < 2^-6. */
VF_INLINE chain_decay chain_decay_by_series(vf a, vf m, vf s)
{
    vf c_slope, s_slope;
    vf_stumpff(s, 1, &c_slope, &s_slope);
    const vf e = vf_flushed(vf_exp(vf_neg(a))), one = vf_set1(1), s1 = vf_mul(s, s_slope);
    const vf ec = vf_mul(e, vf_mul_add(s, c_slope, one)), es = vf_mul_add(e, s1, e);
    const vf pp = vf_mul_add(a, es, ec);
    const vf middle = vf_neg_mul_add(vf_set1(0.5f), m, s);
    vf slope = vf_mul_add(middle, vf_set1(-5.0f / 39916800), vf_set1(4.0f / 362880)); /* S' = -1/6 + 2 s/5! - ... */
    slope = vf_mul_add(middle, slope, vf_set1(-3.0f / 5040));
    slope = vf_mul_add(middle, slope, vf_set1(2.0f / 120));
    slope = vf_mul_add(middle, slope, vf_set1(-1.0f / 6));
    const vf rest = vf_mul(e, vf_mul(vf_mul_add(vf_set1(0.25f), m, a), slope));
    const vf near = vf_neg_mul_add(one, rest, vf_mul(vf_set1(0.5f), es));
    const vm small = vf_lt(m, vf_set1(0x1p-6f));
    const vf far = vf_div(vf_sub(one, pp), vf_select(small, one, m));
    return (chain_decay){pp, es, vf_neg_mul_add(a, es, ec), vf_select(small, near, far)};
}

/* (1 - exp(-x)) / x for x >= 0 */
VF_INLINE vf chain_mean_decay(vf x)
{
    const vm none = vf_eq(x, vf_set1(0));
    const vf one = vf_set1(1), safe = vf_select(none, one, x);
    return vf_select(none, one, vf_div(vf_neg(vf_expm1(vf_neg(safe))), safe));
}

/* s > 2: by sine and cosine. No digit of a phase of 2^20 is worth its name. */
VF_INLINE chain_decay chain_decay_underdamped(vf a, vf m, vf s)
{
    const vf phase = vf_min(vf_set1(0x1p20f), vf_sqrt(vf_max(vf_set1(2), s))), e = vf_flushed(vf_exp(vf_neg(a)));
    vf sine, cosine;
    vf_sincos(phase, &sine, &cosine);
    const vf ec = vf_mul(e, cosine), es = vf_mul(e, vf_div(sine, phase)), pp = vf_mul_add(a, es, ec);
    return (chain_decay){pp, es, vf_neg_mul_add(a, es, ec), vf_div(vf_sub(vf_set1(1), pp), vf_max(vf_set1(2), m))};
}

/* s < -2: by the two exponentials, of x = a -+ sqrt(-s). */
VF_INLINE chain_decay chain_decay_overdamped(vf a, vf m, vf s)
{
    const vf root = vf_sqrt(vf_max(vf_set1(2), vf_neg(s))), fast = vf_add(a, root), slow = vf_div(m, fast);
    const vf of_slow = vf_flushed(vf_exp(vf_neg(slow))), of_fast = vf_flushed(vf_exp(vf_neg(fast)));
    const vf inverse = vf_div(vf_set1(0.5f), root);
    return (chain_decay){
        .pp = vf_mul(inverse, vf_neg_mul_add(slow, of_fast, vf_mul(fast, of_slow))),
        .es = vf_mul(inverse, vf_sub(of_slow, of_fast)),
        .vv = vf_mul(inverse, vf_neg_mul_add(slow, of_slow, vf_mul(fast, of_fast))),
        .step = vf_mul(inverse, vf_sub(chain_mean_decay(slow), chain_mean_decay(fast))),
    };
}

VF_INLINE chain_decay chain_decay_select(vm where, chain_decay a, chain_decay b)
{
    return (chain_decay){vf_select(where, a.pp, b.pp), vf_select(where, a.es, b.es), vf_select(where, a.vv, b.vv),
                         vf_select(where, a.step, b.step)};
}

/* Of w2 in 1/s^2 and c in 1/s, both at least 0, and 0 <= h <= 2^40 s. Products are kept from overflowing where the
   motion is over long before. */
VF_INLINE chain_matrix chain_matrix_of(vf w2, vf c, vf h)
{
    const vf most = vf_set1(0x1p60f);
    const vf a = vf_min(most, vf_mul(vf_set1(0.5f), vf_mul(c, h))), m = vf_mul(vf_min(most, vf_mul(w2, h)), h);
    const vf s = vf_neg_mul_add(a, a, m);
    chain_decay d = chain_decay_by_series(a, m, s);
    const vm near = vf_le(vf_abs(s), vf_set1(2));
    if (!vm_all(near)) {
        const vm under = vf_lt(vf_set1(0), s);
        const chain_decay other =
            chain_decay_select(under, chain_decay_underdamped(a, m, s), chain_decay_overdamped(a, m, s));
        d = chain_decay_select(near, d, other);
    }
    const vf pv = vf_mul(h, d.es);
    return (chain_matrix){d.pp, pv, vf_neg(vf_mul(w2, pv)), d.vv, vf_mul(h, vf_mul(h, d.step))};
}

#endif
