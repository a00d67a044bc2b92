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

/* Side by side: a CPU looks ahead no further than one and a half vectors, in which the latencies of a single one do not
   hide. Four lanes are slower so, for want of registers. */
#define SPRING_VECTORS (GYRE_LANES == 4 ? 1 : 2)

/* One vector of springs while its matrices are made. */
typedef struct spring_lanes {
    vf w, z, t;
    vf minus_wt, minus_a, s, difference; /* 1 - z^2 */
    vf root, phase;                      /* sqrt|1 - z^2|, sqrt|s| */
    vm swings, creeps;                   /* s above 2, s below -2; between them the series takes s itself */
    vf argument, reduced;                /* the series takes `argument`; r, whose sine or exponential is wanted */
    vf flip;                             /* swinging: changes the sign for an odd number of half turns */
    vf power;                            /* creeping: exp(-2 phase) = 2^power exp(r) */
    vf exponent, e, e_lost;              /* e = exp(exponent), and what rounding it lost, relative */
    vm faint;
} spring_lanes;

/* What anybody simulates: beyond it products might overflow and meet an exponential that has long been 0. */
VF_INLINE vm is_ordinary(const spring_lanes *l)
{
    vf largest = vf_max(vf_max(l->w, l->z), vf_abs(l->t)), smallest = vf_min(l->w, l->z);
    return vm_and(vf_lt(largest, vf_set1(0x1p30f)), vf_le(vf_set1(0), smallest));
}

/* A parameter that is negative, NaN or infinite makes its spring NaN; others are kept from overflowing. */
VF_INLINE void tame(spring_lanes *l)
{
    const vf zero = vf_set1(0), infinity = vf_set1(INFINITY), most = vf_set1(0x1p60f);
    vm possible =
        vm_and(vm_and(vf_le(zero, l->w), vf_lt(l->w, infinity)), vm_and(vf_le(zero, l->z), vf_lt(l->z, infinity)));
    l->w = vf_select(possible, l->w, vf_set1(NAN));
    l->z = vf_min(most, l->z);
    l->minus_wt = vf_select(possible, vf_max(vf_neg(most), l->minus_wt), vf_set1(NAN));
}

VF_INLINE void classify(spring_lanes *l)
{
    const vf one = vf_set1(1);
    l->minus_a = vf_mul(l->z, l->minus_wt);
    /* to 2 eps: 1 - z is exact where cancellation would show */
    vf u = vf_sub(one, l->z);
    l->difference = vf_mla(u, vf_sub(one, u), u);
    l->s = vf_mul(vf_mul(l->minus_wt, l->minus_wt), l->difference);
    l->swings = vf_lt(vf_set1(2), l->s);
    l->creeps = vf_lt(l->s, vf_set1(-2));
    l->exponent = l->minus_a;
}

/* cos(k pi + r) = (-1)^k cos r, and the same for the sine. The phase is known to a few eps of itself and no better, so
   plain parts of pi do; those of a portable table have 12 bits, whose products with k < 2^12 are exact. */
VF_INLINE void reduce_swinging(spring_lanes *l)
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
    l->flip = vf_from_bits(vi_shl(vf_bits(shifted), 31));
    l->reduced = r;
}

/* The larger of exp(-w t r1) and exp(-w t r2), with r1 r2 = 1, and exp(-2 phase) times it, which is the other. The
   latter is at most 0.06 of the former: an exponent good to some eps of itself is enough. */
VF_INLINE void find_decays(spring_lanes *l, bool any_swings)
{
    const vf rounder = vf_set1(VF_ROUNDER);
    vf r2 = vf_add(l->z, l->root);
    vf rate = vf_div(vf_set1(1), r2);
    vm backwards = vf_lt(l->t, vf_set1(0));
    if (vm_any(backwards)) {
        rate = vf_select(backwards, r2, rate);
    }
    l->exponent = vf_select(l->creeps, vf_mul(l->minus_wt, rate), l->exponent);

    vf x = vf_max(vf_set1(-64), vf_mul(vf_set1(-2), l->phase));
    vf n = vf_sub(vf_mla(x, vf_set1(VF_LOG2_E), rounder), rounder);
    vf r = vf_nmla(n, vf_set1(VF_LN2), x);
    l->power = n;
    l->reduced = any_swings ? vf_select(l->creeps, r, l->reduced) : r;
}

/* E C and E S into the matrix. Near s = 0 rounding E S once, not three times, keeps vel_pos within its bound. */
VF_INLINE spring_matrix assemble(const spring_lanes *l, bool any_reduced, bool any_creeps)
{
    const vf one = vf_set1(1);
    vf c1, s1; /* C - 1 and S - 1 */
    vf_entire(l->argument, &c1, &s1);
    c1 = vf_mul(l->argument, c1);
    s1 = vf_mul(l->argument, s1);
    vf c = vf_add(one, c1);
    vf ec = vf_mul(l->e, c);
    vf es = vf_mla(l->e, vf_add(s1, l->e_lost), l->e);
    if (any_reduced) {
        vf sine = vf_mla(l->reduced, s1, l->reduced);
        vf e_sine = vf_mul(l->e, sine);
        if (any_creeps) {
            vf half = vf_mul(vf_set1(0.5f), l->e);
            vf other = vf_mul(half, vf_scale_normal(vf_add(c, sine), l->power));
            ec = vf_select(l->creeps, vf_add(half, other), ec);
            e_sine = vf_select(l->creeps, vf_sub(half, other), e_sine);
        }
        es = vf_select(vm_or(l->swings, l->creeps), vf_div(e_sine, l->phase), es);
    }
    return (spring_matrix){
        .pos_pos = vf_nmla(l->minus_a, es, ec),
        .pos_vel = vf_mul(l->t, es),
        .vel_pos = vf_mul(l->w, vf_mul(l->minus_wt, es)),
        .vel_vel = vf_mla(l->minus_a, es, ec),
    };
}

