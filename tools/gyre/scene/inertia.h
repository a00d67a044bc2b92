/* The inertia of bodies as a scene states it: principal moments, a tensor, or a shape with a mass. */
#ifndef GYRE_TOOL_INERTIA_H
#define GYRE_TOOL_INERTIA_H

#include "scene/attitude.h"
#include "scene/scene.h"

/* A batch has exactly one of these keys. */
#define INERTIA_KEYS "inertia", "tensor", "shape"

/* Fills the principal moments. Sets `*axes` to the attitudes of the principal frames in the frames of the models, or to
   NULL if the frames are the same. Warns of what no mass can have. */
void inertia_read(const struct batch *batch, const struct node *where, const struct scene *scene,
                  float *const moments[3], struct attitude **axes);

#endif
