/* The motion of a spring between bounds: its matrix in double, for any part of the step. */
#include "spring/bounces.h"

#include "spring/coefficients.h"

GYRE_DEVICE static path_state spring_path_after(const spring_path *path, double begin_s, path_state from, double t)
{
    const spring_coefficients m = gyre_scalar_spring_coefficients(path->spring, t);
    const double target = path->target + path->target_velocity * begin_s, move = path->target_velocity * t;
    const double x = from.position - target, v = from.velocity;
    return (path_state){target + move + (m.pos_pos * x + m.pos_vel * v + m.pos_ramp * move),
                        m.vel_pos * x + m.vel_vel * v + m.vel_ramp * move};
}

#define PATH spring
#include "common/bounces.h"

GYRE_DEVICE path_state gyre_scalar_spring_bounced(spring_path path, double dt_s, path_bounds bounds, path_state start)
{
    const path_state invalid = {NAN, NAN};
    return is_valid_spring(path.spring) ? spring_path_bounced(&path, dt_s, bounds, start) : invalid;
}
