#include "support/common.h"

#include "support/progress.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fail(int status, const char *format, ...)
{
    char message[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* Text from a file must not send control sequences to the terminal. */
    for (unsigned char *c = (unsigned char *)message; *c != '\0'; c++) {
        if (c[0] < ' ' || c[0] == 0x7f) {
            c[0] = '?';
        } else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) { /* U+0080 to U+009F in UTF-8 */
            c[0] = c[1] = '?';
        }
    }
    progress_clear();
    fprintf(stderr, "gyre: %s\n", message);
    exit(status);
}

void expect_step(gyre_status status, float dt_s)
{
    if (status < 0) {
        fail(EXIT_FAILED, "the library reports an error for a step of %g s: %s", (double)dt_s,
             gyre_status_name(status));
    }
}

bool reserve_memory(size_t count, size_t bytes_each)
{
    static double reserved;
    double wanted = (double)count * (double)bytes_each;
    double present = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    if (reserved + wanted > present) {
        return false;
    }
    reserved += wanted;
    return true;
}

void *allocate(size_t count, size_t size)
{
    const size_t line = 64;
    if (count > (SIZE_MAX - line) / size) {
        fail(EXIT_FAILED, "out of memory");
    }
    size_t bytes = (count * size + line) / line * line; /* at least one line */
    void *memory = aligned_alloc(line, bytes);
    if (memory == NULL) {
        fail(EXIT_FAILED, "out of memory");
    }
    return memset(memory, 0, bytes);
}

void allocate_each(float *arrays[], size_t array_count, size_t count)
{
    for (size_t i = 0; i < array_count; i++) {
        arrays[i] = allocate(count, sizeof(float));
    }
}

void free_each(float *const arrays[], size_t array_count)
{
    for (size_t i = 0; i < array_count; i++) {
        free(arrays[i]);
    }
}
