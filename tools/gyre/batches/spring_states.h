/* The states of springs, for the kinds of batches that step springs. */
#ifndef GYRE_TOOL_SPRING_STATES_H
#define GYRE_TOOL_SPRING_STATES_H

#include "scene/batch.h"

enum { SPRING_STATE_BYTES = 3 * sizeof(float) + 1 };

enum { SPRING_LOW_BYTES = 2 * sizeof(float) }; /* more, if precise */

/* The springs of a batch, all at 0, with the period and the rest limits of `where`, and with low parts if `precise`.
   `*target` becomes the array of springs.target, writable. */
gyre_springs spring_states_new(const struct batch *batch, const struct node *where, float **target, bool precise);

/* Functions of struct batch_kind, for kinds whose state begins with a member of type gyre_springs. */
size_t spring_states_at_rest(const struct batch *batch);
void spring_states_write(const struct batch *batch, size_t begin, size_t end);

#endif
