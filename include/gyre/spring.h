/* Damped springs in closed form. Part of Gyre: see gyre.h for the promises that hold throughout.

   A spring pulls x, its displacement from the target, by  x'' + 2 z w x' + w^2 x = 0  with angular frequency w and
   damping ratio z. After any time t its state is a 2x2 matrix times the state before. The matrix depends on w, z
   and t alone, so one matrix serves every spring that shares them, and no time step is too long.

   Units: u stands for whatever unit positions are in (metres, pixels, radians, opacity). */
#ifndef GYRE_SPRING_H
#define GYRE_SPRING_H

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gyre_spring {
    float angular_frequency; /* rad/s, undamped, >= 0; 0 is free motion */
    float damping_ratio;     /* >= 0; below 1 swings, 1 is critical, above 1 creeps */
} gyre_spring;

/* The usual ways to describe a spring. Each writes *out and returns GYRE_OK, or returns an error and writes nothing:
   GYRE_ERROR_NULL if out is NULL, GYRE_ERROR_VALUE if a parameter is NaN, infinite or outside its range, and
   GYRE_ERROR_RANGE if the angular frequency or the damping ratio is too large for a float. Largest error of each
   result: 1 ulp. */

/* w = sqrt(k/m), z = c / (2 sqrt(k m)). mass > 0 (kg), stiffness >= 0 (N/m), damping >= 0 (N s/m).
   Stiffness 0 with damping is no spring but friction (see particle.h): GYRE_ERROR_VALUE. */
GYRE_API gyre_status gyre_spring_from_stiffness(float mass, float stiffness, float damping, gyre_spring *out);

/* w = 2 pi / response. response_s > 0 is the period without damping, as in UIKit and SwiftUI. damping_ratio >= 0. */
GYRE_API gyre_status gyre_spring_from_response(float response_s, float damping_ratio, gyre_spring *out);

/* w = 2 pi / duration, z = 1 - bounce, or 1 / (1 + bounce) for a negative bounce, as in SwiftUI and Flutter.
   duration_s > 0. bounce in (-1, 1]: 1 swings for ever, 0 is critical, towards -1 creeps. */
GYRE_API gyre_status gyre_spring_from_duration(float duration_s, float bounce, gyre_spring *out);

/* The slowest part of the motion halves in half_life_s > 0. With r = z for z <= 1 and r = z - sqrt(z^2 - 1) for z > 1,
   w = ln 2 / (r half_life). damping_ratio > 0: without damping nothing decays. */
GYRE_API gyre_status gyre_spring_from_half_life(float half_life_s, float damping_ratio, gyre_spring *out);

/* The slowest part of the motion falls to `fraction`, in (0, 1), of its start in settling_s > 0:
   w = ln(1 / fraction) / (r settling), r as above. damping_ratio > 0. */
GYRE_API gyre_status gyre_spring_from_settling(float settling_s, float damping_ratio, float fraction, gyre_spring *out);

/* The last moment at which a spring let go at `displacement` (u, from its target) with `velocity` (u/s) is further from
   its target than `tolerance` (u, > 0): the time after which it may count as settled. 0 if it never is further. Found
   to 1e-3 of itself (and 2^-149) and never early, in all regimes, by the true motion and not by its envelope. Computed
   in double: a peak that is off the tolerance by less than 4e-12 + 3e-12 n of it may count as inside or as outside, n
   being how many times the fast part of the motion is the slow one at the start, and 1 where it swings or is critical.
   With n above 5e11 the time is known to fewer digits.

   Errors: GYRE_ERROR_NULL (out_s), GYRE_ERROR_VALUE (a parameter NaN, infinite or outside its range; or the spring
   never settles: no damping or no frequency, and an amplitude outside the tolerance), GYRE_ERROR_RANGE (later than a
   float can say). Cost: some microseconds. Method: bisection after the last turning point, see
   kernels/spring/settling.c. */
GYRE_API gyre_status gyre_spring_settling_time(gyre_spring spring, float displacement, float velocity, float tolerance,
                                               float *out_s);

/* What t seconds do to displacement and velocity:
       displacement <- pos_pos * displacement + pos_vel * velocity        pos_vel in s
       velocity     <- vel_pos * displacement + vel_vel * velocity        vel_pos in 1/s */
typedef struct gyre_spring_matrix {
    float pos_pos, pos_vel, vel_pos, vel_vel;
} gyre_spring_matrix;

