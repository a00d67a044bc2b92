#include "commands.h"

#include "common.h"
#include "replace.h"

#include <gyre/gyre.h>

#include <errno.h>
#include <getopt.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Writes gnuplot commands that draw the picture; the terminal is set already. */
typedef void (*draw_function)(FILE *script);

static void draw_springs(FILE *script);

static const struct picture {
    const char *name;
    draw_function draw;
    const char *summary;
    int width, height; /* pixels in an SVG; a PNG has twice as many */
} pictures[] = {
    {"springs", draw_springs, "displacement over time: underdamped, critical, overdamped", 1200, 500},
};

enum { PICTURE_COUNT = sizeof pictures / sizeof pictures[0] };

void plot_help(FILE *out)
{
    fputs("Usage: gyre plot PICTURE [-o FILE]\n\n"
          "Draws a picture of what the library computes, with gnuplot.\n\n",
          out);
    for (size_t i = 0; i < PICTURE_COUNT; i++) {
        fprintf(out, "  %-10s%s\n", pictures[i].name, pictures[i].summary);
    }
    fputs("\n  -o, --output FILE   .svg or .png; default: PICTURE.svg\n"
          "  -h, --help          this\n",
          out);
}

/* The three regimes of a damped spring, from the two starts that Ryan Juckett's "Damped Springs" (2012) shows. */
static void draw_springs(FILE *script)
{
    enum { REGIMES = 3, STARTS = 2, SAMPLES = 481 };
    static const float damping_ratios[REGIMES] = {0.5f, 1, 2};
    static const float start_position[STARTS] = {1, 0.5f}, start_velocity[STARTS] = {0, 1};
    const float end_s = 12;

    for (size_t start = 0; start < STARTS; start++) {
        fprintf(script, "$start%zu << end\n", start);
        for (int sample = 0; sample < SAMPLES; sample++) {
            float time_s = end_s * (float)sample / (SAMPLES - 1);
            fprintf(script, "%.9g", (double)time_s);
            for (size_t regime = 0; regime < REGIMES; regime++) {
                gyre_spring spring = {.angular_frequency = 1, .damping_ratio = damping_ratios[regime]};
                float position = start_position[start], velocity = start_velocity[start];
                gyre_springs springs = {.count = 1, .position = &position, .velocity = &velocity};
                gyre_spring_matrix matrix;
                if (gyre_spring_matrix_at(spring, time_s, &matrix) != GYRE_OK ||
                    gyre_springs_step(&springs, 0, 1, &matrix) != GYRE_OK) {
                    fail(EXIT_FAILED, "the library refused a step");
                }
                fprintf(script, " %.9g", (double)position);
            }
            fputc('\n', script);
        }
        fputs("end\n", script);
    }

    fputs("set encoding utf8\n"
          "set multiplot layout 1, 2 margins 0.08, 0.98, 0.14, 0.81 spacing 0.035, 0\n"
          "set xrange [0:12]\n"
          "set yrange [-0.3:1.1]\n"
          "set xtics 0, 2 nomirror scale 0.5\n"
          "set ytics 0.25 nomirror scale 0.5 format '%.2f'\n"
          "set minussign\n"
          "set grid xtics ytics linetype 1 linecolor '#e3e3e3' linewidth 1\n"
          "set border 3 linecolor '#707070'\n"
          "set tics textcolor '#303030'\n"
          "set xzeroaxis linetype 1 linecolor '#707070' linewidth 1.2\n"
          "set xlabel 'time (s)' textcolor '#303030'\n"
          "unset key\n"
          /* Okabe and Ito's palette: told apart by every kind of colour vision. */
          "set linetype 1 linecolor '#D55E00' linewidth 2.5\n"
          "set linetype 2 linecolor '#0072B2' linewidth 2.5\n"
          "set linetype 3 linecolor '#009E73' linewidth 2.5\n"
          "set label 1 '━━  underdamped, ζ = 0.5' at screen 0.30, 0.95 center textcolor linetype 1\n"
          "set label 2 '━━  critical, ζ = 1' at screen 0.53, 0.95 center textcolor linetype 2\n"
          "set label 3 '━━  overdamped, ζ = 2' at screen 0.76, 0.95 center textcolor linetype 3\n"
          "set title 'released:  x = 1 m,  v = 0' textcolor '#303030' offset 0, -0.4\n"
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

static const struct picture *find(const char *name)
{
    for (size_t i = 0; i < PICTURE_COUNT; i++) {
        if (strcmp(name, pictures[i].name) == 0) {
            return &pictures[i];
        }
    }
    fail(EXIT_BAD_INPUT, "unknown picture \"%s\"; try gyre help plot", name);
}

static void set_terminal(FILE *script, const struct picture *picture, const char *output)
{
    const char *dot = strrchr(output, '.');
    if (dot != NULL && strcmp(dot, ".svg") == 0) {
        fprintf(script, "set terminal svg size %d,%d enhanced font 'DejaVu Sans,16' background 'white'\n",
                picture->width, picture->height);
    } else if (dot != NULL && strcmp(dot, ".png") == 0) {
        fprintf(script, "set terminal pngcairo size %d,%d enhanced font 'DejaVu Sans,24' linewidth 2\n",
                2 * picture->width, 2 * picture->height);
    } else {
        fail(EXIT_BAD_INPUT, "--output %s: expected a name that ends in .svg or .png", output);
    }
}

/* gnuplot reads the script from a file without a name, so that no pipe can fill up, and writes to `picture`. */
static void run_gnuplot(FILE *script, FILE *picture)
{
    char *arguments[] = {"gnuplot", NULL};
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = 0;
    if (fflush(script) != 0 || lseek(fileno(script), 0, SEEK_SET) != 0) {
        fail(EXIT_FAILED, "cannot write the script for gnuplot: %s", strerror(errno));
    }
    setenv("LC_ALL", "C.UTF-8", 1); /* the script has Greek letters, and gnuplot reads as its locale says */
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(picture), STDOUT_FILENO);
    int problem = posix_spawnp(&child, arguments[0], &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    if (problem != 0 && problem != ENOENT) {
        fail(EXIT_FAILED, "cannot start gnuplot: %s", strerror(problem));
    }
    if (problem == 0 && (waitpid(child, &status, 0) != child || !WIFEXITED(status))) {
        fail(EXIT_FAILED, "gnuplot was stopped");
    }
    /* 127 is what a child says that found no program, where posix_spawnp could not: under an emulator. */
    if (problem == ENOENT || WEXITSTATUS(status) == 127) {
        fail(EXIT_FAILED, "gnuplot is not installed; on Debian: apt-get install gnuplot-nox");
    }
    if (WEXITSTATUS(status) != 0) {
        fail(EXIT_FAILED, "gnuplot failed with exit status %d", WEXITSTATUS(status));
    }
}

int plot(int argc, char **argv)
{
    static const struct option known[] = {
        {"output", required_argument, NULL, 'o'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const char *output = NULL;
    char usual[64];
    for (int c; (c = getopt_long(argc, argv, "o:h", known, NULL)) != -1;) {
        switch (c) {
        case 'o': output = optarg; break;
        case 'h': plot_help(stdout); return 0;
        default: return EXIT_BAD_INPUT; /* getopt_long has said why */
        }
    }
    if (argc - optind != 1) {
        fail(EXIT_BAD_INPUT, "plot: expected one picture; try gyre help plot");
    }
    const struct picture *picture = find(argv[optind]);
    if (output == NULL) {
        snprintf(usual, sizeof usual, "%s.svg", picture->name);
        output = usual;
    }
    FILE *script = tmpfile();
    if (script == NULL) {
        fail(EXIT_FAILED, "cannot make a temporary file: %s", strerror(errno));
    }
    set_terminal(script, picture, output);
    picture->draw(script);
    run_gnuplot(script, replace_open(output));
    replace_commit();
    fclose(script);
    return 0;
}
