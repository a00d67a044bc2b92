/* The kind of batches "flings": damping, and springs at the edges, as in scroll views. */
#include "batches/kinds.h"

#include "batches/damping.h"
#include "batches/limits.h"
#include "input/forms.h"
#include "scene/ceiling.h"
#include "scene/events.h"
#include "scene/start.h"
#include "scene/states.h"
#include "scene/sums.h"

struct fling_batch {
    gyre_flings flings;
    float dt_s;
};

static const char *const edges[] = {"lower", "upper", NULL};

/* Each edge may have a value for each element, so the library handles an upper edge below its lower one; for two single
   numbers it is an error. */
static void expect_edges_in_order(const struct node *where)
{
    struct node lower = member(where, "lower"), upper = member(where, "upper");
    if (json_is_number(lower.value) && json_is_number(upper.value)) {
        number_from(&upper, number(&lower));
    }
}

static void read_batch(struct batch *batch, const struct node *where, const struct scene *scene)
{
    static const char *const start_names[] = {"position", "velocity", NULL};
    static const struct event_field fields[EVENT_FIELDS] = {{"velocity", "fling", 1}};
    struct node damping = member(where, "damping"), spring = member(where, "spring");
    struct node start = member(where, "start"), flings = member(where, "fling");
    const bool precise = flag(where, "precise");
    scene_expect_room(batch, where, (precise ? 4 : 2) * sizeof(float) + 1 + bound_bytes(where, edges));
    expect_edges_in_order(where);
    struct fling_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    own->flings = (gyre_flings){
        .count = batch->count,
        .position = allocate(batch->count, sizeof(float)),
        .velocity = allocate(batch->count, sizeof(float)),
        .lower = bound_read(batch, where, edges[0], scene),
        .upper = bound_read(batch, where, edges[1], scene),
        .damping = damping_read(&damping),
        .spring = form_read_spring(&spring),
        .awake = allocate(batch->count, 1),
        .position_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
        .velocity_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
    };
    rest_limits_read(where, "rest_distance", &own->flings.rest_distance, &own->flings.rest_speed);
    start_read(batch, &start, scene, start_names, (float *const[]){own->flings.position, own->flings.velocity},
               (float *const[]){own->flings.position_low, own->flings.velocity_low});
    batch->events = events_read(batch, &flings, scene, fields);
}

static void apply_event(struct batch *batch, const struct event *event)
{
    struct fling_batch *own = batch->state;
    values_fill(&event->values[0][0], own->flings.velocity + event->first, event->count);
    for (size_t i = 0; own->flings.velocity_low != NULL && i < event->count; i++) {
        own->flings.velocity_low[event->first + i] = 0;
    }
}

static void prepare(struct batch *batch, double at_s, float dt_s)
{
    (void)at_s;
    ((struct fling_batch *)batch->state)->dt_s = dt_s;
}

static gyre_status advance(const struct batch *batch, size_t begin, size_t end)
{
    const struct fling_batch *own = batch->state;
    return gyre_flings_step(&own->flings, begin, end, own->dt_s);
}

static void touch(const struct batch *batch, size_t begin, size_t end)
{
    const gyre_flings *flings = &((const struct fling_batch *)batch->state)->flings;
    const struct traffic arrays[] = {
        {flings->position, sizeof(float), READ_WRITE},
        {flings->velocity, sizeof(float), READ_WRITE},
        {flings->position_low, sizeof(float), READ_WRITE},
        {flings->velocity_low, sizeof(float), READ_WRITE},
        {flings->lower, sizeof(float), READ},
        {flings->upper, sizeof(float), READ},
        {flings->awake, 1, WRITE},
    };
    ceiling_touch(arrays, sizeof arrays / sizeof arrays[0], begin, end);
}

static size_t at_rest(const struct batch *batch)
{
    const gyre_flings *flings = &((const struct fling_batch *)batch->state)->flings;
    return count_resting(flings->awake, flings->count);
}

static void write_states(const struct batch *batch, size_t begin, size_t end)
{
    const gyre_flings *flings = &((const struct fling_batch *)batch->state)->flings;
    for (size_t i = begin; i < end; i++) {
        states_write_motion(batch, i, sum_of(flings->position, flings->position_low, i),
                            sum_of(flings->velocity, flings->velocity_low, i), NULL, flings->awake[i] != 0);
    }
}

static const char *const keys[] = {"name",  "source", "notes", "count", "damping",       "precise",    "lower",
                                   "upper", "spring", "start", "fling", "rest_distance", "rest_speed", NULL};

const struct batch_kind flings_kind = {
    .key = "flings",
    .one = "fling",
    .many = "flings",
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
