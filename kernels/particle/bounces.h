/* The step of a particle that meets a bound, in double. Compiled once. */
#ifndef GYRE_PARTICLE_BOUNCES_H
#define GYRE_PARTICLE_BOUNCES_H

#include "common/path.h"

/* A particle without bounds. */
typedef struct particle_path {
    float damping;
    double acceleration;
} particle_path;

/* The state after dt_s of a particle that starts within the bounds. NaN where the damping is not valid or a number
   is not finite. */
GYRE_DEVICE path_state gyre_scalar_particle_bounced(particle_path path, double dt_s, path_bounds bounds,
                                                    path_state start);

#endif
