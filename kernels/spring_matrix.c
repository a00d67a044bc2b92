/* Damped springs:  x'' + 2 z w x' + w^2 x = 0,  x measured from the target, w in rad/s, z the damping ratio.

   With a = z w t, s = (w t)^2 (1 - z^2) and E = exp(-a), the state after t is

       x <- E (C + a S) x + E t S v                 C = cos(sqrt s)    S = sin(sqrt s) / sqrt s
       v <- -E w^2 t S x  + E (C - a S) v

   C and S are entire functions of s: for s < 0 they are cosh(sqrt -s) and sinh(sqrt -s) / sqrt -s. So one form covers
   swinging (s > 0), critical (s = 0) and creeping (s < 0) springs, and nothing happens at z = 1 that needs a branch. */
#include "simd/kernel.h"
#include "simd/vf_math.h"

/* The matrix of one spring in each lane. */
typedef struct spring_matrix {
    vf pos_pos, pos_vel, vel_pos, vel_vel;
} spring_matrix;

/* One vector of springs while its matrices are made. Stores are dearer than operations here: a stage keeps no more than
   the later ones need, and w and t stay in the caller's memory. */
typedef struct spring_lanes {
    vf minus_wt, minus_a;
    vf phase, r2;       /* sqrt|s|, z + sqrt|1 - z^2| */
    vf argument;        /* of the series: s, or what is left of it after reduction */
    vm creeps, reduces; /* s below -2, or also above 2; between them the series takes s itself */
    vf reduced;         /* r, whose sine or exponential is wanted */
    vf flip;            /* swinging: the sign of an odd number of half turns */
    vf power;           /* creeping: exp(-2 phase) = 2^power exp(r) */
    vf exponent;        /* of E, if any spring of the block creeps or was lifted, else it is minus_a */
    vf e_whole, e_rest; /* exponent reduced, see vf_exp_reduce */
    vf e;               /* E, with the sign of `flip` */
    vf c, s1;           /* C and S - 1 of `argument` */
    vf ec, es;          /* E C and E S */
    vf lower;           /* takes back what E was lifted by */
} spring_lanes;

/* What any spring of a block needs. */
typedef struct spring_needs {
    bool swinging, creeping, lifting;
} spring_needs;

VF_INLINE vm swings(vf s) { return vf_lt(vf_set1(2), s); }
VF_INLINE vm creeps(vf s) { return vf_lt(s, vf_set1(-2)); }

/* What anybody simulates: beyond it products might overflow and meet an exponential that has long been 0. */
VF_INLINE vm is_ordinary(vf w, vf z, vf t)
{
    vf largest = vf_max(vf_max(w, z), vf_abs(t)), smallest = vf_min(w, z);
    return vm_and(vf_lt(largest, vf_set1(0x1p30f)), vf_le(vf_set1(0), smallest));
}

/* sqrt|s| also where the series will do: the square root hides behind the rest. */
VF_INLINE void classify(spring_lanes *l, vf w, vf z, vf t)
{
    const vf one = vf_set1(1), zero = vf_set1(0), infinity = vf_set1(INFINITY), most = vf_set1(0x1p60f);
    vf minus_wt = vf_mul(w, vf_neg(t));
    if (!vm_all(is_ordinary(w, z, t))) {
        /* A parameter that is negative, NaN or infinite makes its spring NaN; others are kept from overflowing. */
        vm possible = vm_and(vm_and(vf_le(zero, w), vf_lt(w, infinity)), vm_and(vf_le(zero, z), vf_lt(z, infinity)));
        z = vf_min(most, z);
        minus_wt = vf_select(possible, vf_max(vf_neg(most), minus_wt), vf_set1(NAN));
    }
    /* to 2 eps: 1 - z is exact where cancellation would show */
    vf u = vf_sub(one, z);
    vf difference = vf_mla(u, vf_sub(one, u), u); /* 1 - z^2 */
    vf root = vf_sqrt(vf_abs(difference));
    l->minus_wt = minus_wt;
    l->minus_a = vf_mul(z, minus_wt);
    l->phase = vf_abs(vf_mul(minus_wt, root));
    l->r2 = vf_add(z, root);
    l->argument = vf_mul(vf_mul(minus_wt, minus_wt), difference);
}

/* cos(k pi + r) = (-1)^k cos r, and the same for the sine. The phase is known to a few eps of itself and no better, so
   plain parts of pi do; those of a portable table have 12 bits, whose products with k < 2^12 are exact. */
