/* Runs chains of bones: every set of features, colliders of each kind, limits and hinges, several steps from states
   near and far from rest, and special values. */
#include "support/work_parts.h"

#include <string.h>

enum { RUNS = 48, CHAINS = 61, LEVELS = 4, BONES = CHAINS + CHAINS + 40 + 9, PALETTE = 7, OBSTACLES = 5 };

/* All numbers of a run, in the order in which they are made. */
typedef struct chain_input {
    gyre_bone bones[PALETTE];
    uint16_t bone[BONES];
    float orientation[4][BONES], velocity[3][BONES], tail[3][BONES], local[4][BONES], rest[4][BONES];
    float position[3][CHAINS], parent[4][CHAINS], position_before[3][CHAINS], parent_before[4][CHAINS],
        gravity[3][CHAINS], wind[3][CHAINS], scale[CHAINS];
    float centre[OBSTACLES][3][CHAINS], end[OBSTACLES][3][CHAINS], radius[OBSTACLES][CHAINS];
    uint8_t awake[CHAINS];
    size_t begin, last;
    float dt_s;
} chain_input;

static chain_input chain_inputs[RUNS], chain_outputs;
static const size_t chain_levels[LEVELS + 1] = {0, CHAINS, 2 * CHAINS, 2 * CHAINS + 40, BONES};

static float any_number(random_source *random, float size)
{
    if (random_one_in(random, 900)) {
        return special_floats[random_below(random, special_float_count)];
    }
    return random_one_in(random, 6) ? 0 : size * random_signed(random, -3, 0);
}

static void make_quaternions(random_source *random, float *array, size_t stride, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++) {
            array[k * stride + i] = any_number(random, 1);
        }
        array[3 * stride + i] = 1;
    }
}

static void make_numbers(random_source *random, float *array, size_t count, float size)
{
    for (size_t i = 0; i < count; i++) {
        array[i] = any_number(random, size);
    }
}

static gyre_bone any_bone(random_source *random)
{
    gyre_bone b = {.radius = 0.05f * random_unit(random)};
    make_quaternions(random, b.rest, 1, 1);
    make_numbers(random, b.tail, 3, 0.5f);
    b.stiffness = random_one_in(random, 5) ? 0 : random_magnitude(random, 0, 12);
    b.damping = 60 * random_unit(random);
    b.drag = random_unit(random) * b.damping;
    b.load_damping = 0.02f * random_unit(random);
    b.gravity = random_unit(random);
    b.limit = random_one_in(random, 3) ? 2 * random_unit(random) : 0;
    if (random_one_in(random, 3)) {
        make_numbers(random, b.hinge, 3, 2);
    }
    return b;
}

/* The state stays ordinary: special values come in by roots, bones and colliders. */
static void make_chain_inputs(void)
{
    random_source random = {171};
    for (size_t i = 0; i < RUNS; i++) {
        chain_input *in = &chain_inputs[i];
        for (size_t k = 0; k < PALETTE; k++) {
            in->bones[k] = any_bone(&random);
        }
        for (size_t k = 0; k < BONES; k++) {
            in->bone[k] = (uint16_t)random_below(&random, PALETTE + (i % 16 == 7));
        }
        make_quaternions(&random, in->orientation[0], BONES, BONES);
        make_numbers(&random, in->velocity[0], 3 * BONES, 3);
        make_quaternions(&random, in->rest[0], BONES, BONES);
        make_numbers(&random, in->position[0], 3 * CHAINS, 1);
        make_quaternions(&random, in->parent[0], CHAINS, CHAINS);
        for (size_t k = 0; k < CHAINS; k++) {
            for (size_t axis = 0; axis < 4; axis++) { /* not far from where it was */
                const float moved = in->position[axis % 3][k] + any_number(&random, 0.05f);
                in->position_before[axis % 3][k] = moved;
                in->parent_before[axis][k] = in->parent[axis][k] + any_number(&random, 0.1f);
            }
            in->scale[k] = 0.5f + random_unit(&random);
            in->awake[k] = !random_one_in(&random, 4);
        }
        make_numbers(&random, in->gravity[0], 3 * CHAINS, 10);
        make_numbers(&random, in->wind[0], 3 * CHAINS, 2);
        make_numbers(&random, in->centre[0][0], OBSTACLES * 3 * CHAINS, 1);
        make_numbers(&random, in->end[0][0], OBSTACLES * 3 * CHAINS, 1);
        make_numbers(&random, in->radius[0], OBSTACLES * CHAINS, 1);
        in->begin = random_below(&random, 20);
        in->last = CHAINS - random_below(&random, 20);
        in->dt_s = random_one_in(&random, 12) ? 0 : random_magnitude(&random, -10, 2);
    }
}

static void use(const float **to, float *from, size_t stride, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        to[k] = from + k * stride;
    }
}

