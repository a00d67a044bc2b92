/* Heads that turn to where they look: springs on rotations.
   cc turning.c $(pkg-config --cflags --libs gyre) -o turning */
#include <gyre/gyre.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COUNT 24
#define RESPONSE 0.5
#define DAMPING 0.4

static float array[11][COUNT]; /* orientation x y z w, angular velocity, target x y z w */
static uint8_t awake[COUNT];

int main(void)
{
    for (int i = 0; i < COUNT; i++) {
        array[3][i] = 1;                                   /* they look ahead, along z */
        array[8][i] = i % 2 == 0 ? 0.258819f : -0.258819f; /* and shall look 30 degrees to one side */
        array[10][i] = 0.965926f;
    }
    memset(awake, 1, COUNT);
    gyre_orientation_springs heads = {
        .count = COUNT,
        .orientation = {array[0], array[1], array[2], array[3]},
        .angular_velocity = {array[4], array[5], array[6]},
        .target = {array[7], array[8], array[9], array[10]},
        .rest_angle = 1e-3f,
        .rest_speed = 1e-2f,
        .awake = awake,
        .skip_asleep = true,
    };

    gyre_spring spring;
    gyre_spring_matrix frame; /* what 1/60 s does to every head */
    if (gyre_spring_from_response((float)RESPONSE, (float)DAMPING, &spring) < 0 ||
        gyre_spring_matrix_at(spring, 1 / 60.0f, &frame) < 0) {
        return 1;
    }
    for (int i = 0; i < 15; i++) {
        gyre_orientation_springs_step(&heads, 0, heads.count, &frame, 1 / 60.0f);
    }

    uint64_t hash;
    float *state[7];
    for (int k = 0; k < 7; k++) {
        state[k] = array[k];
    }
    gyre_hash(state, 7, &hash, 0, COUNT);
    printf("after 0.25 s the first turns at %.3f rad/s; hash %016" PRIx64 "\n", array[5][0], hash);
    return 0;
}
