/* The kind of batches "chains": chains of bones of one model, whose roots stand still or move and turn evenly. */
#include "batches/kinds.h"

#include "batches/bones.h"
#include "batches/limits.h"
#include "scene/attitude.h"
#include "scene/ceiling.h"
#include "scene/events.h"
#include "scene/start.h"
#include "scene/states.h"

#include <stdlib.h>
#include <string.h>

/* Where the root of a chain is, in double. */
struct root {
    struct vector place;
    struct attitude turn;
};

struct collider {
    float *position[3], *end[3], *radius; /* what the library reads */
    float *stated[3], *stated_end[3];     /* attached: position and end in the frame of the root; else NULL */
    bool is_plane;
};

struct chain_batch {
    gyre_bone_chains chains;
    float *position[3], *parent[4]; /* arrays of `chains`, not const */
    float *position_before[3], *parent_before[4], *gravity[3], *wind[3];
    struct root *roots;
    float *velocity[3], *spin[3]; /* of roots, u/s and rad/s in the world; NULL: none moves */
    struct collider *colliders;
    double now_s;
    float dt_s;
};

/* Fields that an event can set. */
enum { VELOCITY, SPIN, GRAVITY, WIND };

static const struct event_field fields[EVENT_FIELDS] = {
    [VELOCITY] = {"velocity", "set velocity", 3},
    [SPIN] = {"spin", "set spin", 3},
    [GRAVITY] = {"gravity", "set gravity", 3},
    [WIND] = {"wind", "set wind", 3},
};

/* Memory at most, of a bone, of a chain, and of its part of a collider. */
enum {
    BONE_BYTES = (4 + 3 + 3 + 4) * sizeof(float),
    CHAIN_BYTES = (2 * (3 + 4) + 4 * 3 + 1) * sizeof(float) + sizeof(struct root) + 1,
    COLLIDER_BYTES = (2 * (3 + 3) + 1) * sizeof(float),
};

/* ---- Colliders ---- */

static const char *const kind_names[] = {
    [GYRE_COLLIDER_SPHERE] = "sphere",
    [GYRE_COLLIDER_CAPSULE] = "capsule",
    [GYRE_COLLIDER_PLANE] = "plane",
    [GYRE_COLLIDER_INSIDE_SPHERE] = "inside_sphere",
    [GYRE_COLLIDER_INSIDE_CAPSULE] = "inside_capsule",
    NULL,
};

static gyre_collider_kind collider_kind(const struct node *where)
{
    const char *stated = string(where);
    size_t kind = 0;
    while (kind_names[kind] != NULL && strcmp(kind_names[kind], stated) != 0) {
        kind++;
    }
    if (kind_names[kind] == NULL) {
        bad(where, "is \"%s\", expected sphere, capsule, plane, inside_sphere or inside_capsule", stated);
    }
    return (gyre_collider_kind)kind;
}

/* A vector for each chain; `use` names its random stream. */
static void read_vectors(const struct batch *batch, const struct node *where, const struct scene *scene,
                         const char *use, size_t number, float *out[3])
{
    allocate_each(out, 3, batch->count);
    values_read_vectors(where, 3, batch->count, scene_stream(scene, batch, use, number), out);
}

static void normalise_directions(const struct batch *batch, const struct node *where, float *const out[3])
{
    for (size_t i = 0; i < batch->count; i++) {
        const double v[3] = {(double)out[0][i], (double)out[1][i], (double)out[2][i]};
        const double length = vector_length((struct vector){v[0], v[1], v[2]});
        if (!(length > 0)) {
            bad(where, "is 0 for chain %zu, expected a direction", i);
        }
        for (size_t axis = 0; axis < 3; axis++) {
            out[axis][i] = (float)(v[axis] / length);
        }
    }
}

