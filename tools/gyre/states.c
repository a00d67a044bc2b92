#include "states.h"

#include "replace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *stream;
static enum states_format format;
static char time_text[32];
static size_t rows;

bool states_format_named(const char *name, enum states_format *out)
{
    const char *dot = strrchr(name, '.');
    const char *ending = dot != NULL ? dot + 1 : name;
    *out = strcmp(ending, "jsonl") == 0 ? STATES_JSONL : STATES_CSV;
    return *out == STATES_JSONL || strcmp(ending, "csv") == 0;
}

void states_open(const char *path, enum states_format as)
{
    format = as;
    stream = replace_open(path);
    if (format == STATES_CSV) {
        fputs("time_s,batch,index,position,velocity,target,awake\n", stream);
    }
}

/* As short as reads back to the same double: 0.1 stays 0.1. */
void states_at(double time_s)
{
    snprintf(time_text, sizeof time_text, "%.15g", time_s);
    if (strtod(time_text, NULL) != time_s) {
        snprintf(time_text, sizeof time_text, "%.17g", time_s);
    }
}

/* Nine digits bring every float back. JSON has no word for what is not finite. */
static const char *json_float(char text[32], float value)
{
    snprintf(text, 32, isfinite(value) ? "%.9g" : "null", (double)value);
    return text;
}

void states_write(const char *batch, size_t index, float position, float velocity, const float *target, bool awake)
{
    char p[32], v[32], t[32] = "";
    rows++;
    if (format == STATES_CSV) {
        if (target != NULL) {
            snprintf(t, sizeof t, "%.9g", (double)*target);
        }
        fprintf(stream, "%s,%s,%zu,%.9g,%.9g,%s,%d\n", time_text, batch, index, (double)position, (double)velocity, t,
                awake);
    } else {
        fprintf(stream,
                "{\"time_s\":%s,\"batch\":\"%s\",\"index\":%zu,\"position\":%s,\"velocity\":%s,\"target\":%s,"
                "\"awake\":%s}\n",
                time_text, batch, index, json_float(p, position), json_float(v, velocity),
                target != NULL ? json_float(t, *target) : "null", awake ? "true" : "false");
    }
}

size_t states_close(void)
{
    replace_commit();
    return rows;
}
