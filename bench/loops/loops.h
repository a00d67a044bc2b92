/* The loops that a user writes and leaves to a compiler's vectoriser, built by every compiler that is here in every way
   that a user would choose; subnormals are left alone. */
#ifndef GYRE_BENCH_PEERS_LOOPS_H
#define GYRE_BENCH_PEERS_LOOPS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct loops {
    const char *name; /* compiler; "-fast" for -Ofast, with libmvec where there is one */
    /* pos_pos, pos_vel, vel_pos, vel_vel of one matrix for all; target may be NULL */
    void (*springs)(float *position, float *velocity, const float *target, size_t count, const float matrix[4]);
    /* frequency and ratio per spring */
    void (*springs_each)(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                         size_t count, float dt_s);
    /* pos_vel, vel_vel, pos_acc, vel_acc of one matrix for all */
    void (*particles)(float *position, float *velocity, const float *acceleration, size_t count, const float matrix[4]);
    /* fraction of velocity left after a second, per particle */
    void (*particles_each)(float *position, float *velocity, const float *acceleration, const float *damping,
                           size_t count, float dt_s);
} loops;

#ifdef __cplusplus
}
#endif

#endif
