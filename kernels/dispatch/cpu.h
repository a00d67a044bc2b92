/* Part of dispatch/cpu.c that dispatch/dispatch.c needs. */
#ifndef GYRE_KERNELS_CPU_H
#define GYRE_KERNELS_CPU_H

#include <gyre/cpu.h>
#include <stdbool.h>

bool gyre_cpu_runs(gyre_isa isa, gyre_rounding rounding);

#endif
