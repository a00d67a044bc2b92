#include "start.h"

#include "csv.h"
#include "values.h"

enum { MOST_COLUMNS = 8, CSV_LEAST = 2 };

static void from_csv(const struct node *file, size_t count, const char *const names[], size_t most,
                     float *const columns[])
{
    struct csv table = csv_read(file, names, CSV_LEAST, most);
    csv_expect_rows(&table, file, count);
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < table.columns; c++) {
            columns[c][i] = (float)table.cells[i * table.columns + c];
        }
    }
    csv_free(&table);
}

void start_read(const struct batch *batch, const struct node *start, const struct scene *scene,
                const char *const names[], float *const columns[])
{
    const char *known[MOST_COLUMNS + 2] = {"csv"};
    size_t most = 0;
    for (; names[most] != NULL; most++) {
        known[most + 1] = names[most];
    }
    if (start->value == NULL) {
        return;
    }
    only_keys(start, known);
    struct node file = member(start, "csv");
    if (file.value != NULL) {
        if (json_object_size(start->value) > 1) {
            bad(start, "expected either csv or the other keys");
        }
        from_csv(&file, batch->count, names, most, columns);
        return;
    }
    for (size_t i = 0; i < most; i++) {
        struct node where = member(start, names[i]);
        values_read_into(&where, columns[i], batch->count, scene_stream(scene, batch, names[i], 0));
    }
}
