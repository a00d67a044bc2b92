/* What every kernel file needs: the vector layer, the list's types and how a kernel is declared. */
#ifndef GYRE_SIMD_KERNEL_H
#define GYRE_SIMD_KERNEL_H

#include <gyre/gyre.h>

#include "vf.h"

/* A whole kernel: private to its table, and never inlined into the entry that sets the floating-point environment. */
#define GYRE_KERNEL_FUNCTION static __attribute__((noinline))

#if defined(__FAST_MATH__)
#error "Gyre promises the same bits everywhere: build it without -ffast-math"
#endif

VF_INLINE bool is_finite(float x) { return x - x == 0; }
VF_INLINE bool is_finite_not_negative(float x) { return x >= 0 && is_finite(x); }
VF_INLINE bool is_finite_positive(float x) { return x > 0 && is_finite(x); }

#endif
