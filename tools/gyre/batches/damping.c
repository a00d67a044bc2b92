#include "batches/damping.h"

static const char *const form_keys[] = {"fraction", "interval_s", "half_life_s", NULL};

bool damping_is_shared(const struct node *where)
{
    for (size_t i = 0; form_keys[i] != NULL; i++) {
        if (json_object_get(where->value, form_keys[i]) != NULL) { /* NULL if it is not an object */
            return true;
        }
    }
    return json_is_number(where->value);
}

float damping_read(const struct node *where)
{
    if (!json_is_object(where->value)) {
        return (float)number_from(where, 0);
    }
    only_keys(where, form_keys);
    struct node fraction = member(where, "fraction"), interval_s = member(where, "interval_s");
    struct node half_life_s = member(where, "half_life_s");
    const bool is_half_life = half_life_s.value != NULL;
    if (is_half_life == (fraction.value != NULL || interval_s.value != NULL)) {
        bad(where, "expected a number, fraction and interval_s, or half_life_s");
    }
    float damping;
    gyre_status status = is_half_life ? gyre_damping_from_half_life((float)number_above(&half_life_s, 0), &damping)
                                      : gyre_damping_from_retention((float)number_above(&fraction, 0),
                                                                    (float)number_above(&interval_s, 0), &damping);
    if (status == GYRE_ERROR_VALUE) {
        bad(&fraction, "is %.15g, expected more than 0 and up to 1", number(&fraction));
    }
    if (status != GYRE_OK) {
        bad(where, "gives a damping rate that does not fit in a float");
    }
    return damping;
}

gyre_particle_matrix particle_matrix(float damping, float dt_s, const char *batch)
{
    gyre_particle_matrix matrix;
    gyre_status status = gyre_particle_matrix_at(damping, dt_s, &matrix);
    if (status != GYRE_OK) {
        fail(EXIT_FAILED, "%s: cannot compute the matrix for a step of %g s: %s", batch, (double)dt_s,
             gyre_status_name(status));
    }
    return matrix;
}
