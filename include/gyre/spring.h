/* Damped springs in closed form. Part of Gyre: see gyre.h for what holds for all functions.

   A spring pulls x, its displacement from the target, by  x'' + 2 z w x' + w^2 x = 0  with angular frequency w and
   damping ratio z. Its state after any time is a 2x2 matrix times the state before. The matrix depends on w, z and the
   time alone, so springs that share them share a matrix, and no time step is too long.

   Units: u stands for the unit of positions (metres, pixels, radians, opacity); times are in seconds.
   eps is 2^-24, half an ulp of 1. */
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
    float follow; /* in [0, 1]: the part of a moving target's velocity that damping is measured against. 0: the spring
                     lags 2 z / w times the target's velocity behind; 1: it keeps up. Of no effect while targets stand
                     still */
} gyre_spring;

/* ---- Ways to describe a spring ----

   Each function writes *out, with follow 0. Parameters are single numbers; damping_ratio is copied where it is given.

   Returns  GYRE_OK
            GYRE_ERROR_NULL   out is NULL
            GYRE_ERROR_VALUE  a parameter is NaN, infinite or outside its range
            GYRE_ERROR_RANGE  the angular frequency or the damping ratio is too large for a float
   Threads  any
   Error    1 ulp of each result, except where gyre_spring_from_settling says more
   Cost     tens of nanoseconds; half-life and settling search a root, some microseconds */

/* From a mass on a spring: w = sqrt(k/m), z = c / (2 sqrt(k m)).
   mass > 0 (kg), stiffness k >= 0 (N/m), damping c >= 0 (N s/m). Stiffness 0 with damping is friction, which particle
   functions compute, and no spring: GYRE_ERROR_VALUE. */
GYRE_API gyre_status gyre_spring_from_stiffness(float mass, float stiffness, float damping, gyre_spring *out);

/* From the period without damping, as in UIKit and SwiftUI: w = 2 pi / response.
   response_s > 0, damping_ratio >= 0. */
GYRE_API gyre_status gyre_spring_from_response(float response_s, float damping_ratio, gyre_spring *out);

/* From duration and bounce, as in SwiftUI and Flutter: w = 2 pi / duration; z = 1 - bounce, or 1 / (1 + bounce) for a
   negative bounce.
   duration_s > 0; bounce in (-1, 1]: 1 is undamped, 0 critical, negative overdamped. */
GYRE_API gyre_status gyre_spring_from_duration(float duration_s, float bounce, gyre_spring *out);

/* From the half-life: let go at rest, the spring is half-way to its target, for the first time, after half_life_s.
   half_life_s > 0, damping_ratio >= 0. w = c / half_life with c = pi / 3 for z = 0, 1.67835 for z = 1, and nearly
   2 z ln 2 for a large z. */
GYRE_API gyre_status gyre_spring_from_half_life(float half_life_s, float damping_ratio, gyre_spring *out);

/* From the settling time: let go at rest, the spring is within `fraction` of its start from settling_s on, and not
   before.
   settling_s > 0, damping_ratio > 0, fraction in (0, 1). w = s / settling; for z = 1 and fraction 0.01, s = 6.6384.
   Where a turning point of an underdamped spring is at the fraction, s jumps: for fraction 0.02 from 5.02 to 3.60 at
   z = 0.77970. A turning point within 1e-12 of the fraction, relative, may count on either side. */
GYRE_API gyre_status gyre_spring_from_settling(float settling_s, float damping_ratio, float fraction, gyre_spring *out);

/* And back: the parameters of a spring.
   spring: any valid one; follow is not told.

   Returns  GYRE_OK
            GYRE_ERROR_NULL   an output is NULL
            GYRE_ERROR_VALUE  a member of the spring or the mass is NaN, infinite or outside its range; an angular
                              frequency of 0 has no response and no duration
            GYRE_ERROR_RANGE  a result is too large for a float
   Threads  any
   Error    1 ulp of each result
   Cost     tens of nanoseconds */

