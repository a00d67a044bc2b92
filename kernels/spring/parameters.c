/* The usual ways to describe a spring, in double, so that rounding to float is the only error worth the name. */
#include "list.h"
#include "math/scalar.h"
#include "simd/checks.h"

static gyre_status write_spring(double angular_frequency, double damping_ratio, gyre_spring *out)
{
    gyre_spring spring = {(float)angular_frequency, (float)damping_ratio};
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
    return write_spring(scalar_sqrt(k / m), c > 0 ? c / (2 * scalar_sqrt(k * m)) : 0, out);
}

gyre_status gyre_scalar_spring_from_response(float response_s, float damping_ratio, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(response_s) || !is_finite_not_negative(damping_ratio)) {
        return GYRE_ERROR_VALUE;
    }
    return write_spring(2 * scalar_pi / response_s, damping_ratio, out);
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
    return write_spring(2 * scalar_pi / duration_s, b >= 0 ? 1 - b : 1 / (1 + b), out);
}

/* The spring whose slowest part falls by exp(-decay) in `time`. That part decays at the rate w r: r = z while the
   spring swings, and the small root z - sqrt(z^2 - 1) when it creeps, here by division so that nothing cancels. */
static gyre_status spring_from_decay(double decay, double time, float damping_ratio, gyre_spring *out)
{
    double z = damping_ratio;
    double rate = z <= 1 ? z : 1 / (z + scalar_sqrt((z - 1) * (z + 1)));
    return write_spring(decay / (rate * time), z, out);
}

gyre_status gyre_scalar_spring_from_half_life(float half_life_s, float damping_ratio, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(half_life_s) || !is_finite_positive(damping_ratio)) {
        return GYRE_ERROR_VALUE;
    }
    return spring_from_decay(scalar_ln_2, half_life_s, damping_ratio, out);
}

gyre_status gyre_scalar_spring_from_settling(float settling_s, float damping_ratio, float fraction, gyre_spring *out)
{
    if (out == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_finite_positive(settling_s) || !is_finite_positive(damping_ratio) || !(fraction > 0 && fraction < 1)) {
        return GYRE_ERROR_VALUE;
    }
    return spring_from_decay(-scalar_log(fraction), settling_s, damping_ratio, out);
}
