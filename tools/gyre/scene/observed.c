#include "scene/observed.h"

#include "input/csv.h"
#include "scene/events.h"
#include "support/text.h"

#include <math.h>
#include <stdlib.h>

enum { AT_S, ALPHA_DEG, COLUMNS = ALPHA_DEG + 3 };

static const char *const columns[COLUMNS] = {"at_s", "alpha_deg", "beta_deg", "gamma_deg"};

struct observed observed_read(struct batch *batch, const struct node *file, const struct scene *scene)
{
    struct observed read = {0};
    if (file->value == NULL) {
        return read;
    }
    if (batch->count != 1) {
        bad(file, "requires a batch of one body, but this one has %zu", batch->count);
    }
    struct csv table = csv_read_columns(file, columns, COLUMNS);
    read.count = table.rows;
    read.at_s = allocate(read.count, sizeof(double));
    read.degrees = allocate(read.count, sizeof *read.degrees);
    read.attitudes = allocate(read.count, sizeof *read.attitudes);
    read.predicted = allocate(read.count, sizeof *read.predicted);
    for (size_t row = 0; row < read.count; row++) {
        const double *cells = table.cells + row * COLUMNS;
        double at_s = cells[AT_S];
        if (at_s < 0 || !scene_lasts_until(scene, at_s)) {
            csv_bad(&table, row, AT_S, "expected a time from 0 to the duration of the scene");
        }
        if (row > 0 && at_s <= read.at_s[row - 1]) {
            csv_bad(&table, row, AT_S, "expected a later time than in the previous row");
        }
        read.at_s[row] = at_s;
        for (size_t i = 0; i < 3; i++) {
            read.degrees[row][i] = cells[ALPHA_DEG + i];
        }
        read.attitudes[row] = attitude_from_euler_zxz(read.degrees[row]);
    }
    events_add(&batch->events, read.at_s, read.count);
    csv_free(&table);
    return read;
}

void observed_predict(struct observed *observed, struct attitude predicted)
{
    observed->predicted[observed->predicted_count++] = predicted;
}

/* The angle in degrees between the directions of a body axis in two attitudes. */
static double axis_angle(struct attitude a, struct attitude b, size_t axis)
{
    const struct vector own = vector_along(axis);
    struct vector first = attitude_rotate(a, own), second = attitude_rotate(b, own);
    struct vector difference = {first.x - second.x, first.y - second.y, first.z - second.z};
    struct vector sum = {first.x + second.x, first.y + second.y, first.z + second.z};
    return 2 * atan2(vector_length(difference), vector_length(sum)) / degree;
}

void observed_summary(const struct observed *observed, const char *name, FILE *out)
{
    double most = 0;
    size_t within = 0;
    if (observed->count == 0) {
        return;
    }
    fprintf(out,
            "observed   %s: Euler angles about z, x, z and the error of each body axis, in degrees\n"
            "              time (s)      observed              predicted           x     y     z\n",
            name);
    for (size_t i = 0; i < observed->predicted_count; i++) {
        const double *seen = observed->degrees[i];
        double predicted[3];
        attitude_to_euler_zxz(observed->predicted[i], predicted);
        char at_s[32];
        snprintf(at_s, sizeof at_s, "%.10g", observed->at_s[i]);
        bool is_whole = observed->at_s[i] == floor(observed->at_s[i]);
        fprintf(out, "           %11s   %5.1f %5.1f %5.1f     %5.1f %5.1f %5.1f   ",
                is_whole ? grouped(observed->at_s[i]) : at_s, seen[0], seen[1], seen[2], predicted[0], predicted[1],
                predicted[2]);
        for (size_t axis = 0; axis < 3; axis++) {
            double angle = axis_angle(observed->attitudes[i], observed->predicted[i], axis);
            most = fmax(most, angle);
            within += angle <= 5;
            fprintf(out, " %5.1f", angle);
        }
        fputc('\n', out);
    }
    fprintf(out, "           largest error %.1f degrees, 5 or less in %zu of %zu\n", most, within,
            3 * observed->predicted_count);
}
