/* All kernels for one instruction set and rounding. The build compiles this file once per pair and passes the pair in
   GYRE_ISA, GYRE_ROUNDING, GYRE_LANES and GYRE_FUSED, and the table's symbol, the only one exported from this unit, in
   GYRE_TABLE. */
#include "common/environment.h"
#include "list.h"

#include "arrays/find_awake-inl.h"
#include "arrays/gather_scatter-inl.h"
#include "arrays/hash-inl.h"
#include "arrays/interpolate-inl.h"
#include "arrays/limit_length-inl.h"
#include "arrays/turn_targets-inl.h"
#include "body/bodies-inl.h"
#include "body/observables-inl.h"
#include "chain/chains-inl.h"
#include "math/math-inl.h"
#include "particle/one_matrix-inl.h"
#include "particle/each-inl.h"
#include "particle/flings-inl.h"
#include "particle/friction-inl.h"
#include "rotation/from_vectors-inl.h"
#include "rotation/from_quaternions-inl.h"
#include "spring/matrix_at-inl.h"
#include "spring/one_matrix-inl.h"
#include "spring/palette-inl.h"
#include "spring/each-inl.h"
#include "spring/at-inl.h"
#include "spring/orientation-inl.h"
#include "spring/max_speed-inl.h"

/* A member of the table points to this: it runs the kernel in the floating-point environment that all kernels
   expect. */
#define ENTRY(member, kernel, parameters, arguments)                                                                   \
    static gyre_status enter_##member parameters                                                                       \
    {                                                                                                                  \
        const fp_environment callers = fp_enter();                                                                     \
        const gyre_status status = kernel arguments;                                                                   \
        fp_leave(callers);                                                                                             \
        return status;                                                                                                 \
    }
#define VECTOR_ENTRY(member, plain, parameters, arguments) ENTRY(member, member, parameters, arguments)
#define SCALAR_ENTRY(member, plain, parameters, arguments) ENTRY(member, gyre_scalar_##member, parameters, arguments)
GYRE_VECTOR_KERNELS(VECTOR_ENTRY)
GYRE_SCALAR_KERNELS(SCALAR_ENTRY)

#define MEMBER(member, plain, parameters, arguments) .member = enter_##member,
extern const gyre_kernels GYRE_TABLE;
const gyre_kernels GYRE_TABLE = {GYRE_ISA, GYRE_ROUNDING, GYRE_KERNELS(MEMBER)};
