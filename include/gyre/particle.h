/* Particles under damping and constant acceleration, exact for any time step. Part of Gyre: see gyre.h for what holds
   for all functions, and particles-reference.md for full error bounds, costs and edge cases.

       dv/dt = a - damping v        dx/dt = v

   The state after any time is linear in position, velocity and acceleration, so one matrix serves all particles of a
   damping, and no time step is too long.

   Units    u is the unit of positions: metres, pixels, radians.
   Damping  A rate in 1/s, at least 0 and finite: in t seconds a velocity falls to exp(-damping t) of itself. 0 is none.
   Range    Only begin..end-1 is read and written. An empty range does nothing and needs no arrays.
   Threads  Calls that step the same arrays need disjoint ranges.
   Error    The largest. eps is 2^-24, half an ulp of 1; p is -damping t. */
#ifndef GYRE_PARTICLE_H
#define GYRE_PARTICLE_H

#include "spring.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Damping ----

   A damping is written in 1/s. Its error is 0.5001 ulp for the floats given, and a call costs 10 to 20 ns. */

/* Computes the damping that leaves `fraction` of a velocity after interval_s seconds: -ln(fraction) / interval_s.
   Many toolkits state friction this way, as 0.998 per 0.001 s.

   fraction    in (0, 1]; 1 gives 0
   interval_s  s, above 0 */
GYRE_API gyre_status gyre_damping_from_retention(float fraction, float interval_s, float *out);

/* Computes the damping that halves a velocity every half_life_s seconds: ln 2 / half_life_s.

   half_life_s  s, above 0; GYRE_ERROR_RANGE below 2.04e-39 */
GYRE_API gyre_status gyre_damping_from_half_life(float half_life_s, float *out);

/* ---- Steps ---- */

/* What a time step does to a particle:
       position <- position + pos_vel * velocity + pos_acc * acceleration       pos_vel in s, pos_acc in s^2
       velocity <-            vel_vel * velocity + vel_acc * acceleration       vel_acc in s */
typedef struct gyre_particle_matrix {
    float pos_vel, vel_vel, pos_acc, vel_acc;
    float low[4];  /* exact coefficient minus float, for each of these in order; read by steps with low parts */
    float damping; /* 1/s, that the matrix is of, and */
    float dt_s;    /* s, its time: read only at bounds; 0: unknown, as if made by hand */
} gyre_particle_matrix;

/* Computes the matrix of a damping for a time step of dt_s seconds.

   damping  1/s, at least 0
   dt_s     s, any finite time; 0 gives the identity, a negative time runs backwards

   Returns  GYRE_ERROR_RANGE also if a coefficient is too large for a float, as far backwards
   Error    at most 8 eps (1 + |p|) of each coefficient, plus 2^-126 (particles-reference.md)
   Cost     about 80 ns */
GYRE_API gyre_status gyre_particle_matrix_at(float damping, float dt_s, gyre_particle_matrix *out);

/* A point in three dimensions is three particles, or three batches. */
typedef struct gyre_particles {
    size_t count;
    float *position;            /* u, count of them, in and out */
    float *velocity;            /* u/s, count of them, in and out */
    const float *acceleration;  /* u/s^2, count of them; NULL: uniform_acceleration for all */
    float uniform_acceleration; /* u/s^2, finite; read only without that array */
    float *position_low;        /* u, and */
    float *velocity_low;        /* u/s: NULL, or count of each, in and out: low parts */
    const float *lower;         /* u, lower bounds of positions, count of them; NULL, or NaN for one: none */
    const float *upper;         /* u, upper bounds likewise */
    float bounce;               /* in [0, 1], always checked: part of its speed that a bounce leaves */
} gyre_particles;

/* Both step functions (at length in particles-reference.md):

   Aliasing   position, velocity and the low parts must overlap no other array.
   Bounds     As for springs (spring.h). What is pressed against a bound lies there with velocity 0.
   Low parts  With position_low, states are the sums position + position_low and velocity + velocity_low, good to 2^-48
              of themselves; start with 0. Without, steps below half an ulp of a position do not move it.
   Identity   A step of no time, or with the identity matrix, keeps every bit of a state, even beyond a bound.
   Flush      Positions, speeds and low parts below 2^-95 (2.5e-29) become 0. */

/* Advances particles begin..end-1 by one time step, all with the same matrix.

   matrix  finite coefficients; with low parts of states, finite low[] too

   Error  4 eps of the sum of the |terms|, plus 2^-95; low parts and bounces: particles-reference.md
   Cost   memory-bound beyond the second-level cache; low parts take 6 to 8 times as long in the caches */
GYRE_API gyre_status gyre_particles_step(const gyre_particles *particles, size_t begin, size_t end,
                                         const gyre_particle_matrix *matrix);

/* Advances particles begin..end-1 by one time step of dt_s seconds, each with its own damping.
   It gives the same bits as gyre_particle_matrix_at and gyre_particles_step, table by table.

   damping     1/s, count of them; one that is negative, NaN or infinite makes that particle NaN
   time_scale  NULL (1), or count of them: a particle's time, its velocity's too, is the float time_scale * dt_s
   dt_s        s, any finite time; 0 keeps all states. Where gyre_particle_matrix_at returns GYRE_ERROR_RANGE, that
               particle may become NaN or infinite

   Error  the errors of gyre_particle_matrix_at and gyre_particles_step together
   Cost   4 to 8 times gyre_particles_step; low parts cost more (particles-reference.md). At most 6 KiB of stack. */
GYRE_API gyre_status gyre_particles_step_each(const gyre_particles *particles, size_t begin, size_t end,
                                              const float *damping, const float *time_scale, float dt_s);

