/* Elementary functions of one double, for calls that compute a single number. The error is about 1e-15 of the result
   (for cosine and sine: of 1), so rounding the result to float is nearly the whole error. They use only IEEE
   operations, so the bits are the same everywhere. */
#ifndef GYRE_SCALAR_ELEMENTARY_H
#define GYRE_SCALAR_ELEMENTARY_H

#include "scalar/compiler_options.h"
#include "scalar/language.h"
#include "scalar/square_root.h"

#define SCALAR_PI 0x1.921fb54442d18p+1
#define SCALAR_LN_2 0x1.62e42fefa39efp-1

GYRE_DEVICE static inline double scalar_abs(double x) { return x < 0 ? -x : x; }

/* x - high; 0 where that would be subnormal. */
GYRE_DEVICE static inline float scalar_low_part(double x, float high)
{
    const double low = x - high;
    return scalar_abs(low) < 0x1p-126 ? 0 : (float)low;
}

/* e^x: 2^n times Taylor's series on |r| <= ln 2 / 2. 0 if the result is below 1e-304; x above 700 is treated as 700. */
GYRE_DEVICE static inline double scalar_exp(double x)
{
    if (x < -700) {
        return 0;
    }
    x = x < 700 ? x : 700;
    const double rounder = 0x1.8p52;
    double n = (x / SCALAR_LN_2 + rounder) - rounder;
    double r = (x - n * 0x1.62e42fefap-1) - n * 0x1.cf79abc9e3b3ap-40; /* ln 2: its first 35 bits, and the rest */
    double series = 1;
    for (int k = 14; k > 0; k--) {
        series = 1 + series * r / k;
    }
    return series * double_of_bits((uint64_t)(int32_t)(n + 1023) << 52);
}

/* ln(1 + q) for sqrt(1/2) <= 1 + q <= 3/2: 2 artanh(q / (2 + q)). */
GYRE_DEVICE static inline double scalar_log_near_one(double q)
{
    double s = q / (2 + q), s2 = s * s, series = 0;
    for (int k = 25; k > 0; k -= 2) {
        series = series * s2 + 1.0 / k;
    }
    return 2 * s * series;
}

/* ln x for normal x > 0, as exponent and mantissa. */
GYRE_DEVICE static inline double scalar_log(double x)
{
    const uint64_t bits = bits_of_double(x), sqrt_half = UINT64_C(0x3fe6a09e667f3bcd);
    const int32_t exponent = (int32_t)((int64_t)(bits - sqrt_half) >> 52);
    const double mantissa = double_of_bits(bits - ((uint64_t)exponent << 52));
    return (double)exponent * SCALAR_LN_2 + scalar_log_near_one(mantissa - 1);
}

/* ln(1 + q) for q > -1, accurate for small q. */
GYRE_DEVICE static inline double scalar_log1p(double q)
{
    return -0.25 < q && q < 0.5 ? scalar_log_near_one(q) : scalar_log(1 + q);
}

/* (1 - e^-y) / y for y >= 0, accurate for small y. */
GYRE_DEVICE static inline double scalar_mean_decay(double y)
{
    if (y > 0.5) {
        return (1 - scalar_exp(-y)) / y;
    }
    double series = 1;
    for (int k = 14; k > 1; k--) {
        series = 1 - series * y / k;
    }
    return series;
}

/* (1 - e^-y) / y for any y, accurate for small y. */
GYRE_DEVICE static inline double scalar_mean_decay_of_any(double y)
{
    return y < 0 ? scalar_exp(-y) * scalar_mean_decay(-y) : scalar_mean_decay(y);
}

/* The angle of (x, y) for y >= 0, in [0, pi], not both 0: the arctangent of a quarter of the angle, by its series. */
GYRE_DEVICE static inline double scalar_angle(double x, double y)
{
    const double size = scalar_abs(x);
    double tangent = size < y ? size / y : y / size; /* of the smaller angle to an axis, which is then halved twice */
    for (int i = 0; i < 2; i++) {
        tangent /= 1 + double_square_root(1 + tangent * tangent);
    }
    double series = 0;
    for (int k = 25; k > 0; k -= 2) {
        series = 1.0 / k - series * (tangent * tangent);
    }
    const double to_axis = 4 * tangent * series, angle = size < y ? SCALAR_PI / 2 - to_axis : to_axis;
    return x < 0 ? SCALAR_PI - angle : angle;
}

/* cos x and sin x for |x| <= pi: Taylor's series at half the angle. */
GYRE_DEVICE static inline void scalar_cos_sin(double x, double *cosine, double *sine)
{
    double h = x / 2, c = 1, s = 1;
    for (int k = 24; k > 0; k -= 2) {
        c = 1 - c * h * h / (k * (k - 1));
        s = 1 - s * h * h / (k * (k + 1));
    }
    s *= h;
    *cosine = (c - s) * (c + s);
    *sine = 2 * c * s;
}

/* cos x and sin x for any x >= 0, to 2^-51 (1 + x): x = n pi + r, with pi as its first 27 bits and the rest. From 2^46
   up, where the phase has no correct digit, x is treated as 2^46. */
GYRE_DEVICE static inline void scalar_cos_sin_of_any(double x, double *cosine, double *sine)
{
    const double rounder = 0x1.8p52, max_x = 0x1p46;
    x = x < max_x ? x : max_x;
    const double n = (x / SCALAR_PI + rounder) - rounder;
    scalar_cos_sin((x - n * 0x1.921fb54p+1) - n * 0x1.10b4611a62633p-29, cosine, sine);
    if ((n / 2 + rounder) - rounder != n / 2) { /* n is odd */
        *cosine = -*cosine;
        *sine = -*sine;
    }
}

#endif
