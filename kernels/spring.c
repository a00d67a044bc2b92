/* Damped springs:  x'' + 2 z w x' + w^2 x = 0,  x measured from the target, w in rad/s, z the damping ratio.

   With a = z w t, s = (w t)^2 (1 - z^2) and E = exp(-a), the state after t is

       x <- E (C + a S) x + E t S v                 C = cos(sqrt s)    S = sin(sqrt s) / sqrt s
       v <- -E w^2 t S x  + E (C - a S) v

   C and S are entire functions of s: for s < 0 they are cosh(sqrt -s) and sinh(sqrt -s) / sqrt -s. So one form covers
   swinging (s > 0), critical (s = 0) and creeping (s < 0) springs, and nothing happens at z = 1 that needs a branch. */
#include "simd/kernel.h"
#include "simd/vf_math.h"

#include <float.h>

/* ---- Ways to describe a spring. In double, so that rounding to float is the only error worth the name. ---- */

static double square_root(double x)
{
    return __builtin_sqrt(x);
}

static gyre_status write_spring(double angular_frequency, double damping_ratio, gyre_spring *out)
{
    gyre_spring spring = {(float)angular_frequency, (float)damping_ratio};
    if (!is_finite(spring.angular_frequency) || !is_finite(spring.damping_ratio)) {
        return GYRE_ERROR_RANGE;
    }
    *out = spring;
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status spring_from_stiffness(float mass, float stiffness, float damping, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(mass) || !is_finite_not_negative(stiffness) || !is_finite_not_negative(damping) ||
        (stiffness == 0 && damping > 0)) {
        return GYRE_ERROR_VALUE;
    }
    double m = mass, k = stiffness, c = damping;
    return write_spring(square_root(k / m), c > 0 ? c / (2 * square_root(k * m)) : 0, out);
}

static const double two_pi = 0x1.921fb54442d18p+2;
static const double ln_2 = 0x1.62e42fefa39efp-1;

GYRE_KERNEL_FUNCTION gyre_status spring_from_response(float response_s, float damping_ratio, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(response_s) || !is_finite_not_negative(damping_ratio)) {
        return GYRE_ERROR_VALUE;
    }
    return write_spring(two_pi / response_s, damping_ratio, out);
}

GYRE_KERNEL_FUNCTION gyre_status spring_from_duration(float duration_s, float bounce, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(duration_s) || !(bounce > -1 && bounce <= 1)) {
        return GYRE_ERROR_VALUE;
    }
    double b = bounce;
    return write_spring(two_pi / duration_s, b >= 0 ? 1 - b : 1 / (1 + b), out);
}

/* The spring whose slowest part falls by exp(-decay) in `time`. That part decays at the rate w r: r = z while the
   spring swings, and the small root z - sqrt(z^2 - 1) when it creeps, here by division so that nothing cancels. */
static gyre_status spring_from_decay(double decay, double time, float damping_ratio, gyre_spring *out)
{
    double z = damping_ratio;
    double rate = z <= 1 ? z : 1 / (z + square_root((z - 1) * (z + 1)));
    return write_spring(decay / (rate * time), z, out);
}

GYRE_KERNEL_FUNCTION gyre_status spring_from_half_life(float half_life_s, float damping_ratio, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(half_life_s) || !is_finite_positive(damping_ratio)) {
        return GYRE_ERROR_VALUE;
    }
    return spring_from_decay(ln_2, half_life_s, damping_ratio, out);
}

GYRE_KERNEL_FUNCTION gyre_status spring_from_settling(float settling_s, float damping_ratio, float fraction,
                                                      gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(settling_s) || !is_finite_positive(damping_ratio) || !(fraction > 0 && fraction < 1)) {
        return GYRE_ERROR_VALUE;
    }
    return spring_from_decay(-(double)vf_first(vf_log(vf_set1(fraction))), settling_s, damping_ratio, out);
}

