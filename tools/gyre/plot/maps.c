/* Two maps over the angular momentum of a body in the plane of its first two axes. The time step is 1, so a larger
   distance from the centre means a faster rotation or a longer step. */
#include "plot/plot.h"

#include "input/solver.h"
#include "support/common.h"
#include "support/progress.h"

#include <math.h>
#include <string.h>

/* Even, so that no pixel lies on an axis of the body, where every method is exact. */
enum { MAP_SIDE = 300, MOST_ITERATIONS = 10 };

/* One row of the map: bodies with the identity as orientation. */
struct row {
    float orientation[4][MAP_SIDE], momentum[3][MAP_SIDE], inertia[3][MAP_SIDE];
    gyre_bodies bodies;
};

static double momentum_at(const struct plot_request *request, size_t i)
{
    return (double)request->most_momentum * (2 * (double)i / (MAP_SIDE - 1) - 1);
}

static void fill_row(struct row *row, const struct plot_request *request, size_t line)
{
    *row = (struct row){.bodies.count = MAP_SIDE};
    for (size_t i = 0; i < MAP_SIDE; i++) {
        row->orientation[3][i] = 1;
        row->momentum[0][i] = (float)momentum_at(request, i);
        row->momentum[1][i] = (float)momentum_at(request, line);
        for (size_t axis = 0; axis < 3; axis++) {
            row->inertia[axis][i] = request->inertia[axis];
        }
    }
    for (size_t c = 0; c < 4; c++) {
        row->bodies.orientation[c] = row->orientation[c];
    }
    for (size_t axis = 0; axis < 3; axis++) {
        row->bodies.momentum[axis] = row->momentum[axis];
        row->bodies.inertia[axis] = row->inertia[axis];
    }
}

static void compute_energies(const struct row *row, float energies[MAP_SIDE])
{
    if (gyre_bodies_energy(&row->bodies, 0, MAP_SIDE, energies) < 0) {
        fail(EXIT_FAILED, "the library could not compute the energies of a map");
    }
}

static void usual_map(struct plot_request *request, float most_momentum)
{
    if (!request->has_inertia) {
        memcpy(request->inertia, plot_t_handle, sizeof plot_t_handle);
    }
    if (request->most_momentum == 0) {
        request->most_momentum = most_momentum;
    }
    if (request->method_count == 0) {
        request->methods[0] = plot_method_of(GYRE_BODY_MIDPOINT, 0);
    }
    if (request->method_count > 1) {
        fail(EXIT_BAD_INPUT, "--method: a map shows one method, got %zu", request->method_count);
    }
}

static void set_map(FILE *script, const struct plot_request *request)
{
    double most = (double)request->most_momentum;
    if (most < 1 || most >= 100) { /* long numbers: none at the corners, where those of two maps would meet */
        double step = (double)plot_round(request->most_momentum / 2);
        fprintf(script, "set xtics %g, %g, %g\nset ytics %g, %g, %g\n", -step, step, step, -step, step, step);
    }
    fprintf(script,
            "set size ratio -1\n"
            "set border 0\n"
            "unset grid\n"
            "set xrange [%.6g:%.6g]\n"
            "set yrange [%.6g:%.6g]\n"
            "set tics out\n"
            "set xlabel '{/:Italic L_x} (kg m²/s)' textcolor '#303030'\n"
            "at(i) = %.9g * (2 * i / %d - 1)\n",
            -most, most, -most, most, most, MAP_SIDE - 1);
}

/* Writes the number of iterations of each body, at least 1, or 0 if it does not converge. Returns the fraction that
   converges. */
