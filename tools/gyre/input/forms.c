#include "input/forms.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 512 };

static gyre_status from_frequency(const float *p, gyre_spring *out)
{
    *out = (gyre_spring){.angular_frequency = p[0], .damping_ratio = p[1]};
    return GYRE_OK;
}

static gyre_status from_stiffness(const float *p, gyre_spring *out)
{
    return gyre_spring_from_stiffness(p[2], p[0], p[1], out);
}

static gyre_status from_stiffness_and_ratio(const float *p, gyre_spring *out)
{
    gyre_status status = gyre_spring_from_stiffness(p[2], p[0], 0, out);
    out->damping_ratio = p[1];
    return status;
}

static gyre_status from_response(const float *p, gyre_spring *out)
{
    return gyre_spring_from_response(p[0], p[1], out);
}

static gyre_status from_duration(const float *p, gyre_spring *out)
{
    return gyre_spring_from_duration(p[0], p[1], out);
}

static gyre_status from_half_life(const float *p, gyre_spring *out)
{
    return gyre_spring_from_half_life(p[0], p[1], out);
}

static gyre_status from_settling(const float *p, gyre_spring *out)
{
    return gyre_spring_from_settling(p[0], p[1], p[2], out);
}

static const struct form forms[] = {
    {{"angular_frequency", "damping_ratio"}, 2, 2, from_frequency, "angular_frequency >= 0, damping_ratio >= 0"},
    {{"stiffness", "damping", "mass"},
     3,
     2,
     from_stiffness,
     "stiffness >= 0, damping >= 0 and 0 if stiffness is, mass > 0"},
    {{"stiffness", "damping_ratio", "mass"},
     3,
     2,
     from_stiffness_and_ratio,
     "stiffness >= 0, damping_ratio >= 0, mass > 0"},
    {{"response_s", "damping_ratio"}, 2, 2, from_response, "response_s > 0, damping_ratio >= 0"},
    {{"duration_s", "bounce"}, 2, 2, from_duration, "duration_s > 0, bounce above -1 and up to 1"},
    {{"half_life_s", "damping_ratio"}, 2, 2, from_half_life, "half_life_s > 0, damping_ratio >= 0"},
    {{"settling_s", "damping_ratio", "fraction"},
     3,
     3,
     from_settling,
     "settling_s > 0, damping_ratio > 0, fraction between 0 and 1"},
};

enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

static bool is_among(const char *key, const char *const keys[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(keys[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* The form with these keys, in any order; NULL: none has them. */
static const struct form *form_with(const char *const keys[], size_t count)
{
    for (size_t f = 0; f < FORM_COUNT; f++) {
        size_t required = 0, found = 0;
        for (size_t i = 0; i < forms[f].key_count; i++) {
            const bool is_given = is_among(forms[f].keys[i], keys, count);
            found += is_given;
            required += is_given && i < forms[f].required_count;
        }
        if (found == count && required == forms[f].required_count) {
            return &forms[f];
        }
    }
    return NULL;
}

/* "angular_frequency + damping_ratio, ..." */
static const char *form_list(void)
{
    static char list[TEXT_SIZE];
    size_t length = 0;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        for (size_t i = 0; i < forms[f].key_count; i++) {
            const char *before = i > 0 ? " + " : f > 0 ? ", " : "";
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s%s", before, forms[f].keys[i],
                                       i < forms[f].required_count ? "" : " (default 1)");
        }
    }
    return list;
}

const char *form_make(const struct form *form, const float parameters[], gyre_spring *out)
{
    static char problem[TEXT_SIZE];
    gyre_spring_matrix unused;
    gyre_status status = form->make(parameters, out);
    if (status == GYRE_OK) {
        status = gyre_spring_matrix_at(*out, 0, &unused); /* checks the ranges of frequency and ratio */
    }
    if (status == GYRE_ERROR_RANGE) {
        return "the spring's frequency or damping ratio does not fit in a float";
    }
    if (status != GYRE_OK) {
        snprintf(problem, sizeof problem, "invalid spring, expected %s", form->range);
        return problem;
    }
    return NULL;
}

const struct form *form_read(const struct node *where)
{
    const char *known[FORM_COUNT * FORM_KEYS + 1] = {NULL};
    const char *present[FORM_KEYS];
    size_t known_count = 0, present_count = 0;
    for (size_t f = 0; f < FORM_COUNT; f++) {
        for (size_t i = 0; i < forms[f].key_count; i++) {
            if (!is_among(forms[f].keys[i], known, known_count)) {
                known[known_count++] = forms[f].keys[i];
            }
        }
    }
    only_keys(where, known);

    const char *key;
    json_t *value;
    json_object_foreach((json_t *)where->value, key, value)
    {
        if (present_count < FORM_KEYS) {
            present[present_count++] = key;
        }
    }
    const struct form *form = form_with(present, present_count);
    if (form == NULL || json_object_size(where->value) != present_count) {
        bad(where, "expected the keys of exactly one form: %s", form_list());
    }
    return form;
}

gyre_spring form_read_spring(const struct node *where)
{
    const struct form *form = form_read(where);
    float parameters[FORM_KEYS];
    gyre_spring spring;
    for (size_t i = 0; i < form->key_count; i++) {
        struct node parameter = member(where, form->keys[i]);
        parameters[i] = parameter.value != NULL ? (float)number(&parameter) : FORM_DEFAULT;
    }
    const char *problem = form_make(form, parameters, &spring);
    if (problem != NULL) {
        bad(where, "%s", problem);
    }
    return spring;
}

gyre_spring_matrix spring_matrix(gyre_spring spring, float dt_s, const char *batch)
{
    gyre_spring_matrix matrix;
    gyre_status status = gyre_spring_matrix_at(spring, dt_s, &matrix);
    if (status != GYRE_OK) {
        fail(EXIT_FAILED, "%s: cannot compute the matrix for a step of %g s: %s", batch, (double)dt_s,
             gyre_status_name(status));
    }
    return matrix;
}
