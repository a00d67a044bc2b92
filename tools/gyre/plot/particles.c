#include "plot/plot.h"

#include "support/common.h"

#include <math.h>

/* The state at time_s of a particle with the start and the acceleration of the request. */
static void state_at(const struct plot_request *request, float damping, float time_s, float *position, float *velocity)
{
    *position = request->position;
    *velocity = request->velocity;
    gyre_particles particles = {
        .count = 1, .position = position, .velocity = velocity, .uniform_acceleration = request->acceleration};
    gyre_particle_matrix matrix;
    expect_step(gyre_particle_matrix_at(damping, time_s, &matrix), time_s);
    expect_step(gyre_particles_step(&particles, 0, 1, &matrix), time_s);
}

/* The rest position under damping alone; NaN if there is none. */
static float rest_position(const struct plot_request *request, float damping)
{
    float rest;
    bool ends = request->acceleration == 0 &&
                gyre_damping_rest_position(request->position, request->velocity, damping, &rest) == GYRE_OK;
    return ends ? rest : NAN;
}

/* The time from which it is within the tolerance of its rest position. The remaining distance decays as the velocity
   does. */
static float settled_s(const struct plot_request *request, float damping)
{
    float way, time_s;
    if (isnan(rest_position(request, damping)) ||
        gyre_damping_rest_position(0, request->velocity, damping, &way) != GYRE_OK) {
        return NAN;
    }
    if (fabsf(way) <= request->tolerance) {
        return 0;
    }
    return gyre_damping_time_to_speed(way, damping, request->tolerance, &time_s) == GYRE_OK ? time_s : NAN;
}

/* The velocity at which damping and acceleration balance: the rest position of a particle that starts at 0 with the
   acceleration as its velocity. NaN without damping or acceleration. */
static float terminal_velocity(const struct plot_request *request, float damping)
{
    float terminal;
    bool is_there = request->acceleration != 0 &&
                    gyre_damping_rest_position(0, request->acceleration, damping, &terminal) == GYRE_OK;
    return is_there ? terminal : NAN;
}

static float usual_tolerance(const struct plot_request *request)
{
    float farthest = 0;
    for (size_t i = 0; i < request->damping_count; i++) {
        farthest = fmaxf(farthest, fabsf(rest_position(request, request->dampings[i].damping) - request->position));
    }
    return farthest > 0 ? plot_round(farthest / 100) : 1;
}

/* A duration in which the last particle comes to rest well before the end. Particles that do not come to rest get the
   time in which damping removes 99 % of a velocity; without damping, 3 s. */
static float usual_duration(const struct plot_request *request)
{
    float needed = 0;
    for (size_t i = 0; i < request->damping_count; i++) {
        float damping = request->dampings[i].damping, time_s = settled_s(request, damping);
        if (isnan(time_s) && gyre_damping_time_to_speed(1, damping, 0.01f, &time_s) != GYRE_OK) {
            time_s = 3;
        }
        needed = fmaxf(needed, time_s);
    }
    return needed > 0 ? 1.2f * needed : 1;
}

/* Writes the curves, and sets their extents and the traces of the positions. */
static void write_curves(FILE *script, const struct plot_request *request, struct plot_extent *positions,
                         struct plot_extent *velocities, struct plot_traces *traces)
{
    *positions = *velocities = PLOT_NOTHING;
    fputs("$curves << end\n", script);
    for (int sample = 0; sample < PLOT_SAMPLES; sample++) {
        float time_s = plot_sample_s(request->duration_s, sample, PLOT_SAMPLES);
        fprintf(script, "%.9g", (double)time_s);
        for (size_t i = 0; i < request->damping_count; i++) {
            float position, velocity;
            state_at(request, request->dampings[i].damping, time_s, &position, &velocity);
            fprintf(script, " %.9g %.9g", (double)position, (double)velocity);
            plot_extend(positions, (double)position);
            plot_extend(velocities, (double)velocity);
            plot_trace(traces, i, sample, PLOT_SAMPLES, (double)position);
        }
        fputc('\n', script);
    }
    fputs("end\n", script);
}

/* The limit of curve i, as a thin line across the next panel. */
static void write_limit(FILE *script, size_t i, float height)
{
    if (!isnan(height)) {
        fprintf(
            script,
            "set arrow from graph 0, first %.9g to graph 1, first %.9g nohead linetype %zu linewidth 1 dashtype 2\n",
            (double)height, (double)height, i + 1);
    }
}

