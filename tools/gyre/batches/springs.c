/* The kind of batches "springs". */
#include "batches/kinds.h"

#include "batches/limits.h"
#include "input/forms.h"
#include "scene/ceiling.h"
#include "scene/events.h"
#include "scene/start.h"
#include "scene/states.h"
#include "scene/sums.h"
#include "support/random.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STYLES = UINT16_MAX + 1 };

/* Whether the springs of a batch share their parameters, and how they are stepped. */
enum sharing { SHARED, PALETTE, EACH, EVALUATED };

struct spring_batch {
    gyre_springs springs;
    float *target; /* the array of springs.target, not const */
    enum sharing sharing;

    /* All except EACH: the spring or the palette of springs, and the matrices of a step. */
    gyre_spring *styles;
    gyre_spring_matrix *matrices;
    size_t style_count;
    float dt_s;      /* of the matrices, or for EACH of the step */
    uint16_t *which; /* PALETTE */

    float *angular_frequency, *damping_ratio, *follow, *time_scale; /* EACH; the last two may be NULL */
    float smoothing_half_life_s;                                    /* SHARED: 0, or used instead of a spring */

    /* For moving targets: the array of springs.target_before, their velocities in u/s, their positions, and the time of
       these. NULL: none. */
    float *target_before, *target_velocity;
    double *moving, now_s;

    /* EVALUATED: the states at the start or the last retarget, its time, and the time since. */
    float *start_position, *start_velocity, *elapsed_s;
    double *began_s;
};

enum {
    STATE_BYTES = 3 * sizeof(float) + 1,
    LOW_BYTES = 2 * sizeof(float),                     /* more, if precise */
    MOVING_BYTES = 2 * sizeof(float) + sizeof(double), /* more, if targets move */
};

/* Memory of one spring, at most. */
static const size_t bytes_each[] = {
    [SHARED] = STATE_BYTES,
    [PALETTE] = STATE_BYTES + sizeof(uint16_t),
    [EACH] = STATE_BYTES + 3 * sizeof(float),
    [EVALUATED] = STATE_BYTES + 3 * sizeof(float) + sizeof(double),
};

enum { TARGET, TARGET_VELOCITY };

/* Keys of springs that are stepped rather than evaluated. */
static const char *const stepped_keys[] = {
    "precise",        "smoothing",  "follow",     "target_velocity", "lower",         "upper",      "bounce",
    "stop_at_target", "rest_scale", "time_scale", "skip_asleep",     "rest_distance", "rest_speed", NULL};
/* Of these, those with an array of values, one for each spring. */
static const char *const value_keys[] = {"lower", "upper", "rest_scale", "time_scale", NULL};

/* Bounds, stops, sleep and the scale of the rest limits. All springs start awake. */
static void read_options(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct spring_batch *own = batch->state;
    gyre_springs *s = &own->springs;
    struct node scale = member(where, "rest_scale");
    s->lower = bound_read(batch, where, "lower", scene);
    s->upper = bound_read(batch, where, "upper", scene);
    s->bounce = part_read(where, "bounce");
    s->stop_at_target = flag(where, "stop_at_target");
    s->skip_asleep = flag(where, "skip_asleep");
    s->rest_scale = bound_read(batch, where, "rest_scale", scene);
    struct node bound = member(where, s->lower != NULL ? "lower" : "upper");
    if (bound.value != NULL && s->period > 0) {
        bad(&bound, "cannot be combined with period");
    }
    if (scale.value != NULL && s->rest_distance == 0) {
        bad(&scale, "requires rest_distance and rest_speed");
    }
    memset(s->awake, 1, batch->count);
}

static void read_moving_targets(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct spring_batch *own = batch->state;
    struct node velocity = member(where, "target_velocity");
    own->target_before = allocate(batch->count, sizeof(float));
    own->target_velocity = allocate(batch->count, sizeof(float));
    own->moving = allocate(batch->count, sizeof(double));
    own->springs.target_before = own->target_before;
    if (velocity.value != NULL) {
        values_read_into(&velocity, own->target_velocity, batch->count, scene_stream(scene, batch, velocity.key, 0));
    }
    for (size_t i = 0; i < batch->count; i++) {
        own->moving[i] = (double)own->target[i];
    }
}