VF_INLINE vf reduce_swinging(spring_lanes *l)
{
    const vf rounder = vf_set1(VF_ROUNDER);
    vf phase = vf_min(l->phase, vf_set1(0x1p23f)); /* from here on none of its digits is known */
    vf shifted = vf_mla(phase, vf_set1(VF_1_OVER_PI), rounder);
    vf k = vf_sub(shifted, rounder);
#if GYRE_FUSED
    vf r = vf_nmla(k, vf_set1(VF_PI_LONG_1), vf_nmla(k, vf_set1(VF_PI_LONG_0), phase));
#else
    vf r = vf_nmla(k, vf_set1(VF_PI_SHORT_1), vf_nmla(k, vf_set1(VF_PI_SHORT_0), phase));
    r = vf_nmla(k, vf_set1(VF_PI_SHORT_2), r);
#endif
    l->flip = vf_select(swings(l->argument), vf_from_bits(vi_shl(vf_bits(shifted), 31)), vf_set1(0));
    return r;
}

/* The larger of exp(-w t r1) and exp(-w t r2), with r1 r2 = 1, and exp(-2 phase) times it, which is the other. The
   latter is at most 0.06 of the former: an exponent good to some eps of itself is enough. */
VF_INLINE vf find_decays(spring_lanes *l, vm creeping)
{
    const vf rounder = vf_set1(VF_ROUNDER);
    vm backwards = vf_lt(vf_set1(0), l->minus_wt);
    vf rate = vf_select(backwards, l->r2, vf_div(vf_set1(1), l->r2));
    l->exponent = vf_select(creeping, vf_mul(l->minus_wt, rate), l->minus_a);

    vf x = vf_max(vf_set1(-64), vf_mul(vf_set1(-2), l->phase));
    vf n = vf_sub(vf_mla(x, vf_set1(VF_LOG2_E), rounder), rounder);
    l->power = n;
    return vf_nmla(n, vf_set1(VF_LN2), x);
}

VF_INLINE void reduce(spring_lanes *l, spring_needs needs)
{
    const vf s = l->argument;
    vm creeping = creeps(s), reduces = vm_or(swings(s), creeping);
    vf r = s, sign_of_square = vf_set1(0);
    if (needs.swinging) {
        r = reduce_swinging(l);
    }
    if (needs.creeping) {
        vf decaying = find_decays(l, creeping);
        r = needs.swinging ? vf_select(creeping, decaying, r) : decaying;
        sign_of_square = vf_select(creeping, vf_set1(-0.0f), sign_of_square);
        l->creeps = creeping;
    }
    l->reduced = r;
    l->reduces = reduces;
    l->argument = vf_select(reduces, vf_xor(vf_mul(r, r), sign_of_square), s);
}

VF_INLINE vf exponent_of(const spring_lanes *l, spring_needs needs)
{
    return needs.creeping || needs.lifting ? l->exponent : l->minus_a;
}

/* Where e would be subnormal its few bits would be multiplied up by w^2 t: carry 2^64 until the end. */
VF_INLINE void lift(spring_lanes *l, vf exponent)
{
    vm faint = vf_lt(exponent, vf_set1(-64));
    vf rise = vf_select(faint, vf_set1(64 * VF_LN2), vf_set1(0));
    l->exponent = vf_max(vf_set1(-150), vf_min(vf_set1(100), vf_add(exponent, rise)));
    l->lower = vf_select(faint, vf_set1(0x1p-64f), vf_set1(1));
}

/* C and S by the series, and beside it, as long a chain, the first part of E. */
VF_INLINE void sum_series(spring_lanes *l, spring_needs needs)
{
    const vf argument = l->argument;
    vf c_slope, s_slope;
    vf_reduced exponent;
    vf_exp_reduce(exponent_of(l, needs), &exponent);
    l->e_whole = exponent.whole;
    l->e_rest = exponent.r;
    vf_entire(argument, &c_slope, &s_slope);
    l->c = vf_add(vf_set1(1), vf_mul(argument, c_slope));
    l->s1 = vf_mul(argument, s_slope);
}

/* E C and E S; near s = 0 rounding E S once, not three times, keeps vel_pos within its bound. */
VF_INLINE void multiply_by_decay(spring_lanes *l, spring_needs needs)
{
    vf e_lost; /* what rounding e lost, relative */
    vf e = vf_exp_and_lost(l->e_whole, l->e_rest, !needs.lifting, &e_lost);
    if (needs.swinging) {
        e = vf_xor(e, l->flip);
    }
    l->ec = vf_mul(e, l->c);
    l->es = vf_mla(e, vf_add(l->s1, e_lost), e);
    if (needs.swinging || needs.creeping) {
        l->e = e;
    }
}

