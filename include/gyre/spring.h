/* Damped springs in closed form. Part of Gyre: see gyre.h for what holds for all functions, and
   springs-reference.md for full error bounds, limits, costs and edge cases.

   A spring pulls x, its displacement from the target, by  x'' + 2 z w x' + w^2 x = 0  with angular frequency w and
   damping ratio z. The state after any time is a 2x2 matrix times the state before. Springs that share w, z and the
   time share a matrix, and no time step is too long.

   Units    u is the unit of positions: metres, pixels, radians, opacity. Times are in seconds.
   Range    Only elements begin..end-1 are stepped. An empty range does nothing and needs no arrays.
   Threads  Calls on the same arrays need disjoint ranges.
   Error    The largest of one call. eps is 2^-24, half an ulp of 1. */
#ifndef GYRE_SPRING_H
#define GYRE_SPRING_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gyre_spring {
    float angular_frequency; /* rad/s, of the undamped spring, >= 0; 0 is free motion */
    float damping_ratio;     /* >= 0; below 1 underdamped, 1 critical, above 1 overdamped */
    float follow;            /* in [0, 1], for moving targets: 0 lags by 2 z / w times their velocity, 1 keeps up */
} gyre_spring;

/* ---- Ways to describe a spring ----

   Times are in s and above 0, masses m in kg and above 0, stiffnesses k in N/m, dampings c in N s/m, damping ratios z
   at least 0. Functions that make a spring write *out with follow 0.

   Error  1 ulp of each result
   Cost   tens of nanoseconds; from_half_life and from_settling take some microseconds */

/* Makes a spring from a mass, a stiffness and a damping: w = sqrt(k/m), z = c / (2 sqrt(k m)).

   stiffness  at least 0
   damping    at least 0; only 0 where stiffness is 0 */
GYRE_API gyre_status gyre_spring_from_stiffness(float mass, float stiffness, float damping, gyre_spring *out);

/* Makes a spring from its undamped period and its damping ratio, as in UIKit and SwiftUI: w = 2 pi / response_s. */
GYRE_API gyre_status gyre_spring_from_response(float response_s, float damping_ratio, gyre_spring *out);

/* Makes a spring from a duration and a bounce, as in SwiftUI and Flutter: w = 2 pi / duration_s, z = 1 - bounce, or
   z = 1 / (1 + bounce) for a negative bounce.

   bounce  in (-1, 1]; 1 is undamped, 0 critical, negative overdamped */
GYRE_API gyre_status gyre_spring_from_duration(float duration_s, float bounce, gyre_spring *out);

/* Makes a spring from its half-life and its damping ratio.
   Released at rest, the spring is half-way to its target for the first time after half_life_s. */
GYRE_API gyre_status gyre_spring_from_half_life(float half_life_s, float damping_ratio, gyre_spring *out);

/* Makes a spring from its settling time and its damping ratio.
   Released at rest, the spring stays within `fraction` of its initial displacement from settling_s on, and not before.

   damping_ratio  above 0
   fraction       in (0, 1) */
GYRE_API gyre_status gyre_spring_from_settling(float settling_s, float damping_ratio, float fraction, gyre_spring *out);

/* Computes the stiffness and the damping of a spring on a given mass: k = m w^2, c = 2 z m w. */
GYRE_API gyre_status gyre_spring_to_stiffness(gyre_spring spring, float mass, float *stiffness, float *damping);

/* Computes the undamped period of a spring: 2 pi / w.
   Returns GYRE_ERROR_VALUE for an angular frequency of 0. */
GYRE_API gyre_status gyre_spring_to_response(gyre_spring spring, float *response_s);

/* Computes the duration and the bounce of a spring: 2 pi / w, and 1 - z, or 1 / z - 1 for z > 1.
   A bounce below -1 + 2^-24 is written as that. Returns GYRE_ERROR_VALUE for an angular frequency of 0. */
GYRE_API gyre_status gyre_spring_to_duration(gyre_spring spring, float *duration_s, float *bounce);

