#include "support/spelling.h"

#include <stddef.h>
#include <string.h>

/* Insertions, deletions and replacements from a to b; only small answers matter, so long words count as far apart. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 32 };
    size_t la = strlen(a), lb = strlen(b);
    size_t row[LONGEST + 1];
    if (la > LONGEST || lb > LONGEST) {
        return LONGEST;
    }
    for (size_t j = 0; j <= lb; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = replaced < shorter ? replaced : shorter;
        }
    }
    return row[lb];
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
