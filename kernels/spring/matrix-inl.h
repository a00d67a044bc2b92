/* The matrix of a damped spring:  x'' + 2 z w x' + w^2 x = 0,  x measured from the target, w in rad/s, z the damping
   ratio. With a = z w t, s = (w t)^2 (1 - z^2) and E = exp(-a), the state after t is

       x <- E (C + a S) x + E t S v                 C = cos(sqrt s)    S = sin(sqrt s) / sqrt s
       v <- -E w^2 t S x  + E (C - a S) v

   One form covers underdamped (s > 0), critical (s = 0) and overdamped springs (s < 0); spring/README.md has the
   derivation and the stages. */
#ifndef GYRE_SPRING_MATRIX_H
#define GYRE_SPRING_MATRIX_H

#include "simd/kernel-inl.h"
#include "simd/vf_math-inl.h"

/* The matrix of one spring in each lane. The ramps are set where targets move (spring/ramp-inl.h). */
typedef struct spring_matrix {
    vf pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp;
} spring_matrix;

/* One vector of springs between the stages. Stores cost more than operations here, so a stage keeps only what later
   ones need, and w and t stay in the caller's memory. */
typedef struct spring_lanes {
    vf minus_wt, minus_a;
    vf phase, r2;              /* sqrt|s|, z + sqrt|1 - z^2| */
    vf inverse_phase;          /* of springs whose argument is reduced */
    vf argument;               /* of the series: s, or its remainder after reduction */
    vm is_overdamped, reduces; /* s < -2; |s| > 2. For |s| <= 2 the series takes s itself */
    vf reduced;                /* the argument of the sine or the exponential */
    vf flip;                   /* underdamped: the sign bit of an odd number of half periods */
    vf power;                  /* overdamped: exp(-2 phase) = 2^n exp(reduced) */
    union {
        vf exponent; /* of E, until it is reduced; set if a spring of the block is overdamped or stiff, else minus_a */
        vf e;        /* E, with the sign of `flip` */
    };
    vf e_power, e_rest; /* exponent reduced, see vf_exponent_reduce */
    vf c, s1;           /* C and S - 1 of `argument` */
    vf ec, es;          /* E C and E S */
    vf lower;           /* undoes the factor by which E was lifted; 0 where E is 0 */
} spring_lanes;

/* Bounds of the parameters of a block, lane by lane. */
typedef struct spring_extent {
    vi most_w, most_z, most_t; /* bits of the largest w, z and |t|; above those of infinity if any is negative or NaN */
    vf least_t, least_s, most_s;
} spring_extent;

/* One for each spring, or one for all. */
typedef struct spring_parameter {
    const float *each;
    float all;
} spring_parameter;

typedef struct spring_parameters {
    spring_parameter w, z, t;
} spring_parameters;

/* What some spring of a block needs. Bit fields, so that they pass in a register: five bytes stored one by one and
   loaded as one word would stall on store forwarding. */
typedef struct spring_needs {
    bool underdamped : 1, overdamped : 1, backwards : 1, stiff : 1, mild : 1;
} spring_needs;

/* The largest phase that is computed with. From 2^23 on no digit of a phase is known, and above this products might
   overflow. */
#define MOST_PHASE 0x1p60f

VF_INLINE vm is_underdamped(vf s) { return vf_lt(vf_constant(2), s); }
VF_INLINE vm is_overdamped(vf s) { return vf_lt(s, vf_constant(-2)); }

VF_INLINE vf load_parameter(const spring_parameter *p, size_t i, size_t n)
{
    return p->each != NULL ? vf_load_n(p->each + i, n) : vf_set1(p->all);
}

/* Whether all parameters are at most 2^30: above it products might overflow where the exponential is already 0. As
   bits, negative numbers and -0 are above all positive floats, so a block with one of them is not ordinary either. */
VF_INLINE bool is_ordinary(const spring_extent *e)
{
    const vi most = vf_bits(vf_set1(0x1p30f));
    vi largest = vi_max_unsigned(vi_max_unsigned(e->most_w, e->most_z), e->most_t);
    return vm_all(vi_eq(vi_max_unsigned(largest, most), most));
}

