#include "part.h"

#include <stddef.h>

part_result part_run(void)
{
    part_result result = {.in_use = gyre_in_use(), .velocity = 1};
    const float target = 100, angular_frequency = 9, damping_ratio = 0.3f;
    gyre_springs springs = {.count = 1, .position = &result.position, .velocity = &result.velocity, .target = &target};
    for (int i = 0; i < 50; i++) {
        if (gyre_springs_step_each(&springs, 0, 1, &angular_frequency, &damping_ratio, NULL, NULL, 1 / 60.0f) != GYRE_OK) {
            result.in_use = NULL;
        }
    }
    return result;
}
