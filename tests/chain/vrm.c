/* Bones of gyre_bone_from_vrm beside VRM's own recurrence: how far they are apart at 60 Hz, how far each is at other
   rates from itself at 1,000 Hz, and other recurrences that the guide maps to bones. */
#include "support/chains.h"

#include "reference/vrm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const vector down = {{0, -1, 0}};

static double degrees(double rad) { return rad * (180 / 3.14159265358979323846); }

static double angle_between(vector a, vector b)
{
    return degrees(2 * asin(fmin(1, vector_length(vector_difference(a, b)) / 2)));
}

/* ---- Paths: the last bone's direction after each frame of 2 s, that of run i from path[i * frames] on ---- */

enum { SECONDS = 2, BONES = VRM_BONES, FINEST_HZ = 1000, CHAINS_MAX = VRM_GRID_POINTS };

static size_t frames_at(int rate) { return (size_t)(SECONDS * rate); }

static void follow_vrm(const vrm_run *runs, size_t count, size_t bones, int rate, vector *path)
{
    for (size_t i = 0; i < count; i++) {
        vrm_follow(&runs[i], bones, rate, frames_at(rate), &path[i * frames_at(rate)]);
    }
}

/* Many chains of the library, each with its own bone. */
typedef struct batch {
    size_t level_begin[BONES + 1];
    gyre_bone bones[CHAINS_MAX];
    uint16_t bone[BONES * CHAINS_MAX];
    float orientation[4][BONES * CHAINS_MAX], velocity[3][BONES * CHAINS_MAX];
    float position[3][CHAINS_MAX], parent[4][CHAINS_MAX], position_before[3][CHAINS_MAX], parent_before[4][CHAINS_MAX],
        gravity[3][CHAINS_MAX];
} batch;

static gyre_bone_chains chains_of_batch(batch *b, size_t count, size_t bones)
{
    gyre_bone_chains c = {.count = count, .levels = bones, .level_begin = b->level_begin, .bones = b->bones};
    c.bone_count = count;
    c.bone = b->bone;
    for (size_t k = 0; k < 4; k++) {
        c.orientation[k] = b->orientation[k];
        c.parent[k] = b->parent[k];
        c.parent_before[k] = b->parent_before[k];
    }
    for (size_t k = 0; k < 3; k++) {
        c.velocity[k] = b->velocity[k];
        c.position[k] = b->position[k];
        c.position_before[k] = b->position_before[k];
        c.gravity[k] = b->gravity[k];
    }
    return c;
}

static vrm_root root_at(const vrm_run *r, double t) { return vrm_motions[r->motion].at(t); }

/* Roots go on: now becomes before. */
static void put_root(batch *b, size_t i, vrm_root r)
{
    for (size_t k = 0; k < 3; k++) {
        b->position_before[k][i] = b->position[k][i];
        b->position[k][i] = (float)r.position.at[k];
    }
    for (size_t k = 0; k < 4; k++) {
        b->parent_before[k][i] = b->parent[k][i];
        b->parent[k][i] = (float)r.parent.at[k];
    }
}

static void start_batch(const gyre_kernels *table, batch *b, const vrm_run *runs, size_t count, size_t bones)
{
    memset(b, 0, sizeof *b);
    for (size_t i = 0; i < count; i++) {
        const vrm_run *r = &runs[i];
        b->bones[i] = (gyre_bone){.rest = {0, 0, 0, 1}, .tail = {0, -(float)r->length, 0}};
        check_status(table->bone_from_vrm((float)r->stiffness, (float)r->drag, (float)r->gravity, (float)r->length, 60,
                                          &b->bones[i]),
                     GYRE_OK);
        put_root(b, i, root_at(r, 0));
        const quaternion q = vrm_start(r);
        for (size_t l = 0; l < bones; l++) {
            b->level_begin[l + 1] = (l + 1) * count;
            b->bone[l * count + i] = (uint16_t)i;
            for (size_t k = 0; k < 4; k++) {
                b->orientation[k][l * count + i] = (float)q.at[k];
            }
        }
        for (size_t k = 0; k < 3; k++) {
            b->gravity[k][i] = (float)r->gravity_direction.at[k];
        }
    }
}

