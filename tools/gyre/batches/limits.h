/* Shared by several kinds of batches: bounds and edges of positions, fractions from 0 to 1, rest limits. */
#ifndef GYRE_TOOL_LIMITS_H
#define GYRE_TOOL_LIMITS_H

#include "scene/scene.h"

#include <stdint.h>

/* The values of `key`, a bound or an edge, for each element of the batch; NULL if they are not given. */
float *bound_read(const struct batch *batch, const struct node *where, const char *key, const struct scene *scene);

/* Bytes per element that bound_read needs for these keys, which end with NULL. */
size_t bound_bytes(const struct node *where, const char *const keys[]);

/* The fraction under `key`, from 0 to 1; 0 if it is not given. */
float part_read(const struct node *where, const char *key);

/* The limits under `distance_key` and rest_speed; 0 if neither is given. */
void rest_limits_read(const struct node *where, const char *distance_key, float *distance, float *speed);

size_t count_resting(const uint8_t *awake, size_t count);

#endif
