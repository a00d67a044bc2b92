/* Dampings worth testing, in 1/s. */
#ifndef GYRE_TESTS_DAMPINGS_H
#define GYRE_TESTS_DAMPINGS_H

#include "support/support.h"

/* 0, and a logarithmic scale from the smallest float to the largest finite one. */
enum { SCALE_DAMPINGS = 111, DAMPINGS = 1 + SCALE_DAMPINGS };
float grid_damping(size_t i);

/* Mostly of the order of 1 or -1; also 0 and any special float. */
float random_time_scale(random_source *random);

/* 0, or any positive float, more often between 1e-9 and 1e5. */
float random_damping(random_source *random);

#endif
