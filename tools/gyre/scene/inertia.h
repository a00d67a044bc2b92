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

/* Whether the tensor is not IMPOSSIBLE. If it is, writes by how much, and that many entries of the nearest possible
 * one. */
enum { INERTIA_ENTRIES = 6, INERTIA_TEXT = 384 };
bool inertia_is_possible(const float tensor[INERTIA_ENTRIES], size_t entries, char problem[INERTIA_TEXT]);

#endif
