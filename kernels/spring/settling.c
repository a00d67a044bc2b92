/* When a spring settles: the last moment at which it is further from its target than a tolerance. */
#include "common/checks.h"
#include "list.h"
#include "spring/coefficients.h"
#include "spring/crossing.h"

gyre_status gyre_scalar_spring_settling_time(gyre_spring spring, float displacement, float velocity, float tolerance,
                                             float *out_s)
{
    if (out_s == NULL) {
        return GYRE_ERROR_NULL;
    }
    double w = spring.angular_frequency, z = spring.damping_ratio;
    if (!is_valid_spring(spring) || !is_finite(displacement) || !is_finite(velocity) ||
        !is_finite_positive(tolerance)) {
        return GYRE_ERROR_VALUE;
    }
    double tau;
    if (w == 0) {
        tau = velocity == 0 && scalar_abs(displacement) <= tolerance ? 0 : INFINITY;
    } else {
        /* late rather than early: next to a turning point the last digits decide */
        tau = spring_last_crossing(spring_motion_from(z, displacement, velocity / w, 0x1.8p-50), tolerance);
    }
    if (tau - tau != 0) {
        return GYRE_ERROR_VALUE;
    }
    double t = tau == 0 ? 0 : tau / w * (1 + 1e-6); /* late rather than early by the rounding of double */
    float rounded = (float)t;
    if (rounded < t) { /* up to the next float */
        rounded = float_of_bits(bits_of_float(rounded) + 1);
    }
    if (!is_finite(rounded)) {
        return GYRE_ERROR_RANGE;
    }
    *out_s = rounded;
    return GYRE_OK;
}
