#include "plot/plot.h"

#include "input/document.h"
#include "input/forms.h"
#include "input/solver.h"
#include "scene/inertia.h"
#include "support/text.h"

#include <string.h>

/* An option, its text, and what was expected, for messages. */
struct reading {
    const char *option, *text, *expected;
};

static _Noreturn void bad_option(const struct reading *r)
{
    fail(EXIT_BAD_INPUT, "--%s %s: expected %s", r->option, r->text, r->expected);
}

/* The number at `at`, which ends with the character `ends` or with the text. */
static float number_at(const struct reading *r, const char *at, char ends, const char **next)
{
    char *end;
    double value = parse_number(at, &end);
    if (end == at || (*end != ends && *end != '\0')) {
        bad_option(r);
    }
    const char *fault = float_fault(value);
    if (fault != NULL) {
        fail(EXIT_BAD_INPUT, "--%s %s: %s; expected %s", r->option, r->text, fault, r->expected);
    }
    *next = *end != '\0' ? end + 1 : NULL;
    return (float)value;
}

static float one_number(const struct reading *r)
{
    const char *next;
    return number_at(r, r->text, '\0', &next);
}

static float positive_number(const struct reading *r)
{
    float value = one_number(r);
    if (value <= 0) {
        bad_option(r);
    }
    return value;
}

static void two_numbers(const struct reading *r, char between, float *first, float *second)
{
    const char *next;
    *first = number_at(r, r->text, between, &next);
    if (next == NULL) {
        bad_option(r);
    }
    *second = number_at(r, next, '\0', &next);
}

/* Separated by commas. */
static void three_numbers(const struct reading *r, float values[3])
{
    const char *at = r->text;
    for (size_t i = 0; i < 3; i++) {
        if (at == NULL) {
            bad_option(r);
        }
        values[i] = number_at(r, at, i < 2 ? ',' : '\0', &at);
    }
}

/* Parameters in labels. */
static const struct {
    const char *key, *format;
} parameter_labels[] = {
    {"angular_frequency", "ω = %g rad/s"},
    {"damping_ratio", "ζ = %g"},
    {"mass", "m = %g"},
    {"stiffness", "k = %g"},
    {"damping", "c = %g"},
    {"response_s", "response %g s"},
    {"duration_s", "duration %g s"},
    {"bounce", "bounce %g"},
    {"half_life_s", "half-life %g s"},
    {"settling_s", "settling %g s"},
    {"fraction", "to %g"},
};

static void append_label(char label[LABEL_SIZE], const char *key, float value)
{
    size_t length = strlen(label), row = 0;
    while (strcmp(parameter_labels[row].key, key) != 0) {
        row++;
    }
    if (length > 0) {
        length += (size_t)snprintf(label + length, LABEL_SIZE - length, ", ");
    }
    snprintf(label + length, LABEL_SIZE - length, parameter_labels[row].format, (double)value);
}

static struct plot_spring read_spring(const struct reading *r)
{
    enum { KEY_SIZE = 32 };
    struct plot_spring read = {.label = ""};
    char keys[FORM_KEYS][KEY_SIZE];
    const char *names[FORM_KEYS];
    float values[FORM_KEYS], parameters[FORM_KEYS];
    size_t count = 0;
    for (const char *at = r->text; at != NULL; count++) {
        size_t length = strcspn(at, "=");
        if (count == FORM_KEYS || at[length] == '\0' || length >= KEY_SIZE) {
            bad_option(r);
        }
        memcpy(keys[count], at, length);
        keys[count][length] = '\0';
        names[count] = keys[count];
        values[count] = number_at(r, at + length + 1, ',', &at);
    }
    const struct form *form = form_with(names, count);
    if (form == NULL) {
        fail(EXIT_BAD_INPUT, "--spring %s: expected the keys of exactly one form: %s", r->text, form_list());
    }
    for (size_t k = 0; k < form->key_count; k++) {
        parameters[k] = FORM_DEFAULT;
        for (size_t i = 0; i < count; i++) {
            if (strcmp(names[i], form->keys[k]) == 0) {
                parameters[k] = values[i];
                append_label(read.label, form->keys[k], values[i]);
            }
        }
    }
    const char *problem = form_make(form, parameters, &read.spring);
    if (problem != NULL) {
        fail(EXIT_BAD_INPUT, "--spring %s: %s", r->text, problem);
    }
    return read;
}

