#include "plot/plot.h"

#include "input/solver.h"
#include "support/common.h"
#include "support/options.h"
#include "support/replace.h"
#include "support/text.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const struct picture {
    const char *name;
    void (*draw)(FILE *script, struct plot_request *request); /* after the terminal is set */
    int width, height;                                        /* pixels in an SVG; a PNG has twice as many */
    int options[8];                                           /* options of the picture; ends with 0 */
} pictures[] = {
    {"springs", plot_springs, 1200, 500, {PLOT_SPRING, PLOT_START, PLOT_RETARGET, PLOT_DURATION, PLOT_TOLERANCE}},
    {"particles",
     plot_particles,
     1200,
     700,
     {PLOT_DAMPING, PLOT_START, PLOT_ACCELERATION, PLOT_DURATION, PLOT_TOLERANCE}},
    {"turns", plot_turns, 1200, 700, {0}},
    {"tumble", plot_tumble, 1200, 700, {PLOT_METHOD, PLOT_INERTIA, PLOT_SPIN, PLOT_TIME_STEP, PLOT_DURATION}},
    {"herpolhode", plot_herpolhode, 1200, 500, {PLOT_METHOD, PLOT_INERTIA, PLOT_SPIN, PLOT_TIME_STEP, PLOT_DURATION}},
    {"convergence", plot_convergence, 1200, 577, {PLOT_METHOD, PLOT_INERTIA, PLOT_RANGE}},
    {"energy", plot_energy, 800, 690, {PLOT_METHOD, PLOT_INERTIA, PLOT_RANGE}},
    {"frontier", plot_frontier, 1200, 750, {PLOT_PEERS}},
};

enum { PICTURE_COUNT = sizeof pictures / sizeof pictures[0] };

/* For next_option(): the last one is all zeros. */
static const struct option *known_options(void)
{
    static struct option known[1 + PLOT_OPTIONS_END] = {
        {"output", required_argument, NULL, 'o'},
    };
    for (int option = PLOT_SPRING; option < PLOT_OPTIONS_END; option++) {
        known[option] = (struct option){plot_option_name(option), required_argument, NULL, option};
    }
    return known;
}

static const struct picture *find(const char *name)
{
    const char *names[PICTURE_COUNT + 1] = {NULL};
    for (size_t i = 0; i < PICTURE_COUNT; i++) {
        names[i] = pictures[i].name;
        if (strcmp(name, names[i]) == 0) {
            return &pictures[i];
        }
    }
    const char *nearest = nearest_word(name, names);
    if (nearest != NULL) {
        fail(EXIT_BAD_INPUT, "unknown picture \"%s\"; did you mean %s?", name, nearest);
    }
    fail(EXIT_BAD_INPUT, "unknown picture \"%s\"; try gyre help plot", name);
}

static void set_terminal(FILE *script, const struct picture *picture, const char *output)
{
    const char *dot = strrchr(output, '.');
    if (dot != NULL && strcmp(dot, ".svg") == 0) {
        fprintf(script, "set terminal svg size %d,%d enhanced rounded font 'DejaVu Sans,16' background 'white'\n",
                picture->width, picture->height);
    } else if (dot != NULL && strcmp(dot, ".png") == 0) {
        fprintf(script, "set terminal pngcairo size %d,%d enhanced rounded font 'DejaVu Sans,24' linewidth 2\n",
                2 * picture->width, 2 * picture->height);
    } else {
        fail(EXIT_BAD_INPUT, "--output %s: expected a name that ends in .svg or .png", output);
    }
}

/* Returns the number of bytes copied. */
static size_t copy(int from, FILE *to)
{
    char buffer[1 << 14];
    size_t copied = 0;
    for (ssize_t length; (length = read(from, buffer, sizeof buffer)) != 0;) {
        if (length > 0) {
            copied += fwrite(buffer, 1, (size_t)length, to);
        } else if (errno != EINTR) {
            fail(EXIT_FAILED, "cannot read the output of gnuplot: %s", strerror(errno));
        }
    }
    return copied;
}