static void write_legend(FILE *script, const struct plot_request *request, const float settled[])
{
    char footnote[LABEL_SIZE];
    for (size_t i = 0; i < request->damping_count; i++) {
        float rest = rest_position(request, request->dampings[i].damping);
        float terminal = terminal_velocity(request, request->dampings[i].damping);
        char note[LABEL_SIZE] = "never comes to rest";
        if (!isnan(terminal)) {
            snprintf(note, sizeof note, "terminal velocity %.3g", (double)terminal);
        } else if (!isnan(settled[i])) {
            snprintf(note, sizeof note, "rests at %.4g, settled at %.3g s", (double)rest, (double)settled[i]);
        }
        plot_legend(script, i, request->dampings[i].label, note);
    }
    if (request->acceleration == 0) {
        snprintf(footnote, sizeof footnote, "settled: within %.3g of rest", (double)request->tolerance);
        plot_footnote(script, 0, footnote);
    }
}

/* Dampings of scroll views; their sources are in tools/scenes/fling_and_settle.json. */
static void usual_dampings(struct plot_request *request)
{
    request->dampings[0] = (struct plot_damping){2.0020027f, "damping 2.00 /s (UIScrollView normal)"};
    request->dampings[1] = (struct plot_damping){4.2f, "damping 4.2 /s (Compose decay)"};
    request->dampings[2] = (struct plot_damping){10.050336f, "damping 10.1 /s (UIScrollView fast)"};
    request->damping_count = 3;
}

void plot_particles(FILE *script, struct plot_request *request)
{
    float settled[MOST_CURVES], heights[MOST_CURVES];
    struct plot_extent positions, velocities;
    static struct plot_traces traces;
    if (request->damping_count == 0) {
        usual_dampings(request);
    }
    if (!request->has_start) {
        request->velocity = 2000;
    }
    if (request->tolerance == 0) {
        request->tolerance = usual_tolerance(request);
    }
    if (request->duration_s == 0) {
        request->duration_s = usual_duration(request);
    }
    plot_style(script);
    write_curves(script, request, &positions, &velocities, &traces);
    const double left = fmax(plot_left(positions), plot_left(velocities));
    fputs("set multiplot\n", script);
    plot_time_tics(script, request, false);
    plot_heights(script, positions);
    fprintf(script,
            "set xrange [0:%.9g]\n"
            "set offsets 0, 0, graph 0.15, graph 0.05\n"
            "set margins screen %.4f, screen %g, screen 0.53, screen 0.96\n"
            "set label 'position' at screen 0.015, graph 0.5 center rotate textcolor '#303030'\n"
            "set format x ''\n"
            "unset xlabel\n",
            (double)request->duration_s, left, PLOT_PANELS_RIGHT);
    for (size_t i = 0; i < request->damping_count; i++) {
        float damping = request->dampings[i].damping, unused;
        settled[i] = settled_s(request, damping);
        heights[i] = NAN;
        if (!isnan(settled[i])) {
            state_at(request, damping, settled[i], &heights[i], &unused);
        }
        write_limit(script, i, rest_position(request, damping));
    }
    write_legend(script, request, settled);
    plot_dots(script, settled, heights, request->damping_count, request->duration_s, positions, &traces, 10);
    fprintf(script,
            "plot for [i = 1:%zu] $curves using 1:2 * i with lines linetype i\n"
            "unset label\n"
            "unset arrow\n",
            request->damping_count);
    for (size_t i = 0; i < request->damping_count; i++) {
        write_limit(script, i, terminal_velocity(request, request->dampings[i].damping));
    }
    plot_heights(script, velocities);
    fprintf(script,
            "set offsets 0, 0, graph 0.05, graph 0.05\n"
            "set margins screen %.4f, screen %g, screen 0.1, screen 0.49\n"
            "set label 'velocity (1/s)' at screen 0.015, graph 0.5 center rotate textcolor '#303030'\n"
            "set format x\n"
            "set xlabel 'time (s)' textcolor '#303030'\n"
            "plot for [i = 1:%zu] $curves using 1:2 * i + 1 with lines linetype i\n"
            "unset multiplot\n",
            left, PLOT_PANELS_RIGHT, request->damping_count);
}
