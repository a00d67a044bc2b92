/* What every kernel file needs: the vector layer and its loops, the list's types and how a kernel is declared. */
#ifndef GYRE_SIMD_KERNEL_H
#define GYRE_SIMD_KERNEL_H

#include <float.h>

/* Options that let the compiler change arithmetic, of which clang tells two only; and arithmetic with more digits than
   its operands have, as by x87. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    defined(__NO_SIGNED_ZEROS__) || __FINITE_MATH_ONLY__
#error "Gyre promises the same bits everywhere: build it without options that change arithmetic"
#elif FLT_EVAL_METHOD != 0
#error "Gyre promises the same bits everywhere: here floats are computed with more digits than they have"
#endif

#include <gyre/gyre.h>

#include "simd/loops-inl.h"

#include <math.h> /* NAN and INFINITY; no kernel calls a function of it */

/* A whole kernel: private to its table, and never inlined into the entry that sets the floating-point environment. */
#define GYRE_KERNEL_FUNCTION static __attribute__((noinline))

VF_INLINE bool is_range(size_t begin, size_t end, size_t count) { return begin <= end && end <= count; }

VF_INLINE bool is_finite(float x) { return x - x == 0; }
/* One comparison for all four: a difference that is not 0 is NaN, and spoils the sum. */
VF_INLINE bool are_finite(float a, float b, float c, float d) { return ((a - a) + (b - b)) + ((c - c) + (d - d)) == 0; }
VF_INLINE bool is_finite_not_negative(float x) { return x >= 0 && is_finite(x); }
VF_INLINE bool is_finite_positive(float x) { return x > 0 && is_finite(x); }

/* Drag is the part of the velocity that is left after a second. */
VF_INLINE bool is_drag(float drag) { return drag > 0 && drag <= 1; }

#endif