/* ---- Settling and turning ----

   From a displacement (u, from the target) and a velocity (u/s) at the start. */

/* Finds the time from which a spring stays within a tolerance of its target.

   tolerance  u, above 0
   out_s      out: s; 0 if the spring is never further away

   Returns  GYRE_ERROR_VALUE also if the spring never settles
   Error    never early; late by at most 1e-3 of itself plus 2^-149
   Cost     some microseconds */
GYRE_API gyre_status gyre_spring_settling_time(gyre_spring spring, float displacement, float velocity, float tolerance,
                                               float *out_s);

/* Finds when and where a spring turns for the first time, that is, where its velocity is 0 next.

   time_s  out: s, after the start
   peak    out: u, the displacement at that time, signed

   Returns  GYRE_ERROR_VALUE also if the spring does not turn
   Error    1 ulp + 2^-50 n of each result; n is 1 for z < 1, and unbounded for z >= 1 (springs-reference.md)
   Cost     about 100 ns */
GYRE_API gyre_status gyre_spring_peak(gyre_spring spring, float displacement, float velocity, float *time_s,
                                      float *peak);

/* ---- Matrix ---- */

/* What a time step does to displacement and velocity, while the target moves evenly by `move` (u, 0 if it is still):
       displacement <- pos_pos * displacement + pos_vel * velocity + pos_ramp * move        pos_vel in s
       velocity     <- vel_pos * displacement + vel_vel * velocity + vel_ramp * move        vel_pos and vel_ramp in 1/s
   Displacements are from where the target is at that moment. */
typedef struct gyre_spring_matrix {
    float pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp;
    float low[6];       /* exact coefficients minus the floats above, in that order: read by steps with low parts */
    gyre_spring spring; /* that the matrix is of, and */
    float dt_s;         /* s, its time: read only at bounds; 0: unknown, as with smoothing or made by hand */
} gyre_spring_matrix;

/* Computes the matrix that advances a spring by a time step.

   dt_s  s, any finite time; 0 gives the identity, a negative time runs backwards

   Returns  GYRE_ERROR_RANGE also where exp(-z w dt) is too large for a float, as far backwards
   Error    4 eps (1 + |w t|) times a coefficient's scale + 2^-149 for z, |w t| <= 1e4; ramps: springs-reference.md
   Cost     150 to 250 ns */
GYRE_API gyre_status gyre_spring_matrix_at(gyre_spring spring, float dt_s, gyre_spring_matrix *out);

/* Computes the matrix of first-order smoothing for a time step.
   The displacement halves in every half-life, and the velocity becomes 0. All steps with a matrix accept it.

   half_life_s  s, above 0
   dt_s         s, any finite time; 0 gives the identity, a negative time runs backwards

   Error  1 ulp of each coefficient
   Cost   tens of nanoseconds */
GYRE_API gyre_status gyre_smoothing_matrix_at(float half_life_s, float dt_s, gyre_spring_matrix *out);

/* ---- Batches of springs ----

   A point in three dimensions is three springs, or three batches. */
typedef struct gyre_springs {
    size_t count;
    float *position;            /* u, count of them, in and out */
    float *velocity;            /* u/s, count of them, in and out */
    const float *target;        /* u, count of them; NULL: every target is 0 */
    float period;               /* u; 0: none. > 0: displacement is taken the short way round (2 pi for angles) */
    float rest_distance;        /* u, and */
    float rest_speed;           /* u/s: a spring within both after a step stops on its target; either 0: never */
    uint8_t *awake;             /* NULL, or count bytes out (with skip_asleep in and out): 1 where changed, else 0 */
    float *position_low;        /* u, and */
    float *velocity_low;        /* u/s: NULL, or count of each, in and out: low parts; position_low decides */
    const float *target_before; /* NULL, or u, count of them: from where each target moves evenly during the step */
    const float *lower;         /* u, and */
    const float *upper;         /* u: each NULL, or count bounds of positions; NaN: none. Not with a period */
    float bounce;               /* 0 to 1: part of its speed that a bounce leaves */
    bool stop_at_target;        /* a spring that reaches its target stops */
    const float *rest_scale;    /* NULL, or count factors of both rest limits */
    bool skip_asleep;           /* springs whose awake is 0 keep every bit */
} gyre_springs;

