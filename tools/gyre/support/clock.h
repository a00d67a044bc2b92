#ifndef GYRE_TOOL_CLOCK_H
#define GYRE_TOOL_CLOCK_H

#include <time.h>

/* Seconds since an arbitrary fixed point. Never goes backwards. */
static inline double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
