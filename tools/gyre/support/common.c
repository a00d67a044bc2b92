#include "support/common.h"

#include "support/progress.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void fail(int status, const char *format, ...)
{
    char message[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* What a file says is not for a terminal to obey. */
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
    if (status != GYRE_OK) {
        fail(EXIT_FAILED, "the library refused a step of %g s: %s", (double)dt_s, gyre_status_name(status));
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
    size_t bytes = (count * size + line) / line * line; /* never 0 */
    void *memory = aligned_alloc(line, bytes);
    if (memory == NULL) {
        fail(EXIT_FAILED, "out of memory");
    }
    return memset(memory, 0, bytes);
}

const char *grouped(double number)
{
    enum { MOST_DIGITS = 309, SIZE = MOST_DIGITS / 3 * 4 + 3 }; /* of the largest double, with a sign */
    static char buffers[4][SIZE];
    static unsigned turn;
    char *out = buffers[turn++ % 4];
    char digits[MOST_DIGITS + 2];
    int length = snprintf(digits, sizeof digits, "%.0f", number);
    char *end = out;
    for (int i = 0; i < length; i++) {
        *end++ = digits[i];
        if ((length - i - 1) % 3 == 0 && i + 1 < length) {
            *end++ = ',';
        }
    }
    *end = '\0';
    return out;
}

const char *millions(double rate)
{
    static char buffers[2][32];
    static unsigned turn;
    char *out = buffers[turn++ % 2];
    snprintf(out, sizeof buffers[0], rate < 1e8 ? "%.3g" : "%.0f", rate * 1e-6);
    return rate < 1e9 ? out : grouped(rate * 1e-6);
}

double parse_number(const char *text, char **end)
{
    const char *digits = text + strspn(text, " \t+-");
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) {
        *end = (char *)digits + 1;
        return 0;
    }
    errno = 0;
    double value = strtod(text, end);
    return value == 0 && errno == ERANGE ? copysign(DBL_TRUE_MIN, value) : value;
}

void drop_byte_order_mark(char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t length = sizeof mark - 1;
    if (strncmp(text, mark, length) == 0) {
        memmove(text, text + length, strlen(text + length) + 1);
    }
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
