/* The step of springs for both number types: floats, and doubles for springs with low parts. */
#ifndef GYRE_SPRING_FORMS_H
#define GYRE_SPRING_FORMS_H

#include "common/awake-inl.h"
#include "common/bounds-inl.h"
#include "spring/bounces.h"

/* What a step of a batch does in addition to multiplying by a matrix. */
enum {
    SPRING_TARGET = 1 << 0,
    SPRING_PERIOD = 1 << 1,
    SPRING_REST = 1 << 2,
    SPRING_AWAKE = 1 << 3, /* flags are written */
    SPRING_RAMP = 1 << 4,
    SPRING_STOP = 1 << 5,
    SPRING_REST_SCALE = 1 << 6,
    SPRING_LOWER = 1 << 7,
    SPRING_UPPER = 1 << 8,
    SPRING_SKIP = 1 << 9,    /* flags are read */
    SPRING_STILL = 1 << 10,  /* no time passes: flags are written, and nothing else */
    SPRING_OWN = 1 << 11,    /* each spring has a matrix of its own, which may be the identity */
    SPRING_FOLLOW = 1 << 12, /* each spring has its own `follow`, and */
    SPRING_CLOCK = 1 << 13,  /* its own time scale */

    SPRING_BASICS = SPRING_TARGET | SPRING_PERIOD | SPRING_REST | SPRING_AWAKE,
    SPRING_BOUNDS = SPRING_LOWER | SPRING_UPPER,
    SPRING_ALL = SPRING_BASICS | SPRING_RAMP | SPRING_STOP | SPRING_REST_SCALE | SPRING_BOUNDS | SPRING_SKIP,
};

#define REAL f
#include "spring/step-inl.h"
#define REAL fd
#include "spring/step-inl.h"

#endif
