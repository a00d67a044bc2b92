/* Damped springs the obvious way: the textbook's three cases, one spring at a time, in the widest floating-point type
   that the compiler has. Slow; keep it simple. */
#ifndef GYRE_TESTS_REFERENCE_SPRING_H
#define GYRE_TESTS_REFERENCE_SPRING_H

typedef long double real; /* 64 bits of significand on x86, 113 on AArch64 */

typedef struct reference_matrix {
    real pos_pos, pos_vel, vel_pos, vel_vel;
} reference_matrix;

/* The state after t seconds as a matrix times the state before. */
reference_matrix reference_spring_matrix(real angular_frequency, real damping_ratio, real t);

/* The largest error that springs-reference.md allows for each coefficient. */
reference_matrix reference_spring_matrix_bound(real angular_frequency, real damping_ratio, real t);

/* What a target that moves evenly by 1 during t adds to displacement and velocity; follow is the share of its velocity
   that damping is measured against. */
typedef struct reference_ramps {
    real pos_ramp, vel_ramp;
} reference_ramps;

reference_ramps reference_spring_ramps(real angular_frequency, real damping_ratio, real follow, real t);

/* The largest error that springs-reference.md allows for each. */
reference_ramps reference_spring_ramps_bound(real angular_frequency, real damping_ratio, real t);

typedef struct reference_state {
    real position, velocity;
} reference_state;

reference_state reference_spring_step(reference_matrix matrix, reference_state state, real target);

/* Frequency (and ratio, unless it is given) for each way to describe a spring. */
real reference_frequency_of_stiffness(real mass, real stiffness);
real reference_ratio_of_stiffness(real mass, real stiffness, real damping);
real reference_frequency_of_response(real response);
real reference_ratio_of_bounce(real bounce);

real reference_bounce_of_ratio(real damping_ratio);

/* The displacement at w t of a spring of frequency w released at rest from 1, for any t. */
real reference_spring_from_rest(real damping_ratio, real wt);

/* w t at which that displacement is first 1/2. */
real reference_half_life(real damping_ratio);

/* w t from which that displacement stays within `fraction` of 0. damping_ratio > 0. */
real reference_settling(real damping_ratio, real fraction);

/* The relative distance of the fraction from the nearest peak of the underdamped motion. Where that is 0, a root of
   |displacement| = fraction appears or vanishes, and the time of the last one jumps. Infinite for a ratio of 1 or
   more. */
real reference_distance_from_peak(real damping_ratio, real fraction);

#endif