/* Whether a phase or an exponent of ordinary springs may be 32 or more. */
VF_INLINE bool is_stiff(const spring_extent *e)
{
    vf wt = vf_mul(vf_from_bits(e->most_w), vf_from_bits(e->most_t));
    return !vm_all(vf_lt(vf_mul(wt, vf_max(vf_from_bits(e->most_z), vf_set1(1))), vf_set1(32)));
}

/* Whether every coefficient of ordinary springs is at most 2^27 times E (1 + |exponent|). */
VF_INLINE bool is_mild(const spring_extent *e)
{
    vf w = vf_from_bits(e->most_w), t = vf_from_bits(e->most_t);
    return vm_all(vf_lt(vf_max(vf_mul(vf_mul(w, t), w), t), vf_set1(0x1p27f)));
}

/* Computes sqrt|s| for all lanes, also where the series takes s: its latency is hidden by the other operations. */
VF_INLINE void classify(spring_lanes *l, spring_extent *e, vf w, vf z, vf t, bool ordinary)
{
    vf minus_wt = vf_mul(w, vf_neg(t)), minus_a;
    if (ordinary) {
        minus_a = vf_mul(z, minus_wt);
    } else {
        /* A parameter that is negative, NaN or infinite makes its spring NaN; others are kept from overflowing. A
           spring with little damping decays long after the last digit of its phase is lost. */
        const vf zero = vf_set1(0), infinity = vf_set1(INFINITY), most_z = vf_set1(0x1p32f);
        vm valid = vm_and(vm_and(vf_le(zero, w), vf_lt(w, infinity)), vm_and(vf_le(zero, z), vf_lt(z, infinity)));
        z = vf_min(most_z, z);
        vf decay = vf_clamp(vf_mul(z, minus_wt), vf_set1(-0x1p100f), vf_set1(0x1p100f));
        minus_wt = vf_select(valid, vf_clamp(minus_wt, vf_set1(-MOST_PHASE), vf_set1(MOST_PHASE)), vf_set1(NAN));
        minus_a = vf_select(vf_lt(zero, z), decay, vf_mul(z, minus_wt)); /* never 0 times infinity */
    }
    /* 1 - z is exact where cancellation would show */
    vf difference = vf_mul(vf_sub(vf_constant(1), z), vf_add(vf_constant(1), z));
    vf root = vf_sqrt(vf_abs(difference));
    vf s = vf_mul(vf_mul(minus_wt, minus_wt), difference);
    e->least_s = vf_min(s, e->least_s);
    e->most_s = vf_max(s, e->most_s);
    l->minus_wt = minus_wt;
    l->minus_a = minus_a;
    l->phase = vf_abs(vf_mul(minus_wt, root));
    l->r2 = vf_add(z, root);
    l->argument = s;
}

/* Parameters that all springs share are in the bounds from the start. */
VF_INLINE void extend(spring_extent *e, const spring_parameters *p, vf w, vf z, vf t)
{
    if (p->w.each != NULL) {
        e->most_w = vi_max_unsigned(vf_bits(w), e->most_w);
    }
    if (p->z.each != NULL) {
        e->most_z = vi_max_unsigned(vf_bits(z), e->most_z);
    }
    if (p->t.each != NULL) {
        e->most_t = vi_max_unsigned(vf_bits(vf_abs(t)), e->most_t);
        e->least_t = vf_min(t, e->least_t);
    }
}

/* Stage 1, for `vectors` vectors of n springs each from i on. */
VF_INLINE void classify_springs(spring_lanes *lanes, spring_extent *e, const spring_parameters *p, size_t i,
                                size_t vectors, size_t n, bool ordinary)
{
#pragma GCC unroll 2
    for (size_t v = 0; v < vectors; v++) {
        size_t j = i + v * VF_LANES;
        vf w = load_parameter(&p->w, j, n), z = load_parameter(&p->z, j, n), t = load_parameter(&p->t, j, n);
        extend(e, p, w, z, t);
        classify(&lanes[v], e, w, z, t, ordinary);
    }
}