/* ---- The matrix. ---- */

typedef struct spring_matrix {
    vf pos_pos, pos_vel, vel_pos, vel_vel;
} spring_matrix;

/* C(s) and S(s) for |s| <= 1: Taylor's series, cut where the next term is below 2^-28. */
VF_INLINE void spring_series(vf s, vf *c, vf *s_out)
{
    vf even = vf_set1(-1.0f / 3628800);
    even = vf_mla(even, s, vf_set1(1.0f / 40320));
    even = vf_mla(even, s, vf_set1(-1.0f / 720));
    even = vf_mla(even, s, vf_set1(1.0f / 24));
    even = vf_mla(even, s, vf_set1(-1.0f / 2));
    *c = vf_mla(even, s, vf_set1(1));

    vf odd = vf_set1(-1.0f / 39916800);
    odd = vf_mla(odd, s, vf_set1(1.0f / 362880));
    odd = vf_mla(odd, s, vf_set1(-1.0f / 5040));
    odd = vf_mla(odd, s, vf_set1(1.0f / 120));
    odd = vf_mla(odd, s, vf_set1(-1.0f / 6));
    *s_out = vf_mla(odd, s, vf_set1(1));
}

/* Three ways to E C and E S, chosen per lane by s: the series near 0; cosine and sine beyond 1, where dividing by the
   phase is harmless; and below -1 the two decays, since cosh and sinh overflow long before their product with E does:

       E cosh q = (e1 + e2) / 2,  E sinh q = (e1 - e2) / 2,  e1 = exp(-w t r1), e2 = exp(-w t r2), r1 r2 = 1.

   Work that no lane needs is skipped, which changes no lane's bits. */
VF_INLINE spring_matrix spring_matrix_of(vf w, vf z, vf t)
{
    const vf one = vf_set1(1);
    vf wt = vf_mul(w, t);
    vf a = vf_mul(z, wt);

    /* sqrt|1 - z^2| to 1.6 eps: 1 - z is exact where cancellation would show, and z^2 - 1 is z^2 for a large z. */
    vf u = vf_sub(one, z);
    vf difference = vf_mla(u, vf_sub(one, u), u);
    vf root = vf_select(vf_lt(vf_set1(0x1p13f), z), z, vf_sqrt(vf_abs(difference)));
    vf phase = vf_mul(wt, root);
    vf s = vf_copysign(vf_mul(phase, phase), u);
    vm swings = vf_lt(one, s);
    vm creeps = vf_lt(s, vf_set1(-1));

    vf slow = vf_neg(a);
    vf fast = vf_neg(vf_mul(wt, vf_add(z, root)));
    if (vm_any(creeps)) {
        slow = vf_select(creeps, vf_neg(vf_div(wt, vf_add(z, root))), slow);
    }

    /* Where exp would be subnormal its few bits would be multiplied up by w^2 t: carry 2^64 until the end. */
    vm faint = vf_lt(slow, vf_set1(-64));
    bool any_faint = vm_any(faint);
    if (any_faint) {
        vf lift = vf_select(faint, vf_set1(0x1.62e43p+5f), vf_set1(0)); /* 64 ln 2 */
        slow = vf_add(slow, lift);
        fast = vf_add(fast, lift);
    }

    vf e = vf_exp(slow);
    vf c, s_over;
    spring_series(s, &c, &s_over);
    if (vm_any(swings)) {
        vf sine, cosine;
        vf_sincos(phase, &sine, &cosine);
        c = vf_select(swings, cosine, c);
        s_over = vf_select(swings, vf_div(sine, phase), s_over);
    }
    vf ec = vf_mul(e, c);
    vf es = vf_mul(e, s_over);
    if (vm_any(creeps)) {
        const vf half = vf_set1(0.5f);
        vf e2 = vf_exp(fast);
        ec = vf_select(creeps, vf_mul(half, vf_add(e, e2)), ec);
        es = vf_select(creeps, vf_div(vf_mul(half, vf_sub(e, e2)), phase), es);
    }

    vf wwt = vf_mul(w, wt);
    if (any_faint) {
        vf lower = vf_select(faint, vf_set1(0x1p-64f), one);
        ec = vf_mul(ec, lower);
        a = vf_mul(a, lower);
        t = vf_mul(t, lower);
        wwt = vf_mul(wwt, lower);
    }
    return (spring_matrix){
        .pos_pos = vf_mla(a, es, ec),
        .pos_vel = vf_mul(t, es),
        .vel_pos = vf_neg(vf_mul(wwt, es)),
        .vel_vel = vf_nmla(a, es, ec),
    };
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
    spring_matrix m =
        spring_matrix_of(vf_set1(spring.angular_frequency), vf_set1(spring.damping_ratio), vf_set1(dt_s));
    gyre_spring_matrix result = {vf_first(m.pos_pos), vf_first(m.pos_vel), vf_first(m.vel_pos), vf_first(m.vel_vel)};
    if (!is_finite(result.pos_pos) || !is_finite(result.pos_vel) || !is_finite(result.vel_pos) ||
        !is_finite(result.vel_vel)) {
        return GYRE_ERROR_RANGE;
    }
    *out = result;
    return GYRE_OK;
}

