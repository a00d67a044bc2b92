/* Part of dispatch/cpu.c that dispatch/dispatch.c and tests need. */
#ifndef GYRE_DISPATCH_CPU_H
#define GYRE_DISPATCH_CPU_H

#include <gyre/cpu.h>
#include <stdbool.h>

/* What tables need (kernels/tables.txt) and not every CPU of their architecture has. Instructions count where the
   operating system saves their registers too. */
enum {
    CPU_SSE41 = 1 << 0,
    CPU_AVX2 = 1 << 1,
    CPU_AVX512 = 1 << 2, /* F, DQ, BW and VL, and AVX2 */
    CPU_FMA = 1 << 3,
};

/* What of these there is. Reads the CPU's registers each time. */
unsigned gyre_cpu_features(void);

#if defined(__x86_64__)
/* Of cpuid leaves 1 and 7, and by xgetbv; 0 where there is no such leaf or no xgetbv. */
typedef struct gyre_x86_registers {
    uint32_t leaf_1_ecx, leaf_7_ebx, xcr0;
} gyre_x86_registers;

unsigned gyre_x86_features(gyre_x86_registers found, bool saves_zmm_on_first_use);
#endif

#endif
