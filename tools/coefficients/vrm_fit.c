/* Fits the two numbers of gyre_bone_from_vrm that do not follow from VRM's step (kernels/chain/README.md): by least
   squares over a grid of hair and motions, between VRM's recurrence at 60 Hz and the step of the library in double.
   Built and run by fit_vrm. */
#include "reference/chain.h"
#include "reference/vrm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RATE = 60, FRAMES = 2 * RATE, CHAINS = 2, RUNS = VRM_GRID_POINTS * VRM_GRID_MOTIONS * CHAINS };

static const double degree = 3.14159265358979323846 / 180;
static const vector down = {{0, -1, 0}};

/* load: how much of VRM's damping under load is kept. more: how much more damping than VRM's poles have, times
   (1 - drag) (1 + kappa / f0)^power, where kappa is the pull over the length. The library's power is 0. */
enum { PARAMETERS = 3 };
typedef struct map {
    double load, more, power;
} map;

static const map by_hand = {0.8, 0.15, 0};

/* gyre_bone_from_vrm in double; tests/chain/bones.c holds the library to this formula. */
static reference_bone bone_of(const vrm_run *run, map m)
{
    const double d = fmin(run->drag, 0.999), force = hypot(run->stiffness, run->gravity), kappa = force / run->length;
    const double s = 1 / (1 + kappa / RATE), p = s * (1 - d), a = -RATE * log(p) / 2, x = s * (2 - d) / (2 * sqrt(p)),
                 turn = RATE * (x < 1 ? acos(x) : acosh(x));
    const double w2 = a * a + (x < 1 ? 1 : -1) * turn * turn, sigma = w2 / kappa;
    const double damping = 2 * a * (1 + m.more * (1 - d) * pow(1 + kappa / RATE, m.power));
    reference_bone b = {
        .rest = {{0, 0, 0, 1}},
        .tail = vector_scaled(down, run->length),
        .stiffness = sigma * run->stiffness / run->length,
        .drag = sigma * d,
        .load_damping = m.load / sigma,
        .gravity = sigma * run->gravity,
    };
    b.damping = damping - b.load_damping * (w2 - b.stiffness);
    if (b.damping < b.drag) {
        b.damping = b.drag;
        b.load_damping = damping > b.drag ? (damping - b.drag) / (w2 - b.stiffness) : 0;
    }
    return b;
}

static void follow_bones(const vrm_run *run, map m, size_t bones, vector direction[FRAMES])
{
    const vrm_motion *motion = &vrm_motions[run->motion];
    const vrm_root start = motion->at(0);
    reference_chain c = {.bones = bones, .scale = 1, .gravity = run->gravity_direction};
    c.position = start.position;
    c.parent = start.parent;
    for (size_t l = 0; l < bones; l++) {
        c.bone[l] = bone_of(run, m);
        c.orientation[l] = vrm_start(run);
    }
    for (size_t f = 0; f < FRAMES; f++) {
        const vrm_root now = motion->at((double)(f + 1) / RATE);
        c.position_before = c.position;
        c.parent_before = c.parent;
        c.position = now.position;
        c.parent = now.parent;
        reference_chain_step(&c, (f == 0 && vrm_is_let_go(run) ? 1.5 : 1) / RATE);
        direction[f] = reference_bone_direction(&c, bones - 1);
    }
}

/* Degrees, root mean square over the frames. */
static double rms_between(const vector a[FRAMES], const vector b[FRAMES])
{
    double squares = 0;
    for (size_t f = 0; f < FRAMES; f++) {
        const double off = 2 * asin(fmin(1, vector_length(vector_difference(a[f], b[f])) / 2)) / degree;
        squares += off * off;
    }
    return sqrt(squares / FRAMES);
}

/* ---- Runs ---- */

static vector vrm_path[RUNS][FRAMES];
static bool is_steady[RUNS], is_ordinary[RUNS], all[RUNS];

static size_t bones_of(size_t i) { return i % CHAINS == 0 ? 1 : 5; }
static vrm_run run_of(size_t i) { return vrm_grid_run(i / CHAINS / VRM_GRID_MOTIONS, i / CHAINS % VRM_GRID_MOTIONS); }

/* Steady: a pull that is 2 % stronger moves VRM's own bone by less than a degree. In the others VRM is not repeatable:
   long chains with little drag are whips, which no other method can follow. */
