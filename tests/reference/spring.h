/* Damped springs the obvious way: the textbook's three cases, one spring at a time, in the widest floating-point type
   that the compiler has. Slow, and never to be made clever. */
#ifndef GYRE_TESTS_REFERENCE_SPRING_H
#define GYRE_TESTS_REFERENCE_SPRING_H

typedef long double real; /* 64 bits of significand on x86, 113 on AArch64 */

typedef struct reference_matrix {
    real pos_pos, pos_vel, vel_pos, vel_vel;
} reference_matrix;

/* The state after t seconds as a matrix times the state before. */
reference_matrix reference_spring_matrix(real angular_frequency, real damping_ratio, real t);

/* The largest error that include/gyre/spring.h allows each coefficient. */
reference_matrix reference_spring_matrix_bound(real angular_frequency, real damping_ratio, real t);

typedef struct reference_state {
    real position, velocity;
} reference_state;

reference_state reference_spring_step(reference_matrix matrix, reference_state state, real target);

/* Frequency (and ratio, where it is not given) of each way to describe a spring. */
real reference_frequency_of_stiffness(real mass, real stiffness);
real reference_ratio_of_stiffness(real mass, real stiffness, real damping);
real reference_frequency_of_response(real response);
real reference_ratio_of_bounce(real bounce);
real reference_frequency_of_decay(real log_of_decay, real time, real damping_ratio);

#endif
