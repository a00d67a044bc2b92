/* The matrix of a damped spring:  x'' + 2 z w x' + w^2 x = 0,  x measured from the target, w in rad/s, z the damping
   ratio. With a = z w t, s = (w t)^2 (1 - z^2) and E = exp(-a), the state after t is

       x <- E (C + a S) x + E t S v                 C = cos(sqrt s)    S = sin(sqrt s) / sqrt s
       v <- -E w^2 t S x  + E (C - a S) v

   One form covers underdamped (s > 0), critical (s = 0) and overdamped springs (s < 0); spring/README.md has the
   derivation and the stages. */
#ifndef GYRE_SPRING_MATRIX_H
#define GYRE_SPRING_MATRIX_H

#include "simd/loops/stages-inl.h"
#include "simd/vf_math-inl.h"
#include "spring/forms-inl.h"

typedef struct spring_parameters {
    vf w, z, t;
} spring_parameters;

/* ---- Between the stages. Stores cost more than operations here, so a stage keeps only what later ones need. ---- */

typedef struct spring_terms {
    vf minus_wt, minus_a, s;
    vf phase, r2; /* sqrt|s|, z + sqrt|1 - z^2| */
} spring_terms;

/* Where |s| > 2. For |s| <= 2 the series takes s itself. */
typedef struct spring_reduction {
    vf argument; /* of the series: s, or the square of `reduced` with the sign of s */
    vf reduced;  /* the argument of the sine or the exponential */
    vf inverse_phase;
    vf flip;     /* underdamped: the sign bit of an odd number of half periods */
    vf power;    /* overdamped: exp(-2 phase) = 2^n exp(reduced) */
    vf exponent; /* of E: minus_a; overdamped: -w t times the rate of the larger exponential */
} spring_reduction;

typedef struct spring_lifted {
    vf exponent;
    vf lower; /* undoes the factor by which E was lifted; 0 where E is 0 */
} spring_lifted;

typedef struct spring_series {
    vf e_power, e_rest; /* the exponent reduced, see vf_exponent_reduce */
    vf c, s1;           /* C and S - 1 of the argument */
} spring_series;

typedef struct spring_decayed {
    vf e;      /* E, with the sign of `flip` */
    vf ec, es; /* E C and E S */
} spring_decayed;

typedef struct spring_lanes {
    spring_terms terms;
    spring_reduction reduction; /* set if a spring of the block is reduced */
    spring_lifted lifted;       /* set if a spring of the block is stiff */
    spring_series series;
    spring_decayed decayed;
} spring_lanes;

/* ---- What a block needs ---- */

/* Bounds of the parameters and of s of a block, lane by lane. */
typedef struct spring_extent {
    vi most_w, max_z, most_t; /* bits of the largest w, z and |t|; above those of infinity if any is negative or NaN */
    vf least_t, least_s, most_s;
} spring_extent;

/* What some spring of a block needs, as bits. */
enum {
    SPRING_IS_UNDERDAMPED = 1 << 0,
    SPRING_IS_OVERDAMPED = 1 << 1,
    SPRING_RUNS_BACKWARDS = 1 << 2,
    SPRING_IS_STIFF = 1 << 3,
    SPRING_IS_MILD = 1 << 4, /* every spring is mild */
    SPRING_IS_UNUSUAL = 1 << 5,

    SPRING_REDUCES = SPRING_IS_UNDERDAMPED | SPRING_IS_OVERDAMPED,
};

/* The largest phase used. From 2^23 on no digit of a phase is known, and above this value products might overflow. */
#define SPRING_MAX_PHASE 0x1p60f

VF_INLINE vm spring_is_underdamped(vf s) { return vf_lt(vf_constant(2), s); }
VF_INLINE vm spring_is_overdamped(vf s) { return vf_lt(s, vf_constant(-2)); }

VF_INLINE spring_extent spring_extent_of_none(spring_parameters shared)
{
    return (spring_extent){
        .most_w = vf_bits(shared.w),
        .max_z = vf_bits(shared.z),
        .most_t = vf_bits(vf_abs(shared.t)),
        .least_t = shared.t,
        .least_s = vf_set1(0),
        .most_s = vf_set1(0),
    };
}

/* Which parameters differ from spring to spring; those that all springs share are in the bounds from the start. */
enum { SPRING_OWN_W = 1, SPRING_OWN_Z = 2, SPRING_OWN_T = 4 };

