#include "reference/spring.h"

#include <math.h>
#include <stddef.h>

static const real reference_pi = 3.14159265358979323846264338327950288L;

reference_matrix reference_spring_matrix(real w, real z, real t)
{
    if (w == 0) {
        return (reference_matrix){1, t, 0, 1};
    }
    if (z < 1) {
        real damped = w * sqrtl((1 - z) * (1 + z));
        real e = expl(-z * w * t), c = cosl(damped * t), s = sinl(damped * t) / damped;
        return (reference_matrix){e * (c + z * w * s), e * s, -e * w * w * s, e * (c - z * w * s)};
    }
    if (z == 1) {
        real e = expl(-w * t);
        return (reference_matrix){e * (1 + w * t), e * t, -e * w * w * t, e * (1 - w * t)};
    }
    /* Two decays: e1 = exp(-r1 t) and e2 = exp(-r2 t), r1 < r2. With d = (e1 - e2) / (r2 - r1) the coefficients are e1
       + r1 d, d, -w^2 d and e2 - r1 d. expm1 computes the difference from the larger of the two without loss. */
    real root = sqrtl((z - 1) * (z + 1));
    real r2 = w * (z + root), r1 = w / (z + root), gap = 2 * w * root;
    real e1 = expl(-r1 * t), e2 = expl(-r2 * t);
    real d = t > 0 ? -e1 * expm1l(-gap * t) / gap : e2 * expm1l(gap * t) / gap;
    return (reference_matrix){e1 + r1 * d, d, -w * w * d, e2 - r1 * d};
}

reference_matrix reference_spring_matrix_bound(real w, real z, real t)
{
    real wt = w * fabsl(t), a = z * wt, root_s = wt * sqrtl(fabsl((1 - z) * (1 + z)));
    real e = expl(-z * w * t), growth = wt;
    if (z > 1) {
        real fast = z + sqrtl((z - 1) * (z + 1));
        e = t >= 0 ? expl(-wt / fast) : expl(wt * fast);
        growth = t >= 0 ? wt : wt * fast;
    }
    real shorter = root_s > 1 ? 1 / root_s : 1; /* min(1, 1 / sqrt|s|) */
    real each = (wt <= 1e4L ? 4 : 5) * 0x1p-24L * (1 + growth) * e;
    real same = each * (1 + a * shorter), pos_vel = each * fabsl(t) * shorter;
    real least = e < expl(-62) ? 0x1p-126L : 0x1p-149L;
    return (reference_matrix){same + least, pos_vel + least, w * w * pos_vel + least, same + least};
}

/* The mean of pos_vel over a time of 1, by Gauss-Legendre quadrature; it is smooth where z w t is small. */
static real mean_of_pos_vel(real w, real z)
{
    static const real points[][2] = {
        {0.0765265211334973337546404093988382110L, 0.1527533871307258506980843319550975935L},
        {0.2277858511416450780804961953685746247L, 0.1491729864726037467878287370019694367L},
        {0.3737060887154195606725481770249272373L, 0.1420961093183820513292983250671649331L},
        {0.5108670019508270980043640509552509984L, 0.1316886384491766268984944997481631349L},
        {0.6360536807265150254528366962262859368L, 0.1181945319615184173123773777113822870L},
        {0.7463319064601507926143050703556415903L, 0.1019301198172404350367501354803498762L},
        {0.8391169718222188233945290617015206853L, 0.0832767415767047487247581432220462061L},
        {0.9122344282513259058677524412032981131L, 0.0626720483341090635695065351870416064L},
        {0.9639719272779137912676661311972772219L, 0.0406014298003869413310399522749321099L},
        {0.9931285991850949247861223884713202783L, 0.0176140071391521183118619623518528164L},
    };
    real sum = 0;
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const real before = (1 - points[i][0]) / 2, after = (1 + points[i][0]) / 2;
        sum += points[i][1] / 2 *
               (reference_spring_matrix(w, z, before).pos_vel + reference_spring_matrix(w, z, after).pos_vel);
    }
    return sum;
}

static real mean_decay(real p) { return p == 0 ? 1 : -expm1l(-p) / p; }

/* (1 - pos_pos) / (w t), which is w t times the mean of pos_vel / t */
static real response_over_angle(real z, real wt)
{
    if (z > 1.5L) { /* pos_vel is the difference of two decays */
        const real root = sqrtl((z - 1) * (z + 1)), fast = z + root;
        return (mean_decay(wt / fast) - mean_decay(wt * fast)) / (2 * root);
    }
    if (fabsl(wt) > 1) {
        return (1 - reference_spring_matrix(1, z, wt).pos_pos) / wt;
    }
    return wt * mean_of_pos_vel(wt, z);
}

