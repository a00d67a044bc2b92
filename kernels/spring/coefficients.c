/* The matrix of spring/README.md in double. Its range holds every phase and exponent of floats, and its precision every
   cancellation: there are only two regimes and no series. */
#include "spring/coefficients.h"

#include "math/scalar.h"

spring_coefficients gyre_scalar_spring_coefficients(gyre_spring spring, float dt_s)
{
    const double most_z = 0x1p32;
    const double w = spring.angular_frequency, z = spring.damping_ratio < most_z ? spring.damping_ratio : most_z;
    const double wt = w * dt_s, a = z * wt, size = scalar_abs(wt);
    const double difference = (1 - z) * (1 + z), root = double_square_root(scalar_abs(difference));
    const double phase = size * root;
    double ec, es; /* E C and E S */
    if (difference < 0) {
        /* the larger of the two exponentials, and what the other is of it */
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
    return (spring_coefficients){ec + a * es, dt_s * es, -(w * wt) * es, ec - a * es};
}