/* What a step does to each spring, in this order (at length in springs-reference.md):

   Sleep   With skip_asleep, a spring whose awake is 0 keeps every bit. With a new target, write awake = 1 too.
   Step    The matrix is applied to the displacement, position - target, and to the velocity. With a period the
           displacement is wrapped into half a period on either side.
   Flush   Displacements, speeds and low parts below 2^-95 (2.5e-29) become 0.
   Stop    With stop_at_target, a spring that crosses its target, or starts on one that stands, stops on it.
   Rest    A spring within both rest limits stops on its target. Without limits it may never rest.
   Bounds  Bounces take place at their exact moments, at most 16 a step; backwards the speed is divided by `bounce`.
           Where dt_s of the matrix is 0, a position that ends beyond a bound becomes the bound.
   Awake   Becomes 1 where a stored value changes or is NaN, or where no time passes and a spring is not at rest; else
           0. So what is awake after a step is what has to be drawn.

   Aliasing   An array that a call writes must overlap no other.
   Identity   A step of no time, or with an identity matrix, keeps every bit of position and velocity.
   Period     Each step drops whole periods. Beyond half a period, use gyre_turn_targets instead.
   Low parts  With position_low, states are the sums position + position_low and velocity + velocity_low, good to 2^-48
              of themselves. Start with 0. */

/* Advances springs by one time step, all with the same matrix.

   matrix  finite coefficients; ramps are read only with target_before, low parts only with position_low

   Error  3 eps (|pos_pos x| + |pos_vel v|) + eps |target| + 2^-95 for positions; the rest in springs-reference.md
   Cost   that of memory beyond the second-level cache; with low parts 6 to 7 times as long in the caches */
GYRE_API gyre_status gyre_springs_step(const gyre_springs *springs, size_t begin, size_t end,
                                       const gyre_spring_matrix *matrix);

/* Advances springs by one time step, each with one matrix of a palette.
   It gives the same bits as gyre_springs_step with each spring's own matrix.

   palette  palette_count matrices, NULL only if that is 0; one that is not finite makes its springs invalid
   index    count of them, one per spring

   Returns  GYRE_INCOMPLETE: an index was outside the palette; that spring is NaN, unless skipped
   Error    as for gyre_springs_step
   Cost     indices in runs of 64 or more are 1.7 to 2.8 times as fast in the caches as in no order */
GYRE_API gyre_status gyre_springs_step_palette(const gyre_springs *springs, size_t begin, size_t end,
                                               const gyre_spring_matrix *palette, size_t palette_count,
                                               const uint16_t *index);

/* Advances springs by one time step, each with parameters of its own.
   It gives the same bits as gyre_spring_matrix_at and gyre_springs_step, table by table. A spring whose parameters
   gyre_spring_matrix_at refuses becomes NaN, or for GYRE_ERROR_RANGE perhaps infinite.

   angular_frequency  rad/s, count of them
   damping_ratio      count of them
   follow             NULL (0), or count of them
   time_scale         NULL (1), or count of them: a spring's time, its velocity's too, is the float time_scale * dt_s
   dt_s               s, any finite time; 0 is the identity for all

   Error  those of gyre_spring_matrix_at and gyre_springs_step together (springs-reference.md)
   Cost   that of arithmetic; with low parts that of gyre_spring_matrix_at for each spring. At most 16 KiB of stack */
GYRE_API gyre_status gyre_springs_step_each(const gyre_springs *springs, size_t begin, size_t end,
                                            const float *angular_frequency, const float *damping_ratio,
                                            const float *follow, const float *time_scale, float dt_s);

