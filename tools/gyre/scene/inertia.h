/* The ways to state the inertia of bodies: principal moments, a tensor, or a shape with a mass. */
#ifndef GYRE_TOOL_INERTIA_H
#define GYRE_TOOL_INERTIA_H

#include "scene/attitude.h"
#include "scene/scene.h"

/* The keys of a batch are those of exactly one way. */
#define INERTIA_KEYS "inertia", "tensor", "shape"

/* Fills the principal moments. `*axes` becomes the attitudes of the principal frames in the bodies' own; NULL where
   they are the same. */
void inertia_read(const struct batch *batch, const struct node *where, const struct scene *scene,
                  float *const moments[3], struct attitude **axes);

#endif
