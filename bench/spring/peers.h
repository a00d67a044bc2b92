/* What a user would write or link instead of gyre_springs_step. */
#ifndef GYRE_BENCH_PEERS_SPRINGS_H
#define GYRE_BENCH_PEERS_SPRINGS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The textbook's three cases in scalar floats with libm, called once per spring: what most engines ship. */
void peer_closed_form(float *position, float *velocity, const float *target, size_t count, float angular_frequency,
                      float damping_ratio, float dt_s);

/* Frequency and ratio per spring, by one formula: with libm, and with SLEEF's u10 vectors where there is SLEEF. Counts
   must be multiples of 16. */
void peer_each_libm(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                    size_t count, float dt_s);
void peer_each_sleef(float *position, float *velocity, const float *angular_frequency, const float *damping_ratio,
                     size_t count, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