/* Evaluates springs at any time after a given start, for animations that are functions of time.

   start                       position, velocity, target and period; nothing else is used, and none is written
   elapsed_s                   s, count of them: 0 gives the start bit for bit, a negative time the state before it,
                               +infinity the target at rest (springs-reference.md)
   position_out, velocity_out  u and u/s, count of each; they may be start's own arrays

   Error  as for gyre_springs_step_each
   Cost   as for gyre_springs_step_each. At most 14 KiB of stack */
GYRE_API gyre_status gyre_springs_at(const gyre_springs *start, size_t begin, size_t end, gyre_spring spring,
                                     const float *elapsed_s, float *position_out, float *velocity_out);

/* ---- A greatest speed ---- */

/* Computes targets that keep springs from going faster than a greatest speed, like maxSpeed of Unity's SmoothDamp.
   Call it before each step, and step with its results as `target_before` and `target`. A spring that is further from
   its target than 2 z max_speed / w then goes at max_speed, at any frame rate, and stays awake. Rest limits must not
   let it rest that far away. The limit is on the length of vectors of 1 to 4 components; each component has its arrays.

   target_before, target  u, before and after the step; the same arrays if targets stand still
   spring, dt_s           those of the matrix; frequency and damping ratio above 0, follow 0, dt_s at least 0
   max_speed              u/s, at least 0; INFINITY limits nothing. A spring that is already faster slows down to it.
   target_before_out      u; may be the arrays of target_before, unless these are those of target
   target_out             u; may be the arrays of target, likewise

   Error  0.5001 ulp of each result + 2^-50 of the largest term (springs-reference.md)
   Cost   5 ns per vector with three components and 8 lanes */
GYRE_API gyre_status gyre_limit_targets(float *const position[], float *const velocity[], float *const target_before[],
                                        float *const target[], size_t components, gyre_spring spring, float max_speed,
                                        float dt_s, float *const target_before_out[], float *const target_out[],
                                        size_t begin, size_t end);

/* ---- Springs on rotations ----

   For cameras, look-at, bones and hands: an orientation follows a target and keeps its angular velocity when the target
   jumps. Below half a turn, ten steps of a tenth equal one step. Quaternions are x y z w; q and -q are the same. */
typedef struct gyre_orientation_springs {
    size_t count;
    float *orientation[4];         /* count of each, in and out */
    float *angular_velocity[3];    /* rad/s in the world, x y z; count of each, in and out */
    const float *target[4];        /* count of each; NULL: every target is the identity */
    const float *target_before[4]; /* from where each target turns evenly during the step; NULL: it stands still */
    float rest_angle;              /* rad, to the target, and */
    float rest_speed;              /* rad/s: within both after a step, a spring stops on its target; either 0: never */
    uint8_t *awake;                /* NULL, or count bytes out (with skip_asleep in and out): 1 where changed, else 0 */
    bool skip_asleep;              /* springs whose awake is 0 keep every bit: write awake = 1 when a target changes */
} gyre_orientation_springs;

/* Advances springs on rotations by one time step, all with the same matrix.
   Springs take the short way, whatever the signs of the quaternions. Results have the length of the target, within
   8 eps, and its sign. An identity matrix keeps every bit of all states (springs-reference.md).

   springs  arrays must not overlap; the first pointer of a group decides for it. A quaternion whose length is not
            between 2^-30 and 2^30 makes that spring NaN, as may a turn of more than 2^40 rad.
   matrix   of gyre_spring_matrix_at or gyre_smoothing_matrix_at for dt_s; ramps are used only where targets move
   dt_s     s, any finite time; used only where targets move

   Error    6 eps (1 + s) rad and 8 eps (1 + s) r rad/s, with s and r as in springs-reference.md
   Cost     that of arithmetic; fastest in ranges of 128 springs and more. At most 13 KiB of stack */
GYRE_API gyre_status gyre_orientation_springs_step(const gyre_orientation_springs *springs, size_t begin, size_t end,
                                                   const gyre_spring_matrix *matrix, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
