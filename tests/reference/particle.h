/* Friction and constant acceleration the obvious way: dv/dt = v ln d + a solved on paper, one number at a time, in the
   widest floating-point type that the compiler has. */
#ifndef GYRE_TESTS_REFERENCE_MOTION_H
#define GYRE_TESTS_REFERENCE_MOTION_H

typedef long double real;

typedef struct reference_motion {
    real pos_vel, vel_vel, pos_acc, vel_acc;
} reference_motion;

reference_motion reference_motion_matrix(real drag, real t);

/* The largest error that include/gyre/motion.h allows each coefficient. */
reference_motion reference_motion_bound(real drag, real t);

real reference_rest_position(real position, real velocity, real drag);
real reference_time_to_speed(real velocity, real drag, real speed);
real reference_time_to_position(real position, real velocity, real drag, real where);

#endif
