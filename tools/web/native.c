/* The script of frames.js with the native library: prints the table and the hash of each kind of batch as JSON, which
   tools/web.sh puts next to the page. */
#include <gyre/gyre.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 120, RETARGETED_EVERY = 40, MOST = 100000, STYLES = 64 };
static const float DT = 1 / 60.0f;

static float columns[11][MOST];
static uint8_t awake[MOST];

/* Multiples of 1/8 from -125 to 125. */
static float number(uint64_t i, uint64_t column) { return (float)((i * 7919 + column * 104729) % 2001) / 8 - 125; }

static void fill(float *array, size_t count, uint64_t column, float scale)
{
    for (size_t i = 0; i < count; i++) {
        array[i] = number(i, column) * scale;
    }
}

static void check(gyre_status status)
{
    if (status != GYRE_OK) {
        fprintf(stderr, "%s\n", gyre_status_name(status));
        exit(1);
    }
}

/* Writes orientations turned by rotation vectors of three columns, in units of 1/64 rad. */
static void orient(float *const quaternions[4], size_t count, uint64_t column)
{
    static float vectors[3][MOST];
    for (size_t k = 0; k < 3; k++) {
        fill(vectors[k], count, column + k, 1 / 64.0f);
    }
    check(gyre_rotation_quaternion((float *const[3]){vectors[0], vectors[1], vectors[2]}, quaternions, 0, count));
}

static gyre_spring_matrix matrix_of(float response_s, float damping_ratio)
{
    gyre_spring spring;
    gyre_spring_matrix matrix;
    check(gyre_spring_from_response(response_s, damping_ratio, &spring));
    check(gyre_spring_matrix_at(spring, DT, &matrix));
    return matrix;
}

static uint64_t hash_of(size_t components, size_t count)
{
    float *arrays[7];
    uint64_t hash;
    for (size_t k = 0; k < components; k++) {
        arrays[k] = columns[k];
    }
    check(gyre_hash(arrays, components, &hash, 0, count));
    return hash;
}

static uint64_t springs(void)
{
    enum { COUNT = 100000 };
    static uint16_t index[COUNT];
    const gyre_springs springs = {.count = COUNT,
                                  .position = columns[0],
                                  .velocity = columns[1],
                                  .target = columns[2],
                                  .rest_distance = 0.5f,
                                  .rest_speed = 0.5f,
                                  .awake = awake,
                                  .skip_asleep = true};
    gyre_spring_matrix palette[STYLES];
    fill(springs.position, COUNT, 0, 1);
    fill(springs.velocity, COUNT, 1, 1);
    for (size_t i = 0; i < COUNT; i++) {
        index[i] = (uint16_t)(i / 64 % STYLES);
    }
    for (size_t k = 0; k < STYLES; k++) {
        palette[k] = matrix_of((float)(k + 8) / 128, (float)(k % 16 + 2) / 16);
    }
    for (size_t k = 0; k < FRAMES; k++) {
        if (k % RETARGETED_EVERY == 0) {
            fill(columns[2], COUNT, 2 + k, 1);
            memset(awake, 1, COUNT);
        }
        check(gyre_springs_step_palette(&springs, 0, COUNT, palette, STYLES, index));
    }
    return hash_of(2, COUNT);
}

static uint64_t turning(void)
{
    enum { COUNT = 4000 };
    const gyre_orientation_springs springs = {.count = COUNT,
                                              .orientation = {columns[0], columns[1], columns[2], columns[3]},
                                              .angular_velocity = {columns[4], columns[5], columns[6]},
                                              .target = {columns[7], columns[8], columns[9], columns[10]},
                                              .rest_angle = 1 / 64.0f,
                                              .rest_speed = 1 / 64.0f,
                                              .awake = awake,
                                              .skip_asleep = true};
    const gyre_spring_matrix matrix = matrix_of(0.5f, 0.5f);
    orient(springs.orientation, COUNT, 0);
    for (size_t k = 0; k < 3; k++) {
        fill(springs.angular_velocity[k], COUNT, 3 + k, 1 / 16.0f);
    }
    for (size_t k = 0; k < FRAMES; k++) {
        if (k % RETARGETED_EVERY == 0) {
            orient((float *const[4]){columns[7], columns[8], columns[9], columns[10]}, COUNT, 6 + k);
            memset(awake, 1, COUNT);
        }
        check(gyre_orientation_springs_step(&springs, 0, COUNT, &matrix, DT));
    }
    return hash_of(7, COUNT);
}

static uint64_t bodies(void)
{
    enum { COUNT = 4000 };
    const gyre_bodies bodies = {.count = COUNT,
                                .orientation = {columns[0], columns[1], columns[2], columns[3]},
                                .momentum = {columns[4], columns[5], columns[6]},
                                .inertia = {columns[7], columns[8], columns[9]}};
    orient(bodies.orientation, COUNT, 0);
    for (size_t k = 0; k < 3; k++) {
        fill(bodies.momentum[k], COUNT, 3 + k, 1 / 8.0f);
        for (size_t i = 0; i < COUNT; i++) {
            columns[7 + k][i] = (float)(4 + k);
        }
    }
    for (size_t k = 0; k < FRAMES; k++) {
        check(gyre_bodies_step(&bodies, 0, COUNT, DT, NULL, NULL));
    }
    return hash_of(7, COUNT);
}

int main(void)
{
    const gyre_kernels *table = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    check(gyre_use(table));
    printf("{\"table\": \"%s-%s\", \"hashes\": {", gyre_isa_name(gyre_kernels_isa(table)),
           gyre_rounding_name(gyre_kernels_rounding(table)));
    printf("\"springs\": \"%016" PRIx64 "\", ", springs());
    printf("\"turning\": \"%016" PRIx64 "\", ", turning());
    printf("\"bodies\": \"%016" PRIx64 "\"}}\n", bodies());
}
