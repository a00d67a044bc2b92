/* All kernels for one instruction set and rounding. The build compiles this file once per pair and names the pair in
   GYRE_ISA, GYRE_ROUNDING, GYRE_LANES, GYRE_FUSED and GYRE_TABLE, the table's symbol, which is the only one to leave
   this unit. */
#include "list.h"
#include "simd/environment.h"

#include "body/step-inl.h"
#include "body/observables-inl.h"
#include "particle/damping.c"
#include "body/inertia.c"
#include "math/math-inl.h"
#include "particle/step-inl.h"
#include "rotation/rotation-inl.h"
#include "spring/step-inl.h"
#include "spring/matrix_at-inl.h"
#include "spring/palette-inl.h"
#include "spring/parameters.c"
#include "spring/settling.c"

#define ENTRY(member, plain, parameters, arguments)                                                                    \
    static gyre_status enter_##member parameters                                                                       \
    {                                                                                                                  \
        fp_environment callers = fp_enter();                                                                           \
        gyre_status status = member arguments;                                                                         \
        fp_leave(callers);                                                                                             \
        return status;                                                                                                 \
    }
GYRE_KERNELS(ENTRY)

#define MEMBER(member, plain, parameters, arguments) .member = enter_##member,
extern const gyre_kernels GYRE_TABLE;
const gyre_kernels GYRE_TABLE = {GYRE_ISA, GYRE_ROUNDING, GYRE_KERNELS(MEMBER)};
