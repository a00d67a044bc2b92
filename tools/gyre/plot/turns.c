/* Where a head looks whose target changes while it turns: with springs on rotations, and with springs that use the
   angular velocity as the rate of the rotation vector. */
#include "plot/plot.h"

#include "scene/attitude.h"
#include "support/common.h"

enum { RATE_HZ = 240, FRAMES = 360, TARGETS = 3, FRAMES_EACH = RATE_HZ / 5 };

static const gyre_spring spring = {7, 0.4f, 0};

/* Rotation vectors of the targets, rad; the head looks along x, and z is up. */
static const struct vector targets[TARGETS] = {{0, 0, 1.5}, {1.1, -0.9, 0.2}, {-0.9, 0.9, 0}};

struct turning {
    struct attitude q;
    struct vector omega;
};

static struct attitude target_at(int frame)
{
    const int which = frame / FRAMES_EACH;
    return attitude_of_turn(targets[which < TARGETS ? which : TARGETS - 1]);
}

static void step_exactly(struct turning *s, struct attitude target, const gyre_spring_matrix *matrix)
{
    float q[4] = {(float)s->q.x, (float)s->q.y, (float)s->q.z, (float)s->q.w};
    float omega[3] = {(float)s->omega.x, (float)s->omega.y, (float)s->omega.z};
    const float to[4] = {(float)target.x, (float)target.y, (float)target.z, (float)target.w};
    const gyre_orientation_springs one = {
        .count = 1,
        .orientation = {&q[0], &q[1], &q[2], &q[3]},
        .angular_velocity = {&omega[0], &omega[1], &omega[2]},
        .target = {&to[0], &to[1], &to[2], &to[3]},
    };
    const float dt_s = 1.0f / RATE_HZ;
    expect_step(gyre_orientation_springs_step(&one, 0, 1, matrix, dt_s), dt_s);
    s->q = (struct attitude){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    s->omega = (struct vector){(double)omega[0], (double)omega[1], (double)omega[2]};
}

/* The same matrix on the rotation vector and the angular velocity. */
static void step_by_small_angles(struct turning *s, struct attitude target, const gyre_spring_matrix *m)
{
    const struct attitude turn = attitude_product(s->q, attitude_inverse(target));
    const double sine = vector_length((struct vector){turn.x, turn.y, turn.z});
    const double ratio = (turn.w < 0 ? -1 : 1) * (sine > 0 ? attitude_angle(s->q, target) / sine : 2);
    const double turned[3] = {turn.x, turn.y, turn.z}, rate[3] = {s->omega.x, s->omega.y, s->omega.z};
    double y[3], omega[3];
    for (size_t axis = 0; axis < 3; axis++) {
        y[axis] = (double)m->pos_pos * ratio * turned[axis] + (double)m->pos_vel * rate[axis];
        omega[axis] = (double)m->vel_pos * ratio * turned[axis] + (double)m->vel_vel * rate[axis];
    }
    s->q = attitude_product(attitude_of_turn((struct vector){y[0], y[1], y[2]}), target);
    s->omega = (struct vector){omega[0], omega[1], omega[2]};
}

static void write_look(FILE *script, struct attitude q)
{
    const struct vector look = attitude_rotate(q, vector_along(0));
    fprintf(script, " %.3f %.3f", atan2(look.y, look.x) / degree, asin(fmin(fmax(look.z, -1), 1)) / degree);
}

/* A line for each frame, and one for each target. */
static void write_curves(FILE *script)
{
    struct turning exact = {.q = {.w = 1}}, small = exact;
    const float dt_s = 1.0f / RATE_HZ;
    gyre_spring_matrix matrix;
    expect_step(gyre_spring_matrix_at(spring, dt_s, &matrix), dt_s);
    fputs("$curves << end\n", script);
    for (int frame = 0; frame <= FRAMES; frame++) {
        write_look(script, exact.q);
        write_look(script, small.q);
        fputs(frame % FRAMES_EACH == 0 && frame < TARGETS * FRAMES_EACH ? " 1\n" : " 0\n", script);
        step_exactly(&exact, target_at(frame), &matrix);
        step_by_small_angles(&small, target_at(frame), &matrix);
    }
    fputs("end\n$targets << end\n", script);
    for (int which = 0; which < TARGETS; which++) {
        write_look(script, attitude_of_turn(targets[which]));
        fprintf(script, " %d\n", which + 1);
    }
    fputs("end\n", script);
}

void plot_turns(FILE *script, struct plot_request *request)
{
    (void)request;
    plot_style(script);
    write_curves(script);
    plot_legend(script, 0, "springs on rotations", "keep the angular velocity");
    plot_legend(script, 1, "springs of small angles", "have a kink where it changes");
    plot_footnote(script, 2, "dots: the target changes, every 0.2 s");
    plot_footnote(script, 1, "numbers: where the targets look");
    plot_footnote(script, 0, "ω = 7 rad/s, ζ = 0.4");
    fprintf(script,
            "set margins screen 0.09, screen %g, screen 0.13, screen 0.97\n"
            "set xlabel 'azimuth (degrees)' textcolor '#303030'\n"
            "set ylabel 'elevation (degrees)' textcolor '#303030'\n"
            "set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05\n"
            "plot $curves using 3:4 with lines linetype 2, $curves using 1:2 with lines linetype 1,"
            " $curves using ($5 > 0 ? $3 : NaN):4 with points linetype 2 pointtype 7 pointsize 0.8,"
            " $curves using ($5 > 0 ? $1 : NaN):2 with points linetype 1 pointtype 7 pointsize 0.8,"
            " $targets using 1:2:3 with labels textcolor '#303030'\n",
            PLOT_PANELS_RIGHT);
}