static struct plot_damping read_damping(const struct reading *r)
{
    struct plot_damping read = {.damping = one_number(r)};
    if (read.damping < 0) {
        bad_option(r);
    }
    snprintf(read.label, sizeof read.label, "damping %g /s", (double)read.damping);
    return read;
}

struct plot_method plot_method_of(gyre_body_method method, int order)
{
    const char *name = solver_method_label(method);
    struct plot_method made = {.solver = {.method = method, .order = order}};
    if (method == GYRE_BODY_MOSER_VESELOV) {
        snprintf(made.label, sizeof made.label, "%s, order %d", name, order);
    } else {
        snprintf(made.label, sizeof made.label, "%s", name);
    }
    return made;
}

static _Noreturn void bad_method(const struct reading *r)
{
    fail(EXIT_BAD_INPUT, "--%s %s: expected %s; to set the order, %s:6 or :8", r->option, r->text, solver_method_list(),
         solver_method_name(GYRE_BODY_MOSER_VESELOV));
}

static struct plot_method read_method(const struct reading *r)
{
    enum { NAME_SIZE = 32 };
    char name[NAME_SIZE];
    size_t length = strcspn(r->text, ":");
    gyre_body_method method;
    int order = 6; /* the default of the library */
    if (length >= sizeof name) {
        bad_method(r);
    }
    memcpy(name, r->text, length);
    name[length] = '\0';
    if (!solver_method_named(name, &method)) {
        bad_method(r);
    }
    if (r->text[length] == ':') {
        const char *digit = r->text + length + 1;
        order = digit[0] - '0';
        if (method != GYRE_BODY_MOSER_VESELOV || digit[0] == '\0' || digit[1] != '\0' ||
            !solver_order_is_valid((size_t)order)) {
            bad_method(r);
        }
    }
    return plot_method_of(method, order);
}

static void expect_room(const struct reading *r, size_t count, size_t most)
{
    if (count == most) {
        fail(EXIT_BAD_INPUT, "--%s %s: too many of this option, expected up to %zu", r->option, r->text, most);
    }
}

static void take_spring(struct plot_request *request, const struct reading *r)
{
    expect_room(r, request->spring_count, MOST_CURVES);
    request->springs[request->spring_count++] = read_spring(r);
}

static void take_damping(struct plot_request *request, const struct reading *r)
{
    expect_room(r, request->damping_count, MOST_CURVES);
    request->dampings[request->damping_count++] = read_damping(r);
}

static void take_start(struct plot_request *request, const struct reading *r)
{
    two_numbers(r, ',', &request->position, &request->velocity);
    request->has_start = true;
}

static void take_retarget(struct plot_request *request, const struct reading *r)
{
    expect_room(r, request->retarget_count, MOST_RETARGETS);
    struct plot_retarget *retarget = &request->retargets[request->retarget_count++];
    two_numbers(r, ':', &retarget->at_s, &retarget->target);
    if (retarget->at_s < 0) {
        bad_option(r);
    }
}

static void take_acceleration(struct plot_request *request, const struct reading *r)
{
    request->acceleration = one_number(r);
}

static void take_duration(struct plot_request *request, const struct reading *r)
{
    request->duration_s = positive_number(r);
}

static void take_tolerance(struct plot_request *request, const struct reading *r)
{
    request->tolerance = positive_number(r);
}

static void take_method(struct plot_request *request, const struct reading *r)
{
    expect_room(r, request->method_count, MOST_CURVES);
    request->methods[request->method_count++] = read_method(r);
}

static void take_inertia(struct plot_request *request, const struct reading *r)
{
    three_numbers(r, request->inertia);
    if (!(request->inertia[0] > 0 && request->inertia[1] > 0 && request->inertia[2] > 0)) {
        bad_option(r);
    }
    float tensor[INERTIA_ENTRIES] = {0};
    char problem[INERTIA_TEXT];
    memcpy(tensor, request->inertia, sizeof request->inertia);
    if (!inertia_is_possible(tensor, 3, problem)) {
        warn("--%s %s: %s", r->option, r->text, problem);
    }
    request->has_inertia = true;
}

static void take_spin(struct plot_request *request, const struct reading *r)
{
    three_numbers(r, request->spin);
    if (request->spin[0] == 0 && request->spin[1] == 0 && request->spin[2] == 0) {
        bad_option(r);
    }
    request->has_spin = true;
}

static void take_time_step(struct plot_request *request, const struct reading *r)
{
    request->time_step_s = positive_number(r);
}