/* With `half_frame` the first step of runs that are let go is that of VRM. */
static void follow_library(const gyre_kernels *table, const vrm_run *runs, size_t count, size_t bones, int rate,
                           bool half_frame, vector *path)
{
    static batch b;
    start_batch(table, &b, runs, count, bones);
    const gyre_bone_chains c = chains_of_batch(&b, count, bones);
    for (size_t f = 0; f < frames_at(rate); f++) {
        for (size_t i = 0; i < count; i++) {
            put_root(&b, i, root_at(&runs[i], (double)(f + 1) / rate));
        }
        if (f == 0) {
            for (size_t i = 0; i < count; i++) {
                const double part = half_frame && vrm_is_let_go(&runs[i]) ? 1.5 : 1;
                check_status(table->bone_chains_step(&c, i, i + 1, (float)(part / rate)), GYRE_OK);
            }
        } else {
            check_status(table->bone_chains_step(&c, 0, count, (float)(1.0 / rate)), GYRE_OK);
        }
        for (size_t i = 0; i < count; i++) {
            quaternion q;
            for (size_t k = 0; k < 4; k++) {
                q.at[k] = (double)b.orientation[k][(bones - 1) * count + i];
            }
            path[i * frames_at(rate) + f] = quaternion_rotate(quaternion_normalised(q), down);
        }
    }
}

/* Degrees, root mean square. */
static double rms_between(const vector *a, const vector *b, size_t frames)
{
    double squares = 0;
    for (size_t f = 0; f < frames; f++) {
        const double off = angle_between(a[f], b[f]);
        squares += off * off;
    }
    return sqrt(squares / (double)frames);
}

/* The same against the path at 1,000 Hz, ten times a second, when every rate has a frame. */
static double rms_of_rate(const vector *path, int rate, const vector *finest)
{
    double squares = 0;
    const size_t times = 10 * SECONDS;
    for (size_t k = 1; k <= times; k++) {
        const size_t at = k * frames_at(rate) / times - 1, there = k * frames_at(FINEST_HZ) / times - 1;
        const double off = angle_between(path[at], finest[there]);
        squares += off * off;
    }
    return sqrt(squares / (double)times);
}

/* ---- Tables: stiffness 1, drag 0.4, bones of 0.1 ---- */

static const vrm_run hair[] = {
    {VRM_LET_GO_30, 1, 0.4, 0, 0.1, {{0, 0, 0}}},  {VRM_LET_GO_90, 1, 0.4, 0, 0.1, {{0, 0, 0}}},
    {VRM_HEAD_5_CM, 1, 0.4, 0, 0.1, {{0, 0, 0}}},  {VRM_HEAD_2_CM, 1, 0.4, 0, 0.1, {{0, 0, 0}}},
    {VRM_HEAD_20_CM, 1, 0.4, 0, 0.1, {{0, 0, 0}}}, {VRM_HEAD_50_CM, 1, 0.4, 0, 0.1, {{0, 0, 0}}},
    {VRM_HEAD_1_M, 1, 0.4, 0, 0.1, {{0, 0, 0}}},   {VRM_TURN_45, 1, 0.4, 0, 0.1, {{0, 0, 0}}},
    {VRM_TURN_90, 1, 0.4, 0, 0.1, {{0, 0, 0}}},    {VRM_STAND, 1, 0.4, 0.5, 0.1, {{1, 0, 0}}},
    {VRM_STAND, 0, 0.4, 1, 0.1, {{1, 0, 0}}},      {VRM_WALK, 1, 0.4, 0.5, 0.1, {{1, 0, 0}}},
};

enum { RATES = 5, HAIR = LENGTH(hair) };
static const int rates[RATES] = {20, 30, 60, 120, 240};

/* What a run gives, in degrees: at 60 Hz the rms and the largest of VRM's angles from the rest direction, the largest
   here, and the rms between both; then of each rate the rms from the same method at 1,000 Hz. The largest are those
   after half a second, or, from 30 and 90 degrees, after the first frame. */
typedef struct row {
    double rms, top, top_here, between;
    double vrm[RATES], here[RATES];
} row;

