/* The herpolhode: the path of the angular velocity in the world. With the momentum L and the energy E its component
   along L is 2 E / |L|, a constant, so the path lies in a plane. The distance of a method from that plane is its error
   in energy. */
#include "plot/plot.h"

#include "plot/single_body.h"
#include "support/progress.h"

#include <math.h>

enum { CIRCLE_POINTS = 90, PATH_POINTS = 6000 };

/* Relative to the height of the plane. */
static const double least_deviation = 1e-9;

/* A view from slightly above the plane; the momentum points upwards. */
struct view {
    struct vector right, ahead, up; /* unit vectors in the world; `ahead` points into the picture */
};

static const double tilt = 0.35; /* sine of the angle of the view above the plane */

static struct view view_of(struct vector momentum)
{
    double length = vector_length(momentum);
    struct view view = {.up = {momentum.x / length, momentum.y / length, momentum.z / length}};
    /* Any direction not along the momentum can be the start. */
    struct vector other = fabs(view.up.x) < 0.7 ? (struct vector){1, 0, 0} : (struct vector){0, 1, 0};
    view.right = vector_cross(other, view.up);
    length = vector_length(view.right);
    view.right = (struct vector){view.right.x / length, view.right.y / length, view.right.z / length};
    view.ahead = vector_cross(view.up, view.right);
    return view;
}

/* Coordinates in the picture; the plane is at the height `plane` above the origin. */
static void project(const struct view *view, double plane, struct vector v, double *across, double *upwards)
{
    *across = vector_dot(v, view->right);
    *upwards = tilt * vector_dot(v, view->ahead) + sqrt(1 - tilt * tilt) * (vector_dot(v, view->up) - plane);
}

/* Steps of the exact path, which is drawn first, and of the deviations of the methods. */
static size_t all_steps(const struct plot_request *request)
{
    return plot_steps(request) * (PLOT_EXACT_PARTS + request->method_count);
}

/* Writes the exact path. Returns its largest distance from the momentum. */
static double write_path(FILE *script, const struct plot_request *request, const struct view *view, double plane)
{
    struct single_body body = single_body_start(request->inertia, request->spin);
    double farthest = 0;
    size_t steps = plot_steps(request) * PLOT_EXACT_PARTS, stride = steps / PATH_POINTS + 1;
    fputs("$path << end\n", script);
    for (size_t step = 0; step <= steps; step++) {
        if (step % stride == 0) {
            struct vector spin = single_body_spin(&body);
            double across, upwards;
            project(view, plane, spin, &across, &upwards);
            farthest = fmax(farthest, hypot(across, vector_dot(spin, view->ahead)));
            fprintf(script, "%.6g %.6g\n", plot_finite(across), plot_finite(upwards));
            plot_show_steps(step, all_steps(request));
        }
        plot_step_exactly(request, &body);
    }
    fputs("end\n", script);
    return farthest;
}

static void write_disc(FILE *script, double radius)
{
    fputs("$disc << end\n", script);
    for (size_t i = 0; i <= CIRCLE_POINTS; i++) {
        double angle = PLOT_TURN * (double)i / CIRCLE_POINTS;
        fprintf(script, "%.5g %.5g\n", radius * cos(angle), tilt * radius * sin(angle));
    }
    fputs("end\n", script);
}

/* Writes the largest distance of each method from the plane so far, relative to its height. Returns the extent of the
   curves. */
static struct plot_extent write_deviations(FILE *script, const struct plot_request *request, const struct view *view,
                                           double plane)
{
    struct single_body bodies[MOST_CURVES];
    double most[MOST_CURVES] = {0};
    struct plot_extent extent = PLOT_NOTHING;
    size_t steps = plot_steps(request), stride = plot_stride(steps, PLOT_POINTS);
    for (size_t i = 0; i < request->method_count; i++) {
        bodies[i] = single_body_start(request->inertia, request->spin);
    }
    fputs("$deviations << end\n", script);
    for (size_t step = 1; step <= steps; step++) {
        for (size_t i = 0; i < request->method_count; i++) {
            single_body_step(&bodies[i], &request->methods[i].solver, request->time_step_s);
            double height = vector_dot(single_body_spin(&bodies[i]), view->up);
            most[i] = fmax(most[i], fabs(height / plane - 1));
        }
        if (step % stride == 0) {
            fprintf(script, "%.6g", (double)step * (double)request->time_step_s);
            for (size_t i = 0; i < request->method_count; i++) {
                double shown = fmax(most[i], least_deviation);
                fprintf(script, " %.3g", shown);
                plot_extend(&extent, shown);
            }
            fputc('\n', script);
            plot_show_steps(steps * PLOT_EXACT_PARTS + step * request->method_count, all_steps(request));
        }
    }
    fputs("end\n", script);
    for (size_t i = 0; i < request->method_count; i++) {
        char note[LABEL_SIZE];
        snprintf(note, sizeof note, most[i] > least_deviation ? "%.2g at most" : "%.2g or less",
                 fmax(most[i], least_deviation));
        plot_legend(script, i, request->methods[i].label, note);
    }
    return extent;
}

