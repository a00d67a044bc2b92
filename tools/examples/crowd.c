/* A crowd of one model: a plait of six bones on the head of each of a thousand characters, stepped in slices by a few
   threads. Bones of one level are the same for all, so the palette has an entry for each level. Roots are animated, and
   each character has three colliders of its own: head, shoulders and back.

       cc -O2 -pthread crowd.c -o crowd $(pkg-config --cflags --libs gyre) -lm */
#define _XOPEN_SOURCE 700 /* barriers, also with -std=c11 */
#include <gyre/gyre.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* CHARACTERS / THREADS is a multiple of 64, so that no two threads write to one cache line. */
enum { CHARACTERS = 1024, BONES = 6, COLLIDERS = 3, FRAMES = 240, THREADS = 4 };

static const float dt_s = 1 / 60.0f;

typedef struct crowd {
    float orientation[4][BONES * CHARACTERS], velocity[3][BONES * CHARACTERS], local[4][BONES * CHARACTERS];
    float position[3][CHARACTERS], position_before[3][CHARACTERS], parent[4][CHARACTERS], parent_before[4][CHARACTERS];
    float gravity[3][CHARACTERS];
    float begin[COLLIDERS][3][CHARACTERS], end[COLLIDERS][3][CHARACTERS], radius[COLLIDERS][CHARACTERS];
    size_t level_begin[BONES + 1];
    gyre_bone bones[BONES];
    gyre_chain_collider colliders[COLLIDERS];
} crowd;

/* A collider in the frame of the character: y is up, z ahead, the middle of the head the origin. In metres. */
static const struct {
    gyre_collider_kind kind;
    float begin[3], end[3], radius;
} shapes[COLLIDERS] = {
    {GYRE_COLLIDER_SPHERE, {0, 0, 0}, {0, 0, 0}, 0.1f},
    {GYRE_COLLIDER_CAPSULE, {-0.18f, -0.25f, 0}, {0.18f, -0.25f, 0}, 0.06f},
    {GYRE_COLLIDER_CAPSULE, {0, -0.25f, 0}, {0, -0.7f, 0}, 0.11f},
};

static void make_model(crowd *c)
{
    for (size_t l = 0; l < BONES; l++) {
        c->bones[l] = (gyre_bone){.rest = {0, 0, 0, 1}, .tail = {0, -0.08f, 0}, .radius = 0.02f};
        gyre_bone_from_vrm(1, 0.4f, 0.3f, 0.08f, 60, &c->bones[l]); /* stiffness, drag, gravity, length */
    }
    for (size_t l = 0; l <= BONES; l++) {
        c->level_begin[l] = l * CHARACTERS;
    }
    for (size_t k = 0; k < COLLIDERS; k++) {
        c->colliders[k].kind = shapes[k].kind;
        c->colliders[k].radius = c->radius[k];
        for (size_t a = 0; a < 3; a++) {
            c->colliders[k].position[a] = c->begin[k][a];
            c->colliders[k].end[a] = c->end[k][a];
        }
        for (size_t i = 0; i < CHARACTERS; i++) {
            c->radius[k][i] = shapes[k].radius;
        }
    }
    for (size_t i = 0; i < CHARACTERS; i++) {
        c->gravity[1][i] = -1; /* the direction: VRM's gravity power is in the bones */
    }
}

static gyre_bone_chains chains_of(crowd *c)
{
    gyre_bone_chains chains = {
        .count = CHARACTERS,
        .levels = BONES,
        .level_begin = c->level_begin,
        .bones = c->bones,
        .bone_count = BONES,
        .colliders = c->colliders,
        .collider_count = COLLIDERS,
    };
    for (size_t k = 0; k < 4; k++) {
        chains.orientation[k] = c->orientation[k];
        chains.local[k] = c->local[k]; /* for the skeletons */
        chains.parent[k] = c->parent[k];
        chains.parent_before[k] = c->parent_before[k];
    }
    for (size_t a = 0; a < 3; a++) {
        chains.velocity[a] = c->velocity[a];
        chains.position[a] = c->position[a];
        chains.position_before[a] = c->position_before[a];
        chains.gravity[a] = c->gravity[a];
    }
    return chains;
}

/* The head of character i at `place`, turned about y by an angle with this sine and cosine. */
static void put(float *const to[3], size_t i, const float place[3], float sine, float cosine, const float offset[3])
{
    to[0][i] = place[0] + cosine * offset[0] + sine * offset[2];
    to[1][i] = place[1] + offset[1];
    to[2][i] = place[2] - sine * offset[0] + cosine * offset[2];
}

