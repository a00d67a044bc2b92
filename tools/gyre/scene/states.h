/* The states that a run writes: one row per element and asked time, as CSV or as JSON lines. */
#ifndef GYRE_TOOL_STATES_H
#define GYRE_TOOL_STATES_H

#include "scene/scene.h"

#include <stdbool.h>
#include <stddef.h>

enum states_format { STATES_CSV, STATES_JSONL };

/* What stands in one column. */
struct cell {
    enum { CELL_EMPTY, CELL_NUMBER, CELL_TRUTH } kind; /* empty: null in JSON */
    double value;
};

/* Of a name like "csv", or of a file name by what is after its last dot. False if neither. */
bool states_format_named(const char *name, enum states_format *out);

/* A table has the columns of all kinds of the scene, and what a row's kind has not is empty. A JSON line has those of
   its kind alone. */
void states_open(const char *path, enum states_format format, const struct scene *scene);
void states_at(double time_s); /* the rows that follow are of this time */
void states_write(const struct batch *batch, size_t index, const struct cell cells[]); /* one for each column */

struct states_written {
    size_t rows, not_finite; /* rows of these that have a value that is not finite */
};
struct states_written states_close(void); /* all is on disk now */

/* The columns of what moves in one coordinate: position, velocity, target, awake. */
extern const char *const motion_columns[];
/* `target` is NULL for what has none. */
void states_write_motion(const struct batch *batch, size_t index, float position, float velocity, const float *target,
                         bool awake);

#endif
