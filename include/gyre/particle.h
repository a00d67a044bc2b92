/* Particles under damping and constant acceleration, exact for any time step. Part of Gyre: see gyre.h for what holds
   for all functions, and particles-reference.md for full error bounds, costs and edge cases.

       dv/dt = a - damping v        dx/dt = v

   The state after any time t is a linear function of position, velocity and acceleration. So one matrix serves every
   particle with the same damping, and no time step is too long.

   Units    u is the unit of positions: metres, pixels, radians.
   Damping  A rate in 1/s, at least 0 and finite: in t seconds a velocity falls to exp(-damping t) of itself. 0 is none.
   Range    Only elements begin..end-1 are read and written. An empty range does nothing and needs no arrays.
   Threads  Calls that step the same arrays need disjoint ranges.
   Error    The largest. eps is 2^-24, half an ulp of 1; p is -damping t. */
#ifndef GYRE_PARTICLE_H
#define GYRE_PARTICLE_H

#include "spring.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Damping ---- */

/* Computes the damping that leaves `fraction` of a velocity after interval_s seconds: -ln(fraction) / interval_s.
   Many toolkits state friction this way: 0.998 per 0.001 s, or 0.99 per 1/60 s.

   fraction    in (0, 1]; 1 gives 0
   interval_s  s, above 0
   *out        1/s

   Error    0.5001 ulp for the floats given
   Cost     about 20 ns */
GYRE_API gyre_status gyre_damping_from_retention(float fraction, float interval_s, float *out);

/* Computes the damping that halves a velocity every half_life_s seconds: ln 2 / half_life_s.

   half_life_s  s, above 0; GYRE_ERROR_RANGE below 2.04e-39
   *out         1/s

   Error    0.5001 ulp
   Cost     about 10 ns */
GYRE_API gyre_status gyre_damping_from_half_life(float half_life_s, float *out);

/* ---- Steps ---- */

/* What a time step does to a particle:
       position <- position + pos_vel * velocity + pos_acc * acceleration       pos_vel in s, pos_acc in s^2
       velocity <-            vel_vel * velocity + vel_acc * acceleration       vel_acc in s */
typedef struct gyre_particle_matrix {
    float pos_vel, vel_vel, pos_acc, vel_acc;
    float low[4]; /* exact coefficient minus float, for each of these in order; read by steps with low parts */
    float damping, dt_s; /* whose matrix it is, 1/s and s: read where a particle meets a bound; time 0 if unknown */
} gyre_particle_matrix;

/* Computes the matrix of a damping for a time step of dt_s seconds.

   damping  1/s, at least 0
   dt_s     s, any finite time; 0 gives the identity, a negative time runs backwards

   Returns  GYRE_ERROR_RANGE also if a coefficient is too large for a float, as when running far backwards
   Error    at most 8 eps (1 + |p|) of each coefficient, plus 2^-126 (particles-reference.md)
   Cost     about 80 ns */
GYRE_API gyre_status gyre_particle_matrix_at(float damping, float dt_s, gyre_particle_matrix *out);

/* Particles of one coordinate each: what moves in three dimensions is three particles, or takes three calls. */
typedef struct gyre_particles {
    size_t count;
    float *position;            /* u, count of them, in and out */
    float *velocity;            /* u/s, count of them, in and out */
    const float *acceleration;  /* u/s^2, count of them; NULL: uniform_acceleration for all */
    float uniform_acceleration; /* u/s^2, finite; not read with an array of accelerations */
    float *position_low;        /* u, count of them, in and out; NULL: no low parts */
    float *velocity_low;        /* u/s, count of them, in and out; required with position_low, else not used */
    const float *lower;         /* u, lower bound of each new position, count of them; NULL, or NaN for one: no bound */
    const float *upper;         /* u, upper bounds likewise */
    float bounce;               /* in [0, 1], always checked: fraction of its speed that a particle keeps at a bound */
} gyre_particles;

/* Both step functions (at length in particles-reference.md):

   Aliasing   position, velocity and the low parts must overlap no other array.
   Bounds     Hold at the ends of steps. A position beyond them becomes the bound, and a velocity that then points
              outward -bounce times the speed there. A particle that is pressed against a bound rests.
   Low parts  With position_low, states are the sums position + position_low and velocity + velocity_low, accurate to
              2^-48 of themselves; start with 0. Without, steps below half an ulp of a position do not move it.
   Identity   A step of no time, or with the identity matrix, keeps every bit of a state, even beyond a bound.
   Flush      Positions, speeds and low parts below 2^-95 (2.5e-29) become 0. */

