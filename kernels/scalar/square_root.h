/* Square roots of one number. If compilers must set errno, they call the C library's function for a negative argument;
   so without -fno-math-errno the CPU's instruction is written here. */
#ifndef GYRE_SCALAR_SQUARE_ROOT_H
#define GYRE_SCALAR_SQUARE_ROOT_H

#include "scalar/language.h"

#if defined(__NO_MATH_ERRNO__) || defined(GYRE_GPU)
#elif defined(__x86_64__)
#define SQUARE_ROOT_BY_SSE
#include <emmintrin.h>
#elif defined(__aarch64__)
#define SQUARE_ROOT_OF_FLOAT "fsqrt %s0, %s1"
#define SQUARE_ROOT_OF_DOUBLE "fsqrt %d0, %d1"
#define SQUARE_ROOT_REGISTER "w"
#elif defined(__arm__) && defined(__ARM_FP) && __ARM_FP & 8
#define SQUARE_ROOT_OF_FLOAT "vsqrt.f32 %0, %1"
#define SQUARE_ROOT_OF_DOUBLE "vsqrt.f64 %P0, %P1"
#define SQUARE_ROOT_REGISTER "t"
#elif defined(__s390x__)
#define SQUARE_ROOT_OF_FLOAT "sqebr %0, %1"
#define SQUARE_ROOT_OF_DOUBLE "sqdbr %0, %1"
#define SQUARE_ROOT_REGISTER "f"
#elif defined(__powerpc64__)
#define SQUARE_ROOT_OF_FLOAT "fsqrts %0, %1"
#define SQUARE_ROOT_OF_DOUBLE "fsqrt %0, %1"
#define SQUARE_ROOT_REGISTER "d"
#elif defined(__riscv_flen) && __riscv_flen >= 64
#define SQUARE_ROOT_OF_FLOAT "fsqrt.s %0, %1"
#define SQUARE_ROOT_OF_DOUBLE "fsqrt.d %0, %1"
#define SQUARE_ROOT_REGISTER "f"
#endif

GYRE_DEVICE static inline float float_square_root(float x)
{
#if defined(__OPENCL_C_VERSION__)
    return sqrt(x);
#elif defined(SQUARE_ROOT_OF_FLOAT)
    float root;
    __asm__(SQUARE_ROOT_OF_FLOAT : "=" SQUARE_ROOT_REGISTER(root) : SQUARE_ROOT_REGISTER(x));
    return root;
#elif defined(SQUARE_ROOT_BY_SSE)
    return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#else
    return __builtin_sqrtf(x);
#endif
}

GYRE_DEVICE static inline double double_square_root(double x)
{
#if defined(__OPENCL_C_VERSION__)
    return sqrt(x);
#elif defined(SQUARE_ROOT_OF_DOUBLE)
    double root;
    __asm__(SQUARE_ROOT_OF_DOUBLE : "=" SQUARE_ROOT_REGISTER(root) : SQUARE_ROOT_REGISTER(x));
    return root;
#elif defined(SQUARE_ROOT_BY_SSE)
    return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(x)));
#else
    return __builtin_sqrt(x);
#endif
}

#endif
