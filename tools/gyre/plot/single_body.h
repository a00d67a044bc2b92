/* One body in flight, for pictures: stepped by the library, observed in double precision. */
#ifndef GYRE_TOOL_SINGLE_BODY_H
#define GYRE_TOOL_SINGLE_BODY_H

#include "scene/attitude.h"

#include <gyre/gyre.h>

#include <stdbool.h>

struct single_body {
    float orientation[4], orientation_low[4], momentum[3], inertia[3];
};

/* Starts at the identity, with an angular velocity in the body. */
struct single_body single_body_start(const float inertia[3], const float spin[3]);

/* False if the method met its limit of sub-steps or of iterations. */
bool single_body_step(struct single_body *body, const gyre_body_solver *solver, float dt_s);

struct attitude single_body_attitude(const struct single_body *body);
struct vector single_body_momentum(const struct single_body *body); /* world */
struct vector single_body_spin(const struct single_body *body);     /* world */

/* An angular velocity about the axis of the middle moment, with small components about the others: the body flips. */
void single_body_middle_spin(const float inertia[3], float about, float others, float spin[3]);
size_t single_body_middle_axis(const float inertia[3]);

#endif
