/* Freely rotating rigid bodies. Part of Gyre: see gyre.h for the promises that hold throughout.

   A body turns at omega = I^-1 M, with M its angular momentum L seen from the body. L stays as it is without torque,
   but the body turns, so M and omega do not: poles tumble, T-handles flip. The default step is a closed form that keeps
   momentum and energy. The others are implicit, a small non-linear system a body, solved by Newton's iteration in
   sub-steps so short that it is proven to converge. Either way a whole vector of bodies steps at once.

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
    GYRE_BODY_MOSER_VESELOV,    /* keeps momentum and energy, order 6 or 8: the one to use */
    GYRE_BODY_MIDPOINT,         /* implicit midpoint, order 2: energy bounded */
    GYRE_BODY_OBJECT_TRAPEZOID, /* trapezoidal rule seen from the body, order 2: keeps energy */
    GYRE_BODY_TRAPEZOID,        /* trapezoidal rule seen from the world, order 2: energy bounded */
    GYRE_BODY_EXPLICIT_EULER    /* what simple engines do: turns about one axis for ever, and a pole never falls over */
} gyre_body_method;

/* All zeros is the default, and so is a NULL solver: Moser-Veselov of order 6, as accurate as float is in steps of up
   to 0.25 rad. Order 8 takes 4 to 8 percent more time (Zen 3) and shows with low parts, or in longer steps. Both are
   closed forms, counted as an iteration; tolerance, max_iterations and fixed_point are for the others. */
typedef struct gyre_body_solver {
    gyre_body_method method;
    int order;          /* Moser-Veselov: 6 or 8; 0: 6. Other methods have one order and ignore this. */
    float tolerance;    /* an iteration stops when the next would change the step's rotation by less than this part of
                           it; 0: rounding level */
    int max_iterations; /* iterations a sub-step; 0: 8 */
    int max_substeps;   /* sub-steps a step; 0: 64; above 2^24: 2^24 */
    int substeps;       /* 0: as many as the proven bound asks, per body; n > 0: exactly n, past any max, each iterated
                           from 0: shows what a method does of itself, and takes longer */
    bool
        fixed_point; /* true: the simple iterator instead of Newton's, for comparison: converges slowly or not at all */
} gyre_body_solver;

/* What steps did. Set it to 0 before the first: calls add to it. Counts are sums over bodies, each body's own whatever
   its neighbours or the vector's width did, so a job can keep a report of its own and the caller adds them up. */
typedef struct gyre_body_report {
    uint64_t substeps;
    uint64_t iterations;  /* of all sub-steps */
    uint64_t unconverged; /* bodies that met a limit, of sub-steps or of iterations, and impossible ones */
    float worst_residual; /* what the next iteration would have changed, relative to the rotation: the maximum so far;
                             of a closed form, what mending its rounding did, and 0 with low parts */
} gyre_body_report;

