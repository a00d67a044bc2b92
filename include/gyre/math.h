/* Elementary functions over arrays of float. Part of Gyre: see gyre.h for the promises that hold throughout. */
#ifndef GYRE_MATH_H
#define GYRE_MATH_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* y[i] = f(x[i]) for i < count. x and y hold count floats each; they may be the same array, but must not overlap
   otherwise. Special values as in C99 Annex F; subnormal arguments and results are kept; any finite angle will do.
   NULL array with count > 0: GYRE_ERROR_NULL. count = 0: GYRE_OK. Uses at most 8 KiB of stack.

   How long it takes: angles beyond 12,800 rad are reduced one by one, in up to 30 times. Subnormal numbers take 10 to
   150 times on many CPUs: as arguments, as results of exp (from -87.3 down to -104; below that it is 0 at once), and on
   the way to the results of tiny arguments: of sines and cosines from about 2^-31, fused 2^-62 down, of exp and expm1
   from 2^-63. 0 is as fast as any. Where some argument is out of the ordinary, up to 448 take up to twice as long, and
   up to ten times where all are NaN or infinite.

   The sine of -x is minus that of x, and its cosine the same, to the last bit.

   Largest error over all 2^32 inputs, in units of the last place of the exact result:

                   exp     expm1   log     sin     cos
       PORTABLE    0.989   0.959   0.929   0.979   0.936
       FUSED       0.892   0.957   0.983   0.919   0.930 */
GYRE_API gyre_status gyre_exp(const float *x, float *y, size_t count);
GYRE_API gyre_status gyre_expm1(const float *x, float *y, size_t count);
GYRE_API gyre_status gyre_log(const float *x, float *y, size_t count);
GYRE_API gyre_status gyre_sin(const float *x, float *y, size_t count);
GYRE_API gyre_status gyre_cos(const float *x, float *y, size_t count);

/* sin[i] and cos[i] of x[i], the same bits as gyre_sin and gyre_cos. One output may be the same array as x. */
GYRE_API gyre_status gyre_sincos(const float *x, float *sin, float *cos, size_t count);

#ifdef __cplusplus
}
#endif

#endif
