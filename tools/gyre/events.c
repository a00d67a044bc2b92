#include "events.h"

#include <math.h>
#include <stdlib.h>

static struct event read_event(const struct batch *batch, const struct node *where, const struct scene *scene,
                               const struct event_field fields[EVENT_FIELDS])
{
    only_keys(where, (const char *const[]){"at_s", "first", "last", fields[0].key, fields[1].key, NULL});
    struct node at = member(where, "at_s"), first = member(where, "first"), last = member(where, "last");
    struct event read = {.at_s = scene_time(scene, &at), .order = where->index};
    size_t end = batch->count;
    if (first.value != NULL) {
        read.first = whole_number(&first, 0, batch->count - 1);
    }
    if (last.value != NULL) {
        end = whole_number(&last, read.first, batch->count - 1) + 1;
    }
    read.count = end - read.first;
    for (size_t i = 0; i < EVENT_FIELDS && fields[i].key != NULL; i++) {
        struct node field = member(where, fields[i].key);
        read.has[i] = field.value != NULL;
        if (read.has[i]) {
            uint64_t stream = scene_stream(scene, batch, fields[i].use, where->index);
            read.values[i] = values_read(&field, read.count, stream);
        }
    }
    if (!read.has[0] && !read.has[1]) {
        struct node field = member(where, fields[0].key);
        bad(&field, "is missing%s%s, expected a number, an array of %zu numbers, a distribution, or a column of a CSV",
            fields[1].key != NULL ? ", and so is " : "", fields[1].key != NULL ? fields[1].key : "", read.count);
    }
    return read;
}

static int by_time(const void *a, const void *b)
{
    const struct event *first = a, *second = b;
    if (first->at_s != second->at_s) {
        return first->at_s < second->at_s ? -1 : 1;
    }
    return first->order < second->order ? -1 : 1;
}

struct events events_read(const struct batch *batch, const struct node *list, const struct scene *scene,
                          const struct event_field fields[EVENT_FIELDS])
{
    struct events events = {0};
    if (list->value == NULL) {
        return events;
    }
    events.count = array_length(list);
    events.list = allocate(events.count, sizeof *events.list);
    for (size_t i = 0; i < events.count; i++) {
        struct node item = element(list, i);
        events.list[i] = read_event(batch, &item, scene, fields);
    }
    qsort(events.list, events.count, sizeof *events.list, by_time);
    return events;
}

void events_free(struct events *events)
{
    for (size_t i = 0; i < events->count; i++) {
        for (size_t field = 0; field < EVENT_FIELDS; field++) {
            values_free(&events->list[i].values[field]);
        }
    }
    free(events->list);
}

double events_next_s(const struct events *events)
{
    return events->next < events->count ? events->list[events->next].at_s : (double)INFINITY;
}

const struct event *events_take(struct events *events) { return &events->list[events->next++]; }