static void read_vrm(void)
{
    for (size_t i = 0; i < RUNS; i++) {
        const vrm_run run = run_of(i);
        vrm_run stronger = run;
        vector path[FRAMES];
        stronger.stiffness *= 1.02;
        stronger.gravity *= 1.02;
        vrm_follow(&run, bones_of(i), RATE, FRAMES, vrm_path[i]);
        vrm_follow(&stronger, bones_of(i), RATE, FRAMES, path);
        all[i] = true;
        is_steady[i] = rms_between(path, vrm_path[i]) < 1;
        is_ordinary[i] = run.stiffness >= 0.5 && run.stiffness <= 2 && run.drag >= 0.4 && run.drag <= 0.6 &&
                         run.gravity <= 0.2 && run.length >= 0.06 && run.length <= 0.12;
    }
}

static double rms_of(size_t i, map m)
{
    const vrm_run run = run_of(i);
    vector path[FRAMES];
    follow_bones(&run, m, bones_of(i), path);
    return rms_between(path, vrm_path[i]);
}

static double rms_over(const bool used[RUNS], map m)
{
    double squares = 0;
    size_t count = 0;
    for (size_t i = 0; i < RUNS; i++) {
        if (used[i]) {
            const double rms = rms_of(i, m);
            squares += rms * rms;
            count++;
        }
    }
    const double rms = sqrt(squares / (double)count);
    fprintf(stderr, "load %.4f, more %.4f, power %.4f: %.4f degrees\n", m.load, m.more, m.power, rms);
    return rms;
}

/* ---- The fit ---- */

static double *parameter(map *m, size_t k) { return k == 0 ? &m->load : k == 1 ? &m->more : &m->power; }

/* Goes along each parameter while that helps, with steps that are halved when none does. */
static map least(const bool used[RUNS], size_t parameters)
{
    double step[PARAMETERS] = {0.4, 0.08, 0.2};
    map best = by_hand;
    double rms = rms_over(used, best);
    for (int halvings = 0; halvings < 5;) {
        bool improved = false;
        for (size_t k = 0; k < parameters; k++) {
            map tried = best;
            *parameter(&tried, k) += step[k];
            double rms_tried = rms_over(used, tried);
            if (rms_tried >= rms) {
                step[k] = -step[k];
                tried = best;
                *parameter(&tried, k) += step[k];
                rms_tried = rms_over(used, tried);
            }
            if (rms_tried < rms) {
                best = tried;
                rms = rms_tried;
                improved = true;
            }
        }
        for (size_t k = 0; k < PARAMETERS && !improved; k++) {
            step[k] /= 2;
        }
        halvings += !improved;
    }
    return best;
}

/* ---- The result ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_part(const bool used[RUNS], size_t bones, map m)
{
    static double rms[RUNS];
    size_t count = 0;
    double squares = 0;
    for (size_t i = 0; i < RUNS; i++) {
        if (used[i] && bones_of(i) == bones) {
            rms[count] = rms_of(i, m);
            squares += rms[count] * rms[count];
            count++;
        }
    }
    qsort(rms, count, sizeof rms[0], compare);
    printf(" | %5.2f %5.2f %6.2f", sqrt(squares / (double)count), rms[count / 2], rms[count * 9 / 10]);
}

static void print_set(const char *name, const bool used[RUNS], map m)
{
    printf("  %-14s%6.3f", name, rms_over(used, m));
    print_part(used, 1, m);
    print_part(used, 5, m);
    printf("\n");
}

static void print_map(const char *name, map m)
{
    printf("\n%s: load %.2f, more %.3f, power %.2f\n", name, m.load, m.more, m.power);
    print_set("all runs", all, m);
    print_set("steady runs", is_steady, m);
    print_set("ordinary hair", is_ordinary, m);
}

/* With an argument: only how the library's numbers do with ordinary hair, for tests/build/vrm_fit.sh. */
int main(int argc, char **argv)
{
    (void)argv;
    read_vrm();
    if (argc > 1) {
        print_set("ordinary hair", is_ordinary, by_hand);
        return 0;
    }
    size_t steady = 0, ordinary = 0;
    for (size_t i = 0; i < RUNS; i++) {
        steady += is_steady[i];
        ordinary += is_ordinary[i];
    }
    printf("%d runs of 2 s at 60 Hz, %zu of them steady, %zu of ordinary hair\n", RUNS, steady, ordinary);
    printf("Degrees: rms over all | single bones: rms, median, nine tenths within | chains of five: the same\n");
    print_map("by hand, as in the library", by_hand);
    print_map("least squares over all runs", least(all, 2));
    print_map("least squares over steady runs", least(is_steady, 2));
    print_map("least squares over steady runs, with a power", least(is_steady, 3));
    print_map("least squares over ordinary hair", least(is_ordinary, 2));
    print_map("by hand, with a power", (map){0.8, 0.12, 1.2});
    return 0;
}
