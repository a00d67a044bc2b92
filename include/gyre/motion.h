/* Friction and constant acceleration, exact for any time step. Part of Gyre: see gyre.h for the promises that hold
   throughout.

   A particle with drag d keeps the fraction d of its velocity each second: dv/dt = v ln d + a. After any time t its
   state is a linear function of position, velocity and acceleration, so one matrix serves every particle with the same
   drag, and no time step is too long. Drag 1 is none: x + v t + a t^2 / 2, reached smoothly.

   Units: u stands for whatever unit positions are in. */
#ifndef GYRE_MOTION_H
#define GYRE_MOTION_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What t seconds do:
       position <- position + pos_vel * velocity + pos_acc * acceleration       pos_vel in s, pos_acc in s^2
       velocity <-            vel_vel * velocity + vel_acc * acceleration       vel_acc in s */
typedef struct gyre_motion_matrix {
    float pos_vel, vel_vel, pos_acc, vel_acc;
} gyre_motion_matrix;

/* The matrix of drag for dt_s seconds. drag in (0, 1] is the fraction of velocity left after one second. Any finite dt:
   0 changes nothing, a negative one runs backwards.

   Errors: GYRE_ERROR_NULL (out), GYRE_ERROR_VALUE (drag outside (0, 1] or NaN; dt not finite), GYRE_ERROR_RANGE (a
   coefficient leaves the range of float, as when run far back). *out is then as it was.

   Largest relative error, with p = t ln d and eps = 2^-24: vel_vel 4 eps (1 + |p|), pos_vel and vel_acc 6 eps, pos_acc
   8 eps, these three backwards times (1 + |p|); plus 2^-149. A vel_vel below 2^-126 is 0. Forwards that holds for any
   dt. Method: the series of (exp p - 1 - p) / p^2, and exp p where |p| > 1, see kernels/particle/step-inl.h. */
GYRE_API gyre_status gyre_motion_matrix_at(float drag, float dt_s, gyre_motion_matrix *out);

/* `count` particles of one coordinate each, in structure-of-arrays memory: one that moves in three dimensions is three
   of them, or three calls. The struct and the arrays are the caller's; Gyre keeps neither. */
typedef struct gyre_particles {
    size_t count;
    float *position;            /* u, count of them, in and out */
    float *velocity;            /* u/s, count of them, in and out */
    const float *acceleration;  /* u/s^2, count of them; NULL: uniform_acceleration for all */
    float uniform_acceleration; /* u/s^2 */
} gyre_particles;

/* Advances particles begin..end-1 by one time step, all with the same matrix. Elements outside that range are not
   touched, and threads may step disjoint ranges of the same particles at once.

   Positions and speeds below 2^-95 (2.5e-29) become 0, so that no subnormal number is carried. The identity matrix
   (dt = 0) leaves every state as it is, bit for bit.

   Errors: GYRE_ERROR_NULL (particles, matrix, position or velocity), GYRE_ERROR_RANGE (begin > end or end > count),
   GYRE_ERROR_VALUE (a coefficient not finite, or uniform_acceleration in use and not finite). An empty range does
   nothing and needs no arrays. position, velocity and acceleration must not overlap.

   Largest error against the exact product with the given matrix, eps = 2^-24: 4 eps (|position| + |pos_vel v| +
   |pos_acc a|) and 3 eps (|vel_vel v| + |vel_acc a|), plus 2^-95, where these sums are floats themselves. Cost:
   memory-bound beyond the second-level cache, unless products of coefficients and states are subnormal numbers, as at a
   terminal velocity of which a step leaves less than 2^-126: up to 40 times as much. */
GYRE_API gyre_status gyre_particles_step(const gyre_particles *particles, size_t begin, size_t end,
                                         const gyre_motion_matrix *matrix);

/* The same with a drag per particle (count floats, each in (0, 1]): matrix and step in one pass. dt_s finite, else
   GYRE_ERROR_VALUE; drag NULL: GYRE_ERROR_NULL. A drag outside (0, 1] or NaN makes that particle NaN, and no other.
   Where gyre_motion_matrix_at returns GYRE_ERROR_RANGE that particle, and no other, may become NaN or infinite, even at
   rest. dt_s = 0 leaves every state as it is, whatever the drag. Largest error: that of gyre_motion_matrix_at and
   gyre_particles_step together; the same bits as those two give, table by table. Uses at most 6 KiB of stack. A drag so
   near 1 that |p| is 2^-30 or less, but not 0, takes up to 25 times as long on some CPUs, and one of which a step
   leaves less than 2^-100 up to 15 times. */
GYRE_API gyre_status gyre_particles_step_each(const gyre_particles *particles, size_t begin, size_t end,
                                              const float *drag, float dt_s);

/* Where and when a particle under drag alone comes to rest, as scroll and fling code asks. position in u, velocity in
   u/s, drag in (0, 1]. Each writes its result or returns an error and writes nothing: GYRE_ERROR_NULL (out),
   GYRE_ERROR_VALUE (a parameter NaN, infinite or outside its range, or what is never reached), GYRE_ERROR_RANGE (a
   result outside the range of float). Largest error of the rest position: 1 ulp of the larger of it and the way there;
   of a time 1 ulp, and more near the rest position, where the way that is left is known only to 2^-50 of the way that
   is gone. */

/* position - velocity / ln d: where it stops. Without drag (1) nothing that moves ever stops: GYRE_ERROR_VALUE. */
GYRE_API gyre_status gyre_drag_rest_position(float position, float velocity, float drag, float *out);

/* ln(speed / |velocity|) / ln d: when it is as slow as `speed` >= 0. 0 if it is exactly so now. A speed above
   |velocity|, and a lower one without drag, is never reached; nor is 0 by what moves. */
GYRE_API gyre_status gyre_drag_time_to_speed(float velocity, float drag, float speed, float *out_s);

/* log1p(ln d (where - position) / velocity) / ln d: when it passes `where`. 0 if it is there now. Goes over smoothly
   into (where - position) / velocity as drag goes to 1. Behind it, or at or beyond its rest position: never reached. */
GYRE_API gyre_status gyre_drag_time_to_position(float position, float velocity, float drag, float where, float *out_s);

#ifdef __cplusplus
}
#endif

#endif
