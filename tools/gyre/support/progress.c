#include "support/progress.h"

#include "support/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool shown, drawn, is_reading;
static double began, last, numbers_read;

/* A terminal that cannot go back in its line and clear it, such as Emacs' shell, says that it is dumb. */
static bool can_redraw(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && (kind == NULL || strcmp(kind, "dumb") != 0);
}

void progress_begin(bool quiet)
{
    shown = !quiet && can_redraw();
    began = last = seconds_now();
    is_reading = false;
}

void progress_begin_reading(bool quiet)
{
    progress_begin(quiet);
    is_reading = true;
}

double progress_seconds(void) { return seconds_now() - began; }

static size_t terminal_columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* True ten times a second at most: what is to be drawn is drawn now. */
static bool is_due(void)
{
    double now = seconds_now();
    if (now - last < 0.1) {
        return false;
    }
    last = now;
    drawn = true;
    return true;
}

/* In the last column some terminals go on to the next line. */
static size_t room_of_line(void) { return terminal_columns() - 1; }

void progress_read(size_t numbers)
{
    numbers_read += (double)numbers;
    if (shown && is_reading && is_due()) {
        char text[80];
        snprintf(text, sizeof text, "reading: %s numbers so far", grouped(numbers_read));
        fprintf(stderr, "\r%.*s\033[K", (int)room_of_line(), text);
    }
}

void progress_show(double fraction, double rate, const char *nouns)
{
    static const char full[] = "########################";
    enum { WIDTH = sizeof full - 1, PART_SIZE = 80 };
    char bar[PART_SIZE], share[PART_SIZE], speed[PART_SIZE], left[PART_SIZE];
    char *const by_use[] = {share, left, bar, speed};
    if (!shown || fraction <= 0 || !is_due()) {
        return;
    }
    size_t room = room_of_line();
    double passed = last - began;
    snprintf(bar, sizeof bar, "[%-*.*s] ", WIDTH, (int)(fraction * WIDTH), full);
    snprintf(share, sizeof share, "%3.0f %%", 100 * fraction);
    snprintf(speed, sizeof speed, "  %s million %s a second", millions(rate), nouns);
    snprintf(left, sizeof left, "  %.0f s left", passed / fraction - passed);
    for (size_t i = 0; i < sizeof by_use / sizeof by_use[0]; i++) {
        size_t length = strlen(by_use[i]);
        if (length > room) {
            by_use[i][0] = '\0';
        } else {
            room -= length;
        }
    }
    fprintf(stderr, "\r%s%s%s%s\033[K", bar, share, speed, left);
}

void progress_clear(void)
{
    if (drawn) {
        fputs("\r\033[K", stderr);
        drawn = false;
    }
}
