/* Events: reading them, and taking them in the order of time. */
#ifndef GYRE_TOOL_EVENTS_H
#define GYRE_TOOL_EVENTS_H

#include "scene/scene.h"

struct event_field {
    const char *key; /* NULL after the last */
    const char *use; /* names the random stream of its values */
    size_t components;
};

/* Reads a list of events; an absent list has none. */
struct events events_read(const struct batch *batch, const struct node *list, const struct scene *scene,
                          const struct event_field fields[EVENT_FIELDS]);

bool events_state(const struct node *list, const char *key); /* whether an event of the list has this key */

/* Adds events that set no field, at these times. */
void events_add(struct events *events, const double at_s[], size_t count);

bool events_have(const struct events *events, size_t field); /* whether any event sets it */

double events_next_s(const struct events *events); /* time of the next event; infinity: there is none */
const struct event *events_take(struct events *events);

#endif
