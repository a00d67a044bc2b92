#include "support/options.h"

#include "support/common.h"
#include "support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64, WORD_SIZE = 64 };

/* The option that an unknown one resembles, or NULL. Words that begin an option are no typing errors: they are
   ambiguous, or complete and without their argument. */
static const char *resembled(const char *argument, const struct option known[])
{
    char word[WORD_SIZE];
    const char *names[MOST_OPTIONS + 1] = {NULL};
    const size_t length = strcspn(argument, "=");
    if (strncmp(argument, "--", 2) != 0 || length >= sizeof word) {
        return NULL;
    }
    memcpy(word, argument + 2, length - 2);
    word[length - 2] = '\0';
    for (size_t i = 0; i < MOST_OPTIONS && known[i].name != NULL; i++) {
        if (strncmp(known[i].name, word, length - 2) == 0) {
            return NULL;
        }
        names[i] = known[i].name;
    }
    return nearest_word(word, names);
}

int next_option(int argc, char **argv, const char *letters, const struct option known[])
{
    const int option = getopt_long(argc, argv, letters, known, NULL);
    if (option == '?') { /* getopt_long() has printed why */
        const char *meant = resembled(argv[optind - 1], known);
        if (meant != NULL) {
            fail(EXIT_BAD_INPUT, "did you mean --%s?", meant);
        }
        exit(EXIT_BAD_INPUT);
    }
    return option;
}
