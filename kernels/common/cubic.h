/* The cubic through both ends of a motion, for the start of iterations. Compiled once, and for GPUs. */
#ifndef GYRE_COMMON_CUBIC_H
#define GYRE_COMMON_CUBIC_H

#include "scalar/square_root.h"

/* x + u (m + u (b + u c)) for u from 0 to 1: from x with slope m to x1 with slope m1. */
typedef struct cubic {
    double x, m, b, c;
} cubic;

GYRE_DEVICE static inline cubic cubic_through(double x, double m, double x1, double m1)
{
    const double way = x1 - x;
    return (cubic){x, m, 3 * way - 2 * m - m1, m + m1 - 2 * way};
}

GYRE_DEVICE static inline double cubic_at(cubic p, double u) { return p.x + u * (p.m + u * (p.b + u * p.c)); }
GYRE_DEVICE static inline double cubic_slope(cubic p, double u) { return p.m + u * (2 * p.b + u * 3 * p.c); }

/* Where it turns, if the slopes at its ends have different signs: the zero of 3 c u^2 + 2 b u + m in (0, 1). */
GYRE_DEVICE static inline double cubic_turn(cubic p)
{
    const double square = p.b * p.b - 3 * p.c * p.m, root = double_square_root(square > 0 ? square : 0);
    const double q = p.b < 0 ? root - p.b : -root - p.b, u = p.m / q;
    return 0 < u && u < 1 ? u : q / (3 * p.c);
}

/* Where it crosses 0 upward between `low`, where it is not above 0, and `high`, where it is: Newton's iteration, with
   bisection where it would leave the interval. */
GYRE_DEVICE static inline double cubic_zero(cubic p, double low, double high)
{
    double u = high;
    for (int i = 0; i < 40 && high - low > 0x1p-30; i++) {
        const double value = cubic_at(p, u), newton = u - value / cubic_slope(p, u);
        *(value > 0 ? &high : &low) = u;
        const double next = low <= newton && newton <= high ? newton : (low + high) / 2;
        if (next - u < 0x1p-30 && u - next < 0x1p-30) {
            return next;
        }
        u = next;
    }
    return u;
}

#endif
