/* The kind of batches "bodies": freely rotating rigid bodies, with torque.

   A scene states inertia, orientation, spin and torques in the model frame, that of the tensor. The library works in
   the frame of the principal axes. Where the two differ, `axes` rotates the principal frame to that of the model. */
#include "batches/kinds.h"

#include "batches/damping.h"
#include "input/solver.h"
#include "scene/attitude.h"
#include "scene/ceiling.h"
#include "scene/events.h"
#include "scene/inertia.h"
#include "scene/observed.h"
#include "scene/start.h"
#include "scene/sums.h"
#include "scene/states.h"
#include "support/text.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

struct body_batch {
    gyre_bodies bodies;
    float *inertia[3], *torque[3]; /* the arrays of `bodies`, not const */
    uint8_t *lost;                 /* 1: see note_lost_torques(); NULL: none is lost */
    double longest_dt_s;           /* of the steps since the last event */
    struct attitude *axes;         /* principal frame to that of the model; NULL: they are the same */
    gyre_body_solver solver;
    gyre_body_report report; /* sum of all steps */
    float dt_s;
    float *spin[3], *energy; /* outputs of the library */
    double start_energy;
    struct observed observed;
};

/* Fields that an event can set. MOMENTUM, SPIN_BODY and SPIN_WORLD are alternatives. */
enum { MOMENTUM, SPIN_BODY, SPIN_WORLD, TORQUE };

/* Memory of one body with all optional arrays except `axes`. */
enum { STATE_BYTES = sizeof(float) * (4 + 4 + 3 + 3 + 3 + 3 + 3 + 1) + 1 };

static const struct event_field fields[EVENT_FIELDS] = {
    [MOMENTUM] = {"momentum", "set momentum", 3},
    [SPIN_BODY] = {"spin_body", "set spin_body", 3},
    [SPIN_WORLD] = {"spin_world", "set spin_world", 3},
    [TORQUE] = {"torque", "set torque", 3},
};

/* From the model frame to the world. */
static struct attitude model_attitude(const struct body_batch *own, size_t i)
{
    struct attitude principal = attitude_of_body(&own->bodies, i);
    return own->axes != NULL ? attitude_product(principal, attitude_inverse(own->axes[i])) : principal;
}

static void set_attitude(struct batch *batch, size_t i, struct attitude a)
{
    const struct body_batch *own = batch->state;
    attitude_set_body(&own->bodies, i, own->axes != NULL ? attitude_product(a, own->axes[i]) : a);
}

/* Sets the momentum of body i from a momentum, or from a spin in the model frame or in the world. */
static void set_momentum(struct body_batch *own, size_t i, size_t field, struct vector momentum)
{
    struct attitude attitude = attitude_of_body(&own->bodies, i); /* of the principal frame */
    if (field != MOMENTUM) {
        struct vector spin = momentum;
        if (field == SPIN_WORLD) {
            spin = attitude_rotate(attitude_inverse(attitude), spin);
        } else if (own->axes != NULL) {
            spin = attitude_rotate(attitude_inverse(own->axes[i]), spin);
        }
        spin.x *= (double)own->inertia[0][i];
        spin.y *= (double)own->inertia[1][i];
        spin.z *= (double)own->inertia[2][i];
        momentum = attitude_rotate(attitude, spin);
    }
    momentum_set_body(&own->bodies, i, momentum);
}

static void set_momenta(struct body_batch *own, size_t first, size_t count, size_t field, float *const stated[3])
{
    for (size_t i = 0; i < count; i++) {
        const struct vector each = {(double)stated[0][i], (double)stated[1][i], (double)stated[2][i]};
        set_momentum(own, first + i, field, each);
    }
}

/* Ends the program unless each momentum fits a float in any attitude of its body. */
static void check_momenta(const struct body_batch *own, size_t first, size_t count, size_t field,
                          float *const stated[3], const struct node *where)
{
    for (size_t i = 0; i < count; i++) {
        double most = hypot(hypot((double)stated[0][i], (double)stated[1][i]), (double)stated[2][i]);
        if (field != MOMENTUM) {
            float *const *inertia = own->inertia;
            most *= (double)fmaxf(fmaxf(inertia[0][first + i], inertia[1][first + i]), inertia[2][first + i]);
        }
        if (most > (double)FLT_MAX) {
            bad(where, "gives a momentum of up to %g kg m^2/s for body %zu, too large for a float", most, first + i);
        }
    }
}

