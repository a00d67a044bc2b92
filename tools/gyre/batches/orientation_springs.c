/* The kind of batches "orientation_springs": springs on rotations, whose targets stand still or turn evenly. */
#include "batches/kinds.h"

#include "batches/limits.h"
#include "input/forms.h"
#include "scene/attitude.h"
#include "scene/ceiling.h"
#include "scene/events.h"
#include "scene/start.h"
#include "scene/states.h"

#include <stdlib.h>
#include <string.h>

struct orientation_batch {
    gyre_orientation_springs springs;
    float *target[4], *before[4]; /* arrays of springs.target and target_before, not const; before: if one turns */
    struct attitude *turning;     /* targets in double, and */
    float *target_spin[3];        /* how they turn, rad/s in the world; NULL: no target does */
    double now_s;
    gyre_spring spring;
    gyre_spring_matrix matrix;
    float dt_s; /* of the matrix */
};

/* Fields that an event can set. */
enum { TARGET, TARGET_SPIN };

static const struct event_field fields[EVENT_FIELDS] = {
    [TARGET] = {"target", "retarget target", 4},
    [TARGET_SPIN] = {"target_spin", "retarget target_spin", 3},
};

enum {
    STATE_BYTES = (4 + 3 + 4) * sizeof(float) + 1,
    TURNING_BYTES = (4 + 3) * sizeof(float) + sizeof(struct attitude), /* more, if a target turns */
};

static void set_quaternion(float *const q[4], size_t i, struct attitude a)
{
    q[0][i] = (float)a.x;
    q[1][i] = (float)a.y;
    q[2][i] = (float)a.z;
    q[3][i] = (float)a.w;
}

static void set_orientation(struct batch *batch, size_t i, struct attitude a)
{
    struct orientation_batch *own = batch->state;
    set_quaternion(own->springs.orientation, i, a);
}

static void set_target(struct batch *batch, size_t i, struct attitude a)
{
    struct orientation_batch *own = batch->state;
    set_quaternion(own->target, i, a);
    if (own->turning != NULL) {
        own->turning[i] = a;
    }
}

static void read_start_file(struct batch *batch, const struct node *file)
{
    static const char *const names[] = {"orientation_x", "orientation_y", "orientation_z", "orientation_w",
                                        "spin_x",        "spin_y",        "spin_z",        "target_x",
                                        "target_y",      "target_z",      "target_w",      NULL};
    const gyre_orientation_springs *s = &((struct orientation_batch *)batch->state)->springs;
    float *targets[4];
    allocate_each(targets, 4, batch->count);
    for (size_t i = 0; i < batch->count; i++) {
        targets[3][i] = 1;
    }
    start_read_csv(file, batch->count, names, 7,
                   (float *const[]){s->orientation[0], s->orientation[1], s->orientation[2], s->orientation[3],
                                    s->angular_velocity[0], s->angular_velocity[1], s->angular_velocity[2], targets[0],
                                    targets[1], targets[2], targets[3]},
                   NULL);
    start_take_attitudes(batch, file, s->orientation, 0, batch->count, set_orientation);
    start_take_attitudes(batch, file, targets, 0, batch->count, set_target);
    release_each(targets, 4);
}

static void read_start(struct batch *batch, const struct node *start, const struct scene *scene)
{
    static const char *const keys[] = {"orientation", "euler_zxz_deg", "spin_world", "target",
                                       "target_spin", "csv",           NULL};
    struct orientation_batch *own = batch->state;
    if (start->value != NULL) {
        only_keys(start, keys);
    }
    struct node file = member(start, "csv"), spin = member(start, "spin_world");
    struct node quaternion = member(start, "orientation"), angles = member(start, "euler_zxz_deg");
    struct node target = member(start, "target"), none = {.parent = start};
    if (file.value != NULL) {
        read_start_file(batch, &file);
        return;
    }
    start_read_attitudes(batch, &quaternion, &angles, scene, set_orientation);
    start_read_attitudes(batch, &target, &none, scene, set_target);
    if (spin.value != NULL) {
        values_read_vectors(&spin, 3, batch->count, scene_stream(scene, batch, spin.key, 0),
                            own->springs.angular_velocity);
    }
    struct node target_spin = member(start, "target_spin");
    if (target_spin.value != NULL) {
        values_read_vectors(&target_spin, 3, batch->count, scene_stream(scene, batch, target_spin.key, 0),
                            own->target_spin);
    }
}

/* Gives the targets of an event to the springs where it has any, or only checks them. */
static void take_targets(struct batch *batch, const struct event *event, const struct node *where)
{
    float *targets[4];
    allocate_each(targets, 4, event->count);
    for (size_t c = 0; c < 4; c++) {
        values_fill(&event->values[TARGET][c], targets[c], event->count);
    }
    start_take_attitudes(batch, where, targets, event->first, event->count, where != NULL ? NULL : set_target);
    release_each(targets, 4);
}

static void read_events(struct batch *batch, const struct node *retargets, const struct scene *scene)
{
    batch->events = events_read(batch, retargets, scene, fields);
    for (size_t i = 0; i < batch->events.count; i++) {
        const struct event *event = &batch->events.list[i];
        if (event->has[TARGET]) {
            struct node retarget = element(retargets, event->order), target = member(&retarget, "target");
            take_targets(batch, event, &target);
        }
    }
}