/* The matrix of `spring` for dt_s seconds. Any finite dt: 0 gives the identity, a negative one runs backwards. A
   damping ratio above 2^32 counts as 2^32.

   Errors: GYRE_ERROR_NULL (out), GYRE_ERROR_VALUE (frequency or ratio negative, NaN or infinite; dt not finite),
   GYRE_ERROR_RANGE (a coefficient, or exp(-z w dt) by which they are multiplied, leaves the range of float, as when a
   damped spring is run far back). *out is then as it was.

   Largest error of each coefficient, for z up to 1e4 and |w t| up to 1e4: 4 eps (1 + |w t|) times its scale, plus
   2^-149, with eps = 2^-24. With a = z w t, s = (w t)^2 (1 - z^2) and E = exp(-a), or the slow decay exp(-w t (z -
   sqrt(z^2 - 1))) for z > 1, the scale of pos_pos and vel_vel is E (1 + |a| min(1, 1/sqrt|s|)), that of pos_vel is E
   |t| min(1, 1/sqrt|s|), and that of vel_pos is w^2 times the latter. For t < 0 and z > 1, E is the growing exponential
   and |w t| (z + sqrt(z^2 - 1)) stands in place of |w t|. Holds for w and |t| that are 0 or between 2^-50 and 2^50.
   Beyond w t = 1e4 it is 5 eps in place of 4; beyond 2^23 rad no digit of a swinging spring's phase is known, only how
   far it swings (and that to fewer digits where exp(-z w t) / |w t| is below 2^-126). Where E is below e^-64, a
   coefficient below 2^-126 is 0, and up to e^-62 it may be: a step flushes what it would leave of a state up to 2^31,
   and would take a hundred times as long by it. Where w t leaves the range of float, a spring with any damping is over,
   and cannot be run back.

   Method: exp(-a) [C(s) + a S(s)] and so on, with the entire functions C and S, as described in
   kernels/spring/matrix-inl.h. */
GYRE_API gyre_status gyre_spring_matrix_at(gyre_spring spring, float dt_s, gyre_spring_matrix *out);

/* `count` springs of one coordinate each, in structure-of-arrays memory: what moves in three dimensions is three of
   them, or three calls. The struct and the arrays are the caller's; Gyre keeps neither. */
typedef struct gyre_springs {
    size_t count;
    float *position;     /* u, count of them, in and out */
    float *velocity;     /* u/s, count of them, in and out */
    const float *target; /* u, count of them; NULL: every target is 0 */
    float period;        /* u; 0: none. > 0: displacement is taken the short way round (2 pi for angles) */
    float rest_distance; /* u, and */
    float rest_speed;    /* u/s: a spring within both after the step snaps to its target and stops; either 0: never */
    uint8_t *awake;      /* NULL, or count bytes out: 0 exactly when displacement and velocity are both 0, else 1 */
} gyre_springs;

/* Advances springs begin..end-1 by one time step, all with the same matrix. Elements outside that range are not
   touched, and threads may step disjoint ranges of the same springs at once.

   Displacement is position - target, wrapped into half a period either side if there is a period (and 0 from 2^23
   periods on, where a float does not tell); where the difference leaves the range of float, or the multiple of the
   period nearest to it does, the spring becomes infinite or NaN. The new position is target + the new displacement, so
   a step drops whole periods. Rest limits and `awake`, but not the position, wrap once more. The limits are held
   against the new displacement before it is added to the target and rounded, `awake` says how it is afterwards.
   Displacements and speeds below 2^-95 (2.5e-29) become 0, so that no subnormal number is ever carried, unless a target
   is one, and a spring at rest costs what a moving one costs. A spring whose position is its target and velocity 0
   stays there bit for bit (but -0 may become 0). The identity matrix (dt = 0) leaves every state as it is, bit for bit,
   and only writes `awake`. Retargeting is writing `target`, or stepping with another matrix: position and velocity are
   kept.

   Without rest limits a spring need not come to rest: where its steps fall below half an ulp of its position it stays a
   few ulp from its target, awake. Give rest limits that a user can see.

   Errors: GYRE_ERROR_NULL (springs, matrix, position or velocity), GYRE_ERROR_RANGE (begin > end or end > count),
   GYRE_ERROR_VALUE (a coefficient of the matrix not finite; period, rest_distance or rest_speed negative, NaN or
   infinite). An empty range does nothing and needs no arrays, but errors are told all the same. position, velocity,
   target and awake must not overlap.

   Largest error against the exact product with the given matrix: 3 eps (|pos_pos x| + |pos_vel v|) + eps |target| for
   the position, with x, v the displacement and velocity before and eps = 2^-24, plus the rounding of x itself (eps |x|,
   with a period 3 eps (|position| + |target|)) carried through, plus 2^-95; velocity likewise without the target; all
   that where these sums are floats themselves. Within that rounding of half a period from the target either way round
   is the short one. Cost: memory-bound beyond the second-level cache, unless products of coefficients and states are
   subnormal numbers, as in the step in which something small comes to rest. In slices of fewer than 1,024 springs the
   call itself shows; a job should have 65,536 or more (tools/examples/frame.h). */