static struct vector torque_of(const struct body_batch *own, size_t i)
{
    return (struct vector){(double)own->torque[0][i], (double)own->torque[1][i], (double)own->torque[2][i]};
}

/* Ends the program unless each torque fits a float in the principal frame too. */
static void check_torques(const struct body_batch *own, size_t first, size_t count, float *const stated[3],
                          const struct node *where)
{
    for (size_t i = 0; own->bodies.torque_in_body && own->axes != NULL && i < count; i++) {
        const struct vector torque = {(double)stated[0][i], (double)stated[1][i], (double)stated[2][i]};
        if (vector_length(torque) > (double)FLT_MAX) {
            bad(where, "is a torque of %g N m for body %zu, too large for a float", vector_length(torque), first + i);
        }
    }
}

/* The vectors that an event sets, one array for each component; to be released with release_each(). */
static void event_vectors(const struct event *event, size_t field, float *out[3])
{
    allocate_each(out, 3, event->count);
    for (size_t axis = 0; axis < 3; axis++) {
        values_fill(&event->values[field][axis], out[axis], event->count);
    }
}

static void read_attitudes(struct batch *batch, const struct node *start, const struct scene *scene)
{
    struct node quaternion = member(start, "orientation"), angles = member(start, "euler_zxz_deg");
    start_read_attitudes(batch, &quaternion, &angles, scene, set_attitude);
}

/* The field with which the object states a momentum; TORQUE if it has none. */
static size_t momentum_field(const struct node *where)
{
    size_t found = TORQUE, given = 0;
    for (size_t field = MOMENTUM; field < TORQUE; field++) {
        if (member(where, fields[field].key).value != NULL) {
            found = field;
            given++;
        }
    }
    if (given > 1) {
        bad(where, "expected at most one of momentum, spin_body and spin_world");
    }
    return found;
}

static void read_start(struct batch *batch, const struct node *start, const struct scene *scene)
{
    static const char *const columns[] = {"orientation_x", "orientation_y", "orientation_z", "orientation_w",
                                          "momentum_x",    "momentum_y",    "momentum_z",    NULL};
    enum { COLUMNS = sizeof columns / sizeof columns[0] - 1 };
    static const char *const keys[] = {"orientation", "euler_zxz_deg", "momentum", "spin_body",
                                       "spin_world",  "csv",           NULL};
    struct body_batch *own = batch->state;
    if (start->value == NULL) {
        read_attitudes(batch, start, scene);
        return;
    }
    only_keys(start, keys);
    struct node file = member(start, "csv");
    if (file.value != NULL) {
        float *cells[COLUMNS], *low[COLUMNS];
        const gyre_bodies *b = &own->bodies;
        allocate_each(cells, COLUMNS, batch->count);
        allocate_each(low, COLUMNS, batch->count);
        start_read_csv(&file, batch->count, columns, COLUMNS, cells, low);
        for (size_t i = 0; i < batch->count; i++) {
            double values[COLUMNS];
            for (size_t c = 0; c < COLUMNS; c++) {
                values[c] = sum_of(cells[c], b->orientation_low[0] != NULL ? low[c] : NULL, i);
            }
            struct attitude attitude = {values[0], values[1], values[2], values[3]};
            if (!attitude_normalise(&attitude)) {
                bad(&file, "row %zu: the orientation is 0, expected a quaternion of nonzero length", i + 1);
            }
            set_attitude(batch, i, attitude);
            momentum_set_body(b, i, (struct vector){values[4], values[5], values[6]});
        }
        release_each(low, COLUMNS);
        release_each(cells, COLUMNS);
        return;
    }
    read_attitudes(batch, start, scene);
    size_t field = momentum_field(start);
    if (field != TORQUE) {
        struct node stated = member(start, fields[field].key);
        float *vectors[3];
        allocate_each(vectors, 3, batch->count);
        values_read_vectors(&stated, 3, batch->count, scene_stream(scene, batch, stated.key, 0), vectors);
        check_momenta(own, 0, batch->count, field, vectors, &stated);
        set_momenta(own, 0, batch->count, field, vectors);
        release_each(vectors, 3);
    }
}