/* A constant that depends on the regime. */
VF_INLINE vf for_regime(spring_needs needs, vm overdamped, float if_underdamped, float if_overdamped)
{
    if (needs.underdamped && needs.overdamped) {
        return vf_select(overdamped, vf_constant(if_overdamped), vf_constant(if_underdamped));
    }
    return vf_constant(needs.overdamped ? if_overdamped : if_underdamped);
}

/* Underdamped:  phase = n pi + r,             cos(phase) = (-1)^n cos r, and the same for the sine;
   overdamped:   -2 phase = n ln 2 + reduced,  exp(-2 phase) = 2^n exp(reduced), reduced = -2 r.
   The precision of the constants is discussed in spring/README.md. */
VF_INLINE void reduce_phase(spring_lanes *l, spring_needs needs, vm overdamped, vm reduces)
{
    vf phase = l->phase;
    if (needs.stiff) {
        /* beyond these no digit of the phase is known, or the exponential is lost in the rounding of 1 */
        phase = vf_min(phase, for_regime(needs, overdamped, 0x1p23f, 9));
    }
    const vf rounder = vf_constant(VF_ROUNDER), rate = for_regime(needs, overdamped, VF_1_OVER_PI, -2 * VF_LOG2_E);
    vf shifted = vf_mul_add(phase, rate, rounder), n = vf_sub(shifted, rounder);
#if GYRE_FUSED
    vf r = vf_neg_mul_add(n, for_regime(needs, overdamped, VF_PI, -0.5f * VF_LN2), phase);
#else
    vf r = vf_neg_mul_add(n, for_regime(needs, overdamped, VF_PI_SHORT_0, -0.5f * VF_LN2), phase);
    if (needs.underdamped) {
        r = vf_neg_mul_add(n, for_regime(needs, overdamped, VF_PI_SHORT_1, 0), r);
    }
#endif
    if (needs.underdamped) {
        vf flip = vf_from_bits(vi_shl(vf_bits(shifted), 31));
        l->flip = needs.overdamped ? vf_zero_where(overdamped, flip) : flip;
    }
    vf reduced = r, signed_as_s = r;
    if (needs.overdamped) {
        reduced = vf_select(overdamped, vf_mul(r, vf_constant(-2)), r);
        signed_as_s = vf_select(overdamped, vf_neg(reduced), reduced);
        l->power = vf_power(shifted);
    }
    l->reduced = reduced;
    l->argument = vf_select(reduces, vf_mul(reduced, signed_as_s), l->argument);
}

/* Stage 2: 1 / phase, and r1 = 1 / r2 of overdamped springs, by one division. */
VF_INLINE void reduce(spring_lanes *l, spring_needs needs)
{
    vm overdamped = is_overdamped(l->argument), reduces = vm_or(is_underdamped(l->argument), overdamped);
    vf divisor = l->phase;
    if (needs.overdamped) {
        divisor = vf_select(overdamped, vf_mul(l->phase, l->r2), divisor);
    }
    l->inverse_phase = vf_div(vf_constant(1), divisor);
    if (needs.overdamped) {
        /* the larger of exp(-w t r1) and exp(-w t r2) */
        vf r1 = vf_mul(l->inverse_phase, l->phase);
        vf exponent = vf_select(overdamped, vf_mul(l->minus_wt, r1), l->minus_a);
        if (needs.backwards) {
            vm grows = vm_and(overdamped, vf_lt(vf_set1(0), l->minus_wt));
            exponent = vf_select(grows, vf_mul(l->minus_wt, l->r2), exponent);
        }
        l->exponent = exponent;
        l->inverse_phase = vf_select(overdamped, vf_mul(l->inverse_phase, l->r2), l->inverse_phase);
        l->is_overdamped = overdamped;
    }
    l->reduces = reduces;
    reduce_phase(l, needs, overdamped, reduces);
}

VF_INLINE vf exponent_of(const spring_lanes *l, spring_needs needs)
{
    return needs.overdamped || needs.stiff ? l->exponent : l->minus_a;
}