/* Stiffness and damping for a mass: k = m w^2, c = 2 z m w.
   mass > 0 (kg); *stiffness in N/m, *damping in N s/m. Angular frequency 0: both are 0. */
GYRE_API gyre_status gyre_spring_to_stiffness(gyre_spring spring, float mass, float *stiffness, float *damping);

/* The period without damping: *response_s = 2 pi / w. The damping ratio is the spring's own. */
GYRE_API gyre_status gyre_spring_to_response(gyre_spring spring, float *response_s);

/* Duration and bounce: *duration_s = 2 pi / w; *bounce = 1 - z, or 1 / z - 1 for z > 1: in (-1, 1], where -1 + 2^-24
   stands for less. */
GYRE_API gyre_status gyre_spring_to_duration(gyre_spring spring, float *duration_s, float *bounce);

/* ---- Settling and turning ---- */

/* Finds the last moment at which a spring is further from its target than a tolerance: the time from which it may count
   as settled.
   displacement (u, from the target) and velocity (u/s) at the start, tolerance (u, > 0). *out_s is 0 if the spring is
   never further away.

   Returns  GYRE_OK
            GYRE_ERROR_NULL   out_s is NULL
            GYRE_ERROR_VALUE  a parameter is NaN, infinite or outside its range; or the spring never settles (no damping
                              or no frequency, and an amplitude outside the tolerance)
            GYRE_ERROR_RANGE  the time is too large for a float
   Threads  any
   Error    never early; late by 1e-3 of itself and 2^-149 at most, by the motion and not by its envelope. A turning
            point within 4e-12 + 3e-12 n of the tolerance, relative, may count as inside or as outside; n is the fast
            part of the motion divided by the slow part at the start, and 1 for a damping ratio of at most 1. With n
            above 5e11 the time has fewer correct digits.
   Cost     some microseconds */
GYRE_API gyre_status gyre_spring_settling_time(gyre_spring spring, float displacement, float velocity, float tolerance,
                                               float *out_s);

/* Finds the first turning point after the start: where the velocity is 0 next. For a spring let go at rest it tells how
   far it goes beyond its target; for one that is pushed, how far it is carried.
   displacement (u, from the target) and velocity (u/s) at the start. *time_s: when; *peak: the displacement then,
   signed.

   Returns  GYRE_OK
            GYRE_ERROR_NULL   an output is NULL
            GYRE_ERROR_VALUE  a parameter is NaN, infinite or outside its range; or the spring does not turn: it is at
                              rest at its target, has no frequency, or is not underdamped and at rest or on its way to
                              the target too slowly to cross it
            GYRE_ERROR_RANGE  the time or the displacement is too large for a float
   Threads  any
   Error    of each result 1 ulp + 2^-50 n of itself. n is 1 for z < 1, else (|v| + r |x|) / |v + r x| with
            r = w (z + sqrt(z^2 - 1)): without end next to the speed from which on an overdamped spring crosses its
            target.
   Cost     about 100 ns */
GYRE_API gyre_status gyre_spring_peak(gyre_spring spring, float displacement, float velocity, float *time_s,
                                      float *peak);

/* ---- Matrix ---- */

/* What a time step does to displacement and velocity, while the target moves evenly by `move` (u), which is 0 if it
   stands still:
       displacement <- pos_pos * displacement + pos_vel * velocity + pos_ramp * move        pos_vel in s
       velocity     <- vel_pos * displacement + vel_vel * velocity + vel_ramp * move        vel_pos and vel_ramp in 1/s
   The displacement before the step is from where the target was, the one after it from where the target is then. */
typedef struct gyre_spring_matrix {
    float pos_pos, pos_vel, vel_pos, vel_vel, pos_ramp, vel_ramp;
    float low[6]; /* what each of these lacks to the exact coefficient, in that order: read by steps with low parts */
} gyre_spring_matrix;

