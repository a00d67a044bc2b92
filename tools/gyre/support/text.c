#include "support/text.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The Levenshtein distance: insertions, deletions and replacements from a to b. Words longer than LONGEST count as
   LONGEST edits apart, as only small distances matter. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    size_t a_length = strlen(a), b_length = strlen(b);
    size_t row[LONGEST + 1];
    if (a_length > LONGEST || b_length > LONGEST) {
        return LONGEST;
    }
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[b_length];
}

const char *nearest_word(const char *word, const char *const words[])
{
    const char *nearest = NULL;
    size_t least = 3;
    for (; *words != NULL; words++) {
        size_t distance = edit_distance(word, *words);
        if (distance < least) {
            least = distance;
            nearest = *words;
        }
    }
    return nearest;
}
