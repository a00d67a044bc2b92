/* What happens to a batch at stated times: new values for some of its elements. */
#ifndef GYRE_TOOL_EVENTS_H
#define GYRE_TOOL_EVENTS_H

#include "scene.h"
#include "values.h"

enum { EVENT_FIELDS = 2 }; /* at most */

struct event {
    double at_s;
    size_t first, count;
    size_t order;                       /* in the scene: of two at one time the later in the file wins */
    bool has[EVENT_FIELDS];             /* at least one of */
    struct values values[EVENT_FIELDS]; /* for `count` elements from `first` on */
};

struct events {
    struct event *list; /* by time */
    size_t count, next;
};

struct event_field {
    const char *key; /* NULL after the last */
    const char *use; /* names the random stream of its values */
};

/* An absent list is no events. */
struct events events_read(const struct batch *batch, const struct node *list, const struct scene *scene,
                          const struct event_field fields[EVENT_FIELDS]);
void events_free(struct events *events);

double events_next_s(const struct events *events); /* infinity: none is left */
const struct event *events_take(struct events *events);

#endif
