/* Rotations from rotation vectors. Part of Gyre: see gyre.h for what holds of every function.

   A rotation vector v (rad) stands for a turn by the angle a = |v| about the direction of v. With [v]x the matrix of
   the cross product:

       R(v) = exp([v]x)                    = 1 + S1 [v]x + S2 [v]x^2      S1 = sin a / a
       T(v) = integral of R(s v) ds, 0..1  = 1 + S2 [v]x + S3 [v]x^2      S2 = (1 - cos a) / a^2
                                                                          S3 = (a - sin a) / a^3

   All three functions have these rules in common:

   Parameters  v: 3 arrays, the components x, y, z of the rotation vectors, in rad. Read, never written.
               Outputs: one array for each entry of the result; entry k of element i is out[k][i].
               Each array has at least `end` floats. Elements begin..end-1 are read and written, no others.
   Values      Every finite v is valid. 0 gives the identity exactly. A component that is NaN or infinite makes the
               results of that element NaN, and of no other.
   Returns     GYRE_OK
               GYRE_ERROR_RANGE   begin > end
               GYRE_ERROR_NULL    an array or an array of arrays is NULL; not checked in an empty range
   Threads     Several threads may work on disjoint ranges of the same arrays at once.
   Aliasing    An output array may be one of the input arrays. Otherwise arrays must not overlap.
   Errors      Largest error of an entry, with eps = 2^-24. It grows with a, as the angle itself is rounded.
   Cost        With AVX2 1 to 2 ns for a matrix, half of that for a quaternion; beyond a = 3.16 rad (half a turn), where
               sine and cosine are evaluated, up to 3 times as much. Slower:
               - a below 2^-15 rad other than 0, and the elements next to it (2.5 times)
               - a beyond 23,170 rad (8 to 24 times)
               - components of 2^-62 to 2^-79, subnormal components, and components with a subnormal product (up to 50
                 times on many CPUs) */
#ifndef GYRE_ROTATION_H
#define GYRE_ROTATION_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rotation matrices R(v), row-major: r[3 * row + column].
   Largest error: 4 eps for a <= 1 rad, (7 + 4 a) eps beyond. */
GYRE_API gyre_status gyre_rotation_matrix(float *const v[3], float *const r[9], size_t begin, size_t end);

/* Left Jacobians T(v) of SO(3), row-major: t[3 * row + column]. T takes a small change of v to the small rotation that
   it causes: d R(v) = [T(v) dv]x R(v).
   Largest error: 4 eps for a <= 1 rad, (6 + 4 a) eps beyond. */
GYRE_API gyre_status gyre_rotation_left_jacobian(float *const v[3], float *const t[9], size_t begin, size_t end);

/* Unit quaternions of R(v), in the order x y z w: (v sin(a/2) / a, cos(a/2)). They are continuous in v, so w is
   negative where cos(a/2) is.
   Largest error: 2 eps for a <= 1 rad, (3 + 2 a) eps beyond. */
GYRE_API gyre_status gyre_rotation_quaternion(float *const v[3], float *const q[4], size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
