/* Used by every part of the program: error exits, portable functions, and the check of a kernel's status. */
#ifndef GYRE_TOOL_COMMON_H
#define GYRE_TOOL_COMMON_H

#include <gyre/gyre.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    EXIT_FAILED = 1,    /* the input is valid, but the machine failed: I/O or memory */
    EXIT_BAD_INPUT = 2, /* the scene or the command line is wrong */
    EXIT_UNFINISHED = 3 /* all was written, but the library could not finish a step */
};

#define PRINTF_LIKE(message, first) __attribute__((format(printf, message, first)))

/* Prints "gyre: " and the message as one line on stderr, and exits. An output file keeps its former content. */
_Noreturn void fail(int status, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same after "gyre: warning: ", and goes on. */
void warn(const char *format, ...) PRINTF_LIKE(1, 2);

/* The table for logarithms, sines and cosines of start states: those of a libm differ between machines. */
const gyre_kernels *portable_kernels(void);

/* Ends the program if the library's status for a step of dt_s is an error. */
void expect_step(gyre_status status, float dt_s);

#endif
