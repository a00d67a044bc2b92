/* The usual ways to state a spring, each a set of keys; a spring has the keys of exactly one. */
#ifndef GYRE_TOOL_FORMS_H
#define GYRE_TOOL_FORMS_H

#include "input/document.h"

#include <gyre/gyre.h>

#include <stdio.h>

enum { FORM_KEYS = 3 };

struct form {
    const char *keys[FORM_KEYS];
    size_t key_count;
    gyre_status (*make)(const float parameters[], gyre_spring *out);
    const char *range;
};

/* The form with exactly these keys, in any order; NULL if there is none. */
const struct form *form_with(const char *const keys[], size_t count);
const char *form_list(void);                     /* "angular_frequency + damping_ratio, mass + ..." */
void forms_print(FILE *out, const char *indent); /* a line each, with the ranges */

/* The spring of a form; parameters in the order of its keys. NULL, or what is wrong with them. */
const char *form_make(const struct form *form, const float parameters[], gyre_spring *out);

/* Of an object in a scene. Ends the program if it has no form; the second one, if it states no spring. */
const struct form *form_read(const struct node *where);
gyre_spring form_read_spring(const struct node *where);

/* Of a time step. Ends the program if there is none. */
gyre_spring_matrix spring_matrix(gyre_spring spring, float dt_s, const char *batch);

#endif
