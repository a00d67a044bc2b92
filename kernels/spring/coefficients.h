/* The coefficients of a spring's matrix in double, for the low parts. Compiled once. */
#ifndef GYRE_SPRING_COEFFICIENTS_H
#define GYRE_SPRING_COEFFICIENTS_H

#include <gyre/gyre.h>

typedef struct spring_coefficients {
    double pos_pos, pos_vel, vel_pos, vel_vel;
} spring_coefficients;

/* To 2^-48 (1 + |w t|) of their scales (include/gyre/spring.h), for a valid spring and a finite time. Where the matrix
   is too large for floats they may be infinite or NaN. */
spring_coefficients gyre_scalar_spring_coefficients(gyre_spring spring, float dt_s);

#endif