void plot_herpolhode(FILE *script, struct plot_request *request)
{
    bool usual_methods = request->method_count == 0;
    plot_usual_flight(request);
    request->method_count -= usual_methods; /* except explicit Euler, whose angular velocity is constant */
    struct single_body body = single_body_start(request->inertia, request->spin);
    struct view view = view_of(single_body_momentum(&body));
    double plane = vector_dot(single_body_spin(&body), view.up);
    plot_style(script);
    progress_begin(false);
    /* About a principal axis the path is a point. */
    double radius = fmax(1.25 * write_path(script, request, &view, plane), 1e-5 * plane);
    write_disc(script, radius);
    fprintf(script,
            "set multiplot\n"
            "set margins screen 0.01, screen 0.37, screen 0.02, screen 0.98\n"
            "set size ratio -1\n"
            "unset border\n"
            "unset tics\n"
            "unset grid\n"
            "unset xlabel\n"
            "set xrange [%.5g:%.5g]\n"
            "set yrange [%.5g:%.5g]\n"
            "set arrow from 0, %.5g to 0, %.5g nohead linecolor '#909090' linewidth 1.5 dashtype 2 back\n"
            "set arrow from 0, 0 to 0, %.5g filled linecolor '#303030' linewidth 1.8 front\n"
            "set label '{/:Italic L}' at 0, %.5g left offset 0.8 textcolor '#303030'\n"
            "set label 'plane of the exact energy' at 0, %.5g center textcolor '#505050'\n"
            "plot $disc with filledcurves closed fillcolor '#dce9f2' fillstyle solid noborder, "
            "$disc with lines linecolor '#9fbfd4' linewidth 1.2, "
            "$path with lines linecolor '#202020' linewidth 1\n"
            "unset label\n"
            "unset arrow\n",
            -1.05 * radius, 1.05 * radius, -1.1 * radius, 1.0 * radius, -1.0 * radius, -0.6 * radius, 0.8 * radius,
            0.8 * radius, -0.48 * radius);
    const struct plot_extent extent = write_deviations(script, request, &view, plane);
    progress_clear();
    plot_time_tics(script, request, true);
    char footnote[LABEL_SIZE];
    snprintf(footnote, sizeof footnote, "steps of %.3g s; left: exact", (double)request->time_step_s);
    plot_footnote(script, 1, footnote);
    plot_footnote(script, 0, "all with low parts");
    if (extent.high > 2 * extent.low) {
        fputs("set yrange [*:*]\n", script);
    } else { /* so that the axis has a power of ten, and gnuplot does not warn about the range */
        fprintf(script, "set yrange [%g:%g]\n", extent.low / 10, extent.high * 10);
    }
    fprintf(script,
            "set margins screen 0.46, screen %g, screen 0.14, screen 0.96\n"
            "set size noratio\n"
            "set border 3\n"
            "set tics textcolor '#303030'\n"
            "set xtics nomirror scale 0.5\n"
            "set ytics nomirror scale 0.5\n"
            "set grid xtics ytics linetype 1 linecolor '#e3e3e3' linewidth 1\n"
            "set xlabel 'time (s)' textcolor '#303030'\n"
            "set ylabel 'largest distance from the plane / its height' textcolor '#303030' offset 0.5\n"
            "set logscale y\n"
            "set format y '10^{%%T}'\n"
            "set ytics add ('≤ 10^{−9}' %g)\n"
            "set xrange [0:%.9g]\n"
            "set offsets 0, 0, graph 0.05, graph 0.05\n"
            "plot for [i = 1:%zu] $deviations using 1:1 + i with lines linetype i\n"
            "unset multiplot\n",
            PLOT_PANELS_RIGHT, least_deviation, (double)request->duration_s, request->method_count);
}
