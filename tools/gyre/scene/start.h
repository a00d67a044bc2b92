/* The start states of a batch. */
#ifndef GYRE_TOOL_START_H
#define GYRE_TOOL_START_H

#include "scene/scene.h"

/* Fills columns[i], whose key is names[i], from a CSV file or from values; an absent start leaves all at 0. A file must
   have the first two columns; a scene may leave out any key. `names` ends with NULL. `low` is NULL or has an array, or
   NULL, for each column: what its floats lack to the numbers of a file. */
void start_read(const struct batch *batch, const struct node *start, const struct scene *scene,
                const char *const names[], float *const columns[], float *const low[]);

/* Fills the columns from a CSV file, which must have at least the first `least` of the names. */
void start_read_csv(const struct node *file, size_t count, const char *const names[], size_t least,
                    float *const columns[], float *const low[]);

#endif