VF_INLINE spring_extent spring_extent_with(spring_extent e, unsigned own, spring_parameters p, vf s)
{
    if (own & SPRING_OWN_W) {
        e.most_w = vi_max_unsigned(vf_bits(p.w), e.most_w);
    }
    if (own & SPRING_OWN_Z) {
        e.max_z = vi_max_unsigned(vf_bits(p.z), e.max_z);
    }
    if (own & SPRING_OWN_T) {
        e.most_t = vi_max_unsigned(vf_bits(vf_abs(p.t)), e.most_t);
        e.least_t = vf_min(p.t, e.least_t);
    }
    e.least_s = vf_min(s, e.least_s);
    e.most_s = vf_max(s, e.most_s);
    return e;
}

/* Whether all parameters are at most 2^30: above it products might overflow where the exponential is already 0. As
   bits, negative numbers and -0 are above all positive floats, so a block with one of them is not ordinary either. */
VF_INLINE bool spring_is_ordinary(spring_extent e)
{
    const vi bound = vf_bits(vf_set1(0x1p30f));
    const vi largest = vi_max_unsigned(vi_max_unsigned(e.most_w, e.max_z), e.most_t);
    return vm_all(vi_eq(vi_max_unsigned(largest, bound), bound));
}

/* Whether a phase or an exponent of ordinary springs may be 32 or more. */
VF_INLINE bool spring_is_stiff(spring_extent e)
{
    const vf wt = vf_mul(vf_from_bits(e.most_w), vf_from_bits(e.most_t));
    return !vm_all(vf_lt(vf_mul(wt, vf_max(vf_from_bits(e.max_z), vf_set1(1))), vf_set1(32)));
}

/* Whether every coefficient of ordinary springs is at most 2^27 times E (1 + |exponent|). */
VF_INLINE bool spring_is_mild(spring_extent e)
{
    const vf w = vf_from_bits(e.most_w), t = vf_from_bits(e.most_t);
    return vm_all(vf_lt(vf_max(vf_mul(vf_mul(w, t), w), t), vf_set1(0x1p27f)));
}

/* Blocks that are not ordinary are rare and go through all stages. */
VF_INLINE unsigned spring_needs(spring_extent e)
{
    if (!spring_is_ordinary(e)) {
        return SPRING_REDUCES | SPRING_RUNS_BACKWARDS | SPRING_IS_STIFF | SPRING_IS_UNUSUAL;
    }
    return (vm_any(spring_is_underdamped(e.most_s)) ? SPRING_IS_UNDERDAMPED : 0u) |
           (vm_any(spring_is_overdamped(e.least_s)) ? SPRING_IS_OVERDAMPED : 0u) |
           (vm_any(vf_lt(e.least_t, vf_set1(0))) ? SPRING_RUNS_BACKWARDS : 0u) |
           (spring_is_stiff(e) ? SPRING_IS_STIFF : 0u) | (spring_is_mild(e) ? SPRING_IS_MILD : 0u);
}

/* ---- The stages ---- */

/* Stage 1. Computes sqrt|s| for all lanes, also where the series takes s: its latency is hidden by the other
   operations. */
VF_INLINE spring_terms spring_terms_of(vf minus_wt, vf minus_a, vf z)
{
    /* 1 - z is exact where cancellation would show */
    const vf difference = vf_mul(vf_sub(vf_constant(1), z), vf_add(vf_constant(1), z));
    const vf root = vf_sqrt(vf_abs(difference));
    return (spring_terms){
        .minus_wt = minus_wt,
        .minus_a = minus_a,
        .s = vf_mul(vf_mul(minus_wt, minus_wt), difference),
        .phase = vf_abs(vf_mul(minus_wt, root)),
        .r2 = vf_add(z, root),
    };
}

VF_INLINE spring_terms spring_classify(spring_parameters p)
{
    const vf minus_wt = vf_mul(p.w, vf_neg(p.t));
    return spring_terms_of(minus_wt, vf_mul(p.z, minus_wt), p.z);
}

/* A parameter that is negative, NaN or infinite makes its spring NaN; others are limited so that nothing overflows. A
   spring with little damping decays long after the last digit of its phase is lost. */
