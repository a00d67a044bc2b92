/* Checks of arguments that many kernels share. No vector code: files that are compiled once use them too. */
#ifndef GYRE_COMMON_CHECKS_H
#define GYRE_COMMON_CHECKS_H

#include "scalar/language.h"

GYRE_DEVICE static inline bool is_range(size_t begin, size_t end, size_t count) { return begin <= end && end <= count; }

GYRE_DEVICE static inline bool is_finite(float x) { return x - x == 0; }
GYRE_DEVICE static inline bool is_finite_not_negative(float x) { return x >= 0 && is_finite(x); }
GYRE_DEVICE static inline bool is_finite_positive(float x) { return x > 0 && is_finite(x); }

/* Whether neither `arrays` nor any of its `count` arrays is NULL. */
GYRE_DEVICE static inline bool none_is_null(float *const *arrays, size_t count)
{
    bool all = arrays != NULL;
    for (size_t k = 0; all && k < count; k++) {
        all = arrays[k] != NULL;
    }
    return all;
}

/* One comparison for four numbers: x - x is 0 for a finite x and NaN for any other, and NaN passes through the sum. */
GYRE_DEVICE static inline bool are_finite(float a, float b, float c, float d)
{
    return ((a - a) + (b - b)) + ((c - c) + (d - d)) == 0;
}

#endif
