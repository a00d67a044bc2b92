#include "values.h"

#include "random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static struct values read_list(const struct node *where, size_t count)
{
    size_t length = array_length(where);
    if (length != count) {
        bad(where, "has %zu numbers, expected %zu", length, count);
    }
    struct values read = {.form = VALUES_LIST, .list = allocate(count, sizeof(float))};
    for (size_t i = 0; i < count; i++) {
        struct node item = element(where, i);
        read.list[i] = (float)number(&item);
    }
    return read;
}

static struct values read_distribution(const struct node *where, uint64_t stream)
{
    only_keys(where, (const char *const[]){"uniform", "normal", NULL});
    struct node uniform = member(where, "uniform");
    struct node normal = member(where, "normal");
    if ((uniform.value == NULL) == (normal.value == NULL)) {
        bad(where, "expected one distribution, uniform or normal");
    }
    if (uniform.value != NULL) {
        only_keys(&uniform, (const char *const[]){"low", "high", NULL});
        struct node low = member(&uniform, "low");
        struct node high = member(&uniform, "high");
        double least = number(&low);
        return (struct values){
            .form = VALUES_UNIFORM, .first = least, .second = number_from(&high, least), .stream = stream};
    }
    only_keys(&normal, (const char *const[]){"mean", "deviation", NULL});
    struct node mean = member(&normal, "mean");
    struct node deviation = member(&normal, "deviation");
    return (struct values){
        .form = VALUES_NORMAL, .first = number(&mean), .second = number_from(&deviation, 0), .stream = stream};
}

struct values values_read(const struct node *where, size_t count, uint64_t stream)
{
    if (where->value == NULL) {
        return (struct values){.form = VALUES_CONSTANT, .first = 0};
    }
    if (json_is_array(where->value)) {
        return read_list(where, count);
    }
    if (json_is_object(where->value)) {
        return read_distribution(where, stream);
    }
    if (!json_is_number(where->value)) {
        bad(where, "expected a number, an array of %zu numbers, or a distribution", count);
    }
    return (struct values){.form = VALUES_CONSTANT, .first = number(where)};
}

/* A normal value has no bound; the very rare one beyond a float is held at its end. */
static float to_float(double value)
{
    return (float)fmax(-FLT_MAX, fmin(FLT_MAX, value));
}

void values_fill(const struct values *values, float *out, size_t count)
{
    uint64_t stream = values->stream;
    for (size_t i = 0; i < count; i++) {
        switch (values->form) {
        case VALUES_CONSTANT: out[i] = (float)values->first; break;
        case VALUES_LIST: out[i] = values->list[i]; break;
        case VALUES_UNIFORM:
            out[i] = to_float(values->first + (values->second - values->first) * random_uniform(&stream));
            break;
        case VALUES_NORMAL: out[i] = to_float(values->first + values->second * random_normal(&stream)); break;
        }
    }
}

void values_free(struct values *values)
{
    free(values->list);
}
