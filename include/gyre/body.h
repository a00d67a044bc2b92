/* Freely rotating rigid bodies. Part of Gyre: see gyre.h for the promises that hold throughout.

   A body turns at omega = I^-1 M, where M is its angular momentum L seen from the body. Without torque L is constant,
   but M and omega are not, because the body turns: T-handles flip and asteroids tumble.

   Choosing a method, limits, accuracy over many steps and cost in full: bodies.md, installed with the documentation.

   Holds for every function here:

   - Frames. "Body" is the frame of the principal axes of inertia, "world" is the caller's. Units are SI; any other
     consistent units do as well.
   - Results. GYRE_OK. GYRE_INCOMPLETE: all was done that could be, but a body in the range is invalid. Errors, with
     nothing written: GYRE_ERROR_NULL for a required pointer that is NULL, or one of an optional group whose first
     pointer is given; GYRE_ERROR_RANGE for begin > end or end > count; GYRE_ERROR_VALUE for a number outside the range
     that is stated, or NaN or infinite. An empty range does nothing and needs no arrays.
   - Invalid bodies. A moment of inertia that is not positive and finite; an orientation, low part, momentum or torque
     with a component that is NaN or infinite; an orientation whose length is not between 2^-50 and 2^50. An invalid
     body becomes NaN, or its result does, and no other body is affected.
   - Threads. Any function may run in any number of threads at once. Those that step bodies need disjoint ranges, of
     the same arrays if wanted, and touch no element outside begin..end-1. Arrays must not overlap.
   - Errors of rounding. eps is 2^-24, half an ulp of 1; s is a body's smallest moment of inertia. */
#ifndef GYRE_BODY_H
#define GYRE_BODY_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `count` bodies in structure-of-arrays memory. The struct and the arrays are the caller's; Gyre keeps neither. The
   first pointer of an optional group decides for the group. */
typedef struct gyre_bodies {
    size_t count;
    float *orientation[4];     /* x y z w: unit quaternion, body to world, in and out */
    float *orientation_low[4]; /* NULL, or in and out: what rounding lost of the orientation, which is the unevaluated
                                  sum of both; an ulp at most; start with 0 */
    float *momentum[3];        /* kg m^2/s, angular momentum in the world, in and out; R(q) I R(q)^T omega of a body
                                  that turns at omega, rad/s in the world */
    const float *inertia[3];   /* kg m^2, principal moments, > 0 */
    const float *torque[3];    /* N m, constant over the step, in the world or see torque_in_body; NULL: none */
    float *momentum_low[3];    /* NULL, or in and out: low parts of the momentum, as for the orientation */
    bool torque_in_body;       /* the torque is given in the body's frame and turns with it */
    float angular_damping;     /* 1/s, >= 0: momentum decays by exp(-angular_damping dt) */
} gyre_bodies;

typedef enum gyre_body_method {
    GYRE_BODY_MOSER_VESELOV,    /* keeps momentum and energy, order 6 or 8, in closed form: the one to use */
    GYRE_BODY_MIDPOINT,         /* implicit midpoint, order 2: energy bounded */
    GYRE_BODY_OBJECT_TRAPEZOID, /* trapezoidal rule seen from the body, order 2: keeps energy */
    GYRE_BODY_TRAPEZOID,        /* trapezoidal rule seen from the world, order 2: energy bounded */
    GYRE_BODY_EXPLICIT_EULER    /* omega constant over a step, order 1: what simple engines do, for comparison */
} gyre_body_method;

/* How to step. All zeros, or a NULL solver, is the default: Moser-Veselov of order 6, as accurate as float in steps of
   up to 0.25 rad. Order 8 takes 4 to 8 percent more time and shows with low parts, or in longer steps. Both are closed
   forms, counted as one iteration; tolerance, max_iterations and fixed_point are for the other methods. */
typedef struct gyre_body_solver {
    gyre_body_method method;
    int order;          /* of Moser-Veselov: 6 or 8; 0: 6. Other methods have one order and ignore this. */
    float tolerance;    /* an iteration stops when the next one would change the rotation by less than this part of
                           it; 0: rounding level */
    int max_iterations; /* in a sub-step; 0: 8 */
    int max_substeps;   /* in a step; 0: 1,024; above 2^24: 2^24 */
    int substeps;       /* 0: as many as the proven bound asks, per body. n > 0: exactly n, past any maximum, each
                           iterated from no rotation: shows what a method does by itself, and is slower */
    bool fixed_point;   /* fixed-point iteration in place of Newton's, for comparison: slow, or does not converge */
} gyre_body_solver;

/* What steps did. Set it to 0 before the first call: calls add to it. Counts are sums over bodies and do not depend on
   neighbours or vector width, so each job can have a report of its own and the caller adds them up. */