static gyre_bone_chains chains_of_run(size_t i, chain_input *in, gyre_chain_collider colliders[OBSTACLES])
{
    gyre_bone_chains c = {.count = CHAINS, .levels = LEVELS, .level_begin = chain_levels, .bones = in->bones};
    c.bone_count = PALETTE;
    c.bone = i % 2 ? in->bone : NULL;
    for (size_t k = 0; k < 4; k++) {
        c.orientation[k] = in->orientation[k];
        c.velocity[k % 3] = in->velocity[k % 3];
        c.tail[k % 3] = in->tail[k % 3];
        c.local[k] = in->local[k];
    }
    use(c.position, in->position[0], CHAINS, 3);
    use(c.parent, in->parent[0], CHAINS, 4);
    if (i % 3 > 0) {
        use(c.position_before, in->position_before[0], CHAINS, 3);
        use(c.parent_before, in->parent_before[0], CHAINS, 4);
        use(c.gravity, in->gravity[0], CHAINS, 3);
    }
    if (i % 3 > 1) {
        use(c.rest, in->rest[0], BONES, 4);
        use(c.wind, in->wind[0], CHAINS, 3);
        c.scale = in->scale;
    }
    for (size_t k = 0; k < OBSTACLES; k++) {
        colliders[k] = (gyre_chain_collider){.kind = (gyre_collider_kind)k, .radius = in->radius[k]};
        use(colliders[k].position, in->centre[k][0], CHAINS, 3);
        use(colliders[k].end, in->end[k][0], CHAINS, 3);
    }
    c.colliders = colliders;
    c.collider_count = i % 4 > 1 ? OBSTACLES : 0;
    c.rest_angle = c.rest_speed = i % 8 > 3 ? 0.3f : 0;
    c.awake = i % 8 > 1 ? in->awake : NULL;
    c.skip_asleep = i % 8 > 5;
    return c;
}

static void write_chains(work *answers, const chain_input *in)
{
    write_floats(answers, in->orientation[0], 14 * BONES); /* velocity, tail and local follow */
    for (size_t k = 0; k < CHAINS; k++) {
        write_word(answers, in->awake[k]);
    }
}

WORK(bone_chains_step, make_chain_inputs)
{
    for (size_t i = 0; i < RUNS; i++) {
        memcpy(&chain_outputs, &chain_inputs[i], sizeof chain_outputs);
        gyre_chain_collider colliders[OBSTACLES];
        const gyre_bone_chains c = chains_of_run(i, &chain_outputs, colliders);
        for (size_t step = 0; step < 1 + 9 * (i % 2); step++) {
            write_word(answers, (uint32_t)table->bone_chains_step(&c, chain_outputs.begin, chain_outputs.last,
                                                                  chain_outputs.dt_s));
        }
        write_chains(answers, &chain_outputs);
    }
}

WORK(bone_chains_reset, make_chain_inputs)
{
    for (size_t i = 0; i < RUNS; i++) {
        memcpy(&chain_outputs, &chain_inputs[i], sizeof chain_outputs);
        gyre_chain_collider colliders[OBSTACLES];
        const gyre_bone_chains c = chains_of_run(i, &chain_outputs, colliders);
        write_word(answers,
                   (uint32_t)table->bone_chains_reset(&c, chain_outputs.begin, chain_outputs.last, chain_outputs.dt_s));
        write_chains(answers, &chain_outputs);
    }
}

enum { BONE_INPUTS = 512 };

static struct {
    gyre_spring spring;
    float stiffness, drag_force, gravity_power, length, rate;
} bone_inputs[BONE_INPUTS];

static void make_bone_inputs(void)
{
    random_source random = {172};
    for (size_t i = 0; i < BONE_INPUTS; i++) {
        bone_inputs[i].spring =
            (gyre_spring){random_magnitude(&random, -10, 20), 3 * random_unit(&random), random_unit(&random)};
        bone_inputs[i].stiffness = random_one_in(&random, 6) ? 0 : random_magnitude(&random, -20, 5);
        bone_inputs[i].drag_force = random_one_in(&random, 6) ? (float)random_below(&random, 2) : random_unit(&random);
        bone_inputs[i].gravity_power = random_one_in(&random, 3) ? 0 : random_magnitude(&random, -20, 5);
        bone_inputs[i].length = random_magnitude(&random, -8, 3);
        bone_inputs[i].rate = random_one_in(&random, 2) ? 60 : random_magnitude(&random, -2, 10);
    }
}

static void write_bone(work *answers, gyre_status status, const gyre_bone *b)
{
    const float numbers[] = {b->stiffness, b->damping, b->drag, b->load_damping, b->gravity};
    write_word(answers, (uint32_t)status);
    write_floats(answers, numbers, LENGTH(numbers));
}

WORK(bone_from_spring, make_bone_inputs)
{
    for (size_t i = 0; i < BONE_INPUTS; i++) {
        gyre_bone bone = {.gravity = 7};
        const gyre_status status = table->bone_from_spring(bone_inputs[i].spring, &bone);
        write_bone(answers, status, &bone);
    }
}

WORK(bone_from_vrm, make_bone_inputs)
{
    for (size_t i = 0; i < BONE_INPUTS; i++) {
        gyre_bone bone = {.gravity = 7};
        const gyre_status status =
            table->bone_from_vrm(bone_inputs[i].stiffness, bone_inputs[i].drag_force, bone_inputs[i].gravity_power,
                                 bone_inputs[i].length, bone_inputs[i].rate, &bone);
        write_bone(answers, status, &bone);
    }
}
