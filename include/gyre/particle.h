/* Particles under damping and constant acceleration, exact for any time step. Part of Gyre: see gyre.h for the promises
   that hold throughout.

       dv/dt = a - damping v        dx/dt = v

   The state after any time t is a linear function of position, velocity and acceleration. So one matrix serves every
   particle with the same damping, and no time step is too long. Without damping it is x + v t + a t^2 / 2, and small
   dampings go over into that smoothly.

   Holds for every function here:

   - Units. u stands for the unit of positions: metres, pixels, radians. damping is a rate in 1/s, at least 0 and
     finite: a velocity falls by exp(-damping t) in t seconds. 0 is none. Any float from the smallest to the largest is
     as accurate as any other.
   - Results. A function returns GYRE_OK, or an error and has written nothing: GYRE_ERROR_NULL for a required pointer
     that is NULL, GYRE_ERROR_VALUE for a number outside the range that is stated, or NaN or infinite,
     GYRE_ERROR_RANGE for a range of elements outside the arrays or a result outside the range of float.
   - Threads. Any function may run in any number of threads at once. Those that step particles need disjoint ranges,
     of the same arrays if wanted, and touch no element outside begin..end-1.
   - Errors. eps is 2^-24, half an ulp of 1. p is -damping t. */
#ifndef GYRE_PARTICLE_H
#define GYRE_PARTICLE_H

#include "spring.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Damping ---- */

/* The damping that leaves `fraction` of a velocity after interval_s seconds: -ln(fraction) / interval_s. Many engines
   and toolkits state friction like this: 0.998 per 0.001 s, or 0.99 per 1/60 s.

   fraction    in (0, 1]; 1 gives 0
   interval_s  s, above 0
   *out        1/s

   GYRE_ERROR_NULL (out), GYRE_ERROR_VALUE, GYRE_ERROR_RANGE (the damping is too large for a float).
   Largest error: 0.5001 ulp for the floats that are given. A fraction near 1 is itself coarse: 0.998 rounded to a float
   changes the damping by 1.3e-5 of itself. Cost: some 20 ns. */
GYRE_API gyre_status gyre_damping_from_retention(float fraction, float interval_s, float *out);

/* The damping that halves a velocity every half_life_s seconds: ln 2 / half_life_s.

   half_life_s  s, above 0
   *out         1/s

   GYRE_ERROR_NULL (out), GYRE_ERROR_VALUE, GYRE_ERROR_RANGE (half_life_s below 2.04e-39).
   Largest error: 0.5001 ulp. Cost: some 10 ns. */
GYRE_API gyre_status gyre_damping_from_half_life(float half_life_s, float *out);

/* ---- Steps ---- */

/* The effect of t seconds:
       position <- position + pos_vel * velocity + pos_acc * acceleration       pos_vel in s, pos_acc in s^2
       velocity <-            vel_vel * velocity + vel_acc * acceleration       vel_acc in s */
typedef struct gyre_particle_matrix {
    float pos_vel, vel_vel, pos_acc, vel_acc;
    float low[4]; /* what each of these lacks to the exact coefficient, in that order: read by steps with low parts */
} gyre_particle_matrix;

/* The matrix of a damping for dt_s seconds.

   damping  1/s, at least 0
   dt_s     s, any finite time; 0 gives the identity, a negative time runs backwards

   GYRE_ERROR_NULL (out), GYRE_ERROR_VALUE, GYRE_ERROR_RANGE (a coefficient is too large for a float, as when run far
   back).
   Largest error, relative: vel_vel 4 eps (1 + |p|), pos_vel and vel_acc 4 eps, pos_acc 8 eps; backwards these three
   times (1 + |p|); plus 2^-149. A vel_vel below 2^-126 is 0. Each sum of a coefficient and its low part: 2^-24 of
   these, plus 2^-126. Cost: about 80 ns. */
GYRE_API gyre_status gyre_particle_matrix_at(float damping, float dt_s, gyre_particle_matrix *out);

/* `count` particles of one coordinate each, in structure-of-arrays memory. One that moves in three dimensions is three
   of them, or three calls. The struct and the arrays are the caller's; Gyre keeps neither. */
typedef struct gyre_particles {
    size_t count;
    float *position;            /* u, count of them, in and out */
    float *velocity;            /* u/s, count of them, in and out */
    const float *acceleration;  /* u/s^2, count of them; NULL: uniform_acceleration for all */
    float uniform_acceleration; /* u/s^2 */
    float *position_low;        /* u, and */
    float *velocity_low;        /* u/s: NULL, or count of each, in and out (see below). position_low decides */
    const float *lower;         /* u, bounds on the new position, */
    const float *upper;         /* count of each; NULL, or one that is NaN: none */
    float bounce;               /* [0, 1]: part of its speed with which a particle leaves a bound; always checked */
} gyre_particles;

