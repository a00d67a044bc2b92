/* The step of a spring that meets a bound, in double. Compiled once. */
#ifndef GYRE_SPRING_BOUNCES_H
#define GYRE_SPRING_BOUNCES_H

#include "common/path.h"

#include <gyre/spring.h>

/* A spring without bounds. Its target moves at constant velocity, from `target` at the beginning of the step. */
typedef struct spring_path {
    gyre_spring spring;
    double target, target_velocity;
} spring_path;

/* The state after dt_s of a spring that starts within the bounds. NaN where the spring is not valid or a number of the
   state is not finite. */
GYRE_DEVICE path_state gyre_scalar_spring_bounced(spring_path path, double dt_s, path_bounds bounds, path_state start);

#endif
