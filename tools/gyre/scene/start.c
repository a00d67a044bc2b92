#include "scene/start.h"

#include "input/csv.h"
#include "input/values.h"
#include "scene/sums.h"

enum { CSV_LEAST = 2 };

static size_t length_of(const char *const names[])
{
    size_t length = 0;
    while (names[length] != NULL) {
        length++;
    }
    return length;
}

void start_read_csv(const struct node *file, size_t count, const char *const names[], size_t least,
                    float *const columns[], float *const low[])
{
    if (json_object_size(file->parent->value) > 1) {
        bad(file->parent, "expected either csv or the other keys");
    }
    struct csv table = csv_read(file, names, least, length_of(names));
    csv_expect_rows(&table, file, count);
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < table.columns; c++) {
            set_sum(columns[c], low != NULL ? low[c] : NULL, i, table.cells[i * table.columns + c]);
        }
    }
    csv_free(&table);
}

void start_read(const struct batch *batch, const struct node *start, const struct scene *scene,
                const char *const names[], float *const columns[], float *const low[])
{
    const char *known[CSV_MOST_COLUMNS + 2] = {"csv"};
    size_t most = length_of(names);
    for (size_t i = 0; i < most; i++) {
        known[i + 1] = names[i];
    }
    if (start->value == NULL) {
        return;
    }
    only_keys(start, known);
    struct node file = member(start, "csv");
    if (file.value != NULL) {
        start_read_csv(&file, batch->count, names, CSV_LEAST, columns, low);
        return;
    }
    for (size_t i = 0; i < most; i++) {
        struct node where = member(start, names[i]);
        values_read_into(&where, columns[i], batch->count, scene_stream(scene, batch, names[i], 0));
    }
}
