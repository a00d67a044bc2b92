#include "support/common.h"

#include "support/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void print_line(const char *before, const char *format, va_list arguments)
{
    char message[8192];
    vsnprintf(message, sizeof message, format, arguments);
    /* Text from a file must not send control sequences to the terminal. */
    for (unsigned char *c = (unsigned char *)message; *c != '\0'; c++) {
        if (c[0] < ' ' || c[0] == 0x7f) {
            c[0] = '?';
        } else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) { /* U+0080 to U+009F in UTF-8 */
            c[0] = c[1] = '?';
        }
    }
    progress_clear();
    fprintf(stderr, "%s%s\n", before, message);
}

void fail(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("gyre: ", format, arguments);
    va_end(arguments);
    exit(status);
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line("gyre: warning: ", format, arguments);
    va_end(arguments);
}

/* The library asks the CPU each time, which takes microseconds in a virtual machine. */
const gyre_kernels *portable_kernels(void)
{
    static const gyre_kernels *found;
    if (found == NULL) {
        found = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    }
    return found;
}

void expect_step(gyre_status status, float dt_s)
{
    if (status < 0) {
        fail(EXIT_FAILED, "the library reported an error for a step of %g s: %s", (double)dt_s,
             gyre_status_name(status));
    }
}
