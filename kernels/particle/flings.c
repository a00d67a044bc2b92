/* The step of a fling that meets an edge: from one hand-over to the next, each at its exact moment.

   Inside the edges, with k the damping and `way` the distance to the edge ahead,

       way = v (1 - exp(-k t)) / k,   so  t = -log1p(-k way / v) / k,      and there v - k way is left of v

   Outside, the displacement x from the edge is a spring's, whose first zero is known in closed form
   (spring/crossing.h). */
#include "particle/flings.h"

#include "particle/coefficients.h"
#include "simd/checks.h"
#include "spring/coefficients.h"
#include "spring/crossing.h"

enum { MOST_HAND_OVERS = 16 };

/* Infinite where it comes to rest before, and where there is no edge ahead. */
static double time_to_edge(double way, double velocity, double damping)
{
    const double undamped_s = way / velocity, q = -(damping * way) / velocity;
    if (!(q > -1) || undamped_s - undamped_s != 0) {
        return INFINITY;
    }
    return damping == 0 ? undamped_s : -scalar_log1p(q) / damping;
}

/* Infinite where it stays outside. */
static double time_back_to_edge(double x, double velocity, gyre_spring spring)
{
    const double w = spring.angular_frequency, most_z = 0x1p32; /* as in spring/coefficients.c */
    if (w == 0) {
        const double undamped_s = -x / velocity;
        return undamped_s > 0 ? undamped_s : INFINITY;
    }
    const double z = spring.damping_ratio < most_z ? spring.damping_ratio : most_z;
    const spring_motion motion = spring_motion_from(z, x, velocity / w, 0);
    return spring_first_zero(&motion) / w;
}

fling_state gyre_scalar_fling_after(const fling_motion *motion, fling_state s)
{
    const double k = motion->damping, lower = s.lower, upper = s.upper, least = 0x1p-95;
    double position = s.position, v = s.velocity, left_s = motion->dt_s;
    if (!is_finite(s.position) || !is_finite(s.velocity)) {
        s.position = s.velocity = NAN;
        return s;
    }
    for (int hand_overs = 0; hand_overs < MOST_HAND_OVERS && left_s > 0; hand_overs++) {
        /* at an edge it belongs to the side that it moves to */
        const bool above = position > upper || (position == upper && v > 0);
        const bool below = !above && (position < lower || (position == lower && v < 0));
        const bool outside = above || below;
        const double edge = above || (!below && v > 0) ? upper : lower, x = position - edge;
        const double met_s = outside ? time_back_to_edge(x, v, motion->spring) : time_to_edge(-x, v, k);
        const bool meets = met_s < left_s;
        const double t = meets ? met_s : left_s;
        if (outside) {
            const spring_coefficients m = gyre_scalar_spring_coefficients(motion->spring, t);
            const double new_x = m.pos_pos * x + m.pos_vel * v;
            position = edge + (scalar_abs(new_x) < least ? 0 : new_x);
            v = m.vel_pos * x + m.vel_vel * v;
        } else {
            const particle_coefficients m = gyre_scalar_particle_coefficients(motion->damping, t);
            position += m.pos_vel * v;
            v = meets ? v + k * x : m.vel_vel * v;
        }
        position = meets ? edge : position;
        left_s = meets ? left_s - t : 0;
    }
    s.position = (float)position;
    s.velocity = scalar_abs(v) < least ? 0 : (float)v;
    return s;
}
