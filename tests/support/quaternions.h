/* Chunks of quaternions for gyre_rotation_vector, _product, _apply and _between. */
#ifndef GYRE_TESTS_QUATERNIONS_H
#define GYRE_TESTS_QUATERNIONS_H

#include "reference/rotation.h"
#include "support/support.h"

enum { CHUNK = 1021, INPUTS = 8 }; /* a tail for every vector width */

/* in: the components of a, then of b, of which APPLY takes the first three for a vector. */
typedef struct chunk {
    float in[INPUTS][CHUNK], out[4][CHUNK];
} chunk;

/* BETWEEN uses a part from 0 to 1, BEYOND one outside. */
typedef enum operation { VECTOR, PRODUCT, APPLY, BETWEEN, BEYOND, OPERATIONS } operation;

extern const char *const operation_names[OPERATIONS];
extern const size_t outputs_of[OPERATIONS], inputs_of[OPERATIONS];

gyre_status run_operation(const gyre_kernels *table, operation which, float *const in[INPUTS], float *const out[4],
                          size_t begin, size_t end);

typedef struct pointers {
    float *in[INPUTS], *out[4];
} pointers;

pointers pointers_to(chunk *c);

/* Runs it on the whole chunk; must succeed. */
void run_chunk(const gyre_kernels *table, operation which, chunk *c);
void run_between(const gyre_kernels *table, float part, chunk *c);

quaternion quaternion_in(float array[][CHUNK], size_t i);
void quaternion_put(float array[][CHUNK], size_t i, quaternion q);
quaternion a_of(chunk *c, size_t i);
quaternion b_of(chunk *c, size_t i);
quaternion result_of(chunk *c, size_t i);

double largest_component(quaternion q);

/* ---- Quaternions to try ---- */

/* Any unit vector, often with components that are 0 or tiny. */
vector random_axis(random_source *random);

/* A turn by an angle of any kind: small, near pi, arbitrary. */
quaternion random_quaternion(random_source *random);

/* Pairs of these: close to each other, or arbitrary. */
void fill_chunk(chunk *c, random_source *random);

#endif
