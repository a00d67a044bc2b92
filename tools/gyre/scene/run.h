/* Runs a scene from its start to its end. */
#ifndef GYRE_TOOL_RUN_H
#define GYRE_TOOL_RUN_H

#include "scene/scene.h"

struct run_report {
    size_t frames, steps; /* an event or an output inside a frame adds a step */
    double kernel_s;      /* in the library, all steps */
    double best_step_s;   /* the fastest step: the one least disturbed by other work on the machine */
    double ceiling_s;     /* the fastest pass of loads and stores alone: see ceiling.h */
    size_t at_rest;
};

/* If `write`, writes states at the output times of the scene; the states file must be open. */
struct run_report run_scene(const struct scene *scene, int threads, bool write);

#endif
