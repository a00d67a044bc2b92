/* The kind of batches "flings": damping, and springs at the edges, as in scroll views.

   A fling is damped until it comes to rest or reaches the edge ahead. At the edge a spring takes over its position and
   velocity. A fling that starts outside the edges is moved by the spring at once. The spring keeps a fling until it is
   flung again.

   The end of each fling and the time at which it reaches an edge are known when it starts. `target` is its end. Damping
   alone is linear in the displacement from any fixed point,

       (position - target) <- (position - target) + pos_vel velocity       velocity <- vel_vel velocity

   which is a spring's matrix too. So one step over a palette of the two matrices advances the whole batch. The step in
   which a fling reaches its edge is computed in two parts, up to the exact time and after it. */
#include "batches/kinds.h"

#include "batches/damping.h"
#include "batches/spring_states.h"
#include "input/forms.h"
#include "scene/ceiling.h"
#include "scene/events.h"
#include "scene/start.h"
#include "scene/states.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The matrix of a fling in this step, an index into the palette. A fling that has just reached its edge has the state
   after the step already: MET is the identity. */
enum { DAMPING, SPRING, MET, MATRICES };

struct fling_batch {
    gyre_springs springs; /* first, for spring_states.h */
    float *target;        /* the array of springs.target, writable */
    uint16_t *which;
    double *meets_s;       /* time at which it reaches its edge, the target; infinity: never, or already reached */
    float *meets_velocity; /* velocity at that time */
    float damping, low, high;
    gyre_spring spring;
    gyre_spring_matrix matrices[MATRICES];
    float matrix_dt_s;
};

/* Starts fling i from its state at now_s: damping or spring, target, and the time at the edge. */
static void launch(struct batch *batch, size_t i, double now_s)
{
    struct fling_batch *own = batch->state;
    float position = own->springs.position[i], velocity = own->springs.velocity[i];
    float ahead = velocity > 0 ? own->high : own->low;
    float rest, meets_s;
    own->meets_s[i] = (double)INFINITY;
    if (position < own->low || position > own->high) {
        own->which[i] = SPRING;
        own->target[i] = position < own->low ? own->low : own->high;
        return;
    }
    own->which[i] = DAMPING;
    if (gyre_damping_time_to_position(position, velocity, own->damping, ahead, &meets_s) == GYRE_OK) {
        own->target[i] = ahead;
        own->meets_s[i] = now_s + (double)meets_s;
        own->meets_velocity[i] = velocity * particle_matrix(own->damping, meets_s, batch->name).vel_vel;
        return;
    }
    /* It reaches no edge, so it ends inside. Rounding could put its rest position outside. */
    if (gyre_damping_rest_position(position, velocity, own->damping, &rest) != GYRE_OK) {
        rest = position;
    }
    own->target[i] = fminf(fmaxf(rest, own->low), own->high);
}

static void read_batch(struct batch *batch, const struct node *where, const struct scene *scene)
{
    static const char *const start_names[] = {"position", "velocity", NULL};
    static const struct event_field fields[EVENT_FIELDS] = {{"velocity", "fling", 1}};
    struct node damping = member(where, "damping"), spring = member(where, "spring");
    struct node low = member(where, "low"), high = member(where, "high");
    struct node start = member(where, "start"), flings = member(where, "fling");
    const bool precise = flag(where, "precise");
    scene_expect_room(batch, where,
                      SPRING_STATE_BYTES + sizeof(float) + sizeof(double) + sizeof(uint16_t) +
                          (precise ? SPRING_LOW_BYTES : 0));
    struct fling_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    own->damping = damping_read(&damping);
    own->low = (float)number(&low);
    own->high = (float)number_from(&high, (double)own->low);
    own->spring = form_read_spring(&spring);
    own->matrix_dt_s = -1; /* no matrices yet */
    own->which = allocate(batch->count, sizeof *own->which);
    own->meets_s = allocate(batch->count, sizeof(double));
    own->meets_velocity = allocate(batch->count, sizeof(float));
    own->springs = spring_states_new(batch, where, &own->target, precise);
    start_read(batch, &start, scene, start_names, (float *const[]){own->springs.position, own->springs.velocity},
               (float *const[]){own->springs.position_low, own->springs.velocity_low});
    batch->events = events_read(batch, &flings, scene, fields);
    for (size_t i = 0; i < batch->count; i++) {
        launch(batch, i, 0);
    }
}

