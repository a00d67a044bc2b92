/* The part of dispatch/cpu.c that dispatch/dispatch.c and the tests need. */
#ifndef GYRE_DISPATCH_CPU_H
#define GYRE_DISPATCH_CPU_H

#include <gyre/cpu.h>
#include <stdbool.h>

/* Features that tables need (kernels/tables.txt) and that not every CPU of their architecture has. Instructions are
   included only if the operating system also saves their registers. */
enum {
    CPU_SSE41 = 1 << 0,
    CPU_AVX2 = 1 << 1,
    CPU_AVX512 = 1 << 2, /* F, DQ, BW and VL, and AVX2 */
    CPU_FMA = 1 << 3,
};

/* The features present. Reads the CPU's registers each time. */
unsigned gyre_cpu_features(void);

#if defined(__x86_64__)
/* From cpuid leaves 1 and 7, and from xgetbv; 0 where the leaf or xgetbv does not exist. */
typedef struct gyre_x86_registers {
    uint32_t leaf_1_ecx, leaf_7_ebx, xcr0;
} gyre_x86_registers;

unsigned gyre_x86_features(gyre_x86_registers found, bool saves_zmm_on_first_use);
#endif

#endif
