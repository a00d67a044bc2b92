/* Points that move to the places of a picture, each on two springs, x and y. One call steps all of them.
   cc springs.c $(pkg-config --cflags --libs gyre) -o springs */
#include <gyre/gyre.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 1000000
#define RESPONSE 0.7
#define DAMPING 0.42

enum { SPRINGS = 2 * COUNT, STYLES = 64, RUN = 64 };

int main(void)
{
    float *position = calloc(SPRINGS, sizeof *position), *velocity = calloc(SPRINGS, sizeof *velocity);
    float *target = calloc(SPRINGS, sizeof *target);
    uint16_t *style = calloc(SPRINGS, sizeof *style);
    uint8_t *awake = malloc(SPRINGS);
    if (!position || !velocity || !target || !style || !awake) {
        return 1;
    }
    for (size_t i = 0; i < COUNT; i++) { /* x of all points, then y of all; your picture in place of rows of points */
        target[i] = (float)(i % 1000);
        target[COUNT + i] = (float)(i / 1000);
        style[i] = style[COUNT + i] = (uint16_t)(i / RUN % STYLES);
    }
    memset(awake, 1, SPRINGS);
    gyre_springs springs = {
        .count = SPRINGS,
        .position = position,
        .velocity = velocity,
        .target = target,
        .rest_distance = 0.1f,
        .rest_speed = 2,
        .awake = awake,
        .skip_asleep = true,
    };

    gyre_spring_matrix frame[STYLES]; /* what 1/60 s does to the springs of each style, slow ones and quick ones */
    for (int k = 0; k < STYLES; k++) {
        gyre_spring spring;
        if (gyre_spring_from_response((float)(RESPONSE * (0.6 + 0.8 * k / (STYLES - 1))), (float)DAMPING, &spring) <
                0 ||
            gyre_spring_matrix_at(spring, 1 / 60.0f, &frame[k]) < 0) {
            return 1;
        }
    }
    for (int i = 0; i < 60; i++) {
        gyre_springs_step_palette(&springs, 0, springs.count, frame, STYLES, style);
    }

    uint64_t hash;
    gyre_hash((float *const[]){position, velocity}, 2, &hash, 0, springs.count);
    printf("after 1 s point 1 is at %.3f, %.3f; hash %016" PRIx64 "\n", position[1], position[COUNT + 1], hash);
    free(position), free(velocity), free(target), free(style), free(awake);
    return 0;
}