/* Computes the matrix of a spring for a time step.
   dt_s: any finite time; 0 gives the identity and ramps of 0, a negative one runs backwards. A damping ratio above 2^32
   counts as that.

   Returns  GYRE_OK
            GYRE_ERROR_NULL   out is NULL
            GYRE_ERROR_VALUE  frequency or ratio negative, NaN or infinite; follow outside [0, 1]; dt_s not finite
            GYRE_ERROR_RANGE  a coefficient, or its factor exp(-z w dt), is too large for a float, as when a damped
                              spring runs far backwards
   Threads  any
   Error    of each coefficient 4 eps (1 + |w t|) times its scale, plus 2^-149, for z and |w t| up to 1e4, and w and |t|
            each 0 or between 2^-50 and 2^50. With a = z w t, s = (w t)^2 (1 - z^2), q = min(1, 1/sqrt|s|) and
            E = exp(-a), or exp(-w t (z - sqrt(z^2 - 1))) for z > 1, the scales are

                pos_pos, vel_vel   E (1 + |a| q)
                pos_vel            E |t| q
                vel_pos            w^2 E |t| q

            For t < 0 and z > 1, E is the growing exponential, and |w t| (z + sqrt(z^2 - 1)) stands for |w t|.
            Each sum of a coefficient and its low part: 2^-46 (1 + |w t|) times the same scale, plus 2^-126.
            Of pos_ramp 8 eps + 2^-126 / |t|, of vel_ramp w (1 + 2 z) times that, for t < 0 each times E (1 + |w t|); of
            their sums with low parts 2^-40 in place of 8 eps.
   Limits   For |w t| above 1e4: 5 eps in place of 4. Above 2^23 rad an underdamped spring keeps its amplitude but no
            digit of its phase, and fewer digits of the amplitude where exp(-z w t) / |w t| is below 2^-126.
            Where E is below e^-64 a coefficient below 2^-126 becomes 0, and may do so up to e^-62: a step would flush
            what it leaves of a state up to 2^31. Where w t is too large for a float, a damped spring is at rest.
            The low part may be as large as the coefficient where that has no digit.
   Cost     150 to 250 ns */
GYRE_API gyre_status gyre_spring_matrix_at(gyre_spring spring, float dt_s, gyre_spring_matrix *out);

/* Computes the matrix of first-order smoothing: the displacement halves in each half-life, and the velocity becomes 0.
   All steps take it.
   half_life_s > 0; dt_s: any finite time, 0 gives the identity, a negative one runs backwards. With
   k = ln 2 / half_life: pos_pos = exp(-k dt), 0 below 2^-126; pos_ramp = -(1 - exp(-k dt)) / (k dt), with which the
   position lags 1 / k times the target's velocity behind. All others are 0.

   Returns  GYRE_OK
            GYRE_ERROR_NULL   out is NULL
            GYRE_ERROR_VALUE  half_life_s not positive or not finite; dt_s not finite
            GYRE_ERROR_RANGE  a coefficient is too large for a float
   Threads  any
   Error    1 ulp of each coefficient; of the sums with low parts 2^-48 (1 + |k dt|) of themselves plus 2^-126
   Cost     tens of nanoseconds */
GYRE_API gyre_status gyre_smoothing_matrix_at(float half_life_s, float dt_s, gyre_spring_matrix *out);

/* ---- Batches of springs ----

   The struct and its arrays are the caller's; Gyre keeps no pointer to them. What moves in three dimensions is three
   springs, or three batches. */
