/* Freely rotating rigid bodies. Part of Gyre: see gyre.h for what holds for all functions.

   A body turns at omega = I^-1 M, where M is its angular momentum L in the body's frame. Without a torque L is
   constant. M and omega are not, because the frame turns: T-handles flip and asteroids tumble.

   Full error bounds, accuracy over many steps, limits and costs are in bodies.md, installed with the documentation.

   What holds for every function on bodies:

   Frames    "Body" is the frame of the principal axes of inertia, "world" is the caller's.
   Units     SI, or any other consistent units.
   Range     Only elements begin..end-1 are read and written. An empty range does nothing and needs no arrays.
   Invalid   A body is invalid if a moment of inertia is not positive and finite; if a component of its orientation,
             momentum, torque or low parts is NaN or infinite; or if its orientation has a length that is not between
             2^-50 and 2^50. Only what the function reads matters. The state or the result of an invalid body becomes
             NaN; no other body is affected.
   Returns   GYRE_OK
             GYRE_INCOMPLETE   everything possible was done, but a body in the range is invalid
             GYRE_ERROR_NULL   a required pointer is NULL, or one of an optional group whose first pointer is given
             GYRE_ERROR_RANGE  begin > end or end > count
             GYRE_ERROR_VALUE  a number is NaN, infinite or outside its stated range
   Threads   Any number of threads may call at once. Calls on the same arrays need disjoint ranges if one of them writes
             to those arrays.
   Aliasing  Arrays must not overlap.
   Errors    Largest errors, with eps = 2^-24, half an ulp of 1, and s the smallest moment of inertia of the body. */
#ifndef GYRE_BODY_H
#define GYRE_BODY_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `count` bodies as a structure of arrays. The caller owns the struct and the arrays; Gyre keeps neither. The first
   pointer of an optional group tells whether the group is used. */
typedef struct gyre_bodies {
    size_t count;
    float *orientation[4];     /* x y z w: unit quaternion, body to world, in and out */
    float *orientation_low[4]; /* NULL, or in and out: what rounding lost of the orientation, an ulp at most; start with
                                  0. The attitude is the exact sum of both. */
    float *momentum[3];        /* kg m^2/s: angular momentum in the world, in and out; R(q) I R(q)^T omega for a body
                                  that turns at omega (rad/s, world) */
    const float *inertia[3];   /* kg m^2: principal moments, > 0 */
    const float *torque[3];    /* N m, constant over the step, in the world unless torque_in_body; NULL: none */
    float *momentum_low[3];    /* NULL, or in and out: low parts of the momentum, as for the orientation */
    bool torque_in_body;       /* the torque is given in the body's frame and turns with it */
    float angular_damping;     /* 1/s, >= 0: the momentum decays by exp(-angular_damping dt) */
} gyre_bodies;

typedef enum gyre_body_method {
    GYRE_BODY_MOSER_VESELOV,    /* keeps momentum and energy, order 6 or 8, closed form: the one to use */
    GYRE_BODY_MIDPOINT,         /* implicit midpoint, order 2: energy bounded */
    GYRE_BODY_OBJECT_TRAPEZOID, /* trapezoidal rule in the body's frame, order 2: keeps energy */
    GYRE_BODY_TRAPEZOID,        /* trapezoidal rule in the world's frame, order 2: energy bounded */
    GYRE_BODY_EXPLICIT_EULER    /* constant omega over a step, order 1: what simple engines do, for comparison */
} gyre_body_method;

/* How to step. All zeros, or a NULL solver, is the default: Moser-Veselov of order 6, as accurate as float in steps of
   up to 0.25 rad. Order 8 takes 4 to 8 percent more time and pays off with low parts or in longer steps. Both are
   closed forms and count as one iteration; tolerance, max_iterations and fixed_point are for the other methods. */
