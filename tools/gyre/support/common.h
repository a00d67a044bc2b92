/* What every file of the program needs: ways out, memory, numbers as text, and the clock. */
#ifndef GYRE_TOOL_COMMON_H
#define GYRE_TOOL_COMMON_H

#include <gyre/gyre.h>

#include <stdbool.h>
#include <stddef.h>

enum {
    EXIT_FAILED = 1,   /* the input is fine, but the machine could not: I/O, a missing program */
    EXIT_BAD_INPUT = 2 /* the scene or the command line is wrong */
};

#define PRINTF_LIKE(message, first) __attribute__((format(printf, message, first)))

/* Prints "gyre: " and the message as one line on stderr, and exits. A file being written is left as it was before. */
_Noreturn void fail(int status, const char *format, ...) PRINTF_LIKE(2, 3);

/* Fails the program if that is what the library says to a step. */
void expect_step(gyre_status status, float dt_s);

/* True if this machine has the memory for `count` more things of `bytes_each`, which are counted as taken from then
   on. Asked before allocating, because a system that overcommits says yes and kills later. */
bool reserve_memory(size_t count, size_t bytes_each);

/* count * size bytes of zeros at a multiple of 64 bytes, so that no slice of an array shares a cache line with the
   next one. Fails the program rather than return NULL. Released by free(). */
void *allocate(size_t count, size_t size);

/* "12345678" as "12,345,678", in one of a few static buffers that are used in turn. */
const char *grouped(double number);

/* Of a rate, in millions: three digits at least, none that mean nothing. Also in a static buffer. */
const char *millions(double rate);

/* strtod(), but what is too small for a double, and not zero, is the smallest double: float_fault() finds that. And as
   in JSON a number ends before the x of 0x10: what looks so in a column stands there by mistake. */
double parse_number(const char *text, char **end);

/* Takes the mark away with which some programs, Excel among them, begin a text in UTF-8. */
void drop_byte_order_mark(char *text);

double seconds_now(void); /* from some fixed point; never jumps */

#endif
