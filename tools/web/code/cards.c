/* Springs as others publish them, all sent from 0 to 1: where each is after 0.25 s.
   cc cards.c $(pkg-config --cflags --libs gyre) -lm -o cards */
#include <gyre/gyre.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { COUNT = 20 };

/* Makes a spring from a stiffness and a damping ratio, on a mass of 1. */
static gyre_status from_ratio(double stiffness, double ratio, gyre_spring *out)
{
    return gyre_spring_from_stiffness(1, (float)stiffness, (float)(2 * ratio * sqrt(stiffness)), out);
}

int main(void)
{
    gyre_spring published[COUNT], *out = published;
    int failed = 0;
    failed |= gyre_spring_from_duration(0.5f, 0, out++);        /* SwiftUI, smooth */
    failed |= gyre_spring_from_duration(0.5f, 0.15f, out++);    /* SwiftUI, snappy */
    failed |= gyre_spring_from_duration(0.5f, 0.3f, out++);     /* SwiftUI, bouncy */
    failed |= gyre_spring_from_response(0.15f, 0.86f, out++);   /* SwiftUI, interactive */
    failed |= from_ratio(200, 0.5, out++);                      /* Android, low, medium bouncy */
    failed |= from_ratio(200, 0.2, out++);                      /* Android, low, high bouncy */
    failed |= from_ratio(1500, 0.75, out++);                    /* Android, medium, low bouncy */
    failed |= from_ratio(50, 1, out++);                         /* Android, very low, no bouncy */
    failed |= from_ratio(800, 0.6, out++);                      /* Material 3, expressive, fast */
    failed |= from_ratio(380, 0.8, out++);                      /* Material 3, expressive, default */
    failed |= from_ratio(200, 0.8, out++);                      /* Material 3, expressive, slow */
    failed |= from_ratio(700, 0.9, out++);                      /* Material 3, standard, default */
    failed |= gyre_spring_from_stiffness(1, 170, 26, out++);    /* react-spring, default */
    failed |= gyre_spring_from_stiffness(1, 120, 14, out++);    /* react-spring, gentle */
    failed |= gyre_spring_from_stiffness(1, 180, 12, out++);    /* react-spring, wobbly */
    failed |= gyre_spring_from_stiffness(1, 210, 20, out++);    /* react-spring, stiff */
    failed |= gyre_spring_from_stiffness(1, 280, 60, out++);    /* react-spring, slow */
    failed |= gyre_spring_from_stiffness(1, 280, 120, out++);   /* react-spring, molasses */
    failed |= gyre_spring_from_stiffness(1, 100, 10, out++);    /* Framer Motion, default */
    failed |= gyre_spring_from_stiffness(1, 230.2f, 19, out++); /* Rebound, tension 40, friction 6 */

    float position[COUNT] = {0}, velocity[COUNT] = {0}, target[COUNT];
    gyre_spring_matrix frame[COUNT]; /* what 1/60 s does to each */
    uint16_t index[COUNT];
    for (int k = 0; k < COUNT; k++) {
        failed |= gyre_spring_matrix_at(published[k], 1 / 60.0f, &frame[k]);
        index[k] = (uint16_t)k;
        target[k] = 1;
    }
    if (failed) {
        return 1;
    }
    gyre_springs springs = {.count = COUNT, .position = position, .velocity = velocity, .target = target};
    for (int i = 0; i < 15; i++) {
        gyre_springs_step_palette(&springs, 0, COUNT, frame, COUNT, index);
    }

    uint64_t hash;
    gyre_hash((float *const[]){position, velocity}, 2, &hash, 0, COUNT);
    for (int k = 0; k < COUNT; k++) {
        printf("%.3f ", position[k]);
    }
    printf("hash %016" PRIx64 "\n", hash);
    return 0;
}
