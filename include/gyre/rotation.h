/* Rotations from rotation vectors. Part of Gyre: see gyre.h for the promises that hold throughout.

   A rotation vector v (rad) turns by |v| about its own direction. With [v]x the matrix of the cross product and a =
   |v|:

       R(v) = exp([v]x)                    = 1 + S1 [v]x + S2 [v]x^2      S1 = sin a / a
       T(v) = integral of R(s v) ds, 0..1  = 1 + S2 [v]x + S3 [v]x^2      S2 = (1 - cos a) / a^2
                                                                          S3 = (a - sin a) / a^3
   R turns a vector; T, the left Jacobian of SO(3), takes a small change of v to the small turn that it makes,
   d R(v) = [T(v) dv]x R(v).

   Arrays are structures of arrays of at least `end` floats: entry k of a row-major matrix i is r[k][i]. Elements
   begin..end-1 are read and written and no others, so threads may work on disjoint ranges of the same arrays at once.
   An output may be an input's own array; otherwise arrays must not overlap. Errors: GYRE_ERROR_RANGE (begin > end),
   GYRE_ERROR_NULL (any array); an empty range does nothing and needs no arrays. Any finite v is right up to the errors
   below, 0 gives the identity exactly; a component that is NaN or infinite makes that element's results NaN, and no
   other. Method: even power series in a^2, beyond half a turn (3.16 rad) sine and cosine, which are slower; see
   kernels/rotation/rotation-inl.h. Rotations below 2^-15 rad, but not 0, take up to two and a half times as long as
   others, and so do those next to them. Where components are 2^-62 to 2^-79 or subnormal, or the product of two is, it
   is up to fifty times on many CPUs; beyond 23,170 rad it is 8 to 24 times. */
#ifndef GYRE_ROTATION_H
#define GYRE_ROTATION_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* R(v). Largest error of an entry, with eps = 2^-24: 2 ulp of 1 (4 eps) for |v| <= 1 rad, (7 + 4 |v|) eps beyond. */
GYRE_API gyre_status gyre_rotation_matrix(const float *vx, const float *vy, const float *vz, float *const r[9],
                                          size_t begin, size_t end);

/* T(v). Largest error of an entry: 4 eps for |v| <= 1 rad, (6 + 4 |v|) eps beyond. */
GYRE_API gyre_status gyre_rotation_left_jacobian(const float *vx, const float *vy, const float *vz, float *const t[9],
                                                 size_t begin, size_t end);

/* The unit quaternion of R(v), x y z w: (v sin(a/2) / a, cos(a/2)); w < 0 where a/2 is beyond a quarter turn, so that
   it is continuous in v. Largest error of a component: 2 eps for |v| <= 1 rad, (3 + 2 |v|) eps beyond. */
GYRE_API gyre_status gyre_rotation_quaternion(const float *vx, const float *vy, const float *vz, float *const q[4],
                                              size_t begin, size_t end);

#ifdef __cplusplus
}
#endif

#endif
