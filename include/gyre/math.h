/* Elementary functions over arrays of float. Part of Gyre: see gyre.h for what holds for all functions.
   math-reference.md has the largest error of each function, and what is slow.

   For all functions of this header:

   x         `count` floats. Angles are in rad, and every finite angle is valid.
   y         receives `count` floats: y[i] = f(x[i]) for i < count; sin and cos likewise

   Values    Special values as in C99 Annex F. Subnormal arguments and results are kept. The sine of -x is minus the
             sine of x, and the cosine of -x is the cosine of x, to the last bit.
   Returns   GYRE_OK
             GYRE_ERROR_NULL   an array is NULL and count > 0
   Threads   may work on disjoint slices at once: gyre_exp(x + begin, y + begin, end - begin)
   Aliasing  An output array may be the same as x. Otherwise arrays must not overlap.
   Stack     at most 8 KiB
   Error     at most 0.989 ulp of the exact result, over all 2^32 arguments
   Cost      below 1 ns per element with 8 lanes or more, also for arguments of 0 */
#ifndef GYRE_MATH_H
#define GYRE_MATH_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes e^x. */
GYRE_API gyre_status gyre_exp(const float *x, float *y, size_t count);

/* Computes e^x - 1, accurately near 0. */
GYRE_API gyre_status gyre_expm1(const float *x, float *y, size_t count);

/* Computes the natural logarithm. */
GYRE_API gyre_status gyre_log(const float *x, float *y, size_t count);

/* Computes the sine of an angle in radians. */
GYRE_API gyre_status gyre_sin(const float *x, float *y, size_t count);

/* Computes the cosine of an angle in radians. */
GYRE_API gyre_status gyre_cos(const float *x, float *y, size_t count);

/* Computes the sine and the cosine of an angle in radians, with the same bits as gyre_sin and gyre_cos.
   One of the outputs may be the same array as x. */
GYRE_API gyre_status gyre_sincos(const float *x, float *sin, float *cos, size_t count);

#ifdef __cplusplus
}
#endif

#endif