static void read_collider(struct batch *batch, const struct node *where, const struct scene *scene,
                          struct collider *own, gyre_chain_collider *out)
{
    static const char *const keys[][6] = {
        {"kind", "attached", "position", "radius", NULL},
        {"kind", "attached", "position", "end", "radius", NULL},
        {"kind", "attached", "position", "normal", NULL},
    };
    struct node kind = member(where, "kind"), position = member(where, "position"), radius = member(where, "radius");
    out->kind = collider_kind(&kind);
    own->is_plane = out->kind == GYRE_COLLIDER_PLANE;
    const bool is_capsule = out->kind == GYRE_COLLIDER_CAPSULE || out->kind == GYRE_COLLIDER_INSIDE_CAPSULE;
    only_keys(where, keys[own->is_plane ? 2 : is_capsule ? 1 : 0]);
    struct node end = member(where, own->is_plane ? "normal" : "end");
    read_vectors(batch, &position, scene, "collider position", where->index, own->position);
    if (own->is_plane || is_capsule) {
        read_vectors(batch, &end, scene, "collider end", where->index, own->end);
    }
    if (own->is_plane) {
        normalise_directions(batch, &end, own->end);
    } else {
        if (radius.value == NULL) {
            bad(&radius, "is missing, expected a number, an array of %zu numbers, a distribution, or a column of a CSV",
                batch->count);
        }
        own->radius = allocate(batch->count, sizeof(float));
        values_read_into(&radius, own->radius, batch->count,
                         scene_stream(scene, batch, "collider radius", where->index));
    }
    if (flag(where, "attached")) {
        memcpy(own->stated, own->position, sizeof own->stated);
        memcpy(own->stated_end, own->end, sizeof own->stated_end);
        allocate_each(own->position, 3, batch->count);
        if (own->end[0] != NULL) {
            allocate_each(own->end, 3, batch->count);
        }
    }
    for (size_t axis = 0; axis < 3; axis++) {
        out->position[axis] = own->position[axis];
        out->end[axis] = own->end[axis];
    }
    out->radius = own->radius;
}

static void set_vector(float *const out[3], size_t i, struct vector v)
{
    out[0][i] = (float)v.x;
    out[1][i] = (float)v.y;
    out[2][i] = (float)v.z;
}

static struct vector vector_at(float *const in[3], size_t i)
{
    return (struct vector){(double)in[0][i], (double)in[1][i], (double)in[2][i]};
}

/* The point, given in the frame of the root, in the world. */
static struct vector placed(const struct root *root, struct vector point)
{
    const struct vector turned = attitude_rotate(root->turn, point);
    return (struct vector){root->place.x + turned.x, root->place.y + turned.y, root->place.z + turned.z};
}

static void attach_colliders(const struct chain_batch *own)
{
    for (size_t k = 0; k < own->chains.collider_count; k++) {
        const struct collider *collider = &own->colliders[k];
        for (size_t i = 0; collider->stated[0] != NULL && i < own->chains.count; i++) {
            const struct root *root = &own->roots[i];
            set_vector(collider->position, i, placed(root, vector_at(collider->stated, i)));
            if (collider->is_plane) {
                set_vector(collider->end, i, attitude_rotate(root->turn, vector_at(collider->stated_end, i)));
            } else if (collider->end[0] != NULL) {
                set_vector(collider->end, i, placed(root, vector_at(collider->stated_end, i)));
            }
        }
    }
}

/* ---- Roots ---- */

/* The floats of a root, from its doubles. */
static void show_root(const struct chain_batch *own, size_t i)
{
    const struct root *root = &own->roots[i];
    set_vector(own->position, i, root->place);
    own->parent[0][i] = (float)root->turn.x;
    own->parent[1][i] = (float)root->turn.y;
    own->parent[2][i] = (float)root->turn.z;
    own->parent[3][i] = (float)root->turn.w;
}

static void set_turn(struct batch *batch, size_t i, struct attitude turn)
{
    ((struct chain_batch *)batch->state)->roots[i].turn = turn;
}

