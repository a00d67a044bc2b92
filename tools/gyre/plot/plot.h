/* The command `gyre plot`: what it was asked for, and what the pictures share. A picture is gnuplot commands. */
#ifndef GYRE_TOOL_PLOT_H
#define GYRE_TOOL_PLOT_H

#include <gyre/gyre.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define PLOT_TURN 6.283185307179586 /* all round, in radians */

int plot(int argc, char **argv); /* see commands/commands.h */

enum { PLOT_SAMPLES = 801 }; /* of a curve over time */
enum { MOST_CURVES = 7, MOST_RETARGETS = 32, MOST_PEERS = 2, MOST_POINTS = 5, LABEL_SIZE = 128 };

struct plot_spring {
    gyre_spring spring;
    char label[LABEL_SIZE];
};

struct plot_damping {
    float damping;
    char label[LABEL_SIZE];
};

struct plot_method {
    gyre_body_solver solver;
    char label[LABEL_SIZE];
};

struct plot_retarget {
    float at_s, target;
};

/* An engine that was measured elsewhere. */
struct plot_peer {
    char label[LABEL_SIZE];
    struct {
        double cost, error_rad; /* cost 1 is that of Gyre's Moser-Veselov, order 6, in the same run */
    } points[MOST_POINTS];
    size_t point_count;
};

struct plot_request {
    bool is_plain; /* no option but --output was given */
    struct plot_spring springs[MOST_CURVES];
    size_t spring_count;
    struct plot_damping dampings[MOST_CURVES];
    size_t damping_count;
    bool has_start;
    float position, velocity;                       /* at the start */
    struct plot_retarget retargets[MOST_RETARGETS]; /* by time */
    size_t retarget_count;
    float acceleration;
    float duration_s, tolerance; /* 0: not given */

    struct plot_method methods[MOST_CURVES]; /* of bodies */
    size_t method_count;
    float inertia[3], spin[3]; /* principal moments; in the body; has_spin tells */
    bool has_inertia, has_spin;
    float time_step_s, most_momentum; /* 0: not given */
    struct plot_peer peers[MOST_PEERS];
    size_t peer_count;
};

/* The options that make a request, as getopt_long returns them: less than any letter. */
enum {
    PLOT_SPRING = 1,
    PLOT_DAMPING,
    PLOT_START,
    PLOT_RETARGET,
    PLOT_ACCELERATION,
    PLOT_DURATION,
    PLOT_TOLERANCE,
    PLOT_METHOD,
    PLOT_INERTIA,
    PLOT_SPIN,
    PLOT_TIME_STEP,
    PLOT_RANGE,
    PLOT_PEERS,
    PLOT_OPTIONS_END
};

const char *plot_option_name(int option);

/* Takes one, or ends the program if its text is wrong; then, when all are taken, sorts and checks them together. */
void plot_option(struct plot_request *request, int option, const char *text);
void plot_check(struct plot_request *request);

/* Each fills in what the request leaves open. */
void plot_springs(FILE *script, struct plot_request *request);
void plot_particles(FILE *script, struct plot_request *request);
void plot_tumble(FILE *script, struct plot_request *request);
void plot_herpolhode(FILE *script, struct plot_request *request);
void plot_convergence(FILE *script, struct plot_request *request);
void plot_energy(FILE *script, struct plot_request *request);
void plot_frontier(FILE *script, struct plot_request *request);

/* Colours, grid and line types 1 to MOST_CURVES. */
void plot_style(FILE *script);

#define PLOT_PANELS_RIGHT 0.67 /* of the picture's width */
#define PLOT_LEGEND_LEFT 0.70

/* Entry i of the legend in the right margin: a line and its label in the colour of curve i, and a note below. And a
   line of a note at the foot of that margin. */
void plot_legend(FILE *script, size_t i, const char *label, const char *note);
void plot_legend_at(FILE *script, size_t i, double height, const char *label, const char *note); /* screen, 0 to 1 */
void plot_footnote(FILE *script, int lines_below, const char *text);

/* A method and its usual label: "Moser-Veselov, order 6". */
struct plot_method plot_method_of(gyre_body_method method, int order);

/* Fills in what a request leaves open of a flight of bodies: the T-handle, turning about its middle axis, and each
   method. Ends the program if it is too many steps. */
void plot_usual_flight(struct plot_request *request);

/* As many on the axis of time as there is room for, which in a narrow panel are few. */
void plot_time_tics(FILE *script, const struct plot_request *request, bool is_narrow);

/* One of so many parts of the picture's step, for what is drawn as exact. Ends the program where it would not be. */
enum { PLOT_EXACT_PARTS = 16 };
struct single_body;
void plot_step_exactly(const struct plot_request *request, struct single_body *body);

/* Of the T-handle whose maps the pictures draw. */
extern const float plot_t_handle[3];

/* The time of one of so many samples, the first at 0 and the last at the end. */
float plot_sample_s(float end_s, int sample, int samples);

/* Between progress_begin() and progress_clear(): so many steps of all those that the picture takes are done. */
void plot_show_steps(size_t done, size_t all);

enum { PLOT_POINTS = 600 }; /* of a curve over steps: it has one after each so many */
size_t plot_steps(const struct plot_request *request);
size_t plot_stride(size_t steps, size_t points);

/* The value; ends the program if it is not finite: gnuplot would leave it out, or complain in words of its own. */
double plot_finite(double value);

/* From the lowest to the highest of what curves show. */
struct plot_extent {
    double low, high;
};

#define PLOT_NOTHING ((struct plot_extent){INFINITY, -INFINITY})
void plot_extend(struct plot_extent *extent, double value);

/* Where curves over time are: the heights of each in each part of the time. To be told all samples one after the
   other, of which there are at least as many as parts. */
enum { PLOT_TIME_PARTS = 200 };
struct plot_traces {
    struct plot_extent heights[MOST_CURVES][PLOT_TIME_PARTS];
    double last[MOST_CURVES];
};
void plot_trace(struct plot_traces *traces, size_t curve, int sample, int samples, double height);

/* The range of y as gnuplot chooses it; but around curves that all stay at one height, of which it would complain. */
void plot_heights(FILE *script, struct plot_extent extent);

/* Where the panel has to begin for the numbers at its left axis to have room beside the axis' label, across the
   screen. */
double plot_left(struct plot_extent extent);

/* To one digit. */
float plot_round(float value);

/* A dot on each curve with its time above or below it, as far as keeps the texts apart, and off the curves where that
   is not far, in a panel of so many lines of text. NaN is none, and what is beyond the end is left out. */
void plot_dots(FILE *script, const float times_s[], const float heights[], size_t count, float end_s,
               struct plot_extent extent, const struct plot_traces *traces, double lines);

#endif
