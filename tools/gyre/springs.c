/* The batch kind "springs". */
#include "batch.h"

#include "ceiling.h"
#include "csv.h"
#include "random.h"
#include "scene.h"
#include "states.h"
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 512 };

struct retarget {
    double at_s;
    size_t first, count;
    size_t order; /* in the scene: of two at one time the later in the file wins */
    struct values target;
};

struct spring_batch {
    gyre_springs springs;
    float *target; /* what springs.target points to, to write */
    gyre_spring spring;
    gyre_spring_matrix matrix;
    float matrix_dt_s;
    struct retarget *retargets; /* by time */
    size_t retarget_count, next_retarget;
};

static gyre_status from_frequency(const float *p, gyre_spring *out)
{
    *out = (gyre_spring){.angular_frequency = p[0], .damping_ratio = p[1]};
    return GYRE_OK;
}

static gyre_status from_stiffness(const float *p, gyre_spring *out)
{
    return gyre_spring_from_stiffness(p[0], p[1], p[2], out);
}

/* Android's way: the mass is 1, and the damping a ratio. */
static gyre_status from_unit_mass(const float *p, gyre_spring *out)
{
    gyre_status status = gyre_spring_from_stiffness(1, p[0], 0, out);
    out->damping_ratio = p[1];
    return status;
}

static gyre_status from_response(const float *p, gyre_spring *out)
{
    return gyre_spring_from_response(p[0], p[1], out);
}

static gyre_status from_duration(const float *p, gyre_spring *out)
{
    return gyre_spring_from_duration(p[0], p[1], out);
}

static gyre_status from_half_life(const float *p, gyre_spring *out)
{
    return gyre_spring_from_half_life(p[0], p[1], out);
}

static gyre_status from_settling(const float *p, gyre_spring *out)
{
    return gyre_spring_from_settling(p[0], p[1], p[2], out);
}

enum { FORM_KEYS = 3 };

/* The usual ways to state a spring. A scene uses the keys of exactly one. */
static const struct form {
    const char *keys[FORM_KEYS];
    gyre_status (*make)(const float *parameters, gyre_spring *out);
    const char *range;
} forms[] = {
    {{"angular_frequency", "damping_ratio"}, from_frequency, "angular_frequency >= 0, damping_ratio >= 0"},
    {{"mass", "stiffness", "damping"}, from_stiffness, "mass > 0, stiffness >= 0, damping >= 0 and 0 if stiffness is"},
    {{"stiffness", "damping_ratio"}, from_unit_mass, "stiffness >= 0, damping_ratio >= 0"},
    {{"response_s", "damping_ratio"}, from_response, "response_s > 0, damping_ratio >= 0"},
    {{"duration_s", "bounce"}, from_duration, "duration_s > 0, bounce above -1 and up to 1"},
    {{"half_life_s", "damping_ratio"}, from_half_life, "half_life_s > 0, damping_ratio > 0"},
    {{"settling_s", "damping_ratio", "fraction"}, from_settling,
     "settling_s > 0, damping_ratio > 0, fraction between 0 and 1"},
};

enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

static size_t keys_of(const struct form *form)
{
    return form->keys[FORM_KEYS - 1] != NULL ? FORM_KEYS : FORM_KEYS - 1;
}

static bool has_form(const struct node *where, const struct form *form)
{
    for (size_t i = 0; i < keys_of(form); i++) {
        if (member(where, form->keys[i]).value == NULL) {
            return false;
        }
    }
    return true;
}

static _Noreturn void bad_form(const struct node *where)
{
    char list[TEXT_SIZE] = "";
    for (size_t f = 0; f < FORM_COUNT; f++) {
        for (size_t i = 0; i < keys_of(&forms[f]); i++) {
            size_t length = strlen(list);
            const char *between = i > 0 ? " + " : f > 0 ? ", " : "";
            snprintf(list + length, sizeof list - length, "%s%s", between, forms[f].keys[i]);
        }
    }
    bad(where, "expected the keys of exactly one form: %s", list);
}

