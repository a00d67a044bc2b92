/* Values of elements as a scene states them: one number for all, a list, a column of a CSV file, or a distribution. */
#ifndef GYRE_TOOL_VALUES_H
#define GYRE_TOOL_VALUES_H

#include "input/document.h"

#include <stdint.h>

enum { VALUES_MOST_COMPONENTS = 6 };

struct values {
    enum { VALUES_CONSTANT, VALUES_LIST, VALUES_UNIFORM, VALUES_NORMAL } kind;
    double first, second; /* the constant; low and high; mean and deviation */
    float *list;          /* the list or the column */
    uint64_t stream;
};

/* Reads values for `count` elements; absent values are 0. A distribution draws from `stream`. */
struct values values_read(const struct node *where, size_t count, uint64_t stream);
/* Reads values for each of `components`: `where` itself if that is 1, otherwise a list of values. Each component has
   its own random stream, derived from `stream`. */
void values_read_components(const struct node *where, size_t components, size_t count, uint64_t stream,
                            struct values out[]);

void values_fill(const struct values *values, float *out, size_t count);
void values_free(struct values *values);

/* Read, fill and free in one call; the second one for components. */
void values_read_into(const struct node *where, float *out, size_t count, uint64_t stream);
void values_read_vectors(const struct node *where, size_t components, size_t count, uint64_t stream,
                         float *const out[]);

#endif
