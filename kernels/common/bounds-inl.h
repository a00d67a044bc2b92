/* Bounds on positions, for springs and particles. A step is made as if there were none. Where it ends beyond a bound b,
   from (x0, v0) before it to (x1, v1), the position becomes b. A velocity v1 that points outward becomes -bounce s,
   where s is the speed at b under constant acceleration:

       s^2 = v0^2 + (v1^2 - v0^2) (b - x0) / (x1 - x0),      s = |v1| where x0 is beyond b already

   So bounce 1 keeps energy at any frame rate, and what is pressed on a bound comes to rest. With -bounce v1 it would
   hop for ever by what one step adds to its speed. */
#ifndef GYRE_COMMON_BOUNDS_H
#define GYRE_COMMON_BOUNDS_H

#include "simd/real-inl.h"

/* s, in double, where no square of a float overflows. `side` is 1 for an upper bound and -1 for a lower one. */
VF_INLINE vfd speed_at_bound(vfd x0, vfd v0, vfd x1, vfd v1, vfd b, vfd side)
{
    const vfd before = vfd_mul(side, vfd_sub(b, x0)), behind = vfd_mul(side, vfd_sub(x1, b));
    /* The parts of v0^2 and v1^2. No difference of floats is between -2^-149 and 0. */
    const vfd part = vfd_div(behind, vfd_add(before, behind));
    const vfd part0 = vfd_zero_where(vfd_le(before, vfd_set1(-0x1p-149)), part), part1 = vfd_sub(vfd_set1(1), part0);
    return vfd_sqrt(vfd_mul_add(part1, vfd_mul(v1, v1), vfd_mul(part0, vfd_mul(v0, v0))));
}

#define REAL f
#include "common/bounded-inl.h"
#define REAL fd
#include "common/bounded-inl.h"

#endif
