/* A frame of a small game, shared by the examples: what there is, cut into jobs that depend on nothing, and how one of
   them is done. An element's result depends on that element alone, so any job system may run the jobs in any order, on
   any number of threads, and gets the same bits as one thread.

   How long a job should be. Handing one out costs a job system 0.1 to 1 us, and each border between two cores' pieces
   0.1 to 0.2 us, because a core fetches ahead what comes behind its own. So a job should take 10 to 100 us: long enough
   to pay for that, short enough that no core waits for the last one. At the speeds of gyre's README that is
   65,536 springs or particles under one matrix, 8,192 with parameters of their own, 2,048 bodies. Where all arrays are
   in memory rather than in a cache, two or three threads take all the bandwidth there is and more do not help. Let
   arrays begin at a cache line and grains be a multiple of 64, so that no two threads write to one line, not even where
   an element is a byte, as with `awake`. */
#ifndef GYRE_EXAMPLES_FRAME_H
#define GYRE_EXAMPLES_FRAME_H

#include <gyre/gyre.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Multiples of 64, so that every array begins at a cache line. */
enum { SPRINGS = 300032, PARTICLES = 200000, BODIES = 20032, SPRING_GRAIN = 65536, BODY_GRAIN = 2048 };
enum { FLOATS = 3 * SPRINGS + 2 * PARTICLES + (4 + 3 + 3 + 12) * BODIES };

typedef struct frame_state {
    float *memory; /* all arrays, one after the other */
    gyre_springs springs;
    gyre_particles particles;
    gyre_bodies bodies;
    float *transforms; /* one 3x4 matrix a body, as an instance buffer takes it */
    gyre_spring_matrix spring_matrix;
    gyre_particle_matrix particle_matrix;
} frame_state;

static inline frame_state make_state(void)
{
    frame_state s;
    memset(&s, 0, sizeof s);
    s.memory = (float *)aligned_alloc(64, FLOATS * sizeof(float));
    if (s.memory == NULL) {
        fprintf(stderr, "no memory for a frame\n");
        exit(1);
    }
    float *next = s.memory;
    for (size_t i = 0; i < FLOATS; i++) {
        next[i] = (float)(i % 1013) / 100; /* any start will do */
    }
    s.springs.count = SPRINGS;
    s.springs.position = next, next += SPRINGS;
    s.springs.velocity = next, next += SPRINGS;
    s.springs.target = next, next += SPRINGS;
    s.particles.count = PARTICLES;
    s.particles.position = next, next += PARTICLES;
    s.particles.velocity = next, next += PARTICLES;
    s.particles.uniform_acceleration = -9.81f;
    s.bodies.count = BODIES;
    for (int k = 0; k < 4; k++, next += BODIES) {
        s.bodies.orientation[k] = next;
        for (size_t i = 0; i < BODIES; i++) {
            next[i] = 0.5f;
        }
    }
    for (int k = 0; k < 3; k++, next += 2 * BODIES) {
        s.bodies.momentum[k] = next;
        s.bodies.inertia[k] = next + BODIES;
        for (size_t i = 0; i < BODIES; i++) {
            next[BODIES + i] = 1 + (float)k / 4;
        }
    }
    s.transforms = next;
    const gyre_spring spring = {12, 0.6f, 0};
    gyre_spring_matrix_at(spring, 1 / 60.0f, &s.spring_matrix);
    gyre_particle_matrix_at(0.7f, 1 / 60.0f, &s.particle_matrix);
    return s;
}

typedef enum job_kind { STEP_BODIES, STEP_SPRINGS, STEP_PARTICLES } job_kind;

typedef struct job {
    job_kind kind;
    size_t begin, end;
} job;

static inline void run_job(const frame_state *s, job j)
{
    gyre_status status = GYRE_OK;
    switch (j.kind) {
    case STEP_SPRINGS: status = gyre_springs_step(&s->springs, j.begin, j.end, &s->spring_matrix); break;
    case STEP_PARTICLES: status = gyre_particles_step(&s->particles, j.begin, j.end, &s->particle_matrix); break;
    case STEP_BODIES: /* the same bodies' transforms right after them, while they are in the cache */
        status = gyre_bodies_step(&s->bodies, j.begin, j.end, 1 / 60.0f, NULL, NULL);
        if (status >= 0) {
            status = gyre_bodies_transforms(&s->bodies, j.begin, j.end, NULL, NULL, NULL, s->transforms, 48);
        }
        break;
    }
    if (status < 0) {
        fprintf(stderr, "%s\n", gyre_status_name(status));
        exit(1);
    }
}

/* Appends jobs that cover `count` elements; returns how many jobs there are then. */
static inline size_t cut(job *jobs, size_t n, job_kind kind, size_t count, size_t guard)
{
    for (size_t i = 0; i < count; i += guard) {
        const job j = {kind, i, count - i < guard ? count : i + guard};
        jobs[n++] = j;
    }
    return n;
}

enum { JOBS_MAX = BODIES / BODY_GRAIN + SPRINGS / SPRING_GRAIN + PARTICLES / SPRING_GRAIN + 3 };

/* Cuts a frame; the longest jobs come first, so that the last to end are short. Returns how many there are. */
static inline size_t make_jobs(job jobs[])
{
    size_t n = cut(jobs, 0, STEP_BODIES, BODIES, BODY_GRAIN);
    n = cut(jobs, n, STEP_SPRINGS, SPRINGS, SPRING_GRAIN);
    return cut(jobs, n, STEP_PARTICLES, PARTICLES, SPRING_GRAIN);
}

/* The same frames by one thread in one piece; says and returns whether the bits of `s` are the same. */
static inline int check(const frame_state *s, int frames)
{
    const frame_state alone = make_state();
    for (int frame = 0; frame < frames; frame++) {
        const job all[] = {{STEP_BODIES, 0, BODIES}, {STEP_SPRINGS, 0, SPRINGS}, {STEP_PARTICLES, 0, PARTICLES}};
        for (int k = 0; k < 3; k++) {
            run_job(&alone, all[k]);
        }
    }
    const int same = memcmp(s->memory, alone.memory, FLOATS * sizeof(float)) == 0;
    printf("%d frames: %s bits as one thread\n", frames, same ? "the same" : "OTHER");
    free(alone.memory);
    return same;
}

#endif
