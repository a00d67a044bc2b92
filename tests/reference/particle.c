#include "reference/particle.h"

#include <math.h>

/* (exp p - 1 - p) / p^2: the difference where it loses at most two bits, else Taylor's series. */
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

reference_motion reference_motion_matrix(real drag, real t)
{
    real p = logl(drag) * t, f1 = p == 0 ? 1 : expm1l(p) / p;
    return (reference_motion){t * f1, expl(p), t * t * second_remainder(p), t * f1};
}

reference_motion reference_motion_bound(real drag, real t)
{
    reference_motion exact = reference_motion_matrix(drag, t);
    real eps = 0x1p-24L, growing = 1 + fabsl(logl(drag) * t), least = 0x1p-149L, backwards = t < 0 ? growing : 1;
    return (reference_motion){
        6 * eps * backwards * fabsl(exact.pos_vel) + least,
        4 * eps * growing * fabsl(exact.vel_vel) + (exact.vel_vel < 0x1.0001p-126L ? 0x1p-126L : least),
        8 * eps * backwards * fabsl(exact.pos_acc) + least,
        6 * eps * backwards * fabsl(exact.vel_acc) + least,
    };
}

real reference_rest_position(real position, real velocity, real drag) { return position - velocity / logl(drag); }

/* speed = v exp(l t) */
real reference_time_to_speed(real velocity, real drag, real speed)
{
    real now = fabsl(velocity);
    return (speed > now / 2 ? log1pl((speed - now) / now) : logl(speed) - logl(now)) / logl(drag);
}

/* where = position + v (exp(l t) - 1) / l, or, without drag, position + v t */
real reference_time_to_position(real position, real velocity, real drag, real where)
{
    real l = logl(drag), straight = (where - position) / velocity;
    return l == 0 ? straight : log1pl(l * straight) / l;
}
