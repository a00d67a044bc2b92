/* THE list of kernels, one row each:  ROW(member of gyre_kernels, plain function, parameters, arguments).
   Tables (isa.c), plain functions (dispatch.c) and the tests of every table against every other are made from it. */
#ifndef GYRE_LIST_H
#define GYRE_LIST_H

#include <gyre/gyre.h>

#define GYRE_KERNELS(ROW)                                                                                              \
    ROW(math_exp, gyre_exp, (const float *x, float *y, size_t count), (x, y, count))                                   \
    ROW(math_expm1, gyre_expm1, (const float *x, float *y, size_t count), (x, y, count))                               \
    ROW(math_log, gyre_log, (const float *x, float *y, size_t count), (x, y, count))                                   \
    ROW(math_sin, gyre_sin, (const float *x, float *y, size_t count), (x, y, count))                                   \
    ROW(math_cos, gyre_cos, (const float *x, float *y, size_t count), (x, y, count))                                   \
    ROW(math_sincos, gyre_sincos, (const float *x, float *sin, float *cos, size_t count), (x, sin, cos, count))        \
    ROW(spring_from_stiffness, gyre_spring_from_stiffness,                                                             \
        (float mass, float stiffness, float damping, gyre_spring *out), (mass, stiffness, damping, out))               \
    ROW(spring_from_response, gyre_spring_from_response, (float response_s, float damping_ratio, gyre_spring *out),    \
        (response_s, damping_ratio, out))                                                                              \
    ROW(spring_from_duration, gyre_spring_from_duration, (float duration_s, float bounce, gyre_spring *out),           \
        (duration_s, bounce, out))                                                                                     \
    ROW(spring_from_half_life, gyre_spring_from_half_life, (float half_life_s, float damping_ratio, gyre_spring *out), \
        (half_life_s, damping_ratio, out))                                                                             \
    ROW(spring_from_settling, gyre_spring_from_settling,                                                               \
        (float settling_s, float damping_ratio, float fraction, gyre_spring *out),                                     \
        (settling_s, damping_ratio, fraction, out))                                                                    \
    ROW(spring_matrix_at, gyre_spring_matrix_at, (gyre_spring spring, float dt_s, gyre_spring_matrix *out),            \
        (spring, dt_s, out))                                                                                           \
    ROW(springs_step, gyre_springs_step,                                                                               \
        (const gyre_springs *springs, size_t begin, size_t end, const gyre_spring_matrix *matrix),                     \
        (springs, begin, end, matrix))

#endif
