/* Damping and constant acceleration: dv/dt = a - k v solved analytically, one number at a time, in the widest
   floating-point type that the compiler has. */
#ifndef GYRE_TESTS_REFERENCE_PARTICLE_H
#define GYRE_TESTS_REFERENCE_PARTICLE_H

typedef long double real;

typedef struct reference_particle {
    real pos_vel, vel_vel, pos_acc, vel_acc;
} reference_particle;

reference_particle reference_particle_matrix(real damping, real t);

/* The largest error that particles-reference.md allows for each coefficient. */
reference_particle reference_particle_bound(real damping, real t);

real reference_damping_from_retention(real fraction, real interval);
real reference_rest_position(real position, real velocity, real damping);
real reference_time_to_speed(real velocity, real damping, real speed);
real reference_time_to_position(real position, real velocity, real damping, real where);

#endif
