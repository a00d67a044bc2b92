/* Spring bones of VRM (VRMC_springBone 1.0) with their true length, in double, and motions to compare others with them.
   Keep it simple. */
#ifndef GYRE_TESTS_REFERENCE_VRM_H
#define GYRE_TESTS_REFERENCE_VRM_H

#include "reference/rotation.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a chain hangs. */
typedef struct vrm_root {
    vector position;
    quaternion parent;
} vrm_root;

/* A chain hangs at rest along -y at t = 0, or with its first bone turned, and is let go there. */
typedef struct vrm_motion {
    const char *name;
    double angle; /* rad, about z */
    vrm_root (*at)(double t);
} vrm_motion;

typedef enum vrm_motion_name {
    VRM_LET_GO_30, /* degrees */
    VRM_LET_GO_90,
    VRM_HEAD_5_CM,  /* the first bone's head swings along x: by 5 cm at 1.5 Hz */
    VRM_HEAD_2_CM,  /* at 4 Hz */
    VRM_HEAD_20_CM, /* at 1 Hz */
    VRM_HEAD_50_CM, /* at 0.5 Hz */
    VRM_HEAD_1_M,   /* at 1 Hz */
    VRM_TURN_45,    /* the parent turns about its head: to and fro at 1 Hz */
    VRM_TURN_90,    /* once, in 0.3 s */
    VRM_STAND,
    VRM_WALK, /* the head sways by 5 cm, bobs by 2 cm twice as often, and turns by 0.2 rad, at 1 Hz */
    VRM_MOTIONS
} vrm_motion_name;

extern const vrm_motion vrm_motions[VRM_MOTIONS];

/* A chain of equal bones in such a motion. */
typedef struct vrm_run {
    vrm_motion_name motion;
    double stiffness, drag, gravity, length;
    vector gravity_direction;
} vrm_run;

/* The rotation that all bones start with. */
quaternion vrm_start(const vrm_run *run);

/* In VRM's first frame a bone that starts with a force on it has no speed yet: its motion is that of a spring let go
   half a frame earlier. Others begin with a step of 1.5 frames to be compared with it. */
bool vrm_is_let_go(const vrm_run *run);

/* The direction of the last bone after each frame. */
enum { VRM_BONES = 5 };
void vrm_follow(const vrm_run *run, size_t bones, int rate, size_t frames, vector *direction);

/* Stiffness 0.05 to 4, drag 0.05 to 1, gravity 0 to 2 and length 0.02 to 0.3, in each of six motions. */
enum { VRM_GRID_DRAGS = 7, VRM_GRID_POINTS = 7 * VRM_GRID_DRAGS * 4 * 4, VRM_GRID_MOTIONS = 6 };
extern const double vrm_grid_drags[VRM_GRID_DRAGS];
vrm_run vrm_grid_run(size_t point, size_t motion);
size_t vrm_grid_drag_of(size_t point); /* as an index */

#endif