/* Moves roots and colliders to the time t_s: characters walk, bob up and down, and shake their heads. */
static void animate(crowd *c, float t_s, size_t begin, size_t end)
{
    static const float root[3] = {0, -0.03f, -0.12f}; /* at the back of the head */
    for (size_t i = begin; i < end; i++) {
        const float phase = 0.37f * (float)i, angle = 0.8f * sinf(3 * t_s + phase);
        const float sine = sinf(angle), cosine = cosf(angle);
        const float place[3] = {(float)(i % 32), 1.6f + 0.03f * sinf(12 * t_s + phase), (float)(i / 32) + 1.4f * t_s};
        for (size_t k = 0; k < 4; k++) {
            c->parent_before[k][i] = c->parent[k][i];
        }
        for (size_t a = 0; a < 3; a++) {
            c->position_before[a][i] = c->position[a][i];
        }
        c->parent[1][i] = sinf(angle / 2);
        c->parent[3][i] = cosf(angle / 2);
        put((float *[3]){c->position[0], c->position[1], c->position[2]}, i, place, sine, cosine, root);
        for (size_t k = 0; k < COLLIDERS; k++) {
            float *const first[3] = {c->begin[k][0], c->begin[k][1], c->begin[k][2]};
            float *const last[3] = {c->end[k][0], c->end[k][1], c->end[k][2]};
            put(first, i, place, sine, cosine, shapes[k].begin);
            put(last, i, place, sine, cosine, shapes[k].end);
        }
    }
}

static double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct slice {
    crowd *crowd;
    size_t begin, end;
    pthread_barrier_t *drawn;
    double step_s; /* the shortest step */
    gyre_status status;
} slice;

/* All frames of some characters. Threads wait for each other after each frame, which would then be drawn. */
static void *work(void *argument)
{
    slice *s = argument;
    const gyre_bone_chains chains = chains_of(s->crowd);
    animate(s->crowd, 0, s->begin, s->end);
    s->status = gyre_bone_chains_reset(&chains, s->begin, s->end, 0); /* `before` is not read */
    for (int frame = 1; frame <= FRAMES; frame++) {
        animate(s->crowd, (float)frame * dt_s, s->begin, s->end);
        const double began = seconds();
        if (s->status == GYRE_OK) {
            s->status = gyre_bone_chains_step(&chains, s->begin, s->end, dt_s);
        }
        s->step_s = fmin(s->step_s, seconds() - began);
        pthread_barrier_wait(s->drawn); /* also after an error: the others wait */
    }
    return NULL;
}

/* Runs a new crowd with this many threads, and returns the hash of its last pose; 0 if anything failed. */
static uint64_t run(size_t threads)
{
    crowd *c = calloc(1, sizeof *c);
    pthread_barrier_t drawn;
    pthread_t started[THREADS];
    slice slices[THREADS];
    if (c == NULL || pthread_barrier_init(&drawn, NULL, (unsigned)threads) != 0) {
        return 0;
    }
    make_model(c);
    const double began = seconds();
    for (size_t k = 0; k < threads; k++) {
        slices[k] = (slice){c, CHARACTERS * k / threads, CHARACTERS * (k + 1) / threads, &drawn, 1, GYRE_OK};
        if (pthread_create(&started[k], NULL, work, &slices[k]) != 0) {
            exit(1);
        }
    }
    double step_s = 0;
    gyre_status worst = GYRE_OK;
    for (size_t k = 0; k < threads; k++) {
        pthread_join(started[k], NULL);
        step_s += slices[k].step_s;
        worst = slices[k].status != GYRE_OK ? slices[k].status : worst;
    }
    const double whole_s = seconds() - began;
    float *const state[4] = {c->local[0], c->local[1], c->local[2], c->local[3]};
    uint64_t hash = 0;
    gyre_hash(state, 4, &hash, 0, BONES * CHARACTERS);
    printf("%zu %s %.3f ms a frame, animation included; steps take %.1f ns per bone; hash %016llx\n", threads,
           threads == 1 ? "thread: " : "threads:", 1e3 * whole_s / FRAMES, 1e9 * step_s / CHARACTERS / BONES,
           (unsigned long long)hash);
    pthread_barrier_destroy(&drawn);
    free(c);
    return worst == GYRE_OK ? hash : 0;
}

int main(void)
{
    printf("%d characters, %d bones and %d colliders each\n", CHARACTERS, BONES, COLLIDERS);
    const uint64_t one = run(1), many = run(THREADS);
    printf("%s bits\n", one == many ? "the same" : "OTHER");
    return one == many && one != 0 ? 0 : 1;
}
