/* Hashes of states after 120 frames, one for each kind of batch. The tests of the JavaScript bindings
   (tools/bindings/js) run the same frames and must get the same hashes. */
#include "support/support.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 100, FRAMES = 120 };
static const float DT = 1 / 60.0f;

/* Multiples of 1/8 from -125 to 125, which are exact floats on every platform. */
static float number(size_t i, size_t column) { return (float)((i * 7919 + column * 104729) % 2001) / 8 - 125; }

static float columns[36][COUNT]; /* inputs and states, filled again for each kind */
static uint8_t awake[COUNT];

static void fill_columns(void)
{
    for (size_t column = 0; column < LENGTH(columns); column++) {
        for (size_t i = 0; i < COUNT; i++) {
            columns[column][i] = number(i, column);
        }
    }
    memset(awake, 1, sizeof awake);
}

static uint64_t hash_of(const gyre_kernels *table, size_t components)
{
    float *arrays[LENGTH(columns)];
    uint64_t hash;
    for (size_t column = 0; column < components; column++) {
        arrays[column] = columns[column];
    }
    check_status(table->hash(arrays, components, &hash, 0, COUNT), GYRE_OK);
    return hash;
}

static gyre_spring spring_of(const gyre_kernels *table, float response_s, float damping_ratio)
{
    gyre_spring spring;
    check_status(table->spring_from_response(response_s, damping_ratio, &spring), GYRE_OK);
    return spring;
}

static gyre_spring_matrix matrix_of(const gyre_kernels *table, float response_s, float damping_ratio)
{
    gyre_spring_matrix matrix;
    check_status(table->spring_matrix_at(spring_of(table, response_s, damping_ratio), DT, &matrix), GYRE_OK);
    return matrix;
}

/* Position, velocity and target are the first three columns. */
static gyre_springs springs_of_columns(void)
{
    return (gyre_springs){.count = COUNT, .position = columns[0], .velocity = columns[1], .target = columns[2]};
}

static uint64_t springs(const gyre_kernels *table)
{
    gyre_springs springs = springs_of_columns();
    const gyre_spring_matrix matrix = matrix_of(table, 0.5f, 0.8f);
    springs.rest_distance = springs.rest_speed = 0.5f;
    springs.awake = awake;
    springs.skip_asleep = true;
    springs.upper = columns[3];
    springs.bounce = 0.5f;
    for (size_t frame = 0; frame < FRAMES; frame++) {
        check_status(table->springs_step(&springs, 0, COUNT, &matrix), GYRE_OK);
    }
    return hash_of(table, 2);
}

static uint64_t springs_palette(const gyre_kernels *table)
{
    gyre_springs springs = springs_of_columns();
    const gyre_spring_matrix palette[] = {matrix_of(table, 0.5f, 0.2f), matrix_of(table, 1, 1), matrix_of(table, 2, 3)};
    uint16_t index[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        index[i] = (uint16_t)(i % LENGTH(palette));
    }
    springs.period = 360;
    for (size_t frame = 0; frame < FRAMES; frame++) {
        check_status(table->springs_step_palette(&springs, 0, COUNT, palette, LENGTH(palette), index), GYRE_OK);
    }
    return hash_of(table, 2);
}

static uint64_t springs_each(const gyre_kernels *table)
{
    gyre_springs springs = springs_of_columns();
    float frequency[COUNT], ratio[COUNT], follow[COUNT], time_scale[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        frequency[i] = (float)(1 + i % 20);
        ratio[i] = (float)(i % 9) / 4;
        follow[i] = (float)(i % 2);
        time_scale[i] = (float)(1 + i % 3) / 2;
    }
    springs.target_before = columns[3];
    for (size_t frame = 0; frame < FRAMES; frame++) {
        check_status(table->springs_step_each(&springs, 0, COUNT, frequency, ratio, follow, time_scale, DT), GYRE_OK);
    }
    return hash_of(table, 2);
}

static uint64_t springs_at(const gyre_kernels *table)
{
    const gyre_springs start = springs_of_columns();
    float elapsed[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        elapsed[i] = (float)i / 32;
    }
    check_status(table->springs_at(&start, 0, COUNT, spring_of(table, 0.75f, 0.5f), elapsed, columns[0], columns[1]),
                 GYRE_OK);
    return hash_of(table, 2);
}

static uint64_t springs_low_parts(const gyre_kernels *table)
{
    gyre_springs springs = springs_of_columns();
    const gyre_spring_matrix matrix = matrix_of(table, 0.5f, 0.8f);
    springs.position_low = columns[3];
    springs.velocity_low = columns[4];
    memset(columns[3], 0, sizeof columns[3]);
    memset(columns[4], 0, sizeof columns[4]);
    for (size_t frame = 0; frame < FRAMES; frame++) {
        check_status(table->springs_step(&springs, 0, COUNT, &matrix), GYRE_OK);
    }
    return hash_of(table, 5);
}

