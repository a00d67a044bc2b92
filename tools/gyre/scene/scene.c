#include "scene/scene.h"

#include "input/csv.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double most_frames = 1e9;

double scene_frame_end(const struct scene *scene, size_t frame)
{
    return scene->frame_ends_s != NULL ? scene->frame_ends_s[frame] : (double)(frame + 1) * scene->time_step_s;
}

bool scene_lasts_until(const struct scene *scene, double time_s)
{
    return time_s <= (1 + SCENE_SAME) * scene->duration_s;
}

double scene_time(const struct scene *scene, const struct node *where)
{
    double time = number_from(where, 0);
    if (!scene_lasts_until(scene, time)) {
        bad(where, "is %.15g, expected a time up to the duration of %.15g s", time, scene->duration_s);
    }
    return time;
}

double scene_elements(const struct scene *scene)
{
    double elements = 0;
    for (size_t i = 0; i < scene->batch_count; i++) {
        elements += (double)scene->batches[i].count;
    }
    return elements;
}

double scene_rows(const struct scene *scene)
{
    double rows = 0;
    for (size_t i = 0; i < scene->batch_count; i++) {
        rows += (double)scene->batches[i].rows_each * (double)scene->batches[i].count;
    }
    return rows;
}

const char *scene_noun(const struct scene *scene, double count)
{
    for (size_t i = 1; i < scene->batch_count; i++) {
        if (scene->batches[i].kind != scene->batches[0].kind) {
            return "elements";
        }
    }
    return count == 1 ? scene->batches[0].kind->one : scene->batches[0].kind->many;
}

void scene_expect_room(const struct batch *batch, const struct node *where, size_t bytes_each)
{
    if (!memory_has_room(batch->count, bytes_each)) {
        struct node count = member(where, "count");
        bad(&count, "%zu %s need more memory than the %s MB that this program may use, expected fewer", batch->count,
            batch->kind->many, grouped(memory_allowed() * 1e-6));
    }
}

uint64_t scene_stream(const struct scene *scene, const struct batch *batch, const char *use, size_t number)
{
    char purpose[128]; /* a name has up to 64 bytes */
    snprintf(purpose, sizeof purpose, "%s/%s/%zu", batch->name, use, number);
    return random_stream(scene->seed, purpose);
}

static void read_listed_frames(struct scene *scene, const struct node *list)
{
    double end = 0;
    scene->frame_count = array_length(list);
    scene->frame_ends_s = allocate(scene->frame_count, sizeof(double));
    for (size_t i = 0; i < scene->frame_count; i++) {
        struct node item = element(list, i);
        end += number_from(&item, 0);
        scene->frame_ends_s[i] = end;
    }
}

static void read_recorded_frames(struct scene *scene, const struct node *file)
{
    static const char *const names[] = {"frame_time_s"};
    double end = 0;
    struct csv table = csv_read(file, names, 1, 1);
    scene->frame_count = table.rows;
    scene->frame_ends_s = allocate(table.rows, sizeof(double));
    for (size_t i = 0; i < table.rows; i++) {
        if (table.cells[i] < 0) {
            csv_bad(&table, i, 0, "expected 0 or more");
        }
        end += table.cells[i];
        scene->frame_ends_s[i] = end;
    }
    csv_free(&table);
}

/* Equal frames need a duration. Listed frames add up to one; a stated duration may end before that. */
static void read_time(struct scene *scene, const struct node *top)
{
    struct node duration = member(top, "duration_s"), step = member(top, "time_step_s");
    struct node listed = member(top, "frame_times_s"), recorded = member(top, "frame_times_csv");
    if ((step.value != NULL) + (listed.value != NULL) + (recorded.value != NULL) != 1) {
        bad(top, "expected exactly one of time_step_s, frame_times_s and frame_times_csv");
    }
    if (step.value != NULL) {
        scene->duration_s = number_above(&duration, 0);
        scene->time_step_s = number_above(&step, 0);
        if (scene->duration_s / scene->time_step_s > most_frames) {
            bad(&step, "gives %.0f frames, expected at most %.0f", scene->duration_s / scene->time_step_s, most_frames);
        }
        return;
    }
    if (listed.value != NULL) {
        read_listed_frames(scene, &listed);
    } else {
        read_recorded_frames(scene, &recorded);
    }
    double whole = scene->frame_count > 0 ? scene->frame_ends_s[scene->frame_count - 1] : 0;
    if (whole == 0) {
        bad(listed.value != NULL ? &listed : &recorded,
            "has no frames or only frames of 0 s, expected a positive duration");
    }
    scene->duration_s = duration.value != NULL ? number_above(&duration, 0) : whole;
    if (scene->duration_s > (1 + SCENE_SAME) * whole) {
        bad(&duration, "is %.15g, expected up to the %.15g s that the frame times add up to", scene->duration_s, whole);
    }
    scene->duration_s = fmin(scene->duration_s, whole);
}

