#include "scene/run.h"

#include "scene/events.h"
#include "scene/states.h"
#include "support/progress.h"
#include "support/replace.h"
#include "support/system.h"

#include <math.h>

/* Slices begin at multiples of this many elements, so that no two threads write to the same cache line. */
enum { SLICE_MULTIPLE = 64 };

enum pass { ADVANCE, TOUCH };

static size_t slice_start(size_t count, int slice, int slices)
{
    if (slice == slices) {
        return count;
    }
    return count / (size_t)slices * (size_t)slice / SLICE_MULTIPLE * SLICE_MULTIPLE;
}

/* Processes one slice of every batch. Returns the smallest status, which is an error if there is one. */
static gyre_status pass_slice(const struct scene *scene, enum pass pass, int slice, int slices)
{
    gyre_status worst = GYRE_OK;
    for (size_t i = 0; i < scene->batch_count; i++) {
        const struct batch *b = &scene->batches[i];
        size_t begin = slice_start(b->count, slice, slices), end = slice_start(b->count, slice + 1, slices);
        if (pass == TOUCH) {
            b->kind->touch(b, begin, end);
            continue;
        }
        gyre_status status = b->kind->advance(b, begin, end);
        worst = status < worst ? status : worst;
    }
    return worst;
}

struct pass_report {
    double passed_s;
    gyre_status status;
};

/* One timed pass over every batch. The kernels and the ceiling share it, with its slices, threads and clock, so that
   their times are comparable. */
static struct pass_report timed_pass(const struct scene *scene, enum pass pass, int threads)
{
    gyre_status worst = GYRE_OK;
    double began = seconds_now();
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(min : worst)
#endif
    for (int slice = 0; slice < threads; slice++) {
        gyre_status status = pass_slice(scene, pass, slice, threads);
        worst = status < worst ? status : worst;
    }
    return (struct pass_report){seconds_now() - began, worst};
}

static double step(const struct scene *scene, double at_s, float dt_s, int threads)
{
    for (size_t i = 0; i < scene->batch_count; i++) {
        scene->batches[i].kind->prepare(&scene->batches[i], at_s, dt_s);
    }
    struct pass_report pass = timed_pass(scene, ADVANCE, threads);
    expect_step(pass.status, dt_s);
    return pass.passed_s;
}

/* The fastest of as many passes as there were steps, so that both minima have the same chance of an undisturbed run. */
static double measure_ceiling(const struct scene *scene, int threads, size_t steps)
{
    double best_s = INFINITY, spent_s = 0;
    for (size_t i = 0; i < 5 || (i < steps && spent_s < 0.25); i++) {
        double passed_s = timed_pass(scene, TOUCH, threads).passed_s;
        best_s = fmin(best_s, passed_s);
        spent_s += passed_s;
    }
    return best_s;
}

static double next_event_s(const struct scene *scene)
{
    double next = INFINITY;
    for (size_t i = 0; i < scene->batch_count; i++) {
        next = fmin(next, events_next_s(&scene->batches[i].events));
    }
    return next;
}

static void apply_events(const struct scene *scene, double until_s)
{
    for (size_t i = 0; i < scene->batch_count; i++) {
        struct batch *b = &scene->batches[i];
        while (events_next_s(&b->events) <= until_s) {
            b->kind->apply_event(b, events_take(&b->events));
        }
    }
}

/* Progress of writing states, whose time per row differs from that of a step. */
struct writing {
    double rows, all_rows;
    double passed_s;
};

/* The fraction of the run's time that has passed when the fraction `simulated` of the scene's duration is done. The
   time per row is a guess until one is written. */
static double fraction_done(const struct writing *writing, double simulated)
{
    double row_s = writing->rows > 0 ? writing->passed_s / writing->rows : 1e-6;
    double passed_s = progress_seconds(), stepping_s = passed_s - writing->passed_s;
    double all_s = row_s * writing->all_rows + (simulated > 0 ? stepping_s / simulated : 0);
    return fmin(passed_s / all_s, 1);
}

/* Writes in pieces, so that the progress bar moves. */
static void write_states(const struct scene *scene, struct writing *writing, double simulated)
{
    enum { PIECE = 1 << 12 };
    for (size_t i = 0; i < scene->batch_count; i++) {
        const struct batch *b = &scene->batches[i];
        for (size_t begin = 0; begin < b->count; begin += PIECE) {
            size_t end = b->count - begin > PIECE ? begin + PIECE : b->count;
            double began = seconds_now();
            b->kind->write(b, begin, end);
            replace_check();
            writing->passed_s += seconds_now() - began;
            writing->rows += (double)(b->rows_each * (end - begin));
            progress_show(fraction_done(writing, simulated), writing->rows / writing->passed_s, "rows");
        }
    }
}

/* A step may have any length up to that of a frame, so events and outputs do not wait for the end of a frame: a step
   ends at the next frame end, event or output, whichever is first. Events are applied before states of the same time
   are written. */
struct run_report run_scene(const struct scene *scene, int threads, bool write)
{
    struct run_report report = {.best_step_s = INFINITY};
    size_t output = 0;
    double elements = scene_elements(scene);
    struct writing writing = {.all_rows = write ? scene_rows(scene) * (double)scene->output_count : 0};
    double time_s = 0;    /* of the scene */
    double stepped_s = 0; /* sum of the steps, which are floats: the next step compensates their rounding */
    const double same_s = SCENE_SAME * scene->duration_s; /* times closer than this are equal except for rounding */

    for (;;) {
        apply_events(scene, time_s + same_s);
        bool over = time_s + same_s >= scene->duration_s;
        bool asked = write && output < scene->output_count && scene->output_times_s[output] <= time_s + same_s;
        if (asked || over) {
            step(scene, time_s, 0, threads); /* changes no state, but updates awake for the present targets */
        }
        for (; asked && output < scene->output_count && scene->output_times_s[output] <= time_s + same_s; output++) {
            states_at(scene->output_times_s[output]);
            write_states(scene, &writing, time_s / scene->duration_s);
        }
        if (over) {
            break;
        }

        double next_s = fmin(scene->duration_s, fmin(scene_frame_end(scene, report.frames), next_event_s(scene)));
        if (write && output < scene->output_count) {
            next_s = fmin(next_s, scene->output_times_s[output]);
        }
        float dt_s = (float)(next_s - stepped_s);
        if (dt_s > 0) {
            double passed_s = step(scene, next_s, dt_s, threads);
            report.kernel_s += passed_s;
            report.best_step_s = fmin(report.best_step_s, passed_s);
            report.steps++;
            stepped_s += (double)dt_s;
        }
        time_s = next_s;
        while (time_s + same_s < scene->duration_s && scene_frame_end(scene, report.frames) <= time_s + same_s) {
            report.frames++;
        }
        double work = elements * (double)report.steps;
        progress_show(fraction_done(&writing, time_s / scene->duration_s), work / report.kernel_s,
                      scene_noun(scene, work));
    }
    /* The last frame ends with the run, and so do frames of 0 s after it. */
    do {
        report.frames++;
    } while (scene->frame_ends_s != NULL && report.frames < scene->frame_count &&
             scene_frame_end(scene, report.frames) <= time_s + same_s);

    for (size_t i = 0; i < scene->batch_count; i++) {
        report.at_rest += scene->batches[i].kind->at_rest(&scene->batches[i]);
    }
    progress_clear();
    report.ceiling_s = measure_ceiling(scene, threads, report.steps);
    return report;
}
