/* The first turning point of a spring: its peak, or how far it goes beyond its target. */
#include "common/checks.h"
#include "list.h"
#include "spring/coefficients.h"
#include "spring/crossing.h"

/* Where a motion turns after tau:  x^2 + 2 z x u + u^2  decays by exp(-2 z tau), and u is 0 there. */
static double displacement_at_turn(const spring_motion *m, double tau)
{
    const double x_and_z_u = m->x + m->z * m->u, circular = m->underdamped * m->u;
    const double square =
        m->underdamped > 0 ? x_and_z_u * x_and_z_u + circular * circular : m->u_and_slow_x * m->u_and_fast_x;
    const double size = double_square_root(square) * scalar_exp(-m->z * tau);
    const double rises = m->u != 0 ? m->u : -m->x;
    return rises < 0 ? -size : size;
}

gyre_status gyre_scalar_spring_peak(gyre_spring spring, float displacement, float velocity, float *time_s, float *peak)
{
    if (time_s == NULL || peak == NULL) {
        return GYRE_ERROR_NULL;
    }
    if (!is_valid_spring(spring) || !is_finite(displacement) || !is_finite(velocity) || spring.angular_frequency == 0) {
        return GYRE_ERROR_VALUE;
    }
    const double w = spring.angular_frequency;
    const spring_motion m = spring_motion_from(spring.damping_ratio, displacement, velocity / w, 0);
    const bool starts_at_turn = velocity == 0 && displacement != 0 && m.underdamped > 0;
    const double tau = starts_at_turn ? SCALAR_PI / m.underdamped : spring_first_turn(&m);
    if (!(tau > 0)) {
        return GYRE_ERROR_VALUE;
    }
    const float time = (float)(tau / w), where = (float)displacement_at_turn(&m, tau);
    if (!is_finite(time) || !is_finite(where)) {
        return GYRE_ERROR_RANGE;
    }
    *time_s = time;
    *peak = where;
    return GYRE_OK;
}