static void read_batch(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct node spring = member(where, "spring");
    struct node start = member(where, "start"), retargets = member(where, "retarget");
    const bool turning = member(&start, "target_spin").value != NULL || events_state(&retargets, "target_spin");
    scene_expect_room(batch, where, STATE_BYTES + (turning ? TURNING_BYTES : 0));
    struct orientation_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    own->dt_s = -1; /* no matrix yet */
    own->spring = form_read_spring(&spring);
    own->spring.follow = part_read(where, "follow");
    gyre_orientation_springs *s = &own->springs;
    s->count = batch->count;
    rest_limits_read(where, "rest_angle", &s->rest_angle, &s->rest_speed);
    s->awake = allocate(batch->count, 1);
    allocate_each(s->orientation, 4, batch->count);
    allocate_each(s->angular_velocity, 3, batch->count);
    allocate_each(own->target, 4, batch->count);
    if (turning) {
        allocate_each(own->before, 4, batch->count);
        allocate_each(own->target_spin, 3, batch->count);
        own->turning = allocate(batch->count, sizeof *own->turning);
    }
    for (size_t c = 0; c < 4; c++) {
        s->target[c] = own->target[c];
        s->target_before[c] = own->before[c];
    }
    read_start(batch, &start, scene);
    read_events(batch, &retargets, scene);
}

static void apply_event(struct batch *batch, const struct event *event)
{
    struct orientation_batch *own = batch->state;
    if (event->has[TARGET]) {
        take_targets(batch, event, NULL);
    }
    for (size_t axis = 0; event->has[TARGET_SPIN] && axis < 3; axis++) {
        values_fill(&event->values[TARGET_SPIN][axis], own->target_spin[axis] + event->first, event->count);
    }
}

/* Turns each target from its current orientation to that at at_s. */
static void turn_targets(struct batch *batch, double at_s)
{
    struct orientation_batch *own = batch->state;
    const double passed_s = at_s - own->now_s;
    for (size_t c = 0; c < 4; c++) {
        memcpy(own->before[c], own->target[c], batch->count * sizeof(float));
    }
    for (size_t i = 0; i < batch->count; i++) {
        const struct vector turn = {passed_s * (double)own->target_spin[0][i],
                                    passed_s * (double)own->target_spin[1][i],
                                    passed_s * (double)own->target_spin[2][i]};
        struct attitude turned = attitude_product(attitude_of_turn(turn), own->turning[i]);
        attitude_normalise(&turned);
        set_target(batch, i, turned);
    }
}

static void prepare(struct batch *batch, double at_s, float dt_s)
{
    struct orientation_batch *own = batch->state;
    if (own->turning != NULL) {
        turn_targets(batch, at_s);
    }
    own->now_s = at_s;
    if (dt_s != own->dt_s) {
        own->matrix = spring_matrix(own->spring, dt_s, batch->name);
        own->dt_s = dt_s;
    }
}

static gyre_status advance(const struct batch *batch, size_t begin, size_t end)
{
    const struct orientation_batch *own = batch->state;
    return gyre_orientation_springs_step(&own->springs, begin, end, &own->matrix, own->dt_s);
}

static void touch(const struct batch *batch, size_t begin, size_t end)
{
    const gyre_orientation_springs *s = &((const struct orientation_batch *)batch->state)->springs;
    struct traffic arrays[4 + 3 + 4 + 4 + 1];
    size_t count = 0;
    for (size_t c = 0; c < 4; c++) {
        arrays[count++] = (struct traffic){s->orientation[c], sizeof(float), READ_WRITE};
        arrays[count++] = (struct traffic){s->target[c], sizeof(float), READ};
        arrays[count++] = (struct traffic){s->target_before[c], sizeof(float), READ};
    }
    for (size_t axis = 0; axis < 3; axis++) {
        arrays[count++] = (struct traffic){s->angular_velocity[axis], sizeof(float), READ_WRITE};
    }
    arrays[count++] = (struct traffic){s->awake, 1, WRITE};
    ceiling_touch(arrays, count, begin, end);
}

static size_t at_rest(const struct batch *batch)
{
    const gyre_orientation_springs *s = &((const struct orientation_batch *)batch->state)->springs;
    return count_resting(s->awake, s->count);
}

static const char *const columns[] = {
    "orientation_x", "orientation_y", "orientation_z", "orientation_w", "spin_x", "spin_y", "spin_z",
    "target_x",      "target_y",      "target_z",      "target_w",      "awake",  NULL};

static void write_states(const struct batch *batch, size_t begin, size_t end)
{
    const gyre_orientation_springs *s = &((const struct orientation_batch *)batch->state)->springs;
    for (size_t i = begin; i < end; i++) {
        struct cell cells[4 + 3 + 4 + 1];
        for (size_t c = 0; c < 4; c++) {
            cells[c] = (struct cell){CELL_NUMBER, (double)s->orientation[c][i]};
            cells[7 + c] = (struct cell){CELL_NUMBER, (double)s->target[c][i]};
        }
        for (size_t axis = 0; axis < 3; axis++) {
            cells[4 + axis] = (struct cell){CELL_NUMBER, (double)s->angular_velocity[axis][i]};
        }
        cells[11] = (struct cell){CELL_TRUTH, s->awake[i] != 0};
        states_write(batch, i, cells);
    }
}

static const char *const keys[] = {"name",  "source",     "notes",      "count",    "spring", "follow",
                                   "start", "rest_angle", "rest_speed", "retarget", NULL};

const struct batch_kind orientation_springs_kind = {
    .key = "orientation_springs",
    .one = "orientation spring",
    .many = "orientation springs",
    .keys = keys,
    .columns = columns,
    .read = read_batch,
    .apply_event = apply_event,
    .prepare = prepare,
    .advance = advance,
    .touch = touch,
    .at_rest = at_rest,
    .write = write_states,
};
