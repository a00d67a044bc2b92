/* The kernels of one table under their public names, without gyre_kernels: the linker keeps only what a module
   exports. */
#include "dispatch/table.c"

#define PLAIN(member, plain, parameters, arguments)                                                                    \
    gyre_status plain parameters { return enter_##member arguments; }
GYRE_KERNELS(PLAIN)