/* All but the last of each were found outside the project, with another program, in long double. */
static const row single_bones[HAIR] = {
    {3.42, 20.07, 19.95, 0.21, {1.693, 1.015, 0.201, 0.128, 0.056}, {0, 0, 0, 0, 0}},
    {11.43, 66.29, 61.41, 1.07, {5.720, 3.979, 1.351, 0.174, 0.064}, {0, 0, 0, 0, 0}},
    {7.65, 10.92, 10.74, 0.22, {3.261, 2.200, 1.051, 0.476, 0.201}, {0.364, 0.162, 0.040, 0.010, 0.002}},
    {7.30, 10.50, 9.93, 0.40, {2.891, 2.518, 1.637, 0.796, 0.336}, {0.796, 0.351, 0.087, 0.022, 0.005}},
    {19.29, 27.12, 26.96, 0.35, {5.692, 3.910, 1.926, 0.876, 0.370}, {0.645, 0.286, 0.071, 0.018, 0.004}},
    {23.27, 32.27, 32.24, 0.23, {4.178, 2.878, 1.437, 0.629, 0.257}, {0.399, 0.177, 0.044, 0.011, 0.003}},
    {55.87, 68.74, 68.72, 2.01, {11.002, 8.595, 4.679, 2.245, 1.002}, {2.696, 1.193, 0.296, 0.073, 0.018}},
    {8.08, 11.58, 11.34, 0.21, {2.654, 1.738, 0.824, 0.370, 0.156}, {0.259, 0.115, 0.029, 0.007, 0.002}},
    {5.26, 0.02, 0.02, 0.22, {1.858, 1.266, 0.603, 0.281, 0.122}, {0.257, 0.114, 0.029, 0.007, 0.002}},
    {26.23, 26.57, 26.57, 0.19, {1.412, 0.799, 0.156, 0.145, 0.057}, {0, 0, 0, 0, 0}},
    {88.42, 90.00, 90.00, 1.07, {5.720, 3.979, 1.351, 0.174, 0.064}, {0, 0, 0, 0, 0}},
    {26.90, 34.11, 34.11, 0.54, {2.677, 1.715, 0.645, 0.289, 0.124}, {0.220, 0.098, 0.024, 0.006, 0.001}},
};

static const row chains_of_five[HAIR] = {
    {22.38, 82.40, 80.57, 1.73, {15.686, 12.390, 7.335, 3.899, 1.390}, {2.728, 1.330, 0.349, 0.087, 0.021}},
    {45.38, 151.10, 157.85, 5.42, {22.705, 17.354, 9.881, 3.692, 1.177}, {4.967, 2.472, 0.672, 0.171, 0.041}},
    {39.73, 59.55, 56.76, 2.07, {29.450, 21.122, 10.600, 4.682, 1.945}, {4.645, 2.127, 0.540, 0.134, 0.032}},
    {25.46, 37.60, 38.13, 7.29, {18.396, 23.536, 22.346, 10.390, 4.018}, {12.425, 6.271, 1.693, 0.427, 0.103}},
    {67.63, 90.18, 89.95, 2.67, {21.475, 16.672, 10.102, 4.902, 2.267}, {6.493, 3.097, 0.811, 0.203, 0.049}},
    {68.00, 86.02, 85.93, 2.21, {15.418, 12.034, 6.375, 3.243, 1.635}, {5.169, 2.662, 0.728, 0.184, 0.044}},
    {94.87, 124.57, 134.88, 27.65, {35.361, 13.268, 9.457, 6.616, 5.383}, {48.847, 31.268, 10.346, 2.782, 0.679}},
    {77.94, 114.65, 113.23, 1.65, {18.165, 13.287, 7.275, 3.623, 1.637}, {3.783, 1.731, 0.439, 0.109, 0.026}},
    {43.88, 19.34, 16.88, 1.91, {16.448, 12.623, 6.473, 2.647, 1.073}, {3.059, 1.435, 0.371, 0.092, 0.022}},
    {72.92, 77.06, 76.96, 1.19, {13.334, 10.866, 6.384, 1.812, 0.684}, {1.850, 0.852, 0.218, 0.054, 0.013}},
    {84.12, 90.39, 90.39, 0.76, {9.476, 6.628, 3.229, 1.423, 0.551}, {1.056, 0.482, 0.127, 0.032, 0.008}},
    {76.24, 101.69, 101.54, 1.00, {16.973, 12.558, 6.902, 2.782, 0.933}, {2.747, 1.299, 0.333, 0.083, 0.020}},
};

static void read_60_hz(row *r, const vrm_run *run, const vector *vrm, const vector *here)
{
    double squares = 0;
    for (size_t f = 0; f < frames_at(60); f++) {
        const vector rest = quaternion_rotate(root_at(run, (double)(f + 1) / 60).parent, down);
        const double angle = angle_between(vrm[f], rest);
        squares += angle * angle;
        if (f > (vrm_motions[run->motion].angle > 0 ? 0 : 30)) {
            r->top = fmax(r->top, angle);
            r->top_here = fmax(r->top_here, angle_between(here[f], rest));
        }
    }
    r->rms = sqrt(squares / (double)frames_at(60));
    r->between = rms_between(vrm, here, frames_at(60));
}

