/* A batch of springs on rotations to step, with every feature of gyre_orientation_springs available. */
#ifndef GYRE_TESTS_ORIENTATIONS_H
#define GYRE_TESTS_ORIENTATIONS_H

#include "support/rotations.h"

enum { SPRINGS = 77 }; /* whole vectors and a tail, for every vector width */

typedef struct orientation_batch {
    float q[4][SPRINGS], omega[3][SPRINGS], target[4][SPRINGS], before[4][SPRINGS];
    uint8_t awake[SPRINGS];
} orientation_batch;

enum { WITH_TARGET = 1, WITH_BEFORE = 2, WITH_REST = 4, WITH_AWAKE = 8, WITH_SKIP = 16, WITH_ALL = 32 };

/* *b as the library's struct, with the given features. Rest within 2^-6 and 2^-5. */
gyre_orientation_springs orientation_springs_of(orientation_batch *b, unsigned features);

quaternion get_quaternion(float array[4][SPRINGS], size_t i);
void set_quaternion(float array[4][SPRINGS], size_t i, quaternion q);
vector get_omega(const orientation_batch *b, size_t i);
void set_omega(orientation_batch *b, size_t i, vector omega);

/* A turn by the angle about a random axis; a random number between two. */
quaternion random_turn(random_source *random, double angle);
double random_between(random_source *random, double from, double to);

/* Up to half a turn from their targets, at rest or turning, with moving targets. */
void random_orientations(orientation_batch *b, random_source *random);

/* Steps all of them; must succeed. */
void step_orientations(const gyre_kernels *table, gyre_orientation_springs s, const gyre_spring_matrix *m, float dt);

#endif