/* E C and E S of springs whose argument was reduced. */
VF_INLINE void undo_reduction(spring_lanes *l, spring_needs needs)
{
    vf e = l->e;
    vf sine = vf_mla(l->reduced, l->s1, l->reduced);
    vf e_sine = vf_mul(e, sine);
    if (needs.creeping) {
        vf half = vf_mul(vf_set1(0.5f), e);
        vf other = vf_mul(half, vf_scale_normal(vf_add(l->c, sine), l->power));
        l->ec = vf_select(l->creeps, vf_add(half, other), l->ec);
        e_sine = vf_select(l->creeps, vf_sub(half, other), e_sine);
    }
    l->es = vf_select(l->reduces, vf_div(e_sine, l->phase), l->es);
}

/* The stages from `classify` to `spring_matrix_of`, which are the caller's: E C and E S of all springs. Returns whether
   any was lifted. Work that no lane of the block needs is skipped, which changes no lane's bits. */
static __attribute__((noinline)) bool solve_springs(spring_lanes *lanes, size_t vectors)
{
    vm swinging = swings(lanes->argument), creeping = creeps(lanes->argument);
    FOR_EACH_VECTOR
    {
        swinging = vm_or(swinging, swings(lanes[v].argument));
        creeping = vm_or(creeping, creeps(lanes[v].argument));
    }
    spring_needs needs = {.swinging = vm_any(swinging), .creeping = vm_any(creeping)};
    const bool reducing = needs.swinging || needs.creeping;
    if (reducing) {
        FOR_EACH_VECTOR reduce(&lanes[v], needs);
    }
    const vf near = vf_set1(64);
    vm all_near = vf_lt(vf_abs(exponent_of(lanes, needs)), near);
    FOR_EACH_VECTOR all_near = vm_and(all_near, vf_lt(vf_abs(exponent_of(&lanes[v], needs)), near));
    if (!vm_all(all_near)) {
        FOR_EACH_VECTOR lift(&lanes[v], exponent_of(&lanes[v], needs));
        needs.lifting = true;
    }
    FOR_EACH_VECTOR sum_series(&lanes[v], needs);
    FOR_EACH_VECTOR multiply_by_decay(&lanes[v], needs);
    if (reducing) {
        FOR_EACH_VECTOR undo_reduction(&lanes[v], needs);
    }
    return needs.lifting;
}

VF_INLINE spring_matrix spring_matrix_of(const spring_lanes *l, vf w, vf t, bool lifted)
{
    vf minus_a = l->minus_a, ec = l->ec, es = l->es;
    spring_matrix m = {
        .pos_pos = vf_nmla(minus_a, es, ec),
        .pos_vel = vf_mul(t, es),
        .vel_pos = vf_mul(w, vf_mul(l->minus_wt, es)),
        .vel_vel = vf_mla(minus_a, es, ec),
    };
    if (lifted) {
        m.pos_pos = vf_mul(m.pos_pos, l->lower);
        m.pos_vel = vf_mul(m.pos_vel, l->lower);
        m.vel_pos = vf_mul(m.vel_pos, l->lower);
        m.vel_vel = vf_mul(m.vel_vel, l->lower);
    }
    return m;
}

static bool is_finite_matrix(gyre_spring_matrix m)
{
    return is_finite(m.pos_pos) && is_finite(m.pos_vel) && is_finite(m.vel_pos) && is_finite(m.vel_vel);
}

GYRE_KERNEL_FUNCTION gyre_status spring_matrix_at(gyre_spring spring, float dt_s, gyre_spring_matrix *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_not_negative(spring.angular_frequency) || !is_finite_not_negative(spring.damping_ratio) ||
        !is_finite(dt_s)) {
        return GYRE_ERROR_VALUE;
    }
    spring_lanes lanes;
    const vf w = vf_set1(spring.angular_frequency), t = vf_set1(dt_s);
    classify(&lanes, w, vf_set1(spring.damping_ratio), t);
    const bool lifted = solve_springs(&lanes, 1);
    const spring_matrix m = spring_matrix_of(&lanes, w, t, lifted);
    gyre_spring_matrix result = {vf_first(m.pos_pos), vf_first(m.pos_vel), vf_first(m.vel_pos), vf_first(m.vel_vel)};
    if (!is_finite_matrix(result)) {
        return GYRE_ERROR_RANGE;
    }
    *out = result;
    return GYRE_OK;
}
