/* Everything the tests need from the operating system. Only platform.c depends on which one it is. */
#ifndef GYRE_TESTS_PLATFORM_H
#define GYRE_TESTS_PLATFORM_H

#include <fenv.h>
#include <stddef.h>

#ifndef FE_UNDERFLOW /* WebAssembly has no floating-point flags to find */
#define FE_UNDERFLOW 0
#endif

/* ---- Memory that faults when a byte before or after it is accessed ---- */

typedef struct guarded_memory {
    unsigned char *begin, *end; /* whole pages; the pages on either side are not accessible */
} guarded_memory;

guarded_memory guarded_new(size_t bytes_at_least);
void guarded_free(guarded_memory memory);

/* ---- Threads ---- */

enum { THREADS_MAX = 64 };

/* Between 1 and THREADS_MAX. */
size_t processors(void);

/* Runs a thread for each of `count` arguments of `size` bytes each; returns when all have ended. */
void run_together(void *(*job)(void *argument), void *arguments, size_t size, size_t count);

/* Bytes of stack that this call uses in a separate thread, including its own frame; up to a megabyte. */
size_t stack_used_by(void *(*job)(void *argument), void *argument);

#endif