typedef struct gyre_body_solver {
    gyre_body_method method;
    int order;          /* of Moser-Veselov: 6 or 8; 0: 6. The other methods ignore it. */
    float tolerance;    /* iteration stops when the next correction would be less than this fraction of the rotation;
                           0: at rounding level */
    int max_iterations; /* per sub-step; 0: 8 */
    int max_substeps;   /* per step; 0: 1,024; above 2^24: 2^24 */
    int substeps;       /* 0: as many as the proven bound requires, for each body. n > 0, at most 2^24: exactly n,
                           whatever max_substeps is; slower, to show what a method does by itself */
    bool fixed_point;   /* fixed-point iteration instead of Newton's, for comparison: slow, or does not converge */
} gyre_body_solver;

/* What steps did. Set it to 0 before the first call: calls add to it. Counts are sums over bodies and do not depend on
   neighbours or vector width, so each job can have its own report and the caller adds them up. */
typedef struct gyre_body_report {
    uint64_t substeps;
    uint64_t iterations;  /* in all sub-steps */
    uint64_t unconverged; /* bodies that reached the limit of sub-steps or of iterations, and invalid ones */
    float worst_residual; /* the largest so far: what the next iteration would have changed, relative to the rotation.
                             For a closed form what refining its rounding changed; 0 with low parts. */
} gyre_body_report;

/* Advances bodies begin..end-1 by one time step.
   The momentum keeps its bits without torque and damping, except by explicit Euler.

   bodies   orientations of a length other than 1 are normalised first; angular_damping has to be finite and >= 0
   dt_s     s, any finite time; a negative time runs backwards. 0 changes no bit of any array and returns GYRE_OK,
            even for invalid bodies.
   solver   NULL: the default. GYRE_ERROR_VALUE: no such method or order, tolerance negative or not finite, a negative
            count, or substeps above 2^24
   report   NULL, or added to; one for each thread

   Returns  GYRE_INCOMPLETE  a body is invalid; or it reached the limit of sub-steps and turned on the right path, but
                             not to the end of the step; or it reached the limit of iterations (bodies.md)
   Error    of the orientation, by rounding: (9 + 12 |dt| |L| / s) eps rad in one planned sub-step (bodies.md)
   Cost     bound by arithmetic; fastest in ranges of 64 bodies or more; slow bodies may cost more (bodies.md). At most
            48 KiB of stack. */
GYRE_API gyre_status gyre_bodies_step(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s,
                                      const gyre_body_solver *solver, gyre_body_report *report);

/* Adds torque times dt_s to the momentum of bodies begin..end-1, for torques that depend on the state.
   For order 2 kick by half of the step, step with torque[0] NULL, compute the torque of the new state, and kick by half
   again. A step with the torque of its start is of order 1.

   bodies   only the momentum is written, with low parts if given. With an angular_damping of k, which has to be finite
            and >= 0, torque tanh(k dt_s) / k is added; the step, not the kick, applies the damping itself.
   dt_s     s, any finite time. With 0, or with torque[0] NULL, the call changes nothing and returns GYRE_OK, even for
            invalid bodies.

   Returns  GYRE_INCOMPLETE  a body is invalid: its momentum becomes NaN
   Cost     less than a step */
GYRE_API gyre_status gyre_bodies_kick(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s);

/* ---- Energy, angular velocity and matrices ----

   Torques are not read. Results are infinite or NaN where they are beyond the range of float, or where the momentum or
   the angular velocity in the body's frame is. */

/* Computes the kinetic energy E = M . I^-1 M / 2 of bodies begin..end-1.

   bodies    orientation, momentum and inertia are read, with low parts if given
   energy_J  J, count floats

   Returns   GYRE_INCOMPLETE  a body is invalid
   Error     12 eps |L| sqrt(2 E / s) + 2^-147 (bodies.md)
   Cost      about a seventh of a step. At most 6 KiB of stack. */
GYRE_API gyre_status gyre_bodies_energy(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J);

/* Computes the angular velocity of bodies begin..end-1 in the world.

   bodies   orientation, momentum and inertia are read, with low parts if given
   omega    rad/s, three arrays of count floats; written

   Returns  GYRE_INCOMPLETE  a body is invalid
   Error    of a component: 12 eps |L| / s + 2^-146 (bodies.md)
   Cost     about a seventh of a step. At most 6 KiB of stack. */