reference_ramps reference_spring_ramps(real w, real z, real follow, real t)
{
    const real pos_vel_over_t = reference_spring_matrix(w, z, t).pos_vel / t, response = response_over_angle(z, w * t);
    return (reference_ramps){-(pos_vel_over_t + (1 - follow) * 2 * z * response),
                             w * (follow * 2 * z * pos_vel_over_t + response)};
}

reference_ramps reference_spring_ramps_bound(real w, real z, real t)
{
    const real fast = z > 1 ? z + sqrtl((z - 1) * (z + 1)) : 1, back = t < 0 ? w * -t * fast : 0;
    const real growth = expl(fminl(z, 1) * back) * (1 + back);
    const real pos_ramp = 8 * 0x1p-24L * growth + 0x1p-126L / fabsl(t);
    return (reference_ramps){pos_ramp, w * (1 + 2 * z) * pos_ramp};
}

reference_state reference_spring_step(reference_matrix m, reference_state state, real target)
{
    real x = state.position - target, v = state.velocity;
    return (reference_state){target + m.pos_pos * x + m.pos_vel * v, m.vel_pos * x + m.vel_vel * v};
}

real reference_frequency_of_stiffness(real mass, real stiffness) { return sqrtl(stiffness / mass); }

real reference_ratio_of_stiffness(real mass, real stiffness, real damping)
{
    return damping == 0 ? 0 : damping / (2 * sqrtl(stiffness * mass));
}

real reference_frequency_of_response(real response) { return 2 * reference_pi / response; }

real reference_ratio_of_bounce(real bounce) { return bounce >= 0 ? 1 - bounce : 1 / (1 + bounce); }

real reference_bounce_of_ratio(real z) { return z <= 1 ? 1 - z : (1 - z) / z; }

real reference_spring_from_rest(real z, real wt)
{
    if (z >= 1) {
        return reference_spring_matrix(1, z, wt).pos_pos;
    }
    /* an integer number of half periods apart, each of which multiplies by a factor: no phase is large */
    const real q = sqrtl((1 - z) * (1 + z)), half_period = reference_pi / q, turns = floorl(wt / half_period);
    const real rest = wt - turns * half_period, peak = expl(-turns * half_period * z);
    return (fmodl(turns, 2) == 0 ? peak : -peak) * reference_spring_matrix(1, z, rest).pos_pos;
}

/* Where |displacement| passes `fraction`, between a time at which it is larger and a time at which it is not. */
static real crossing_between(real z, real fraction, real larger, real smaller)
{
    for (int i = 0; i < 200; i++) {
        const real middle = (larger + smaller) / 2;
        *(fabsl(reference_spring_from_rest(z, middle)) > fraction ? &larger : &smaller) = middle;
    }
    return smaller;
}

/* When the displacement is first 0 or, if it never is, when it falls below `fraction`. */
static real end_of_first_fall(real z, real fraction)
{
    if (z < 1) {
        const real q = sqrtl((1 - z) * (1 + z));
        return (reference_pi - acosl(z)) / q; /* tan(q t) = -q / z */
    }
    real end = 1;
    while (reference_spring_from_rest(z, end) > fraction) {
        end *= 2;
    }
    return end;
}

real reference_half_life(real z) { return crossing_between(z, 0.5L, 0, end_of_first_fall(z, 0.5L)); }

static real half_periods_until(real z, real fraction)
{
    return -logl(fraction) * sqrtl((1 - z) * (1 + z)) / (reference_pi * z);
}

real reference_settling(real z, real fraction)
{
    if (z >= 1) {
        return crossing_between(z, fraction, 0, end_of_first_fall(z, fraction));
    }
    /* the last turning point that is further away than `fraction`, and 0 in the fall that follows */
    const real half_period = reference_pi / sqrtl((1 - z) * (1 + z)), turns = floorl(half_periods_until(z, fraction));
    return turns * half_period +
           crossing_between(z, fraction / expl(-turns * half_period * z), 0, end_of_first_fall(z, 0));
}

real reference_distance_from_peak(real z, real fraction)
{
    if (z >= 1) {
        return INFINITY;
    }
    const real turns = half_periods_until(z, fraction), half_period = reference_pi / sqrtl((1 - z) * (1 + z));
    return fabsl(turns - roundl(turns)) * half_period * z;
}
