/* What happens to a batch at stated times: new values for some of its elements. */
#ifndef GYRE_TOOL_EVENTS_H
#define GYRE_TOOL_EVENTS_H

#include "input/values.h"

struct batch;
struct scene;

enum { EVENT_FIELDS = 4, EVENT_COMPONENTS = 3 }; /* at most */

struct event {
    double at_s;
    size_t first, count;
    size_t order;                                         /* in the scene: of two at one time the later one wins */
    bool has[EVENT_FIELDS];                               /* which of `values` are given */
    struct values values[EVENT_FIELDS][EVENT_COMPONENTS]; /* for `count` elements from `first` on */
};

struct events {
    struct event *list; /* by time */
    size_t count, next;
};

struct event_field {
    const char *key; /* NULL after the last */
    const char *use; /* names the random stream of its values */
    size_t components;
};

/* An absent list is no events. */
struct events events_read(const struct batch *batch, const struct node *list, const struct scene *scene,
                          const struct event_field fields[EVENT_FIELDS]);
void events_free(struct events *events);

/* Some that are in no list, and have no field. */
void events_add(struct events *events, const double at_s[], size_t count);

bool events_have(const struct events *events, size_t field); /* in any event */

double events_next_s(const struct events *events); /* infinity: none is left */
const struct event *events_take(struct events *events);

#endif
