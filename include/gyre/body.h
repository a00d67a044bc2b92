/* Freely rotating rigid bodies. Part of Gyre: see gyre.h for what holds for all functions, and bodies.md for limits,
   accuracy and costs.

   A body turns at omega = I^-1 M; M is its angular momentum L in its own frame.

   Units    SI, or any consistent ones. "Body" is the frame of the principal axes of inertia, "world" is the caller's.
   Range    Only elements begin..end-1 are read and written. An empty range needs no arrays.
   Threads  Calls on the same arrays need disjoint ranges if one writes. Arrays must not overlap.
   Invalid  A moment of inertia that is not positive and finite, any other number that is NaN or infinite, or an
            orientation of a length not between 2^-50 and 2^50. What the call writes of such a body becomes NaN.
   Error    The largest. eps is 2^-24, half an ulp of 1; s and S are the smallest and the largest moment of a body. */
#ifndef GYRE_BODY_H
#define GYRE_BODY_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bodies in the caller's arrays. The first pointer of a group decides for the group. */
typedef struct gyre_bodies {
    size_t count;
    float *orientation[4];     /* x y z w: unit quaternion, body to world, in and out */
    float *orientation_low[4]; /* NULL, or low parts, in and out: the attitude is the sum. Start with 0. */
    float *momentum[3];        /* kg m^2/s, in the world, in and out: R(q) I R(q)^T omega, omega in rad/s */
    const float *inertia[3];   /* kg m^2: principal moments, > 0 */
    const float *torque[3];    /* N m, constant over the step, in the world unless torque_in_body; NULL: none */
    float *momentum_low[3];    /* NULL, or low parts of the momentum likewise */
    bool torque_in_body;       /* the torque is in the body's frame and turns with it */
    float angular_damping;     /* 1/s, >= 0, finite: the momentum decays by exp(-angular_damping dt) */
} gyre_bodies;

typedef enum gyre_body_method {
    GYRE_BODY_MOSER_VESELOV,    /* keeps momentum and energy, order 6 or 8, closed form: the one to use */
    GYRE_BODY_MIDPOINT,         /* implicit midpoint, order 2: energy bounded */
    GYRE_BODY_OBJECT_TRAPEZOID, /* trapezoidal rule in the body's frame, order 2: keeps energy */
    GYRE_BODY_TRAPEZOID,        /* trapezoidal rule in the world's frame, order 2: energy bounded */
    GYRE_BODY_EXPLICIT_EULER    /* constant omega, order 1: what simple engines do, for comparison */
} gyre_body_method;

/* How to step. All zeros is the default: Moser-Veselov of order 6, as accurate as float in steps of up to 0.25 rad, and
   of any length about a fixed axis. Order 8 takes 4 to 8 percent longer: for low parts, or faster tumbling. */
typedef struct gyre_body_solver {
    gyre_body_method method;
    int order;          /* of Moser-Veselov: 6 or 8; 0: 6 */
    float tolerance;    /* iteration stops at corrections below this fraction of the rotation; 0: at rounding */
    int max_iterations; /* per sub-step; 0: 8 */
    int max_substeps;   /* per step; 0: 1,024; above 2^24: 2^24 */
    int substeps;       /* 0: as many as the bound requires; up to 2^24: exactly so many, for comparison */
    bool fixed_point;   /* fixed-point iteration instead of Newton's, for comparison: may not converge */
} gyre_body_solver;

/* What steps did, summed over bodies. Start with 0: calls add to it. One for each thread. */
typedef struct gyre_body_report {
    uint64_t substeps;
    uint64_t iterations;  /* in all sub-steps; a closed form counts as one */
    uint64_t unconverged; /* bodies that reached a limit of the solver, lost a momentum (bodies.md), or are invalid */
    float worst_residual; /* the largest correction left out, relative to the rotation (bodies.md) */
    uint64_t lost_turns;  /* bodies with a momentum that turned by less than any bit: they need low parts */
} gyre_body_report;

/* Advances bodies begin..end-1 by one time step.

   dt_s     s, any finite time; a negative time runs backwards. 0 changes nothing, not even invalid bodies
   solver   NULL: the default
   report   NULL, or added to

   Returns  GYRE_INCOMPLETE: some are unconverged
   Error    of the orientation, by rounding: (9 + 12 |dt| |L| / s) eps rad in one planned sub-step (bodies.md)
   Cost     arithmetic; fastest in ranges of 64 bodies or more. At most 48 KiB of stack */
GYRE_API gyre_status gyre_bodies_step(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s,
                                      const gyre_body_solver *solver, gyre_body_report *report);