static void read_rows(const gyre_kernels *table, size_t bones, row *rows)
{
    static vector vrm[HAIR * SECONDS * 240], here[LENGTH(vrm)], finest_vrm[HAIR * SECONDS * FINEST_HZ],
        finest_here[LENGTH(finest_vrm)];
    memset(rows, 0, HAIR * sizeof *rows);
    follow_vrm(hair, HAIR, bones, FINEST_HZ, finest_vrm);
    follow_library(table, hair, HAIR, bones, FINEST_HZ, false, finest_here);
    for (size_t k = 0; k < RATES; k++) {
        follow_vrm(hair, HAIR, bones, rates[k], vrm);
        follow_library(table, hair, HAIR, bones, rates[k], false, here);
        for (size_t i = 0; i < HAIR; i++) {
            const size_t at = i * frames_at(rates[k]), from = i * frames_at(FINEST_HZ);
            rows[i].vrm[k] = rms_of_rate(&vrm[at], rates[k], &finest_vrm[from]);
            rows[i].here[k] = rms_of_rate(&here[at], rates[k], &finest_here[from]);
        }
    }
    follow_vrm(hair, HAIR, bones, 60, vrm);
    follow_library(table, hair, HAIR, bones, 60, true, here);
    for (size_t i = 0; i < HAIR; i++) {
        read_60_hz(&rows[i], &hair[i], &vrm[i * frames_at(60)], &here[i * frames_at(60)]);
    }
}

static void print_rates(const double of_rate[RATES])
{
    for (size_t k = 0; k < RATES; k++) {
        printf(" %6.3f", of_rate[k]);
    }
    printf(" |");
}

static void print_rows(const row *rows, size_t bones)
{
    printf(
        "# degrees, chains of %zu: VRM's rms and top, the top here, rms between | VRM, here at 20 30 60 120 240 Hz\n",
        bones);
    for (size_t i = 0; i < HAIR; i++) {
        const row *r = &rows[i];
        printf("# %-28s %6.2f %6.2f %6.2f %5.2f |", vrm_motions[hair[i].motion].name, r->rms, r->top, r->top_here,
               r->between);
        print_rates(r->vrm);
        print_rates(r->here);
        printf("\n");
    }
}

/* Within what rounding makes of the digits printed, and of a whip. */
static void check_row(const row *got, const row *wanted)
{
    check_within(got->rms, wanted->rms, 0.006);
    check_within(got->top, wanted->top, 0.006);
    check_within(got->top_here, wanted->top_here, 0.006);
    check_within(got->between, wanted->between, 0.006);
    for (size_t k = 0; k < RATES; k++) {
        CASE("%d Hz", rates[k]);
        check_within(got->vrm[k], wanted->vrm[k], 0.0011);
        check_within(got->here[k], wanted->here[k], 0.0011);
    }
}

static void test_tables(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        for (size_t bones = 1; bones <= BONES; bones += BONES - 1) {
            row rows[HAIR];
            read_rows(table, bones, rows);
            print_rows(rows, bones);
            for (size_t i = 0; i < HAIR; i++) {
                CASE("chains of %zu, %s", bones, vrm_motions[hair[i].motion].name);
                check_row(&rows[i], bones == 1 ? &single_bones[i] : &chains_of_five[i]);
            }
        }
    }
}

/* ---- The grid: how far from VRM at 60 Hz, by drag ---- */

enum { OF_A_DRAG = VRM_GRID_POINTS / VRM_GRID_DRAGS * VRM_GRID_MOTIONS };

/* Degrees (rms over 2 s) that half of the runs, nine in ten and all stay within. */
typedef struct spread {
    double half, most, all;
} spread;