/* The matrices of one or more vectors, side by side so that their latencies overlap. Work that no lane needs is
   skipped, which changes no lane's bits. */
VF_INLINE void spring_matrices_of(const vf *w, const vf *z, const vf *t, spring_matrix *m, size_t vectors)
{
    spring_lanes lanes[SPRING_VECTORS];
    vm ordinary, swings, creeps, near; /* of all vectors */
    for (size_t k = 0; k < vectors; k++) {
        lanes[k] = (spring_lanes){.w = w[k], .z = z[k], .t = t[k], .minus_wt = vf_mul(w[k], vf_neg(t[k]))};
        ordinary = k == 0 ? is_ordinary(&lanes[k]) : vm_and(ordinary, is_ordinary(&lanes[k]));
    }
    if (!vm_all(ordinary)) {
        for (size_t k = 0; k < vectors; k++) {
            tame(&lanes[k]);
        }
    }
    for (size_t k = 0; k < vectors; k++) {
        classify(&lanes[k]);
        swings = k == 0 ? lanes[k].swings : vm_or(swings, lanes[k].swings);
        creeps = k == 0 ? lanes[k].creeps : vm_or(creeps, lanes[k].creeps);
        lanes[k].argument = lanes[k].s;
    }
    const bool any_swings = vm_any(swings), any_creeps = vm_any(creeps), any_reduced = any_swings || any_creeps;
    if (any_reduced) {
        for (size_t k = 0; k < vectors; k++) {
            spring_lanes *l = &lanes[k];
            l->root = vf_sqrt(vf_abs(l->difference));
            l->phase = vf_abs(vf_mul(l->minus_wt, l->root));
            if (any_swings) {
                reduce_swinging(l);
            }
            if (any_creeps) {
                find_decays(l, any_swings);
            }
            vf squared = vf_mul(l->reduced, l->reduced);
            vf argument = any_creeps ? vf_select(l->creeps, vf_neg(squared), squared) : squared;
            l->argument = vf_select(vm_or(l->swings, l->creeps), argument, l->s);
        }
    }
    /* Where e would be subnormal its few bits would be multiplied up by w^2 t: carry 2^64 until the end. */
    for (size_t k = 0; k < vectors; k++) {
        vm is_near = vf_lt(vf_abs(lanes[k].exponent), vf_set1(64));
        near = k == 0 ? is_near : vm_and(near, is_near);
    }
    const bool any_far = !vm_all(near);
    if (any_far) {
        for (size_t k = 0; k < vectors; k++) {
            lanes[k].faint = vf_lt(lanes[k].exponent, vf_set1(-64));
            vf lift = vf_select(lanes[k].faint, vf_set1(64 * VF_LN2), vf_set1(0));
            vf exponent = vf_max(vf_set1(-150), vf_min(vf_set1(100), vf_add(lanes[k].exponent, lift)));
            lanes[k].exponent = exponent;
        }
    }
    for (size_t k = 0; k < vectors; k++) {
        spring_lanes *l = &lanes[k];
        l->e = vf_exp_and_lost(l->exponent, !any_far, &l->e_lost);
        if (any_swings) {
            l->e = vf_select(l->swings, vf_xor(l->e, l->flip), l->e);
        }
    }
    for (size_t k = 0; k < vectors; k++) {
        m[k] = assemble(&lanes[k], any_reduced, any_creeps);
    }
    if (any_far) {
        for (size_t k = 0; k < vectors; k++) {
            vf lower = vf_select(lanes[k].faint, vf_set1(0x1p-64f), vf_set1(1));
            m[k].pos_pos = vf_mul(m[k].pos_pos, lower);
            m[k].pos_vel = vf_mul(m[k].pos_vel, lower);
            m[k].vel_pos = vf_mul(m[k].vel_pos, lower);
            m[k].vel_vel = vf_mul(m[k].vel_vel, lower);
        }
    }
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
    vf w = vf_set1(spring.angular_frequency), z = vf_set1(spring.damping_ratio), t = vf_set1(dt_s);
    spring_matrix m;
    spring_matrices_of(&w, &z, &t, &m, 1);
    gyre_spring_matrix result = {vf_first(m.pos_pos), vf_first(m.pos_vel), vf_first(m.vel_pos), vf_first(m.vel_vel)};
    if (!is_finite(result.pos_pos) || !is_finite(result.pos_vel) || !is_finite(result.vel_pos) ||
        !is_finite(result.vel_vel)) {
        return GYRE_ERROR_RANGE;
    }
    *out = result;
    return GYRE_OK;
}
