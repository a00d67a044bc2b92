/* The programs of tools/docs/python.md, section by section, in C: prints the section and the hash of the last state. */
#include <gyre/gyre.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void say(const char *section, float *const arrays[], size_t components, size_t count)
{
    uint64_t hash = 0;
    gyre_hash(arrays, components, &hash, 0, count);
    printf("%s %" PRIu64 "\n", section, hash);
}

static void springs(void)
{
    float position[] = {0, 10, 20}, velocity[3] = {0}, target[] = {100, 100, 100};
    const gyre_springs springs = {.count = 3, .position = position, .velocity = velocity, .target = target};
    gyre_spring spring;
    gyre_spring_matrix frame;
    gyre_spring_from_response(0.5f, 0.825f, &spring);
    gyre_spring_matrix_at(spring, 1 / 60.0f, &frame);
    for (int i = 0; i < 30; i++) {
        gyre_springs_step(&springs, 0, 3, &frame);
    }
    say("first", (float *[]){position, velocity}, 2, 3);
}

static void bodies(void)
{
    float q[4] = {0, 0, 0, 1}, momentum[3] = {0.05f, 4, 0}, inertia[3] = {1, 2, 3};
    const gyre_bodies boxes = {.count = 1,
                               .orientation = {&q[0], &q[1], &q[2], &q[3]},
                               .momentum = {&momentum[0], &momentum[1], &momentum[2]},
                               .inertia = {&inertia[0], &inertia[1], &inertia[2]}};
    for (int i = 0; i < 4 * 180; i++) {
        gyre_bodies_step(&boxes, 0, 1, 1 / 60.0f, NULL, NULL);
    }
    say("Bodies", (float *[]){&q[0], &q[1], &q[2], &q[3], &momentum[0], &momentum[1], &momentum[2]}, 7, 1);
}

static void chains(void)
{
    enum { BONES = 3 };
    float q[4][BONES], v[3][BONES] = {{0}}, tail[3][BONES], root[3] = {0, 1, 0}, before[3], parent[4] = {0, 0, 0, 1};
    const size_t level_begin[BONES + 1] = {0, 1, 2, 3};
    gyre_bone bones[BONES];
    gyre_spring spring;
    gyre_spring_from_response(0.4f, 0.6f, &spring);
    for (int l = 0; l < BONES; l++) {
        bones[l] = (gyre_bone){.rest = {0, 0, 0, 1}, .tail = {0, -0.2f, 0}};
        gyre_bone_from_spring(spring, &bones[l]);
    }
    memcpy(before, root, sizeof root);
    const gyre_bone_chains chains = {
        .count = 1,
        .levels = BONES,
        .level_begin = level_begin,
        .bones = bones,
        .bone_count = BONES,
        .orientation = {q[0], q[1], q[2], q[3]},
        .velocity = {v[0], v[1], v[2]},
        .tail = {tail[0], tail[1], tail[2]},
        .position = {&root[0], &root[1], &root[2]},
        .parent = {&parent[0], &parent[1], &parent[2], &parent[3]},
        .position_before = {&before[0], &before[1], &before[2]},
    };
    gyre_bone_chains_reset(&chains, 0, 1, 0);
    for (int frame = 1; frame <= 60; frame++) {
        memcpy(before, root, sizeof root);
        root[0] = frame < 30 ? (float)(frame / 30.0) : 1;
        gyre_bone_chains_step(&chains, 0, 1, 1 / 60.0f);
    }
    say("Chains", (float *[]){q[0], q[1], q[2], q[3], v[0], v[1], v[2]}, 7, BONES);
}

static void threads(void)
{
    enum { COUNT = 100000 };
    static float position[COUNT], velocity[COUNT];
    for (int i = 0; i < COUNT; i++) {
        position[i] = velocity[i] = 1;
    }
    const gyre_springs springs = {.count = COUNT, .position = position, .velocity = velocity};
    gyre_spring spring;
    gyre_spring_matrix frame;
    gyre_spring_from_response(0.5f, 0.8f, &spring);
    gyre_spring_matrix_at(spring, 1 / 60.0f, &frame);
    gyre_springs_step(&springs, 0, COUNT, &frame);
    say("Threads", (float *[]){position, velocity}, 2, COUNT);
}

int main(void)
{
    springs();
    bodies();
    chains();
    threads();
    return 0;
}
