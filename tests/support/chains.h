/* A batch of chains of bones to step, with every feature of gyre_bone_chains available, and the same in the
   reference. */
#ifndef GYRE_TESTS_CHAINS_H
#define GYRE_TESTS_CHAINS_H

#include "reference/chain.h"
#include "support/rotations.h"

/* Chains of 1 to 6 bones: whole vectors and a tail, for every vector width, and more than a block. */
enum { CHAINS = 117, CHAIN_LEVELS = 6, CHAIN_BONES = CHAINS * CHAIN_LEVELS, CHAIN_COLLIDERS = 5, CHAIN_PALETTE = 9 };

enum {
    CHAIN_MIXED = 1, /* an entry for each bone */
    CHAIN_RESTS = 2, /* animated rest rotations */
    CHAIN_SCALED = 4,
    CHAIN_MOVES = 8,
    CHAIN_TURNS = 16,
    CHAIN_GRAVITY = 32,
    CHAIN_WIND = 64,
    CHAIN_COLLIDES = 128,
    CHAIN_OUTPUTS = 256,
    CHAIN_SLEEPS = 512, /* rest limits, awake and skip_asleep */
    CHAIN_SKIPS = 1024,
    CHAIN_LIMITED = 2048, /* entries have the limits of the batch */
    CHAIN_FEATURES = 4096
};

typedef struct chain_batch {
    size_t level_begin[CHAIN_LEVELS + 1];
    gyre_bone bones[CHAIN_PALETTE];
    float limit[CHAIN_PALETTE]; /* rad */
    uint16_t bone[CHAIN_BONES];
    float orientation[4][CHAIN_BONES], velocity[3][CHAIN_BONES], tail[3][CHAIN_BONES], local[4][CHAIN_BONES],
        rest[4][CHAIN_BONES];
    float scale[CHAINS], position[3][CHAINS], parent[4][CHAINS], position_before[3][CHAINS], parent_before[4][CHAINS],
        gravity[3][CHAINS], wind[3][CHAINS];
    struct {
        float position[3][CHAINS], end[3][CHAINS], radius[CHAINS];
    } collider[CHAIN_COLLIDERS];
    gyre_chain_collider colliders[CHAIN_COLLIDERS];
    uint8_t awake[CHAINS];
    struct {
        vector position, way, axis;
        quaternion parent;
        double rate;
    } home[CHAINS]; /* where roots swing about */
} chain_batch;

/* The library's struct, with the given features. It points into *b. Rest within 0.01 rad and 0.01 u/s. */
gyre_bone_chains chains_of(chain_batch *b, unsigned features);

/* Chain c of *b in the reference. */
reference_chain reference_of(chain_batch *b, unsigned features, size_t c);

/* Where the bone of level l of chain c is, and the number of bones of a chain. */
size_t bone_at(const chain_batch *b, size_t l, size_t c);
size_t bones_of(const chain_batch *b, size_t c);

/* A palette of ordinary hair, 5 to 20 cm long, chains at rest, roots near the origin, one collider of each kind within
   reach of some. Limits and hinges on some entries. */
void random_chains(chain_batch *b, random_source *random);

/* Roots move on to the time t: before becomes now. They swing by up to 5 cm and 0.3 rad, at 0.5 to 1.4 Hz. */
void move_roots(chain_batch *b, double t);
/* The same for a reference: takes the roots of *b. */
void take_roots(reference_chain *r, chain_batch *b, unsigned features, size_t c);

quaternion chain_quaternion(float array[4][CHAIN_BONES], size_t i);
vector chain_vector_at(float array[3][CHAIN_BONES], size_t i);

/* One chain, all arrays in one place, for known answers. */
enum { SINGLE_BONES = 8 };
typedef struct single_chain {
    size_t bones, level_begin[SINGLE_BONES + 1];
    gyre_bone bone[SINGLE_BONES];
    float orientation[4][SINGLE_BONES], velocity[3][SINGLE_BONES], tail[3][SINGLE_BONES], local[4][SINGLE_BONES];
    float position[3], position_before[3], parent[4], parent_before[4], gravity[3], wind[3];
    uint8_t awake;
} single_chain;

/* Bones with rest rotation 1, tails 0.1 u along -y, stiffness 400, damping 24, drag 8, gravity factor 1, at rest. */
single_chain single_of(size_t bones);
gyre_bone_chains chains_of_single(single_chain *s);
vector single_direction(const single_chain *s, size_t i);
vector single_velocity(const single_chain *s, size_t i);
/* Puts bone i in a direction by the shortest turn from -y. */
void point_single(single_chain *s, size_t i, double x, double y, double z);
void reset_single(const gyre_kernels *table, single_chain *s);

#endif
