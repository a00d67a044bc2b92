/* Rotations as rotation vectors, matrices and unit quaternions. Part of Gyre: see gyre.h for what holds for all
   functions, and rotations-reference.md for formulas, statuses, slow arguments and edge cases.

   A rotation vector v (rad) is a rotation by the angle a = |v| about the direction of v. A unit quaternion x y z w is a
   rotation by 2 atan2(|(x, y, z)|, w) about the direction of (x, y, z); q and -q are the same rotation.

   v         3 arrays: the components x, y, z of rotation vectors. Any finite v is valid; 0 gives the identity exactly.
   q, a, b   4 arrays: the components x, y, z, w of quaternions
   r, t      9 arrays: the entry of a row and column is r[3 * row + column]
   Results   A result array may be any one of the input arrays, and inputs may be the same arrays. Otherwise arrays must
             not overlap. A component that is NaN or infinite makes all results of its element NaN (those of
             gyre_rotation_product and gyre_rotation_apply NaN or infinite).
   Range     Only elements begin..end-1 are read and written. An empty range needs no arrays. Threads may work on
             disjoint ranges of the same arrays at once.
   Error     the largest error of an entry, with eps = 2^-24 */
#ifndef GYRE_ROTATION_H
#define GYRE_ROTATION_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes the rotation matrices R(v) of rotation vectors, row-major.

   Error  4 eps for a <= 1 rad, (7 + 4 a) eps beyond
   Cost   1 to 2 ns per matrix with AVX2, up to 3 times as much for a > 3.16 rad */
GYRE_API gyre_status gyre_rotation_matrix(float *const v[3], float *const r[9], size_t begin, size_t end);

/* Computes the left Jacobians T(v) of SO(3) of rotation vectors, row-major.
   T maps a small change of v to the small rotation that it causes: d R(v) = [T(v) dv]x R(v).

   Error  4 eps for a <= 1 rad, (6 + 4 a) eps beyond
   Cost   as for gyre_rotation_matrix */
GYRE_API gyre_status gyre_rotation_left_jacobian(float *const v[3], float *const t[9], size_t begin, size_t end);

/* Computes the unit quaternions of rotation vectors, in the order x y z w.
   They are (v sin(a/2) / a, cos(a/2)). They are continuous in v, so w is negative where cos(a/2) is.

   Error  2 eps for a <= 1 rad, (3 + 2 a) eps beyond
   Cost   half that of gyre_rotation_matrix */
GYRE_API gyre_status gyre_rotation_quaternion(float *const v[3], float *const q[4], size_t begin, size_t end);

/* Computes the rotation vectors of quaternions, the short way round.
   q and -q give the same bits.

   q  of any length above 2^-30 and below 2^30; any other length, 0 included, gives NaN
   v  |v| <= pi, to within the error

   Error  5 ulp of |v|
   Cost   0.6 to 0.9 ns with AVX2 */
GYRE_API gyre_status gyre_rotation_vector(float *const q[4], float *const v[3], size_t begin, size_t end);

/* Multiplies quaternions: out = a b is the rotation by b followed by the rotation by a.
   Lengths multiply; results are not normalised. What is NaN or infinite makes results NaN or infinite.

   Error  4 eps |a| |b|
   Cost   that of memory: 0.75 ns from a second-level cache */
GYRE_API gyre_status gyre_rotation_product(float *const a[4], float *const b[4], float *const out[4], size_t begin,
                                           size_t end);

/* Interpolates between unit quaternions a and b, the short way round (slerp).
   The result is a exp(part log(a^-1 b)).

   a, b     lengths within 2^-7 of 1; a length that is off by 0.008 or more gives NaN
   part     Any finite number. 0 gives a, and 1 gives b or -b, whichever is nearer to a. Below 0 and above 1 the
            rotation continues.

   Returns  GYRE_ERROR_VALUE if part is not finite
   Error    5 eps for parts from 0 to 1, (8 + 8 |part|) eps beyond, for lengths of 1 (rotations-reference.md)
   Cost     2 to 2.5 ns with AVX2 for parts from 0 to 1, 5 to 8 ns beyond */
GYRE_API gyre_status gyre_rotation_between(float *const a[4], float *const b[4], float part, float *const out[4],
                                           size_t begin, size_t end);

/* Turns vectors by unit quaternions: out = R(q) v.
   The conjugate (-x, -y, -z, w) turns them back.

   v      3 arrays: any vectors, such as points, angular velocities or torques

   Error  12 eps |v| for |q| = 1 rounded to float (rotations-reference.md)
   Cost   that of gyre_rotation_product */
GYRE_API gyre_status gyre_rotation_apply(float *const q[4], float *const v[3], float *const out[3], size_t begin,
                                         size_t end);

#ifdef __cplusplus
}
#endif

#endif
