/* The step of a fling that meets an edge, in double. Compiled once. */
#ifndef GYRE_PARTICLE_FLING_AFTER_H
#define GYRE_PARTICLE_FLING_AFTER_H

#include "scalar/language.h"

#include <gyre/spring.h>

/* What the flings of a call share. */
typedef struct fling_motion {
    float damping;
    gyre_spring spring;
    float dt_s;
} fling_motion;

/* lower <= upper; NaN where there is no edge. */
typedef struct single_fling {
    double position, velocity, lower, upper;
} single_fling;

/* The state after dt_s. NaN where position or velocity is not finite. */
GYRE_DEVICE single_fling gyre_scalar_fling_after(fling_motion motion, single_fling start);

#endif
