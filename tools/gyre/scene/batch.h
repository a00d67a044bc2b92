/* A batch: many elements of one kind that share their parameters, and what happens to them at stated times. The runner
   knows a kind only as the functions of struct batch_kind; batches/kinds.c lists the kinds. */
#ifndef GYRE_TOOL_BATCH_H
#define GYRE_TOOL_BATCH_H

#include "input/document.h"
#include "input/values.h"

#include <gyre/gyre.h>

#include <stdint.h>
#include <stdio.h>

struct scene;

enum { EVENT_FIELDS = 4, EVENT_COMPONENTS = 4 }; /* at most */

/* New values for some elements of a batch. */
struct event {
    double at_s;
    size_t first, count;
    size_t order;                                         /* in the scene: at equal times the later event wins */
    bool has[EVENT_FIELDS];                               /* which of `values` are given */
    struct values values[EVENT_FIELDS][EVENT_COMPONENTS]; /* for `count` elements from `first` on */
};

struct events {
    struct event *list; /* sorted by time */
    size_t count, next;
};

struct batch {
    const struct batch_kind *kind;
    const char *name; /* unique in the scene */
    size_t count;
    size_t rows_each;     /* of states, for each element: 1, unless `read` sets it */
    struct events events; /* read and applied by the kind, at the times that the runner sees */
    void *state;          /* owned by the kind */
};

struct batch_kind {
    const char *key;            /* of the list of such batches in a scene */
    const char *one, *many;     /* the nouns */
    const char *const *keys;    /* allowed in such a batch; ends with NULL */
    const char *const *columns; /* of its states; ends with NULL */

    /* Fills `state` and `events`. Ends the program if the node is wrong; keys, name and count have been checked. */
    void (*read)(struct batch *batch, const struct node *where, const struct scene *scene);

    void (*apply_event)(struct batch *batch, const struct event *event);

    /* A step advances the states by dt_s, to the time at_s of the scene. It is prepared once, then run in slices by
       any number of threads. touch() makes the loads and stores of advance() without the arithmetic, which gives the
       ceiling; it may overwrite the states. */
    void (*prepare)(struct batch *batch, double at_s, float dt_s);
    gyre_status (*advance)(const struct batch *batch, size_t begin, size_t end);
    void (*touch)(const struct batch *batch, size_t begin, size_t end);

    /* Of the states after a step, which may be 0 s long. */
    size_t (*at_rest)(const struct batch *batch);
    uint64_t (*unfinished)(
        const struct batch *batch); /* elements in steps that the library could not finish; NULL: 0 */
    void (*write)(const struct batch *batch, size_t begin, size_t end);
    void (*summary)(const struct batch *batch, FILE *out); /* lines for this kind only; NULL: none */
};

#endif
