/* A frame of an engine whose entities are structures: positions and velocities are gathered, stepped as springs and
   scattered back, in pieces of 64 entities. For a piece in which all sleep, only the flags are read.

       cc -O2 entities.c -o entities $(pkg-config --cflags --libs gyre) */
#include <gyre/gyre.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ENTITIES = 64 * 256, PIECE = 64 };

typedef struct entity {
    char name[12];
    float position[3], velocity[3], home[3]; /* nine contiguous floats */
    unsigned flags;
} entity;

static entity entities[ENTITIES];
static uint8_t awake[ENTITIES];

/* The nine floats as arrays, for one piece, and whether an entity moves along each axis. */
static float soa[9][PIECE];
static uint8_t awake_along[3][PIECE];

static void step_piece(size_t begin, const gyre_spring_matrix *matrix)
{
    float *const columns[9] = {soa[0], soa[1], soa[2], soa[3], soa[4], soa[5], soa[6], soa[7], soa[8]};
    gyre_gather(entities[begin].position, sizeof(entity), 9, columns, 0, PIECE);
    memset(&awake[begin], 0, PIECE);
    for (int axis = 0; axis < 3; axis++) {
        const gyre_springs springs = {
            .count = PIECE,
            .position = soa[axis],
            .velocity = soa[3 + axis],
            .target = soa[6 + axis],
            .rest_distance = 1e-3f, /* metres */
            .rest_speed = 1e-2f,    /* metres a second */
            .awake = awake_along[axis],
        };
        gyre_springs_step(&springs, 0, PIECE, matrix);
        for (size_t i = 0; i < PIECE; i++) {
            awake[begin + i] |= awake_along[axis][i];
        }
    }
    gyre_scatter(columns, 6, entities[begin].position, sizeof(entity), 0, PIECE); /* home is not written */
}

/* Returns how many pieces it stepped. */
static size_t frame(const gyre_spring_matrix *matrix)
{
    static uint32_t moving[ENTITIES];
    size_t found, pieces = 0;
    gyre_find_awake(awake, moving, &found, 0, ENTITIES);
    for (size_t i = 0; i < found; pieces++) {
        const size_t begin = moving[i] - moving[i] % PIECE;
        step_piece(begin, matrix);
        while (i < found && moving[i] < begin + PIECE) {
            i++;
        }
    }
    return pieces;
}

static void push(size_t i, float speed)
{
    entities[i].velocity[0] = speed;
    awake[i] = 1;
}

int main(void)
{
    for (size_t i = 0; i < ENTITIES; i++) {
        snprintf(entities[i].name, sizeof entities[i].name, "e%zu", i);
        for (size_t axis = 0; axis < 3; axis++) {
            entities[i].position[axis] = entities[i].home[axis] = (float)((i + axis) % 100);
        }
        entities[i].flags = (unsigned)i;
    }
    gyre_spring spring;
    gyre_spring_matrix matrix;
    gyre_spring_from_half_life(0.1f, 0.7f, &spring);
    gyre_spring_matrix_at(spring, 1 / 60.0f, &matrix);

    push(100, 5); /* three entities in two pieces */
    push(101, -5);
    push(9000, 20);
    const size_t pieces = frame(&matrix);
    const bool moved = entities[100].position[0] > entities[100].home[0] && awake[100] && !awake[102];
    int frames = 1;
    while (frame(&matrix) > 0) {
        frames++;
    }
    bool home = true;
    for (size_t i = 0; i < ENTITIES; i++) {
        char name[sizeof entities[i].name];
        snprintf(name, sizeof name, "e%zu", i);
        home = home && memcmp(entities[i].position, entities[i].home, sizeof entities[i].home) == 0 &&
               entities[i].flags == i && strcmp(entities[i].name, name) == 0;
    }
    printf("%zu of %d pieces stepped; all %s after %d frames\n", pieces, ENTITIES / PIECE,
           home ? "at home" : "ELSEWHERE", frames);
    return pieces == 2 && moved && home ? 0 : 1;
}