GYRE_API gyre_status gyre_springs_step(const gyre_springs *springs, size_t begin, size_t end,
                                       const gyre_spring_matrix *matrix);

/* The same with `palette_count` matrices and a 16-bit index per spring (index: count of them): thousands of springs
   that share dozens of styles. The same bits as gyre_springs_step with each spring's own matrix. Indices in runs
   of 64 and more, as sorted styles give, are stepped 1.7 to 2.8 times as fast in the caches as indices in no order.

   An index outside the palette makes that spring NaN; the call steps the others and returns GYRE_INCOMPLETE. A matrix
   that is the identity leaves its springs as they are, bit for bit; one that is not finite makes the springs that use
   it NaN or infinite. Errors as for gyre_springs_step; index, or a palette of more than 0 matrices, NULL:
   GYRE_ERROR_NULL. */
GYRE_API gyre_status gyre_springs_step_palette(const gyre_springs *springs, size_t begin, size_t end,
                                               const gyre_spring_matrix *palette, size_t palette_count,
                                               const uint16_t *index);

/* The same with parameters per spring (count of each; rad/s and none) and one time step: matrix and step in one pass.
   The same bits as gyre_spring_matrix_at and gyre_springs_step give for each spring, table by table.

   A frequency or ratio that is negative, NaN or infinite makes that spring NaN, and no other. Where
   gyre_spring_matrix_at returns GYRE_ERROR_RANGE, as for a damped spring run far back, that spring, and no other, may
   become NaN or infinite, even at rest. dt_s = 0 leaves every state as it is, bit for bit, whatever the parameters.
   Errors as for gyre_springs_step, and dt_s not finite: GYRE_ERROR_VALUE; angular_frequency or damping_ratio NULL:
   GYRE_ERROR_NULL. Largest error of the new state: 8 eps (1 + |w t|) (scale of pos_pos |x| + scale of pos_vel |v|) +
   eps |target| + 2^-95, scales and ranges as for gyre_spring_matrix_at, and 2^-126 (|x| + |v|) for coefficients that
   are so small; velocity likewise, without the target; x itself is rounded as for gyre_springs_step. How long it takes
   where springs are long over, and where parameters are next to nothing: as gyre_springs_at says.

   Nothing is allocated; it uses at most 14 KiB of stack. */
GYRE_API gyre_status gyre_springs_step_each(const gyre_springs *springs, size_t begin, size_t end,
                                            const float *angular_frequency, const float *damping_ratio, float dt_s);

/* Evaluates instead of stepping, for animations that are functions of time: spring i's state `elapsed_s[i]` seconds
   after the state in `start`, which is not written. position_out and velocity_out hold count floats each and may be
   start's own arrays. `awake` and the rest limits of `start` are ignored; target and period count.

   Any elapsed time: 0 gives the state at the start bit for bit, a negative one the state before it, +infinity the
   target at rest for a damped spring (NaN for one that is not, even at rest); -infinity and NaN are NaN for that spring
   alone. A time at which gyre_spring_matrix_at returns GYRE_ERROR_RANGE: as for gyre_springs_step_each. Errors as for
   gyre_springs_step, but rest limits are not looked at, and with `spring` checked as by gyre_spring_matrix_at;
   elapsed_s or an output NULL: GYRE_ERROR_NULL. Largest error, and stack, as for gyre_springs_step_each. What is long
   over costs up to twice what moves, in blocks of 128 springs with an exponent z w t beyond 32 that began with a
   displacement or a velocity of 2^-20 or more, and up to 25 times if they began with 2^-40 or less. Springs with a z or
   an |w t| below 2^-30, but not 0, take up to 40 times as long on some CPUs, where products of these are subnormal. */
GYRE_API gyre_status gyre_springs_at(const gyre_springs *start, size_t begin, size_t end, gyre_spring spring,
                                     const float *elapsed_s, float *position_out, float *velocity_out);

#ifdef __cplusplus
}
#endif

#endif