/* ---- The step. ---- */

/* What a batch asks for. Constants where a loop is made for them, else branches that the CPU predicts. */
typedef struct spring_features {
    bool target, period, rest, awake;
} spring_features;

/* x less the nearest multiple of the period. */
VF_INLINE vf wrapped(vf x, vf period)
{
    return vf_nmla(vf_round(vf_div(x, period)), period, x);
}

/* 0 below 2^-95, where an exponent's top three bits are 0. Products with any coefficient above 2^-31 then stay normal;
   flushing at the smallest normal number would come too late, and subnormal operands cost 50 times as much. */
VF_INLINE vf flushed(vf x)
{
    return vf_drop(vi_disjoint(vf_bits(x), vi_set1(0x70000000)), x);
}

typedef struct spring_state {
    vf position, velocity, target;
} spring_state;

VF_INLINE spring_state load_springs(const gyre_springs *s, spring_features has, size_t i, size_t n)
{
    return (spring_state){
        .position = vf_load_n(s->position + i, n),
        .velocity = vf_load_n(s->velocity + i, n),
        .target = has.target ? vf_load_n(s->target + i, n) : vf_set1(0),
    };
}

VF_INLINE spring_state advance_springs(const gyre_springs *s, spring_features has, const spring_matrix *m,
                                       spring_state old)
{
    vf x = has.target ? vf_sub(old.position, old.target) : old.position;
    if (has.period) {
        x = wrapped(x, vf_set1(s->period));
    }
    vf new_x = flushed(vf_mla(m->pos_pos, x, vf_mul(m->pos_vel, old.velocity)));
    vf velocity = flushed(vf_mla(m->vel_pos, x, vf_mul(m->vel_vel, old.velocity)));
    if (has.rest) {
        vm rests = vm_and(vf_le(vf_abs(new_x), vf_set1(s->rest_distance)),
                          vf_le(vf_abs(velocity), vf_set1(s->rest_speed)));
        new_x = vf_drop(rests, new_x);
        velocity = vf_drop(rests, velocity);
    }
    return (spring_state){has.target ? vf_add(old.target, new_x) : new_x, velocity, old.target};
}

/* 1 where a spring still moves or is still away from its target. */
VF_INLINE void report_awake(const gyre_springs *s, spring_features has, spring_state state, size_t i, size_t n)
{
    vf x = has.target ? vf_sub(state.position, state.target) : state.position;
    if (has.period) {
        x = wrapped(x, vf_set1(s->period));
    }
    vm rests = vm_and(vf_eq(x, vf_set1(0)), vf_eq(state.velocity, vf_set1(0)));
    vm_store_bytes_n(s->awake + i, vm_not(rests), n);
}

