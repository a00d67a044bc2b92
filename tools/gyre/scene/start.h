/* The states that a batch starts with. */
#ifndef GYRE_TOOL_START_H
#define GYRE_TOOL_START_H

#include "scene/scene.h"

/* Fills columns[i], which the scene calls names[i], from a CSV file or from values of each; an absent start leaves all
   at 0. In the file those after the second, and in the scene any, may be left out. names ends with NULL. */
void start_read(const struct batch *batch, const struct node *start, const struct scene *scene,
                const char *const names[], float *const columns[]);

/* The same from the file that a start names: the first `least` of the names, or more of them. */
void start_read_csv(const struct node *file, size_t count, const char *const names[], size_t least,
                    float *const columns[]);

#endif
