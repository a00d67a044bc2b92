/* The bones of a model as scenes state them. */
#ifndef GYRE_TOOL_BONES_H
#define GYRE_TOOL_BONES_H

#include "input/document.h"

#include <gyre/gyre.h>

/* A list of bones, from the root outwards. Ends the program if one is wrong. Never released. */
gyre_bone *bones_read(const struct node *list, size_t *count);

#endif