/* gnuplot reads the script from an unnamed file, so that no pipe can fill up. Its output comes through a pipe, because
   gnuplot does not report a full disk. The user's settings of gnuplot are ignored. */
static void run_gnuplot(FILE *script, FILE *picture)
{
    char *arguments[] = {"gnuplot", "--default-settings", NULL};
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = 0, drawn[2];
    if (ferror(script) || fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) != 0) {
        fail(EXIT_FAILED, "cannot write the script for gnuplot: %s", strerror(errno));
    }
    if (pipe(drawn) != 0 || fcntl(drawn[0], F_SETFD, FD_CLOEXEC) != 0 || fcntl(drawn[1], F_SETFD, FD_CLOEXEC) != 0) {
        fail(EXIT_FAILED, "cannot make a pipe for gnuplot: %s", strerror(errno));
    }
    setenv("LC_ALL", "C.UTF-8", 1); /* gnuplot reads the Greek letters of the script as its locale says */
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, drawn[1], STDOUT_FILENO);
    int problem = posix_spawnp(&child, arguments[0], &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    close(drawn[1]);
    const size_t copied = copy(drawn[0], picture);
    close(drawn[0]);
    if (problem != 0 && problem != ENOENT) {
        fail(EXIT_FAILED, "cannot start gnuplot: %s", strerror(problem));
    }
    if (problem == 0 && (waitpid(child, &status, 0) != child || !WIFEXITED(status))) {
        fail(EXIT_FAILED, "gnuplot was killed");
    }
    /* Under an emulator posix_spawnp() may not report a missing program; the child then exits with 127. */
    if (problem == ENOENT || WEXITSTATUS(status) == 127) {
        fail(EXIT_FAILED, "gnuplot is not installed; on Debian: apt-get install gnuplot-nox");
    }
    if (WEXITSTATUS(status) != 0) {
        fail(EXIT_FAILED, "gnuplot failed with exit status %d", WEXITSTATUS(status));
    }
    if (copied == 0 && !ferror(picture)) { /* replace_commit() reports a full disk */
        fail(EXIT_FAILED, "gnuplot drew nothing");
    }
}

/* next_option() accepts the options of all pictures. */
static void expect_option(const struct picture *picture, int option)
{
    size_t i = 0;
    while (picture->options[i] != 0 && picture->options[i] != option) {
        i++;
    }
    if (picture->options[i] == 0) {
        fail(EXIT_BAD_INPUT, "--%s is not for plot %s; try gyre help plot", plot_option_name(option), picture->name);
    }
}

int plot(int argc, char **argv)
{
    static struct plot_request request;
    const char *output = NULL;
    bool given[PLOT_OPTIONS_END] = {false};
    const struct option *known = known_options();
    char usual[64];
    for (int c; (c = next_option(argc, argv, "o:", known)) != -1;) {
        switch (c) {
        case 'o': output = optarg; break;
        default: plot_option(&request, c, optarg); given[c] = true;
        }
    }
    if (argc - optind != 1) {
        fail(EXIT_BAD_INPUT, "plot: expected one picture; try gyre help plot");
    }
    const struct picture *picture = find(argv[optind]);
    request.is_plain = true;
    for (int option = PLOT_SPRING; option < PLOT_OPTIONS_END; option++) {
        if (given[option]) {
            expect_option(picture, option);
            request.is_plain = false;
        }
    }
    plot_check(&request);
    if (output == NULL) {
        snprintf(usual, sizeof usual, "%s.svg", picture->name);
        output = usual;
    }
    FILE *script = tmpfile();
    if (script == NULL) {
        fail(EXIT_FAILED, "cannot make a temporary file: %s", strerror(errno));
    }
    set_terminal(script, picture, output);
    FILE *drawing = replace_open(output); /* first, so that no work is lost if it cannot be written */
    picture->draw(script, &request);
    run_gnuplot(script, drawing);
    replace_commit();
    fclose(script);
    return 0;
}