static void read_each(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct spring_batch *own = batch->state;
    const struct form *form = form_read(where);
    const float follow = part_read(where->parent, "follow");
    float *columns[FORM_KEYS] = {NULL};
    for (size_t k = 0; k < form->key_count; k++) {
        char use[64];
        struct node parameter = member(where, form->keys[k]);
        if (parameter.value == NULL) {
            continue;
        }
        snprintf(use, sizeof use, "spring %s", form->keys[k]);
        columns[k] = allocate(batch->count, sizeof(float));
        values_read_into(&parameter, columns[k], batch->count, scene_stream(scene, batch, use, 0));
    }
    own->angular_frequency = allocate(batch->count, sizeof(float));
    own->damping_ratio = allocate(batch->count, sizeof(float));
    own->follow = follow > 0 ? allocate(batch->count, sizeof(float)) : NULL;
    own->time_scale = bound_read(batch, where->parent, "time_scale", scene);
    for (size_t i = 0; i < batch->count; i++) {
        float parameters[FORM_KEYS] = {0};
        gyre_spring spring;
        for (size_t k = 0; k < form->key_count; k++) {
            parameters[k] = columns[k] != NULL ? columns[k][i] : FORM_DEFAULT;
        }
        const char *problem = form_make(form, parameters, &spring);
        if (problem != NULL) {
            bad(where, "spring %zu: %s", i, problem);
        }
        own->angular_frequency[i] = spring.angular_frequency;
        own->damping_ratio[i] = spring.damping_ratio;
        if (own->follow != NULL) {
            own->follow[i] = follow;
        }
    }
    for (size_t k = 0; k < form->key_count; k++) {
        release(columns[k]);
    }
}

static void read_which(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct spring_batch *own = batch->state;
    size_t styles = own->style_count;
    own->which = allocate(batch->count, sizeof *own->which);
    if (json_is_string(where->value) && strcmp(string(where), "runs") == 0) {
        for (size_t i = 0; i < batch->count; i++) {
            own->which[i] = (uint16_t)((double)i / (double)batch->count * (double)styles);
        }
    } else if (json_is_string(where->value) && strcmp(string(where), "random") == 0) {
        uint64_t stream = scene_stream(scene, batch, "which", 0);
        for (size_t i = 0; i < batch->count; i++) {
            own->which[i] = (uint16_t)(random_uniform(&stream) * (double)styles);
        }
    } else if (json_is_array(where->value) || json_object_get(where->value, "csv") != NULL) {
        float *indices = allocate(batch->count, sizeof(float));
        values_read_into(where, indices, batch->count, 0);
        for (size_t i = 0; i < batch->count; i++) {
            if (!(indices[i] >= 0 && indices[i] < (float)styles && indices[i] == floorf(indices[i]))) {
                bad(where, "has %g for spring %zu, expected a whole number from 0 to %zu", (double)indices[i], i,
                    styles - 1);
            }
            own->which[i] = (uint16_t)indices[i];
        }
        release(indices);
    } else {
        bad(where, "expected \"runs\", \"random\", an array of %zu numbers, or a column of a CSV", batch->count);
    }
}

static void read_palette(struct batch *batch, const struct node *palette, const struct node *which,
                         const struct scene *scene)
{
    struct spring_batch *own = batch->state;
    own->style_count = array_length(palette);
    if (own->style_count < 1 || own->style_count > MAX_STYLES) {
        bad(palette, "has %zu springs, expected 1 to %d", own->style_count, MAX_STYLES);
    }
    own->styles = allocate(own->style_count, sizeof *own->styles);
    for (size_t i = 0; i < own->style_count; i++) {
        struct node item = element(palette, i);
        own->styles[i] = form_read_spring(&item);
    }
    read_which(batch, which, scene);
}

