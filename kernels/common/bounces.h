/* A motion that bounces between two bounds, within one step, in double. Included by the topic of the motion, with

       PATH                      the prefix of the names below
       PATH_path                 a type: the motion without bounds
       path_state PATH_path_after(const PATH_path *, double begin_s, path_state from, double t)
                                 the state t seconds after `from`, which is the state at begin_s

   It defines PATH_path_bounced. Compiled once, and for GPUs.

   Until it meets a bound, the motion is that without bounds. At the bound a velocity v becomes -bounce v, and the
   motion goes on from there for the rest of the time. Backwards in time v is the velocity after the bounce: it becomes
   -v / bounce, and with bounce 0 the motion ends. Slopes are dx/du, where u from 0 to 1 is the part of the time that
   has passed, so the search for a bound is the same in both directions. */
#ifndef PATH
#error "define PATH, the name of a motion"
#endif
#include "common/path.h"

#define PATH_JOINED_(path, name) path##_##name
#define PATH_JOINED(path, name) PATH_JOINED_(path, name)
#define PATH_NAMED(name) PATH_JOINED(PATH, name)

/* The first time at which the motion passes a bound. `side` is 1 for the upper one and -1 for the lower one. `from` is
   the state at begin_s, within the bounds, and `end` the state `left` seconds later. */
GYRE_DEVICE static path_hit PATH_NAMED(path_hit)(const PATH_NAMED(path) * path, double begin_s, double left,
                                                 double bound, double side, path_state from, path_state end)
{
    const path_hit none = {false, 0, from};
    const double end_x = side * (end.position - bound), end_slope = side * end.velocity * left;
    const cubic p = cubic_through(side * (from.position - bound), side * from.velocity * left, end_x, end_slope);
    if (p.x == 0 && (p.m > 0 || (p.m == 0 && end_x > 0))) {
        return (path_hit){true, 0, from};
    }
    double low = 0, high = 1;
    if (end_x > 0) {
        low = p.x == 0 ? cubic_turn(p) : 0; /* it left the bound and comes back */
    } else if (p.m > 0 && end_slope < 0) {
        high = cubic_turn(p); /* it may have been beyond the bound in between */
        const path_state peak = PATH_NAMED(path_after)(path, begin_s, from, high * left);
        if (!(side * (peak.position - bound) > 0)) {
            return none;
        }
    } else {
        return none;
    }
    path_state at = from;
    double u = cubic_zero(p, low, high);
    for (int i = 0; i < 8; i++) { /* Newton's iteration on the motion itself */
        at = PATH_NAMED(path_after)(path, begin_s, from, u * left);
        const double x = side * (at.position - bound), newton = u - x / (side * at.velocity * left);
        *(x > 0 ? &high : &low) = u;
        const double next = low <= newton && newton <= high ? newton : (low + high) / 2, change = next - u;
        u = next;
        if (-0x1p-50 < change && change < 0x1p-50) {
            break;
        }
    }
    return (path_hit){true, u * left, at};
}

/* The state dt_s after `state`, which is within the bounds. */
GYRE_DEVICE static path_state PATH_NAMED(path_bounced)(const PATH_NAMED(path) * path, double dt_s, path_bounds bounds,
                                                       path_state state)
{
    double passed = 0, last_bound = NAN;
    for (int bounces = 0; bounces < PATH_MAX_BOUNCES; bounces++) {
        const double left = dt_s - passed;
        const path_state end = PATH_NAMED(path_after)(path, passed, state, left);
        const path_hit down = PATH_NAMED(path_hit)(path, passed, left, bounds.lower, -1, state, end),
                       up = PATH_NAMED(path_hit)(path, passed, left, bounds.upper, 1, state, end);
        if (!down.happens && !up.happens) {
            return path_flushed(end, bounds);
        }
        const bool is_up = up.happens && !(down.happens && down.t / dt_s < up.t / dt_s);
        const double bound = is_up ? bounds.upper : bounds.lower;
        const path_hit hit = is_up ? up : down;
        /* A hop from a bound back to it, of a height of |v| t / 4, ends there if it is lower than rounding. */
        const bool hops = bound == last_bound;
        const double height = scalar_abs(state.velocity * hit.t) / 4;
        const bool ends = hops && (height <= bounds.resolution * scalar_abs(bound) || bounces + 1 == PATH_MAX_BOUNCES);
        passed += hit.t;
        state.position = bound;
        state.velocity = ends ? 0 : path_bounced_velocity(hit.state.velocity, bounds, dt_s);
        if (state.velocity == 0 && (ends || hit.state.velocity == 0 || (dt_s < 0 && bounds.bounce == 0))) {
            return state;
        }
        last_bound = bound;
    }
    return path_flushed(state, bounds);
}

#undef PATH