typedef struct gyre_springs {
    size_t count;
    float *position;     /* u, count of them, in and out */
    float *velocity;     /* u/s, count of them, in and out */
    const float *target; /* u, count of them; NULL: every target is 0 */
    float period;        /* u; 0: none. > 0: displacement is taken the short way round (2 pi for angles) */
    float rest_distance; /* u, and */
    float rest_speed;    /* u/s: a spring within both after a step moves onto its target and stops; either 0: never */
    uint8_t *awake;      /* NULL, or count bytes out (with skip_asleep in and out): 0 where a spring rests, else 1 */
    float *position_low; /* u, and */
    float *velocity_low; /* u/s: NULL, or count of each, in and out (see Low parts). position_low decides */
    const float *target_before; /* u, count of them: where each target was when the step began, from where it moves
                                   evenly to `target`; NULL: it stands still. Without target it is not read */
    const float *lower;         /* u, and */
    const float *upper;         /* u: each NULL, or count bounds of the new positions. Not with a period */
    float bounce;               /* 0 to 1: part of its speed with which a spring leaves a bound */
    bool stop_at_target;        /* a spring that reaches its target stops there */
    const float *rest_scale;    /* NULL, or count factors of both rest limits */
    bool skip_asleep;           /* springs whose awake is 0 are left as they are */
} gyre_springs;

/* What the step functions below have in common. A step is, for each spring and in this order:

   Sleep    With skip_asleep, a spring whose awake is 0 keeps every bit. 64 flags at a time, counted from begin, are
            looked at first: where all of them are 0 nothing else is read, except for indices of a palette. Writing a
            target does not wake a spring: write awake = 1 too.
   Step     Displacement x is position - target, with a period wrapped into half a period on either side. The new
            position is target + the new displacement, the new velocity that of the matrix. Retargeting is writing
            `target`: position and velocity are kept. Where the target moves, x is taken from target_before, and the
            matrix's ramps add the move's share, with a period that of the short way.
   Flush    Displacements, speeds and low parts below 2^-95 (2.5e-29) become 0, so that no step carries subnormal
            numbers, unless a target is one.
   Stop     With stop_at_target, a spring whose displacement changes sign in the step, or is 0 before it, moves onto its
            target with velocity 0; with a period, one that passes an equal target as well. A spring that a step takes
            exactly onto its target stops in the next one.
   Rest     The rest limits are compared with the new displacement before it is added to the target and rounded, and
            with the spring's own speed, though the target moves. rest_scale multiplies both. With a period the
            displacement is wrapped once more for them and for `awake`, but the position is not. Without limits a spring
            need not come to rest (see Repeated steps): give limits that a user can see.
   Bounds   The new position is min(max(position, lower), upper); a bound that is NaN bounds nothing. A spring that goes
            beyond a bound b, from x0 and v0 to x1 and v1 without it, leaves it with the velocity -bounce s,

                s = sqrt(v0^2 + (v1^2 - v0^2) (b - x0)/(x1 - x0)),        |v1| where x0 is beyond the bound already

            where s is its speed at b under constant acceleration. The velocity is 0 where bounce s is at most the rest
            speed, and v1 where v1 points inwards. So what a spring presses on a bound lies still there, whatever its
            bounce. Bounds hold at the ends of steps, for states that were stepped, and say nothing of the way between.
   Awake    0 where the velocity is 0, and the displacement is 0 or the target lies beyond the bound that the spring is
            on; else 1.

   Identity A step of no time, or with the identity matrix, leaves position and velocity bit for bit, wherever targets
            and bounds are, and writes `awake`. A matrix is the identity by its first four coefficients. A step of a
            spring at its target with velocity 0 also leaves them, but -0 may become 0.
   Period   Each step wraps, so a step drops whole periods, and the frame rate decides which way a spring goes that
            moves beyond half a period: period 360, w 5, z 0.2 and 1500 u/s end a second later in another turn at every
            frame rate. Where that can happen call gyre_turn_targets (arrays.h) once when a target changes, and step
            without a period. From 2^23 periods on a float does not determine the phase: the displacement is 0 (with low
            parts from 2^29 on). Within rounding of half a period either way counts as the short one.
   Chains   Springs that follow each other, link by link in order, take `target` where the link before is and
            `target_before` where that was before this step: the last link's error is then of second order in dt.
   Overflow Where a difference, a product or a multiple of the period is too large for a float, that spring, and no
            other, becomes infinite or NaN. A spring that is NaN stays awake.
   Low parts
            With position_low, states are the unevaluated sums position + position_low and velocity + velocity_low, good
            to 2^-48 of themselves. Start with 0. A step takes these sums and those of the matrix, computes in double,
            and leaves low parts of at most half an ulp: see Repeated steps. All of the above holds for the sums, and
            the identity is a matrix whose first four low parts are 0 as well.

   Range    Elements begin..end-1 are stepped, others are not touched. An empty range needs no arrays.
   Returns  GYRE_OK
            GYRE_ERROR_NULL   springs, position, velocity or another array that the function needs is NULL,
                              velocity_low beside a position_low, or awake with skip_asleep
            GYRE_ERROR_RANGE  begin > end or end > count
            GYRE_ERROR_VALUE  period, rest_distance or rest_speed negative, NaN or infinite; bounce outside [0, 1];
                              a period with a bound
   Threads  may step disjoint ranges of the same springs at once.
   Aliasing An array that a step writes (position, velocity, low parts, awake) must overlap no other. Arrays that it
            only reads may be the same.
   Cost     targets that move, stop_at_target, bounds or a bounce, rest_scale, skip_asleep, and follow or time_scale of
            gyre_springs_step_each share one loop, whose arithmetic shows in the caches.

   Repeated steps
            The matrix is rounded once, and each step rounds the state. n steps of at most 1 rad (w dt) move the
            amplitude of an underdamped spring by up to 2 eps n of itself beyond exp(-z w t). Where a step is less
            than half an ulp of the position the spring stops, awake: short of its target by up to half an ulp of the
            position divided by the part of the way that one step goes, which is about w dt / (2 z). With w 1, z 1 and
            240 Hz that is 2 u at 100,000 u.
            With low parts n such steps move the amplitude by up to 2^-46 n of itself: 3e-7 in a day at 240 Hz, of which
            1e-9 was measured for w = pi. A spring stops short of no target. */

