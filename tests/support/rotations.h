/* Directions and attitudes to try. */
#ifndef GYRE_TESTS_ROTATIONS_H
#define GYRE_TESTS_ROTATIONS_H

#include "reference/rotation.h"
#include "support/support.h"

/* Any unit vector; any attitude. */
vector random_direction(random_source *random);
quaternion random_attitude(random_source *random);

#endif
