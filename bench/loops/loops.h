/* Plain loops, vectorised by the compiler: built by each installed compiler, with each set of options that a user would
   choose. They do not flush subnormal numbers. */
#ifndef GYRE_BENCH_LOOPS_H
#define GYRE_BENCH_LOOPS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct loops {
    const char *name; /* compiler; "-fast" for -Ofast, with libmvec if available */
    /* pos_pos, pos_vel, vel_pos, vel_vel of one matrix for all; target may be NULL */
    void (*springs)(float *position, float *velocity, const float *target, size_t count, const float matrix[4]);
    /* angular frequency in rad/s and damping ratio, per spring */
    void (*springs_each)(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                         size_t count, float dt_s);
    /* pos_vel, vel_vel, pos_acc, vel_acc of one matrix for all */
    void (*particles)(float *position, float *velocity, const float *acceleration, size_t count, const float matrix[4]);
    /* damping in 1/s, per particle */
    void (*particles_each)(float *position, float *velocity, const float *acceleration, const float *damping,
                           size_t count, float dt_s);
    /* States with low parts, in double; NULL if there is none. Matrices in the order above; targets are 0. */
    void (*springs_low)(float *position, float *velocity, float *position_low, float *velocity_low, size_t count,
                        const double matrix[4]);
    void (*particles_low)(float *position, float *velocity, float *position_low, float *velocity_low,
                          const float *acceleration, size_t count, const double matrix[4]);
    /* Three floats from structures of twelve to arrays, and back; NULL if there is none. */
    void (*gather)(const void *from, float *x, float *y, float *z, size_t count);
    void (*scatter)(const float *x, const float *y, const float *z, void *to, size_t count);
    /* Damping between edges and springs beyond them, a frame at a time: a fling that starts a frame beyond an edge is
       moved by the spring for the whole frame. pos_vel, vel_vel; pos_pos, pos_vel, vel_pos, vel_vel; NULL as above */
    void (*flings)(float *position, float *velocity, const float *lower, const float *upper, size_t count,
                   const float damping[2], const float spring[4]);
} loops;

#ifdef __cplusplus
}
#endif

#endif