VF_INLINE spring_terms spring_classify_any(spring_parameters p)
{
    const vf zero = vf_set1(0), infinity = vf_set1(INFINITY), most_phase = vf_set1(SPRING_MAX_PHASE);
    const vm valid_w = vm_and(vf_le(zero, p.w), vf_lt(p.w, infinity));
    const vm valid_z = vm_and(vf_le(zero, p.z), vf_lt(p.z, infinity));
    const vf z = vf_min(vf_set1(0x1p32f), p.z), any_wt = vf_mul(p.w, vf_neg(p.t));
    const vf decay = vf_clamp(vf_mul(z, any_wt), vf_set1(-0x1p100f), vf_set1(0x1p100f));
    const vf minus_wt =
        vf_select(vm_and(valid_w, valid_z), vf_clamp(any_wt, vf_neg(most_phase), most_phase), vf_set1(NAN));
    const vf minus_a = vf_select(vf_lt(zero, z), decay, vf_mul(z, minus_wt)); /* never 0 times infinity */
    return spring_terms_of(minus_wt, minus_a, z);
}

/* A constant that depends on the regime. */
VF_INLINE vf spring_for_regime(unsigned needs, vm overdamped, float if_underdamped, float if_overdamped)
{
    if ((needs & SPRING_REDUCES) == SPRING_REDUCES) {
        return vf_select(overdamped, vf_constant(if_overdamped), vf_constant(if_underdamped));
    }
    return vf_constant(needs & SPRING_IS_OVERDAMPED ? if_overdamped : if_underdamped);
}

/* Stage 2: 1 / phase, and r1 = 1 / r2 of overdamped springs, by one division.

       underdamped:  phase = n pi + r,             cos(phase) = (-1)^n cos r, and the same for the sine
       overdamped:   -2 phase = n ln 2 + reduced,  exp(-2 phase) = 2^n exp(reduced), reduced = -2 r

   The precision of the constants is discussed in spring/README.md. */
VF_INLINE spring_reduction spring_reduce(unsigned needs, spring_terms t)
{
    const vm overdamped = spring_is_overdamped(t.s), reduces = vm_or(spring_is_underdamped(t.s), overdamped);
    vf divisor = t.phase, exponent = t.minus_a, phase = t.phase;
    if (needs & SPRING_IS_OVERDAMPED) {
        divisor = vf_select(overdamped, vf_mul(t.phase, t.r2), divisor);
    }
    vf inverse_phase = vf_div(vf_constant(1), divisor);
    if (needs & SPRING_IS_OVERDAMPED) {
        /* the larger of exp(-w t r1) and exp(-w t r2) */
        const vf r1 = vf_mul(inverse_phase, t.phase);
        exponent = vf_select(overdamped, vf_mul(t.minus_wt, r1), exponent);
        if (needs & SPRING_RUNS_BACKWARDS) {
            const vm grows = vm_and(overdamped, vf_lt(vf_set1(0), t.minus_wt));
            exponent = vf_select(grows, vf_mul(t.minus_wt, t.r2), exponent);
        }
        inverse_phase = vf_select(overdamped, vf_mul(inverse_phase, t.r2), inverse_phase);
    }
    if (needs & SPRING_IS_STIFF) {
        /* beyond these no digit of the phase is known, or the exponential is lost in the rounding of 1 */
        phase = vf_min(phase, spring_for_regime(needs, overdamped, 0x1p23f, 9));
    }
    const vf rounder = vf_constant(VF_ROUNDER);
    const vf rate = spring_for_regime(needs, overdamped, VF_1_OVER_PI, -2 * VF_LOG2_E);
    const vf shifted = vf_mul_add(phase, rate, rounder), n = vf_sub(shifted, rounder);
#if GYRE_FUSED
    vf r = vf_neg_mul_add(n, spring_for_regime(needs, overdamped, VF_PI, -0.5f * VF_LN2), phase);
#else
    vf r = vf_neg_mul_add(n, spring_for_regime(needs, overdamped, VF_PI_SHORT_0, -0.5f * VF_LN2), phase);
    if (needs & SPRING_IS_UNDERDAMPED) {
        r = vf_neg_mul_add(n, spring_for_regime(needs, overdamped, VF_PI_SHORT_1, 0), r);
    }
#endif
    vf flip = vf_from_bits(vi_shl(vf_bits(shifted), 31)), reduced = r, signed_as_s = r;
    if (needs & SPRING_IS_OVERDAMPED) {
        flip = vf_zero_where(overdamped, flip);
        reduced = vf_select(overdamped, vf_mul(r, vf_constant(-2)), r);
        signed_as_s = vf_select(overdamped, vf_neg(reduced), reduced);
    }
    return (spring_reduction){
        .argument = vf_select(reduces, vf_mul(reduced, signed_as_s), t.s),
        .reduced = reduced,
        .inverse_phase = inverse_phase,
        .flip = flip,
        .power = vf_power(shifted),
        .exponent = exponent,
    };
}

