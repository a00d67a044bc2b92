#include "plot/single_body.h"

#include "support/common.h"

struct single_body single_body_start(const float inertia[3], const float spin[3])
{
    struct single_body body = {.orientation = {0, 0, 0, 1}};
    for (size_t axis = 0; axis < 3; axis++) {
        body.inertia[axis] = inertia[axis];
        body.momentum[axis] = inertia[axis] * spin[axis];
    }
    return body;
}

/* The body as the library's struct. */
static gyre_bodies bodies_of(struct single_body *body)
{
    gyre_bodies bodies = {.count = 1};
    for (size_t c = 0; c < 4; c++) {
        bodies.orientation[c] = &body->orientation[c];
        bodies.orientation_low[c] = &body->orientation_low[c];
    }
    for (size_t axis = 0; axis < 3; axis++) {
        bodies.momentum[axis] = &body->momentum[axis];
        bodies.inertia[axis] = &body->inertia[axis];
    }
    return bodies;
}

bool single_body_step(struct single_body *body, const gyre_body_solver *solver, float dt_s)
{
    gyre_bodies bodies = bodies_of(body);
    gyre_body_report report = {0};
    expect_step(gyre_bodies_step(&bodies, 0, 1, dt_s, solver, &report), dt_s);
    return report.unconverged == 0;
}

struct attitude single_body_attitude(const struct single_body *body)
{
    struct single_body copy = *body;
    gyre_bodies bodies = bodies_of(&copy);
    struct attitude attitude = attitude_of_body(&bodies, 0);
    attitude_normalise(&attitude); /* its length is 1 to the precision of floats */
    return attitude;
}

struct vector single_body_momentum(const struct single_body *body)
{
    return (struct vector){(double)body->momentum[0], (double)body->momentum[1], (double)body->momentum[2]};
}

struct vector single_body_spin(const struct single_body *body)
{
    struct attitude attitude = single_body_attitude(body);
    struct vector own = attitude_rotate(attitude_inverse(attitude), single_body_momentum(body));
    own.x /= (double)body->inertia[0];
    own.y /= (double)body->inertia[1];
    own.z /= (double)body->inertia[2];
    return attitude_rotate(attitude, own);
}

size_t single_body_middle_axis(const float inertia[3])
{
    for (size_t axis = 0; axis < 2; axis++) {
        float before = inertia[(axis + 1) % 3], after = inertia[(axis + 2) % 3];
        if ((before <= inertia[axis]) == (inertia[axis] <= after)) {
            return axis;
        }
    }
    return 2;
}

void single_body_middle_spin(const float inertia[3], float about, float others, float spin[3])
{
    for (size_t axis = 0; axis < 3; axis++) {
        spin[axis] = axis == single_body_middle_axis(inertia) ? about : others;
    }
}