/* Advances springs by one time step, all with the same matrix.
   springs, begin, end: as above. matrix: finite coefficients (else GYRE_ERROR_VALUE). Ramps are read with
   target_before, low parts with those of states.

   Error    against the exact product with the given matrix: 3 eps (|pos_pos x| + |pos_vel v|) + eps |target| + 2^-95
            for the position; velocity likewise without the target. The rounding of x itself, eps |x| or with a period
            3 eps (|position| + |target|), is carried through the matrix. Holds where these sums are within float.
            With low parts, of the sums: 2^-47 (|pos_pos x| + |pos_vel v| + |target|) + 2^-94 for the position; velocity
            likewise without the target. The rounding of x is 2^-52 (|position| + |target|).
            With target_before, |pos_ramp d| of the target's move d joins the sums, 4 eps stands for 3 eps, and the
            rounding of d, eps |d|, is carried through the ramp.
   Cost     that of memory beyond the second-level cache; more where products of coefficients and states are subnormal,
            as in the step in which something small comes to rest. Jobs of 65,536 springs hide the call; below 1,024 it
            shows. With low parts 6 to 7 times as long in the caches. */
GYRE_API gyre_status gyre_springs_step(const gyre_springs *springs, size_t begin, size_t end,
                                       const gyre_spring_matrix *matrix);

/* Advances springs by one time step, each with one matrix of a palette: thousands of springs that share dozens of
   styles. The same bits as gyre_springs_step with each spring's own matrix.
   palette: palette_count matrices; index: count of them, one per spring. Springs of an identity matrix keep their
   state bit for bit; a matrix that is not finite makes its springs NaN or infinite, or puts them on a bound.

   Returns  also GYRE_INCOMPLETE  an index was outside the palette, a sleeping spring's too: that spring is NaN unless
                                  it is skipped, the others are stepped
            and  GYRE_ERROR_NULL  index is NULL, or palette is NULL and palette_count is not 0
   Error    as for gyre_springs_step
   Cost     indices in runs of 64 and more, as sorted styles give, are 1.7 to 2.8 times as fast in the caches as indices
            in no order. With low parts each spring's matrix is converted by itself. */