/* ---- Friction ---- */

/* Slows moving vectors down at a constant rate until they stop, as brakes and dry friction do.
   A step takes deceleration dt_s from the speed, until that is exactly 0, and keeps the direction. It is exact at every
   frame rate. If a component of a velocity is NaN or infinite, all of that velocity and of its position becomes NaN.

   position      u, in and out: `components` arrays, 1 to 4, none of which may overlap another
   velocity      u/s, likewise
   deceleration  u/s^2, at least 0 and finite; 0 is free motion
   dt_s          s, any finite time; 0 keeps every bit, a negative time undoes a step that did not end in a stop

   Error  0.5001 ulp of each result, plus 2^-50 of the move for positions and of the old velocity for velocities
   Cost   2.6 ns per vector with three components and 8 lanes; less where all are at rest: nothing is written */
GYRE_API gyre_status gyre_decelerate(float *const position[], float *const velocity[], size_t components,
                                     float deceleration, float dt_s, size_t begin, size_t end);

/* ---- Rest positions and times ----

   For one particle under damping alone. Positions are in u, velocities and speeds in u/s, damping in 1/s, times in s.
   GYRE_ERROR_VALUE also means that the position or speed is never reached. Errors are 0.5001 ulp of positions and
   velocities and 0.6 ulp of times, unless stated otherwise. Each call costs about 20 ns. */

/* Computes where a particle comes to rest: position + velocity / damping.
   With velocity 0 this is its position, with or without damping.

   Error  0.5001 ulp, plus 2^-52 of the distance to the rest position */
GYRE_API gyre_status gyre_damping_rest_position(float position, float velocity, float damping, float *out);

/* Computes the velocity with which a particle comes to rest at `where`: damping (where - position). */
GYRE_API gyre_status gyre_damping_velocity_to_rest_at(float position, float where, float damping, float *out);

/* Computes when a particle has slowed down to `speed`: ln(|velocity| / speed) / damping.
   speed is at least 0. The time is 0 if that is the speed now. */
GYRE_API gyre_status gyre_damping_time_to_speed(float velocity, float damping, float speed, float *out_s);

/* Computes when a particle passes `where`: -log1p(-damping (where - position) / velocity) / damping.
   It is 0 if the particle is there now.

   Error  larger near the rest position (particles-reference.md) */
GYRE_API gyre_status gyre_damping_time_to_position(float position, float velocity, float damping, float where,
                                                   float *out_s);

/* ---- Flings ----

   Content that a finger or a wheel sets moving, as in scroll views: damped between two edges, and pulled back by a
   spring outside. Each hands over to the other at the exact moment, with the velocity at the edge. With both rest
   limits no rounding keeps a fling awake. To fling again, write velocity, and 1 to awake. */
typedef struct gyre_flings {
    size_t count;
    float *position;      /* u, count of them, in and out */
    float *velocity;      /* u/s, count of them, in and out */
    const float *lower;   /* u, lower edges, count of them; NULL, or NaN for one: none */
    const float *upper;   /* u, upper edges likewise */
    float damping;        /* 1/s, inside the edges */
    gyre_spring spring;   /* outside; its target is the edge */
    float rest_distance;  /* u, to an edge or rest_at, within which a fling may stop on it; 0: none does */
    float rest_speed;     /* u/s: after a step, a fling of at most this speed stops; 0: none does */
    uint8_t *awake;       /* NULL, or count bytes out (with skip_asleep in and out): 1 where changed, else 0 */
    bool skip_asleep;     /* flings whose awake is 0 keep every bit */
    float *position_low;  /* u, and */
    float *velocity_low;  /* u/s: NULL, or count of each, in and out: low parts, as of particles */
    const float *rest_at; /* u, count of them: where flings stop, exactly, if damping leads there; NULL, or NaN: none */
} gyre_flings;

/* Advances flings begin..end-1 by dt_s seconds.

   flings  position, velocity, low parts and awake must overlap no other array
   dt_s    s, at least 0

   Error  that of a particle or spring step; at edges eps plus 2^-40 of the largest value (particles-reference.md)
   Cost   in the caches 7 times gyre_springs_step; about 250 ns per fling at an edge (particles-reference.md) */
GYRE_API gyre_status gyre_flings_step(const gyre_flings *flings, size_t begin, size_t end, float dt_s);

/* ---- Dragging beyond an edge ----

   Content that a finger drags beyond an edge lags behind more and more, as if on a rubber band. Distances and offsets
   are in u from the edge and may have either sign, which the result shares. The error is 0.5001 ulp of the result, and
   each call costs about 10 ns. */

/* Computes how far beyond an edge a finger drags content, as in UIScrollView:
   (1 - 1 / (coefficient distance / dimension + 1)) dimension.

   distance     that the finger has moved since the content reached the edge
   dimension    u, above 0: height or width of the view, the most that content can move
   coefficient  above 0: the part of the finger's movement that content follows at the edge; 0: UIKit's 0.55
   out          the offset of the content from the edge */
GYRE_API gyre_status gyre_rubber_band_offset(float distance, float dimension, float coefficient, float *out);

/* Computes how far a finger must move to drag content to an offset beyond an edge: offset dimension / (coefficient
   (dimension - offset)). It is the inverse of gyre_rubber_band_offset, for a finger that catches content on its way
   back.

   offset  nearer to 0 than dimension is; the other arguments are those of gyre_rubber_band_offset
   out     the distance that the finger has moved */
GYRE_API gyre_status gyre_rubber_band_distance(float offset, float dimension, float coefficient, float *out);

#ifdef __cplusplus
}
#endif

#endif
