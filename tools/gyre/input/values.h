/* Numbers as a scene states them: one for all, a list, a column of a CSV file, or a distribution. */
#ifndef GYRE_TOOL_VALUES_H
#define GYRE_TOOL_VALUES_H

#include "input/document.h"

#include <stdint.h>

struct values {
    enum { VALUES_CONSTANT, VALUES_LIST, VALUES_UNIFORM, VALUES_NORMAL } kind;
    double first, second; /* the constant; low and high; mean and deviation */
    float *list;          /* or the column */
    uint64_t stream;
};

/* Reads values for `count` elements. `stream` is where a distribution draws from. Absent is the constant 0. */
struct values values_read(const struct node *where, size_t count, uint64_t stream);
/* One for each of `components`: `where` itself if that is 1, else an array of them. Each draws from a stream of its
   own, made from `stream`. */
void values_read_components(const struct node *where, size_t components, size_t count, uint64_t stream,
                            struct values out[]);

void values_fill(const struct values *values, float *out, size_t count);
void values_free(struct values *values);

/* All of it at once. */
void values_read_into(const struct node *where, float *out, size_t count, uint64_t stream);

#endif