static const spread of_single_bones[VRM_GRID_DRAGS] = {
    {0.57, 1.92, 52.7}, {0.53, 1.59, 18.3}, {0.51, 1.34, 10.4}, {0.42, 1.08, 10.9},
    {0.34, 1.10, 9.9},  {0.28, 1.19, 13.2}, {0.23, 1.67, 17.7},
};
static const spread of_chains_of_five[VRM_GRID_DRAGS] = {
    {39.9, 95.1, 128},  {9.21, 75.7, 140},  {2.82, 22.2, 127},  {1.23, 5.11, 91.4},
    {0.71, 2.74, 50.0}, {0.49, 2.29, 54.5}, {0.36, 2.29, 61.2},
};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The first `motions` of the grid. rms[d]: degrees of all runs with that drag, in order; returns how many of each. */
static size_t read_grid(const gyre_kernels *table, size_t bones, size_t motions, double rms[VRM_GRID_DRAGS][OF_A_DRAG])
{
    static vrm_run runs[VRM_GRID_POINTS];
    static vector vrm[VRM_GRID_POINTS * SECONDS * 60], here[LENGTH(vrm)];
    size_t count[VRM_GRID_DRAGS] = {0};
    for (size_t m = 0; m < motions; m++) {
        for (size_t i = 0; i < VRM_GRID_POINTS; i++) {
            runs[i] = vrm_grid_run(i, m);
        }
        follow_vrm(runs, VRM_GRID_POINTS, bones, 60, vrm);
        follow_library(table, runs, VRM_GRID_POINTS, bones, 60, true, here);
        for (size_t i = 0; i < VRM_GRID_POINTS; i++) {
            const size_t d = vrm_grid_drag_of(i), at = i * frames_at(60);
            const double off = rms_between(&vrm[at], &here[at], frames_at(60));
            rms[d][count[d]++] = off;
            if (runs[i].stiffness >= 0.5 && bones == 1) {
                check(off, <=, 5.5);
            }
        }
    }
    for (size_t d = 0; d < VRM_GRID_DRAGS; d++) {
        qsort(rms[d], count[d], sizeof rms[d][0], compare);
    }
    return count[0];
}

static void test_grid(void **state)
{
    (void)state;
    const size_t motions = effort(VRM_GRID_MOTIONS);
    EACH_BEST_TABLE(table) {
        for (size_t bones = 1; bones <= BONES; bones += BONES - 1) {
            static double rms[VRM_GRID_DRAGS][OF_A_DRAG];
            const size_t count = read_grid(table, bones, motions, rms);
            for (size_t d = 0; d < VRM_GRID_DRAGS; d++) {
                const spread got = {rms[d][count / 2], rms[d][count * 9 / 10], rms[d][count - 1]};
                const spread wanted = bones == 1 ? of_single_bones[d] : of_chains_of_five[d];
                printf("# chains of %zu, drag %.2f: half within %.3f degrees, nine in ten %.3f, all %.3f\n", bones,
                       vrm_grid_drags[d], got.half, got.most, got.all);
                CASE("chains of %zu, drag %g", bones, vrm_grid_drags[d]);
                check(got.all, <=, wanted.all * 1.01);
                if (motions == VRM_GRID_MOTIONS) {
                    check_within(got.half, wanted.half, 0.02 * wanted.half);
                    check_within(got.most, wanted.most, 0.02 * wanted.most);
                    check_within(got.all, wanted.all, 0.01 * wanted.all);
                }
            }
        }
    }
}

/* Three kinds of hair, as single bones whose head swings by 5 cm at 1.5 Hz: within 0.23 degrees. */
static void test_kinds_of_hair(void **state)
{
    (void)state;
    static const vrm_run kinds[] = {{VRM_HEAD_5_CM, 1, 0.4, 0, 0.1, {{0, 0, 0}}},
                                    {VRM_HEAD_5_CM, 2, 0.2, 0, 0.07, {{0, 0, 0}}},
                                    {VRM_HEAD_5_CM, 1, 0.8, 0, 0.1, {{0, 0, 0}}}};
    static vector vrm[LENGTH(kinds) * SECONDS * 60], here[LENGTH(vrm)];
    EACH_BEST_TABLE(table) {
        follow_vrm(kinds, LENGTH(kinds), 1, 60, vrm);
        follow_library(table, kinds, LENGTH(kinds), 1, 60, false, here);
        for (size_t i = 0; i < LENGTH(kinds); i++) {
            const double off = rms_between(&vrm[i * frames_at(60)], &here[i * frames_at(60)], frames_at(60));
            printf("# stiffness %g, drag %g: %.3f degrees\n", kinds[i].stiffness, kinds[i].drag, off);
            check(off, <=, 0.23);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_tables), TEST(test_grid), TEST(test_kinds_of_hair)};
    return cmocka_run_group_tests_name("chain_vrm", tests, NULL, NULL);
}
