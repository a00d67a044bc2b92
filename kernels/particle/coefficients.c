/* The matrix of particle/README.md in double. */
#include "particle/coefficients.h"

#include "scalar/elementary.h"

GYRE_DEVICE particle_coefficients gyre_scalar_particle_coefficients(float damping, double dt_s)
{
    const double k = damping, t = dt_s, p = -k * t;
    if (scalar_abs(p) <= 1) {
        double series = 1; /* 2 phi2 */
        for (int n = 20; n > 2; n--) {
            series = 1 + series * p / n;
        }
        const double phi2 = series / 2, phi1 = 1 + p * phi2;
        return (particle_coefficients){t * phi1, 1 + p * phi1, t * t * phi2};
    }
    const double left = scalar_exp(p), pos_vel = (1 - left) / k;
    return (particle_coefficients){pos_vel, left, (t - pos_vel) / k};
}
