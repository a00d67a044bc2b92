/* A batch: many things of one kind that share their parameters. A kind is the few functions below; the runner knows
   nothing else of it, and to add one is a file like batches/springs.c and a row in scene/scene.c. */
#ifndef GYRE_TOOL_BATCH_H
#define GYRE_TOOL_BATCH_H

#include "input/document.h"
#include "scene/events.h"

#include <gyre/gyre.h>

#include <stdio.h>

struct scene;

struct batch {
    const struct batch_kind *kind;
    const char *name; /* no other batch of the scene has it */
    size_t count;
    struct events events; /* the kind reads them and says below what they do; the runner knows when */
    void *state;          /* the kind's own */
};

struct batch_kind {
    const char *key;            /* of the list of such batches in a scene */
    const char *one;            /* what one of its things is called; more of them as the key says */
    const char *const *keys;    /* that such a batch may have; ends with NULL */
    const char *const *columns; /* of its states; ends with NULL */

    /* Fills `state` and `events`. Ends the program if the node is wrong; keys, name and count have been checked. */
    void (*read)(struct batch *batch, const struct node *where, const struct scene *scene);
    void (*free)(struct batch *batch); /* `state` */

    void (*apply_event)(struct batch *batch, const struct event *event);

    /* A step takes the states on by dt_s, to at_s on the scene's clock. It is prepared once, then advanced in slices by
       any threads. touch() has the loads and stores of advance() and no arithmetic: it is the ceiling. It may spoil the
       states. */
    void (*prepare)(struct batch *batch, double at_s, float dt_s);
    gyre_status (*advance)(const struct batch *batch, size_t begin, size_t end);
    void (*touch)(const struct batch *batch, size_t begin, size_t end);

    /* Of the states after a step of any length, 0 as well. */
    size_t (*at_rest)(const struct batch *batch);
    void (*write)(const struct batch *batch, size_t begin, size_t end);
    void (*summary)(const struct batch *batch, FILE *out); /* NULL: nothing to add to what all kinds tell */
};

extern const struct batch_kind springs_kind, particles_kind, flings_kind, bodies_kind;

#endif
