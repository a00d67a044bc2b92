/* The coefficients of a particle's matrix in double, for the low parts. Compiled once. */
#ifndef GYRE_PARTICLE_COEFFICIENTS_H
#define GYRE_PARTICLE_COEFFICIENTS_H

#include "scalar/language.h"

typedef struct particle_coefficients {
    double pos_vel, vel_vel, pos_acc;
} particle_coefficients;

/* The error of each is 2^-49 (1 + |p|) of itself, for a valid damping and a finite time; vel_acc equals pos_vel. Where
   the matrix is too large for floats, coefficients may be infinite or NaN. */
GYRE_DEVICE particle_coefficients gyre_scalar_particle_coefficients(float damping, double dt_s);

#endif
