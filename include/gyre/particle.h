/* Particles under damping and constant acceleration, exact for any time step. Part of Gyre: see gyre.h for what holds
   for all functions, and particles-reference.md for full error bounds, costs and edge cases.

       dv/dt = a - damping v        dx/dt = v

   The state after any time t is a linear function of position, velocity and acceleration. So one matrix serves every
   particle with the same damping, and no time step is too long. Without damping the position is x + v t + a t^2 / 2,
   and small dampings tend to that smoothly.

   Units    u is the unit of positions: metres, pixels, radians.
   Damping  A rate in 1/s, at least 0 and finite: in t seconds a velocity falls to exp(-damping t) of itself. 0 is none.
   Range    Functions with begin and end step elements begin..end-1 and touch no others; begin <= end <= count. An empty
            range does nothing and needs no arrays.
   Returns  GYRE_OK
            GYRE_ERROR_NULL   a pointer is NULL whose comment does not allow NULL
            GYRE_ERROR_VALUE  a number is NaN, infinite or outside its stated range
            GYRE_ERROR_RANGE  begin > end or end > count, or a result is too large for a float
   Threads  Any function may run in any number of threads at once. Calls that step the same arrays need disjoint ranges.
   Error    eps is 2^-24, half an ulp of 1. p is -damping t. */
#ifndef GYRE_PARTICLE_H
#define GYRE_PARTICLE_H

#include "spring.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Damping ---- */

/* Computes the damping that leaves `fraction` of a velocity after interval_s seconds: -ln(fraction) / interval_s.
   Many engines and toolkits state friction this way: 0.998 per 0.001 s, or 0.99 per 1/60 s.

   fraction    in (0, 1]; 1 gives 0
   interval_s  s, above 0
   *out        1/s

   Error    0.5001 ulp for the floats given; a fraction near 1 is itself coarse (particles-reference.md)
   Cost     about 20 ns */
GYRE_API gyre_status gyre_damping_from_retention(float fraction, float interval_s, float *out);

/* Computes the damping that halves a velocity every half_life_s seconds: ln 2 / half_life_s.

   half_life_s  s, above 0
   *out         1/s

   Returns  GYRE_ERROR_RANGE  half_life_s is below 2.04e-39
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
} gyre_particle_matrix;

/* Computes the matrix of a damping for a time step of dt_s seconds.

   damping  1/s, at least 0
   dt_s     s, any finite time; 0 gives the identity, a negative time runs backwards

   Returns  GYRE_ERROR_RANGE  a coefficient is too large for a float, as when running far backwards
   Error    at most 8 eps (1 + |p|) of each coefficient, plus 2^-126 (particles-reference.md)
   Cost     about 80 ns */
GYRE_API gyre_status gyre_particle_matrix_at(float damping, float dt_s, gyre_particle_matrix *out);

/* Particles of one coordinate each, in structure-of-arrays memory. What moves in three dimensions is three particles,
   or takes three calls. The struct and the arrays are the caller's; Gyre keeps no pointer to them. */
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

/* Both step functions:

   Overlap    position, velocity and the low parts must overlap no other array.
   Bounds     Hold at the ends of steps. A position beyond them becomes min(max(position, lower), upper) and its low
              part 0. A velocity that then points outward becomes -bounce times the speed at the bound. So a ball of
              bounce 1 keeps its energy at every frame rate, and a particle that is pressed against a bound rests there.
              The time left in the step when it reaches the bound is dropped.
   Low parts  With position_low, a state is the unevaluated sums position + position_low and velocity + velocity_low,
              accurate to 2^-48 of themselves; start with 0. A step reads these sums and those of the matrix, computes
              in double, and leaves low parts of at most half an ulp. Use them where states must last: without them, a
              step of less than half an ulp of a position does not move that particle, however often it is repeated.
   Identity   A step of no time, or with the identity matrix, leaves states bit for bit, even beyond a bound. With low
              parts, low[] of the matrix must be 0 as well.
   Flush      Other steps set positions, speeds and low parts below 2^-95 (2.5e-29) to 0, so that no subnormal number is
              carried from step to step (unless a bound is one). */

/* Advances particles begin..end-1 by one time step, all with the same matrix.

   matrix  finite coefficients; with low parts of states, finite low[] too

   Error    4 eps of the sum of the |terms|, plus 2^-95; low parts and bounces differ (particles-reference.md)
   Cost     memory-bound beyond the second-level cache; low parts take 6 to 8 times as long in the caches */
GYRE_API gyre_status gyre_particles_step(const gyre_particles *particles, size_t begin, size_t end,
                                         const gyre_particle_matrix *matrix);

/* Advances particles begin..end-1 by one time step of dt_s seconds, each with its own damping.
   Gives the same bits as gyre_particle_matrix_at and gyre_particles_step for each particle, in one pass.

   damping     1/s, count of them; one that is negative, NaN or infinite makes that particle NaN
   time_scale  NULL, or count of them: particle i is stepped by the float time_scale[i] * dt_s. 0 leaves its state as
               it is, a negative time runs backwards, and one that is NaN or infinite makes that particle NaN
   dt_s        s, any finite time; 0 leaves all states as they are, whatever the damping. Where gyre_particle_matrix_at
               returns GYRE_ERROR_RANGE, that particle may become NaN or infinite, even at rest

   Error    the errors of gyre_particle_matrix_at and gyre_particles_step together
   Cost     4 to 8 times gyre_particles_step; low parts cost more (particles-reference.md). At most 5 KiB of stack. */