static gyre_spring read_spring(const struct node *where)
{
    const char *known[FORM_COUNT * FORM_KEYS + 1] = {NULL};
    size_t known_count = 0;
    const struct form *form = NULL;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        for (size_t i = 0; i < keys_of(&forms[f]); i++) {
            known[known_count++] = forms[f].keys[i];
        }
    }
    if (where->value == NULL) {
        bad_form(where);
    }
    only_keys(where, known);
    for (size_t f = 0; f < FORM_COUNT && form == NULL; f++) {
        if (has_form(where, &forms[f]) && json_object_size(where->value) == keys_of(&forms[f])) {
            form = &forms[f];
        }
    }
    if (form == NULL) {
        bad_form(where);
    }

    float parameters[FORM_KEYS];
    for (size_t i = 0; i < keys_of(form); i++) {
        struct node parameter = member(where, form->keys[i]);
        parameters[i] = (float)number(&parameter);
    }
    gyre_spring spring;
    gyre_spring_matrix unused;
    gyre_status status = form->make(parameters, &spring);
    if (status == GYRE_OK) {
        status = gyre_spring_matrix_at(spring, 0, &unused); /* checks the ranges of frequency and ratio */
    }
    if (status == GYRE_ERROR_RANGE) {
        bad(where, "the spring's frequency or damping ratio does not fit a float, expected milder numbers");
    }
    if (status != GYRE_OK) {
        bad(where, "no such spring, expected %s", form->range);
    }
    return spring;
}

/* A stream of random numbers for one use in one batch. */
static uint64_t stream_for(const struct batch *batch, const struct scene *scene, const char *use, size_t number)
{
    char purpose[TEXT_SIZE];
    snprintf(purpose, sizeof purpose, "%s/%s/%zu", batch->name, use, number);
    return random_stream(scene->seed, purpose);
}

static void fill_start(float *out, const char *key, const struct node *start, const struct batch *batch,
                       const struct scene *scene)
{
    struct node where = member(start, key);
    struct values stated = values_read(&where, batch->count, stream_for(batch, scene, key, 0));
    values_fill(&stated, out, batch->count);
    values_free(&stated);
}

static void start_from_csv(struct spring_batch *own, const struct node *file, size_t count)
{
    static const char *const names[] = {"position", "velocity", "target"};
    struct csv table = csv_read(file, names, 2, 3);
    if (table.rows != count) {
        bad(file, "%s has %zu rows, expected %zu as count says", table.path, table.rows, count);
    }
    float *const columns[] = {own->springs.position, own->springs.velocity, own->target};
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < table.columns; c++) {
            columns[c][i] = (float)table.cells[i * table.columns + c];
        }
    }
    csv_free(&table);
}

static void read_start(const struct batch *batch, const struct node *start, const struct scene *scene)
{
    struct spring_batch *own = batch->state;
    if (start->value == NULL) {
        return; /* all at 0 */
    }
    only_keys(start, (const char *const[]){"csv", "position", "velocity", "target", NULL});
    struct node file = member(start, "csv");
    if (file.value != NULL) {
        if (json_object_size(start->value) > 1) {
            bad(start, "expected either csv, or position, velocity and target");
        }
        start_from_csv(own, &file, batch->count);
        return;
    }
    fill_start(own->springs.position, "position", start, batch, scene);
    fill_start(own->springs.velocity, "velocity", start, batch, scene);
    fill_start(own->target, "target", start, batch, scene);
}

static struct retarget read_retarget(const struct batch *batch, const struct node *where, const struct scene *scene)
{
    only_keys(where, (const char *const[]){"at_s", "target", "first", "last", NULL});
    struct node at = member(where, "at_s"), target = member(where, "target");
    struct node first = member(where, "first"), last = member(where, "last");
    struct retarget read = {.at_s = scene_time(scene, &at), .order = where->index};
    size_t end = batch->count;
    if (first.value != NULL) {
        read.first = whole_number(&first, 0, batch->count - 1);
    }
    if (last.value != NULL) {
        end = whole_number(&last, read.first, batch->count - 1) + 1;
    }
    read.count = end - read.first;
    if (target.value == NULL) {
        bad(&target, "is missing, expected a number, an array of %zu numbers, or a distribution", read.count);
    }
    read.target = values_read(&target, read.count, stream_for(batch, scene, "retarget", where->index));
    return read;
}

static int by_time(const void *a, const void *b)
{
    const struct retarget *first = a, *second = b;
    if (first->at_s != second->at_s) {
        return first->at_s < second->at_s ? -1 : 1;
    }
    return first->order < second->order ? -1 : 1;
}

