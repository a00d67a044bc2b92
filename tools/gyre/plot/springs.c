#include "plot/plot.h"

#include "support/common.h"

#include <math.h>

struct state {
    float position, velocity;
};

static struct state after(gyre_spring spring, struct state from, float target, float time_s)
{
    gyre_springs springs = {.count = 1, .position = &from.position, .velocity = &from.velocity, .target = &target};
    gyre_spring_matrix matrix;
    expect_step(gyre_spring_matrix_at(spring, time_s, &matrix), time_s);
    expect_step(gyre_springs_step(&springs, 0, 1, &matrix), time_s);
    return from;
}

/* A spring in motion with the retargets of a request. */
struct flight {
    gyre_spring spring;
    struct state state; /* at from_s, the last retarget or the start */
    float from_s, target;
    size_t next;
};

static struct flight begin_flight(const struct plot_request *request, gyre_spring spring)
{
    return (struct flight){.spring = spring, .state = {request->position, request->velocity}};
}

/* The state at time_s, which must not be before the last retarget. */
static struct state fly(struct flight *flight, const struct plot_request *request, float time_s)
{
    while (flight->next < request->retarget_count && request->retargets[flight->next].at_s <= time_s) {
        const struct plot_retarget *retarget = &request->retargets[flight->next++];
        flight->state = after(flight->spring, flight->state, flight->target, retarget->at_s - flight->from_s);
        flight->from_s = retarget->at_s;
        flight->target = retarget->target;
    }
    return after(flight->spring, flight->state, flight->target, time_s - flight->from_s);
}

/* Enough samples for every oscillation, as too few would show false ones; limited where oscillations fill the panel
   anyway. */
static int samples_of(const struct plot_request *request)
{
    enum { IN_A_SWING = 16, MOST = 16001 };
    double most_swings = 0;
    for (size_t i = 0; i < request->spring_count; i++) {
        gyre_spring spring = request->springs[i].spring;
        if (spring.damping_ratio < 1) {
            double is_underdamped = (double)spring.angular_frequency * (double)request->duration_s / PLOT_TURN;
            most_swings = fmax(most_swings, is_underdamped);
        }
    }
    return (int)fmin(fmax(PLOT_SAMPLES, IN_A_SWING * most_swings), MOST);
}

/* Writes the curves and their traces. Returns their extent. */
static struct plot_extent write_curves(FILE *script, const struct plot_request *request, size_t panel,
                                       struct plot_traces *traces)
{
    struct plot_extent extent = PLOT_NOTHING;
    struct flight flights[MOST_CURVES];
    for (size_t i = 0; i < request->spring_count; i++) {
        flights[i] = begin_flight(request, request->springs[i].spring);
    }
    const int samples = samples_of(request);
    fprintf(script, "$start%zu << end\n", panel);
    for (int sample = 0; sample < samples; sample++) {
        float time_s = plot_sample_s(request->duration_s, sample, samples);
        fprintf(script, "%.9g", (double)time_s);
        for (size_t i = 0; i < request->spring_count; i++) {
            double position = (double)fly(&flights[i], request, time_s).position;
            fprintf(script, " %.9g", position);
            plot_extend(&extent, position);
            plot_trace(traces, i, sample, samples, position);
        }
        fputc('\n', script);
    }
    fputs("end\n", script);
    return extent;
}

static void three_regimes(struct plot_request *request)
{
    request->springs[0] = (struct plot_spring){{1, 0.5f}, "underdamped, ζ = 0.5"};
    request->springs[1] = (struct plot_spring){{1, 1}, "critical, ζ = 1"};
    request->springs[2] = (struct plot_spring){{1, 2}, "overdamped, ζ = 2"};
    request->spring_count = 3;
}

/* The three regimes of a damped spring, from the two starts that Ryan Juckett's "Damped Springs" (2012) shows. */
static void draw_regimes(FILE *script, struct plot_request *request)
{
    static const struct state starts[] = {{1, 0}, {0.5f, 1}};
    static const double centers[] = {0.30, 0.53, 0.76};
    static struct plot_traces traces;
    request->duration_s = 12;
    for (size_t panel = 0; panel < 2; panel++) {
        request->position = starts[panel].position;
        request->velocity = starts[panel].velocity;
        write_curves(script, request, panel, &traces);
    }
    fputs("set multiplot layout 1, 2 margins 0.08, 0.98, 0.14, 0.81 spacing 0.035, 0\n"
          "set xrange [0:12]\n"
          "set yrange [-0.3:1.1]\n"
          "set xtics 0, 2\n"
          "set ytics 0.25 format '%.2f'\n"
          "set xzeroaxis linetype 1 linecolor '#707070' linewidth 1.2\n",
          script);
    for (size_t i = 0; i < request->spring_count; i++) {
        fprintf(script, "set label '━━  %s' at screen %.2f, 0.95 center textcolor linetype %zu\n",
                request->springs[i].label, centers[i], i + 1);
    }
    fputs("set title 'released:  x = 1 m,  v = 0' textcolor '#303030' offset 0, -0.4\n"
          "set ylabel 'displacement (m)' textcolor '#303030' offset 0.8\n"
          "plot for [i = 1:3] $start0 using 1:1 + i with lines linetype i\n"
          "unset label\n"
          "set title 'thrown:  x = 0.5 m,  v = 1 m/s'\n"
          "set ytics format ''\n"
          "unset ylabel\n"
          "plot for [i = 1:3] $start1 using 1:1 + i with lines linetype i\n"
          "unset multiplot\n",
          script);
}

