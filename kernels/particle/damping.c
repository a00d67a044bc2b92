/* Under friction alone, dv/dt = l v with l = ln d: where it ends, when a speed is left, when it comes by a place.

       v = v0 exp(l t)     x = x0 + v0 (exp(l t) - 1) / l,     which comes to rest at x0 - v0 / l

   In double: the result is rounded to float once. */
#include "math/scalar.h"
#include "simd/kernel-inl.h"

static gyre_status write_result(double value, float *out)
{
    float result = (float)value;
    if (!is_finite(result)) {
        return GYRE_ERROR_RANGE;
    }
    *out = result;
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status drag_rest_position(float position, float velocity, float drag, float *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(position) || !is_finite(velocity) || !is_drag(drag) || (drag == 1 && velocity != 0)) {
        return GYRE_ERROR_VALUE;
    }
    return write_result(velocity == 0 ? position : position - velocity / scalar_log(drag), out);
}

GYRE_KERNEL_FUNCTION gyre_status drag_time_to_speed(float velocity, float drag, float speed, float *out_s)
{
    if (out_s == NULL) {
        return GYRE_ERROR_NULL;
    }
    float now = velocity < 0 ? -velocity : velocity;
    if (!is_finite(velocity) || !is_drag(drag) || !is_finite_not_negative(speed) || speed > now ||
        (speed < now && (speed == 0 || drag == 1))) {
        return GYRE_ERROR_VALUE;
    }
    return write_result(speed == now ? 0 : scalar_log((double)speed / now) / scalar_log(drag), out_s);
}

GYRE_KERNEL_FUNCTION gyre_status drag_time_to_position(float position, float velocity, float drag, float where,
                                                       float *out_s)
{
    if (out_s == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(position) || !is_finite(velocity) || !is_drag(drag) || !is_finite(where)) {
        return GYRE_ERROR_VALUE;
    }
    if (where == position) {
        return write_result(0, out_s);
    }
    double undragged = ((double)where - position) / velocity;
    double l = scalar_log(drag), q = l * undragged;
    if (velocity == 0 || undragged < 0 || q <= -1) {
        return GYRE_ERROR_VALUE;
    }
    return write_result(q == 0 ? undragged : scalar_log1p(q) / l, out_s);
}
