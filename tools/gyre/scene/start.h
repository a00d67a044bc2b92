/* The start states of a batch. */
#ifndef GYRE_TOOL_START_H
#define GYRE_TOOL_START_H

#include "scene/attitude.h"
#include "scene/scene.h"

/* Fills columns[i], whose key is names[i], from a CSV file or from values; without a start, all are 0. A file must have
   the first two columns; a scene may leave out any key. `names` ends with NULL. `low` is NULL or has an array, or NULL,
   for each column, for the differences between the numbers of a file and their floats. */
void start_read(const struct batch *batch, const struct node *start, const struct scene *scene,
                const char *const names[], float *const columns[], float *const low[]);

/* Fills the columns from a CSV file, which must have at least the first `least` of the names. */
void start_read_csv(const struct node *file, size_t count, const char *const names[], size_t least,
                    float *const columns[], float *const low[]);

/* Gives each element its attitude: a quaternion at `quaternion`, or Euler angles at `angles`; the identity if neither
   is given, and an error if both are. */
void start_read_attitudes(struct batch *batch, const struct node *quaternion, const struct node *angles,
                          const struct scene *scene, void (*set)(struct batch *batch, size_t i, struct attitude a));

/* Gives `count` elements from `first` on the quaternions of the columns, normalised. Ends the program if one is 0, with
   a message about `where`. `set` NULL: they are only checked. */
void start_take_attitudes(struct batch *batch, const struct node *where, float *const columns[4], size_t first,
                          size_t count, void (*set)(struct batch *batch, size_t i, struct attitude a));

#endif
