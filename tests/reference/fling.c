#include "reference/fling.h"

#include "reference/particle.h"

#include <math.h>
#include <stdbool.h>

/* Where a fling is: above the upper edge, below the lower one, or between them. At an edge, its direction decides. */
static int side_of(const reference_fling *f, reference_state s)
{
    if (s.position > f->upper || (s.position == f->upper && s.velocity > 0)) {
        return 1;
    }
    return s.position < f->lower || (s.position == f->lower && s.velocity < 0) ? -1 : 0;
}

static reference_state moved(const reference_fling *f, int side, reference_state s, real t)
{
    if (side == 0) {
        const reference_particle m = reference_particle_matrix(f->damping, t);
        return (reference_state){s.position + m.pos_vel * s.velocity, m.vel_vel * s.velocity};
    }
    return reference_spring_step(reference_spring_matrix(f->angular_frequency, f->damping_ratio, t), s,
                                 side > 0 ? f->upper : f->lower);
}

/* Whether it has left the side that it was on t seconds ago. Uses the displacement from the edge: close to the edge, a
   position may be rounded onto it. */
static bool has_left(const reference_fling *f, int side, reference_state s, real t)
{
    if (side == 0) {
        const real position = moved(f, side, s, t).position;
        return position > f->upper || position < f->lower;
    }
    s.position -= side > 0 ? f->upper : f->lower;
    const reference_matrix m = reference_spring_matrix(f->angular_frequency, f->damping_ratio, t);
    return side * reference_spring_step(m, s, 0).position < 0;
}

/* When it first leaves its side, within `longest`; infinite if later. An oscillation crosses its edge at most once
   every half period, everything else once. */
static real time_of_leaving(const reference_fling *f, int side, reference_state s, real longest)
{
    const real w = f->angular_frequency, z = f->damping_ratio;
    const real piece = side != 0 && z < 1 && w > 0 ? 0.7L / (w * sqrtl((1 - z) * (1 + z))) : longest;
    real within = 0, beyond = fminl(piece, longest);
    while (!has_left(f, side, s, beyond)) {
        if (beyond == longest) {
            return INFINITY;
        }
        within = beyond;
        beyond = fminl(beyond + piece, longest);
    }
    for (int i = 0; i < 100; i++) {
        const real middle = (within + beyond) / 2;
        *(has_left(f, side, s, middle) ? &beyond : &within) = middle;
    }
    return beyond;
}

reference_state reference_fling_after(const reference_fling *f, reference_state s, real t, int *hand_overs)
{
    for (*hand_overs = 0; *hand_overs < 16; ++*hand_overs) {
        const int side = side_of(f, s);
        const real left_s = time_of_leaving(f, side, s, t);
        if (!(left_s < t)) {
            return moved(f, side, s, t);
        }
        s = moved(f, side, s, left_s);
        s.position = side > 0 || (side == 0 && s.velocity > 0) ? f->upper : f->lower;
        t -= left_s;
    }
    return s;
}
