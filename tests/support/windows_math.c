/* Replacements for MinGW's C library on Windows: its fma and fmaf round twice, and its sine and cosine, computed by the
   x87, use only 66 bits of pi. Always compiled by gcc: clang passes a __float128 in a way that libquadmath does not
   expect. */
#include <math.h>
#include <quadmath.h>
#include <stdbool.h>
#include <string.h>

/* a b + c, rounded to odd, which is then rounded to the nearest double or float: Boldo and Melquiond, "Emulation of FMA
   and correctly rounded sums: proved algorithms using rounding to odd", IEEE Trans. Comput. 57 (2008). The product is
   exact. */
static __float128 mul_add_to_odd(double a, double b, double c)
{
    const __float128 product = (__float128)a * b, sum = product + c, c_part = sum - product;
    const __float128 rest = (product - (sum - c_part)) + (c - c_part);
    unsigned char bytes[sizeof sum];
    memcpy(bytes, &sum, sizeof sum);
    const bool is_even = bytes[0] % 2 == 0;
    return !is_even || rest == 0 || isnanq(rest) ? sum : nextafterq(sum, (__float128)(rest > 0 ? INFINITY : -INFINITY));
}

float fmaf(float a, float b, float c) { return (float)mul_add_to_odd((double)a, (double)b, (double)c); }
double fma(double a, double b, double c) { return (double)mul_add_to_odd(a, b, c); }

double sin(double x) { return (double)sinq(x); }
double cos(double x) { return (double)cosq(x); }
long double sinl(long double x) { return (long double)sinq(x); }
long double cosl(long double x) { return (long double)cosq(x); }
