/* When a spring's displacement crosses a distance from its target, in double; the derivation is in spring/README.md.

   Time is tau = w t and velocity is u = v / w, so that w drops out of the motion. */
#ifndef GYRE_SPRING_CROSSING_H
#define GYRE_SPRING_CROSSING_H

#include "scalar/elementary.h"

/* The motion from displacement x and scaled velocity u, with the terms of its regime. */
typedef struct spring_motion {
    double z, x, u;
    double underdamped;                /* sqrt(1 - z^2); 0 where z >= 1 */
    double slow, gap;                  /* z >= 1: the slower rate of decay, and how much faster the other one is */
    double u_and_slow_x, u_and_fast_x; /* u plus each rate times x */
    double late; /* a bound on the relative rounding error by which crossings are found late; 0: to nearest */
} spring_motion;

GYRE_DEVICE static inline spring_motion spring_motion_from(double z, double x, double u, double late)
{
    const double root = double_square_root(scalar_abs((1 - z) * (1 + z)));
    spring_motion m = {.z = z, .x = x, .u = u, .late = late};
    if (z < 1) {
        m.underdamped = root;
    } else {
        /* next to z = 1 both rates are nearly 1 and u + x may be nearly 0: nothing may cancel */
        const double fast = z + root, fast_minus_1 = (z - 1) + root;
        m.slow = 1 / fast;
        m.gap = 2 * root;
        m.u_and_slow_x = (m.u + m.x) - fast_minus_1 / fast * m.x;
        m.u_and_fast_x = (m.u + m.x) + fast_minus_1 * m.x;
    }
    return m;
}

/* The displacement after tau, times `side`, which is 1 or -1. For underdamped springs, tau is within the first half
   period. It is a sum of two rounded terms; `late` times their sizes is added. */
GYRE_DEVICE static inline double spring_displacement_at(const spring_motion *m, double tau, double side, double late)
{
    double decay, of_x, of_u;
    if (m->underdamped > 0) {
        double c, s;
        scalar_cos_sin(m->underdamped * tau, &c, &s);
        decay = scalar_exp(-m->z * tau);
        of_x = m->x * c;
        of_u = (m->u + m->z * m->x) / m->underdamped * s;
    } else {
        decay = scalar_exp(-m->slow * tau);
        of_x = m->x;
        of_u = m->u_and_slow_x * tau * scalar_mean_decay(m->gap * tau);
    }
    return decay * (side * (of_x + of_u) + late * (scalar_abs(of_x) + scalar_abs(of_u)));
}

GYRE_DEVICE static inline double spring_side_at(const spring_motion *m, double tau)
{
    return spring_displacement_at(m, tau, 1, 0) < 0 ? -1 : 1;
}

/* The first turning point after the start; 0 if there is none, or if the start is one. */
GYRE_DEVICE static inline double spring_first_turn(const spring_motion *m)
{
    if (m->u == 0) {
        return 0;
    }
    if (m->underdamped > 0) {
        /* velocity ~ u cos - (z u + x) / underdamped sin */
        const double side = m->u < 0 ? -1 : 1;
        return scalar_angle(side * (m->z * m->u + m->x), side * m->u * m->underdamped) / m->underdamped;
    }
    /* velocity ~ u - slow (u + fast x) (e^(gap tau) - 1) / gap */
    double gap = m->gap, tau = m->u / (m->slow * m->u_and_fast_x);
    if (!(tau > 0 && tau - tau == 0)) {
        return 0;
    }
    return gap * tau == 0 ? tau : scalar_log1p(gap * tau) / gap;
}

/* The first tau above 0 at which the displacement is 0; infinite if there is none.
   Underdamped:  x cos a + (u + z x) / underdamped sin a = 0 at the angle a = underdamped tau, in (0, pi];
   else:         x + (u + slow x) m = 0 with m = (1 - e^(-gap tau)) / gap. */
GYRE_DEVICE static inline double spring_first_zero(const spring_motion *m)
{
    if (m->underdamped > 0) {
        const double side = m->x < 0 || (m->x == 0 && m->u < 0) ? -1 : 1;
        return scalar_angle(-side * (m->u + m->z * m->x), side * m->x * m->underdamped) / m->underdamped;
    }
    const double mean = -m->x / m->u_and_slow_x, q = -m->gap * mean;
    if (!(mean > 0 && q > -1)) {
        return INFINITY;
    }
    return q == 0 ? mean : -scalar_log1p(q) / m->gap;
}

