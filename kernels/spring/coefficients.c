/* The matrix of spring/README.md in double. Double has the range for every phase and exponent of floats, and the digits
   for every cancellation, so there are only two regimes and no series. */
#include "spring/coefficients.h"

#include "scalar/elementary.h"

/* (1 - pos_pos) / (w t) without cancellation: the step response over the angle w t (spring/README.md). */
GYRE_DEVICE static double response_over_angle(double wt, double z, double pos_pos)
{
    if (z > 1.25) {
        const double root = double_square_root((z - 1) * (z + 1)), fast = z + root;
        return (scalar_mean_decay_of_any(wt / fast) - scalar_mean_decay_of_any(wt * fast)) / (2 * root);
    }
    if (scalar_abs(wt) > 0.25) {
        return (1 - pos_pos) / wt;
    }
    double before = 0, term = 1, sum = 0.5; /* terms n - 1 and n of the power series of S in the time, from n = 1 */
    for (int n = 1; n < 16; n++) {
        const double next = -(2 * z * wt * term + wt * wt * before / n) / (n + 1);
        before = term;
        term = next;
        sum += term / (n + 2);
    }
    return wt * sum;
}

GYRE_DEVICE spring_coefficients gyre_scalar_spring_coefficients(gyre_spring spring, double dt_s)
{
    const double max_z = 0x1p32;
    const double w = spring.angular_frequency, z = spring.damping_ratio < max_z ? spring.damping_ratio : max_z;
    const double wt = w * dt_s, a = z * wt, size = scalar_abs(wt);
    const double difference = (1 - z) * (1 + z), root = double_square_root(scalar_abs(difference));
    const double phase = size * root;
    double ec, es; /* E C and E S */
    if (difference < 0) {
        /* the larger of the two exponentials; the other one is computed relative to it */
        const double r2 = z + root, e = scalar_exp(wt < 0 ? size * r2 : -size / r2);
        ec = e * (1 + scalar_exp(-2 * phase)) / 2;
        es = e * scalar_mean_decay(2 * phase);
    } else {
        const double e = scalar_exp(-a);
        double cosine, sine;
        scalar_cos_sin_of_any(phase, &cosine, &sine);
        ec = e * cosine;
        es = phase > 0 ? e * sine / phase : e;
    }
    spring_coefficients m = {
        .pos_pos = ec + a * es, .pos_vel = dt_s * es, .vel_pos = -(w * wt) * es, .vel_vel = ec - a * es};
    if (dt_s != 0) {
        const double response = response_over_angle(wt, z, m.pos_pos), f = spring.follow;
        m.pos_ramp = -((1 - f) * 2 * z * response + es);
        m.vel_ramp = w * (f * 2 * z * es + response);
    }
    return m;
}