static void read_start(struct batch *batch, const struct node *start, const struct scene *scene)
{
    static const char *const keys[] = {"position", "orientation", "euler_zxz_deg", "velocity", "spin", NULL};
    struct chain_batch *own = batch->state;
    if (start->value != NULL) {
        only_keys(start, keys);
    }
    struct node quaternion = member(start, "orientation"), angles = member(start, "euler_zxz_deg");
    struct node position = member(start, "position"), velocity = member(start, "velocity"),
                spin = member(start, "spin");
    start_read_attitudes(batch, &quaternion, &angles, scene, set_turn);
    if (position.value != NULL) {
        values_read_vectors(&position, 3, batch->count, scene_stream(scene, batch, position.key, 0), own->position);
    }
    if (velocity.value != NULL) {
        values_read_vectors(&velocity, 3, batch->count, scene_stream(scene, batch, velocity.key, 0), own->velocity);
    }
    if (spin.value != NULL) {
        values_read_vectors(&spin, 3, batch->count, scene_stream(scene, batch, spin.key, 0), own->spin);
    }
    for (size_t i = 0; i < batch->count; i++) {
        own->roots[i].place = vector_at(own->position, i);
        show_root(own, i);
    }
}

/* Moves and turns each root to where it is at at_s, which wakes its chain. */
static void move_roots(struct batch *batch, double at_s)
{
    struct chain_batch *own = batch->state;
    const double passed_s = at_s - own->now_s;
    for (size_t axis = 0; axis < 3; axis++) {
        memcpy(own->position_before[axis], own->position[axis], batch->count * sizeof(float));
    }
    for (size_t c = 0; c < 4; c++) {
        memcpy(own->parent_before[c], own->parent[c], batch->count * sizeof(float));
    }
    for (size_t i = 0; i < batch->count; i++) {
        struct root *root = &own->roots[i];
        const struct vector v = vector_at(own->velocity, i), spin = vector_at(own->spin, i);
        const struct vector turn = {passed_s * spin.x, passed_s * spin.y, passed_s * spin.z};
        root->place.x += passed_s * v.x;
        root->place.y += passed_s * v.y;
        root->place.z += passed_s * v.z;
        root->turn = attitude_product(attitude_of_turn(turn), root->turn);
        attitude_normalise(&root->turn);
        show_root(own, i);
        if (vector_length(v) > 0 || vector_length(spin) > 0) {
            own->chains.awake[i] = 1;
        }
    }
    own->now_s = at_s;
    attach_colliders(own);
}

/* ---- The batch ---- */

/* The arrays of a vector that the batch or an event states; none if neither does. */
static void read_optional_vectors(struct batch *batch, const struct node *where, const struct node *sets,
                                  const char *key, const struct scene *scene, float *own[3], const float *shown[3])
{
    struct node stated = member(where, key);
    if (stated.value != NULL) {
        read_vectors(batch, &stated, scene, key, 0, own);
    } else if (events_state(sets, key)) {
        allocate_each(own, 3, batch->count);
    }
    for (size_t axis = 0; axis < 3; axis++) {
        shown[axis] = own[axis];
    }
}

static void read_scale(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct chain_batch *own = batch->state;
    struct node stated = member(where, "scale");
    float *scale = bound_read(batch, where, "scale", scene);
    for (size_t i = 0; scale != NULL && i < batch->count; i++) {
        if (scale[i] < 0) {
            bad(&stated, "is %g for chain %zu, expected 0 or more", (double)scale[i], i);
        }
    }
    own->chains.scale = scale;
}

static void make_chains(struct batch *batch, const gyre_bone *bones, size_t levels, bool moves)
{
    struct chain_batch *own = batch->state;
    gyre_bone_chains *chains = &own->chains;
    size_t *level_begin = allocate(levels + 1, sizeof *level_begin);
    for (size_t l = 0; l <= levels; l++) {
        level_begin[l] = l * batch->count;
    }
    *chains = (gyre_bone_chains){
        .count = batch->count,
        .levels = levels,
        .level_begin = level_begin,
        .bones = bones,
        .bone_count = levels,
        .awake = allocate(batch->count, 1),
    };
    own->roots = allocate(batch->count, sizeof *own->roots);
    allocate_each(chains->orientation, 4, levels * batch->count);
    allocate_each(chains->velocity, 3, levels * batch->count);
    allocate_each(chains->tail, 3, levels * batch->count);
    allocate_each(chains->local, 4, levels * batch->count);
    allocate_each(own->position, 3, batch->count);
    allocate_each(own->parent, 4, batch->count);
    if (moves) {
        allocate_each(own->position_before, 3, batch->count);
        allocate_each(own->parent_before, 4, batch->count);
        allocate_each(own->velocity, 3, batch->count);
        allocate_each(own->spin, 3, batch->count);
    }
    for (size_t axis = 0; axis < 3; axis++) {
        chains->position[axis] = own->position[axis];
        chains->position_before[axis] = own->position_before[axis];
    }
    for (size_t c = 0; c < 4; c++) {
        chains->parent[c] = own->parent[c];
        chains->parent_before[c] = own->parent_before[c];
    }
}