GYRE_API gyre_status gyre_springs_step_palette(const gyre_springs *springs, size_t begin, size_t end,
                                               const gyre_spring_matrix *palette, size_t palette_count,
                                               const uint16_t *index);

/* Advances springs by one time step, each with parameters of its own: matrix and step in one pass. The same bits as
   gyre_spring_matrix_at and gyre_springs_step, table by table.
   angular_frequency (rad/s) and damping_ratio: count of each. follow: NULL (0), or count of them. time_scale: NULL (1),
   or count of them: a spring's clock, whose product with dt_s, rounded to float, is that spring's time.
   dt_s: any finite time (else GYRE_ERROR_VALUE); 0 is the identity for all. A parameter that gyre_spring_matrix_at
   refuses, an infinite time included, makes that spring NaN. Where it returns GYRE_ERROR_RANGE that spring may become
   NaN or infinite, even at rest.

   Error    8 eps (1 + |w t|) (scale of pos_pos |x| + scale of pos_vel |v|) + eps |target| + 2^-95 + 2^-126 (|x| + |v|),
            with scales and ranges as for gyre_spring_matrix_at; velocity likewise without the target. x is rounded as
            for gyre_springs_step. With low parts, or where targets move: the errors of gyre_spring_matrix_at and of
            gyre_springs_step.
   Cost     that of arithmetic; more where springs have long decayed or parameters are next to 0, as for
            gyre_springs_at. With low parts that of gyre_spring_matrix_at for each spring. At most 16 KiB of stack. */
GYRE_API gyre_status gyre_springs_step_each(const gyre_springs *springs, size_t begin, size_t end,
                                            const float *angular_frequency, const float *damping_ratio,
                                            const float *follow, const float *time_scale, float dt_s);

/* Evaluates springs instead of stepping them, for animations that are functions of time: the state of spring i
   elapsed_s[i] seconds after its state in `start`, which is not written.
   start: position, velocity, target and period count, all else does not. elapsed_s: count of
   them.
   position_out, velocity_out: count floats each; they may be start's own arrays.
   Any elapsed time: 0 gives the start bit for bit, a negative one the state before it, +infinity the target at rest
   for a damped spring and NaN for an undamped one, even at rest; -infinity and NaN give NaN. Where
   gyre_spring_matrix_at returns GYRE_ERROR_RANGE: as for gyre_springs_step_each.

   Returns  as above, but rest limits are not checked, and
            GYRE_ERROR_VALUE  also where gyre_spring_matrix_at refuses `spring`
            GYRE_ERROR_NULL   also where elapsed_s or an output is NULL
   Error    as for gyre_springs_step_each
   Cost     as for gyre_springs_step_each. Blocks of 128 springs with an exponent z w t above 32 take up to twice as
            long, and up to 25 times if their springs began at 2^-40 or less. Springs with a z or an |w t| below 2^-30,
            but not 0, take up to 40 times as long on some CPUs, where products of these are subnormal. At most 14 KiB
            of stack. */
GYRE_API gyre_status gyre_springs_at(const gyre_springs *start, size_t begin, size_t end, gyre_spring spring,
                                     const float *elapsed_s, float *position_out, float *velocity_out);

/* ---- Springs on rotations ----

   Cameras, look-at, bones, hands: an orientation follows a target and keeps its angular velocity when the target jumps.
   The spring acts on the rotation vector from the target to the orientation, with the matrices of all other springs.
   It is exact in these coordinates: ten steps of a tenth equal one step, below half a turn, at any frame rate. Springs
   that take the angular velocity for the rate of the rotation vector turn otherwise than it says, and have a kink where
   the target changes.

   Quaternions are unit, x y z w. q and -q are the same orientation. */
