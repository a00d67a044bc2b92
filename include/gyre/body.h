/* Freely rotating rigid bodies. Part of Gyre: see gyre.h for the promises that hold throughout.

   A body turns at omega = I^-1 M, with M its angular momentum L seen from the body. L stays constant without torque,
   but the body turns, so M and omega do not: poles tumble, T-handles flip. The default step is a closed form that keeps
   momentum and energy. Midpoint and trapezoids solve a small non-linear system a body by Newton's iteration, in
   sub-steps so short that it is proven to converge. Accuracy, limits, cost and the choice of a method: bodies.md,
   installed with the documentation.

   Frames: "body" is the frame of the principal axes of inertia; "world" is the caller's. Units are those given here;
   any others that agree (kg m^2 from g cm^2 and ms) do as well. */
#ifndef GYRE_BODY_H
#define GYRE_BODY_H

#include "status.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `count` bodies in structure-of-arrays memory. The struct and the arrays are the caller's; Gyre keeps neither. The
   first pointer of an optional group decides for the group. Arrays must not overlap. */
typedef struct gyre_bodies {
    size_t count;
    float *orientation[4];     /* x y z w: unit quaternion, body to world, in and out */
    float *orientation_low[4]; /* NULL, or in and out: orientation is the unevaluated sum of both, and this is what
                                  rounding lost of it, an ulp at most; start with 0 */
    float *momentum[3];        /* kg m^2/s, angular momentum in the world frame, in and out; R(q) I R(q)^T omega of a
                                  body that turns at omega, rad/s in the world */
    const float *inertia[3];   /* kg m^2, principal moments, > 0 */
    const float *torque[3];    /* N m, world frame, constant over the step; NULL: none */
} gyre_bodies;

typedef enum gyre_body_method {
    GYRE_BODY_MOSER_VESELOV,    /* keeps momentum and energy, order 6 or 8: the default */
    GYRE_BODY_MIDPOINT,         /* implicit midpoint, order 2: energy bounded */
    GYRE_BODY_OBJECT_TRAPEZOID, /* trapezoidal rule seen from the body, order 2: keeps energy */
    GYRE_BODY_TRAPEZOID,        /* trapezoidal rule seen from the world, order 2: energy bounded */
    GYRE_BODY_EXPLICIT_EULER    /* what simple engines do: omega stays constant in the world, and no body tumbles */
} gyre_body_method;

/* All zeros is the default, and so is a NULL solver: Moser-Veselov of order 6. tolerance, max_iterations and
   fixed_point are for the methods that iterate: midpoint and both trapezoids. */
typedef struct gyre_body_solver {
    gyre_body_method method;
    int order;          /* Moser-Veselov: 6 or 8; 0: 6. Other methods have one order and ignore this. */
    float tolerance;    /* an iteration stops when the next would change the step's rotation by less than this part of
                           it; 0: rounding level */
    int max_iterations; /* iterations a sub-step; 0: 8 */
    int max_substeps;   /* sub-steps a step; 0: 64; above 2^24: 2^24 */
    int substeps;       /* 0: as many as the bound of the method asks, per body; n > 0: exactly n, past any max, each
                           iterated from 0: shows what a method does of itself, and takes longer */
    bool fixed_point;   /* the simple iterator in place of Newton's, for comparison: converges slowly or not at all */
} gyre_body_solver;

/* What steps did. Set it to 0 before the first: calls add to it. Counts are sums over bodies, each body's own whatever
   its neighbours or the vector's width did, so a job can keep a report of its own and the caller adds them up. */
typedef struct gyre_body_report {
    uint64_t substeps;
    uint64_t iterations;  /* of all sub-steps; a closed form counts as one */
    uint64_t unconverged; /* bodies that met a limit, of sub-steps or of iterations, and invalid ones */
    float worst_residual; /* the largest so far, relative to the rotation: what one more iteration would have changed;
                             of Moser-Veselov what refining its rounding changed, and 0 with low parts */
} gyre_body_report;