VF_INLINE void store_springs(const gyre_springs *s, spring_features has, spring_state new, size_t i, size_t n)
{
    vf_store_n(s->position + i, new.position, n);
    vf_store_n(s->velocity + i, new.velocity, n);
    if (has.awake) {
        report_awake(s, has, new, i, n);
    }
}

VF_INLINE void step_range(gyre_springs s, spring_features has, spring_matrix m, size_t begin, size_t end)
{
    size_t i = begin;
    for (; end - i >= VF_BLOCK; i += VF_BLOCK) {
        vf_prefetch_block(s.position + i);
        vf_prefetch_block(s.velocity + i);
        if (has.target) {
            vf_prefetch_block(s.target + i);
        }
        spring_state state[VF_BLOCK_VECTORS];
        for (size_t k = 0; k < VF_BLOCK_VECTORS; k++) {
            state[k] = load_springs(&s, has, i + k * VF_LANES, VF_LANES);
        }
        for (size_t k = 0; k < VF_BLOCK_VECTORS; k++) {
            store_springs(&s, has, advance_springs(&s, has, &m, state[k]), i + k * VF_LANES, VF_LANES);
        }
    }
    while (i < end) {
        size_t n = vf_lanes_left(i, end);
        store_springs(&s, has, advance_springs(&s, has, &m, load_springs(&s, has, i, n)), i, n);
        i += n;
    }
}

static void report_range(gyre_springs s, spring_features has, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i += VF_LANES) {
        size_t n = vf_lanes_left(i, end);
        report_awake(&s, has, load_springs(&s, has, i, n), i, n);
    }
}

static gyre_status check_springs(const gyre_springs *springs, size_t begin, size_t end)
{
    if (begin > end || end > springs->count) {
        return GYRE_ERROR_RANGE;
    }
    if (!is_finite_not_negative(springs->period) || !is_finite_not_negative(springs->rest_distance) ||
        !is_finite_not_negative(springs->rest_speed)) {
        return GYRE_ERROR_VALUE;
    }
    return begin < end && (springs->position == NULL || springs->velocity == NULL) ? GYRE_ERROR_NULL : GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status springs_step(const gyre_springs *springs, size_t begin, size_t end,
                                              const gyre_spring_matrix *matrix)
{
    if (springs == NULL || matrix == NULL) {
        return GYRE_ERROR_NULL;
    }
    gyre_spring_matrix c = *matrix;
    if (!is_finite(c.pos_pos) || !is_finite(c.pos_vel) || !is_finite(c.vel_pos) || !is_finite(c.vel_vel)) {
        return GYRE_ERROR_VALUE;
    }
    gyre_status status = check_springs(springs, begin, end);
    if (status != GYRE_OK || begin == end) {
        return status;
    }
    gyre_springs s = *springs;
    spring_features has = {
        .target = s.target != NULL,
        .period = s.period > 0,
        .rest = s.rest_distance > 0 && s.rest_speed > 0,
        .awake = s.awake != NULL,
    };
    bool identity = c.pos_pos == 1 && c.pos_vel == 0 && c.vel_pos == 0 && c.vel_vel == 1;
    if (identity) {
        if (has.awake) {
            report_range(s, has, begin, end);
        }
        return GYRE_OK;
    }
    spring_matrix m = {vf_set1(c.pos_pos), vf_set1(c.pos_vel), vf_set1(c.vel_pos), vf_set1(c.vel_vel)};
    if (has.period || has.rest || has.awake) {
        step_range(s, has, m, begin, end);
    } else if (has.target) {
        step_range(s, (spring_features){.target = true}, m, begin, end);
    } else {
        step_range(s, (spring_features){0}, m, begin, end);
    }
    return GYRE_OK;
}
