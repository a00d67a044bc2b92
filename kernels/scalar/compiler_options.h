/* Refuses compiler options with which the bits would not be the same everywhere. */
#ifndef GYRE_SCALAR_COMPILER_OPTIONS_H
#define GYRE_SCALAR_COMPILER_OPTIONS_H

#include <float.h>

/* Options that let the compiler change arithmetic (clang defines macros for only two of them), and arithmetic with more
   precision than the operands have, as on the x87. 16 is the method of CPUs that also compute in _Float16. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    defined(__NO_SIGNED_ZEROS__) || __FINITE_MATH_ONLY__
#error "Gyre promises the same bits everywhere: build it without options that change arithmetic"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 && defined(__i386__)
#error "The x87 does not give the same bits everywhere: build Gyre with -msse2 -mfpmath=sse -mstackrealign"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 && defined(__s390x__)
#error "Floats as doubles do not give the same bits everywhere: build Gyre with -fexcess-precision=fast or -std=gnu11"
#elif FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "Gyre promises the same bits everywhere: here floats are computed with more digits than they have"
#endif

#endif