static void take_range(struct plot_request *request, const struct reading *r)
{
    request->most_momentum = positive_number(r);
}

static void read_points(const struct node *where, double unit_ns, struct plot_peer *peer)
{
    peer->point_count = array_length(where);
    if (peer->point_count < 1 || peer->point_count > MOST_POINTS) {
        bad(where, "has %zu points, expected 1 to %d", peer->point_count, MOST_POINTS);
    }
    for (size_t i = 0; i < peer->point_count; i++) {
        struct node point = element(where, i);
        only_keys(&point, (const char *const[]){"steps_a_frame", "ns", "error_rad", NULL});
        struct node ns = member(&point, "ns"), error = member(&point, "error_rad");
        peer->points[i].cost = number_above(&ns, 0) / unit_ns;
        peer->points[i].error_rad = number_above(&error, 0);
    }
}

static void take_peers(struct plot_request *request, const struct reading *r)
{
    struct document document;
    struct node results = document_read(&document, r->text);
    struct node frontier = member(&results, "frontier"); /* the rest is for bench/report */
    only_keys(&frontier, (const char *const[]){"source", "gyre_moser_veselov_6_ns", "peers", NULL});
    struct node peers = member(&frontier, "peers"), unit = member(&frontier, "gyre_moser_veselov_6_ns");
    double unit_ns = number_above(&unit, 0);
    request->peer_count = array_length(&peers);
    if (request->peer_count > MOST_PEERS) {
        bad(&peers, "has %zu engines, expected up to %d", request->peer_count, MOST_PEERS);
    }
    for (size_t i = 0; i < request->peer_count; i++) {
        struct node peer = element(&peers, i);
        only_keys(&peer, (const char *const[]){"name", "points", NULL});
        struct node name = member(&peer, "name"), points = member(&peer, "points");
        snprintf(request->peers[i].label, sizeof request->peers[i].label, "%s", string(&name));
        read_points(&points, unit_ns, &request->peers[i]);
    }
    document_free(&document);
}

static const struct {
    const char *name, *expected; /* NULL: `take` has its own message */
    void (*take)(struct plot_request *request, const struct reading *r);
} options[PLOT_OPTIONS_END] = {
    [PLOT_SPRING] = {"spring", "KEY=VALUE pairs separated by commas, such as duration_s=0.5,bounce=0.2", take_spring},
    [PLOT_DAMPING] = {"damping", "a rate in 1/s, 0 or more", take_damping},
    [PLOT_START] = {"start", "POSITION,VELOCITY", take_start},
    [PLOT_RETARGET] = {"retarget", "TIME:TARGET with a time of 0 or more", take_retarget},
    [PLOT_ACCELERATION] = {"acceleration", "a number", take_acceleration},
    [PLOT_DURATION] = {"duration", "seconds, more than 0", take_duration},
    [PLOT_TOLERANCE] = {"tolerance", "a distance, more than 0", take_tolerance},
    [PLOT_METHOD] = {"method", NULL, take_method},
    [PLOT_INERTIA] = {"inertia", "three principal moments, more than 0, separated by commas", take_inertia},
    [PLOT_SPIN] = {"spin", "X,Y,Z, not all 0", take_spin},
    [PLOT_TIME_STEP] = {"time-step", "seconds, more than 0", take_time_step},
    [PLOT_RANGE] = {"range", "a momentum, more than 0", take_range},
    [PLOT_PEERS] = {"peers", NULL, take_peers},
};

const char *plot_option_name(int option) { return options[option].name; }

void plot_option(struct plot_request *request, int option, const char *text)
{
    const struct reading r = {options[option].name, text, options[option].expected};
    options[option].take(request, &r);
}

void plot_check(struct plot_request *request)
{
    /* A stable insertion sort by time; there are few. */
    for (size_t i = 1; i < request->retarget_count; i++) {
        struct plot_retarget moved = request->retargets[i];
        size_t to = i;
        for (; to > 0 && request->retargets[to - 1].at_s > moved.at_s; to--) {
            request->retargets[to] = request->retargets[to - 1];
        }
        request->retargets[to] = moved;
    }
    size_t last = request->retarget_count;
    if (request->duration_s > 0 && last > 0 && request->retargets[last - 1].at_s > request->duration_s) {
        fail(EXIT_BAD_INPUT, "--retarget %g:%g: expected a time up to the duration of %g s",
             (double)request->retargets[last - 1].at_s, (double)request->retargets[last - 1].target,
             (double)request->duration_s);
    }
}