static void begin_evaluation(struct spring_batch *own, size_t first, size_t count, double at_s)
{
    memcpy(own->start_position + first, own->springs.position + first, count * sizeof(float));
    memcpy(own->start_velocity + first, own->springs.velocity + first, count * sizeof(float));
    for (size_t i = first; i < first + count; i++) {
        own->began_s[i] = at_s;
    }
}

static void read_evaluation(struct batch *batch)
{
    struct spring_batch *own = batch->state;
    own->start_position = allocate(batch->count, sizeof(float));
    own->start_velocity = allocate(batch->count, sizeof(float));
    own->elapsed_s = allocate(batch->count, sizeof(float));
    own->began_s = allocate(batch->count, sizeof(double));
    begin_evaluation(own, 0, batch->count, 0);
}

/* True if any parameter is not one number for all springs. */
static bool is_per_spring(const struct node *spring)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)spring->value, key, value)
    {
        if (json_is_object(value) || json_is_array(value)) {
            return true;
        }
    }
    return false;
}

static enum sharing sharing_of(const struct node *where)
{
    struct node spring = member(where, "spring"), palette = member(where, "palette"), which = member(where, "which");
    struct node evaluate = member(where, "evaluate"), smoothing = member(where, "smoothing");
    struct node time_scale = member(where, "time_scale"), follow = member(where, "follow");
    bool evaluated = flag(where, "evaluate");
    if ((spring.value != NULL) + (palette.value != NULL) + (smoothing.value != NULL) != 1) {
        bad(where, "expected exactly one of spring, palette and smoothing");
    }
    if (time_scale.value != NULL && spring.value == NULL) {
        bad(&time_scale, "requires spring, which is missing");
    }
    if (follow.value != NULL && smoothing.value != NULL) {
        bad(&follow, "cannot be combined with smoothing, which has no damping");
    }
    if (which.value != NULL && palette.value == NULL) {
        bad(&which, "requires palette, which is missing");
    }
    if (!evaluated) {
        return palette.value != NULL                                                          ? PALETTE
               : spring.value != NULL && (time_scale.value != NULL || is_per_spring(&spring)) ? EACH
                                                                                              : SHARED;
    }
    for (size_t i = 0; stepped_keys[i] != NULL; i++) {
        struct node stepped = member(where, stepped_keys[i]);
        if (stepped.value != NULL) {
            bad(&stepped, "cannot be combined with evaluate, which computes each state from the start");
        }
    }
    if (palette.value != NULL || is_per_spring(&spring)) {
        bad(&evaluate, "requires one spring for all, expected no palette and no values per spring");
    }
    return EVALUATED;
}

static float smoothing_read(const struct node *where)
{
    static const char *const smoothing_keys[] = {"half_life_s", NULL};
    only_keys(where, smoothing_keys);
    struct node half_life = member(where, "half_life_s");
    const double half_life_s = half_life.value != NULL ? number_from(&half_life, 0) : 0;
    if (!((float)half_life_s > 0)) {
        bad(where, "expected a half_life_s above 0");
    }
    return (float)half_life_s;
}

/* The springs, all at 0. */
static void make_springs(struct batch *batch, const struct node *where, bool precise)
{
    struct spring_batch *own = batch->state;
    struct node period = member(where, "period");
    own->target = allocate(batch->count, sizeof(float));
    own->springs = (gyre_springs){
        .count = batch->count,
        .position = allocate(batch->count, sizeof(float)),
        .velocity = allocate(batch->count, sizeof(float)),
        .target = own->target,
        .period = period.value != NULL ? (float)number_from(&period, 0) : 0,
        .awake = allocate(batch->count, 1),
        .position_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
        .velocity_low = precise ? allocate(batch->count, sizeof(float)) : NULL,
    };
    rest_limits_read(where, "rest_distance", &own->springs.rest_distance, &own->springs.rest_speed);
}