typedef struct gyre_orientation_springs {
    size_t count;
    float *orientation[4];         /* count of each, in and out */
    float *angular_velocity[3];    /* rad/s in the world, x y z; count of each, in and out */
    const float *target[4];        /* count of each; NULL: every target is the identity */
    const float *target_before[4]; /* where each target was when the step began; it turns evenly to `target`, the short
                                      way. NULL: it stands still */
    float rest_angle;              /* rad, and */
    float rest_speed;              /* rad/s: a spring within both after a step moves onto its target and stops; either
                                      0: never */
    uint8_t *awake;                /* NULL, or count bytes out (with skip_asleep in and out): 0 where the orientation is
                                      the target and the angular velocity is 0, or where the spring was skipped; else 1 */
    bool skip_asleep;              /* springs whose awake is 0 are left as they are */
} gyre_orientation_springs;

/* Advances springs on rotations by one time step, all with the same matrix.
   springs, begin, end: the first pointer of target and of target_before decides for its four. target_before without
   target is ignored.
   matrix: that of gyre_spring_matrix_at or gyre_smoothing_matrix_at for dt_s. Its ramps count for moving targets alone,
   and so do low parts, in the ramps. What counts must be finite (else GYRE_ERROR_VALUE).
   dt_s: any finite time (else GYRE_ERROR_VALUE); it counts for moving targets alone. With a |dt_s| below 2^-126 they
   have no velocity: the displacement from target_before is carried to `target`.

   Way      The short one, whatever the signs of the quaternions. Within 5e-7 rad of half a turn both ways are short,
            and a spring goes on the way it turns relative to its target.
   Result   The length is that of the target within 8 eps, however many steps are made, and the sign that of the target:
            their product is positive for angles below half a turn.
   Lengths  Quaternions whose length is off by more than about 8 eps, targets too, are normalised first. A length not
            between 2^-30 and 2^30 makes that spring NaN.
   Rest     The limits are for the angle to the target, the short way, and the spring's own angular velocity. Without
            limits a spring may stop short of its target, awake, by 1e-7 rad divided by the part of the way that one
            step goes, which is about w dt / (2 z).
   Identity A step with the identity matrix leaves all states bit for bit, wherever targets move, and writes `awake`.
   Asleep   With skip_asleep a spring whose awake is 0 keeps its bits, NaN too. Write awake = 1 when a target changes.
            64 in a row that are asleep cost no more than a look at their flags.
   Flush    Components of a displacement below 2^-61 rad and of an angular velocity below 2^-95 rad/s become 0.
   Overflow A spring that would turn by more than 2^40 rad in a step, and no other, may become NaN.

   Returns  GYRE_OK
            GYRE_ERROR_NULL   springs, matrix, an array of orientation or angular_velocity, or another of a group whose
                              first is given is NULL; skip_asleep without awake. Arrays are not checked in an empty
                              range
            GYRE_ERROR_RANGE  begin > end or end > count
            GYRE_ERROR_VALUE  as above; rest_angle or rest_speed negative, NaN or infinite
   Threads  may step disjoint ranges of the same springs at once.
   Aliasing Arrays must not overlap.
   Error    against the exact step with the given matrix: 6 eps (1 + s) rad for the orientation and 8 eps (1 + s) r
            for the angular velocity. With y the angle to the target, m the angle by which the target moves, v its speed
            m / |dt| and u = 2 (|omega| + v):  s = |pos_pos| y + |pos_vel| u + m,  r = |vel_pos| y + |vel_vel| u + 2 v.
   Cost     that of arithmetic; fastest in ranges of 128 springs and more. At most 13 KiB of stack. */
GYRE_API gyre_status gyre_orientation_springs_step(const gyre_orientation_springs *springs, size_t begin, size_t end,
                                                   const gyre_spring_matrix *matrix, float dt_s);

#ifdef __cplusplus
}
#endif

#endif