/* Stage 3, of stiff springs: multiplies an E below e^-64 by 2^80, so that E and E / phase are not subnormal when w^2 t
   multiplies them; `lower` undoes it at the end. Coefficients of mild springs are 0 from e^-123 = 2^-177 on, all others
   from e^-160 on, where even the lifted E rounds to 0. E is set to 0 there at once, because subnormal numbers on the
   way to it would take several times as long. */
VF_INLINE void lift(spring_lanes *l, vf exponent, bool mild)
{
    vm tiny = vf_lt(exponent, vf_constant(-64)), gone = vf_lt(exponent, vf_constant(mild ? -123 : -160));
    vf rise = vf_select(tiny, vf_constant(80 * VF_LN2), vf_set1(0));
    l->exponent = vf_zero_where(gone, vf_clamp(vf_add(exponent, rise), vf_constant(-150), vf_constant(100)));
    l->lower = vf_zero_where(gone, vf_select(tiny, vf_constant(0x1p-80f), vf_constant(1)));
}

/* Stage 4: C and S by their series, and the reduction of the exponent, a chain of the same length. */
VF_INLINE void sum_series(spring_lanes *l, spring_needs needs)
{
    const vf argument = l->argument;
    vf c_slope, s_slope;
    vf_exponent_reduce(exponent_of(l, needs), &l->e_power, &l->e_rest);
    vf_stumpff(argument, 1, &c_slope, &s_slope);
    l->c = vf_mul_add(argument, c_slope, vf_constant(1));
    l->s1 = vf_mul(argument, s_slope);
}

/* Stage 5: E C and E S. Near s = 0, rounding E S once instead of three times keeps vel_pos within its bound. */
VF_INLINE void multiply_by_decay(spring_lanes *l, spring_needs needs)
{
    vf e_lost; /* the relative rounding error of e */
    vf e = vf_exp_and_lost(l->e_power, l->e_rest, !needs.stiff, &e_lost);
    if (needs.stiff) {
        e = vf_zero_where(vf_eq(l->lower, vf_set1(0)), e);
    }
    if (needs.underdamped) {
        e = vf_xor(e, l->flip);
    }
    l->ec = vf_mul(e, l->c);
    l->es = vf_mul_add(e, vf_add(l->s1, e_lost), e);
    if (needs.underdamped || needs.overdamped) {
        l->e = e;
    }
}

/* Stage 6: E C and E S of springs whose argument was reduced. */
VF_INLINE void undo_reduction(spring_lanes *l, spring_needs needs)
{
    vf e = l->e;
    vf sine = vf_mul_add(l->reduced, l->s1, l->reduced);
    vf e_sine = vf_mul(e, sine);
    if (needs.overdamped) {
        vf half = vf_mul(vf_constant(0.5f), e), share = vf_scale_normal(vf_add(l->c, sine), l->power);
        l->ec = vf_select(l->is_overdamped, vf_mul_add(half, share, half), l->ec);
        e_sine = vf_select(l->is_overdamped, vf_neg_mul_add(half, share, half), e_sine);
    }
    l->es = vf_select(l->reduces, vf_mul(e_sine, l->inverse_phase), l->es);
}

/* Stages 2 to 6. Work that no lane of the block needs is skipped, which changes no lane's bits. */
static __attribute__((noinline)) void solve_classified(spring_lanes *lanes, size_t vectors, spring_needs needs)
{
    const bool reducing = needs.underdamped || needs.overdamped;
    if (reducing) {
#pragma GCC unroll 2
        for (size_t v = 0; v < vectors; v++) {
            reduce(&lanes[v], needs);
        }
    }
    if (needs.stiff) {
#pragma GCC unroll 2
        for (size_t v = 0; v < vectors; v++) {
            lift(&lanes[v], needs.overdamped ? lanes[v].exponent : lanes[v].minus_a, needs.mild);
        }
    }
#pragma GCC unroll 2
    for (size_t v = 0; v < vectors; v++) {
        sum_series(&lanes[v], needs);
    }
#pragma GCC unroll 2
    for (size_t v = 0; v < vectors; v++) {
        multiply_by_decay(&lanes[v], needs);
    }
    if (reducing) {
#pragma GCC unroll 2
        for (size_t v = 0; v < vectors; v++) {
            undo_reduction(&lanes[v], needs);
        }
    }
}