typedef struct gyre_body_report {
    uint64_t substeps;
    uint64_t iterations;  /* in all sub-steps */
    uint64_t unconverged; /* bodies that met the limit of sub-steps or of iterations, and invalid ones */
    float worst_residual; /* the largest so far of what the next iteration would have changed, relative to the
                             rotation; of a closed form, what refining its rounding changed, 0 with low parts */
} gyre_body_report;

/* Advances bodies begin..end-1 by dt_s.

   bodies    orientations of another length than 1 are normalised first; GYRE_ERROR_VALUE: angular_damping negative, NaN
             or infinite
   dt_s      s, any finite time; 0 leaves every state as it is, bit for bit; a negative time runs backwards
   solver    NULL: the default. GYRE_ERROR_VALUE: no such method or order, a tolerance that is negative or not finite,
             a negative count, substeps above 2^24
   report    NULL, or added to; one for each thread

   GYRE_OK; GYRE_INCOMPLETE also where a body met the limit of sub-steps or of iterations: it turns on the right path,
   but not to the end of the step, and counts in `unconverged`; errors as above.

   Momentum keeps its bits without torque and damping, but for explicit Euler. A torque acts as half its kick before the
   drift and half after it (order 2 where it is constant; in the body's frame each half is of the attitude then). With
   damping k the drift takes the time (1 - exp(-k dt)) / k and each half of the torque tanh(k dt / 2) / k, so attitudes
   without torque and momenta are exact in a step of any length. The sum is rounded up or down at random, with odds that
   keep its mean: a torque of 2^-17 ulp of the momentum a step or more shows after many steps. But the random bits are
   the state's own, and a wheel that turns by a whole fraction of a turn in each step comes back to the same state:
   it may lose torques below half an ulp a step for ever. With low parts of the momentum none is lost: kicks of 2^-40 of
   the momentum and more are right to 1e-5 of their sum, and momenta after a step to 2^-45.

   Largest error of the orientation against the method computed exactly: (9 + 12 |dt| |L| / s) eps rad in one planned
   sub-step, (24 n + 32 |dt| |L| / s) eps in n <= 4; its length is within 8 eps of 1. With low parts the sum holds the
   orientation to 2^-43 rad, and a sub-step of h loses 4 eps h |L| / s by Moser-Veselov, 10 by the others.
   Over many steps without a torque (bodies with moments up to nine to one, Moser-Veselov): the energy stays within
   6e-5 over 1e6 steps, with low parts within 1e-9. The angle turned about a fixed axis is off by up to 5 eps of itself.
   A body that tumbles about its middle axis, which amplifies every rounding, is 0.001 rad off after 10 s at 60 Hz, with
   low parts 2.5e-6. A top that precesses by 0.1 to 0.3 rad a step is 0.002 rad off (rms) after 1e4 steps and 0.05 after
   1e5, with low parts 1.2e-5 and 1e-4: a rounding of the attitude changes all of the motion that follows.
   With a torque about a fixed axis, low parts of both and steps of 0.1 rad or less the angle turned is right to 1e-9 of
   itself after 1e6 steps. Turns below 2e-7 rad a step need low parts.

   Cost: bound by arithmetic; fastest in ranges of 64 bodies and more. At most 48 KiB of stack. */
GYRE_API gyre_status gyre_bodies_step(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s,
                                      const gyre_body_solver *solver, gyre_body_report *report);

/* Adds what a torque does to the momentum in dt_s: for torques that are functions of the state. A step with a given
   torque is of order 1 for those. Kick by half of the step's time, step with torque[0] NULL, find the torque of the new
   state, and kick by half again: that is of order 2.

   bodies  torque[0] NULL: nothing is added
   dt_s    s, any finite time; 0 leaves every state as it is

   momentum += torque dt_s, rounded as in a step; the torque is turned into the world where it is in the body's frame.
   With angular damping k it is torque tanh(k dt_s) / k, so that two such halves and the step are exact; the step, not
   the kick, applies the damping.

   GYRE_OK, GYRE_INCOMPLETE, errors as above, GYRE_ERROR_VALUE also for angular damping as in gyre_bodies_step.
   Cost: less than a step. */
GYRE_API gyre_status gyre_bodies_kick(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s);

/* Kinetic energy E = M . I^-1 M / 2.

   bodies    orientation, momentum and inertia are read; torque is not looked at
   energy_J  J, count floats

   GYRE_OK, GYRE_INCOMPLETE, errors as above.
   Largest error: 12 eps |L| sqrt(2 E / s) + 2^-147, for moments up to 2^50 apart and momenta of 2^-100 and more. A
   momentum or an angular velocity in the body's frame beyond the range of float gives infinity or NaN.
   Cost: about a seventh of a step. At most 6 KiB of stack. */