GYRE_API gyre_status gyre_particles_step_each(const gyre_particles *particles, size_t begin, size_t end,
                                              const float *damping, const float *time_scale, float dt_s);

/* ---- Rest positions and times ----

   For one particle under damping alone, as in scrolling and flinging. position and where are in u, velocity and speed
   in u/s, damping in 1/s, times in s; all must be finite. GYRE_ERROR_VALUE also means that the position or the speed is
   never reached. Each call costs about 20 ns. */

/* Computes where a particle comes to rest: position + velocity / damping.
   With velocity 0 this is its position, with or without damping.

   Returns  GYRE_ERROR_VALUE  also if damping is 0 and velocity is not
   Error    0.5001 ulp, plus 2^-52 of the distance to the rest position */
GYRE_API gyre_status gyre_damping_rest_position(float position, float velocity, float damping, float *out);

/* Computes the velocity with which a particle comes to rest at `where`: damping (where - position).

   Returns  GYRE_ERROR_VALUE  also if damping is 0 and where is not position
   Error    0.5001 ulp */
GYRE_API gyre_status gyre_damping_velocity_to_rest_at(float position, float where, float damping, float *out);

/* Computes when a particle has slowed down to `speed`: ln(|velocity| / speed) / damping.
   The time is 0 if that is its speed now.

   speed    u/s, at least 0

   Returns  GYRE_ERROR_VALUE  also if speed is above |velocity|, or is below it and either speed or damping is 0
   Error    0.6 ulp */
GYRE_API gyre_status gyre_damping_time_to_speed(float velocity, float damping, float speed, float *out_s);

/* Computes when a particle passes `where`: -log1p(-damping (where - position) / velocity) / damping.
   As the damping goes to 0, this tends smoothly to (where - position) / velocity. It is 0 if the particle is there now.

   Returns  GYRE_ERROR_VALUE  also if where is behind the particle, or at or beyond its rest position
   Error    0.6 ulp; more near the rest position (particles-reference.md) */
GYRE_API gyre_status gyre_damping_time_to_position(float position, float velocity, float damping, float where,
                                                   float *out_s);

/* ---- Flings ----

   Content that a finger or a wheel sets moving and lets go, as in scroll views: damped between two edges, and pulled
   back by a spring outside them.

   Motion    The position alone decides what moves a fling: inside the edges or on one, the damping; outside, a spring
             to the edge. Each hands over to the other at the exact moment, with the velocity at the edge, in both
             directions: a fling that the spring throws back inside goes on as a fling. After 16 hand-overs in one step
             the rest of its time is dropped. Where lower is above upper, upper is both edges.
   Changes   To fling again, write velocity, and 1 to awake. To move an edge, write it.
   Rest      After a step, a fling of at most rest_speed stops: inside where it is; outside on its edge, if it is within
             rest_distance of it.
   Identity  A step of no time leaves position and velocity bit for bit, and writes awake. So does any step of a fling
             at rest, but -0 may become 0.
   Flush     Speeds, moves and displacements from the edge below 2^-95 (2.5e-29) become 0. */
typedef struct gyre_flings {
    size_t count;
    float *position;     /* u, count of them, in and out */
    float *velocity;     /* u/s, count of them, in and out */
    const float *lower;  /* u, lower edges, count of them; NULL, or NaN for one: no edge on that side */
    const float *upper;  /* u, upper edges likewise */
    float damping;       /* 1/s, inside the edges */
    gyre_spring spring;  /* outside; its target is the edge. `follow` has no effect */
    float rest_distance; /* u, at least 0; 0: no fling stops while outside */
    float rest_speed;    /* u/s, at least 0; 0: no fling is stopped */
    uint8_t *awake;      /* count bytes, out, and with skip_asleep in; NULL: no flags, not with skip_asleep. 0 where the
                            velocity is 0 and the position not outside, else 1, also where either is NaN */
    bool skip_asleep;    /* flings whose awake is 0 are left as they are, whatever their state */
} gyre_flings;

/* Advances flings begin..end-1 by dt_s seconds.
   A fling that is or becomes infinite or NaN may become NaN, and stays awake.

   flings  position, velocity and awake must overlap no other array
   dt_s    s, at least 0

   Returns  GYRE_ERROR_VALUE  also if gyre_spring_matrix_at refuses the spring
   Error    that of a particle or spring step; at edges eps plus 2^-40 of the largest value (particles-reference.md)
   Cost     in the caches 7 times gyre_springs_step; about 250 ns per fling at an edge (particles-reference.md) */
GYRE_API gyre_status gyre_flings_step(const gyre_flings *flings, size_t begin, size_t end, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