/* The library takes torques in the frame of the principal axes. */
static void turn_torques(struct body_batch *own, size_t first, size_t count)
{
    for (size_t i = first; own->bodies.torque_in_body && own->axes != NULL && i < first + count; i++) {
        struct vector torque = attitude_rotate(attitude_inverse(own->axes[i]), torque_of(own, i));
        own->torque[0][i] = (float)torque.x;
        own->torque[1][i] = (float)torque.y;
        own->torque[2][i] = (float)torque.z;
    }
}

static void read_torque(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct body_batch *own = batch->state;
    struct node stated = member(where, "torque"), in_body = member(where, "torque_in_body");
    own->bodies.torque_in_body = flag(where, "torque_in_body");
    if (stated.value == NULL && !events_have(&batch->events, TORQUE)) {
        if (in_body.value != NULL) {
            bad(&in_body, "requires a torque, in the batch or in its set");
        }
        return;
    }
    allocate_each(own->torque, 3, batch->count);
    for (size_t axis = 0; axis < 3; axis++) {
        own->bodies.torque[axis] = own->torque[axis];
    }
    if (stated.value != NULL) {
        values_read_vectors(&stated, 3, batch->count, scene_stream(scene, batch, "torque", 0), own->torque);
        check_torques(own, 0, batch->count, own->torque, &stated);
        turn_torques(own, 0, batch->count);
    }
    if (own->bodies.momentum_low[0] == NULL) {
        own->lost = allocate(batch->count, sizeof *own->lost);
    }
}

/* The sum of the energies of these bodies, in J. */
static double total_energy(const struct batch *batch, size_t begin, size_t end)
{
    const struct body_batch *own = batch->state;
    double sum = 0;
    if (gyre_bodies_energy(&own->bodies, begin, end, own->energy) < 0) {
        fail(EXIT_FAILED, "the library could not compute the energies of %s", batch->name);
    }
    for (size_t i = begin; i < end; i++) {
        sum += (double)own->energy[i];
    }
    return sum;
}

static void read_batch(struct batch *batch, const struct node *where, const struct scene *scene)
{
    struct node start = member(where, "start"), damping = member(where, "angular_damping");
    struct node solver = member(where, "solver"), sets = member(where, "set"), observed = member(where, "observed");
    const size_t axes_bytes = member(where, "tensor").value != NULL ? sizeof(struct attitude) : 0;
    scene_expect_room(batch, where, STATE_BYTES + axes_bytes);
    struct body_batch *own = allocate(1, sizeof *own);
    batch->state = own;
    own->bodies.count = batch->count;
    own->solver = solver_read(&solver);
    allocate_each(own->bodies.orientation, 4, batch->count);
    allocate_each(own->bodies.momentum, 3, batch->count);
    allocate_each(own->inertia, 3, batch->count);
    allocate_each(own->spin, 3, batch->count);
    allocate_each(&own->energy, 1, batch->count);
    if (flag(where, "precise")) {
        allocate_each(own->bodies.orientation_low, 4, batch->count);
        allocate_each(own->bodies.momentum_low, 3, batch->count);
    }
    own->bodies.angular_damping = damping.value != NULL ? damping_read(&damping) : 0;
    for (size_t axis = 0; axis < 3; axis++) {
        own->bodies.inertia[axis] = own->inertia[axis];
    }
    inertia_read(batch, where, scene, own->inertia, &own->axes);
    read_start(batch, &start, scene);
    for (size_t i = 0; i < json_array_size(sets.value); i++) {
        struct node set = element(&sets, i);
        momentum_field(&set);
    }
    batch->events = events_read(batch, &sets, scene, fields);
    read_torque(batch, where, scene);
    for (size_t i = 0; i < batch->events.count; i++) {
        const struct event *event = &batch->events.list[i];
        struct node set = element(&sets, event->order);
        for (size_t field = MOMENTUM; field <= TORQUE; field++) {
            if (event->has[field]) {
                struct node stated = member(&set, fields[field].key);
                float *columns[3];
                event_vectors(event, field, columns);
                if (field == TORQUE) {
                    check_torques(own, event->first, event->count, columns, &stated);
                } else {
                    check_momenta(own, event->first, event->count, field, columns, &stated);
                }
                release_each(columns, 3);
            }
        }
    }
    own->observed = observed_read(batch, &observed, scene);
    own->start_energy = total_energy(batch, 0, batch->count);
}

/* True if half a step changes a component of the momentum by less than half of its last place, though not by 0. Whether
   chance keeps the mean of such sums depends on the motion. Torques in the body turn through all components. */
