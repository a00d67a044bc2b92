/* What every kernel's file of the per-table unit includes: the vector layer, its loops, the checks of arguments and the
   public types. */
#ifndef GYRE_COMMON_KERNEL_H
#define GYRE_COMMON_KERNEL_H

#include <gyre/gyre.h>

#include "common/checks.h"
#include "common/environment.h"
#include "simd/loops/blocks-inl.h"
#include "simd/loops/ranges-inl.h"
#include "simd/loops/runs-inl.h"
#include "simd/loops/stages-inl.h"

/* A whole kernel: private to its table, and never inlined into the entry that sets the floating-point environment. */
#define GYRE_KERNEL_FUNCTION static __attribute__((noinline))

#endif