static double write_iterations(FILE *script, const struct plot_request *request, bool fixed_point)
{
    static struct row row;
    gyre_body_solver solver = request->methods[0].solver;
    size_t converged = 0;
    solver.substeps = 1;
    solver.max_iterations = MOST_ITERATIONS;
    solver.tolerance = 1e-6f;
    solver.fixed_point = fixed_point;
    fprintf(script, "$iterations%d << end\n", fixed_point);
    for (size_t line = 0; line < MAP_SIDE; line++) {
        fill_row(&row, request, line);
        for (size_t i = 0; i < MAP_SIDE; i++) {
            gyre_body_report report = {0};
            expect_step(gyre_bodies_step(&row.bodies, i, i + 1, 1, &solver, &report), 1);
            fprintf(script, " %d", report.unconverged > 0 ? 0 : report.iterations > 0 ? (int)report.iterations : 1);
            converged += report.unconverged == 0;
        }
        fputc('\n', script);
        progress_show(0.5 * fixed_point + 0.5 * (double)(line + 1) / MAP_SIDE,
                      ((double)fixed_point * MAP_SIDE + (double)line + 1) * MAP_SIDE / progress_seconds(), "bodies");
    }
    fputs("end\n", script);
    return (double)converged / ((double)MAP_SIDE * MAP_SIDE);
}

enum {
    MOST_SUBSTEPS = 20000
}; /* of a body; more would take minutes for a map, and such fast rotations have no correct digit */

/* Checked before the work begins with a body in the corner, which is one of the fastest. */
static void expect_few_substeps(const struct plot_request *request)
{
    static struct row row;
    gyre_body_solver solver = request->methods[0].solver;
    gyre_body_report report = {0};
    solver.max_substeps = MOST_SUBSTEPS;
    fill_row(&row, request, 0);
    expect_step(gyre_bodies_step(&row.bodies, 0, 1, 1, &solver, &report), 1);
    if (report.unconverged > 0) {
        fail(EXIT_BAD_INPUT,
             "a momentum of %g rotates the body so fast that a step of 1 s takes more than %d sub-steps; expected a "
             "smaller --range or a larger --inertia",
             (double)request->most_momentum, MOST_SUBSTEPS);
    }
}

/* The momentum below which Newton's method is proven to converge for a step of 1: there the library begins to take two
   sub-steps. Found by bisection for each angle, as the bounds of some methods depend on the direction. */
static void write_bound(FILE *script, const struct plot_request *request)
{
    enum { DIRECTIONS = 180, HALVINGS = 20 };
    static struct row row;
    gyre_body_solver solver = request->methods[0].solver;
    fputs("$bound << end\n", script);
    for (size_t direction = 0; direction <= DIRECTIONS; direction++) {
        double angle = PLOT_TURN * (double)direction / DIRECTIONS;
        double low = 0, high = 2 * (double)request->most_momentum;
        for (size_t halving = 0; halving < HALVINGS; halving++) {
            double middle = (low + high) / 2;
            gyre_body_report report = {0};
            fill_row(&row, request, 0);
            row.momentum[0][0] = (float)(middle * cos(angle));
            row.momentum[1][0] = (float)(middle * sin(angle));
            expect_step(gyre_bodies_step(&row.bodies, 0, 1, 1, &solver, &report), 1);
            *(report.substeps > 1 ? &high : &low) = middle;
        }
        fprintf(script, "%.5g %.5g\n", low * cos(angle), low * sin(angle));
    }
    fputs("end\n", script);
}

void plot_convergence(FILE *script, struct plot_request *request)
{
    static const char *const iterators[] = {"Newton''s iteration", "simple iteration"};
    static const char *const lefts[] = {"0.08", "0.50"};
    usual_map(request, 15);
    if (!solver_iterates(&request->methods[0].solver)) {
        fail(EXIT_BAD_INPUT, "--method: %s does not iterate, expected an iterative method, such as midpoint",
             request->methods[0].label);
    }
    expect_few_substeps(request);
    plot_style(script);
    progress_begin(false);
    double converged[2];
    for (int fixed_point = 0; fixed_point < 2; fixed_point++) {
        converged[fixed_point] = write_iterations(script, request, fixed_point == 1);
    }
    progress_clear();
    write_bound(script, request);
    fputs("set multiplot\n"
          "set label 'green: proven to converge' at screen 0.48, 0.035 center textcolor linetype 3\n",
          script);
    set_map(script, request);
    fprintf(script,
            "set palette defined (0 '#f2c230', 0.5 '#f2c230', 0.5 '#f4f4f4', %d.5 '#202020') maxcolors 256\n"
            "set cbrange [0:%d.5]\n"
            "set cbtics ('none' 0.25, '1' 1, '4' 4, '7' 7, '%d' %d)\n"
            "set cblabel 'iterations until a step of 1 s converges' textcolor '#303030'\n",
            MOST_ITERATIONS, MOST_ITERATIONS, MOST_ITERATIONS, MOST_ITERATIONS);
    for (int fixed_point = 0; fixed_point < 2; fixed_point++) {
        fprintf(script,
                "set margins screen %s, screen %s + 0.38, screen 0.13, screen 0.92\n"
                "set title '%s, %s: %.3g %% converge' textcolor '#303030' offset 0, -0.4\n"
                "%s\n"
                "%s\n"
                "plot $iterations%d matrix using (at($1)):(at($2)):3 with image%s\n",
                lefts[fixed_point], lefts[fixed_point], request->methods[0].label, iterators[fixed_point],
                100 * converged[fixed_point],
                fixed_point == 0
                    ? "set label '{/:Italic L_y} (kg m²/s)' at screen 0.012, 0.525 center rotate textcolor '#303030'"
                    : "unset label\nset format y ''",
                fixed_point == 0 ? "unset colorbox" : "set colorbox user origin 0.91, 0.13 size 0.018, 0.79",
                fixed_point, fixed_point == 0 ? ", $bound using 1:2 with lines linetype 3 linewidth 2.5" : "");
    }
    fputs("unset multiplot\n", script);
}