bool scene_set_rate(struct scene *scene, double rate)
{
    if (!(rate * scene->duration_s <= most_frames)) {
        return false;
    }
    scene->time_step_s = 1 / rate;
    release(scene->frame_ends_s);
    scene->frame_ends_s = NULL;
    return true;
}

static int ascending(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

void scene_set_outputs(struct scene *scene, const double *times_s, size_t count)
{
    release(scene->output_times_s);
    double *times = scene->output_times_s = allocate(count, sizeof(double));
    for (size_t i = 0; i < count; i++) {
        times[i] = fabs(times_s[i]); /* none is negative; fabs() turns -0 into 0 */
    }
    qsort(times, count, sizeof(double), ascending);
    scene->output_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || times[i] > times[scene->output_count - 1]) {
            times[scene->output_count++] = times[i];
        }
    }
}

static void read_outputs(struct scene *scene, const struct node *list)
{
    if (list->value == NULL) {
        scene_set_outputs(scene, &scene->duration_s, 1);
        return;
    }
    size_t count = array_length(list);
    double *times_s = allocate(count, sizeof(double));
    for (size_t i = 0; i < count; i++) {
        struct node item = element(list, i);
        times_s[i] = scene_time(scene, &item);
    }
    scene_set_outputs(scene, times_s, count);
    release(times_s);
}

/* A name that the summary shows without escaping. */
static const char *read_title(const struct node *where)
{
    const char *title = string(where);
    for (const char *c = title; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            bad(where, "expected a name without control characters");
        }
    }
    return title;
}

/* The name of a batch goes into CSV and JSON too, and identifies the batch. */
static const char *read_name(const struct scene *scene, const struct node *where)
{
    const char *name = read_title(where);
    if (name[0] == '\0' || strlen(name) > 64) {
        bad(where, "has %zu bytes, expected 1 to 64", strlen(name));
    }
    if (strpbrk(name, ",\"\\") != NULL) {
        bad(where, "expected a name without commas, quotes or backslashes");
    }
    for (size_t i = 0; i < scene->batch_count; i++) {
        if (strcmp(scene->batches[i].name, name) == 0) {
            bad(where, "another batch is also named \"%s\", expected a unique name", name);
        }
    }
    return name;
}

static void read_batches(struct scene *scene, const struct node *top, const struct batch_kind *const kinds[])
{
    size_t count = 0;
    for (size_t k = 0; kinds[k] != NULL; k++) {
        struct node list = member(top, kinds[k]->key);
        count += list.value != NULL ? array_length(&list) : 0;
    }
    if (count == 0) {
        bad(top, "has no batches, expected at least one in springs, orientation_springs, particles, flings, chains "
                 "or bodies");
    }
    scene->batches = allocate(count, sizeof *scene->batches);
    for (size_t k = 0; kinds[k] != NULL; k++) {
        struct node list = member(top, kinds[k]->key);
        for (size_t i = 0; i < json_array_size(list.value); i++) {
            struct node where = element(&list, i);
            only_keys(&where, kinds[k]->keys);
            struct node name = member(&where, "name"), size = member(&where, "count");
            struct batch *next = &scene->batches[scene->batch_count];
            next->kind = kinds[k];
            next->name = read_name(scene, &name);
            next->count = whole_number(&size, 1, SIZE_MAX);
            next->rows_each = 1;
            next->kind->read(next, &where, scene);
            scene->batch_count++;
        }
    }
}

void scene_read(struct scene *scene, const char *path, const struct batch_kind *const kinds[])
{
    static const char *const keys[] = {
        "name",          "source",          "notes",          "seed",    "duration_s",          "time_step_s",
        "frame_times_s", "frame_times_csv", "output_times_s", "springs", "orientation_springs", "particles",
        "flings",        "chains",          "bodies",         NULL};
    struct node top = document_read(&scene->document, path);
    only_keys(&top, keys);
    struct node name = member(&top, "name"), seed = member(&top, "seed"), outputs = member(&top, "output_times_s");
    scene->name = name.value != NULL ? read_title(&name) : scene->document.path;
    scene->seed = seed.value != NULL ? whole_number(&seed, 0, SIZE_MAX) : 0;
    read_time(scene, &top);
    read_outputs(scene, &outputs);
    read_batches(scene, &top, kinds);
}
