/* Drags worth testing. */
#ifndef GYRE_TESTS_DRAGS_H
#define GYRE_TESTS_DRAGS_H

#include "support/support.h"

/* 1, 1 - 2^-k for every k, and a logarithmic scale from 1e-30 to 1. */
enum { NEAR_DRAGS = 24, SCALE_DRAGS = 61, DRAGS = 1 + NEAR_DRAGS + SCALE_DRAGS };
float grid_drag(size_t i);

/* Any size of drag, and of what it lacks of 1. */
float random_drag(random_source *random);

#endif