/* The scaled velocity at that time. Underdamped: x^2 + 2 z x u + u^2 decays by exp(-2 z tau), and is u^2 where x is
   0. */
GYRE_DEVICE static inline double spring_velocity_at_zero(const spring_motion *m, double tau)
{
    if (m->underdamped > 0) {
        const double side = m->x < 0 || (m->x == 0 && m->u < 0) ? -1 : 1, y = m->u + m->z * m->x;
        return -side * double_square_root(y * y + m->x * m->x * m->underdamped * m->underdamped) *
               scalar_exp(-m->z * tau);
    }
    return m->u_and_fast_x * scalar_exp(-m->slow * tau);
}

/* The state at tau. For underdamped springs, tau is within the first half period. */
typedef struct spring_motion_state {
    double x, u;
} spring_motion_state;

GYRE_DEVICE static inline spring_motion_state spring_motion_at(const spring_motion *m, double tau)
{
    if (m->underdamped > 0) {
        double c, s;
        scalar_cos_sin(m->underdamped * tau, &c, &s);
        const double decay = scalar_exp(-m->z * tau), sine = s / m->underdamped;
        return (spring_motion_state){decay * (m->x * c + (m->u + m->z * m->x) * sine),
                                     decay * (m->u * c - (m->x + m->z * m->u) * sine)};
    }
    const double decay = scalar_exp(-m->slow * tau), mean = tau * scalar_mean_decay(m->gap * tau);
    return (spring_motion_state){decay * (m->x + m->u_and_slow_x * mean),
                                 decay * (m->u - m->u_and_slow_x / m->slow * mean)};
}

/* Where the displacement falls through `distance`, between low (beyond it) and high (within it, or on the other side),
   with an error of 1e-12 of itself. */
GYRE_DEVICE static inline double spring_crossing(const spring_motion *m, double distance, double low, double high)
{
    const double side = spring_side_at(m, low);
    for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
        double middle = (low + high) / 2;
        *(spring_displacement_at(m, middle, side, m->late) > distance ? &low : &high) = middle;
    }
    return high;
}

/* The crossing after a turning point beyond `distance`, for z >= 1: such a spring does not turn again. */
GYRE_DEVICE static inline double spring_crossing_after(const spring_motion *m, double distance, double turn)
{
    const double side = spring_side_at(m, turn);
    double high = turn + 1;
    while (spring_displacement_at(m, high, side, m->late) > distance) {
        high = turn + 2 * (high - turn);
    }
    return spring_crossing(m, distance, turn, high);
}

/* The whole part of x >= 0, by rounding. A conversion to int64_t would call the compiler's run-time library on 32-bit
   CPUs. */
GYRE_DEVICE static inline double whole_part(double x)
{
    const double rounded = x < 0x1p52 ? (x + 0x1p52) - 0x1p52 : x;
    return rounded > x ? rounded - 1 : rounded;
}

/* The tau of the last crossing; infinite if there is no last one. */
GYRE_DEVICE static inline double spring_last_crossing(spring_motion m, double distance)
{
    const double turn = spring_first_turn(&m), side = spring_side_at(&m, turn);
    /* A peak that equals the distance up to rounding is within it. Otherwise an undamped spring would never settle. */
    const bool beyond = spring_displacement_at(&m, turn, side, -m.late) > distance;
    if (!beyond) {
        return scalar_abs(m.x) > distance ? spring_crossing(&m, distance, 0, turn) : 0;
    }
    if (m.underdamped == 0) {
        return spring_crossing_after(&m, distance, turn);
    }
    /* After the first turning point, each half period is the previous one times a constant. The logarithm gives the
       last turning point beyond the distance. Where the rounding of the peak decides which one that is, the crossing is
       next to it in either case. */
    const double peak = spring_displacement_at(&m, turn, side, 0) * (1 + m.late);
    const double half_period = SCALAR_PI / m.underdamped, loss = m.z * half_period;
    if (loss == 0) {
        return INFINITY;
    }
    const double turns = whole_part(scalar_log(peak / distance) / loss);
    const spring_motion last = {
        .z = m.z, .x = peak * scalar_exp(-turns * loss), .underdamped = m.underdamped, .late = m.late};
    return turn + turns * half_period + spring_crossing(&last, distance, 0, half_period);
}

#endif
