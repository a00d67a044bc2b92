/* A tail of an animal that is teleported as it runs. A program that only writes the new place makes the tail see a root
   that moved by 100 m within a frame. Four ways to avoid this, side by side: the table has how far the tail points to
   the left of the animal, in degrees, in the frames around the jump.

       cc -O2 tail.c -o tail $(pkg-config --cflags --libs gyre) -lm */
#include <gyre/gyre.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { BONES = 5, JUMP = 60, FRAMES = 90 };

static const float dt_s = 1 / 60.0f;
static const float far_away[3] = {100, 0, 50}; /* m */
static const float turn = 2;                   /* rad about y, where the animal also turns */

enum way { RUNS_ON, STOPS, MOVES, TURNS, IS_RESET, IS_FORGOTTEN, WAYS };
static const char *const names[WAYS] = {"no jump", "stopped", "moved", "turned", "reset", "forgotten"};

typedef struct tail {
    gyre_bone bones[BONES];
    size_t level_begin[BONES + 1];
    float orientation[4][BONES], velocity[3][BONES], end[3][BONES];
    float position[3], position_before[3], parent[4], parent_before[4];
    float heading; /* rad */
} tail;

static gyre_bone_chains chains_of(tail *t)
{
    gyre_bone_chains chains = {
        .count = 1, .levels = BONES, .level_begin = t->level_begin, .bones = t->bones, .bone_count = BONES};
    for (size_t k = 0; k < 4; k++) {
        chains.orientation[k] = t->orientation[k];
        chains.parent[k] = &t->parent[k];
        chains.parent_before[k] = &t->parent_before[k];
    }
    for (size_t a = 0; a < 3; a++) {
        chains.velocity[a] = t->velocity[a];
        chains.tail[a] = t->end[a];
        chains.position[a] = &t->position[a];
        chains.position_before[a] = &t->position_before[a];
    }
    return chains;
}

/* Turns `count` vectors about y, in place. */
static void turn_vectors(float (*v)[BONES], size_t count)
{
    float x[BONES] = {0}, y[BONES], z[BONES] = {0}, w[BONES];
    float *const q[4] = {x, y, z, w}, *const vectors[3] = {v[0], v[1], v[2]};
    for (size_t i = 0; i < count; i++) {
        y[i] = sinf(turn / 2);
        w[i] = cosf(turn / 2);
    }
    gyre_rotation_apply(q, vectors, vectors, 0, count);
}

static void turn_place(float place[3])
{
    float v[3][BONES] = {{place[0]}, {place[1]}, {place[2]}};
    turn_vectors(v, 1);
    for (size_t a = 0; a < 3; a++) {
        place[a] = v[a][0] + far_away[a];
    }
}

static void turn_quaternions(float *const q[4], size_t count)
{
    float x[BONES] = {0}, y[BONES], z[BONES] = {0}, w[BONES];
    for (size_t i = 0; i < count; i++) {
        y[i] = sinf(turn / 2);
        w[i] = cosf(turn / 2);
    }
    gyre_rotation_product((float *[4]){x, y, z, w}, q, q, 0, count);
}

/* The root in a frame: it runs at 2 m/s along z and swings to and fro. */
static void move_root(tail *t, int frame, bool away, bool turned)
{
    const float time_s = (float)frame * dt_s;
    memcpy(t->position_before, t->position, sizeof t->position);
    memcpy(t->parent_before, t->parent, sizeof t->parent);
    t->position[0] = 0.1f * sinf(8 * time_s);
    t->position[1] = 0.8f;
    t->position[2] = 2 * time_s;
    t->heading = 0.4f * cosf(8 * time_s);
    if (turned) {
        turn_place(t->position);
        t->heading += turn;
    } else if (away) {
        for (size_t a = 0; a < 3; a++) {
            t->position[a] += far_away[a];
        }
    }
    t->parent[1] = sinf(t->heading / 2);
    t->parent[3] = cosf(t->heading / 2);
}

