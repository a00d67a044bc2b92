/* Elementary functions over arrays of float. Part of Gyre: see gyre.h for what holds of every function.

   y[i] = f(x[i]) for i < count. All functions have these rules in common:

   Parameters  x, y: arrays of `count` floats. Angles are in rad.
   Values      Special values as in C99 Annex F. Subnormal arguments and results are kept. Every finite angle is valid.
               The sine of -x is minus the sine of x, and the cosine of -x is that of x, to the last bit.
   Returns     GYRE_OK
               GYRE_ERROR_NULL    an array is NULL and count > 0
   Threads     Several threads may work on disjoint slices at once: gyre_exp(x + begin, y + begin, end - begin).
   Aliasing    An output array may be the same as x. Otherwise arrays must not overlap.
   Stack       At most 8 KiB.
   Errors      Largest error over all 2^32 arguments, in units of the last place of the exact result:

                   exp     expm1   log     sin     cos
       PORTABLE    0.989   0.959   0.929   0.979   0.936
       FUSED       0.892   0.957   0.983   0.919   0.930

   Cost        Below a nanosecond per element with 8 lanes or more, 0 included. Slower:
               - angles beyond 12,800 rad, which are reduced one by one (up to 30 times)
               - subnormal numbers on many CPUs (10 to 150 times), as arguments, as results of exp (from -87.3 down to
                 -104; below that the result is 0 at once), and as intermediate results: for sines and cosines of
                 arguments below about 2^-31 (FUSED 2^-62), for exp and expm1 of arguments below 2^-63
               - up to 320 arguments around one of those, or around one that is NaN or infinite or whose result is not
                 finite and normal (twice, and up to ten times where all are NaN or infinite) */
#ifndef GYRE_MATH_H
#define GYRE_MATH_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* e^x */
GYRE_API gyre_status gyre_exp(const float *x, float *y, size_t count);

/* e^x - 1, accurate near 0 */
GYRE_API gyre_status gyre_expm1(const float *x, float *y, size_t count);

/* The natural logarithm. */
GYRE_API gyre_status gyre_log(const float *x, float *y, size_t count);

/* The sine of an angle in radians. */
GYRE_API gyre_status gyre_sin(const float *x, float *y, size_t count);

/* The cosine of an angle in radians. */
GYRE_API gyre_status gyre_cos(const float *x, float *y, size_t count);

/* sin[i] and cos[i] of x[i], the same bits as gyre_sin and gyre_cos. One of the outputs may be the same array as x. */
GYRE_API gyre_status gyre_sincos(const float *x, float *sin, float *cos, size_t count);

#ifdef __cplusplus
}
#endif

#endif
