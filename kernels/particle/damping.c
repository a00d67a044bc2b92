/* Damping from a retention or a half-life, and rest positions and times of a particle under damping alone:

       dv/dt = -k v        v = v0 exp(-k t)        x = x0 + (v0 / k) (1 - exp(-k t))

   It comes to rest at x0 + v0 / k. Computed in double: the error is nearly that of rounding to float. */
#include "common/checks.h"
#include "list.h"
#include "scalar/elementary.h"

static gyre_status write_result(double value, float *out)
{
    float result = (float)value;
    if (!is_finite(result)) {
        return GYRE_ERROR_RANGE;
    }
    *out = result;
    return GYRE_OK;
}

gyre_status gyre_scalar_damping_from_retention(float fraction, float interval_s, float *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!(fraction > 0 && fraction <= 1) || !is_finite_positive(interval_s)) {
        return GYRE_ERROR_VALUE;
    }
    return write_result((0 - scalar_log(fraction)) / interval_s, out); /* +0 for a fraction of 1 */
}

gyre_status gyre_scalar_damping_from_half_life(float half_life_s, float *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(half_life_s)) {
        return GYRE_ERROR_VALUE;
    }
    return write_result(SCALAR_LN_2 / half_life_s, out);
}

/* x + v / k */
gyre_status gyre_scalar_damping_rest_position(float position, float velocity, float damping, float *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(position) || !is_finite(velocity) || !is_finite_not_negative(damping) ||
        (damping == 0 && velocity != 0)) {
        return GYRE_ERROR_VALUE;
    }
    return write_result(velocity == 0 ? position : position + (double)velocity / damping, out);
}

/* v = k (where - x) */
gyre_status gyre_scalar_damping_velocity_to_rest_at(float position, float where, float damping, float *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(position) || !is_finite(where) || !is_finite_not_negative(damping) ||
        (damping == 0 && where != position)) {
        return GYRE_ERROR_VALUE;
    }
    return write_result(where == position ? 0 : damping * ((double)where - position), out);
}

/* ln(|v| / speed) / k */
gyre_status gyre_scalar_damping_time_to_speed(float velocity, float damping, float speed, float *out_s)
{
    if (out_s == NULL) {
        return GYRE_ERROR_NULL;
    }
    const float now = velocity < 0 ? -velocity : velocity;
    if (!is_finite(velocity) || !is_finite_not_negative(damping) || !is_finite_not_negative(speed) || speed > now ||
        (speed < now && (speed == 0 || damping == 0))) {
        return GYRE_ERROR_VALUE;
    }
    return write_result(speed == now ? 0 : scalar_log((double)now / speed) / damping, out_s);
}

/* -log1p(q) / k with q = -k (where - x) / v, which neither overflows nor underflows in double. */
gyre_status gyre_scalar_damping_time_to_position(float position, float velocity, float damping, float where,
                                                 float *out_s)
{
    if (out_s == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite(position) || !is_finite(velocity) || !is_finite_not_negative(damping) || !is_finite(where)) {
        return GYRE_ERROR_VALUE;
    }
    if (where == position) {
        return write_result(0, out_s);
    }
    const double distance = (double)where - position, undamped_s = distance / velocity;
    const double q = -(damping * distance) / velocity; /* exactly -1 at the rest position, where k distance is v */
    if (velocity == 0 || undamped_s < 0 || q <= -1) {
        return GYRE_ERROR_VALUE;
    }
    return write_result(damping == 0 ? undamped_s : -scalar_log1p(q) / damping, out_s);
}