GYRE_API gyre_status gyre_bodies_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                  float *const omega[3]);

/* Sets the momentum of bodies begin..end-1 to that of an angular velocity in the world, R(q) I R(q)^T omega.

   bodies   the momentum is written, with low parts if given, and not read
   omega    rad/s, three arrays of count floats; only read

   Returns  GYRE_INCOMPLETE  a body is invalid, or its omega is NaN or infinite: its momentum becomes NaN
   Error    of a component: 2 eps S |omega| + 2^-146, S the largest moment, |q| within 2^-19 of 1 (bodies.md)
   Cost     about that of a step */
GYRE_API gyre_status gyre_bodies_set_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                      float *const omega[3]);

/* Writes row-major 3x4 matrices [R | position] of bodies begin..end-1, for instance buffers.

   bodies        only the orientation is read, of any length between 2^-50 and 2^50; other arrays may be NULL
   x, y, z       positions, count floats each; they are copied. x NULL: the origin for all
   rows3x4       12 floats for each body; those of body i begin at byte i * stride_bytes, whatever begin is
   stride_bytes  a multiple of 4, at least 48; bytes between matrices are not written

   Returns       GYRE_INCOMPLETE  an orientation is invalid: R becomes NaN
   Error         8 eps for an entry of R
   Cost          bound by memory, 48 bytes written for each body */
GYRE_API gyre_status gyre_bodies_transforms(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                            const float *y, const float *z, float *rows3x4, size_t stride_bytes);

/* ---- Inertia tensors ----

   tensor   kg m^2: xx yy zz xy xz yz; xy is the entry of the matrix, minus the product of inertia as some define it
   Returns  GYRE_OK
            GYRE_ERROR_NULL  a pointer is NULL
   Cost     about a microsecond: for each body that is loaded, not for every frame */

/* Computes the principal moments and axes of an inertia tensor.
   Of the many solutions it returns one near the axes of the tensor: a diagonal tensor gives its diagonal, in order, and
   no rotation.

   moments  kg m^2
   axes     x y z w: unit quaternion, principal frame to the tensor's: tensor = R(axes) diag(moments) R(axes)^T

   Returns  GYRE_ERROR_VALUE  an entry is NaN or infinite, or a moment is not positive (that of an ideal rod is not)
            GYRE_ERROR_RANGE  a moment is too large or too small for a float
   Error    of a moment: 1 ulp of the largest moment (bodies.md) */
GYRE_API gyre_status gyre_inertia_principal(const float tensor[6], float moments[3], float axes[4]);

/* What is wrong with an inertia tensor. Tolerances, and which kind is reported if several apply: bodies.md. */
typedef enum gyre_inertia_kind {
    GYRE_INERTIA_FINE,       /* 0: nothing */
    GYRE_INERTIA_NOT_FINITE, /* an entry is NaN or infinite, or a moment is too large for a float */
    GYRE_INERTIA_NEGATIVE,   /* a moment is negative by more than rounding of the entries explains, or a diagonal entry
                                is negative */
    GYRE_INERTIA_THIN,       /* the smallest moment is 0 to the precision of float: an ideal rod, or a single point */
    GYRE_INERTIA_IMPOSSIBLE  /* the largest moment exceeds the sum of the others. No mass has such a tensor: most often
                                an entry has a wrong unit or power of ten. */
} gyre_inertia_kind;

/* Checks whether a mass can have an inertia tensor.
   gyre_inertia_principal accepts tensors that are FINE or IMPOSSIBLE, and no others. A body with an IMPOSSIBLE tensor
   can be stepped, but takes more and shorter sub-steps than a mass.

   out      the kind; the call returns GYRE_OK whatever it is */
GYRE_API gyre_status gyre_inertia_check(const float tensor[6], gyre_inertia_kind *out);

#ifdef __cplusplus
}
#endif

#endif
