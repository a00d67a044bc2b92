#include "commands/commands.h"

#include "batches/kinds.h"
#include "input/forms.h"
#include "input/solver.h"
#include "scene/run.h"
#include "scene/states.h"
#include "support/memory.h"
#include "support/options.h"
#include "support/progress.h"
#include "support/replace.h"
#include "support/system.h"
#include "support/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *scene, *output, *isa, *rounding;
    bool has_format, quiet;
    enum states_format format;
    double *times_s; /* of --at */
    size_t time_count;
    double rate; /* of --rate; 0: the frames of the scene */
    int threads;
};

static void add_times(struct options *o, const char *text)
{
    const char *at = text;
    for (;;) {
        char *end;
        double time = parse_number(at, &end);
        if (end == at || (*end != '\0' && *end != ',') || !isfinite(time) || time < 0) {
            fail(EXIT_BAD_INPUT, "--at %s: expected times in seconds, 0 or more, separated by commas", text);
        }
        o->times_s = resize(o->times_s, o->time_count + 1, sizeof(double));
        if (o->times_s == NULL) {
            out_of_memory(NULL);
        }
        o->times_s[o->time_count++] = time;
        if (*end == '\0') {
            return;
        }
        at = end + 1;
    }
}

static double parse_rate(const char *text)
{
    char *end;
    const double rate = parse_number(text, &end);
    if (end == text || *end != '\0' || !isfinite(rate) || rate <= 0) {
        fail(EXIT_BAD_INPUT, "--rate %s: expected frames per second, more than 0", text);
    }
    return rate;
}

static int parse_threads(const char *text)
{
    char *end;
    errno = 0;
    long threads = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || threads < 1 || threads > 1024) {
        fail(EXIT_BAD_INPUT, "--threads %s: expected 1 to 1024", text);
    }
#ifndef _OPENMP
    if (threads > 1) {
        fail(EXIT_BAD_INPUT, "--threads %s: this gyre was built without OpenMP, expected 1", text);
    }
#endif
    return (int)threads;
}

static bool to_stdout(const struct options *o) { return o->output != NULL && replace_is_stdout(o->output); }

static struct options parse(int argc, char **argv)
{
    enum { OUTPUT = 'o', QUIET = 'q', FORMAT = 256, AT, RATE, ISA, ROUNDING, THREADS };
    static const struct option known[] = {
        {"output", required_argument, NULL, OUTPUT},
        {"format", required_argument, NULL, FORMAT},
        {"at", required_argument, NULL, AT},
        {"rate", required_argument, NULL, RATE},
        {"isa", required_argument, NULL, ISA},
        {"rounding", required_argument, NULL, ROUNDING},
        {"threads", required_argument, NULL, THREADS},
        {"quiet", no_argument, NULL, QUIET},
        {NULL, 0, NULL, 0},
    };
    struct options o = {.threads = 1};
    for (int c; (c = next_option(argc, argv, "o:q", known)) != -1;) {
        switch (c) {
        case OUTPUT: o.output = optarg; break;
        case FORMAT:
            o.has_format = strchr(optarg, '.') == NULL && states_format_named(optarg, &o.format);
            if (!o.has_format) {
                fail(EXIT_BAD_INPUT, "--format %s: expected csv or jsonl", optarg);
            }
            break;
        case AT: add_times(&o, optarg); break;
        case RATE: o.rate = parse_rate(optarg); break;
        case ISA: o.isa = optarg; break;
        case ROUNDING: o.rounding = optarg; break;
        case THREADS: o.threads = parse_threads(optarg); break;
        case QUIET: o.quiet = true; break;
        }
    }
    if (argc - optind != 1) {
        fail(EXIT_BAD_INPUT, "simulate: expected one scene; try gyre help simulate");
    }
    o.scene = argv[optind];
    if (o.output == NULL && (o.has_format || o.time_count > 0)) {
        fail(EXIT_BAD_INPUT, "--%s: requires --output", o.has_format ? "format" : "at");
    }
    if (o.output != NULL && !o.has_format) {
        if (!states_format_named(o.output, &o.format) && !to_stdout(&o)) {
            fail(EXIT_BAD_INPUT, "--output %s: expected a name that ends in .csv or .jsonl, or --format", o.output);
        }
    }
    return o;
}

