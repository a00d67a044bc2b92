/* One fling between two edges. */
#ifndef GYRE_TESTS_FLINGS_H
#define GYRE_TESTS_FLINGS_H

#include "support/support.h"

typedef struct fling {
    float position, velocity, lower, upper, damping;
    gyre_spring spring;
} fling;

/* *f as the library's struct. */
gyre_flings flings_of(fling *f);

fling fling_stepped(const gyre_kernels *table, fling f, float dt_s, size_t steps);

/* Inside, outside or on an edge; coinciding edges; with and without damping and spring. */
fling random_fling(random_source *random);

#endif