/* Bounds hold at the ends of steps: a position beyond them becomes min(max(position, lower), upper), its low part 0.
   Where the velocity then points outward, it becomes -bounce times the speed at the bound, which is that of a particle
   under constant acceleration from the state before the step to the one after it (the square of its speed is linear in
   the distance). So a ball of bounce 1 keeps its energy at every frame rate, and what is pressed on a bound rests there.
   What is left of the step's time when the particle reaches the bound is dropped. An identity matrix, or no time, moves nothing to a bound. */

/* With position_low the state of a particle is the unevaluated sums position + position_low and velocity +
   velocity_low, good to 2^-48 of themselves. Start with 0. A step reads the sums and the sums of the matrix, computes
   in double, and leaves low parts of at most half an ulp. Give low parts where states must last: see Repeated steps. */

/* Advances particles begin..end-1 by one time step, all with the same matrix. The identity matrix (dt = 0) leaves
   every state as it is, bit for bit; with low parts of a matrix that is one whose low parts are 0 as well. Positions
   and speeds below 2^-95 (2.5e-29) become 0, and low parts too, so that no subnormal number is carried from step to
   step.

   particles   see above; position, velocity and the low parts must overlap no other array
   begin, end  begin <= end <= count; an empty range does nothing and needs no arrays
   matrix      finite coefficients, with low parts finite low parts too

   GYRE_ERROR_NULL (particles, matrix, position, velocity; velocity_low beside a position_low), GYRE_ERROR_RANGE (begin,
   end), GYRE_ERROR_VALUE (a coefficient, or uniform_acceleration where it is used, not finite; bounce outside [0, 1]).
   Largest error against the exact product with the given matrix: 4 eps (|position| + |pos_vel v| + |pos_acc a|) for the
   position, 3 eps (|vel_vel v| + |vel_acc a|) for the velocity, plus 2^-95, where these sums are floats themselves.
   With low parts 2^-47 in place of 4 eps and 3 eps, and 2^-94 in place of 2^-95. A velocity that leaves a bound: eps
   more, or 2^-47, of itself.

   Repeated steps: n steps add up to at most n times the error of one, and an error of the velocity also moves the
   position for the time that is left. The error of the matrix is the same in every step: it acts like a damping that is
   wrong by up to 4 eps (1 + |p|) / dt. With damping, old errors of the velocity decay as the velocity does. A step that
   moves a particle by less than half an ulp of its position does not move it, however often it is repeated. At a
   position of 1e7, where floats are 1 apart, a particle of 20 u/s stands still at 60 Hz, and one of 40 u/s moves at
   60 u/s. Keep positions relative to a near origin, or give low parts: with them n steps add up to at most 2^-46 n of
   the position and of the velocity, and a particle moves wherever its step is above 2^-49 of its position.

   Cost: bound by memory beyond the second-level cache. Products of coefficients and states that are subnormal numbers
   take up to 40 times as long, as at a terminal velocity of which a step leaves less than 2^-126. With low parts 6
   to 8 times as long in the caches. */
GYRE_API gyre_status gyre_particles_step(const gyre_particles *particles, size_t begin, size_t end,
                                         const gyre_particle_matrix *matrix);

/* Advances particles begin..end-1 by one time step, each with a damping of its own: matrix and step in one pass, with the
   same bits as the two functions above give, table by table. dt_s = 0 leaves every state as it is, whatever the damping.

   particles, begin, end  as for gyre_particles_step
   damping                1/s, count of them; one that is negative, NaN or infinite makes that particle NaN and no other
   time_scale             NULL, or count of them: particle i is stepped by time_scale[i] * dt_s, as a float. 0 leaves
                          its state as it is, a negative one runs it backwards; where the product is NaN or infinite
                          that particle, and no other, becomes NaN
   dt_s                   s, any finite time; where gyre_particle_matrix_at returns GYRE_ERROR_RANGE that particle, and
                          no other, may become NaN or infinite, even at rest

   GYRE_ERROR_NULL (particles, damping, position, velocity; velocity_low beside a position_low), GYRE_ERROR_RANGE
   (begin, end), GYRE_ERROR_VALUE (dt_s, or uniform_acceleration where it is used, not finite; bounce outside [0, 1]).
   Largest error: those of matrix and step together. Repeated steps: as above.
   Cost: in the caches 4 times a step with one matrix, 8 times where a |p| among 128 neighbours is above 1. Subnormal
   numbers take up to 15 times as long: where a step leaves less than 2^-100 of a velocity, and where damping * dt_s is
   below 2^-126 and not 0. With low parts that of gyre_particle_matrix_at for each. At most 5 KiB of stack. */
GYRE_API gyre_status gyre_particles_step_each(const gyre_particles *particles, size_t begin, size_t end,
                                              const float *damping, const float *time_scale, float dt_s);

/* ---- Rest positions and times ----

   For one particle under damping alone, as in scrolling and flinging. position and where in u, velocity and speed in
   u/s, damping in 1/s, times in s; all finite. A place or a speed that is never reached is GYRE_ERROR_VALUE. Each
   costs some 20 ns. */

