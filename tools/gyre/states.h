/* The states that a run writes: one row per element and asked time, as CSV or as JSON lines. */
#ifndef GYRE_TOOL_STATES_H
#define GYRE_TOOL_STATES_H

#include <stdbool.h>
#include <stddef.h>

enum states_format { STATES_CSV, STATES_JSONL };

/* Of a name like "csv", or of a file name by what is after its last dot. False if neither. */
bool states_format_named(const char *name, enum states_format *out);

void states_open(const char *path, enum states_format format);
void states_at(double time_s); /* the rows that follow are of this time */
/* `target` is NULL for what has none: an empty cell, null in JSON. */
void states_write(const char *batch, size_t index, float position, float velocity, const float *target, bool awake);
size_t states_close(void); /* the number of rows, now all on disk */

#endif