static void apply_event(struct batch *batch, const struct event *event)
{
    struct fling_batch *own = batch->state;
    values_fill(&event->values[0][0], own->springs.velocity + event->first, event->count);
    for (size_t i = event->first; i < event->first + event->count; i++) {
        if (own->springs.velocity_low != NULL) {
            own->springs.velocity_low[i] = 0;
        }
        launch(batch, i, event->at_s);
    }
}

/* Sets fling i, which has reached its edge, to the state of its spring at at_s. */
static void meet(struct batch *batch, size_t i, double at_s)
{
    struct fling_batch *own = batch->state;
    float since_s = (float)(at_s - own->meets_s[i]);
    gyre_spring_matrix since = spring_matrix(own->spring, since_s, batch->name);
    own->springs.position[i] = own->target[i];
    own->springs.velocity[i] = own->meets_velocity[i];
    if (own->springs.position_low != NULL) {
        own->springs.position_low[i] = own->springs.velocity_low[i] = 0;
    }
    own->meets_s[i] = (double)INFINITY;
    own->which[i] = MET;
    expect_step(gyre_springs_step(&own->springs, i, i + 1, &since), since_s);
}

static void prepare(struct batch *batch, double at_s, float dt_s)
{
    struct fling_batch *own = batch->state;
    for (size_t i = 0; i < batch->count; i++) {
        /* A fling that has come to rest just before its edge, within the rest limits, stays there. */
        if (own->meets_s[i] <= at_s && own->springs.velocity[i] != 0) {
            meet(batch, i, at_s);
        } else if (own->which[i] == MET) {
            own->which[i] = SPRING;
        }
    }
    if (dt_s == own->matrix_dt_s) {
        return;
    }
    gyre_particle_matrix damping = particle_matrix(own->damping, dt_s, batch->name);
    own->matrices[DAMPING] = (gyre_spring_matrix){
        .pos_pos = 1,
        .pos_vel = damping.pos_vel,
        .vel_vel = damping.vel_vel,
        .low = {0, damping.low[0], 0, damping.low[1]},
    };
    own->matrices[SPRING] = spring_matrix(own->spring, dt_s, batch->name);
    own->matrices[MET] = (gyre_spring_matrix){.pos_pos = 1, .vel_vel = 1};
    own->matrix_dt_s = dt_s;
}

static gyre_status advance(const struct batch *batch, size_t begin, size_t end)
{
    const struct fling_batch *own = batch->state;
    return gyre_springs_step_palette(&own->springs, begin, end, own->matrices, MATRICES, own->which);
}

static void touch(const struct batch *batch, size_t begin, size_t end)
{
    const struct fling_batch *own = batch->state;
    const struct traffic arrays[] = {
        {own->springs.position, sizeof(float), READ_WRITE},
        {own->springs.velocity, sizeof(float), READ_WRITE},
        {own->springs.position_low, sizeof(float), READ_WRITE},
        {own->springs.velocity_low, sizeof(float), READ_WRITE},
        {own->springs.target, sizeof(float), READ},
        {own->springs.awake, 1, WRITE},
        {own->which, sizeof(uint16_t), READ},
    };
    ceiling_touch(arrays, sizeof arrays / sizeof arrays[0], begin, end);
}

static const char *const keys[] = {"name", "source", "notes", "precise",       "count",      "damping", "low",
                                   "high", "spring", "start", "rest_distance", "rest_speed", "fling",   NULL};

const struct batch_kind flings_kind = {
    .key = "flings",
    .one = "fling",
    .keys = keys,
    .columns = motion_columns,
    .read = read_batch,
    .apply_event = apply_event,
    .prepare = prepare,
    .advance = advance,
    .touch = touch,
    .at_rest = spring_states_at_rest,
    .write = spring_states_write,
};
