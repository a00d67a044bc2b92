/* A scene: what to simulate, for how long, in which frames, and when to write states. */
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

    double *output_times_s; /* ascending, without duplicates */
    size_t output_count;

    struct batch *batches;
    size_t batch_count;
};

/* Reads and checks everything, or ends the program with one line that says what is wrong and where. `kinds` ends with
   NULL. A scene lasts as long as the program: its memory is never released. */
void scene_read(struct scene *scene, const char *path, const struct batch_kind *const kinds[]);

/* Times that differ by less than this fraction of the duration are equal except for rounding. */
#define SCENE_SAME 1e-12

/* True if the scene lasts until then, allowing for rounding. */
bool scene_lasts_until(const struct scene *scene, double time_s);

double scene_frame_end(const struct scene *scene, size_t frame);

/* Reads a time from 0 to the scene's duration. */
double scene_time(const struct scene *scene, const struct node *where);

double scene_rows(const struct scene *scene); /* of states, for one output time */

/* The number of elements in all batches, and the noun for `count` of them: "springs", "spring", or "elements" if the
   scene has several kinds. */
double scene_elements(const struct scene *scene);
const char *scene_noun(const struct scene *scene, double count);

/* Ends the program unless there is memory for `bytes_each` for each element of the batch at `where`. */
void scene_expect_room(const struct batch *batch, const struct node *where, size_t bytes_each);

/* The stream of random numbers for one use in one batch. */
uint64_t scene_stream(const struct scene *scene, const struct batch *batch, const char *use, size_t number);

/* Replaces the frames of the scene by this many a second. Returns false, and changes nothing, if these are too many. */
bool scene_set_rate(struct scene *scene, double rate);

/* Replaces the output times of the scene. */
void scene_set_outputs(struct scene *scene, const double *times_s, size_t count);

#endif
