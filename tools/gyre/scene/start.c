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

void start_take_attitudes(struct batch *batch, const struct node *where, float *const columns[4], size_t first,
                          size_t count, void (*set)(struct batch *batch, size_t i, struct attitude a))
{
    for (size_t i = 0; i < count; i++) {
        struct attitude attitude = {(double)columns[0][i], (double)columns[1][i], (double)columns[2][i],
                                    (double)columns[3][i]};
        if (!attitude_normalise(&attitude)) {
            bad(where, "is 0 for %s %zu, expected a quaternion x, y, z, w of nonzero length", batch->kind->one,
                first + i);
        }
        if (set != NULL) {
            set(batch, first + i, attitude);
        }
    }
}

void start_read_attitudes(struct batch *batch, const struct node *quaternion, const struct node *angles,
                          const struct scene *scene, void (*set)(struct batch *batch, size_t i, struct attitude a))
{
    const struct node *stated = quaternion->value != NULL ? quaternion : angles;
    if (quaternion->value != NULL && angles->value != NULL) {
        bad(quaternion->parent, "expected either %s or %s", quaternion->key, angles->key);
    }
    if (stated->value == NULL) {
        for (size_t i = 0; i < batch->count; i++) {
            set(batch, i, (struct attitude){.w = 1});
        }
        return;
    }
    float *columns[4];
    allocate_each(columns, 4, batch->count);
    values_read_vectors(stated, stated == angles ? 3 : 4, batch->count, scene_stream(scene, batch, stated->key, 0),
                        columns);
    if (stated == quaternion) {
        start_take_attitudes(batch, stated, columns, 0, batch->count, set);
    }
    for (size_t i = 0; stated == angles && i < batch->count; i++) {
        set(batch, i,
            attitude_from_euler_zxz((double[]){(double)columns[0][i], (double)columns[1][i], (double)columns[2][i]}));
    }
    release_each(columns, 4);
}
