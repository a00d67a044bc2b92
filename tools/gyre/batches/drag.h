/* Drag as scenes state it: the fraction of velocity left after one second. */
#ifndef GYRE_TOOL_DRAG_H
#define GYRE_TOOL_DRAG_H

#include "input/document.h"

#include <gyre/gyre.h>

bool drag_is_valid(double drag);
float drag_read(const struct node *where);

/* Of a time step. Ends the program if there is none. */
gyre_motion_matrix drag_matrix(float drag, float dt_s, const char *batch);

#endif
