/* All kernels for one instruction set and rounding. The build compiles this file once per pair and names the pair in
   GYRE_ISA, GYRE_ROUNDING, GYRE_LANES, GYRE_FUSED and GYRE_TABLE, the table's symbol, which is the only one to leave
   this unit. */
#include "list.h"
#include "simd/environment.h"

#include "body.c"
#include "body_views.c"
#include "drag.c"
#include "inertia.c"
#include "math.c"
#include "motion.c"
#include "rotation.c"
#include "spring.c"
#include "spring_matrix.c"
#include "spring_palette.c"
#include "spring_parameters.c"
#include "spring_settling.c"

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
