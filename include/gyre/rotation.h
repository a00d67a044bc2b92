/* Rotations as rotation vectors, matrices and unit quaternions. Part of Gyre: see gyre.h for what holds of every
   function.

   A rotation vector v (rad) stands for a turn by the angle a = |v| about the direction of v. With [v]x the matrix of
   the cross product:

       R(v) = exp([v]x)                    = 1 + S1 [v]x + S2 [v]x^2      S1 = sin a / a
       T(v) = integral of R(s v) ds, 0..1  = 1 + S2 [v]x + S3 [v]x^2      S2 = (1 - cos a) / a^2
                                                                          S3 = (a - sin a) / a^3

   A unit quaternion x y z w stands for the turn by 2 atan2(|(x, y, z)|, w) about the direction of (x, y, z); q and -q
   stand for the same rotation.

   All functions have these rules in common:

   Parameters  v: 3 arrays, the components x, y, z of rotation vectors, in rad. q, a, b: 4 arrays, the components
               x, y, z, w of quaternions. One array for each entry of a result; entry k of element i is out[k][i].
               Each array has at least `end` floats. Elements begin..end-1 are read and written, no others; inputs are
               never written.
   Values      Every finite v is valid. 0 gives the identity exactly. A component that is NaN or infinite makes the
               results of that element NaN (those of a product NaN or infinite), and of no other.
   Returns     GYRE_OK
               GYRE_ERROR_RANGE   begin > end
               GYRE_ERROR_NULL    an array or an array of arrays is NULL; not checked in an empty range
   Threads     Several threads may work on disjoint ranges of the same arrays at once.
   Aliasing    An array of a result may be any one of the input arrays, and inputs may be the same arrays. Otherwise
               arrays must not overlap.
   Errors      Largest error of an entry, with eps = 2^-24. From a vector it grows with a, as the angle itself is
               rounded.
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

/* Rotation vectors of quaternions, the short way: |v| <= pi, within the error. q and -q give the same bits. Of the two
   vectors of a turn of exactly pi it is pi (x, y, z), or its opposite where w is -0.
   A quaternion of any length from 2^-30 to 2^30 gives the vector of its direction; another length, or 0, gives NaN.
   Largest error: 5 ulp of |v|. Where q has been rounded to floats, that alone has turned it by up to 2 eps.
   Cost: 0.6 to 0.9 ns with AVX2. */
GYRE_API gyre_status gyre_rotation_vector(float *const q[4], float *const v[3], size_t begin, size_t end);

/* Products of quaternions: the rotation that does b first, then a. Lengths multiply. Nothing is brought back to length
   1: n products in a row may end 4 n eps away from it.
   Largest error: 4 eps |a| |b|.
   Cost: that of memory; from a second-level cache 0.75 ns. */
GYRE_API gyre_status gyre_rotation_product(float *const a[4], float *const b[4], float *const out[4], size_t begin,
                                           size_t end);

/* Unit quaternions on the way from a to b, the short way, at the given part of it: a exp(part log(a^-1 b)), also called
   slerp. 0 gives a, and 1 gives b or -b, whichever is nearer to a: b where they are half a turn apart. Any finite part
   is valid: below 0 and above 1 it goes on turning. Components of the result below 2^-63 become 0.
   Lengths within 2^-7 of 1 are taken as they are: the length of the result is between them, within half of the larger
   error, and the direction is off by at most that error. A length that is off by 0.008 or more gives NaN.
   Returns also GYRE_ERROR_VALUE where part is not finite.
   Largest error: 5 eps for parts from 0 to 1, (8 + 8 |part|) eps beyond.
   Cost: 2 to 2.5 ns with AVX2 for parts from 0 to 1, 5 to 8 ns beyond. */
GYRE_API gyre_status gyre_rotation_between(float *const a[4], float *const b[4], float part, float *const out[4],
                                           size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
