/* Attitudes in double precision, for scenes; the kernels have their own code. */
#ifndef GYRE_TOOL_ATTITUDE_H
#define GYRE_TOOL_ATTITUDE_H

#include <gyre/gyre.h>

#include <stdbool.h>

/* A unit quaternion that rotates vectors from the body frame to the world frame. */
struct attitude {
    double x, y, z, w;
};

struct vector {
    double x, y, z;
};

struct attitude attitude_product(struct attitude a, struct attitude b); /* first b, then a */
struct attitude attitude_inverse(struct attitude a);                    /* from world to body */
struct vector attitude_rotate(struct attitude a, struct vector v);

/* Scales to length 1. Returns false and does nothing if the length is 0. */
bool attitude_normalise(struct attitude *a);

/* The orientation and the momentum of body i, with their low parts if they have any. The orientation is not normalised.
 */
struct attitude attitude_of_body(const gyre_bodies *bodies, size_t i);
struct vector momentum_of_body(const gyre_bodies *bodies, size_t i);

/* The rounding error of the floats goes to the low part, if there is one. */
void attitude_set_body(const gyre_bodies *bodies, size_t i, struct attitude a);
void momentum_set_body(const gyre_bodies *bodies, size_t i, struct vector momentum);

/* A turn by |v| radians about v. It has the same bits on every machine. */
struct attitude attitude_of_turn(struct vector v);

extern const double degree; /* in radians */

/* Euler angles z-x-z in degrees: Rz(alpha) Rx(beta) Rz(gamma), as used in astronomy. */
struct attitude attitude_from_euler_zxz(const double degrees[3]);
void attitude_to_euler_zxz(struct attitude a, double degrees[3]); /* alpha and gamma in [0, 360), beta in [0, 180] */

struct vector vector_along(size_t axis); /* the unit vector of an axis */
struct vector vector_cross(struct vector a, struct vector b);
double vector_length(struct vector v);

#endif