static uint64_t particles(const gyre_kernels *table)
{
    const gyre_particles particles = {.count = COUNT,
                                      .position = columns[0],
                                      .velocity = columns[1],
                                      .acceleration = columns[2],
                                      .lower = columns[3],
                                      .bounce = 0.75f};
    gyre_particle_matrix matrix;
    float damping[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        damping[i] = (float)(i % 8) / 4;
    }
    check_status(table->particle_matrix_at(0.5f, DT, &matrix), GYRE_OK);
    for (size_t frame = 0; frame < FRAMES; frame++) {
        check_status(table->particles_step(&particles, 0, COUNT, &matrix), GYRE_OK);
        check_status(table->particles_step_each(&particles, 0, COUNT, damping, NULL, DT), GYRE_OK);
    }
    return hash_of(table, 2);
}

static uint64_t flings(const gyre_kernels *table)
{
    const gyre_flings flings = {.count = COUNT,
                                .position = columns[0],
                                .velocity = columns[1],
                                .lower = columns[2],
                                .upper = columns[3],
                                .damping = 2,
                                .spring = spring_of(table, 0.5f, 0.75f),
                                .rest_distance = 0.5f,
                                .rest_speed = 1,
                                .awake = awake};
    for (size_t frame = 0; frame < FRAMES; frame++) {
        check_status(table->flings_step(&flings, 0, COUNT, DT), GYRE_OK);
    }
    return hash_of(table, 2);
}

/* Makes the first four columns unit quaternions, from the three columns starting at `vectors`, in units of 1/64 rad. */
static void orient(const gyre_kernels *table, size_t vectors, float *const quaternions[4])
{
    float *v[3];
    for (size_t component = 0; component < 3; component++) {
        v[component] = columns[vectors + component];
        for (size_t i = 0; i < COUNT; i++) {
            v[component][i] /= 64;
        }
    }
    check_status(table->rotation_quaternion(v, quaternions, 0, COUNT), GYRE_OK);
}

static uint64_t orientation_springs(const gyre_kernels *table)
{
    const gyre_orientation_springs springs = {.count = COUNT,
                                              .orientation = {columns[0], columns[1], columns[2], columns[3]},
                                              .angular_velocity = {columns[4], columns[5], columns[6]},
                                              .target = {columns[7], columns[8], columns[9], columns[10]},
                                              .rest_angle = 0.01f,
                                              .rest_speed = 0.01f};
    const gyre_spring_matrix matrix = matrix_of(table, 0.5f, 0.8f);
    orient(table, 11, springs.orientation);
    orient(table, 14, (float *const[4]){columns[7], columns[8], columns[9], columns[10]});
    for (size_t frame = 0; frame < FRAMES; frame++) {
        check_status(table->orientation_springs_step(&springs, 0, COUNT, &matrix, DT), GYRE_OK);
    }
    return hash_of(table, 7);
}

/* Columns[at + k] = columns[from + k] + part columns[at + k], for three columns. All are exact. */
static void offset_columns(size_t at, size_t from, float part)
{
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < COUNT; i++) {
            columns[at + k][i] = columns[from + k][i] + part * columns[at + k][i];
        }
    }
}

static void scale_columns(size_t at, float factor)
{
    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; i < COUNT; i++) {
            columns[at + k][i] *= factor;
        }
    }
}

