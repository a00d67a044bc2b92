/* Bounds on positions, for springs and particles. A step is made as if there were none, and most states end within
   them. Of the others, those that start within the bounds are followed from bounce to bounce, one by one, where their
   motion is known (common/bounces.h). For all others the ends of the step decide, (x0, v0) and (x1, v1): the position
   becomes the bound b, and a velocity v1 that points outward becomes -bounce s, where s is the speed at b under
   constant acceleration:

       s^2 = v0^2 + (v1^2 - v0^2) (b - x0) / (x1 - x0),      s = |v1| where x0 is beyond b already

   What lies on a bound and is pushed outward stays there. */
#ifndef GYRE_COMMON_BOUNDS_H
#define GYRE_COMMON_BOUNDS_H

#include "common/path.h"
#include "simd/lanes-inl.h"
#include "simd/real-inl.h"

/* s, in double, where no square of a float overflows. `side` is 1 for an upper bound and -1 for a lower one. */
VF_INLINE vfd speed_at_bound(vfd x0, vfd v0, vfd x1, vfd v1, vfd b, vfd side)
{
    const vfd zero = vfd_set1(0), one = vfd_set1(1);
    const vfd before = vfd_mul(side, vfd_sub(b, x0)), behind = vfd_mul(side, vfd_sub(x1, b));
    const vfd part = vfd_div(behind, vfd_add(before, behind)); /* of v0^2 */
    const vfd part0 = vfd_select(vfd_eq(before, zero), one, vfd_zero_where(vfd_lt(before, zero), part));
    const vfd part1 = vfd_sub(one, part0);
    return vfd_sqrt(vfd_mul_add(part1, vfd_mul(v1, v1), vfd_mul(part0, vfd_mul(v0, v0))));
}

#define REAL f
#include "common/bounded-inl.h"
#define REAL fd
#include "common/bounded-inl.h"

#endif
