#ifndef GYRE_TOOL_KINDS_H
#define GYRE_TOOL_KINDS_H

#include "scene/batch.h"

/* The kinds of batches, in the order in which a scene's batches are read. Ends with NULL. */
extern const struct batch_kind *const batch_kinds[];

extern const struct batch_kind springs_kind, orientation_springs_kind, particles_kind, flings_kind, chains_kind,
    bodies_kind;

#endif