static void read_batch(struct batch *batch, const struct node *where, const struct scene *scene)
{
    static const char *const start_names[] = {"position", "velocity", "target", NULL};
    static const struct event_field fields[EVENT_FIELDS] = {
        [TARGET] = {"target", "retarget", 1},
        [TARGET_VELOCITY] = {"target_velocity", "retarget target_velocity", 1},
    };
    struct node spring = member(where, "spring"), smoothing = member(where, "smoothing");
    struct node palette = member(where, "palette"), which = member(where, "which");
    struct node start = member(where, "start"), retargets = member(where, "retarget");
    enum sharing sharing = sharing_of(where);
    const bool precise = flag(where, "precise");
    const bool moving = member(where, "target_velocity").value != NULL || events_state(&retargets, "target_velocity");
    if (moving && sharing == EVALUATED) {
        bad(&retargets, "has target_velocity, which cannot be combined with evaluate");
    }
    scene_expect_room(batch, where,
                      bytes_each[sharing] + bound_bytes(where, value_keys) + (precise ? LOW_BYTES : 0) +
                          (moving ? MOVING_BYTES : 0));
    struct spring_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    own->sharing = sharing;
    own->dt_s = -1; /* no matrices yet */
    make_springs(batch, where, precise);
    start_read(batch, &start, scene, start_names,
               (float *const[]){own->springs.position, own->springs.velocity, own->target},
               (float *const[]){own->springs.position_low, own->springs.velocity_low, NULL});
    batch->events = events_read(batch, &retargets, scene, fields);
    read_options(batch, where, scene);
    if (moving) {
        read_moving_targets(batch, where, scene);
    }
    switch (own->sharing) {
    case EACH: read_each(batch, &spring, scene); return;
    case PALETTE: read_palette(batch, &palette, &which, scene); break;
    case EVALUATED: read_evaluation(batch); /* fall through */
    case SHARED:
        own->style_count = 1;
        own->styles = allocate(1, sizeof *own->styles);
        if (smoothing.value != NULL) {
            own->smoothing_half_life_s = smoothing_read(&smoothing);
        } else {
            own->styles[0] = form_read_spring(&spring);
        }
        break;
    }
    for (size_t i = 0; i < own->style_count; i++) {
        own->styles[i].follow = part_read(where, "follow");
    }
    own->matrices = allocate(own->style_count, sizeof *own->matrices);
}

static void apply_event(struct batch *batch, const struct event *event)
{
    struct spring_batch *own = batch->state;
    if (event->has[TARGET]) {
        values_fill(&event->values[TARGET][0], own->target + event->first, event->count);
    }
    if (event->has[TARGET_VELOCITY]) {
        values_fill(&event->values[TARGET_VELOCITY][0], own->target_velocity + event->first, event->count);
    }
    for (size_t i = event->first; i < event->first + event->count; i++) {
        own->springs.awake[i] = 1;
        if (own->moving != NULL && event->has[TARGET]) {
            own->moving[i] = (double)own->target[i];
        }
    }
    if (own->sharing == EVALUATED) {
        begin_evaluation(own, event->first, event->count, event->at_s);
    }
}

/* Moves each target from its current position to that at at_s, which wakes its spring. */
static void move_targets(struct batch *batch, double at_s)
{
    struct spring_batch *own = batch->state;
    for (size_t i = 0; i < batch->count; i++) {
        own->target_before[i] = own->target[i];
        own->moving[i] += (at_s - own->now_s) * (double)own->target_velocity[i];
        own->target[i] = (float)own->moving[i];
        if (own->target[i] != own->target_before[i]) {
            own->springs.awake[i] = 1;
        }
    }
    own->now_s = at_s;
}

static gyre_spring_matrix matrix_of(const struct spring_batch *own, size_t style, float dt_s, const char *batch)
{
    gyre_spring_matrix matrix;
    if (own->smoothing_half_life_s == 0) {
        return spring_matrix(own->styles[style], dt_s, batch);
    }
    const gyre_status status = gyre_smoothing_matrix_at(own->smoothing_half_life_s, dt_s, &matrix);
    if (status != GYRE_OK) {
        fail(EXIT_FAILED, "%s: cannot compute the matrix for a step of %g s: %s", batch, (double)dt_s,
             gyre_status_name(status));
    }
    return matrix;
}