/* Stage 3, for stiff springs: multiplies an E below e^-64 by 2^80, so that E and E / phase are not subnormal when w^2 t
   multiplies them; `lower` undoes it at the end. Coefficients of mild springs are 0 from e^-123 = 2^-177 on, all others
   from e^-160 on, where even the lifted E rounds to 0. E is set to 0 there at once, because subnormal numbers on the
   way to it would take several times as long. */
VF_INLINE spring_lifted spring_lift(unsigned needs, vf exponent)
{
    const vm tiny = vf_lt(exponent, vf_constant(-64));
    const vm gone = vf_lt(exponent, vf_constant(needs & SPRING_IS_MILD ? -123 : -160));
    const vf rise = vf_select(tiny, vf_constant(80 * VF_LN2), vf_set1(0));
    return (spring_lifted){
        .exponent = vf_zero_where(gone, vf_clamp(vf_add(exponent, rise), vf_constant(-150), vf_constant(100))),
        .lower = vf_zero_where(gone, vf_select(tiny, vf_constant(0x1p-80f), vf_constant(1))),
    };
}

/* Stage 4: C and S by their series, and the reduction of the exponent, a chain of the same length. */
VF_INLINE spring_series spring_sum_series(vf argument, vf exponent)
{
    vf c_slope, s_slope;
    spring_series series;
    vf_exponent_reduce(exponent, &series.e_power, &series.e_rest);
    vf_stumpff(argument, 1, &c_slope, &s_slope);
    series.c = vf_mul_add(argument, c_slope, vf_constant(1));
    series.s1 = vf_mul(argument, s_slope);
    return series;
}

/* Stage 5: E C and E S. Near s = 0, rounding E S once instead of three times keeps vel_pos within its bound. */
VF_INLINE spring_decayed spring_decay(unsigned needs, spring_series series, vf flip, vf lower)
{
    vf e_lost; /* the relative rounding error of e */
    vf e = vf_exp_and_lost(series.e_power, series.e_rest, !(needs & SPRING_IS_STIFF), &e_lost);
    if (needs & SPRING_IS_STIFF) {
        e = vf_zero_where(vf_eq(lower, vf_set1(0)), e);
    }
    if (needs & SPRING_IS_UNDERDAMPED) {
        e = vf_xor(e, flip);
    }
    return (spring_decayed){
        .e = e,
        .ec = vf_mul(e, series.c),
        .es = vf_mul_add(e, vf_add(series.s1, e_lost), e),
    };
}

/* Stage 6: E C and E S where the argument was reduced. */
VF_INLINE spring_decayed spring_undo_reduction(unsigned needs, vf s, spring_reduction reduction, spring_series series,
                                               spring_decayed d)
{
    const vm overdamped = spring_is_overdamped(s), reduces = vm_or(spring_is_underdamped(s), overdamped);
    const vf sine = vf_mul_add(reduction.reduced, series.s1, reduction.reduced);
    vf e_sine = vf_mul(d.e, sine);
    if (needs & SPRING_IS_OVERDAMPED) {
        const vf half_e = vf_mul(vf_constant(0.5f), d.e);
        const vf share = vf_scale_normal(vf_add(series.c, sine), reduction.power);
        d.ec = vf_select(overdamped, vf_mul_add(half_e, share, half_e), d.ec);
        e_sine = vf_select(overdamped, vf_neg_mul_add(half_e, share, half_e), e_sine);
    }
    d.es = vf_select(reduces, vf_mul(e_sine, reduction.inverse_phase), d.es);
    return d;
}

