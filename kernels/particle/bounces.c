/* The motion of a particle between bounds: its matrix in double, for any part of the step. */
#include "particle/bounces.h"

#include "common/checks.h"
#include "particle/coefficients.h"

GYRE_DEVICE static path_state particle_path_after(const particle_path *path, double begin_s, path_state from, double t)
{
    (void)begin_s;
    const particle_coefficients m = gyre_scalar_particle_coefficients(path->damping, t);
    const double a = path->acceleration, v = from.velocity;
    return (path_state){from.position + (m.pos_vel * v + m.pos_acc * a), m.vel_vel * v + m.pos_vel * a};
}

#define PATH particle
#include "common/bounces.h"

GYRE_DEVICE path_state gyre_scalar_particle_bounced(particle_path path, double dt_s, path_bounds bounds,
                                                    path_state start)
{
    const path_state invalid = {NAN, NAN};
    return is_finite_not_negative(path.damping) ? particle_path_bounced(&path, dt_s, bounds, start) : invalid;
}
