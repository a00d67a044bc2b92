/* Alternatives to gyre_springs_step and gyre_springs_step_each. */
#ifndef GYRE_BENCH_PEERS_SPRINGS_H
#define GYRE_BENCH_PEERS_SPRINGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The textbook's three cases in scalar floats with libm, one spring after another, as in most engines. */
void peer_closed_form(float *position, float *velocity, const float *target, size_t count, float angular_frequency,
                      float damping_ratio, float dt_s);

/* Angular frequency and damping ratio per spring, with one formula: with libm, and with SLEEF's u10 vectors if SLEEF is
   installed. Counts must be multiples of 16. */
void peer_each_libm(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                    size_t count, float dt_s);
void peer_each_sleef(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                     size_t count, float dt_s);

/* Alternatives to gyre_orientation_springs_step; matrix: pos_pos, pos_vel, vel_pos, vel_vel. The same formula in scalar
   floats with libm. With Eigen, if installed, as in engines: the closed form of small angles, and a semi-implicit Euler
   step without trigonometry. */
void peer_orientation_libm(float *const q[4], float *const omega[3], float *const target[4], size_t count,
                           const float matrix[4]);
void peer_orientation_eigen(float *const q[4], float *const omega[3], float *const target[4], size_t count,
                            const float matrix[4]);
void peer_orientation_eigen_euler(float *const q[4], float *const omega[3], float *const target[4], size_t count,
                                  float angular_frequency, float damping_ratio, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
