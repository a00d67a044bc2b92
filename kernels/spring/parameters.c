/* The usual ways to describe a spring. Computed in double, so that rounding to float is nearly all of the error. */
#include "common/checks.h"
#include "list.h"
#include "spring/coefficients.h"
#include "spring/crossing.h"

static gyre_status write_spring(double angular_frequency, double damping_ratio, gyre_spring *out)
{
    gyre_spring spring = {(float)angular_frequency, (float)damping_ratio, 0};
    if (!is_finite(spring.angular_frequency) || !is_finite(spring.damping_ratio)) {
        return GYRE_ERROR_RANGE;
    }
    *out = spring;
    return GYRE_OK;
}

gyre_status gyre_scalar_spring_from_stiffness(float mass, float stiffness, float damping, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(mass) || !is_finite_not_negative(stiffness) || !is_finite_not_negative(damping) ||
        (stiffness == 0 && damping > 0)) {
        return GYRE_ERROR_VALUE;
    }
    double m = mass, k = stiffness, c = damping;
    return write_spring(double_square_root(k / m), c > 0 ? c / (2 * double_square_root(k * m)) : 0, out);
}

gyre_status gyre_scalar_spring_from_response(float response_s, float damping_ratio, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(response_s) || !is_finite_not_negative(damping_ratio)) {
        return GYRE_ERROR_VALUE;
    }
    return write_spring(2 * SCALAR_PI / response_s, damping_ratio, out);
}

gyre_status gyre_scalar_spring_from_duration(float duration_s, float bounce, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(duration_s) || !(bounce > -1 && bounce <= 1)) {
        return GYRE_ERROR_VALUE;
    }
    double b = bounce;
    return write_spring(2 * SCALAR_PI / duration_s, b >= 0 ? 1 - b : 1 / (1 + b), out);
}

/* Released at rest at x = 1. */
static spring_motion motion_from_rest(float damping_ratio) { return spring_motion_from(damping_ratio, 1, 0, 0); }

gyre_status gyre_scalar_spring_from_half_life(float half_life_s, float damping_ratio, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(half_life_s) || !is_finite_not_negative(damping_ratio)) {
        return GYRE_ERROR_VALUE;
    }
    /* it first moves one way: forever, or underdamped for half a period, in which it crosses its target */
    const spring_motion m = motion_from_rest(damping_ratio);
    const double tau =
        m.underdamped > 0 ? spring_crossing(&m, 0.5, 0, SCALAR_PI / m.underdamped) : spring_crossing_after(&m, 0.5, 0);
    return write_spring(tau / half_life_s, damping_ratio, out);
}

gyre_status gyre_scalar_spring_from_settling(float settling_s, float damping_ratio, float fraction, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(settling_s) || !is_finite_positive(damping_ratio) || !(fraction > 0 && fraction < 1)) {
        return GYRE_ERROR_VALUE;
    }
    const double tau = spring_last_crossing(motion_from_rest(damping_ratio), fraction);
    return write_spring(tau / settling_s, damping_ratio, out);
}

gyre_status gyre_scalar_spring_to_stiffness(gyre_spring spring, float mass, float *stiffness, float *damping)
{
    if (stiffness == NULL || damping == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_valid_spring(spring) || !is_finite_positive(mass)) {
        return GYRE_ERROR_VALUE;
    }
    const double w = spring.angular_frequency, z = spring.damping_ratio;
    const float k = (float)(mass * (w * w)), c = (float)(2 * z * (mass * w));
    if (!is_finite(k) || !is_finite(c)) {
        return GYRE_ERROR_RANGE;
    }
    *stiffness = k;
    *damping = c;
    return GYRE_OK;
}

gyre_status gyre_scalar_spring_to_response(gyre_spring spring, float *response_s)
{
    if (response_s == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_valid_spring(spring) || spring.angular_frequency == 0) {
        return GYRE_ERROR_VALUE;
    }
    const float response = (float)(2 * SCALAR_PI / spring.angular_frequency);
    if (!is_finite(response)) {
        return GYRE_ERROR_RANGE;
    }
    *response_s = response;
    return GYRE_OK;
}

gyre_status gyre_scalar_spring_to_duration(gyre_spring spring, float *duration_s, float *bounce)
{
    if (duration_s == NULL || bounce == NULL) {
        return GYRE_ERROR_NULL;
    }
    const gyre_status status = gyre_scalar_spring_to_response(spring, duration_s);
    if (status == GYRE_OK) {
        const double z = spring.damping_ratio, least = -1 + 0x1p-24; /* next to -1, which from_duration refuses */
        const double exact = z <= 1 ? 1 - z : 1 / z - 1;
        *bounce = (float)(exact < least ? least : exact);
    }
    return status;
}