GYRE_API gyre_status gyre_bodies_energy(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J);

/* Angular velocity in the world.

   bodies  as for gyre_bodies_energy
   omega   rad/s, three arrays of count floats

   GYRE_OK, GYRE_INCOMPLETE, errors as above.
   Largest error of a component: 12 eps |L| / s + 2^-146, ranges as for gyre_bodies_energy.
   Cost: about a seventh of a step. At most 6 KiB of stack. */
GYRE_API gyre_status gyre_bodies_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                  float *const omega[3]);

/* Gives bodies an angular velocity in the world: the momentum R(q) I R(q)^T omega.

   bodies  momentum is written, with low parts if there are any; torque is not looked at
   omega   rad/s, in the world, three arrays of count floats

   GYRE_OK, GYRE_INCOMPLETE (also where omega is NaN or infinite: such a body's momentum becomes NaN), errors as above.
   Largest error of a component, with S the largest moment: 2 eps S |omega| + 2^-146; with low parts 2^-46 S |omega| +
   2^-95, for orientations of a length within 2^-19 of 1. A momentum beyond the range of float becomes infinite or NaN.
   Cost: about that of a step. */
GYRE_API gyre_status gyre_bodies_set_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                      float *const omega[3]);

/* Row-major 3x4 matrices [R | position] for instance buffers.

   bodies        only the orientation is read; it may have any length between 2^-50 and 2^50
   x, y, z       positions, count floats each; x NULL: the origin for all
   rows3x4       12 floats a body: body i's are at rows3x4 + i * stride_bytes, whatever begin is
   stride_bytes  a multiple of 4, at least 48; bytes between matrices are not written

   GYRE_OK, GYRE_INCOMPLETE, errors as above.
   Largest error of an entry of R: 8 eps; positions are copied.
   Cost: bound by memory, 48 bytes written a body. */
GYRE_API gyre_status gyre_bodies_transforms(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                            const float *y, const float *z, float *rows3x4, size_t stride_bytes);

/* Principal moments and axes of an inertia tensor, by Jacobi's rotations in double.

   tensor   kg m^2: xx yy zz xy xz yz; xy is the entry of the matrix, minus the product of inertia as some define it
   moments  kg m^2
   axes     x y z w: unit quaternion, principal frame to the tensor's: tensor = R(axes) diag(moments) R(axes)^T. Of the
            many solutions one near the tensor's own axes: a diagonal tensor gives its diagonal, in order, and no
   rotation

   GYRE_OK; GYRE_ERROR_NULL; GYRE_ERROR_VALUE (an entry NaN or infinite, or a moment that is not positive, which is
   decided exactly: the tensor of an ideal rod is refused); GYRE_ERROR_RANGE (a moment beyond the range of float).
   Largest error: of a moment 1 ulp of the largest; of the tensor put together again from the result, relative to the
   largest moment, 1 ulp of 1, if that moment is above 2^-100.
   Cost: about a microsecond; not a call for every frame. */
GYRE_API gyre_status gyre_inertia_principal(const float tensor[6], float moments[3], float axes[4]);

/* What is wrong with an inertia tensor, in the order in which it is looked for. */
typedef enum gyre_inertia_kind {
    GYRE_INERTIA_FINE,       /* 0 */
    GYRE_INERTIA_NOT_FINITE, /* an entry is NaN or infinite, or a moment is beyond the range of float */
    GYRE_INERTIA_NEGATIVE,   /* a moment is negative, by more than rounding the entries can do: 2^-22 of the largest; or
                                an entry of the diagonal is negative */
    GYRE_INERTIA_THIN,       /* the smallest moment is 0 as far as floats can tell: an ideal rod, or a single point */
    GYRE_INERTIA_IMPOSSIBLE  /* the largest moment exceeds the sum of the others by more than 2^-20 of itself. No mass
                                has such a tensor: most often an entry has a wrong unit or power of ten. */
} gyre_inertia_kind;

/* Tells of an inertia tensor whether a mass can have it.

   tensor  as for gyre_inertia_principal, which takes those that are FINE or IMPOSSIBLE, and no others
   out     the first kind that is true

   GYRE_OK, whatever the kind; GYRE_ERROR_NULL.
   A tensor that is IMPOSSIBLE may be stepped, but takes more and shorter sub-steps than that of a mass.
   Cost: about a microsecond; once for each body that is loaded. */
GYRE_API gyre_status gyre_inertia_check(const float tensor[6], gyre_inertia_kind *out);

#ifdef __cplusplus
}
#endif

#endif
