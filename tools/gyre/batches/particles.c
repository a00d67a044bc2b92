/* The kind of batches "particles": damping and constant acceleration. */
#include "batches/kinds.h"

#include "batches/damping.h"
#include "batches/limits.h"
#include "scene/ceiling.h"
#include "scene/events.h"
#include "scene/start.h"
#include "scene/states.h"
#include "scene/sums.h"

#include <stdlib.h>

struct particle_batch {
    gyre_particles particles;
    float *acceleration; /* the array of particles.acceleration, not const; NULL: one for all */
    float *damping;      /* NULL: shared_damping for all */
    float shared_damping;
    float dt_s;
    gyre_particle_matrix matrix; /* of shared_damping for dt_s */
};

enum { VELOCITY, ACCELERATION };

static const char *const bounds[] = {"lower", "upper", NULL};

static bool is_shared(const struct node *values) { return values->value == NULL || json_is_number(values->value); }

static void read_damping(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct particle_batch *own = batch->state;
    if (where->value == NULL) {
        return;
    }
    if (damping_is_shared(where)) {
        own->shared_damping = damping_read(where);
        return;
    }
    own->damping = allocate(batch->count, sizeof(float));
    values_read_into(where, own->damping, batch->count, scene_stream(scene, batch, "damping", 0));
    for (size_t i = 0; i < batch->count; i++) {
        if (own->damping[i] < 0) {
            bad(where, "is %g for particle %zu, expected 0 or more", (double)own->damping[i], i);
        }
    }
}

static void read_batch(struct batch *batch, const struct node *where, const struct scene *scene)
{
    static const char *const start_names[] = {"position", "velocity", NULL};
    static const struct event_field fields[EVENT_FIELDS] = {
        [VELOCITY] = {"velocity", "set velocity", 1},
        [ACCELERATION] = {"acceleration", "set acceleration", 1},
    };
    struct node damping = member(where, "damping"), start = member(where, "start");
    struct node acceleration = member(where, "acceleration"), sets = member(where, "set");
    const bool precise = flag(where, "precise");
    scene_expect_room(batch, where, (precise ? 6 : 4) * sizeof(float) + bound_bytes(where, bounds));
    struct particle_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    own->dt_s = -1; /* no matrix yet */
    own->particles = (gyre_particles){
        .count = batch->count,
        .position = allocate(batch->count, sizeof(float)),
        .velocity = allocate(batch->count, sizeof(float)),
        .position_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
        .velocity_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
        .lower = bound_read(batch, where, bounds[0], scene),
        .upper = bound_read(batch, where, bounds[1], scene),
        .bounce = part_read(where, "bounce"),
    };
    start_read(batch, &start, scene, start_names, (float *const[]){own->particles.position, own->particles.velocity},
               (float *const[]){own->particles.position_low, own->particles.velocity_low});
    batch->events = events_read(batch, &sets, scene, fields);
    read_damping(batch, &damping, scene);
    if (!is_shared(&acceleration) || events_have(&batch->events, ACCELERATION)) {
        own->acceleration = allocate(batch->count, sizeof(float));
        own->particles.acceleration = own->acceleration;
        values_read_into(&acceleration, own->acceleration, batch->count, scene_stream(scene, batch, "acceleration", 0));
    } else {
        own->particles.uniform_acceleration = acceleration.value != NULL ? (float)number(&acceleration) : 0;
    }
}

static void apply_event(struct batch *batch, const struct event *event)
{
    struct particle_batch *own = batch->state;
    if (event->has[VELOCITY]) {
        values_fill(&event->values[VELOCITY][0], own->particles.velocity + event->first, event->count);
        for (size_t i = 0; own->particles.velocity_low != NULL && i < event->count; i++) {
            own->particles.velocity_low[event->first + i] = 0;
        }
    }
    if (event->has[ACCELERATION]) {
        values_fill(&event->values[ACCELERATION][0], own->acceleration + event->first, event->count);
    }
}

static void prepare(struct batch *batch, double at_s, float dt_s)
{
    struct particle_batch *own = batch->state;
    (void)at_s;
    if (dt_s != own->dt_s) {
        own->matrix = particle_matrix(own->shared_damping, dt_s, batch->name);
        own->dt_s = dt_s;
    }
}

static gyre_status advance(const struct batch *batch, size_t begin, size_t end)
{
    const struct particle_batch *own = batch->state;
    return own->damping != NULL ? gyre_particles_step_each(&own->particles, begin, end, own->damping, NULL, own->dt_s)
                                : gyre_particles_step(&own->particles, begin, end, &own->matrix);
}

static void touch(const struct batch *batch, size_t begin, size_t end)
{
    const struct particle_batch *own = batch->state;
    const struct traffic arrays[] = {
        {own->particles.position, sizeof(float), READ_WRITE},
        {own->particles.velocity, sizeof(float), READ_WRITE},
        {own->particles.position_low, sizeof(float), READ_WRITE},
        {own->particles.velocity_low, sizeof(float), READ_WRITE},
        {own->acceleration, sizeof(float), READ},
        {own->damping, sizeof(float), READ},
        {own->particles.lower, sizeof(float), READ},
        {own->particles.upper, sizeof(float), READ},
    };
    ceiling_touch(arrays, sizeof arrays / sizeof arrays[0], begin, end);
}

/* At the top of its flight a particle has no velocity but is not at rest. */
static bool is_awake(const gyre_particles *particles, size_t i)
{
    const float *each = particles->acceleration;
    return particles->velocity[i] != 0 || (each != NULL ? each[i] : particles->uniform_acceleration) != 0;
}

static size_t at_rest(const struct batch *batch)
{
    const struct particle_batch *own = batch->state;
    size_t resting = 0;
    for (size_t i = 0; i < batch->count; i++) {
        resting += !is_awake(&own->particles, i);
    }
    return resting;
}

static void write_states(const struct batch *batch, size_t begin, size_t end)
{
    const gyre_particles *particles = &((const struct particle_batch *)batch->state)->particles;
    for (size_t i = begin; i < end; i++) {
        states_write_motion(batch, i, sum_of(particles->position, particles->position_low, i),
                            sum_of(particles->velocity, particles->velocity_low, i), NULL, is_awake(particles, i));
    }
}

static const char *const keys[] = {"name",  "source", "notes", "count", "damping", "acceleration", "precise", "lower",
                                   "upper", "bounce", "start", "set",   NULL};

const struct batch_kind particles_kind = {
    .key = "particles",
    .one = "particle",
    .many = "particles",
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
