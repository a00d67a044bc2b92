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

static uint64_t chains(void)
{
    enum { COUNT = 1000, LEVELS = 5 };
    static const size_t begins[LEVELS + 1] = {0, COUNT, 2 * COUNT, 3 * COUNT, 4 * COUNT, 5 * COUNT};
    static float roots[14][COUNT];
    float *const position[3] = {roots[0], roots[1], roots[2]}, *const parent[4] = {roots[3], roots[4], roots[5],
                                                                                   roots[6]};
    const gyre_chain_collider collider = {
        .kind = GYRE_COLLIDER_SPHERE, .position = {roots[7], roots[8], roots[9]}, .radius = roots[10]};
    gyre_bone bones[LEVELS];
    const gyre_bone_chains chains = {.count = COUNT,
                                     .levels = LEVELS,
                                     .level_begin = begins,
                                     .orientation = {columns[0], columns[1], columns[2], columns[3]},
                                     .velocity = {columns[4], columns[5], columns[6]},
                                     .bones = bones,
                                     .bone_count = LEVELS,
                                     .position = {position[0], position[1], position[2]},
                                     .parent = {parent[0], parent[1], parent[2], parent[3]},
                                     .position_before = {roots[11], roots[12], roots[13]},
                                     .gravity = {columns[7], columns[8], columns[9]},
                                     .colliders = &collider,
                                     .collider_count = 1};
    for (size_t k = 0; k < LEVELS; k++) {
        bones[k] = (gyre_bone){.rest = {0, 0, 0, 1},
                               .tail = {0, -0.125f, 0},
                               .radius = 0.0625f,
                               .stiffness = 400,
                               .damping = 24,
                               .drag = 8,
                               .load_damping = 1 / 128.0f,
                               .gravity = 1};
    }
    for (size_t axis = 0; axis < 3; axis++) {
        fill(position[axis], COUNT, axis, 1 / 128.0f);
        fill(roots[7 + axis], COUNT, 1 + axis, 1 / 128.0f);
    }
    for (size_t i = 0; i < COUNT; i++) {
        roots[10][i] = 0.5f;
        columns[7][i] = columns[9][i] = 0;
        columns[8][i] = -8;
    }
    for (size_t i = 0; i < (size_t)LEVELS * COUNT; i++) {
        columns[0][i] = columns[1][i] = columns[2][i] = columns[4][i] = columns[5][i] = columns[6][i] = 0;
        columns[3][i] = 1;
    }
    orient(parent, COUNT, 6);
    check(gyre_bone_chains_reset(&chains, 0, COUNT, 0));
    for (size_t k = 0; k < FRAMES; k++) {
        if (k > 0 && k % RETARGETED_EVERY == 0) {
            orient(parent, COUNT, 6 + k);
        }
        for (size_t axis = 0; axis < 3; axis++) {
            memcpy(roots[11 + axis], position[axis], sizeof roots[0]);
            for (size_t i = 0; i < COUNT; i++) {
                position[axis][i] += number(i, axis + k - k % RETARGETED_EVERY) / 1024;
            }
        }
        check(gyre_bone_chains_step(&chains, 0, COUNT, DT));
    }
    return hash_of(7, (size_t)LEVELS * COUNT);
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
    printf("\"chains\": \"%016" PRIx64 "\", ", chains());
    printf("\"bodies\": \"%016" PRIx64 "\"}}\n", bodies());
}
