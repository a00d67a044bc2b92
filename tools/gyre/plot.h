/* What `gyre plot` was asked for, and what the pictures share. A picture is gnuplot commands. */
#ifndef GYRE_TOOL_PLOT_H
#define GYRE_TOOL_PLOT_H

#include <gyre/gyre.h>

#include <stdbool.h>
#include <stdio.h>

enum { MOST_CURVES = 7, MOST_RETARGETS = 32, LABEL_SIZE = 128 };

struct plot_spring {
    gyre_spring spring;
    char label[LABEL_SIZE];
};

struct plot_drag {
    float drag;
    char label[LABEL_SIZE];
};

struct plot_retarget {
    float at_s, target;
};

struct plot_request {
    bool is_plain; /* no option but --output was given */
    struct plot_spring springs[MOST_CURVES];
    size_t spring_count;
    struct plot_drag drags[MOST_CURVES];
    size_t drag_count;
    bool has_start;
    float position, velocity;                       /* at the start */
    struct plot_retarget retargets[MOST_RETARGETS]; /* by time */
    size_t retarget_count;
    float acceleration;
    float duration_s, tolerance; /* 0: not given */
};

/* What getopt_long returns for the options that make a request. */
enum {
    PLOT_SPRING = 256,
    PLOT_DRAG,
    PLOT_START,
    PLOT_RETARGET,
    PLOT_ACCELERATION,
    PLOT_DURATION,
    PLOT_TOLERANCE,
    PLOT_OPTIONS_END
};

/* Takes one, or ends the program if its text is wrong; then, when all are taken, sorts and checks them together. */
void plot_option(struct plot_request *request, int option, const char *text);
void plot_check(struct plot_request *request);

/* Each fills in what the request leaves open. */
void plot_springs(FILE *script, struct plot_request *request);
void plot_motion(FILE *script, struct plot_request *request);

/* Colours, grid and line types 1 to MOST_CURVES. */
void plot_style(FILE *script);

#define PLOT_PANELS_RIGHT 0.67 /* of the picture's width */
#define PLOT_LEGEND_LEFT 0.70

/* Entry i of the legend in the right margin: a line and its label in the colour of curve i, and a note below. And a
   note at the foot of that margin. */
void plot_legend(FILE *script, size_t i, const char *label, const char *note);
void plot_footnote(FILE *script, const char *text);

/* To one digit. */
float plot_round(float value);

/* A dot on each curve with its time above it, in as many rows as keep the texts apart. NaN is none, and what is beyond
   the end is left out. */
void plot_dots(FILE *script, const float times_s[], const float heights[], size_t count, float end_s);

#endif