/* Writes the relative change of energy in one step of 1, with the sub-steps that the bound requires. Returns the
   largest. */
static double write_energies(FILE *script, const struct plot_request *request)
{
    static struct row row;
    static float before[MAP_SIDE], after[MAP_SIDE];
    gyre_body_solver solver = request->methods[0].solver;
    double most = 0;
    solver.max_substeps = MOST_SUBSTEPS;
    fputs("$energies << end\n", script);
    for (size_t line = 0; line < MAP_SIDE; line++) {
        fill_row(&row, request, line);
        compute_energies(&row, before);
        expect_step(gyre_bodies_step(&row.bodies, 0, MAP_SIDE, 1, &solver, NULL), 1);
        compute_energies(&row, after);
        for (size_t i = 0; i < MAP_SIDE; i++) {
            double change = before[i] > 0 ? fabs(((double)after[i] - (double)before[i]) / (double)before[i]) : 0;
            most = fmax(most, plot_finite(change));
            fprintf(script, " %.4g", 100 * change);
        }
        fputc('\n', script);
        progress_show((double)(line + 1) / MAP_SIDE, (double)((line + 1) * MAP_SIDE) / progress_seconds(), "bodies");
    }
    fputs("end\n", script);
    return most;
}

void plot_energy(FILE *script, struct plot_request *request)
{
    usual_map(request, 50);
    expect_few_substeps(request);
    plot_style(script);
    progress_begin(false);
    double most = write_energies(script, request);
    progress_clear();
    set_map(script, request);
    /* Small changes are scaled, so that the numbers next to the colours are short. */
    int power = 100 * most < 0.01 && most > 0 ? (int)floor(log10(100 * most)) : 0;
    char unit[LABEL_SIZE] = "%", most_text[LABEL_SIZE];
    if (power != 0) {
        snprintf(unit, sizeof unit, "10^{%d} %%", power);
    }
    snprintf(most_text, sizeof most_text, "%.2g%s%s", 100 * most * pow(10, -power), power != 0 ? " × " : " ", unit);
    fprintf(script,
            "set margins screen 0.13, screen 0.80, screen 0.12, screen 0.90\n"
            "set title '%s: at most %s' textcolor '#303030' offset 0, -0.4\n"
            "set ylabel '{/:Italic L_y} (kg m²/s)' textcolor '#303030' offset 1\n"
            "set cblabel 'change of energy in one step of 1 s (%s)' textcolor '#303030' offset 0.7\n"
            "set palette defined (0 '#00204d', 0.25 '#414d6b', 0.5 '#7c7b78', 0.75 '#bcae6c', 1 '#ffea46')\n"
            "set cbrange [0:%s]\n"
            "set colorbox user origin 0.83, 0.12 size 0.03, 0.78\n"
            "plot $energies matrix using (at($1)):(at($2)):($3 * 1e%d) with image\n",
            request->methods[0].label, most_text, unit, most > 0 ? "*" : "1", -power);
}
