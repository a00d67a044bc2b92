/* A spring on a rotation, step by step as in kernels/spring/README.md, in double. Keep it simple. */
#ifndef GYRE_TESTS_REFERENCE_ORIENTATION_H
#define GYRE_TESTS_REFERENCE_ORIENTATION_H

#include "reference/rotation.h"

#include <gyre/gyre.h>

/* How a step changes a displacement and its rate, and what a target that moves by 1 adds. */
typedef struct orientation_matrix {
    double pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp;
} orientation_matrix;

/* The coefficients that a step of h seconds uses from a matrix: those of the displacement and its rate as floats, those
   of a moving target with low parts. */
orientation_matrix orientation_matrix_of(const gyre_spring_matrix *matrix, double h);

typedef struct orientation_state {
    quaternion q;
    vector omega; /* rad/s, world */
} orientation_state;

/* From the target `before` to the target `after`, in h seconds. With h = 0, the velocity of the targets is 0. */
orientation_state reference_orientation_step(orientation_matrix m, double h, orientation_state state, quaternion before,
                                             quaternion after);

#endif
