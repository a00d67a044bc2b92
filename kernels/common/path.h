/* What motions between bounds have in common (common/bounces.h). Compiled once, and for GPUs. */
#ifndef GYRE_COMMON_PATH_H
#define GYRE_COMMON_PATH_H

#include "common/cubic.h"
#include "scalar/elementary.h"

/* After this many bounces in a step the motion stays on the bound: at rest, if the last two were on the same one. */
enum { PATH_MAX_BOUNCES = 16 };

typedef struct path_state {
    double position, velocity;
} path_state;

/* A bound that is NaN has no effect. */
typedef struct path_bounds {
    double lower, upper;
    double bounce;
    double rest_speed; /* after a bounce a speed of at most this becomes 0 */
    double resolution; /* an ulp of 1; hops lower than its product with a bound are rounding errors */
} path_bounds;

typedef struct path_hit {
    bool happens;
    double t;         /* s, until then */
    path_state state; /* before the bounce */
} path_hit;

GYRE_DEVICE static inline bool path_is_number(path_state s)
{
    return s.position == s.position && s.velocity == s.velocity;
}

/* Numbers below 2^-95 become 0, as in all steps, but a position stays within the bounds. */
GYRE_DEVICE static inline path_state path_flushed(path_state s, path_bounds bounds)
{
    if (scalar_abs(s.position) < 0x1p-95) {
        s.position = bounds.lower > 0 ? bounds.lower : bounds.upper < 0 ? bounds.upper : 0;
    }
    if (scalar_abs(s.velocity) < 0x1p-95) {
        s.velocity = 0;
    }
    return s;
}

/* The velocity after a bounce, in the direction of time. */
GYRE_DEVICE static inline double path_bounced_velocity(double velocity, path_bounds bounds, double dt_s)
{
    const double inward = dt_s > 0 ? -bounds.bounce * velocity : bounds.bounce > 0 ? -velocity / bounds.bounce : 0;
    return scalar_abs(inward) <= bounds.rest_speed ? 0 : inward;
}

#endif