static void read_retargets(const struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct spring_batch *own = batch->state;
    if (where->value == NULL) {
        return;
    }
    size_t count = array_length(where);
    own->retargets = allocate(count, sizeof *own->retargets);
    for (size_t i = 0; i < count; i++) {
        struct node item = element(where, i);
        own->retargets[i] = read_retarget(batch, &item, scene);
        own->retarget_count = i + 1;
    }
    qsort(own->retargets, count, sizeof *own->retargets, by_time);
}

static float limit(const struct node *where, const char *key)
{
    struct node stated = member(where, key);
    return stated.value != NULL ? (float)number_from(&stated, 0) : 0;
}

static void read_batch(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct node count = member(where, "count"), spring = member(where, "spring");
    struct node start = member(where, "start"), retargets = member(where, "retarget");
    if (!reserve_memory(batch->count, 3 * sizeof(float) + 1)) {
        bad(&count, "%zu springs need more memory than this machine has, expected fewer", batch->count);
    }
    struct spring_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    own->spring = read_spring(&spring);
    own->matrix_dt_s = -1; /* none yet */
    own->target = allocate(batch->count, sizeof(float));
    own->springs = (gyre_springs){
        .count = batch->count,
        .position = allocate(batch->count, sizeof(float)),
        .velocity = allocate(batch->count, sizeof(float)),
        .target = own->target,
        .period = limit(where, "period"),
        .rest_distance = limit(where, "rest_distance"),
        .rest_speed = limit(where, "rest_speed"),
        .awake = allocate(batch->count, 1),
    };
    read_start(batch, &start, scene);
    read_retargets(batch, &retargets, scene);
}

static void release(struct batch *batch)
{
    struct spring_batch *own = batch->state;
    for (size_t i = 0; i < own->retarget_count; i++) {
        values_free(&own->retargets[i].target);
    }
    free(own->retargets);
    free(own->springs.position);
    free(own->springs.velocity);
    free(own->springs.awake);
    free(own->target);
    free(own);
}

static double next_event_s(const struct batch *batch)
{
    const struct spring_batch *own = batch->state;
    return own->next_retarget < own->retarget_count ? own->retargets[own->next_retarget].at_s : (double)INFINITY;
}

static void apply_event(struct batch *batch)
{
    struct spring_batch *own = batch->state;
    const struct retarget *event = &own->retargets[own->next_retarget++];
    values_fill(&event->target, own->target + event->first, event->count);
}

static void prepare(struct batch *batch, float dt_s)
{
    struct spring_batch *own = batch->state;
    if (dt_s == own->matrix_dt_s) {
        return;
    }
    gyre_status status = gyre_spring_matrix_at(own->spring, dt_s, &own->matrix);
    if (status != GYRE_OK) {
        fail(EXIT_FAILED, "%s: no matrix for a step of %g s: %s", batch->name, (double)dt_s, gyre_status_name(status));
    }
    own->matrix_dt_s = dt_s;
}

static gyre_status advance(const struct batch *batch, size_t begin, size_t end)
{
    const struct spring_batch *own = batch->state;
    return gyre_springs_step(&own->springs, begin, end, &own->matrix);
}

static gyre_status touch(const struct batch *batch, size_t begin, size_t end)
{
    const struct spring_batch *own = batch->state;
    ceiling_touch_springs(&own->springs, begin, end);
    return GYRE_OK;
}

static size_t at_rest(const struct batch *batch)
{
    const struct spring_batch *own = batch->state;
    size_t resting = 0;
    for (size_t i = 0; i < batch->count; i++) {
        resting += own->springs.awake[i] == 0;
    }
    return resting;
}

static void write_states(const struct batch *batch)
{
    const gyre_springs *springs = &((const struct spring_batch *)batch->state)->springs;
    for (size_t i = 0; i < batch->count; i++) {
        states_spring(batch->name, i, springs->position[i], springs->velocity[i], springs->target[i],
                      springs->awake[i] != 0);
    }
}

static const char *const keys[] = {"name", "source", "notes", "count", "spring", "start", "period", "rest_distance",
                                   "rest_speed", "retarget", NULL};

const struct batch_kind springs_kind = {
    .key = "springs",
    .keys = keys,
    .read = read_batch,
    .free = release,
    .next_event_s = next_event_s,
    .apply_event = apply_event,
    .prepare = prepare,
    .advance = advance,
    .touch = touch,
    .at_rest = at_rest,
    .write = write_states,
};
