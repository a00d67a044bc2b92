/* See string.h. The compilers' own intrinsics headers use these to declare aligned allocation. */
#ifndef STUB_MALLOC_H
#define STUB_MALLOC_H
#include <stddef.h>
void *malloc(size_t size);
void free(void *memory);
#endif
