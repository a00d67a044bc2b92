/* Accuracy against cost of every method, and of other engines if a file of their results is given. A frame is 1/60 s;
   each method divides it into 1, 2, 4, 8 and 16 equal steps.

   Cost: the fastest of many steps of 4,096 boxes that rotate by 0.1 to 0.3 rad per frame, in ns per body and frame.
   Error: the angle to the exact attitude after 10 s, root mean square over copies of one body that start in different
   attitudes, so that they round differently. */
#include "plot/plot.h"

#include "scene/attitude.h"
#include "support/common.h"
#include "support/memory.h"
#include "support/progress.h"
#include "support/random.h"
#include "support/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIVISIONS = MOST_POINTS,
    TIMED_BODIES = 4096,
    ROUNDS = 40,
    COPIES = 32,
    FRAMES = 600,
    FRAMES_A_SECOND = 60,
    EXACT_STEPS = 50000
};

static const float frame_s = 1.0f / FRAMES_A_SECOND;

struct point {
    double ns, error_rad;
};

struct curve {
    char label[LABEL_SIZE];
    gyre_body_solver solver;
    bool keeps_low;
    struct point points[DIVISIONS];
    size_t count;
    const char *colour;
};

static const struct {
    gyre_body_method method;
    int order;
    bool keeps_low;
    const char *colour;
} own[] = {
    {GYRE_BODY_MOSER_VESELOV, 8, true, "#000000"},  {GYRE_BODY_MOSER_VESELOV, 6, true, "#0072B2"},
    {GYRE_BODY_MOSER_VESELOV, 8, false, "#7F7F7F"}, {GYRE_BODY_MOSER_VESELOV, 6, false, "#56B4E9"},
    {GYRE_BODY_MIDPOINT, 0, false, "#D55E00"},      {GYRE_BODY_OBJECT_TRAPEZOID, 0, false, "#CC79A7"},
    {GYRE_BODY_TRAPEZOID, 0, false, "#E69F00"},     {GYRE_BODY_EXPLICIT_EULER, 0, false, "#A89F91"},
};

enum { OWN_CURVES = sizeof own / sizeof own[0], MOST_LINES = OWN_CURVES + MOST_PEERS };

/* Bodies with their arrays. */
struct crowd {
    gyre_bodies bodies;
    float *memory;
};

static struct crowd crowd_new(size_t count, bool keeps_low)
{
    enum { ARRAYS = 14 };
    size_t stride = (count + 15) / 16 * 16 + 16 * 11; /* no two arrays begin at the same offset in a page */
    struct crowd crowd = {.bodies.count = count, .memory = allocate(ARRAYS * stride, sizeof(float))};
    float *next = crowd.memory;
    for (size_t c = 0; c < 4; c++, next += 2 * stride) {
        crowd.bodies.orientation[c] = next;
        crowd.bodies.orientation_low[c] = keeps_low ? next + stride : NULL;
    }
    for (size_t axis = 0; axis < 3; axis++, next += 2 * stride) {
        crowd.bodies.momentum[axis] = next;
        crowd.bodies.inertia[axis] = next + stride;
    }
    return crowd;
}

static void set_body(const gyre_bodies *b, size_t i, struct attitude attitude, const double inertia[3],
                     const double spin[3])
{
    struct vector own_momentum = {inertia[0] * spin[0], inertia[1] * spin[1], inertia[2] * spin[2]};
    struct vector momentum = attitude_rotate(attitude, own_momentum);
    const double l[] = {momentum.x, momentum.y, momentum.z};
    attitude_set_body(b, i, attitude);
    for (size_t axis = 0; axis < 3; axis++) {
        b->momentum[axis][i] = (float)l[axis];
        ((float *)b->inertia[axis])[i] = (float)inertia[axis];
    }
}

static struct attitude random_attitude(uint64_t *stream)
{
    struct attitude a;
    do {
        a = (struct attitude){random_normal(stream), random_normal(stream), random_normal(stream),
                              random_normal(stream)};
    } while (!attitude_normalise(&a));
    return a;
}

static void random_boxes(const gyre_bodies *b)
{
    uint64_t stream = random_stream(1, "boxes");
    for (size_t i = 0; i < b->count; i++) {
        double square[3], inertia[3], spin[3], length = 0;
        double rate = (0.1 + 0.2 * random_uniform(&stream)) * FRAMES_A_SECOND;
        for (size_t axis = 0; axis < 3; axis++) {
            double size = 0.5 + 1.5 * random_uniform(&stream);
            square[axis] = size * size;
            spin[axis] = random_normal(&stream);
            length += spin[axis] * spin[axis];
        }
        for (size_t axis = 0; axis < 3; axis++) {
            inertia[axis] = (square[(axis + 1) % 3] + square[(axis + 2) % 3]) / 12;
            spin[axis] *= rate / sqrt(length);
        }
        set_body(b, i, random_attitude(&stream), inertia, spin);
    }
}

