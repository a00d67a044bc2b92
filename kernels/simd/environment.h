/* The floating-point environment of every kernel: round to nearest even, subnormal numbers kept, traps masked. It is
   entered and left around a call that is not inlined, because compilers move arithmetic across writes of the control
   word. */
#ifndef GYRE_SIMD_ENVIRONMENT_H
#define GYRE_SIMD_ENVIRONMENT_H

#include "simd/compiler_options.h"

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)

#include <xmmintrin.h>

typedef uint32_t fp_environment;

enum { FP_STICKY_FLAGS = 0x3f, FP_DEFAULT_CONTROL = 0x1f80 };

/* Writing MXCSR waits for all earlier instructions, and most callers have the default already. Reading it delays what
   follows by about ten cycles (Zen 3), a fifth of the time of a few springs, but nothing else tells whether traps are
   masked. */
static inline fp_environment fp_enter(void)
{
    fp_environment callers = _mm_getcsr();
    if ((callers & ~(uint32_t)FP_STICKY_FLAGS) != FP_DEFAULT_CONTROL) {
        _mm_setcsr(FP_DEFAULT_CONTROL);
    }
    return callers;
}

static inline void fp_leave(fp_environment callers)
{
    if ((callers & ~(uint32_t)FP_STICKY_FLAGS) != FP_DEFAULT_CONTROL) {
        _mm_setcsr(callers);
    }
}

#elif defined(__aarch64__)

typedef uint64_t fp_environment;

static inline void fp_write_control(fp_environment control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory");
}

static inline fp_environment fp_enter(void)
{
    fp_environment callers;
    __asm__ volatile("mrs %0, fpcr" : "=r"(callers));
    if (callers != 0) {
        fp_write_control(0);
    }
    return callers;
}

static inline void fp_leave(fp_environment callers)
{
    if (callers != 0) {
        fp_write_control(callers);
    }
}

#elif defined(__arm__) && defined(__ARM_FP)

typedef uint32_t fp_environment;

/* FPSCR also has the results of comparisons and, as MXCSR does, sticky exception flags. */
enum { FPSCR_MODES = 0x07ff9f00 };

static inline void fp_write_control(fp_environment control)
{
    __asm__ volatile("vmsr fpscr, %0" : : "r"(control) : "memory");
}

static inline fp_environment fp_enter(void)
{
    fp_environment callers;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(callers));
    if ((callers & FPSCR_MODES) != 0) {
        fp_write_control(0);
    }
    return callers;
}

static inline void fp_leave(fp_environment callers)
{
    if ((callers & FPSCR_MODES) != 0) {
        fp_write_control(callers);
    }
}

#elif defined(__s390x__)

typedef uint32_t fp_environment;

/* In FPC, masks of traps and the rounding mode of binary numbers; flags and the rounding mode of decimals are there
 * too. */
#define FPC_MODES 0xf8000007u

static inline void fp_write_control(fp_environment control) { __asm__ volatile("sfpc %0" : : "d"(control) : "memory"); }

static inline fp_environment fp_enter(void)
{
    fp_environment callers;
    __asm__ volatile("efpc %0" : "=d"(callers));
    if ((callers & FPC_MODES) != 0) {
        fp_write_control(0);
    }
    return callers;
}

static inline void fp_leave(fp_environment callers)
{
    if ((callers & FPC_MODES) != 0) {
        fp_write_control(callers);
    }
}

#elif defined(__riscv_flen)

/* The rounding mode alone: there are no traps, and subnormal numbers are always kept. */
typedef unsigned long fp_environment;

static inline void fp_write_control(fp_environment control) { __asm__ volatile("fsrm %0" : : "r"(control) : "memory"); }

static inline fp_environment fp_enter(void)
{
    fp_environment callers;
    __asm__ volatile("frrm %0" : "=r"(callers));
    if (callers != 0) {
        fp_write_control(0);
    }
    return callers;
}

static inline void fp_leave(fp_environment callers)
{
    if (callers != 0) {
        fp_write_control(callers);
    }
}

#else

#include <fenv.h>

typedef fenv_t fp_environment;

static inline fp_environment fp_enter(void)
{
    fp_environment callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    return callers;
}

static inline void fp_leave(fp_environment callers) { fesetenv(&callers); }

#endif

#endif
