/* A T-handle that flips again and again: one panel for each method, over the exact motion. */
#include "plot/plot.h"

#include "plot/single_body.h"
#include "support/common.h"
#include "support/progress.h"

/* The cosine of the angle between the body's axis and the momentum at the start, which is constant. */
static double direction_cosine(const struct single_body *body, size_t axis, struct vector momentum)
{
    struct vector turned = attitude_rotate(single_body_attitude(body), vector_along(axis));
    return vector_dot(turned, momentum) / vector_length(momentum);
}

static double rate(const struct plot_request *request)
{
    return vector_length((struct vector){(double)request->spin[0], (double)request->spin[1], (double)request->spin[2]});
}

/* Enough points for every turn, as too few would show false flips; limited where flips fill the panel anyway. */
static size_t points_of(const struct plot_request *request)
{
    enum { IN_A_TURN = 8, MOST = 6000 };
    double turns = rate(request) * (double)request->duration_s / PLOT_TURN;
    return (size_t)fmin(fmax(PLOT_POINTS, IN_A_TURN * turns), MOST);
}

/* Writes the curves and returns the attitude errors at the end. */
static void write_curves(FILE *script, const struct plot_request *request, size_t axis, double errors_rad[])
{
    struct single_body exact = single_body_start(request->inertia, request->spin), bodies[MOST_CURVES];
    struct vector momentum = single_body_momentum(&exact);
    size_t steps = plot_steps(request), stride = plot_stride(steps, points_of(request));
    for (size_t i = 0; i < request->method_count; i++) {
        bodies[i] = exact;
    }
    fputs("$curves << end\n", script);
    progress_begin(false);
    for (size_t step = 0; step <= steps; step++) {
        if (step % stride == 0) {
            fprintf(script, "%.6g %.4f", (double)step * (double)request->time_step_s,
                    plot_finite(direction_cosine(&exact, axis, momentum)));
            for (size_t i = 0; i < request->method_count; i++) {
                fprintf(script, " %.4f", direction_cosine(&bodies[i], axis, momentum));
            }
            fputc('\n', script);
            plot_show_steps(step, steps);
        }
        for (size_t i = 0; i < request->method_count; i++) {
            errors_rad[i] = attitude_angle(single_body_attitude(&exact), single_body_attitude(&bodies[i]));
            single_body_step(&bodies[i], &request->methods[i].solver, request->time_step_s);
        }
        for (size_t part = 0; part < PLOT_EXACT_PARTS; part++) {
            plot_step_exactly(request, &exact);
        }
    }
    progress_clear();
    fputs("end\n", script);
}

void plot_tumble(FILE *script, struct plot_request *request)
{
    static const char *const axes[] = {"x", "y", "z"};
    char footnote[LABEL_SIZE], note[LABEL_SIZE];
    double errors_rad[MOST_CURVES];
    plot_usual_flight(request);
    size_t axis = single_body_middle_axis(request->inertia);
    plot_style(script);
    write_curves(script, request, axis, errors_rad);
    fprintf(script,
            "set multiplot\n"
            "set xrange [0:%.9g]\n"
            "set yrange [-1.15:1.15]\n"
            "set ytics -1, 1, 1\n"
            "set format x ''\n"
            "unset xlabel\n"
            "set label 'direction cosine of the %s axis to the angular momentum' at screen 0.015, 0.55 center rotate "
            "textcolor '#303030'\n",
            (double)request->duration_s, axes[axis]);
    plot_time_tics(script, request, false);
    for (size_t i = 0; i < request->method_count; i++) {
        snprintf(note, sizeof note, "%.2g rad off at %.3g s", errors_rad[i], (double)request->duration_s);
        plot_legend_at(script, i, 0.95 - 0.87 * (double)i / (double)request->method_count, request->methods[i].label,
                       note);
    }
    snprintf(footnote, sizeof footnote, "grey: exact; steps of %.3g s, %.2g rad", (double)request->time_step_s,
             (double)request->time_step_s * rate(request));
    plot_footnote(script, 1, footnote);
    plot_footnote(script, 0, "all with low parts");
    for (size_t i = 0; i < request->method_count; i++) {
        double height = 0.87 / (double)request->method_count, top = 0.97 - height * (double)i;
        if (i + 1 == request->method_count) {
            fputs("set format x\nset xlabel 'time (s)' textcolor '#303030'\n", script);
        }
        fprintf(script,
                "set margins screen 0.07, screen %g, screen %.4f, screen %.4f\n"
                "plot $curves using 1:2 with lines linecolor '#c0c0c0' linewidth 5, "
                "$curves using 1:%zu with lines linetype %zu linewidth 1.8\n"
                "unset label\n",
                PLOT_PANELS_RIGHT, top - 0.86 * height, top, i + 3, i + 1);
    }
    fputs("unset multiplot\n", script);
}
