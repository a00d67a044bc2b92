#include "progress.h"

#include "common.h"

#include <stdio.h>
#include <unistd.h>

static bool shown, drawn;
static double began, last;

void progress_begin(bool quiet)
{
    shown = !quiet && isatty(STDERR_FILENO);
    began = last = seconds_now();
}

void progress_show(double fraction, double items, const char *noun)
{
    static const char full[] = "########################"; /* so that all of it fits 80 columns */
    enum { WIDTH = sizeof full - 1 };
    if (!shown) {
        return;
    }
    double now = seconds_now();
    if (now - last < 0.1 || fraction <= 0) {
        return;
    }
    last = now;
    drawn = true;
    double passed = now - began;
    int filled = (int)(fraction * WIDTH);
    fprintf(stderr, "\r[%-*.*s] %3.0f %%  %s million %s a second  %.0f s left \033[K", WIDTH, filled, full,
            100 * fraction, grouped(items / passed * 1e-6), noun, passed / fraction - passed);
}

void progress_clear(void)
{
    if (drawn) {
        fputs("\r\033[K", stderr);
        drawn = false;
    }
}
