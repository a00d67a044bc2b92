/* See string.h. Compilers' own headers of intrinsics declare aligned allocation with these. */
#ifndef STUB_STDLIB_H
#define STUB_STDLIB_H
#include <stddef.h>
void *malloc(size_t size);
void free(void *memory);
#endif
