#include "batches/spring_states.h"

#include "batches/limits.h"
#include "scene/states.h"
#include "scene/sums.h"

#include <stdlib.h>

gyre_springs spring_states_new(const struct batch *batch, const struct node *where, float **target, bool precise)
{
    struct node period = member(where, "period");
    *target = allocate(batch->count, sizeof(float));
    gyre_springs springs = {
        .count = batch->count,
        .position = allocate(batch->count, sizeof(float)),
        .velocity = allocate(batch->count, sizeof(float)),
        .target = *target,
        .period = period.value != NULL ? (float)number_from(&period, 0) : 0,
        .awake = allocate(batch->count, 1),
        .position_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
        .velocity_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
    };
    rest_limits_read(where, "rest_distance", &springs.rest_distance, &springs.rest_speed);
    return springs;
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