/* Ends the program unless the library knows this instruction set. */
static void expect_isa(const char *stated)
{
    char names[256] = "";
    for (int isa = 0; isa < GYRE_ISA_COUNT; isa++) {
        const char *name = gyre_isa_name((gyre_isa)isa);
        size_t length = strlen(names);
        if (strcmp(stated, name) == 0) {
            return;
        }
        if (isa != GYRE_ISA_WASM128) { /* reserved: no build has it */
            snprintf(names + length, sizeof names - length, " %s", name);
        }
    }
    fail(EXIT_BAD_INPUT, "--isa %s: no such instruction set, expected one of%s", stated, names);
}

/* The table for the options. Ends the program with a list of the tables that run here if it is not one of them. */
static const gyre_kernels *choose_table(const struct options *o)
{
    gyre_rounding rounding = GYRE_ROUNDING_PORTABLE;
    if (o->rounding != NULL && strcmp(o->rounding, "fused") == 0) {
        rounding = GYRE_ROUNDING_FUSED;
    } else if (o->rounding != NULL && strcmp(o->rounding, "portable") != 0) {
        fail(EXIT_BAD_INPUT, "--rounding %s: expected portable or fused", o->rounding);
    }
    if (o->isa != NULL) {
        expect_isa(o->isa);
    }
    const gyre_kernels *chosen = NULL;
    char here[256] = "";
    for (int isa = 0; isa < GYRE_ISA_COUNT; isa++) {
        const gyre_kernels *table = gyre_kernels_for((gyre_isa)isa, rounding);
        if (table == NULL) {
            continue;
        }
        const char *name = gyre_isa_name((gyre_isa)isa);
        size_t length = strlen(here);
        snprintf(here + length, sizeof here - length, " %s", name);
        if (o->isa != NULL && strcmp(o->isa, name) == 0) {
            chosen = table;
        }
    }
    if (o->isa == NULL && here[0] != '\0') {
        chosen = gyre_kernels_best(rounding);
    }
    if (chosen == NULL) {
        fail(EXIT_BAD_INPUT, "--isa %s --rounding %s: cannot run here; with %s rounding this machine runs:%s",
             o->isa != NULL ? o->isa : "any", gyre_rounding_name(rounding), gyre_rounding_name(rounding),
             here[0] != '\0' ? here : " none");
    }
    return chosen;
}

