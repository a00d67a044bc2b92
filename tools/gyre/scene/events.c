#include "scene/events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t field_count(const struct event_field fields[EVENT_FIELDS])
{
    size_t count = 0;
    while (count < EVENT_FIELDS && fields[count].key != NULL) {
        count++;
    }
    return count;
}

static _Noreturn void bad_without_fields(const struct node *where, const struct event_field fields[EVENT_FIELDS],
                                         size_t elements)
{
    struct node first = member(where, fields[0].key);
    char others[128] = "", expected[64];
    size_t count = field_count(fields);
    for (size_t i = 1; i < count; i++) {
        size_t length = strlen(others);
        const char *before = i == 1 ? (count == 2 ? ", and so is " : ", and so are ") : i + 1 < count ? ", " : " and ";
        snprintf(others + length, sizeof others - length, "%s%s", before, fields[i].key);
    }
    snprintf(expected, sizeof expected, "an array of %zu values", fields[0].components);
    if (fields[0].components == 1) {
        snprintf(expected, sizeof expected, "a number, an array of %zu numbers", elements);
    }
    bad(&first, "is missing%s, expected %s%s", others, expected,
        fields[0].components == 1 ? ", a distribution, or a column of a CSV" : "");
}

static struct event read_event(const struct batch *batch, const struct node *where, const struct scene *scene,
                               const struct event_field fields[EVENT_FIELDS])
{
    const char *keys[3 + EVENT_FIELDS + 1] = {"at_s", "first", "last"};
    size_t fields_given = 0, count = field_count(fields);
    for (size_t i = 0; i < count; i++) {
        keys[3 + i] = fields[i].key;
    }
    only_keys(where, keys);
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
    for (size_t i = 0; i < count; i++) {
        struct node field = member(where, fields[i].key);
        read.has[i] = field.value != NULL;
        fields_given += read.has[i];
        if (read.has[i]) {
            uint64_t stream = scene_stream(scene, batch, fields[i].use, where->index);
            values_read_components(&field, fields[i].components, read.count, stream, read.values[i]);
        }
    }
    if (fields_given == 0) {
        bad_without_fields(where, fields, read.count);
    }
    return read;
}

static int by_time(const void *a, const void *b)
{
    const struct event *first = a, *second = b;
    if (first->at_s != second->at_s) {
        return first->at_s < second->at_s ? -1 : 1;
    }
    return (first->order > second->order) - (first->order < second->order);
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

bool events_state(const struct node *list, const char *key)
{
    for (size_t i = 0; i < json_array_size(list->value); i++) {
        struct node item = element(list, i);
        if (member(&item, key).value != NULL) {
            return true;
        }
    }
    return false;
}

void events_add(struct events *events, const double at_s[], size_t count)
{
    struct event *longer = allocate(events->count + count, sizeof *longer);
    if (events->count > 0) {
        memcpy(longer, events->list, events->count * sizeof *longer);
    }
    for (size_t i = 0; i < count; i++) {
        longer[events->count + i] = (struct event){.at_s = at_s[i], .order = SIZE_MAX};
    }
    release(events->list);
    events->list = longer;
    events->count += count;
    qsort(events->list, events->count, sizeof *events->list, by_time);
}

bool events_have(const struct events *events, size_t field)
{
    for (size_t i = 0; i < events->count; i++) {
        if (events->list[i].has[field]) {
            return true;
        }
    }
    return false;
}

double events_next_s(const struct events *events)
{
    return events->next < events->count ? events->list[events->next].at_s : (double)INFINITY;
}

const struct event *events_take(struct events *events) { return &events->list[events->next++]; }
