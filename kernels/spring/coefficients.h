/* The coefficients of a spring's matrix in double, for the low parts. Compiled once. */
#ifndef GYRE_SPRING_COEFFICIENTS_H
#define GYRE_SPRING_COEFFICIENTS_H

#include "common/checks.h"

#include <gyre/spring.h>

typedef struct spring_coefficients {
    double pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp;
} spring_coefficients;

/* The error is 2^-48 (1 + |w t|) of the scale of a coefficient (springs-reference.md), and 2^-42 of that of a ramp, for
   a valid spring and a finite time. Where the matrix is too large for floats, coefficients may be infinite or NaN. */
GYRE_DEVICE spring_coefficients gyre_scalar_spring_coefficients(gyre_spring spring, double dt_s);

GYRE_DEVICE static inline bool is_valid_spring(gyre_spring spring)
{
    return is_finite_not_negative(spring.angular_frequency) && is_finite_not_negative(spring.damping_ratio) &&
           spring.follow >= 0 && spring.follow <= 1;
}

#endif
