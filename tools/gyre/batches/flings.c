/* The batch kind "flings": damping, and springs at the edges, as scroll views have them.

   A fling runs under damping to where it comes to rest, or until it meets the edge that is in its way: there a spring
   to that edge takes over its position and velocity. What starts beyond an edge belongs to the spring at once, and what
   a spring holds it keeps, until it is flung again.

   Where each fling will end and when it meets an edge is known when it begins. So `target` is where it will end from
   then on, and because damping alone is linear in the way to any fixed point,

       (position - target) <- (position - target) + pos_vel velocity       velocity <- vel_vel velocity

   is a spring's matrix too: one step over a palette of the two matrices takes the whole batch on. The one step in which
   a fling meets its edge is taken in two parts, up to the exact moment and from it. */
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

/* What moves a fling in this step; an index into the palette. The last is one that met its edge: its state after the
   step is there already, and the identity keeps it. */
enum { DAMPING, SPRING, MET, MATRICES };

struct fling_batch {
    gyre_springs springs;
    float *target; /* what springs.target points to, to write */
    uint16_t *which;
    double *meets_s;       /* its edge, which is its target; infinity: never, or it has */
    float *meets_velocity; /* with */
    float damping, low, high;
    gyre_spring spring;
    gyre_spring_matrix matrices[MATRICES];
    float matrix_dt_s;
};

/* Decides what becomes of fling i from its state at now_s on. */
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
    /* What meets no edge ends inside: only rounding can put its rest position beyond one. */
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
    scene_reserve(batch, where, SPRING_STATE_BYTES + sizeof(float) + sizeof(double) + sizeof(uint16_t));
    struct fling_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    own->damping = damping_read(&damping);
    own->low = (float)number(&low);
    own->high = (float)number_from(&high, (double)own->low);
    own->spring = form_read_spring(&spring);
    own->matrix_dt_s = -1; /* none yet */
    own->which = allocate(batch->count, sizeof *own->which);
    own->meets_s = allocate(batch->count, sizeof(double));
    own->meets_velocity = allocate(batch->count, sizeof(float));
    own->springs = spring_states_new(batch, where, &own->target);
    start_read(batch, &start, scene, start_names, (float *const[]){own->springs.position, own->springs.velocity});
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
        launch(batch, i, event->at_s);
    }
}

/* Puts fling i where its spring has it at at_s, which it met at its edge before. */
static void meet(struct batch *batch, size_t i, double at_s)
{
    struct fling_batch *own = batch->state;
    float since_s = (float)(at_s - own->meets_s[i]);
    gyre_spring_matrix since = spring_matrix(own->spring, since_s, batch->name);
    own->springs.position[i] = own->target[i];
    own->springs.velocity[i] = own->meets_velocity[i];
    own->meets_s[i] = (double)INFINITY;
    own->which[i] = MET;
    expect_step(gyre_springs_step(&own->springs, i, i + 1, &since), since_s);
}

static void prepare(struct batch *batch, double at_s, float dt_s)
{
    struct fling_batch *own = batch->state;
    for (size_t i = 0; i < batch->count; i++) {
        /* One that came to rest just before its edge, within the rest limits, stays there. */
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
    own->matrices[DAMPING] = (gyre_spring_matrix){1, damping.pos_vel, 0, damping.vel_vel};
    own->matrices[SPRING] = spring_matrix(own->spring, dt_s, batch->name);
    own->matrices[MET] = (gyre_spring_matrix){1, 0, 0, 1};
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
        {own->springs.target, sizeof(float), READ},
        {own->springs.awake, 1, WRITE},
        {own->which, sizeof(uint16_t), READ},
    };
    ceiling_touch(arrays, sizeof arrays / sizeof arrays[0], begin, end);
}

static size_t at_rest(const struct batch *batch)
{
    const struct fling_batch *own = batch->state;
    return spring_states_at_rest(&own->springs);
}

static void write_states(const struct batch *batch, size_t begin, size_t end)
{
    const struct fling_batch *own = batch->state;
    spring_states_write(batch, &own->springs, begin, end);
}

static const char *const keys[] = {"name",   "source", "notes",         "count",      "damping", "low", "high",
                                   "spring", "start",  "rest_distance", "rest_speed", "fling",   NULL};

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
    .at_rest = at_rest,
    .write = write_states,
};
