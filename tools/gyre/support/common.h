/* What every part of the program needs: error exits, memory, and the check of a kernel's status. */
#ifndef GYRE_TOOL_COMMON_H
#define GYRE_TOOL_COMMON_H

#include <gyre/gyre.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    EXIT_FAILED = 1,   /* the input is valid, but the machine failed: I/O, memory, a missing program */
    EXIT_BAD_INPUT = 2 /* the scene or the command line is wrong */
};

#define PRINTF_LIKE(message, first) __attribute__((format(printf, message, first)))

/* Prints "gyre: " and the message as one line on stderr, and exits. An output file keeps its former content. */
_Noreturn void fail(int status, const char *format, ...) PRINTF_LIKE(2, 3);

/* Ends the program if the library's status for a step of dt_s is an error. */
void expect_step(gyre_status status, float dt_s);

/* Reserves memory for `count` more elements of `bytes_each`; false if that exceeds the machine's physical memory.
   Called before allocating, because a system that overcommits memory grants it and kills the program later. */
bool reserve_memory(size_t count, size_t bytes_each);

/* count * size bytes, zeroed, aligned to 64 bytes so that slices of different arrays share no cache line. Ends the
   program rather than return NULL. Release with free(). */
void *allocate(size_t count, size_t size);

/* The same for several arrays of `count` floats. */
void allocate_each(float *arrays[], size_t array_count, size_t count);
void free_each(float *const arrays[], size_t array_count);

#endif