static void read_colliders(struct batch *batch, const struct node *list, const struct scene *scene)
{
    struct chain_batch *own = batch->state;
    const size_t count = list->value != NULL ? array_length(list) : 0;
    gyre_chain_collider *colliders = allocate(count, sizeof *colliders);
    own->colliders = allocate(count, sizeof *own->colliders);
    for (size_t k = 0; k < count; k++) {
        struct node item = element(list, k);
        read_collider(batch, &item, scene, &own->colliders[k], &colliders[k]);
    }
    own->chains.colliders = colliders;
    own->chains.collider_count = count;
}

static void read_batch(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct node start = member(where, "start"), sets = member(where, "set");
    struct node list = member(where, "bones"), colliders = member(where, "colliders");
    size_t levels;
    const gyre_bone *bones = bones_read(&list, &levels);
    const bool moves = member(&start, "velocity").value != NULL || member(&start, "spin").value != NULL ||
                       events_state(&sets, "velocity") || events_state(&sets, "spin");
    scene_expect_room(batch, where,
                      levels * BONE_BYTES + CHAIN_BYTES + json_array_size(colliders.value) * COLLIDER_BYTES);
    struct chain_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    batch->rows_each = levels;
    make_chains(batch, bones, levels, moves);
    rest_limits_read(where, "rest_angle", &own->chains.rest_angle, &own->chains.rest_speed);
    own->chains.skip_asleep = flag(where, "skip_asleep");
    read_scale(batch, where, scene);
    read_optional_vectors(batch, where, &sets, "gravity", scene, own->gravity, own->chains.gravity);
    read_optional_vectors(batch, where, &sets, "wind", scene, own->wind, own->chains.wind);
    read_colliders(batch, &colliders, scene);
    read_start(batch, &start, scene);
    batch->events = events_read(batch, &sets, scene, fields);
    attach_colliders(own);
    expect_step(gyre_bone_chains_reset(&own->chains, 0, batch->count, 0), 0);
}

static void apply_event(struct batch *batch, const struct event *event)
{
    struct chain_batch *own = batch->state;
    float *const *const arrays[EVENT_FIELDS] = {
        [VELOCITY] = own->velocity, [SPIN] = own->spin, [GRAVITY] = own->gravity, [WIND] = own->wind};
    for (size_t f = 0; f < EVENT_FIELDS; f++) {
        for (size_t axis = 0; event->has[f] && axis < 3; axis++) {
            values_fill(&event->values[f][axis], arrays[f][axis] + event->first, event->count);
        }
    }
    memset(own->chains.awake + event->first, 1, event->count);
}

static void prepare(struct batch *batch, double at_s, float dt_s)
{
    struct chain_batch *own = batch->state;
    if (own->velocity[0] != NULL) {
        move_roots(batch, at_s);
    }
    own->dt_s = dt_s;
}

static gyre_status advance(const struct batch *batch, size_t begin, size_t end)
{
    const struct chain_batch *own = batch->state;
    return gyre_bone_chains_step(&own->chains, begin, end, own->dt_s);
}

