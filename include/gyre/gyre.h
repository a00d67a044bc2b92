/* Gyre: SIMD-batched physics kernels over structure-of-arrays memory.

   All functions of these headers keep the following rules, unless their own description says otherwise:

   - Slicing. The result for element i depends only on element i and the shared arguments, never on count, begin, end,
     alignment, neighbours or threads. Any split of a range over any job system gives the same bits.
   - Rounding. A PORTABLE table gives the same bits on every instruction set, architecture and supported compiler. A
     FUSED table gives the same bits on every instruction set that has fused multiply-add. The bits of NaNs may differ.
   - No surprises. No allocation, lock, I/O or abort, and no global state except the one atomic pointer of gyre_use.
   - Threads. Any number of threads may call at once on disjoint ranges.
   - Floating-point environment. Results do not depend on the caller's rounding mode, flush-to-zero bits or unmasked
     traps, and these are unchanged on return. Sticky flags may be set.
   - Isolation. A NaN, an infinity or an invalid value in one element affects only that element.
   - Settled is never slower. No subnormal number is carried from step to step. For bodies see body.h.
   - Errors come before writes. A call that returns an error (a negative status) has written nothing.
   - Memory. Arrays need only the alignment of their elements, and must not overlap unless a description allows it.
   - Stack. A call uses at most 48 KiB, or what is stated, on x86, AArch64 and ARM; on other architectures up to half as
     much again.

   Initialise structs with zeros: zero or NULL means "not used" or "the default". Pages that these headers name, such as
   springs-reference.md, are installed with the documentation. */
#ifndef GYRE_GYRE_H
#define GYRE_GYRE_H

#include "arrays.h"
#include "body.h"
#include "chain.h"
#include "cpu.h"
#include "math.h"
#include "particle.h"
#include "rotation.h"
#include "spring.h"
#include "status.h"

/* The version of these headers. */
#define GYRE_VERSION "0.1.0"
#define GYRE_VERSION_MAJOR 0
#define GYRE_VERSION_MINOR 1
#define GYRE_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the version of the running library, such as "0.1.0", never NULL.
   It may differ from the version of the headers. */
GYRE_API const char *gyre_version(void);

#ifdef __cplusplus
}
#endif

#endif
