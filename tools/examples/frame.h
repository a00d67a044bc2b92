/* A frame of a small game, shared by the examples: the state, cut into independent jobs, and how to run one of them. An
   element's result depends only on that element, so any job system may run the jobs in any order, on any number of
   threads, and gets the same bits as one thread.

   How long should a job be? Handing one out costs a job system 0.1 to 1 us, and each border between the pieces of two
   cores 0.1 to 0.2 us, because a core prefetches beyond its own piece. So a job should take 10 to 100 us: long enough
   to make these costs small, short enough that no core waits for the last one. At the speeds in Gyre's README that is
   65,536 springs or particles with one matrix, 8,192 with their own parameters, or 2,048 bodies. If the arrays are in
   memory rather than in a cache, two or three threads use the whole bandwidth and more do not help. Arrays should begin
   at a cache line and grains be a multiple of 64, so that no two threads write to one line, even where an element is a
   byte, as with `awake`. */
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
    float *memory; /* all arrays, contiguous */
    gyre_springs springs;
    gyre_particles particles;
    gyre_bodies bodies;
    float *transforms; /* one 3x4 matrix for each body, as in an instance buffer */
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
        next[i] = (float)(i % 1013) / 100; /* any start is fine */
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
    case STEP_BODIES: /* transforms of the same bodies right after their step, while they are in the cache */
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

/* Appends jobs that cover `count` elements; returns the new number of jobs. */
static inline size_t cut(job *jobs, size_t n, job_kind kind, size_t count, size_t guard)
{
    for (size_t i = 0; i < count; i += guard) {
        const job j = {kind, i, count - i < guard ? count : i + guard};
        jobs[n++] = j;
    }
    return n;
}

enum { JOBS_MAX = BODIES / BODY_GRAIN + SPRINGS / SPRING_GRAIN + PARTICLES / SPRING_GRAIN + 3 };

/* Cuts a frame into jobs, the longest first, so that the last ones to end are short. Returns how many there are. */
static inline size_t make_jobs(job jobs[])
{
    size_t n = cut(jobs, 0, STEP_BODIES, BODIES, BODY_GRAIN);
    n = cut(jobs, n, STEP_SPRINGS, SPRINGS, SPRING_GRAIN);
    return cut(jobs, n, STEP_PARTICLES, PARTICLES, SPRING_GRAIN);
}

/* Runs the same frames with one thread in one piece; prints and returns whether the bits of `s` are the same. */
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
