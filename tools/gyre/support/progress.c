#include "support/progress.h"

#include "support/system.h"
#include "support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool enabled, is_drawn, is_reading;
static double began_s, drawn_s, numbers_read;

void progress_begin(bool quiet)
{
    /* Terminals that cannot clear a line, such as the shell in Emacs, set TERM to "dumb". */
    const char *terminal = getenv("TERM");
    enabled = !quiet && terminal_columns() > 0 && (terminal == NULL || strcmp(terminal, "dumb") != 0);
    began_s = drawn_s = seconds_now();
    is_reading = false;
}

void progress_begin_reading(bool quiet)
{
    progress_begin(quiet);
    is_reading = true;
}

double progress_seconds(void) { return seconds_now() - began_s; }

/* True at most ten times a second. */
static bool is_due(void)
{
    double now_s = seconds_now();
    if (!enabled || now_s - drawn_s < 0.1) {
        return false;
    }
    drawn_s = now_s;
    return true;
}

enum { PART_SIZE = 80 };

/* Draws one line of the parts, most important first, without those for which the terminal is too narrow. The last
   column stays empty: some terminals move to the next line there. */
static void draw(char parts[][PART_SIZE], size_t count)
{
    size_t room = terminal_columns() - 1;
    fputc('\r', stderr);
    for (size_t i = 0; i < count; i++) {
        if (strlen(parts[i]) <= room) {
            room -= strlen(parts[i]);
            fputs(parts[i], stderr);
        }
    }
    fputs("\033[K", stderr);
    is_drawn = true;
}

void progress_read(size_t numbers)
{
    numbers_read += (double)numbers;
    if (is_reading && is_due()) {
        char parts[2][PART_SIZE] = {"reading: "};
        snprintf(parts[1], PART_SIZE, "%s numbers", grouped(numbers_read));
        draw(parts, 2);
    }
}

void progress_show(double fraction, double rate, const char *nouns)
{
    static const char full[] = "########################";
    enum { WIDTH = sizeof full - 1 };
    if (fraction > 0 && is_due()) {
        double passed_s = drawn_s - began_s;
        char parts[4][PART_SIZE];
        snprintf(parts[0], PART_SIZE, "%3.0f %%", 100 * fraction);
        snprintf(parts[1], PART_SIZE, "  %.0f s left", passed_s / fraction - passed_s);
        snprintf(parts[2], PART_SIZE, "  [%-*.*s]", WIDTH, (int)(fraction * WIDTH), full);
        snprintf(parts[3], PART_SIZE, "  %s million %s per second", millions(rate), nouns);
        draw(parts, 4);
    }
}

void progress_clear(void)
{
    if (is_drawn) {
        fputs("\r\033[K", stderr);
        is_drawn = false;
    }
}
