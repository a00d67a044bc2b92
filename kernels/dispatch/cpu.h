/* Part of dispatch/cpu.c that dispatch/dispatch.c and tests need. */
#ifndef GYRE_DISPATCH_CPU_H
#define GYRE_DISPATCH_CPU_H

#include <gyre/cpu.h>
#include <stdbool.h>

/* Whether this CPU and its operating system run a table. Reads the CPU's registers each time. */
bool gyre_cpu_runs(gyre_isa isa, gyre_rounding rounding);

#if defined(__x86_64__)
/* Of cpuid leaves 1 and 7, and by xgetbv; 0 where there is no such leaf or no xgetbv. */
typedef struct gyre_x86_registers {
    uint32_t leaf_1_ecx, leaf_7_ebx, xcr0;
} gyre_x86_registers;

bool gyre_x86_runs(gyre_isa isa, gyre_rounding rounding, gyre_x86_registers found, bool saves_zmm_on_first_use);
#endif

#endif
