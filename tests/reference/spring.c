#include "reference/spring.h"

#include <math.h>

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
    /* Two decays: e1 = exp(-r1 t) and e2 = exp(-r2 t), r1 < r2. With d = (e1 - e2) / (r2 - r1) the coefficients are
       e1 + r1 d, d, -w^2 d and e2 - r1 d. expm1 takes the difference without loss, of the larger of the two. */
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

real reference_frequency_of_response(real response) { return 2 * 3.14159265358979323846264338327950288L / response; }

real reference_ratio_of_bounce(real bounce) { return bounce >= 0 ? 1 - bounce : 1 / (1 + bounce); }

/* The slowest part of the motion falls by exp(-log_of_decay) in `time`. */
real reference_frequency_of_decay(real log_of_decay, real time, real z)
{
    real slowest = z <= 1 ? z : 1 / (z + sqrtl((z - 1) * (z + 1)));
    return log_of_decay / (slowest * time);
}
