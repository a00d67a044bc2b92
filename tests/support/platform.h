/* What the tests need of the operating system. Only platform.c knows which one it is. */
#ifndef GYRE_TESTS_PLATFORM_H
#define GYRE_TESTS_PLATFORM_H

#include <fenv.h>
#include <stddef.h>

#ifndef FE_UNDERFLOW /* WebAssembly has no flags of floating point: there is none to find */
#define FE_UNDERFLOW 0
#endif

/* ---- Memory that faults when a byte before or behind it is accessed ---- */

typedef struct guarded_memory {
    unsigned char *begin, *end; /* whole pages; the pages on either side are not accessible */
} guarded_memory;

guarded_memory guarded_new(size_t bytes_at_least);
void guarded_free(guarded_memory memory);

/* ---- Threads ---- */

enum { THREADS_MAX = 64 };

/* At least 1, at most THREADS_MAX. */
size_t processors(void);

/* A thread for each of `count` arguments of `size` bytes each; returns when all have ended. */
void run_together(void *(*job)(void *argument), void *arguments, size_t size, size_t count);

/* Bytes of stack that a thread of its own uses for this call, itself included; up to a megabyte. */
size_t stack_used_by(void *(*job)(void *argument), void *argument);

#endif
