/* Damping as scenes state it: a number in 1/s, {"fraction", "interval_s"} or {"half_life_s"}. */
#ifndef GYRE_TOOL_DAMPING_H
#define GYRE_TOOL_DAMPING_H

#include "input/document.h"

#include <gyre/gyre.h>

/* True for a number and for an object with a key of one of the forms: one damping for all. */
bool damping_is_shared(const struct node *where);
float damping_read(const struct node *where);

/* The matrix of a time step. Ends the program if the library reports an error. */
gyre_particle_matrix particle_matrix(float damping, float dt_s, const char *batch);

#endif