/* Advances bodies begin..end-1 by dt_s, which is any finite time: 0 leaves every state as it is, bit for bit, a
   negative one runs backwards. solver and report may be NULL. Elements outside the range are not touched, and threads
   may step disjoint ranges of the same bodies at once, each with a report of its own. Bodies step fastest in ranges of
   64 or more. Nothing is allocated; it uses at most 48 KiB of stack.

   Errors: GYRE_ERROR_NULL (bodies; orientation, momentum or inertia; one of a group whose first pointer is given),
   GYRE_ERROR_RANGE (begin > end or end > count), GYRE_ERROR_VALUE (dt not finite; in the solver: no such method or
   order, a tolerance negative or not finite, a negative count, substeps above 2^24). An empty range does nothing and
   needs no arrays.

   Momentum and torque. Without torque the momentum keeps its bits, except under explicit Euler, which keeps omega in
   the world and rewrites the momentum to match. A torque acts as half its kick before the drift, all its sub-steps, and
   half after: second order. The momentum is rounded up or down with odds that make up for what is lost, so that a
   torque too small to show in one step shows after many, if it is 2^-17 ulp a step or more and a step turns the body by
   2e-7 rad or more (else chance has too few bits). Chance is made of the state's own bits: a wheel that turns by a
   whole fraction of a turn in each step comes back to the same states, and may lose such torques for ever, unless it
   has low parts. Explicit Euler rounds to the nearest.

   Sub-steps. A step is n equal sub-steps of dt / n, rounded to float. n is what the bounds ask within which the
   iteration is proven to converge (kernels/body/README.md); in closed form, for moments that a mass can have, what
   keeps a sub-step to 0.8 rad at the speed with which the step begins (a body that tumbles may reach 1.4 times that). A
   body that would need more than max_substeps takes just those, each as long as it can be: it turns on the right path
   but does not get to its end, and counts in `unconverged`. An iteration that meets its limit leaves its last iterate,
   a rotation all the same, and the body counts too. With `substeps` given the iteration starts from no rotation, which
   converges more often than better starts where nothing is proven. The closed form has nothing to converge: it keeps
   momentum and energy, to rounding, in sub-steps of 2 rad as well, only further from the true attitude. Near half a
   turn it may not turn a body at all.

   Out of the ordinary. A body with a moment that is not positive and finite, or with an orientation (or its low part),
   momentum or torque that is NaN or infinite, becomes NaN (orientation and momentum), and no other does; it counts in
   `unconverged` and nothing else. An orientation of another length than 1, between 2^-50 and 2^50, is brought to it
   first, and rounded by that, within 2 eps rad (a body at rest, or with a turn whose square is 0, keeps one within
   2^-13 of 1); one of a length that is not between them, such as 0, is impossible as well. A component of the momentum
   above 2^46 rad/s times the largest moment may be taken for less. What passes the range of float may become NaN:
   under explicit Euler from 2^64 rad/s or rad a sub-step on, under the trapezoid where moments are 2^90 apart.
   Components of orientations and of low parts below 2^-95 become 0, and those below 2^-43 may be rounded once more, by
   an ulp or by 2^-93; with a torque, and always under explicit Euler, momenta below 2^-95 become 0. Without low parts
   such momenta turn nothing in steps of up to 2^20 s.

   How long it takes. A body that crawls, that is, turns by less than 2^-12 rad in a sub-step and has moments that a
   mass can have, takes no longer than others, and one at rest about half of it where all 64 of its block rest; beside
   others in their block, those at rest cost up to two fifths more and those that crawl up to three quarters, with low
   parts up to 1.3 times as much again, as do momenta below 2^-64 with low parts. Bodies that crawl are turned by the
   first terms of the true motion's series (kernels/body/methods/small_angle-inl.h), within 2^-26 of that turn, and not
   at all by what is below 2^-49 rad about an axis; with low parts within 2^-36, for which the other methods have
   bodies crawl below 2^-17 rad only; there is nothing to iterate, and no residual. By the closed forms it does not
   matter about which axis a body turns, unless one moment is 64 times another; such needles that spin about a principal
   axis, and by other methods all bodies that do so faster than what crawls, take up to eight times as long on some
   CPUs, as they are computed on subnormal numbers. So are slow bodies by explicit Euler: up to 25 times as long.

   How near to the method (eps = 2^-24, s the smallest moment). The orientation is within (9 + 12 |dt| |L| / s) eps rad
   of what the method gives exactly in one planned sub-step, and within (24 n + 32 |dt| |L|
   / s) eps in n of them, up to 4; in more a body that tumbles multiplies what the first ones lost, about twice in each.
   Its length is within 8 eps of 1. With low parts the sum of both holds the orientation to 2^-43 rad, and a sub-step of
   h loses 10 eps h |L| / s besides; by Moser-Veselov 4 eps h |L| / s, and without a torque 2^-29 h |L| / s where it
   turns by 0.1 rad or less. So what the method gives is nearly what one gets. (A first step from a length further than
   2^-17 from 1 loses up to 2^-23 of its angle.) With `substeps` given that holds up to 2 rad a sub-step in closed form,
   of moments that a mass can have; other equations have other solutions next to the one wanted, or none, before that,
   and other moments may turn anywhere. It holds of moments up to 2^60 apart, and of momenta of 2^-100 and more (over
   the largest moment, if that is above 2^20).

   How near to the truth. What Moser-Veselov leaves over many steps:

                                                          without low parts       with low parts
       a spin of 1e-3 rad/s, 2.4e5 steps at 240 Hz        1e-4 rad (rms 2e-5)     1e-5 rad (rms)
       energy of everyday bodies, 1e6 steps at 60 Hz      6e-5 (rms 2e-5)         1e-9
       a body that tumbles about its middle axis:
           10 s at 60 Hz                                  0.001 rad (rms)         2.5e-6 rad (order 8: 4e-8)
           10 s at 240 Hz                                 0.0013 rad (rms)        5e-9 rad

   Everyday bodies have moments up to nine to one and turn by 0.1 to 0.3 rad a step; the figure is of sixteen, of which
   one in hundreds may pass it by a third. In steps of 0.5 rad and more their energy drifts besides, by up to 2e-9 a
   step. Spins are of spheres and of bodies with moments up to 1.5 to one; up to nine to one they lose two to three
   times that. The one that tumbles is van Zon and Schofield's (J. Comput. Phys. 225, 2007: moments 10, 20, 26, omega 1,
   15, 1), which multiplies every rounding: if nothing but the result of each step were rounded to float, it would be
   0.0013 rad off; steps down to 1/960 s leave less than twice that. 2.5e-6 rad is the method's own error. The object
   trapezoid keeps energy to 1e-3 (rms 1.5e-4), with low parts to 3e-4.

   Without low parts the orientation is rounded once a step. These roundings are unbiased, by chance that is made of the
   state's own bits, and grow with the root of the number of steps. What grows with the steps is the turn itself where
   its angle is rounded alike in each, as of a body that spins about one axis: by up to 5 eps of the angle turned, 0.4
   degrees in an hour at a turn a second. That is more than the method's own error in steps of up to 0.25 rad by order
   6, and up to 0.5 rad by order 8, of moments up to nine to one; in steps of 0.8 rad order 6 loses up to 7e-5 of such
   an angle, order 8 up to 6e-6. Turns below 2e-7 rad a step need low parts: too few bits change in them for chance, and
   a state that a step leads back to is never left.

   Orders 6 and 8 are of E. Hairer and G. Vilmart's family of methods (J. Phys. A 39, 2006), in closed form. */
