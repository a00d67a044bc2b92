/* Takes a scene from its start to its end. */
#ifndef GYRE_TOOL_RUN_H
#define GYRE_TOOL_RUN_H

#include "scene/scene.h"

struct run_report {
    size_t frames, steps; /* an event or an output inside a frame makes one more step */
    double kernel_s;      /* inside the library, all steps */
    double best_step_s;   /* the quickest of them: one that nothing else on the machine disturbed */
    double ceiling_s;     /* the quickest that one could be if arithmetic were free: see ceiling.h */
    size_t at_rest;
};

/* With `write` the states go to the states file, which must be open, at the scene's output times. */
struct run_report run_scene(const struct scene *scene, int threads, bool write);

#endif
