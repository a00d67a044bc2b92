/* The solver of bodies, as scenes state it. */
#ifndef GYRE_TOOL_SOLVER_H
#define GYRE_TOOL_SOLVER_H

#include "input/document.h"

#include <gyre/gyre.h>

/* Reads an object of a scene; an absent one is the library's default. Ends the program if it is invalid. */
gyre_body_solver solver_read(const struct node *where);

#endif
