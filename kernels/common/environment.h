/* The floating-point environment of every kernel: round to nearest even, subnormal numbers kept, traps masked. It is
   entered and left around a call that is not inlined, because compilers move arithmetic across writes of the control
   word. */
#ifndef GYRE_COMMON_ENVIRONMENT_H
#define GYRE_COMMON_ENVIRONMENT_H

#include "scalar/compiler_options.h"

#include <stdint.h>
#include <string.h>

/* For each architecture its control register: FP_MODES, the bits that change results or trap; FP_DEFAULT, their values
   in a kernel; and the instructions that read and write the register. Its other bits are sticky flags and results of
   comparisons. */
#if defined(__x86_64__) || defined(__i386__)

#include <xmmintrin.h>

typedef uint32_t fp_environment;
#define FP_MODES 0xffffffc0u
#define FP_DEFAULT 0x1f80u /* traps masked */
static inline fp_environment fp_read_control(void) { return _mm_getcsr(); }
static inline void fp_write_control(fp_environment control) { _mm_setcsr(control); }

#elif defined(__aarch64__)

typedef uint64_t fp_environment;
#define FP_MODES UINT64_MAX
#define FP_DEFAULT 0
#define FP_READ "mrs %0, fpcr"
#define FP_WRITE "msr fpcr, %0"

#elif defined(__arm__) && defined(__ARM_FP)

typedef uint32_t fp_environment;
#define FP_MODES 0x07ff9f00u
#define FP_DEFAULT 0
#define FP_READ "vmrs %0, fpscr"
#define FP_WRITE "vmsr fpscr, %0"

#elif defined(__s390x__)

typedef uint32_t fp_environment;
#define FP_MODES 0xf8000007u /* masks of traps, and the rounding mode of binary numbers */
#define FP_DEFAULT 0
#define FP_READ "efpc %0"
#define FP_WRITE "sfpc %0"

#elif defined(__wasm__) /* neither modes nor traps: WebAssembly Core Specification, "Floating-Point Operations" */

typedef char fp_environment;
#define FP_MODES 0
#define FP_DEFAULT 0
static inline fp_environment fp_read_control(void) { return 0; }
static inline void fp_write_control(fp_environment control) { (void)control; }

#elif defined(__riscv_flen)

typedef unsigned long fp_environment;
#define FP_MODES 7ul /* the rounding mode alone: there are no traps, and subnormal numbers are always kept */
#define FP_DEFAULT 0
#define FP_READ "frrm %0"
#define FP_WRITE "fsrm %0"

#elif defined(__powerpc64__)

typedef uint64_t fp_environment;
#define FP_MODES 0xffu /* enabled exceptions, results that break IEEE, rounding mode */
#define FP_DEFAULT 0
static inline fp_environment fp_read_control(void)
{
    double control; /* a register of numbers, whose low half has the bits */
    fp_environment bits;
    __asm__ volatile("mffs %0" : "=d"(control));
    memcpy(&bits, &control, sizeof bits);
    return bits;
}
static inline void fp_write_control(fp_environment bits)
{
    double control;
    memcpy(&control, &bits, sizeof control);
    __asm__ volatile("mtfsf 255, %0" : : "d"(control) : "memory");
}

#endif

#if defined(FP_READ)
static inline fp_environment fp_read_control(void)
{
    fp_environment control;
    __asm__ volatile(FP_READ : "=r"(control));
    return control;
}
static inline void fp_write_control(fp_environment control) { __asm__ volatile(FP_WRITE : : "r"(control) : "memory"); }
#endif

#if defined(FP_MODES)

/* Writing MXCSR waits for all earlier instructions, and most callers have the default already. Reading it delays what
   follows by about ten cycles (Zen 3), a fifth of the time of a few springs, but nothing else tells whether traps are
   masked. */
static inline fp_environment fp_enter(void)
{
    const fp_environment callers = fp_read_control();
    if ((callers & FP_MODES) != FP_DEFAULT) {
        fp_write_control(FP_DEFAULT);
    }
    return callers;
}

static inline void fp_leave(fp_environment callers)
{
    if ((callers & FP_MODES) != FP_DEFAULT) {
        fp_write_control(callers);
    }
}

#else /* the C library's functions */

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