/* Advances particles begin..end-1 by one time step, all with the same matrix.

   matrix  finite coefficients; with low parts of states, finite low[] too

   Error    4 eps of the sum of the |terms|, plus 2^-95; low parts and bounces differ (particles-reference.md)
   Cost     memory-bound beyond the second-level cache; low parts take 6 to 8 times as long in the caches */
GYRE_API gyre_status gyre_particles_step(const gyre_particles *particles, size_t begin, size_t end,
                                         const gyre_particle_matrix *matrix);

/* Advances particles begin..end-1 by one time step of dt_s seconds, each with its own damping.
   Gives the same bits as gyre_particle_matrix_at and gyre_particles_step for each particle, in one pass.

   damping     1/s, count of them; one that is negative, NaN or infinite makes that particle NaN
   time_scale  NULL, or count of them: particle i is stepped by the float time_scale[i] * dt_s
   dt_s        s, any finite time; 0 leaves all states as they are. Where gyre_particle_matrix_at returns
               GYRE_ERROR_RANGE, that particle may become NaN or infinite

   Error    the errors of gyre_particle_matrix_at and gyre_particles_step together
   Cost     4 to 8 times gyre_particles_step; low parts cost more (particles-reference.md). At most 5 KiB of stack. */
GYRE_API gyre_status gyre_particles_step_each(const gyre_particles *particles, size_t begin, size_t end,
                                              const float *damping, const float *time_scale, float dt_s);

/* ---- Rest positions and times ----

   For one particle under damping alone. position and where are in u, velocity and speed in u/s, damping in 1/s, times
   in s. GYRE_ERROR_VALUE also means that the position or the speed is never reached. Each call costs about 20 ns. */

/* Computes where a particle comes to rest: position + velocity / damping.
   With velocity 0 this is its position, with or without damping.

   Error    0.5001 ulp, plus 2^-52 of the distance to the rest position */
GYRE_API gyre_status gyre_damping_rest_position(float position, float velocity, float damping, float *out);

/* Computes the velocity with which a particle comes to rest at `where`: damping (where - position).

   Error    0.5001 ulp */
GYRE_API gyre_status gyre_damping_velocity_to_rest_at(float position, float where, float damping, float *out);

/* Computes when a particle has slowed down to `speed`: ln(|velocity| / speed) / damping.
   speed is at least 0. The time is 0 if that is the speed now.

   Error    0.6 ulp */
GYRE_API gyre_status gyre_damping_time_to_speed(float velocity, float damping, float speed, float *out_s);

/* Computes when a particle passes `where`: -log1p(-damping (where - position) / velocity) / damping.
   It is 0 if the particle is there now.

   Error    0.6 ulp; more near the rest position (particles-reference.md) */
GYRE_API gyre_status gyre_damping_time_to_position(float position, float velocity, float damping, float where,
                                                   float *out_s);

/* ---- Flings ----

   Content that a finger or a wheel sets moving and lets go, as in scroll views: damped between two edges, and pulled
   back by a spring outside them. Each hands over to the other at the exact moment, with the velocity at the edge.
   To fling again, write velocity, and 1 to awake. To move an edge, write it (particles-reference.md). */
typedef struct gyre_flings {
    size_t count;
    float *position;     /* u, count of them, in and out */
    float *velocity;     /* u/s, count of them, in and out */
    const float *lower;  /* u, lower edges, count of them; NULL, or NaN for one: no edge on that side */
    const float *upper;  /* u, upper edges likewise */
    float damping;       /* 1/s, inside the edges */
    gyre_spring spring;  /* outside; its target is the edge */
    float rest_distance; /* u, to an edge, within which a fling outside may stop on it; 0: none does */
    float rest_speed;    /* u/s: after a step, a fling of at most this speed stops; 0: none does */
    uint8_t *awake;      /* NULL, or count bytes, out, and with skip_asleep in: 0 where a fling is at rest, else 1 */
    bool skip_asleep;    /* flings whose awake is 0 keep every bit */
    float *position_low; /* u, and */
    float *velocity_low; /* u/s: NULL, or count of each, in and out: low parts, as of particles */
    const float *rest_at; /* NULL, or u, count of them: where damping ends, exactly; NaN: wherever */
} gyre_flings;

/* Advances flings begin..end-1 by dt_s seconds.

   flings  position, velocity and awake must overlap no other array
   dt_s    s, at least 0

   Error    that of a particle or spring step; at edges eps plus 2^-40 of the largest value (particles-reference.md)
   Cost     in the caches 7 times gyre_springs_step; about 250 ns per fling at an edge (particles-reference.md) */
GYRE_API gyre_status gyre_flings_step(const gyre_flings *flings, size_t begin, size_t end, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
