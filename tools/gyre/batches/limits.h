/* What several kinds of batches have: bounds and edges of positions, parts from 0 to 1, limits of rest. */
#ifndef GYRE_TOOL_LIMITS_H
#define GYRE_TOOL_LIMITS_H

#include "scene/scene.h"

#include <stdint.h>

/* The values of `key`, a bound or an edge, for each element of the batch; NULL if they are not stated. */
float *bound_read(const struct batch *batch, const struct node *where, const char *key, const struct scene *scene);

/* Bytes of each element that bound_read takes for these keys, which end with NULL. */
size_t bound_bytes(const struct node *where, const char *const keys[]);

/* The part of something that `key` states, from 0 to 1; 0 if it is not stated. */
float part_read(const struct node *where, const char *key);

/* The limits of `distance_key` and of rest_speed; 0 if none is stated. */
void rest_limits_read(const struct node *where, const char *distance_key, float *distance, float *speed);

size_t count_resting(const uint8_t *awake, size_t count);

#endif
