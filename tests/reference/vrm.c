#include "reference/vrm.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const vector down = {{0, -1, 0}};

static quaternion about_z(double angle) { return (quaternion){{0, 0, sin(angle / 2), cos(angle / 2)}}; }

/* ---- Motions ---- */

static vrm_root turned(double angle) { return (vrm_root){{{0, 0, 0}}, about_z(angle)}; }

static vrm_root stands(double t)
{
    (void)t;
    return turned(0);
}

static vrm_root swings(double t, double size, double rate)
{
    return (vrm_root){{{size * sin(2 * pi * rate * t), 0, 0}}, about_z(0)};
}

static vrm_root swings_5_cm(double t) { return swings(t, 0.05, 1.5); }
static vrm_root swings_2_cm(double t) { return swings(t, 0.02, 4); }
static vrm_root swings_20_cm(double t) { return swings(t, 0.2, 1); }
static vrm_root swings_50_cm(double t) { return swings(t, 0.5, 0.5); }
static vrm_root swings_1_m(double t) { return swings(t, 1, 1); }

static vrm_root turns_45(double t) { return turned(pi / 4 * sin(2 * pi * t)); }

static vrm_root turns_90(double t)
{
    const double part = fmin(1, t / 0.3);
    return turned(pi / 2 * part * part * (3 - 2 * part));
}

static vrm_root walks(double t)
{
    return (vrm_root){{{0.05 * sin(2 * pi * t), 0.02 * sin(4 * pi * t), 0}}, about_z(0.2 * sin(2 * pi * t))};
}

const vrm_motion vrm_motions[VRM_MOTIONS] = {
    [VRM_LET_GO_30] = {"let go at 30 degrees", 3.14159265358979323846 / 6, stands},
    [VRM_LET_GO_90] = {"let go at 90 degrees", 3.14159265358979323846 / 2, stands},
    [VRM_HEAD_5_CM] = {"head, 5 cm at 1.5 Hz", 0, swings_5_cm},
    [VRM_HEAD_2_CM] = {"head, 2 cm at 4 Hz", 0, swings_2_cm},
    [VRM_HEAD_20_CM] = {"head, 20 cm at 1 Hz", 0, swings_20_cm},
    [VRM_HEAD_50_CM] = {"head, 50 cm at 0.5 Hz", 0, swings_50_cm},
    [VRM_HEAD_1_M] = {"head, 1 m at 1 Hz", 0, swings_1_m},
    [VRM_TURN_45] = {"turns by 45 degrees at 1 Hz", 0, turns_45},
    [VRM_TURN_90] = {"turns by 90 degrees in 0.3 s", 0, turns_90},
    [VRM_STAND] = {"stands", 0, stands},
    [VRM_WALK] = {"sways, bobs and turns", 0, walks},
};

/* ---- The recurrence ---- */

quaternion vrm_start(const vrm_run *run)
{
    const vrm_motion *m = &vrm_motions[run->motion];
    return quaternion_product(m->at(0).parent, about_z(m->angle));
}

bool vrm_is_let_go(const vrm_run *run) { return vrm_motions[run->motion].at == stands; }

static quaternion shortest_turn(vector a, vector b)
{
    const vector n = vector_cross(a, b);
    return quaternion_normalised((quaternion){{n.at[0], n.at[1], n.at[2], 1 + vector_dot(a, b)}});
}

/* Where a tail goes, as a direction from its head. */
static vector next_direction(const vrm_run *run, vector tail, vector tail_before, vector head, vector rest, double dt_s)
{
    const vector inertia = vector_scaled(vector_difference(tail, tail_before), 1 - run->drag);
    const vector stiffness = vector_scaled(rest, run->stiffness * dt_s);
    const vector external = vector_scaled(run->gravity_direction, run->gravity * dt_s);
    const vector next = vector_sum(vector_sum(tail, inertia), vector_sum(stiffness, external));
    const vector e = vector_difference(next, head);
    return vector_scaled(e, 1 / vector_length(e));
}

void vrm_follow(const vrm_run *run, size_t bones, int rate, size_t frames, vector *direction)
{
    vector tail[VRM_BONES], tail_before[VRM_BONES];
    const vrm_motion *m = &vrm_motions[run->motion];
    const vector way = vector_scaled(quaternion_rotate(vrm_start(run), down), run->length);
    for (size_t l = 0; l < bones; l++) {
        tail[l] = tail_before[l] = vector_sum(l == 0 ? m->at(0).position : tail[l - 1], way);
    }
    for (size_t f = 0; f < frames; f++) {
        const vrm_root now = m->at((double)(f + 1) / rate);
        vector head = now.position;
        quaternion parent = now.parent;
        for (size_t l = 0; l < bones; l++) {
            const vector rest = quaternion_rotate(parent, down);
            const vector e = next_direction(run, tail[l], tail_before[l], head, rest, 1.0 / rate);
            tail_before[l] = tail[l];
            head = tail[l] = vector_sum(head, vector_scaled(e, run->length));
            parent = quaternion_product(shortest_turn(rest, e), parent);
            direction[f] = e;
        }
    }
}

/* ---- The grid ---- */

const double vrm_grid_drags[VRM_GRID_DRAGS] = {0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1};

size_t vrm_grid_drag_of(size_t point) { return point % VRM_GRID_DRAGS; }

vrm_run vrm_grid_run(size_t point, size_t motion)
{
    static const double stiffnesses[] = {0.05, 0.1, 0.25, 0.5, 1, 2, 4}, lengths[] = {0.02, 0.06, 0.12, 0.3},
                        gravities[] = {0, 0.2, 0.6, 2};
    static const vrm_motion_name motions[VRM_GRID_MOTIONS] = {VRM_LET_GO_30, VRM_LET_GO_90, VRM_HEAD_5_CM,
                                                              VRM_HEAD_2_CM, VRM_TURN_45,   VRM_TURN_90};
    return (vrm_run){
        .motion = motions[motion],
        .drag = vrm_grid_drags[vrm_grid_drag_of(point)],
        .stiffness = stiffnesses[point / VRM_GRID_DRAGS % 7],
        .length = lengths[point / VRM_GRID_DRAGS / 7 % 4],
        .gravity = gravities[point / VRM_GRID_DRAGS / 28],
        .gravity_direction = {{0.6, -0.8, 0}},
    };
}
