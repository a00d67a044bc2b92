/* See string.h. */
#ifndef STUB_MATH_H
#define STUB_MATH_H
#define NAN __builtin_nanf("")
#define INFINITY __builtin_inff()
#endif