/* A frame in `steps` calls: solver.substeps would start every iteration from 0. */
static void step(const gyre_kernels *table, const gyre_bodies *b, const struct curve *curve, int steps)
{
    const float dt_s = frame_s / (float)steps;
    for (int k = 0; k < steps; k++) {
        expect_step(table->bodies_step(b, 0, b->count, dt_s, &curve->solver, NULL), dt_s);
    }
}

static struct attitude attitude_of(const gyre_bodies *b, size_t i)
{
    struct attitude attitude = attitude_of_body(b, i);
    attitude_normalise(&attitude);
    return attitude;
}

/* dq/dt = q (omega, 0) / 2, omega = I^-1 (the momentum, seen from the body). */
static struct attitude rate_of(struct attitude q, struct vector momentum, const double inertia[3])
{
    struct vector m = attitude_rotate(attitude_inverse(q), momentum);
    return attitude_product(q, (struct attitude){m.x / inertia[0] / 2, m.y / inertia[1] / 2, m.z / inertia[2] / 2, 0});
}

static struct attitude plus(struct attitude a, double s, struct attitude b)
{
    return (struct attitude){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w};
}

/* Classical Runge-Kutta in double precision, with steps whose error is below 1e-10 rad. */
static struct attitude exact_attitude(struct attitude q, struct vector momentum, const double inertia[3], double time_s)
{
    const double h = time_s / EXACT_STEPS;
    for (size_t i = 0; i < EXACT_STEPS; i++) {
        struct attitude a = rate_of(q, momentum, inertia), b = rate_of(plus(q, h / 2, a), momentum, inertia);
        struct attitude c = rate_of(plus(q, h / 2, b), momentum, inertia),
                        d = rate_of(plus(q, h, c), momentum, inertia);
        q = plus(plus(plus(plus(q, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
        attitude_normalise(&q);
    }
    return q;
}

/* The asymmetric body of van Zon and Schofield, J. Comput. Phys. 225 (2007), in many attitudes. Rounded to floats, each
   copy has its own start. `exact` receives the exact attitudes after all frames; NULL: they are not needed. */
static void start_copies(const gyre_bodies *b, struct attitude *exact)
{
    const double inertia[] = {10, 20, 26}, spin[] = {1, 15, 1};
    uint64_t stream = random_stream(1, "copies");
    for (size_t i = 0; i < COPIES; i++) {
        set_body(b, i, random_attitude(&stream), inertia, spin);
        struct vector momentum = {(double)b->momentum[0][i], (double)b->momentum[1][i], (double)b->momentum[2][i]};
        if (exact != NULL) {
            exact[i] = exact_attitude(attitude_of(b, i), momentum, inertia, FRAMES * (double)frame_s);
        }
    }
}

static double attitude_error(const gyre_kernels *table, const struct curve *curve, int steps)
{
    struct crowd crowd = crowd_new(COPIES, curve->keeps_low);
    static struct attitude exact[2][COPIES]; /* without low parts and with them */
    static bool are_known[2];
    double sum = 0;
    start_copies(&crowd.bodies, are_known[curve->keeps_low] ? NULL : exact[curve->keeps_low]);
    are_known[curve->keeps_low] = true;
    for (size_t frame = 0; frame < FRAMES; frame++) {
        step(table, &crowd.bodies, curve, steps);
    }
    for (size_t i = 0; i < COPIES; i++) {
        double angle = attitude_angle(attitude_of(&crowd.bodies, i), exact[curve->keeps_low][i]);
        sum += angle * angle;
    }
    release(crowd.memory);
    return sqrt(sum / COPIES);
}

/* The methods alternate, so that other work of the machine disturbs all of them equally. */
static void measure(const gyre_kernels *table, struct curve curves[OWN_CURVES])
{
    struct crowd plain = crowd_new(TIMED_BODIES, false), low = crowd_new(TIMED_BODIES, true);
    size_t done = 0;
    for (size_t i = 0; i < OWN_CURVES; i++) {
        for (size_t d = 0; d < DIVISIONS; d++) {
            curves[i].points[d] = (struct point){INFINITY, attitude_error(table, &curves[i], 1 << d)};
        }
    }
    progress_begin(false); /* here, because the time left is estimated from the timing loop */
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < OWN_CURVES; i++) {
            const gyre_bodies *b = curves[i].keeps_low ? &low.bodies : &plain.bodies;
            random_boxes(b); /* explicit Euler leaves them invalid */
            for (size_t d = 0; d < DIVISIONS; d++) {
                double began = seconds_now();
                step(table, b, &curves[i], 1 << d);
                double passed = seconds_now() - began;
                curves[i].points[d].ns = fmin(curves[i].points[d].ns, 1e9 * passed / TIMED_BODIES);
                done++;
                progress_show((double)done / (ROUNDS * OWN_CURVES * DIVISIONS),
                              (double)done * TIMED_BODIES / progress_seconds(), "bodies");
            }
        }
    }
    progress_clear();
    release(plain.memory);
    release(low.memory);
}

/* Sets the ranges of the axes: all points with a margin. */
static void write_ranges(FILE *script, const struct curve curves[], size_t count)
{
    struct point least = {INFINITY, INFINITY}, most = {0, 0};
    for (size_t i = 0; i < count; i++) {
        for (size_t d = 0; d < curves[i].count; d++) {
            const struct point *p = &curves[i].points[d];
            least = (struct point){fmin(least.ns, p->ns), fmin(least.error_rad, p->error_rad)};
            most = (struct point){fmax(most.ns, p->ns), fmax(most.error_rad, p->error_rad)};
        }
    }
    fprintf(script, "set xrange [%.4g:%.4g]\nset yrange [%.4g:%.4g]\n", least.ns / 1.2, most.ns * 1.2,
            least.error_rad / 1.5, most.error_rad * 1.5);
}

static void write_curve(FILE *script, size_t i, size_t lines, const struct curve *curve)
{
    char note[LABEL_SIZE];
    fprintf(script, "set linetype %zu linecolor '%s' linewidth 2 pointtype 7 pointsize 0.9\n", i + 1, curve->colour);
    fprintf(script, "$curve%zu << end\n", i);
    for (size_t d = 0; d < curve->count; d++) {
        fprintf(script, "%.4g %.4g\n", curve->points[d].ns, curve->points[d].error_rad);
    }
    fputs("end\n", script);
    snprintf(note, sizeof note, curve->points[0].ns < 1000 ? "%.3g ns, %.2g rad" : "%.0f ns, %.2g rad",
             curve->points[0].ns, curve->points[0].error_rad);
    plot_legend_at(script, i, 0.95 - 0.87 * (double)i / (double)lines, curve->label, note);
}

/* The times of other engines are multiples of the time of this method. It has no iterations, so its time hardly depends
   on the bodies. */
static double reference_ns(const struct curve curves[OWN_CURVES])
{
    size_t i = 0;
    while (own[i].method != GYRE_BODY_MOSER_VESELOV || own[i].order != 6 || own[i].keeps_low) {
        i++;
    }
    return curves[i].points[0].ns;
}

static struct curve curve_of(const struct plot_peer *peer, double unit_ns, const char *colour)
{
    struct curve curve = {.count = peer->point_count, .colour = colour};
    memcpy(curve.label, peer->label, sizeof curve.label);
    for (size_t d = 0; d < peer->point_count; d++) {
        curve.points[d] = (struct point){unit_ns * peer->points[d].cost, peer->points[d].error_rad};
    }
    return curve;
}

void plot_frontier(FILE *script, struct plot_request *request)
{
    static struct curve curves[MOST_LINES];
    static const char *const peer_colours[MOST_PEERS] = {"#332288", "#882255"};
    const gyre_kernels *table = gyre_kernels_best(GYRE_ROUNDING_FUSED);
    size_t lines = OWN_CURVES;
    char footnote[LABEL_SIZE];
    for (size_t i = 0; i < OWN_CURVES; i++) {
        struct plot_method method = plot_method_of(own[i].method, own[i].order);
        curves[i] = (struct curve){
            .solver = method.solver, .keeps_low = own[i].keeps_low, .count = DIVISIONS, .colour = own[i].colour};
        snprintf(curves[i].label, sizeof curves[i].label, "%.100s%s", method.label,
                 own[i].keeps_low ? ", low parts" : "");
    }
    measure(table, curves);
    for (size_t i = 0; i < request->peer_count; i++) {
        curves[lines++] = curve_of(&request->peers[i], reference_ns(curves), peer_colours[i]);
    }
    plot_style(script);
    for (size_t i = 0; i < lines; i++) {
        write_curve(script, i, lines, &curves[i]);
    }
    write_ranges(script, curves, lines);
    snprintf(footnote, sizeof footnote, "%s, %s rounding; dots: 1, 2, 4, 8, 16 steps",
             gyre_isa_name(gyre_kernels_isa(table)), gyre_rounding_name(gyre_kernels_rounding(table)));
    plot_footnote(script, 0, footnote);
    fprintf(script,
            "set margins screen 0.10, screen %g, screen 0.11, screen 0.97\n"
            "set logscale xy\n"
            "set format x '%%.0f'\n"
            "set format y '10^{%%T}'\n"
            "set xlabel 'ns per body and frame of 1/60 s, one thread' textcolor '#303030'\n"
            "set ylabel 'attitude error after 10 s (rad)' textcolor '#303030' offset 0.5\n"
            "plot",
            PLOT_PANELS_RIGHT);
    for (size_t i = 0; i < lines; i++) {
        fprintf(script, "%s $curve%zu using 1:2 with linespoints linetype %zu", i > 0 ? "," : "", i, i + 1);
    }
    fputc('\n', script);
}
