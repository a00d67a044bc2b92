/* The resistance of content that is dragged beyond an edge, as UIScrollView has it, and its inverse:

       o = (1 - 1 / (c x / d + 1)) d = c d x / (d + c x)        x = d o / (c (d - o))        x, o >= 0, both odd

   A finger moved by x, a view of size d, content that moved by o. o'(0) = c, and o tends to d. Computed in double,
   where no product of three floats overflows: the error is nearly that of rounding to float. */
#include "common/checks.h"
#include "list.h"
#include "scalar/elementary.h"

#define UIKIT_COEFFICIENT 0.55f

static bool is_valid_drag(float moved, float dimension, float coefficient)
{
    return is_finite(moved) && is_finite_positive(dimension) && is_finite_not_negative(coefficient);
}

static double coefficient_or_default(float coefficient) { return coefficient == 0 ? UIKIT_COEFFICIENT : coefficient; }

gyre_status gyre_scalar_rubber_band_offset(float distance, float dimension, float coefficient, float *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_valid_drag(distance, dimension, coefficient)) {
        return GYRE_ERROR_VALUE;
    }
    const double d = dimension, cx = coefficient_or_default(coefficient) * distance;
    *out = (float)(d * cx / (d + scalar_abs(cx)));
    return GYRE_OK;
}

gyre_status gyre_scalar_rubber_band_distance(float offset, float dimension, float coefficient, float *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    const double d = dimension, left = d - scalar_abs(offset);
    if (!is_valid_drag(offset, dimension, coefficient) || left <= 0) {
        return GYRE_ERROR_VALUE;
    }
    const float distance = (float)(d * offset / (coefficient_or_default(coefficient) * left));
    if (!is_finite(distance)) {
        return GYRE_ERROR_RANGE;
    }
    *out = distance;
    return GYRE_OK;
}