/* Advances bodies begin..end-1 by dt_s: half of the torque's kick, a free rotation in equal sub-steps, the other half.

   bodies         see above. A body is invalid if a moment is not positive and finite, if its orientation, low part,
                  momentum or torque is NaN or infinite, or if the length of its orientation is not between 2^-50 and
                  2^50; another length than 1 is brought to 1. Invalid bodies become NaN (orientation and momentum).
   dt_s           s, any finite time; a negative one runs backwards, 0 changes no bit and returns GYRE_OK
   solver         NULL: the default
   report         NULL, or in and out

   Without torque the momentum keeps its bits, except under explicit Euler. A body that needs more than max_substeps
   sub-steps takes only those, each as long as the bound allows: it stops short on its path.

   Returns GYRE_OK; GYRE_INCOMPLETE where a body met the limit of sub-steps or of iterations, or is invalid: all others
   are done, and so is that body as far as said here. GYRE_ERROR_NULL: bodies, orientation, momentum or inertia, or one
   of a group whose first pointer is given. GYRE_ERROR_RANGE: begin > end or end > count. GYRE_ERROR_VALUE: dt_s not
   finite; no such method or order; a tolerance negative or not finite; a negative count; substeps above 2^24. An empty
   range does nothing and needs no arrays.

   Threads may step disjoint ranges of the same bodies, each with a report of its own. Arrays must not overlap.
   Largest error of an orientation in one sub-step: (9 + 12 |dt L| / s) eps rad from the method's exact result, with eps
   = 2^-24, L the momentum and s the smallest moment; with low parts 2^-43 rad and 4 eps |dt L| / s (10 eps by the other
   methods). The method's own error, what repeated steps add up to and all limits: bodies.md.
   Cost: order 6 about four times as fast as Bullet's own step; fastest in ranges of 64 or more; 48 KiB of stack. */
GYRE_API gyre_status gyre_bodies_step(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s,
                                      const gyre_body_solver *solver, gyre_body_report *report);

/* Kinetic energy E = M . I^-1 M / 2 of bodies begin..end-1.

   energy_J       J, count floats, out. Invalid bodies (see gyre_bodies_step; torque is not looked at) give NaN.

   Returns GYRE_OK; GYRE_INCOMPLETE where a body is invalid; GYRE_ERROR_NULL and GYRE_ERROR_RANGE as gyre_bodies_step,
   and GYRE_ERROR_NULL for energy_J. Threads may take disjoint ranges; energy_J must not overlap the bodies.
   Largest error: 12 eps |L| sqrt(2 E / s) and 2^-147, for moments up to 2^50 apart and momenta of 2^-100 and more. A
   result beyond float is infinite or NaN.
   Cost: about a seventh of a step; 5 KiB of stack. */
GYRE_API gyre_status gyre_bodies_energy(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J);

/* Angular velocity of bodies begin..end-1 in the world frame.

   omega          rad/s, three arrays of count floats, out

   Otherwise as gyre_bodies_energy. Largest error of a component: 12 eps |L| / s and 2^-146. */
GYRE_API gyre_status gyre_bodies_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                  float *const omega[3]);

/* Row-major 3x4 matrices [R | position] of bodies begin..end-1, for instance buffers.

   bodies         only the orientation is read, of any length between 2^-50 and 2^50. A body with another length, or
   with a component that is NaN or infinite, is invalid: its R is NaN. x, y, z        positions, count floats each; all
   NULL: the origin rows3x4        12 floats each, out; body i's at rows3x4 + i stride_bytes, whatever begin is. Bytes
   between matrices are not touched. stride_bytes   at least 48, a multiple of 4

   Returns GYRE_OK; GYRE_INCOMPLETE where a body is invalid; GYRE_ERROR_NULL: bodies, orientation, rows3x4, or y or z
   with x given; GYRE_ERROR_RANGE: begin > end or end > count; GYRE_ERROR_VALUE: such a stride. Threads may take
   disjoint ranges; arrays must not overlap. Largest error of an entry of R: 8 eps; positions are copied. Cost: memory
   bound, 48 bytes written a body. */
GYRE_API gyre_status gyre_bodies_transforms(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                            const float *y, const float *z, float *rows3x4, size_t stride_bytes);

/* Principal moments and axes of an inertia tensor, by Jacobi's rotations in double.

   tensor         kg m^2: xx yy zz xy xz yz, symmetric; xy is the entry, so minus the product of inertia as some texts
                  define it
   moments        kg m^2, three floats, out
   axes           unit quaternion x y z w from the principal frame to the tensor's, out:
                  tensor = R(axes) diag(moments) R(axes)^T. Of the many solutions it is one near the tensor's own axes;
                  a diagonal tensor gives its diagonal in its order and no rotation.

   Returns GYRE_OK; GYRE_ERROR_NULL; GYRE_ERROR_VALUE: an entry NaN or infinite, or a moment not positive, which is
   decided exactly (the tensor of a thin rod is refused); GYRE_ERROR_RANGE: a moment beyond float.
   Any number of threads may call it.
   Largest error: 1 ulp of the largest moment for each moment, and of 1 for tensor / largest moment put together again
   from the result with axes brought to length 1, if the largest moment is above 2^-100.
   Cost: about a microsecond; not a call for every frame. */
GYRE_API gyre_status gyre_inertia_principal(const float tensor[6], float moments[3], float axes[4]);

#ifdef __cplusplus
}
#endif

#endif
