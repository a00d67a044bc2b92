/* What support/check.h takes of cmocka, for architectures that have none: a failed check ends the program. */
#ifndef GYRE_TESTS_WITHOUT_CMOCKA_H
#define GYRE_TESTS_WITHOUT_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>

#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define print_message(...) printf(__VA_ARGS__)

static inline void _fail(const char *file, int line)
{
    (void)file, (void)line; /* the message has said it */
    exit(1);
}

#endif