/* Adds torque times dt_s to the momentum of bodies begin..end-1, for torques that depend on the state.
   Kick by dt / 2, step by dt with torque[0] NULL, compute the new torque, and kick by dt / 2 again.

   dt_s     s, any finite time. 0, or torque[0] NULL, changes nothing, not even invalid bodies

   Returns  GYRE_INCOMPLETE: a body is invalid, or lost a momentum (bodies.md)
   Cost     less than a step */
GYRE_API gyre_status gyre_bodies_kick(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s);

/* ---- Energy, angular velocity and matrices ----

   The first two take about a seventh of the time of a step, and at most 6 KiB of stack. */

/* Computes the kinetic energy E = M . I^-1 M / 2 of bodies begin..end-1.

   energy_J  J, count floats

   Returns   GYRE_INCOMPLETE: a body is invalid
   Error     12 eps |L| sqrt(2 E / s) + 2^-147 (bodies.md) */
GYRE_API gyre_status gyre_bodies_energy(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J);

/* Computes the angular velocity of bodies begin..end-1 in the world.

   omega    rad/s, three arrays of count floats; written

   Returns  GYRE_INCOMPLETE: a body is invalid
   Error    of a component: 12 eps |L| / s + 2^-146 (bodies.md) */
GYRE_API gyre_status gyre_bodies_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                  float *const omega[3]);

/* Sets the momentum of bodies begin..end-1 to that of an angular velocity in the world, R(q) I R(q)^T omega.

   omega    rad/s, three arrays of count floats; only read

   Returns  GYRE_INCOMPLETE: a body is invalid, or its omega is NaN or infinite
   Error    of a component: 2 eps S |omega| + 2^-146 for |q| within 2^-19 of 1 (bodies.md)
   Cost     that of a step */
GYRE_API gyre_status gyre_bodies_set_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                      float *const omega[3]);

/* Writes row-major 3x4 matrices [R | position] of bodies begin..end-1, for instance buffers.

   bodies        only the orientation is read; other arrays may be NULL
   x, y, z       positions, count floats each; x NULL: the origin
   rows3x4       12 floats for each body; those of body i begin at byte i * stride_bytes
   stride_bytes  a multiple of 4, at least 48

   Returns       GYRE_INCOMPLETE: an orientation is invalid
   Error         8 eps for an entry of R
   Cost          bound by memory, 48 bytes written for each body */
GYRE_API gyre_status gyre_bodies_transforms(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                            const float *y, const float *z, float *rows3x4, size_t stride_bytes);

/* ---- Inertia tensors ----

   tensor   kg m^2, in a model's frame: xx yy zz xy xz yz; xy is the entry of the matrix
   Cost     about a microsecond: for each body that is loaded, not for every frame */

/* Computes the principal moments and axes of an inertia tensor.
   A diagonal tensor gives its diagonal, in order, and no rotation. Of others, moments that differ by at most 2 eps of
   the largest become equal.

   moments  kg m^2
   axes     x y z w: unit quaternion, body to model: tensor = R(axes) diag(moments) R(axes)^T (bodies.md)

   Returns  GYRE_ERROR_VALUE also if the tensor is NEGATIVE or THIN
   Error    of a moment: 3 eps of the largest moment (bodies.md) */
GYRE_API gyre_status gyre_inertia_principal(const float tensor[6], float moments[3], float axes[4]);

/* What is wrong with an inertia tensor; tolerances are in bodies.md. */
typedef enum gyre_inertia_kind {
    GYRE_INERTIA_FINE,       /* 0: nothing */
    GYRE_INERTIA_NOT_FINITE, /* an entry is NaN or infinite, or a moment is too large for a float */
    GYRE_INERTIA_NEGATIVE,   /* a moment or an entry of the diagonal is negative */
    GYRE_INERTIA_THIN,       /* a moment is 0 to the precision of float, as of an ideal rod */
    GYRE_INERTIA_IMPOSSIBLE  /* the largest moment exceeds the sum of the others, as of no mass */
} gyre_inertia_kind;

/* Checks whether a mass can have an inertia tensor. */
GYRE_API gyre_status gyre_inertia_check(const float tensor[6], gyre_inertia_kind *out);

/* Finds the nearest FINE tensor, with the same axes, and how impossible the given one is.
   A FINE tensor keeps its bits. Nearest is by the squares of the changes of all nine entries.

   nearest  kg m^2; may be the array of the tensor
   excess   the largest moment minus the others, as a fraction of it; 0 or less for a mass

   Returns  GYRE_ERROR_VALUE also if an entry is NaN or infinite
            GYRE_ERROR_RANGE if no moment is positive, or the moments are too large or too small for floats */
GYRE_API gyre_status gyre_inertia_nearest(const float tensor[6], float nearest[6], float *excess);

#ifdef __cplusplus
}
#endif

#endif