GYRE_API gyre_status gyre_bodies_step(const gyre_bodies *bodies, size_t begin, size_t end, float dt_s,
                                      const gyre_body_solver *solver, gyre_body_report *report);

/* Kinetic energy M . I^-1 M / 2 = E in J: count floats. A body as gyre_bodies_step calls impossible gets NaN; torque is
   not looked at. Errors: as gyre_bodies_step; energy_J NULL: GYRE_ERROR_NULL. Largest error 12 eps |L| sqrt(2 E / s)
   and 2^-147, s the smallest moment, of moments up to 2^50 apart and momenta of 2^-100 and more. A momentum or an
   angular velocity in the body's frame that passes the range of float makes the result infinite or NaN. It uses at most
   5 KiB of stack. */
GYRE_API gyre_status gyre_bodies_energy(const gyre_bodies *bodies, size_t begin, size_t end, float *energy_J);

/* Angular velocity in the world frame, rad/s: three arrays of count floats. Largest error of a component 12 eps |L| /
   s and 2^-146. Otherwise as gyre_bodies_energy. */
GYRE_API gyre_status gyre_bodies_angular_velocity(const gyre_bodies *bodies, size_t begin, size_t end,
                                                  float *const omega[3]);

/* For instance buffers: row-major 3x4 matrices [R | position], 12 floats each, body i's at rows3x4 + i stride_bytes,
   that is, i counts from 0 whatever begin is. x, y, z: count floats each, or all NULL for the origin. Bytes between
   matrices are not touched. Only the orientation of `bodies` is needed, of any length between 2^-50 and 2^50; of length
   0 it gives NaN. Errors: as gyre_bodies_step; rows3x4, or y or z with x given, NULL: GYRE_ERROR_NULL; a stride below
   48 or no multiple of 4: GYRE_ERROR_VALUE. Largest error of an entry of R 8 eps; positions are copied. */
GYRE_API gyre_status gyre_bodies_transforms(const gyre_bodies *bodies, size_t begin, size_t end, const float *x,
                                            const float *y, const float *z, float *rows3x4, size_t stride_bytes);

/* Principal moments and axes of the inertia tensor xx yy zz xy xz yz (symmetric: xy is the entry, so minus the product
   of inertia as some texts define it). axes is the unit quaternion x y z w that takes vectors from the principal frame
   to the tensor's: tensor = R(axes) diag(moments) R(axes)^T. Of the many solutions it is one near the tensor's own
   axes: a diagonal tensor gives its diagonal in its order and no rotation. Repeated moments are fine.

   Errors: GYRE_ERROR_NULL; GYRE_ERROR_VALUE (an entry NaN or infinite, or a moment not positive, which is decided
   exactly for the tensor as it is given: that of a thin rod is refused); GYRE_ERROR_RANGE (a moment beyond float).
   Nothing is written then. Largest error: 1 ulp of the largest moment for each moment, and of 1 for tensor / largest
   moment put together again from the result with its axes brought to length 1, if the largest moment is above 2^-100.
   Method: Jacobi's rotations, in double. */
GYRE_API gyre_status gyre_inertia_principal(const float tensor[6], float moments[3], float axes[4]);

#ifdef __cplusplus
}
#endif

#endif
