/* The command `gyre plot`: its options, and what the pictures share. A picture is a gnuplot script. */
#ifndef GYRE_TOOL_PLOT_H
#define GYRE_TOOL_PLOT_H

#include <gyre/gyre.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define PLOT_TURN 6.283185307179586 /* a full turn in radians */

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

/* Results of another engine. */
struct plot_peer {
    char label[LABEL_SIZE];
    struct {
        double cost, error_rad; /* cost relative to Moser-Veselov of order 6 in the same run */
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
    struct plot_retarget retargets[MOST_RETARGETS]; /* sorted by time */
    size_t retarget_count;
    float acceleration;
    float duration_s, tolerance; /* 0: not given */

    struct plot_method methods[MOST_CURVES]; /* of bodies */
    size_t method_count;
    float inertia[3], spin[3]; /* principal moments; angular velocity in the body */
    bool has_inertia, has_spin;
    float time_step_s, most_momentum; /* 0: not given */
    struct plot_peer peers[MOST_PEERS];
    size_t peer_count;
};

/* The options of a request, as getopt_long() returns them: less than any letter. */
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

/* plot_option() reads one option; plot_check() sorts and checks all of them. Both end the program on invalid input. */
void plot_option(struct plot_request *request, int option, const char *text);
void plot_check(struct plot_request *request);

/* The pictures. Each fills in defaults of the request. */
void plot_springs(FILE *script, struct plot_request *request);
void plot_particles(FILE *script, struct plot_request *request);
void plot_turns(FILE *script, struct plot_request *request);
void plot_tumble(FILE *script, struct plot_request *request);
void plot_herpolhode(FILE *script, struct plot_request *request);
void plot_convergence(FILE *script, struct plot_request *request);
void plot_energy(FILE *script, struct plot_request *request);
void plot_frontier(FILE *script, struct plot_request *request);

/* Colours, grid and line types 1 to MOST_CURVES. */
void plot_style(FILE *script);

#define PLOT_PANELS_RIGHT 0.67 /* of the width of the picture */
#define PLOT_LEGEND_LEFT 0.70

/* Entry i of the legend in the right margin: a line and a label in the colour of curve i, and a note below. And a
   footnote in that margin. */
void plot_legend(FILE *script, size_t i, const char *label, const char *note);
void plot_legend_at(FILE *script, size_t i, double height, const char *label, const char *note); /* screen, 0 to 1 */
void plot_footnote(FILE *script, int lines_below, const char *text);

/* A method and its usual label: "Moser-Veselov, order 6". */
struct plot_method plot_method_of(gyre_body_method method, int order);

/* Defaults for bodies: the T-handle, rotating about its middle axis, and each method. Ends the program if there are too
   many steps. */
void plot_usual_flight(struct plot_request *request);

/* Tics of the time axis; few in a narrow panel. */
void plot_time_tics(FILE *script, const struct plot_request *request, bool is_narrow);

/* One of PLOT_EXACT_PARTS parts of a step, for curves that are drawn as exact. Ends the program if it does not
   converge. */
enum { PLOT_EXACT_PARTS = 16 };
struct single_body;
void plot_step_exactly(const struct plot_request *request, struct single_body *body);

/* Principal moments of the T-handle. */
extern const float plot_t_handle[3];

/* The time of a sample; the first is at 0 and the last at the end. */
float plot_sample_s(float end_s, int sample, int samples);

/* Shows progress in steps, between progress_begin() and progress_clear(). */
void plot_show_steps(size_t done, size_t all);

enum { PLOT_POINTS = 600 }; /* of a curve over steps: one after each plot_stride() steps */
size_t plot_steps(const struct plot_request *request);
size_t plot_stride(size_t steps, size_t points);

/* Returns the value. Ends the program if it is not finite, as gnuplot would omit it or warn. */
double plot_finite(double value);

/* The range of the values of curves. */
struct plot_extent {
    double low, high;
};

#define PLOT_NOTHING ((struct plot_extent){INFINITY, -INFINITY})
void plot_extend(struct plot_extent *extent, double value);

/* The heights of curves in each part of the time. plot_trace() must get all samples in order, at least one for each
   part. */
enum { PLOT_TIME_PARTS = 200 };
struct plot_traces {
    struct plot_extent heights[MOST_CURVES][PLOT_TIME_PARTS];
    double last[MOST_CURVES];
};
void plot_trace(struct plot_traces *traces, size_t curve, int sample, int samples, double height);

/* Sets the range of y as gnuplot does, with room around curves that are all at one height, about which it would
   warn. */
void plot_heights(FILE *script, struct plot_extent extent);

/* The left edge of a panel, as a fraction of the width, that leaves room for the numbers and the label of its axis. */
double plot_left(struct plot_extent extent);

/* Rounds to one digit. */
float plot_round(float value);

/* A dot on each curve, with its time above or below it, placed so that texts do not overlap and, where possible, do not
   cover curves. `lines` is the height of the panel in lines of text. A time that is NaN or beyond the end has no dot.
 */
void plot_dots(FILE *script, const float times_s[], const float heights[], size_t count, float end_s,
               struct plot_extent extent, const struct plot_traces *traces, double lines);

#endif