/* 40 chains of up to three bones, whose roots go back and forth for half of the frames and then stand. */
static uint64_t bone_chains(const gyre_kernels *table)
{
    static const size_t level_begin[] = {0, 40, 75, COUNT};
    gyre_bone bones[3];
    for (size_t l = 0; l < LENGTH(bones); l++) {
        bones[l] = (gyre_bone){.rest = {0, 0, 0, 1}, .tail = {0, -0.125f, 0}, .radius = 1 / 64.0f};
        check_status(table->bone_from_vrm((float)(l + 1) / 2, 0.25f * (float)(l + 1), 0.5f, 0.125f, 60, &bones[l]),
                     GYRE_OK);
    }
    bones[1].limit = 0.75f;
    bones[2].hinge[0] = 1;
    offset_columns(18, 15, 1 / 16.0f);
    orient(table, 15, (float *const[4]){columns[7], columns[8], columns[9], columns[10]});
    orient(table, 18, (float *const[4]){columns[11], columns[12], columns[13], columns[14]});
    scale_columns(21, 1 / 64.0f);
    offset_columns(24, 21, 1 / 1024.0f);
    offset_columns(33, 21, 1 / 512.0f);
    scale_columns(27, 1 / 16.0f);
    scale_columns(30, 1 / 64.0f);
    float radius[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        radius[i] = (float)((int)(i % 4) - 1) / 16;
    }
    const gyre_chain_collider colliders[] = {
        {.kind = GYRE_COLLIDER_SPHERE, .position = {columns[33], columns[34], columns[35]}, .radius = radius},
        {.kind = GYRE_COLLIDER_CAPSULE,
         .position = {columns[33], columns[34], columns[35]},
         .end = {columns[24], columns[25], columns[26]},
         .radius = radius + 1},
    };
    gyre_bone_chains chains = {.count = level_begin[1],
                               .levels = LENGTH(bones),
                               .level_begin = level_begin,
                               .orientation = {columns[0], columns[1], columns[2], columns[3]},
                               .velocity = {columns[4], columns[5], columns[6]},
                               .bones = bones,
                               .bone_count = LENGTH(bones),
                               .gravity = {columns[27], columns[28], columns[29]},
                               .wind = {columns[30], columns[31], columns[32]},
                               .colliders = colliders,
                               .collider_count = LENGTH(colliders),
                               .rest_angle = 0.01f,
                               .rest_speed = 0.01f,
                               .awake = awake,
                               .skip_asleep = true};
    for (size_t frame = 0; frame <= FRAMES; frame++) {
        const size_t now = frame < FRAMES / 2 && frame % 2, before = frame <= FRAMES / 2 && frame % 2 == 0 && frame > 0;
        for (size_t k = 0; k < 4; k++) {
            chains.parent[k] = columns[7 + 4 * now + k];
            chains.parent_before[k] = columns[7 + 4 * before + k];
        }
        for (size_t k = 0; k < 3; k++) {
            chains.position[k] = columns[21 + 3 * now + k];
            chains.position_before[k] = columns[21 + 3 * before + k];
        }
        check_status(frame == 0 ? table->bone_chains_reset(&chains, 0, chains.count, 0)
                                : table->bone_chains_step(&chains, 0, chains.count, DT),
                     GYRE_OK);
    }
    return hash_of(table, 7);
}

/* With moments from 1 to 8, momenta up to 16 and torques up to 2. */
static uint64_t bodies_by(const gyre_kernels *table, gyre_body_method method)
{
    const gyre_bodies bodies = {.count = COUNT,
                                .orientation = {columns[0], columns[1], columns[2], columns[3]},
                                .momentum = {columns[4], columns[5], columns[6]},
                                .inertia = {columns[7], columns[8], columns[9]},
                                .torque = {columns[10], columns[11], columns[12]},
                                .angular_damping = 0.25f};
    const gyre_body_solver solver = {.method = method};
    orient(table, 13, bodies.orientation);
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t component = 0; component < 3; component++) {
            columns[4 + component][i] /= 8;
            columns[7 + component][i] = (float)(4 + (i + component) % 3);
            columns[10 + component][i] /= 64;
        }
    }
    for (size_t frame = 0; frame < FRAMES; frame++) {
        check_status(table->bodies_step(&bodies, 0, COUNT, DT, &solver, NULL), GYRE_OK);
    }
    return hash_of(table, 7);
}

static uint64_t bodies(const gyre_kernels *table) { return bodies_by(table, GYRE_BODY_MOSER_VESELOV); }
static uint64_t bodies_midpoint(const gyre_kernels *table) { return bodies_by(table, GYRE_BODY_MIDPOINT); }
static uint64_t bodies_trapezoid(const gyre_kernels *table) { return bodies_by(table, GYRE_BODY_TRAPEZOID); }
static uint64_t bodies_object_trapezoid(const gyre_kernels *table)
{
    return bodies_by(table, GYRE_BODY_OBJECT_TRAPEZOID);
}
static uint64_t bodies_explicit_euler(const gyre_kernels *table) { return bodies_by(table, GYRE_BODY_EXPLICIT_EULER); }

typedef struct frames_kind {
    const char *name;
    uint64_t (*run)(const gyre_kernels *table);
    uint64_t wanted;
} frames_kind;

static void test_hash(void **state)
{
    const frames_kind *kind = *state;
    EACH_TABLE(table) {
        if (table->rounding == GYRE_ROUNDING_PORTABLE) {
            fill_columns();
            const uint64_t hash = kind->run(table);
            if (hash != kind->wanted) {
                check_failed("got FRAMES_HASH(%s, 0x%016" PRIx64 ")", kind->name, hash);
            }
        }
    }
}

int main(void)
{
    static const frames_kind kinds[] = {
#define FRAMES_HASH(name, hash) {#name, name, hash},
#include "data/frame_hashes.inc"
    };
    struct CMUnitTest tests[LENGTH(kinds)];
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        tests[i] = (struct CMUnitTest){
            .name = kinds[i].name, .test_func = test_hash, .initial_state = (void *)(uintptr_t)&kinds[i]};
    }
    return cmocka_run_group_tests_name("guarantees_frames", tests, NULL, NULL);
}