static void summary(FILE *out, const struct options *o, const struct scene *scene, const struct run_report *run,
                    struct states_written written, double wall_s)
{
    const double elements = scene_elements(scene), work = elements * (double)run->steps;
    const char *noun = scene_noun(scene, elements), *nouns = scene_noun(scene, work / run->kernel_s);
    const gyre_kernels *table = gyre_in_use();
    fprintf(out, "scene      %s: %s %s in %zu %s\n", scene->name, grouped(elements), noun, scene->batch_count,
            scene->batch_count == 1 ? "batch" : "batches");
    fprintf(out, "simulated  %g s in %s %s, %s %s\n", scene->duration_s, grouped((double)run->frames),
            run->frames == 1 ? "frame" : "frames", grouped((double)run->steps), run->steps == 1 ? "step" : "steps");
    fprintf(out, "table      %s, %s rounding, %d %s\n", gyre_isa_name(gyre_kernels_isa(table)),
            gyre_rounding_name(gyre_kernels_rounding(table)), o->threads, o->threads == 1 ? "thread" : "threads");
    fprintf(out, "kernels    %s %s x steps in %.3g ms: %s million %s per second\n", grouped(work), nouns,
            1e3 * run->kernel_s, millions(work / run->kernel_s), nouns);
    if (run->ceiling_s < 1e-6) {
        fprintf(out, "ceiling    not measured: a step of so few %s is too short to time\n", nouns);
    } else {
        const double percent = round(100 * run->ceiling_s / run->best_step_s);
        fprintf(out,
                "ceiling    the best step reaches %.0f %% of loads and stores alone%s: %s of %s million per second\n",
                percent, percent > 100 ? " (disturbed by other work)" : "", millions(elements / run->best_step_s),
                millions(elements / run->ceiling_s));
    }
    for (size_t i = 0; i < scene->batch_count; i++) {
        const struct batch *b = &scene->batches[i];
        if (b->kind->summary != NULL) {
            b->kind->summary(b, out);
        }
    }
    fprintf(out, "at rest    %s of %s %s\n", grouped((double)run->at_rest), grouped(elements), noun);
    if (o->output != NULL) {
        fprintf(out, "states     %s %s in %s\n", grouped((double)written.rows), written.rows == 1 ? "row" : "rows",
                to_stdout(o) ? "stdout" : o->output);
    }
    if (written.not_finite > 0) {
        fprintf(out, "overflow   non-finite values in %s of these rows\n", grouped((double)written.not_finite));
    }
    fprintf(out, "wall time  %.3g s\n", wall_s);
}

/* Warns of batches with steps that the library could not finish. Returns the exit status. */
static int warn_of_unfinished(const struct scene *scene, struct run_report run)
{
    int status = 0;
    for (size_t i = 0; i < scene->batch_count; i++) {
        const struct batch *b = &scene->batches[i];
        const uint64_t unfinished = b->kind->unfinished != NULL ? b->kind->unfinished(b) : 0;
        if (unfinished > 0) {
            warn("%s: %s of %s steps of %s were not finished, and the states after them are wrong: raise max_substeps "
                 "or "
                 "max_iterations of the solver, shorten the steps, or look for values that are not finite",
                 b->name, grouped((double)unfinished), grouped((double)b->count * (double)run.steps), b->kind->many);
            status = EXIT_UNFINISHED;
        }
    }
    return status;
}

int simulate(int argc, char **argv)
{
    static struct scene scene;
    double began = seconds_now();
    struct options o = parse(argc, argv);
    gyre_use(choose_table(&o));

    progress_begin_reading(o.quiet);
    scene_read(&scene, o.scene, batch_kinds);
    if (o.rate > 0 && !scene_set_rate(&scene, o.rate)) {
        fail(EXIT_BAD_INPUT, "--rate %.15g: too many frames in the scene's duration of %.15g s", o.rate,
             scene.duration_s);
    }
    for (size_t i = 0; i < o.time_count; i++) {
        if (!scene_lasts_until(&scene, o.times_s[i])) {
            fail(EXIT_BAD_INPUT, "--at %.15g: expected a time up to the scene's duration of %.15g s", o.times_s[i],
                 scene.duration_s);
        }
    }
    if (o.time_count > 0) {
        scene_set_outputs(&scene, o.times_s, o.time_count);
    }

    /* OpenMP would end the program with its own message if it could not start a thread. */
    const int threads = o.threads == 1 ? 1 : threads_at_once(o.threads);
    if (threads < o.threads) {
        fail(EXIT_FAILED, "--threads %d: only %d can be started here, within the limits on memory and processes",
             o.threads, threads);
    }

    bool write = o.output != NULL;
    struct states_written written = {0};
    if (write) {
        states_open(o.output, o.format, &scene);
    }
    progress_begin(o.quiet);
    struct run_report run = run_scene(&scene, o.threads, write);
    if (write) {
        written = states_close();
    }
    if (!o.quiet) {
        summary(to_stdout(&o) ? stderr : stdout, &o, &scene, &run, written, seconds_now() - began);
    }
    release(o.times_s);
    return warn_of_unfinished(&scene, run);
}