/* Stages 1 to 6: E C and E S of all springs of a block. */
VF_INLINE spring_needs solve_springs(spring_lanes *lanes, const spring_parameters *p, size_t i, size_t vectors,
                                     size_t n)
{
    const vf t = vf_set1(p->t.all);
    spring_extent extent = {
        .most_w = vf_bits(vf_set1(p->w.all)),
        .most_z = vf_bits(vf_set1(p->z.all)),
        .most_t = vf_bits(vf_abs(t)),
        .least_t = t,
        .least_s = vf_set1(0),
        .most_s = vf_set1(0),
    };
    classify_springs(lanes, &extent, p, i, vectors, n, true);
    const bool ordinary = is_ordinary(&extent);
    if (!ordinary) {
        classify_springs(lanes, &extent, p, i, vectors, n, false);
    }
    const spring_needs needs = {
        .underdamped = vm_any(is_underdamped(extent.most_s)),
        .overdamped = vm_any(is_overdamped(extent.least_s)),
        .backwards = vm_any(vf_lt(extent.least_t, vf_set1(0))),
        .stiff = !ordinary || is_stiff(&extent),
        .mild = ordinary && is_mild(&extent),
    };
    solve_classified(lanes, vectors, needs);
    return needs;
}

/* t, limited as `classify` limits w t: pos_vel is sin(w t) / w, which must not grow with t beyond that. */
VF_INLINE vf limited_time(vf w, vf t)
{
    const vf most = vf_constant(MOST_PHASE);
    vm far = vf_lt(most, vf_abs(vf_mul(w, t)));
    return vm_any(far) ? vf_select(far, vf_copysign(vf_div(most, w), t), t) : t;
}

/* Stage 7; of stiff springs still multiplied by 2^80. */
VF_INLINE spring_matrix lifted_matrix_of(const spring_lanes *l, bool stiff, vf w, vf t)
{
    vf minus_a = l->minus_a, ec = l->ec, es = l->es;
    if (stiff) {
        t = limited_time(w, t);
    }
    return (spring_matrix){
        .pos_pos = vf_neg_mul_add(minus_a, es, ec),
        .pos_vel = vf_mul(t, es),
        .vel_pos = vf_mul(w, vf_mul(l->minus_wt, es)),
        .vel_vel = vf_mul_add(minus_a, es, ec),
    };
}

VF_INLINE vf lowered(vf lower, vf least, vf coefficient)
{
    return vf_mul(lower, vf_zero_where(vf_lt(vf_abs(coefficient), least), coefficient));
}

/* Sets coefficients that would be subnormal to 0: a step with them takes a hundred times as long, and flushes their
   products unless the state is above 2^31. */
VF_INLINE spring_matrix lowered_matrix(vf lower, spring_matrix m)
{
    const vf least = vf_zero_where(vf_le(vf_constant(1), lower), vf_constant(0x1p80f * 0x1p-126f));
    return (spring_matrix){.pos_pos = lowered(lower, least, m.pos_pos),
                           .pos_vel = lowered(lower, least, m.pos_vel),
                           .vel_pos = lowered(lower, least, m.vel_pos),
                           .vel_vel = lowered(lower, least, m.vel_vel)};
}

VF_INLINE spring_matrix spring_matrix_of(const spring_lanes *l, bool stiff, vf w, vf t)
{
    const spring_matrix m = lifted_matrix_of(l, stiff, w, t);
    return stiff ? lowered_matrix(l->lower, m) : m;
}

VF_INLINE bool is_finite_matrix(const gyre_spring_matrix *m)
{
    return are_finite(m->pos_pos, m->pos_vel, m->vel_pos, m->vel_vel);
}

#endif
