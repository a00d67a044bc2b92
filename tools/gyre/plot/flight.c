/* Functions that the pictures of bodies in flight share. */
#include "plot/plot.h"

#include "plot/single_body.h"
#include "support/common.h"
#include "support/progress.h"

#include <string.h>

enum { MOST_STEPS = 10000000 };

/* From Maciej Mizerski's article on the rotation of rigid bodies (Roblox). */
const float plot_t_handle[3] = {2.5f, 1.4f, 1.3f};

size_t plot_steps(const struct plot_request *request)
{
    return (size_t)((double)request->duration_s / (double)request->time_step_s + 0.5);
}

size_t plot_stride(size_t steps, size_t points) { return steps / points + 1; }

void plot_step_exactly(const struct plot_request *request, struct single_body *body)
{
    static const gyre_body_solver exact = {.method = GYRE_BODY_MOSER_VESELOV, .order = 8};
    if (!single_body_step(body, &exact, request->time_step_s / PLOT_EXACT_PARTS)) {
        fail(EXIT_BAD_INPUT,
             "--time-step %g: the body rotates too far in a step for an exact reference; expected a smaller step",
             (double)request->time_step_s);
    }
}

void plot_show_steps(size_t done, size_t all)
{
    progress_show((double)done / (double)all, (double)done / progress_seconds(), "steps");
}

void plot_usual_flight(struct plot_request *request)
{
    if (!request->has_inertia) {
        memcpy(request->inertia, plot_t_handle, sizeof plot_t_handle);
    }
    if (!request->has_spin) {
        single_body_middle_spin(request->inertia, 6, 0.01f, request->spin);
    }
    if (request->time_step_s == 0) {
        request->time_step_s = 0.1f;
    }
    if (request->duration_s == 0) {
        request->duration_s = 60;
    }
    if (request->method_count == 0) {
        request->methods[0] = plot_method_of(GYRE_BODY_MOSER_VESELOV, 6);
        request->methods[1] = plot_method_of(GYRE_BODY_MIDPOINT, 0);
        request->methods[2] = plot_method_of(GYRE_BODY_OBJECT_TRAPEZOID, 0);
        request->methods[3] = plot_method_of(GYRE_BODY_TRAPEZOID, 0);
        request->methods[4] = plot_method_of(GYRE_BODY_EXPLICIT_EULER, 0);
        request->method_count = 5;
    }
    double steps = (double)request->duration_s / (double)request->time_step_s;
    if (request->duration_s < request->time_step_s) {
        fail(EXIT_BAD_INPUT, "--duration %g: is less than one time step of %g s", (double)request->duration_s,
             (double)request->time_step_s);
    }
    if (steps > MOST_STEPS) {
        fail(EXIT_BAD_INPUT, "--time-step %g: gives %.3g steps in %g s, expected at most %d",
             (double)request->time_step_s, steps, (double)request->duration_s, MOST_STEPS);
    }
}
