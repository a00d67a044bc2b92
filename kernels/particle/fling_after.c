/* The step of a fling that meets an edge: from one hand-over to the next, each at its exact moment. */
#include "particle/fling_after.h"

#include "common/checks.h"
#include "spring/coefficients.h"
#include "spring/crossing.h"

enum { MAX_HAND_OVERS = 16 };

/* The motion until an edge is met, or for the time that is left: its length, and the velocity at its end. */
typedef struct fling_phase {
    bool meets;
    double t, move, v;
} fling_phase;

/* Inside the edges. With d the distance to the edge ahead and k the damping:

       move = v (1 - exp(-k t)) / k,   which is d at t = -log1p(-k d / v) / k, if ever;   dv = -k move */
GYRE_DEVICE static fling_phase damped_phase(double d, double v, double k, double left_s)
{
    const double undamped_s = d / v, q = -(k * d) / v;
    if (q > -1 && undamped_s - undamped_s == 0) {
        const double t = k == 0 ? undamped_s : -scalar_log1p(q) / k;
        if (t < left_s) {
            return (fling_phase){true, t, d, v - k * d};
        }
    }
    const double p = k * left_s, mean = scalar_mean_decay(p), decay = p > 0.5 ? scalar_exp(-p) : 1 - p * mean;
    return (fling_phase){false, left_s, v * left_s * mean, v * decay};
}

/* Outside the edges, at the displacement x from the edge to which the spring pulls. */
GYRE_DEVICE static fling_phase sprung_phase(double x, double v, gyre_spring spring, double left_s)
{
    const double w = spring.angular_frequency, max_z = 0x1p32; /* as in spring/coefficients.c */
    if (w == 0) {
        const double t = -x / v;
        return t > 0 && t < left_s ? (fling_phase){true, t, -x, v} : (fling_phase){false, left_s, v * left_s, v};
    }
    const double z = spring.damping_ratio < max_z ? spring.damping_ratio : max_z;
    const spring_motion motion = spring_motion_from(z, x, v / w, 0);
    const double zero = spring_first_zero(&motion);
    if (zero < w * left_s) {
        return (fling_phase){true, zero / w, -x, w * spring_velocity_at_zero(&motion, zero)};
    }
    const spring_motion_state now = spring_motion_at(&motion, w * left_s);
    return (fling_phase){false, left_s, (scalar_abs(now.x) < 0x1p-95 ? 0 : now.x) - x, w * now.u};
}

GYRE_DEVICE single_fling gyre_scalar_fling_after(fling_motion motion, single_fling s)
{
    const double lower = s.lower, upper = s.upper;
    double position = s.position, v = s.velocity, left_s = motion.dt_s;
    if (position - position != 0 || v - v != 0) {
        s.position = s.velocity = NAN;
        return s;
    }
    bool meets = true;
    for (int hand_overs = 0; meets && hand_overs < MAX_HAND_OVERS; hand_overs++) {
        /* at an edge a fling belongs to the side that it moves to */
        const bool above = position > upper || (position == upper && v > 0);
        const bool below = !above && (position < lower || (position == lower && v < 0));
        const double edge = above || (!below && v > 0) ? upper : lower;
        const fling_phase next = above || below ? sprung_phase(position - edge, v, motion.spring, left_s)
                                                : damped_phase(edge - position, v, motion.damping, left_s);
        meets = next.meets;
        position = meets ? edge : position + next.move;
        v = next.v;
        left_s -= next.t;
    }
    s.position = position;
    s.velocity = scalar_abs(v) < 0x1p-95 ? 0 : v;
    return s;
}
