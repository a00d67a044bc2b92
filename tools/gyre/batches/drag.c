#include "batches/drag.h"

bool drag_is_valid(double drag) { return drag > 0 && drag <= 1; }

float drag_read(const struct node *where)
{
    double drag = number(where);
    if (!drag_is_valid(drag)) {
        bad(where, "is %.15g, expected the fraction of velocity left after one second, more than 0 and up to 1", drag);
    }
    return (float)drag;
}

gyre_motion_matrix drag_matrix(float drag, float dt_s, const char *batch)
{
    gyre_motion_matrix matrix;
    gyre_status status = gyre_motion_matrix_at(drag, dt_s, &matrix);
    if (status != GYRE_OK) {
        fail(EXIT_FAILED, "%s: no matrix for a step of %g s: %s", batch, (double)dt_s, gyre_status_name(status));
    }
    return matrix;
}
