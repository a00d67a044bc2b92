/* Tails of animals that run at 1 m/s: chains of bones with VRM's parameters, at any number of steps a second.
   cc herd.c $(pkg-config --cflags --libs gyre) -lm -o herd */
#include <gyre/gyre.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT 100
#define RATE 30

enum { BONES = 5 };

static float of_bones[10][BONES * COUNT]; /* orientation x y z w, velocity, tail */
static float of_chains[13][COUNT];        /* where they hang, where before, on which orientation, gravity */

int main(void)
{
    static const double stiffness[BONES] = {1, 0.9, 0.8, 0.7, 0.6},
                        rise[BONES] = {0.75, 0.3, 0.1, -0.2, -0.4}; /* rad */
    gyre_bone bones[BONES] = {0};
    size_t begin[BONES + 1] = {0};
    for (int k = 0; k < BONES; k++) {
        bones[k].rest[1] = (float)sin(rise[k] / 2);
        bones[k].rest[3] = (float)cos(rise[k] / 2);
        bones[k].tail[0] = -0.15f; /* m */
        if (gyre_bone_from_vrm((float)stiffness[k], 0.35f, 0.1f, 0.15f, 60, &bones[k]) < 0) {
            return 1;
        }
        begin[k + 1] = begin[k] + COUNT;
    }
    float(*b)[BONES * COUNT] = of_bones, (*c)[COUNT] = of_chains;
    gyre_bone_chains chains = {
        .count = COUNT,
        .levels = BONES,
        .level_begin = begin,
        .orientation = {b[0], b[1], b[2], b[3]},
        .velocity = {b[4], b[5], b[6]},
        .tail = {b[7], b[8], b[9]},
        .bones = bones,
        .bone_count = BONES,
        .position = {c[0], c[1], c[2]},
        .position_before = {c[3], c[4], c[5]},
        .parent = {c[6], c[7], c[8], c[9]},
        .gravity = {c[10], c[11], c[12]},
    };
    for (int i = 0; i < COUNT; i++) {
        c[1][i] = (float)i;
        c[9][i] = 1;
        c[12][i] = -1; /* the bones have its size */
    }
    gyre_bone_chains_reset(&chains, 0, COUNT, 0); /* they hang at rest */
    for (int step = 0; step < RATE; step++) {
        memcpy(c[3], c[0], 3 * sizeof c[0]);
        for (int i = 0; i < COUNT; i++) {
            c[0][i] = (float)(c[0][i] + 1.0 / RATE);
        }
        gyre_bone_chains_step(&chains, 0, COUNT, (float)(1.0 / RATE));
    }

    uint64_t hash;
    float *state[7];
    for (int k = 0; k < 7; k++) {
        state[k] = b[k];
    }
    gyre_hash(state, 7, &hash, 0, begin[BONES]);
    size_t last = begin[BONES - 1]; /* the last bone of the first tail */
    printf("after 1 s the first tail ends at %.3f, %.3f; hash %016" PRIx64 "\n", b[7][last], b[9][last], hash);
    return 0;
}
