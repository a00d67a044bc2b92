/* The step of flings for both number types: floats, and doubles for flings with low parts. */
#ifndef GYRE_PARTICLE_FLING_FORMS_H
#define GYRE_PARTICLE_FLING_FORMS_H

#include "particle/fling_after.h"
#include "simd/lanes-inl.h"

/* Features of a batch. */
enum {
    FLING_LOWER = 1 << 0,
    FLING_UPPER = 1 << 1,
    FLING_REST_AT = 1 << 2, /* places where damping ends */
    FLING_AWAKE = 1 << 3,   /* flags are written */
    FLING_SKIP = 1 << 4,    /* flags are read */
    FLING_STILL = 1 << 5,   /* no time passes: flags are written, and nothing else */

    FLING_ALL = FLING_LOWER | FLING_UPPER | FLING_REST_AT | FLING_AWAKE | FLING_SKIP,
};

#define REAL f
#include "particle/fling_step-inl.h"
#define REAL fd
#include "particle/fling_step-inl.h"

#endif