/* Stages 2 to 6. Work that no lane of the block needs is skipped, which changes no lane's bits. */
VF_SHARED void spring_solve(spring_lanes *l, size_t vectors, unsigned needs)
{
    const bool reduces = needs & SPRING_REDUCES, overdamped = needs & SPRING_IS_OVERDAMPED,
               stiff = needs & SPRING_IS_STIFF;
    if (reduces) {
        VF_EACH_VECTOR(v, vectors) l[v].reduction = spring_reduce(needs, l[v].terms);
    }
    if (stiff) {
        VF_EACH_VECTOR(v, vectors)
        l[v].lifted = spring_lift(needs, overdamped ? l[v].reduction.exponent : l[v].terms.minus_a);
    }
    VF_EACH_VECTOR(v, vectors)
    {
        const vf exponent = stiff ? l[v].lifted.exponent : overdamped ? l[v].reduction.exponent : l[v].terms.minus_a;
        l[v].series = spring_sum_series(reduces ? l[v].reduction.argument : l[v].terms.s, exponent);
    }
    VF_EACH_VECTOR(v, vectors) l[v].decayed = spring_decay(needs, l[v].series, l[v].reduction.flip, l[v].lifted.lower);
    if (reduces) {
        VF_EACH_VECTOR(v, vectors)
        l[v].decayed = spring_undo_reduction(needs, l[v].terms.s, l[v].reduction, l[v].series, l[v].decayed);
    }
}

/* t, limited as spring_classify_any limits w t: pos_vel is sin(w t) / w, which must not grow with t beyond that. */
VF_INLINE vf spring_limited_time(vf w, vf t)
{
    const vf max_phase = vf_constant(SPRING_MAX_PHASE);
    const vm far = vf_lt(max_phase, vf_abs(vf_mul(w, t)));
    return vm_any(far) ? vf_select(far, vf_copysign(vf_div(max_phase, w), t), t) : t;
}

/* Stage 7. For stiff springs the result is still multiplied by 2^80. */
VF_INLINE vf_spring_matrix spring_lifted_matrix(bool stiff, spring_terms terms, spring_decayed d, vf w, vf t)
{
    if (stiff) {
        t = spring_limited_time(w, t);
    }
    return (vf_spring_matrix){
        .pos_pos = vf_neg_mul_add(terms.minus_a, d.es, d.ec),
        .pos_vel = vf_mul(t, d.es),
        .vel_pos = vf_mul(w, vf_mul(terms.minus_wt, d.es)),
        .vel_vel = vf_mul_add(terms.minus_a, d.es, d.ec),
    };
}

VF_INLINE vf spring_lowered(vf lower, vf least, vf coefficient)
{
    return vf_mul(lower, vf_zero_where(vf_lt(vf_abs(coefficient), least), coefficient));
}

/* Sets coefficients that would be subnormal to 0: a step with them takes a hundred times as long, and flushes their
   products unless the state is above 2^31. */
VF_INLINE vf_spring_matrix spring_lowered_matrix(vf lower, vf_spring_matrix m)
{
    const vf least = vf_zero_where(vf_le(vf_constant(1), lower), vf_constant(0x1p80f * 0x1p-126f));
    return (vf_spring_matrix){.pos_pos = spring_lowered(lower, least, m.pos_pos),
                              .pos_vel = spring_lowered(lower, least, m.pos_vel),
                              .vel_pos = spring_lowered(lower, least, m.vel_pos),
                              .vel_vel = spring_lowered(lower, least, m.vel_vel)};
}

/* The first four coefficients. */
VF_INLINE vf_spring_matrix spring_matrix_of(bool stiff, spring_terms terms, spring_decayed d, vf lower, vf w, vf t)
{
    const vf_spring_matrix m = spring_lifted_matrix(stiff, terms, d, w, t);
    return stiff ? spring_lowered_matrix(lower, m) : m;
}

/* All stages of one vector. */
VF_INLINE vf_spring_matrix spring_matrix_at_once(spring_parameters p)
{
    spring_lanes lanes;
    lanes.terms = spring_classify(p);
    const unsigned all = SPRING_OWN_W | SPRING_OWN_Z | SPRING_OWN_T;
    const unsigned needs = spring_needs(spring_extent_with(spring_extent_of_none(p), all, p, lanes.terms.s));
    if (needs & SPRING_IS_UNUSUAL) {
        lanes.terms = spring_classify_any(p);
    }
    spring_solve(&lanes, 1, needs);
    return spring_matrix_of(needs & SPRING_IS_STIFF, lanes.terms, lanes.decayed, lanes.lifted.lower, p.w, p.t);
}

#endif
