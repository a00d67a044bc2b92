#include "reference/particle.h"

#include <math.h>

/* (exp p - 1 - p) / p^2: the difference where it loses at most two bits, otherwise Taylor's series. */
static real second_remainder(real p)
{
    if (fabsl(p) > 0.5L) {
        return (expm1l(p) - p) / (p * p);
    }
    real sum = 0;
    for (int k = 30; k >= 0; k--) { /* 1/2 (1 + p/3 (1 + p/4 (...))) */
        sum = (1 + p * sum) / (k + 2);
    }
    return sum;
}

reference_particle reference_particle_matrix(real damping, real t)
{
    real p = -damping * t, f1 = p == 0 ? 1 : expm1l(p) / p;
    return (reference_particle){t * f1, expl(p), t * t * second_remainder(p), t * f1};
}

reference_particle reference_particle_bound(real damping, real t)
{
    reference_particle exact = reference_particle_matrix(damping, t);
    real eps = 0x1p-24L, growing = 1 + fabsl(damping * t), least = 0x1p-149L, backwards = t < 0 ? growing : 1;
    return (reference_particle){
        4 * eps * backwards * fabsl(exact.pos_vel) + least,
        4 * eps * growing * fabsl(exact.vel_vel) + (exact.vel_vel < 0x1.0001p-126L ? 0x1p-126L : least),
        8 * eps * backwards * fabsl(exact.pos_acc) + least,
        4 * eps * backwards * fabsl(exact.vel_acc) + least,
    };
}

/* fraction = exp(-k interval) */
real reference_damping_from_retention(real fraction, real interval)
{
    return (fraction > 0.5L ? -log1pl(fraction - 1) : -logl(fraction)) / interval;
}

real reference_rest_position(real position, real velocity, real damping) { return position + velocity / damping; }

/* speed = v exp(-k t) */
real reference_time_to_speed(real velocity, real damping, real speed)
{
    real now = fabsl(velocity);
    return (speed > now / 2 ? -log1pl((speed - now) / now) : logl(now) - logl(speed)) / damping;
}

/* where = position + v (1 - exp(-k t)) / k, or, without damping, position + v t */
real reference_time_to_position(real position, real velocity, real damping, real where)
{
    real straight = (where - position) / velocity;
    return damping == 0 ? straight : -log1pl(-damping * straight) / damping;
}
