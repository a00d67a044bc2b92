/* The step of particles for both number types: floats, and doubles for particles with low parts. */
#ifndef GYRE_PARTICLE_FORMS_H
#define GYRE_PARTICLE_FORMS_H

#include "common/bounds-inl.h"
#include "particle/bounces.h"

/* What a step of a batch does in addition to multiplying by a matrix. */
enum {
    PARTICLE_ACCELERATION = 1 << 0, /* each particle has its own */
    PARTICLE_LOWER = 1 << 1,
    PARTICLE_UPPER = 1 << 2,
    PARTICLE_CLOCK = 1 << 3, /* each particle has its own time scale */

    PARTICLE_BOUNDS = PARTICLE_LOWER | PARTICLE_UPPER,
    PARTICLE_ALL = PARTICLE_ACCELERATION | PARTICLE_BOUNDS,
};

#define REAL f
#include "particle/step-inl.h"
#define REAL fd
#include "particle/step-inl.h"

#endif
