/* The number type of steps that are written once: floats (vf), or doubles (vfd) for states with low parts. A file of
   such steps is included once for each type, with REAL defined as f or fd; in it `real` is the type, real_add its
   addition, and so on. REAL_NAMED(name) is the name of a type or function of that file for this number type: vf_name or
   vfd_name. */
#ifndef GYRE_SIMD_REAL_H
#define GYRE_SIMD_REAL_H

#include "simd/vfd-inl.h"

#define REAL_JOINED_(type, name) v##type##name
#define REAL_JOINED(type, name) REAL_JOINED_(type, name)
#define REAL_NAMED(name) REAL_JOINED(REAL, _##name)

#define real REAL_JOINED(REAL, )
#define real_add REAL_NAMED(add)
#define real_sub REAL_NAMED(sub)
#define real_mul REAL_NAMED(mul)
#define real_div REAL_NAMED(div)
#define real_mul_add REAL_NAMED(mul_add)
#define real_neg_mul_add REAL_NAMED(neg_mul_add)
#define real_abs REAL_NAMED(abs)
#define real_min REAL_NAMED(min)
#define real_max REAL_NAMED(max)
#define real_neg REAL_NAMED(neg)
#define real_round REAL_NAMED(round)
#define real_flushed REAL_NAMED(flushed)
#define real_lt REAL_NAMED(lt)
#define real_le REAL_NAMED(le)
#define real_eq REAL_NAMED(eq)
#define real_set1 REAL_NAMED(set1)
#define real_select REAL_NAMED(select)
#define real_zero_where REAL_NAMED(zero_where)
#define real_clamp REAL_NAMED(clamp)
#define real_copysign REAL_NAMED(copysign)

/* The result of comparisons, and its mask of all lanes. */
#define real_mask REAL_NAMED(mask)
#define real_and REAL_NAMED(mask_and)
#define real_or REAL_NAMED(mask_or)
#define real_not REAL_NAMED(mask_not)
#define real_to_vm REAL_NAMED(mask_to_vm)
typedef vm vf_mask;
VF_INLINE vm vf_mask_and(vm a, vm b) { return vm_and(a, b); }
VF_INLINE vm vf_mask_or(vm a, vm b) { return vm_or(a, b); }
VF_INLINE vm vf_mask_not(vm a) { return vm_not(a); }
VF_INLINE vm vf_mask_to_vm(vm a) { return a; }

/* Conversions from a float and to a double, which are exact, and from a double. */
#define real_from_vf REAL_NAMED(from_vf)
#define real_to_vfd REAL_NAMED(to_vfd)
#define real_from_vfd REAL_NAMED(from_vfd)
VF_INLINE vf vf_from_vf(vf a) { return a; }
VF_INLINE vfd vf_to_vfd(vf a) { return vfd_from_vf(a); }
VF_INLINE vfd vfd_to_vfd(vfd a) { return a; }
VF_INLINE vfd vfd_from_vfd(vfd a) { return a; }

/* From this number of periods up, the type does not determine a phase: for floats, the distance to the next one is a
   period; for doubles, a product with 29 more bits and the 24 of a period would be rounded. */
#define REAL_MAX_PERIODS REAL_NAMED(MAX_PERIODS)
#define vf_MAX_PERIODS 0x1p23f
#define vfd_MAX_PERIODS 0x1p29

/* Whether a quotient, or its product with the period, may be rounded across half a period by more than an ulp of a
   float. */
#define REAL_ROUNDS_TURNS REAL_NAMED(ROUNDS_TURNS)
#define vf_ROUNDS_TURNS true
#define vfd_ROUNDS_TURNS false

/* A number as it is stored: a float, or the sum of two. */
#define real_as_stored REAL_NAMED(as_stored)
VF_INLINE vf vf_as_stored(vf a) { return a; }
VF_INLINE vfd vfd_as_stored(vfd a)
{
    const vfd high = vfd_rounded_to_float(a);
    return vfd_add(high, vfd_rounded_to_float(vfd_sub(a, high)));
}

/* An ulp of 1, as numbers of the type are stored. */
#define REAL_ULP REAL_NAMED(ULP)
#define vf_ULP 0x1p-23
#define vfd_ULP 0x1p-48

/* The smallest magnitude that does not fit in a float. */
#define REAL_TOO_LARGE REAL_NAMED(TOO_LARGE)
#define vf_TOO_LARGE INFINITY
#define vfd_TOO_LARGE 0x1p128

#endif
