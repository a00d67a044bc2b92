#include "input/values.h"

#include "input/csv.h"
#include "support/progress.h"
#include "support/random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static struct values read_list(const struct node *where, size_t count)
{
    size_t length = array_length(where);
    if (length != count) {
        bad(where, "has %zu numbers, expected %zu", length, count);
    }
    struct values read = {.kind = VALUES_LIST, .list = allocate(count, sizeof(float))};
    for (size_t i = 0; i < count; i++) {
        struct node item = element(where, i);
        read.list[i] = (float)number(&item);
        progress_read(1);
    }
    return read;
}

static struct values read_column(const struct node *where, const struct node *file, size_t count)
{
    only_keys(where, (const char *const[]){"csv", "column", NULL});
    struct node column = member(where, "column");
    const char *name = string(&column);
    struct csv table = csv_read_columns(file, &name, 1);
    csv_expect_rows(&table, file, count);
    struct values read = {.kind = VALUES_LIST, .list = allocate(count, sizeof(float))};
    for (size_t i = 0; i < count; i++) {
        read.list[i] = (float)table.cells[i];
    }
    csv_free(&table);
    return read;
}

static struct values read_distribution(const struct node *where, uint64_t stream)
{
    only_keys(where, (const char *const[]){"uniform", "normal", "csv", "column", NULL});
    struct node uniform = member(where, "uniform");
    struct node normal = member(where, "normal"), column = member(where, "column");
    if (column.value != NULL) {
        bad(&column, "requires csv, which is missing");
    }
    if ((uniform.value == NULL) == (normal.value == NULL)) {
        bad(where, "expected one distribution, uniform or normal, or csv and column");
    }
    if (uniform.value != NULL) {
        only_keys(&uniform, (const char *const[]){"low", "high", NULL});
        struct node low = member(&uniform, "low");
        struct node high = member(&uniform, "high");
        double least = number(&low);
        return (struct values){
            .kind = VALUES_UNIFORM, .first = least, .second = number_from(&high, least), .stream = stream};
    }
    only_keys(&normal, (const char *const[]){"mean", "deviation", NULL});
    struct node mean = member(&normal, "mean");
    struct node deviation = member(&normal, "deviation");
    return (struct values){
        .kind = VALUES_NORMAL, .first = number(&mean), .second = number_from(&deviation, 0), .stream = stream};
}

struct values values_read(const struct node *where, size_t count, uint64_t stream)
{
    if (where->value == NULL) {
        return (struct values){.kind = VALUES_CONSTANT, .first = 0};
    }
    if (json_is_array(where->value)) {
        return read_list(where, count);
    }
    if (json_is_object(where->value)) {
        struct node file = member(where, "csv");
        if (file.value != NULL) {
            return read_column(where, &file, count);
        }
        return read_distribution(where, stream);
    }
    if (!json_is_number(where->value)) {
        bad(where, "expected a number, an array of %zu numbers, a distribution, or a column of a CSV", count);
    }
    return (struct values){.kind = VALUES_CONSTANT, .first = number(where)};
}

void values_read_components(const struct node *where, size_t components, size_t count, uint64_t stream,
                            struct values out[])
{
    if (components == 1) {
        out[0] = values_read(where, count, stream);
        return;
    }
    size_t length = array_length(where);
    if (length != components) {
        bad(where, "has %zu values, expected %zu", length, components);
    }
    for (size_t i = 0; i < components; i++) {
        static const char *const names[VALUES_MOST_COMPONENTS] = {"0", "1", "2", "3", "4", "5"};
        struct node item = element(where, i);
        out[i] = values_read(&item, count, random_stream(stream, names[i]));
    }
}

/* A normal distribution is unbounded: clamps the very rare value beyond the range of floats. */
static float to_float(double value) { return (float)fmax(-FLT_MAX, fmin(FLT_MAX, value)); }

static void fill_some(const struct values *values, uint64_t *stream, float *out, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        switch (values->kind) {
        case VALUES_CONSTANT: out[i] = (float)values->first; break;
        case VALUES_LIST: out[i] = values->list[i]; break;
        case VALUES_UNIFORM:
            out[i] = to_float(values->first + (values->second - values->first) * random_uniform(stream));
            break;
        case VALUES_NORMAL: out[i] = to_float(values->first + values->second * random_normal(stream)); break;
        }
    }
}

void values_fill(const struct values *values, float *out, size_t count)
{
    const size_t piece = 1 << 14;
    const bool is_counted = values->kind == VALUES_LIST; /* already, when it was read */
    uint64_t stream = values->stream;
    for (size_t begin = 0; begin < count; begin += piece) {
        size_t end = count - begin > piece ? begin + piece : count;
        fill_some(values, &stream, out, begin, end);
        progress_read(is_counted ? 0 : end - begin);
    }
}

void values_free(struct values *values) { release(values->list); }

void values_read_into(const struct node *where, float *out, size_t count, uint64_t stream)
{
    struct values values = values_read(where, count, stream);
    values_fill(&values, out, count);
    values_free(&values);
}

void values_read_vectors(const struct node *where, size_t components, size_t count, uint64_t stream, float *const out[])
{
    struct values values[VALUES_MOST_COMPONENTS];
    values_read_components(where, components, count, stream, values);
    for (size_t c = 0; c < components; c++) {
        values_fill(&values[c], out[c], count);
        values_free(&values[c]);
    }
}
