/* Gyre: SIMD-batched physics kernels over structure-of-arrays memory.

   Promises that hold for every function in these headers, unless its own description says otherwise:

   - Slicing. What happens to element i depends on element i and on the shared arguments alone, never on count,
     begin, end, alignment, neighbours or threads. Any split of a range over any job system gives the same bits.
   - Rounding. A PORTABLE table gives the same bits on every instruction set, architecture and supported compiler;
     a FUSED table gives the same bits on every instruction set that has fused multiply-add. NaN equals NaN here.
   - No surprises. No allocation, no lock, no I/O, no abort, and no global state but the one atomic pointer of
     gyre_use(). Safe to call from any number of threads at once on disjoint ranges.
   - Environment. Results, and which arguments are refused, do not depend on the caller's rounding mode,
     flush-to-zero bits or unmasked traps. All of them are as they were on return; sticky flags may be set.
   - Isolation. A NaN, an infinity or an impossible value in one element spoils that element alone.
   - Settled is never slower. No subnormal number is carried from step to step. Of bodies that holds as body.h says.
   - Errors come before writes. See status.h.

   Stacks are as stated on x86, AArch64 and ARM; elsewhere, where compilers have plain C alone, up to two and a half
   times that.

   Arrays need only the alignment of a float, and must not overlap unless a description allows it. Files that these
   headers name, such as kernels/particle/step-inl.h, are those of the source. */
#ifndef GYRE_GYRE_H
#define GYRE_GYRE_H

#include "body.h"
#include "cpu.h"
#include "math.h"
#include "particle.h"
#include "rotation.h"
#include "spring.h"
#include "status.h"

/* Of these headers. */
#define GYRE_VERSION "0.1.0"
#define GYRE_VERSION_MAJOR 0
#define GYRE_VERSION_MINOR 1
#define GYRE_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/* Of the library that runs, which may be another than the headers were: "0.1.0". Never NULL. */
GYRE_API const char *gyre_version(void);

#ifdef __cplusplus
}
#endif

#endif
