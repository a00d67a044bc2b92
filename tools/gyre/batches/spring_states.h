/* The states of springs, for the batch kinds that step them. */
#ifndef GYRE_TOOL_SPRING_STATES_H
#define GYRE_TOOL_SPRING_STATES_H

#include "scene/batch.h"

enum { SPRING_STATE_BYTES = 3 * sizeof(float) + 1 };

/* As many as the batch has, all at 0; with the period and the rest limits that `where` states. `*target` is what
   springs.target points to, to write. */
gyre_springs spring_states_new(const struct batch *batch, const struct node *where, float **target);

size_t spring_states_at_rest(const gyre_springs *springs);
void spring_states_write(const struct batch *batch, const gyre_springs *springs, size_t begin, size_t end);

#endif