/* Where a particle comes to rest: position + velocity / damping. With velocity 0 it rests at its position, also without
   damping.

   GYRE_ERROR_NULL (out), GYRE_ERROR_VALUE (damping 0 and velocity not 0, too), GYRE_ERROR_RANGE.
   Largest error: 0.5001 ulp, plus 2^-52 of the way to it. */
GYRE_API gyre_status gyre_damping_rest_position(float position, float velocity, float damping, float *out);

/* The velocity with which a particle comes to rest at `where`: damping (where - position).

   GYRE_ERROR_NULL (out), GYRE_ERROR_VALUE (damping 0 and where not position, too), GYRE_ERROR_RANGE.
   Largest error: 0.5001 ulp. */
GYRE_API gyre_status gyre_damping_velocity_to_rest_at(float position, float where, float damping, float *out);

/* When a particle is as slow as `speed`, at least 0: ln(|velocity| / speed) / damping. 0 if it is exactly so now.

   GYRE_ERROR_NULL (out_s), GYRE_ERROR_VALUE (also a speed above |velocity|; a lower one without damping; 0 where the
   velocity is not 0), GYRE_ERROR_RANGE.
   Largest error: 0.6 ulp. */
GYRE_API gyre_status gyre_damping_time_to_speed(float velocity, float damping, float speed, float *out_s);

/* When a particle passes `where`: -log1p(-damping (where - position) / velocity) / damping, which goes over smoothly
   into (where - position) / velocity as the damping goes to 0. 0 if it is there now.

   GYRE_ERROR_NULL (out_s), GYRE_ERROR_VALUE (also a place behind it, or at or beyond its rest position),
   GYRE_ERROR_RANGE.
   Largest error: 0.6 ulp, and more near the rest position, where the way that is left is known only to 2^-50 of the
   way there. */
GYRE_API gyre_status gyre_damping_time_to_position(float position, float velocity, float damping, float where,
                                                   float *out_s);

/* ---- Flings ----

   What a finger or a wheel sets off and lets go, as in scroll views: damped between two edges, and pulled back by a
   spring beyond them. */
typedef struct gyre_flings {
    size_t count;
    float *position;     /* u, count of them, in and out */
    float *velocity;     /* u/s, count of them, in and out */
    const float *lower;  /* u, the edges, */
    const float *upper;  /* count of each; NULL, or one that is NaN: no edge on that side */
    float damping;       /* 1/s, inside the edges */
    gyre_spring spring;  /* outside; its target is the edge, and `follow` of no effect */
    float rest_distance; /* u, and */
    float rest_speed;    /* u/s: see Rest; 0: never */
    uint8_t *awake;      /* NULL, or count bytes, out and with skip_asleep in: 0 for a fling at rest, else 1 */
    bool skip_asleep;    /* flings whose awake is 0 are left as they are, whatever their state */
} gyre_flings;

/* Advances flings begin..end-1 by dt_s.

   Motion     The position alone says who moves a fling: inside the edges, or on one, the damping; outside, a spring to
              the edge. At an edge one hands over to the other with the velocity there, at the exact moment, in both
              directions: a fling that the spring throws back into the content goes on as a fling. After 16 hand-overs
              in one step the rest of its time is dropped. Where lower is above upper, upper is both edges. To fling
              again write the velocity, and awake = 1; to move an edge write it.
   Rest       After a step a fling within rest_speed stops: inside where it is, outside on its edge if that is within
              rest_distance. `awake` is 0 where the speed is 0 and the position is not outside, and 1 where either is
              NaN.
   Identity   A step of no time leaves position and velocity bit for bit and writes `awake`. So does a step of a fling
              at rest, but -0 may become 0.
   Flush      Speeds, moves and displacements from the edge below 2^-95 (2.5e-29) become 0.

   flings      see above; position, velocity and awake must overlap no other array
   begin, end  begin <= end <= count; an empty range needs no arrays
   dt_s        s, at least 0

   GYRE_ERROR_NULL (flings, position, velocity; awake with skip_asleep), GYRE_ERROR_RANGE (begin, end),
   GYRE_ERROR_VALUE (damping, a rest limit or dt_s negative or not finite; a spring that gyre_spring_matrix_at refuses).
   An element that is not finite, or becomes so, may be NaN, and stays awake.
   Error: a step without a hand-over as of gyre_particles_step_each inside and gyre_springs_step_each outside, with the
   edge as target. One with hand-overs: eps of the position and of the velocity, and 2^-40 of the largest that they were
   on the way. Ten steps of a tenth of the time equal one to the sum of these errors.
   Cost: in the caches 7 times a step of springs with one matrix; each fling that meets an edge some 250 ns, and
   where a step is half a period of the spring every fling outside meets one. With skip_asleep 64 flags are looked at
   at a time, and nothing else where all are 0. A call computes the two matrices: some 80 ns. */
GYRE_API gyre_status gyre_flings_step(const gyre_flings *flings, size_t begin, size_t end, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
