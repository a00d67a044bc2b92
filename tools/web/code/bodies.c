/* T-handles without gravity, that spin about their middle axis: how often they turn over in 10 s by two methods.
   cc bodies.c $(pkg-config --cflags --libs gyre) -o bodies */
#include <gyre/gyre.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 20000
#define LEFT GYRE_BODY_MOSER_VESELOV
#define RIGHT GYRE_BODY_EXPLICIT_EULER

enum { HALF = COUNT / 2 };

int main(void)
{
    float *array[13]; /* orientation x y z w, momentum, inertia, angular velocity */
    for (int k = 0; k < 13; k++) {
        if (!(array[k] = calloc(COUNT, sizeof *array[k]))) {
            return 1;
        }
    }
    signed char *up = malloc(COUNT); /* which way each points: 1 or -1 */
    if (!up) {
        return 1;
    }
    for (int i = 0; i < COUNT; i++) {
        up[i] = 1;
        array[1][i] = 0.0436194f; /* inclined by 5 degrees */
        array[3][i] = 0.999048f;
        array[7][i] = 4.05f; /* kg m^2, about the bar, across both, and about the stem */
        array[8][i] = 14.697f;
        array[9][i] = 10.707f;
        array[12][i] = 5 + (float)(i % 8) / 8; /* rad/s, about the vertical */
    }
    gyre_bodies bodies = {
        .count = COUNT,
        .orientation = {array[0], array[1], array[2], array[3]},
        .momentum = {array[4], array[5], array[6]},
        .inertia = {array[7], array[8], array[9]},
    };
    if (gyre_bodies_set_angular_velocity(&bodies, 0, COUNT, array + 10) != GYRE_OK) {
        return 1;
    }

    const gyre_body_solver left = {.method = LEFT}, right = {.method = RIGHT};
    int turned[2] = {0};
    for (int frame = 0; frame < 600; frame++) {
        gyre_bodies_step(&bodies, 0, HALF, 1 / 60.0f, &left, NULL);
        gyre_bodies_step(&bodies, HALF, COUNT, 1 / 60.0f, &right, NULL);
        for (int i = 0; i < COUNT; i++) {
            double x = array[0][i], y = array[1][i], height = 1 - 2 * (x * x + y * y);
            if (height * up[i] < -0.5) {
                up[i] = (signed char)-up[i];
                turned[i >= HALF]++;
            }
        }
    }

    uint64_t hash;
    gyre_hash(array, 7, &hash, 0, COUNT);
    printf("turned over %d and %d times; hash %016" PRIx64 "\n", turned[0], turned[1], hash);
    for (int k = 0; k < 13; k++) {
        free(array[k]);
    }
    free(up);
    return 0;
}
