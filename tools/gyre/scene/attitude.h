/* Attitudes in double precision, for what a scene states and what a picture shows: the kernels have their own. */
#ifndef GYRE_TOOL_ATTITUDE_H
#define GYRE_TOOL_ATTITUDE_H

#include <gyre/gyre.h>

#include <stdbool.h>

/* A unit quaternion: takes vectors from the body to the world. */
struct attitude {
    double x, y, z, w;
};

struct vector {
    double x, y, z;
};

struct attitude attitude_times(struct attitude first, struct attitude second); /* second acts first */
struct attitude attitude_back(struct attitude a);                              /* world to body */
struct vector attitude_turn(struct attitude a, struct vector v);

/* To length 1. False, and nothing done, if it has none. */
bool attitude_normalise(struct attitude *a);

/* The orientation of body i, with its low part if it has one, and of the length that it has. */
struct attitude attitude_of_body(const gyre_bodies *bodies, size_t i);

/* What a float cannot hold goes to the low part. */
void attitude_set_body(const gyre_bodies *bodies, size_t i, struct attitude a);

/* The angle between two, in radians. */
double attitude_between(struct attitude a, struct attitude b);

extern const double degree; /* in radians */

/* Rz(alpha) Rx(beta) Rz(gamma), as astronomers have it, in degrees. */
struct attitude attitude_from_euler_zxz(const double degrees[3]);
void attitude_to_euler_zxz(struct attitude a, double degrees[3]); /* alpha and gamma in [0, 360), beta in [0, 180] */

struct vector vector_along(size_t axis); /* of length 1 */
struct vector vector_cross(struct vector a, struct vector b);
double vector_dot(struct vector a, struct vector b);
double vector_length(struct vector v);

#endif
