/* The solver of bodies, as scenes and the command line state it. */
#ifndef GYRE_TOOL_SOLVER_H
#define GYRE_TOOL_SOLVER_H

#include "input/document.h"

#include <gyre/gyre.h>

/* Finds a method by a name such as "moser_veselov". False if there is none. */
bool solver_method_named(const char *name, gyre_body_method *out);
const char *solver_method_name(gyre_body_method method);
const char *solver_method_label(gyre_body_method method); /* "Moser-Veselov" */
const char *solver_method_list(void);                     /* "moser_veselov, midpoint, ..." */

bool solver_order_is_valid(size_t order);
bool solver_iterates(const gyre_body_solver *solver); /* false: a step has a closed form */

/* Reads an object of a scene; an absent one is the library's default. Ends the program if it is invalid. */
gyre_body_solver solver_read(const struct node *where);

#endif