static bool loses_torque(const struct body_batch *own, size_t i)
{
    const struct vector torque = torque_of(own, i), momentum = momentum_of_body(&own->bodies, i);
    const double length = vector_length(torque), momenta[] = {momentum.x, momentum.y, momentum.z};
    const double in_world[] = {torque.x, torque.y, torque.z};
    for (size_t axis = 0; axis < 3; axis++) {
        const float size = (float)fabs(momenta[axis]);
        const double ulp = (double)nextafterf(size, INFINITY) - (double)size;
        const double kick = 0.5 * own->longest_dt_s * (own->bodies.torque_in_body ? length : fabs(in_world[axis]));
        if (kick > 0 && kick < 0.5 * ulp) {
            return true;
        }
    }
    return false;
}

/* Called before an event and at the end: records which bodies have lost torques since the event before. */
static void note_lost_torques(struct body_batch *own)
{
    for (size_t i = 0; own->lost != NULL && own->longest_dt_s > 0 && i < own->bodies.count; i++) {
        own->lost[i] |= loses_torque(own, i);
    }
    own->longest_dt_s = 0;
}

static void apply_event(struct batch *batch, const struct event *event)
{
    struct body_batch *own = batch->state;
    note_lost_torques(own);
    if (event->count == 0) { /* the time of an observation */
        observed_predict(&own->observed, model_attitude(own, 0));
        return;
    }
    for (size_t field = MOMENTUM; field < TORQUE; field++) {
        if (event->has[field]) {
            float *columns[3];
            event_vectors(event, field, columns);
            set_momenta(own, event->first, event->count, field, columns);
            release_each(columns, 3);
        }
    }
    for (size_t axis = 0; event->has[TORQUE] && axis < 3; axis++) {
        values_fill(&event->values[TORQUE][axis], own->torque[axis] + event->first, event->count);
    }
    if (event->has[TORQUE]) {
        turn_torques(own, event->first, event->count);
    }
}

static void prepare(struct batch *batch, double at_s, float dt_s)
{
    struct body_batch *own = batch->state;
    (void)at_s;
    own->dt_s = dt_s;
    own->longest_dt_s = fmax(own->longest_dt_s, (double)dt_s);
}

static gyre_status advance(const struct batch *batch, size_t begin, size_t end)
{
    struct body_batch *own = batch->state;
    gyre_body_report report = {0};
    gyre_status status = gyre_bodies_step(&own->bodies, begin, end, own->dt_s, &own->solver, &report);
#ifdef _OPENMP
#pragma omp critical(body_report)
#endif
    if (own->dt_s != 0) {
        own->report.substeps += report.substeps;
        own->report.iterations += report.iterations;
        own->report.unconverged += report.unconverged;
        own->report.lost_turns += report.lost_turns;
        if (report.worst_residual > own->report.worst_residual) {
            own->report.worst_residual = report.worst_residual;
        }
    }
    return status;
}

static void touch(const struct batch *batch, size_t begin, size_t end)
{
    const struct body_batch *own = batch->state;
    const gyre_bodies *b = &own->bodies;
    bool writes_momentum =
        b->torque[0] != NULL || b->angular_damping > 0 || own->solver.method == GYRE_BODY_EXPLICIT_EULER;
    struct traffic arrays[4 + 4 + 3 + 3 + 3 + 3];
    size_t count = 0;
    for (size_t c = 0; c < 4; c++) {
        arrays[count++] = (struct traffic){b->orientation[c], sizeof(float), READ_WRITE};
        arrays[count++] = (struct traffic){b->orientation_low[c], sizeof(float), READ_WRITE};
    }
    for (size_t axis = 0; axis < 3; axis++) {
        arrays[count++] = (struct traffic){b->momentum[axis], sizeof(float), writes_momentum ? READ_WRITE : READ};
        arrays[count++] = (struct traffic){b->momentum_low[axis], sizeof(float), writes_momentum ? READ_WRITE : READ};
        arrays[count++] = (struct traffic){b->inertia[axis], sizeof(float), READ};
        arrays[count++] = (struct traffic){b->torque[axis], sizeof(float), READ};
    }
    ceiling_touch(arrays, count, begin, end);
}

static bool are_zero(const float *const columns[3], size_t i)
{
    return columns[0] == NULL || (columns[0][i] == 0 && columns[1][i] == 0 && columns[2][i] == 0);
}

