/* Elementary functions over arrays: the functions of simd/vf_math.h, a vector at a time. */
#include "simd/kernel.h"
#include "simd/vf_math.h"

/* y[i] = f(x[i]). Loads come before stores, so that y may be x. */
VF_INLINE gyre_status math_map(vf (*f)(vf), const float *x, float *y, size_t count)
{
    if (count > 0 && (!x || !y)) {
        return GYRE_ERROR_NULL;
    }
    size_t i = 0;
    for (; i + VF_LANES <= count; i += VF_LANES) {
        vf_store(y + i, f(vf_load(x + i)));
    }
    if (i < count) {
        vf_store_n(y + i, f(vf_load_n(x + i, count - i)), count - i);
    }
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status math_exp(const float *x, float *y, size_t count)
{
    return math_map(vf_exp, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_expm1(const float *x, float *y, size_t count)
{
    return math_map(vf_expm1, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_log(const float *x, float *y, size_t count)
{
    return math_map(vf_log, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_sin(const float *x, float *y, size_t count)
{
    return math_map(vf_sin, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_cos(const float *x, float *y, size_t count)
{
    return math_map(vf_cos, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_sincos(const float *x, float *sin, float *cos, size_t count)
{
    if (count > 0 && (!x || !sin || !cos)) {
        return GYRE_ERROR_NULL;
    }
    vf s, c;
    size_t i = 0;
    for (; i + VF_LANES <= count; i += VF_LANES) {
        vf_sincos(vf_load(x + i), &s, &c);
        vf_store(sin + i, s);
        vf_store(cos + i, c);
    }
    if (i < count) {
        vf_sincos(vf_load_n(x + i, count - i), &s, &c);
        vf_store_n(sin + i, s, count - i);
        vf_store_n(cos + i, c, count - i);
    }
    return GYRE_OK;
}
