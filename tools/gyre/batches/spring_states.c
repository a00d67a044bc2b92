#include "batches/spring_states.h"

#include "scene/states.h"
#include "scene/sums.h"

#include <stdlib.h>

static float limit(const struct node *where, const char *key)
{
    struct node stated = member(where, key);
    return stated.value != NULL ? (float)number_from(&stated, 0) : 0;
}

/* With one limit alone a spring never comes to rest. */
static void expect_both_limits_or_none(const struct node *where)
{
    static const char *const keys[] = {"rest_distance", "rest_speed"};
    for (int k = 0; k < 2; k++) {
        struct node stated = member(where, keys[k]), other = member(where, keys[1 - k]);
        if (stated.value != NULL && other.value == NULL) {
            bad(&stated, "is without %s, expected both or none", keys[1 - k]);
        }
    }
}

gyre_springs spring_states_new(const struct batch *batch, const struct node *where, float **target, bool precise)
{
    expect_both_limits_or_none(where);
    *target = allocate(batch->count, sizeof(float));
    return (gyre_springs){
        .count = batch->count,
        .position = allocate(batch->count, sizeof(float)),
        .velocity = allocate(batch->count, sizeof(float)),
        .target = *target,
        .period = limit(where, "period"),
        .rest_distance = limit(where, "rest_distance"),
        .rest_speed = limit(where, "rest_speed"),
        .awake = allocate(batch->count, 1),
        .position_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
        .velocity_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
    };
}

size_t spring_states_at_rest(const struct batch *batch)
{
    const gyre_springs *springs = batch->state;
    size_t resting = 0;
    for (size_t i = 0; i < springs->count; i++) {
        resting += springs->awake[i] == 0;
    }
    return resting;
}

void spring_states_write(const struct batch *batch, size_t begin, size_t end)
{
    const gyre_springs *springs = batch->state;
    for (size_t i = begin; i < end; i++) {
        states_write_motion(batch, i, sum_of(springs->position, springs->position_low, i),
                            sum_of(springs->velocity, springs->velocity_low, i), &springs->target[i],
                            springs->awake[i] != 0);
    }
}
