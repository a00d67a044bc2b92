/* A scene: what to simulate, for how long, in what steps, and when to write it down. */
#ifndef GYRE_TOOL_SCENE_H
#define GYRE_TOOL_SCENE_H

#include "scene/batch.h"

#include <stdint.h>

struct scene {
    struct document document;
    const char *name;
    uint64_t seed;
    double duration_s;

    /* Frame i ends at frame_ends_s[i], or at (i + 1) * time_step_s where frame_ends_s is NULL. */
    double time_step_s;
    double *frame_ends_s;
    size_t frame_count;

    double *output_times_s; /* ascending, each once */
    size_t output_count;

    struct batch *batches;
    size_t batch_count;
};

/* Reads and checks everything, or ends the program with one line that says what is wrong and where. `kinds` ends with
   NULL. A scene lasts as long as the program: its memory is never released. */
void scene_read(struct scene *scene, const char *path, const struct batch_kind *const kinds[]);

/* Times that differ by less than this share of the duration differ by rounding alone. */
#define SCENE_SAME 1e-12

/* Whether the scene lasts until then, but for rounding. */
bool scene_lasts_until(const struct scene *scene, double time_s);

double scene_frame_end(const struct scene *scene, size_t frame);

/* A time that the scene states: from 0 to its duration. */
double scene_time(const struct scene *scene, const struct node *where);

/* How many things are in its batches, and what `count` such things are called: "springs", "spring", or "elements" if
   they are of more than one kind. */
double scene_elements(const struct scene *scene);
const char *scene_noun(const struct scene *scene, double count);

/* Ends the program if this machine has not the memory for the batch at `where`: `bytes_each` for each of its things. */
void scene_reserve(const struct batch *batch, const struct node *where, size_t bytes_each);

/* A stream of random numbers for one use in one batch. */
uint64_t scene_stream(const struct scene *scene, const struct batch *batch, const char *use, size_t number);

/* Takes the place of the scene's own output times. */
void scene_set_outputs(struct scene *scene, const double *times_s, size_t count);

#endif
