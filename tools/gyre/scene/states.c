#include "scene/states.h"

#include "support/replace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 32 };

static FILE *stream;
static enum states_format format;
static char time_text[32];
static struct states_written written;
static const char *column_names[MOST_COLUMNS]; /* of all kinds in the scene; kinds may share some */
static size_t column_count;

const char *const motion_columns[] = {"position", "velocity", "target", "awake", NULL};

bool states_format_named(const char *name, enum states_format *out)
{
    const char *dot = strrchr(name, '.');
    const char *ending = dot != NULL ? dot + 1 : name;
    *out = strcmp(ending, "jsonl") == 0 ? STATES_JSONL : STATES_CSV;
    return *out == STATES_JSONL || strcmp(ending, "csv") == 0;
}

static size_t column_named(const char *name)
{
    size_t c = 0;
    while (c < column_count && strcmp(column_names[c], name) != 0) {
        c++;
    }
    return c;
}

static void add_columns(const char *const *names)
{
    for (; *names != NULL; names++) {
        if (column_named(*names) == column_count) {
            column_names[column_count++] = *names;
        }
    }
}

void states_open(const char *path, enum states_format as, const struct scene *scene)
{
    format = as;
    stream = replace_open(path);
    for (size_t i = 0; i < scene->batch_count; i++) {
        add_columns(scene->batches[i].kind->columns);
    }
    if (format == STATES_JSONL) {
        return;
    }
    fputs("time_s,batch,index", stream);
    for (size_t c = 0; c < column_count; c++) {
        fprintf(stream, ",%s", column_names[c]);
    }
    fputc('\n', stream);
}

/* The shortest text that reads back as the same double: 0.1 stays 0.1. */
void states_at(double time_s)
{
    snprintf(time_text, sizeof time_text, "%.15g", time_s);
    if (strtod(time_text, NULL) != time_s) {
        snprintf(time_text, sizeof time_text, "%.17g", time_s);
    }
}

/* Nine digits identify every float, and seventeen every double. */
static void write_number(double value)
{
    if (isnan(value)) {
        fputs("nan", stream); /* printf() would write its sign, which has no meaning */
    } else {
        fprintf(stream, (double)(float)value == value ? "%.9g" : "%.17g", value);
    }
}

static void write_row(const struct batch *batch, size_t index, const struct cell cells[])
{
    struct cell row[MOST_COLUMNS] = {{CELL_EMPTY, 0}};
    for (size_t c = 0; batch->kind->columns[c] != NULL; c++) {
        row[column_named(batch->kind->columns[c])] = cells[c];
    }
    fprintf(stream, "%s,%s,%zu", time_text, batch->name, index);
    for (size_t c = 0; c < column_count; c++) {
        fputc(',', stream);
        if (row[c].kind != CELL_EMPTY) {
            write_number(row[c].value);
        }
    }
    fputc('\n', stream);
}

/* JSON has no infinities or NaN: writes null. */
static void write_line(const struct batch *batch, size_t index, const struct cell cells[])
{
    fprintf(stream, "{\"time_s\":%s,\"batch\":\"%s\",\"index\":%zu", time_text, batch->name, index);
    for (size_t c = 0; batch->kind->columns[c] != NULL; c++) {
        fprintf(stream, ",\"%s\":", batch->kind->columns[c]);
        if (cells[c].kind == CELL_EMPTY || !isfinite(cells[c].value)) {
            fputs("null", stream);
        } else if (cells[c].kind == CELL_TRUTH) {
            fputs(cells[c].value != 0 ? "true" : "false", stream);
        } else {
            write_number(cells[c].value);
        }
    }
    fputs("}\n", stream);
}

static bool is_finite(const struct batch *batch, const struct cell cells[])
{
    for (size_t c = 0; batch->kind->columns[c] != NULL; c++) {
        if (!isfinite(cells[c].value)) {
            return false;
        }
    }
    return true;
}

void states_write(const struct batch *batch, size_t index, const struct cell cells[])
{
    written.rows++;
    written.not_finite += !is_finite(batch, cells);
    if (format == STATES_CSV) {
        write_row(batch, index, cells);
    } else {
        write_line(batch, index, cells);
    }
}

void states_write_motion(const struct batch *batch, size_t index, double position, double velocity, const float *target,
                         bool awake)
{
    const struct cell cells[] = {
        {CELL_NUMBER, position},
        {CELL_NUMBER, velocity},
        {target != NULL ? CELL_NUMBER : CELL_EMPTY, target != NULL ? (double)*target : 0},
        {CELL_TRUTH, awake},
    };
    states_write(batch, index, cells);
}

struct states_written states_close(void)
{
    replace_commit();
    return written;
}
