/* The output of a run: one row per element and output time, as CSV or as JSON lines. */
#ifndef GYRE_TOOL_STATES_H
#define GYRE_TOOL_STATES_H

#include "scene/scene.h"

#include <stdbool.h>
#include <stddef.h>

enum states_format { STATES_CSV, STATES_JSONL };

/* The value of one column. */
struct cell {
    enum { CELL_EMPTY, CELL_NUMBER, CELL_TRUTH } kind; /* empty: null in JSON */
    double value;
};

/* The format of a name such as "csv", or of a file name by its extension. False if it is neither. */
bool states_format_named(const char *name, enum states_format *out);

/* CSV has the columns of all kinds in the scene; cells of other kinds are empty. A JSON line has only the columns of
   its kind. */
void states_open(const char *path, enum states_format format, const struct scene *scene);
void states_at(double time_s); /* sets the time of the rows that follow */
void states_write(const struct batch *batch, size_t index, const struct cell cells[]); /* one cell for each column */

struct states_written {
    size_t rows, not_finite; /* not_finite: rows with a value that is not finite */
};
struct states_written states_close(void); /* all rows are on disk then */

/* The columns of kinds with one coordinate: position, velocity, target, awake. */
extern const char *const motion_columns[];
/* `target` is NULL for kinds without one. */
void states_write_motion(const struct batch *batch, size_t index, double position, double velocity, const float *target,
                         bool awake);

#endif