static void touch(const struct batch *batch, size_t begin, size_t end)
{
    const struct chain_batch *own = batch->state;
    const gyre_bone_chains *chains = &own->chains;
    for (size_t l = 0; l < chains->levels; l++) {
        const size_t at = chains->level_begin[l];
        struct traffic arrays[4 + 3 + 3 + 4];
        size_t count = 0;
        for (size_t c = 0; c < 4; c++) {
            arrays[count++] = (struct traffic){chains->orientation[c] + at, sizeof(float), READ_WRITE};
            arrays[count++] = (struct traffic){chains->local[c] + at, sizeof(float), WRITE};
        }
        for (size_t axis = 0; axis < 3; axis++) {
            arrays[count++] = (struct traffic){chains->velocity[axis] + at, sizeof(float), READ_WRITE};
            arrays[count++] = (struct traffic){chains->tail[axis] + at, sizeof(float), WRITE};
        }
        ceiling_touch(arrays, count, begin, end);
    }
    for (size_t axis = 0; axis < 3; axis++) {
        const struct traffic vectors[] = {
            {chains->position[axis], sizeof(float), READ},
            {chains->position_before[axis], sizeof(float), READ},
            {chains->gravity[axis], sizeof(float), READ},
            {chains->wind[axis], sizeof(float), READ},
        };
        ceiling_touch(vectors, sizeof vectors / sizeof vectors[0], begin, end);
    }
    for (size_t c = 0; c < 4; c++) {
        const struct traffic turns[] = {
            {chains->parent[c], sizeof(float), READ},
            {chains->parent_before[c], sizeof(float), READ},
        };
        ceiling_touch(turns, sizeof turns / sizeof turns[0], begin, end);
    }
    const struct traffic rest[] = {{chains->scale, sizeof(float), READ}, {chains->awake, 1, WRITE}};
    ceiling_touch(rest, sizeof rest / sizeof rest[0], begin, end);
    for (size_t k = 0; k < chains->collider_count; k++) {
        const gyre_chain_collider *each = &chains->colliders[k];
        const struct traffic arrays[] = {
            {each->position[0], sizeof(float), READ}, {each->position[1], sizeof(float), READ},
            {each->position[2], sizeof(float), READ}, {each->end[0], sizeof(float), READ},
            {each->end[1], sizeof(float), READ},      {each->end[2], sizeof(float), READ},
            {each->radius, sizeof(float), READ},
        };
        ceiling_touch(arrays, sizeof arrays / sizeof arrays[0], begin, end);
    }
}

static size_t at_rest(const struct batch *batch)
{
    const gyre_bone_chains *chains = &((const struct chain_batch *)batch->state)->chains;
    return count_resting(chains->awake, chains->count);
}

static const char *const columns[] = {"bone",
                                      "orientation_x",
                                      "orientation_y",
                                      "orientation_z",
                                      "orientation_w",
                                      "velocity_x",
                                      "velocity_y",
                                      "velocity_z",
                                      "tail_x",
                                      "tail_y",
                                      "tail_z",
                                      "local_x",
                                      "local_y",
                                      "local_z",
                                      "local_w",
                                      "awake",
                                      NULL};

/* One row for each bone, from the root outwards. */
static void write_states(const struct batch *batch, size_t begin, size_t end)
{
    const gyre_bone_chains *chains = &((const struct chain_batch *)batch->state)->chains;
    for (size_t i = begin; i < end; i++) {
        for (size_t l = 0; l < chains->levels; l++) {
            const size_t at = chains->level_begin[l] + i;
            struct cell cells[1 + 4 + 3 + 3 + 4 + 1] = {{CELL_NUMBER, (double)l}};
            for (size_t c = 0; c < 4; c++) {
                cells[1 + c] = (struct cell){CELL_NUMBER, (double)chains->orientation[c][at]};
                cells[11 + c] = (struct cell){CELL_NUMBER, (double)chains->local[c][at]};
            }
            for (size_t axis = 0; axis < 3; axis++) {
                cells[5 + axis] = (struct cell){CELL_NUMBER, (double)chains->velocity[axis][at]};
                cells[8 + axis] = (struct cell){CELL_NUMBER, (double)chains->tail[axis][at]};
            }
            cells[15] = (struct cell){CELL_TRUTH, chains->awake[i] != 0};
            states_write(batch, i, cells);
        }
    }
}

static const char *const keys[] = {"name",       "source",      "notes", "count",     "bones",
                                   "scale",      "gravity",     "wind",  "colliders", "rest_angle",
                                   "rest_speed", "skip_asleep", "start", "set",       NULL};

const struct batch_kind chains_kind = {
    .key = "chains",
    .one = "chain",
    .many = "chains",
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
