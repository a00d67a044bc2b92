/* When a spring settles: the last moment at which it is further from its target than a tolerance.

   With time in units of 1/w (tau = w t) and u = velocity / w, a spring moves between turning points, where its velocity
   is 0, and from one to the next its displacement is monotone. So the last crossing lies after the last turning point
   that is outside the tolerance, and bisection between two turning points cannot miss it. Swinging springs turn every
   half period, each time smaller by the same factor, which gives the last such point by a logarithm; critical and
   creeping springs turn once at most. All in double, and then a millionth later. */
#include "list.h"
#include "math/scalar.h"
#include "simd/checks.h"

#include <math.h> /* INFINITY */

/* The motion from displacement x and scaled velocity u, with what its regime needs. */
typedef struct settling_motion {
    double z, x, u;
    double underdamped;                /* sqrt(1 - z^2), 0 unless it swings */
    double slow, gap;                  /* z >= 1: the slower rate of decay, and how much faster the other is */
    double u_and_slow_x, u_and_fast_x; /* u + each rate times x */
} settling_motion;

/* The displacement after tau, to the given side, 1 or -1; while swinging, within the first half turn only. It is a sum
   of two, of which each is rounded: `late` says how much of their sizes to add. */
static double displacement_at(const settling_motion *m, double tau, double side, double late)
{
    double decay, of_x, of_u;
    if (m->underdamped > 0) {
        double c, s;
        scalar_cos_sin(m->underdamped * tau, &c, &s);
        decay = scalar_exp(-m->z * tau);
        of_x = m->x * c;
        of_u = (m->u + m->z * m->x) / m->underdamped * s;
    } else {
        decay = scalar_exp(-m->slow * tau);
        of_x = m->x;
        of_u = m->u_and_slow_x * tau * scalar_mean_decay(m->gap * tau);
    }
    return decay * (side * (of_x + of_u) + late * (scalar_abs(of_x) + scalar_abs(of_u)));
}

static double side_at(const settling_motion *m, double tau) { return displacement_at(m, tau, 1, 0) < 0 ? -1 : 1; }

/* Rather late than early: next to a turning point all that happens is in the last digits. */
static const double rather_late = 0x1.8p-50;

/* The first turning point after the start; 0 if there is none, or if the start is one. */
static double first_turn(const settling_motion *m)
{
    if (m->u == 0) {
        return 0;
    }
    if (m->underdamped > 0) {
        /* velocity ~ u cos - (z u + x) / swing sin changes sign once within half a turn */
        double low = 0, high = scalar_pi;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2, c, s;
            scalar_cos_sin(middle, &c, &s);
            double velocity = m->u * c - (m->z * m->u + m->x) / m->underdamped * s;
            *((velocity > 0) == (m->u > 0) ? &low : &high) = middle;
        }
        return high / m->underdamped;
    }
    /* velocity ~ u - slow (u + fast x) (e^(gap tau) - 1) / gap */
    double gap = m->gap, tau = m->u / (m->slow * m->u_and_fast_x);
    if (!(tau > 0 && tau - tau == 0)) {
        return 0;
    }
    return gap * tau == 0 ? tau : scalar_log1p(gap * tau) / gap;
}

static double whole_part(double x) { return x < 0x1p52 ? (double)(int64_t)x : x; }

/* Where the displacement falls through the tolerance, between low (outside) and high (inside, or on the other side). */
static double crossing(const settling_motion *m, double tolerance, double low, double high)
{
    const double side = side_at(m, low);
    for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
        double middle = (low + high) / 2;
        *(displacement_at(m, middle, side, rather_late) > tolerance ? &low : &high) = middle;
    }
    return high;
}

/* tau of the last crossing; infinite if it never settles. */
static double settling(settling_motion m, double tolerance)
{
    const double turn = first_turn(&m), side = side_at(&m, turn);
    /* A peak that is the tolerance itself is inside, whatever was rounded: without damping it would never settle. */
    const bool outside = displacement_at(&m, turn, side, -rather_late) > tolerance;
    if (m.underdamped > 0 && outside) {
        /* in the logarithm what rounds it may be much of what it is above 1 */
        const double peak = displacement_at(&m, turn, side, 0) * (1 + rather_late);
        /* From the first turning point on, each half turn is the one before, smaller by the same factor. */
        double half_angle = scalar_pi / m.underdamped, loss = m.z * half_angle;
        if (loss == 0) {
            return INFINITY;
        }
        /* if the last one outside is the tolerance but for rounding, the crossing is that turning point itself */
        double turns = whole_part(scalar_log(peak / tolerance) / loss);
        m = (settling_motion){.z = m.z, .underdamped = m.underdamped, .x = peak * scalar_exp(-turns * loss)};
        return turn + turns * half_angle + crossing(&m, tolerance, 0, half_angle);
    }
    if (!outside) {
        return scalar_abs(m.x) > tolerance ? crossing(&m, tolerance, 0, turn) : 0;
    }
    double high = turn + 1;
    while (displacement_at(&m, high, side, rather_late) > tolerance) {
        high = turn + 2 * (high - turn);
    }
    return crossing(&m, tolerance, turn, high);
}

gyre_status gyre_scalar_spring_settling_time(gyre_spring spring, float displacement, float velocity, float tolerance,
                                             float *out_s)
{
    if (out_s == NULL) {
        return GYRE_ERROR_NULL;
    }
    double w = spring.angular_frequency, z = spring.damping_ratio;
    if (!is_finite_not_negative(spring.angular_frequency) || !is_finite_not_negative(spring.damping_ratio) ||
        !is_finite(displacement) || !is_finite(velocity) || !is_finite_positive(tolerance)) {
        return GYRE_ERROR_VALUE;
    }
    double tau;
    if (w == 0) {
        tau = velocity == 0 && scalar_abs(displacement) <= tolerance ? 0 : INFINITY;
    } else {
        double root = scalar_sqrt(scalar_abs((1 - z) * (1 + z)));
        settling_motion m = {.z = z, .x = displacement, .u = velocity / w};
        if (z < 1) {
            m.underdamped = root;
        } else {
            /* next to z = 1 both rates are nearly 1, and u + x may be nearly 0: what is left counts */
            const double fast = z + root, fast_minus_1 = (z - 1) + root;
            m.slow = 1 / fast;
            m.gap = 2 * root;
            m.u_and_slow_x = (m.u + m.x) - fast_minus_1 / fast * m.x;
            m.u_and_fast_x = (m.u + m.x) + fast_minus_1 * m.x;
        }
        tau = settling(m, tolerance);
    }
    if (tau - tau != 0) {
        return GYRE_ERROR_VALUE;
    }
    double t = tau == 0 ? 0 : tau / w * (1 + 1e-6); /* rather late than early by what double rounds */
    float rounded = (float)t;
    if (rounded < t) { /* up to the next float */
        uint32_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        bits++;
        memcpy(&rounded, &bits, sizeof bits);
    }
    if (!is_finite(rounded)) {
        return GYRE_ERROR_RANGE;
    }
    *out_s = rounded;
    return GYRE_OK;
}