static void prepare(struct batch *batch, double at_s, float dt_s)
{
    struct spring_batch *own = batch->state;
    if (own->sharing == EVALUATED) {
        for (size_t i = 0; i < batch->count; i++) {
            own->elapsed_s[i] = (float)(at_s - own->began_s[i]);
        }
    }
    if (own->moving != NULL) {
        move_targets(batch, at_s);
    }
    if (dt_s != own->dt_s) {
        for (size_t i = 0; i < own->style_count; i++) {
            own->matrices[i] = matrix_of(own, i, dt_s, batch->name);
        }
        own->dt_s = dt_s;
    }
}

static gyre_status advance(const struct batch *batch, size_t begin, size_t end)
{
    const struct spring_batch *own = batch->state;
    gyre_springs from = own->springs;
    switch (own->sharing) {
    case EACH:
        return gyre_springs_step_each(&own->springs, begin, end, own->angular_frequency, own->damping_ratio,
                                      own->follow, own->time_scale, own->dt_s);
    case PALETTE:
        return gyre_springs_step_palette(&own->springs, begin, end, own->matrices, own->style_count, own->which);
    case EVALUATED:
        if (own->dt_s > 0) {
            from.position = own->start_position;
            from.velocity = own->start_velocity;
            return gyre_springs_at(&from, begin, end, own->styles[0], own->elapsed_s, own->springs.position,
                                   own->springs.velocity);
        }
        /* A step of 0 s changes no state, but updates awake. */ /* fall through */
    case SHARED: break;
    }
    return gyre_springs_step(&own->springs, begin, end, own->matrices);
}

static void touch(const struct batch *batch, size_t begin, size_t end)
{
    const struct spring_batch *own = batch->state;
    const struct traffic arrays[] = {
        {own->springs.position, sizeof(float), own->sharing == EVALUATED ? WRITE : READ_WRITE},
        {own->springs.velocity, sizeof(float), own->sharing == EVALUATED ? WRITE : READ_WRITE},
        {own->springs.position_low, sizeof(float), READ_WRITE},
        {own->springs.velocity_low, sizeof(float), READ_WRITE},
        {own->springs.target, sizeof(float), READ},
        {own->sharing == EVALUATED ? NULL : own->springs.awake, 1, WRITE},
        {own->which, sizeof(uint16_t), READ},
        {own->angular_frequency, sizeof(float), READ},
        {own->damping_ratio, sizeof(float), READ},
        {own->follow, sizeof(float), READ},
        {own->time_scale, sizeof(float), READ},
        {own->springs.target_before, sizeof(float), READ},
        {own->springs.lower, sizeof(float), READ},
        {own->springs.upper, sizeof(float), READ},
        {own->springs.rest_scale, sizeof(float), READ},
        {own->start_position, sizeof(float), READ},
        {own->start_velocity, sizeof(float), READ},
        {own->elapsed_s, sizeof(float), READ},
    };
    ceiling_touch(arrays, sizeof arrays / sizeof arrays[0], begin, end);
}

static size_t at_rest(const struct batch *batch)
{
    const gyre_springs *springs = &((const struct spring_batch *)batch->state)->springs;
    return count_resting(springs->awake, springs->count);
}

static void write_states(const struct batch *batch, size_t begin, size_t end)
{
    const gyre_springs *springs = &((const struct spring_batch *)batch->state)->springs;
    for (size_t i = begin; i < end; i++) {
        states_write_motion(batch, i, sum_of(springs->position, springs->position_low, i),
                            sum_of(springs->velocity, springs->velocity_low, i), &springs->target[i],
                            springs->awake[i] != 0);
    }
}

static const char *const keys[] = {"name",           "source",      "notes",           "precise",    "count",
                                   "spring",         "palette",     "which",           "smoothing",  "evaluate",
                                   "start",          "period",      "rest_distance",   "rest_speed", "rest_scale",
                                   "follow",         "time_scale",  "lower",           "upper",      "bounce",
                                   "stop_at_target", "skip_asleep", "target_velocity", "retarget",   NULL};

const struct batch_kind springs_kind = {
    .key = "springs",
    .one = "spring",
    .many = "springs",
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
