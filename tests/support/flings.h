/* One fling between two edges. */
#ifndef GYRE_TESTS_FLINGS_H
#define GYRE_TESTS_FLINGS_H

#include "support/support.h"

typedef struct fling {
    float position, velocity, lower, upper, damping;
    gyre_spring spring;
    float position_low, velocity_low, rest_at; /* used by those with the features */
} fling;

enum { FLING_WITH_LOW = 1, FLING_WITH_PLACE = 2, FLING_FEATURES = 4 };

/* *f as the library's struct, and with low parts or a place where damping ends. */
gyre_flings flings_of(fling *f);
gyre_flings flings_with(fling *f, unsigned features);

fling fling_stepped(const gyre_kernels *table, fling f, float dt_s, size_t steps);
fling fling_stepped_with(const gyre_kernels *table, fling f, unsigned features, float dt_s, size_t steps);

/* What `awake` is after a step of some time: whether a value that a step stores compares unequal to the one that was
   read, or is NaN. */
bool fling_has_changed(const fling *before, const fling *after, unsigned features);

/* Steps one fling with skip_asleep until it sleeps, for about longest_s seconds at most. Returns after how many seconds
   it came to rest, which is one step before it slept; infinite if it is awake still. */
double fling_until_asleep(const gyre_kernels *table, gyre_flings flings, float dt_s, double longest_s);

/* Inside, outside or on an edge; coinciding edges; with and without damping and spring; with low parts; a place that
   damping leads to, or somewhere else. */
fling random_fling(random_source *random);

#endif