static float last_retarget_s(const struct plot_request *request)
{
    return request->retarget_count > 0 ? request->retargets[request->retarget_count - 1].at_s : 0;
}

/* One hundredth of the extent of curves and targets in about two oscillations of each spring. */
static float usual_tolerance(const struct plot_request *request)
{
    float low = fminf(request->position, 0), high = fmaxf(request->position, 0);
    for (size_t i = 0; i < request->retarget_count; i++) {
        low = fminf(low, request->retargets[i].target);
        high = fmaxf(high, request->retargets[i].target);
    }
    for (size_t i = 0; i < request->spring_count; i++) {
        gyre_spring spring = request->springs[i].spring;
        struct flight flight = begin_flight(request, spring);
        float swings_s = spring.angular_frequency > 0 ? 12 / spring.angular_frequency : 1;
        float end_s = (float)plot_finite((double)(last_retarget_s(request) + swings_s));
        for (int sample = 0; sample < PLOT_SAMPLES; sample++) {
            float position = fly(&flight, request, plot_sample_s(end_s, sample, PLOT_SAMPLES)).position;
            low = fminf(low, position);
            high = fmaxf(high, position);
        }
    }
    return high > low ? plot_round(high / 100 - low / 100) : 1;
}

/* The time in the picture from which a spring stays settled; NaN if it never does. */
static float settled_s(const struct plot_request *request, gyre_spring spring)
{
    struct flight flight = begin_flight(request, spring);
    float last_s = last_retarget_s(request), time_s;
    struct state last = fly(&flight, request, last_s);
    gyre_status status =
        gyre_spring_settling_time(spring, last.position - flight.target, last.velocity, request->tolerance, &time_s);
    return status == GYRE_OK ? (float)plot_finite((double)(last_s + time_s)) : NAN;
}

/* A duration in which the last spring settles well before the end. A spring that never settles gets a few
   oscillations. */
static float usual_duration(const struct plot_request *request, const float settled[])
{
    float needed = 0;
    for (size_t i = 0; i < request->spring_count; i++) {
        float frequency = request->springs[i].spring.angular_frequency;
        float is_underdamped = frequency > 0 ? 25 / frequency : 5;
        needed = fmaxf(needed, isnan(settled[i]) ? last_retarget_s(request) + is_underdamped : settled[i]);
    }
    return needed > 0 ? (float)plot_finite((double)(1.2f * needed)) : 1;
}

static void write_targets(FILE *script, const struct plot_request *request, struct plot_extent *extent)
{
    fputs("$target << end\n0 0\n", script);
    float target = 0;
    plot_extend(extent, 0);
    for (size_t i = 0; i < request->retarget_count; i++) {
        target = request->retargets[i].target;
        fprintf(script, "%.9g %.9g\n", (double)request->retargets[i].at_s, (double)target);
        plot_extend(extent, (double)target);
    }
    fprintf(script, "%.9g %.9g\nend\n", (double)request->duration_s, (double)target);
    fprintf(script,
            "set object rectangle from %.9g, %.9g to %.9g, %.9g fillstyle solid noborder fillcolor '#ececec' behind\n",
            (double)last_retarget_s(request), (double)target - (double)request->tolerance, (double)request->duration_s,
            (double)target + (double)request->tolerance);
}

static void draw_asked(FILE *script, struct plot_request *request)
{
    char footnote[LABEL_SIZE];
    float settled[MOST_CURVES], heights[MOST_CURVES];
    static struct plot_traces traces;
    if (request->tolerance == 0) {
        request->tolerance = usual_tolerance(request);
    }
    for (size_t i = 0; i < request->spring_count; i++) {
        struct flight flight = begin_flight(request, request->springs[i].spring);
        settled[i] = settled_s(request, request->springs[i].spring);
        heights[i] = isnan(settled[i]) ? NAN : fly(&flight, request, settled[i]).position;
    }
    if (request->duration_s == 0) {
        request->duration_s = usual_duration(request, settled);
    }
    struct plot_extent extent = write_curves(script, request, 0, &traces);
    write_targets(script, request, &extent);
    for (size_t i = 0; i < request->spring_count; i++) {
        char note[LABEL_SIZE] = "never settles";
        if (!isnan(settled[i])) {
            snprintf(note, sizeof note, "settled at %.3g s", (double)settled[i]);
        }
        plot_legend(script, i, request->springs[i].label, note);
    }
    snprintf(footnote, sizeof footnote, "grey band: settled, within %.3g of the target", (double)request->tolerance);
    plot_footnote(script, 0, footnote);
    plot_dots(script, settled, heights, request->spring_count, request->duration_s, extent, &traces, 14);
    plot_time_tics(script, request, false);
    plot_heights(script, extent);
    fprintf(script,
            "set margins screen %.4f, screen %g, screen 0.14, screen 0.96\n"
            "set xrange [0:%.9g]\n"
            "set offsets 0, 0, graph 0.12, graph 0.05\n"
            "set label 'position' at screen 0.015, graph 0.5 center rotate textcolor '#303030'\n"
            "plot $target using 1:2 with steps linecolor '#505050' linewidth 1.2 dashtype 2, "
            "for [i = 1:%zu] $start0 using 1:1 + i with lines linetype i\n",
            plot_left(extent), PLOT_PANELS_RIGHT, (double)request->duration_s, request->spring_count);
}

void plot_springs(FILE *script, struct plot_request *request)
{
    if (request->spring_count == 0) {
        three_regimes(request);
    }
    if (!request->has_start) {
        request->position = 1;
    }
    plot_style(script);
    if (request->is_plain) {
        draw_regimes(script, request);
    } else {
        draw_asked(script, request);
    }
}
