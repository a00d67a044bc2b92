/* A motion between two bounds the obvious way: the step is cut into many pieces, and where a piece ends beyond a bound,
   bisection finds the moment at which it was met. */
#ifndef GYRE_TESTS_REFERENCE_BOUNCES_H
#define GYRE_TESTS_REFERENCE_BOUNCES_H

#include "reference/spring.h"

#include <stdbool.h>

/* Any motion without bounds: the state t seconds after `from`, which is the state begin_s after the start. */
typedef struct reference_path {
    reference_state (*after)(const void *context, real begin_s, reference_state from, real t);
    const void *context;
} reference_path;

typedef struct reference_bounds {
    real lower, upper, bounce; /* NaN bounds nothing */
} reference_bounds;

typedef struct reference_bounced {
    reference_state state;
    int bounces;      /* at most 8 are followed */
    real least_speed; /* of those with which it met a bound; infinite if it met none */
} reference_bounced;

/* dt_s may be negative: then a bounce divides by `bounce`, which must not be 0. */
reference_bounced reference_between_bounds(reference_path path, real dt_s, reference_bounds bounds,
                                           reference_state start);

#endif
