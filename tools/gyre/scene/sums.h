/* States with low parts: unevaluated sums of two floats, or floats alone where there is no array of low parts. */
#ifndef GYRE_TOOL_SUMS_H
#define GYRE_TOOL_SUMS_H

#include <stddef.h>

static inline double sum_of(const float *high, const float *low, size_t i)
{
    return (double)high[i] + (low != NULL ? (double)low[i] : 0);
}

static inline void set_sum(float *high, float *low, size_t i, double value)
{
    high[i] = (float)value;
    if (low != NULL) {
        low[i] = (float)(value - (double)high[i]);
    }
}

#endif