/* What a program does in the frame of the jump, between the new root and the step. */
static void jump(tail *t, enum way way)
{
    float *const before[4] = {&t->parent_before[0], &t->parent_before[1], &t->parent_before[2], &t->parent_before[3]};
    float *const q[4] = {t->orientation[0], t->orientation[1], t->orientation[2], t->orientation[3]};
    switch (way) {
    case STOPS: /* the shortest: the tail sees no motion of the root for one frame */
        memcpy(t->position_before, t->position, sizeof t->position);
        break;
    case MOVES: /* the place before is moved along: nothing changes at all */
        for (size_t a = 0; a < 3; a++) {
            t->position_before[a] += far_away[a];
        }
        break;
    case TURNS: /* with a turn, the root before and the state turn too */
        turn_place(t->position_before);
        turn_quaternions(before, 1);
        turn_quaternions(q, BONES);
        turn_vectors(t->velocity, BONES);
        break;
    case IS_RESET: /* reads no state, and hangs the tail as if the root had long moved as it does in this frame */
        turn_place(t->position_before);
        turn_quaternions(before, 1);
        break;
    default: break;
    }
}

/* Degrees to the left of straight back, as the animal sees it. */
static float swing_of(const tail *t)
{
    const float x = t->end[0][BONES - 1] - t->position[0], z = t->end[2][BONES - 1] - t->position[2];
    const float left = x * cosf(t->heading) - z * sinf(t->heading), back = -x * sinf(t->heading) - z * cosf(t->heading);
    return 57.29578f * atan2f(left, back);
}

static bool follow(enum way way, float swing[FRAMES])
{
    tail t = {.parent = {0, 0, 0, 1}};
    for (size_t l = 0; l < BONES; l++) {
        t.bones[l] = (gyre_bone){.rest = {0, 0, 0, 1}, .tail = {0, 0, -0.12f}};
        gyre_bone_from_vrm(1.5f, 0.3f, 0, 0.12f, 60, &t.bones[l]);
        t.level_begin[l + 1] = l + 1;
    }
    const gyre_bone_chains chains = chains_of(&t);
    gyre_status status = GYRE_OK;
    for (int frame = 0; frame < FRAMES && status == GYRE_OK; frame++) {
        const bool away = way != RUNS_ON && frame >= JUMP;
        move_root(&t, frame, away, away && (way == TURNS || way == IS_RESET));
        if (frame == JUMP) {
            jump(&t, way);
        }
        if (frame == 0) {
            status = gyre_bone_chains_reset(&chains, 0, 1, 0);
        } else if (frame == JUMP && way == IS_RESET) {
            status = gyre_bone_chains_reset(&chains, 0, 1, dt_s);
        } else {
            status = gyre_bone_chains_step(&chains, 0, 1, dt_s);
        }
        swing[frame] = swing_of(&t);
    }
    return status == GYRE_OK;
}

int main(void)
{
    static float swing[WAYS][FRAMES];
    float off[WAYS] = {0}; /* largest difference from the run without a jump */
    printf("frame");
    for (int way = 0; way < WAYS; way++) {
        if (!follow((enum way)way, swing[way])) {
            return 1;
        }
        for (int frame = JUMP; frame < FRAMES; frame++) {
            off[way] = fmaxf(off[way], fabsf(swing[way][frame] - swing[RUNS_ON][frame]));
        }
        printf("%11s", names[way]);
    }
    for (int frame = JUMP - 2; frame < JUMP + 6; frame++) {
        printf("\n%5d", frame);
        for (int way = 0; way < WAYS; way++) {
            printf("%11.1f", (double)swing[way][frame]);
        }
    }
    printf("\n  off");
    for (int way = 0; way < WAYS; way++) {
        printf("%11.2g", (double)off[way]);
    }
    printf("\n");
    return off[MOVES] < 0.1f && off[TURNS] < 0.1f && off[STOPS] < 10 && off[IS_FORGOTTEN] > 30 ? 0 : 1;
}
