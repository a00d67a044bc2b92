#include "batches/limits.h"

float *bound_read(const struct batch *batch, const struct node *where, const char *key, const struct scene *scene)
{
    struct node stated = member(where, key);
    if (stated.value == NULL) {
        return NULL;
    }
    float *bound = allocate(batch->count, sizeof(float));
    values_read_into(&stated, bound, batch->count, scene_stream(scene, batch, key, 0));
    return bound;
}

size_t bound_bytes(const struct node *where, const char *const keys[])
{
    size_t bytes = 0;
    for (size_t i = 0; keys[i] != NULL; i++) {
        bytes += member(where, keys[i]).value != NULL ? sizeof(float) : 0;
    }
    return bytes;
}

float part_read(const struct node *where, const char *key)
{
    struct node stated = member(where, key);
    const double part = stated.value != NULL ? number_from(&stated, 0) : 0;
    if (part > 1) {
        bad(&stated, "is %.15g, expected up to 1", part);
    }
    return (float)part;
}

static float limit(const struct node *where) { return where->value != NULL ? (float)number_from(where, 0) : 0; }

/* With only one limit, nothing would ever come to rest. */
void rest_limits_read(const struct node *where, const char *distance_key, float *distance, float *speed)
{
    struct node both[2] = {member(where, distance_key), member(where, "rest_speed")};
    for (int k = 0; k < 2; k++) {
        if (both[k].value != NULL && both[1 - k].value == NULL) {
            bad(&both[k], "is given without %s, expected both or neither", both[1 - k].key);
        }
    }
    *distance = limit(&both[0]);
    *speed = limit(&both[1]);
}

size_t count_resting(const uint8_t *awake, size_t count)
{
    size_t resting = 0;
    for (size_t i = 0; i < count; i++) {
        resting += awake[i] == 0;
    }
    return resting;
}
