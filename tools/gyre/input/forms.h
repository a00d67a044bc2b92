/* The usual ways to state a spring. Each is a set of keys, and a spring has the keys of exactly one. */
#ifndef GYRE_TOOL_FORMS_H
#define GYRE_TOOL_FORMS_H

#include "input/document.h"

#include <gyre/gyre.h>

enum { FORM_KEYS = 3 };
enum { FORM_DEFAULT = 1 }; /* value of a key that is left out: the mass */

struct form {
    const char *keys[FORM_KEYS];
    size_t key_count, required_count; /* the keys after the required ones may be left out */
    gyre_status (*make)(const float parameters[], gyre_spring *out);
    const char *range;
};

/* Makes a spring from parameters in the order of the form's keys. Returns NULL, or a message if they are invalid. */
const char *form_make(const struct form *form, const float parameters[], gyre_spring *out);

/* The form of an object in a scene, and its spring. End the program if the keys or the values are invalid. */
const struct form *form_read(const struct node *where);
gyre_spring form_read_spring(const struct node *where);

/* The matrix of a time step. Ends the program if the library reports an error. */
gyre_spring_matrix spring_matrix(gyre_spring spring, float dt_s, const char *batch);

#endif
