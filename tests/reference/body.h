/* Free rigid bodies, as simply as possible: every method of include/gyre/body.h with full Jacobians, one body at a
   time, in double, iterated to convergence; and the exact motion. Keep it simple: the tests rely on it. */
#ifndef GYRE_TESTS_REFERENCE_BODY_H
#define GYRE_TESTS_REFERENCE_BODY_H

#include "reference/rotation.h"

#include <gyre/gyre.h>

#include <stdbool.h>

typedef struct reference_body {
    quaternion orientation; /* unit, body to world */
    vector momentum;        /* kg m^2/s, world */
    vector inertia;         /* kg m^2, principal */
    vector torque;          /* N m, world */
} reference_body;

vector reference_body_momentum(const reference_body *body); /* in the body's frame: M */
vector reference_body_spin(const reference_body *body);     /* rad/s in the body's frame: I^-1 M */
double reference_body_energy(const reference_body *body);   /* J */

/* ---- One sub-step, in the body's frame: find the unknown u with F(u) = 0. ----

   u is the rotation vector, or for Moser-Veselov Cayley's vector (the axis times the tangent of half the angle). */

typedef struct reference_equation {
    gyre_body_method method;
    int order; /* of Moser-Veselov */
    vector inertia;
    vector momentum; /* in the body's frame at the start, times the time step: h M */
} reference_equation;

vector reference_residual(const reference_equation *equation, vector u);
matrix reference_jacobian(const reference_equation *equation, vector u);    /* dF/du */
vector reference_fixed_point(const reference_equation *equation, vector u); /* the simple iterator's next u */

typedef struct reference_solution {
    vector u;
    int iterations;
    bool converged;
} reference_solution;

/* Newton's or the simple iteration from `start` until a step is below tolerance |u|. */
reference_solution reference_solve(const reference_equation *equation, vector start, bool fixed_point,
                                   int max_iterations, double tolerance);

/* ---- Steps ---- */

reference_equation reference_equation_of(const reference_body *body, gyre_body_method method, int order, double dt_s);

/* Half of the torque's kick, `substeps` equal drifts, and the other half. */
void reference_body_step(reference_body *body, gyre_body_method method, int order, int substeps, double dt_s);

/* ---- Proven convergence ---- */

/* h |M|, or h |omega| for Moser-Veselov, as a share of its bound: up to 1, Newton's iteration from 0 is proven to
   converge. Explicit Euler solves no equation: 0. */
double reference_share_of_bound(const reference_equation *equation);

/* ---- The exact motion without torque ---- */

reference_body reference_body_exact(const reference_body *start, double t_s);

#endif