static size_t at_rest(const struct batch *batch)
{
    const gyre_bodies *b = &((const struct body_batch *)batch->state)->bodies;
    const float *const momentum[] = {b->momentum[0], b->momentum[1], b->momentum[2]};
    size_t resting = 0;
    for (size_t i = 0; i < batch->count; i++) {
        resting += are_zero(momentum, i) && are_zero(b->torque, i);
    }
    return resting;
}

static uint64_t unfinished(const struct batch *batch)
{
    return ((const struct body_batch *)batch->state)->report.unconverged;
}

static const char *const columns[] = {"orientation_x", "orientation_y", "orientation_z", "orientation_w",
                                      "momentum_x",    "momentum_y",    "momentum_z",    "spin_x",
                                      "spin_y",        "spin_z",        "energy",        NULL};

static void write_states(const struct batch *batch, size_t begin, size_t end)
{
    const struct body_batch *own = batch->state;
    const gyre_bodies *b = &own->bodies;
    total_energy(batch, begin, end);
    if (gyre_bodies_angular_velocity(b, begin, end, own->spin) < 0) {
        fail(EXIT_FAILED, "the library could not compute the angular velocities of %s", batch->name);
    }
    for (size_t i = begin; i < end; i++) {
        struct attitude a = model_attitude(own, i);
        struct vector momentum = momentum_of_body(b, i);
        const double values[] = {
            a.x,
            a.y,
            a.z,
            a.w,
            momentum.x,
            momentum.y,
            momentum.z,
            (double)own->spin[0][i],
            (double)own->spin[1][i],
            (double)own->spin[2][i],
            (double)own->energy[i],
        };
        struct cell cells[sizeof values / sizeof values[0]];
        for (size_t c = 0; c < sizeof values / sizeof values[0]; c++) {
            /* Without low parts, a value is known only as a float. */
            bool exact = c < 7 && b->orientation_low[0] != NULL;
            cells[c] = (struct cell){CELL_NUMBER, exact ? values[c] : (double)(float)values[c]};
        }
        states_write(batch, i, cells);
    }
}

static void summary_of_lost_torques(struct body_batch *own, const char *name, FILE *out)
{
    size_t lost = 0;
    note_lost_torques(own);
    for (size_t i = 0; i < own->bodies.count; i++) {
        lost += own->lost[i];
    }
    if (lost > 0) {
        fprintf(out,
                "torque     %s: may be lost to rounding for %s of %s %s: too small per step for the momentum; set "
                "\"precise\": true\n",
                name, grouped((double)lost), grouped((double)own->bodies.count),
                own->bodies.count == 1 ? "body" : "bodies");
    }
}

static void summary(const struct batch *batch, FILE *out)
{
    struct body_batch *own = batch->state;
    /* An energy is not negative; fabs() removes the sign of NaN. */
    double first = fabs(own->start_energy), last = fabs(total_energy(batch, 0, batch->count));
    fprintf(out, "bodies     %s: %s sub-steps, %s iterations, %s unconverged, worst residual %.2g\n", batch->name,
            grouped((double)own->report.substeps), grouped((double)own->report.iterations),
            grouped((double)own->report.unconverged), (double)own->report.worst_residual);
    fprintf(out, "energy     %s: %.6g at the start, %.6g at the end", batch->name, first, last);
    if (isfinite(first) && isfinite(last)) {
        fprintf(out, ", relative change %+.2g", first != 0 ? (last - first) / first : 0);
    }
    fputc('\n', out);
    if (own->lost != NULL) {
        summary_of_lost_torques(own, batch->name, out);
    }
    if (own->report.lost_turns > 0) {
        fprintf(out, "turns      %s: %s lost to rounding: too small per step for the orientation; set \"precise\": true\n",
                batch->name, grouped((double)own->report.lost_turns));
    }
    observed_summary(&own->observed, batch->name, out);
}

static const char *const keys[] = {
    "name",           "source",          "notes",  "count",   INERTIA_KEYS, "start",    "torque",
    "torque_in_body", "angular_damping", "solver", "precise", "set",        "observed", NULL,
};

const struct batch_kind bodies_kind = {
    .key = "bodies",
    .one = "body",
    .many = "bodies",
    .keys = keys,
    .columns = columns,
    .read = read_batch,
    .apply_event = apply_event,
    .prepare = prepare,
    .advance = advance,
    .touch = touch,
    .at_rest = at_rest,
    .unfinished = unfinished,
    .write = write_states,
    .summary = summary,
};
