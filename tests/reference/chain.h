/* Chains of bones, one bone at a time as kernels/chain/README.md describes them, in double. Keep it simple. */
#ifndef GYRE_TESTS_REFERENCE_CHAIN_H
#define GYRE_TESTS_REFERENCE_CHAIN_H

#include "reference/rotation.h"

#include <gyre/gyre.h>

#include <stdbool.h>

enum { REFERENCE_BONES = 16, REFERENCE_COLLIDERS = 8 };

/* Parameters as in gyre_bone, in double. */
typedef struct reference_bone {
    quaternion rest;
    vector tail;
    double radius, stiffness, damping, drag, load_damping, gravity, limit;
    vector hinge;
} reference_bone;

typedef struct reference_collider {
    gyre_collider_kind kind;
    vector position, end;
    double radius; /* negative: none */
} reference_collider;

typedef struct reference_chain {
    size_t bones, colliders;
    reference_bone bone[REFERENCE_BONES];
    reference_collider collider[REFERENCE_COLLIDERS];
    double scale;
    vector gravity, wind;
    vector position_before, position;
    quaternion parent_before, parent;
    quaternion orientation[REFERENCE_BONES]; /* in and out */
    vector velocity[REFERENCE_BONES];        /* in and out */
    vector tail[REFERENCE_BONES];            /* out */
    vector target[REFERENCE_BONES];          /* out: r1 */
} reference_chain;

reference_bone reference_bone_of(const gyre_bone *bone);
void reference_chain_step(reference_chain *chain, double h);
void reference_chain_reset(reference_chain *chain, double h);

/* The direction of bone i. */
vector reference_bone_direction(const reference_chain *chain, size_t i);

/* x'' + c x' + w2 x = A after h:  x = m[0] x0 + m[1] v0 + m[4] A,  v = m[2] x0 + m[3] v0 + m[1] A. */
void reference_bone_matrix(double w2, double c, double h, double m[5]);

#endif
