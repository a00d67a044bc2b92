/* The functions of include/gyre/math.h that take one float to one float, by number. */
#ifndef GYRE_TESTS_ELEMENTARY_H
#define GYRE_TESTS_ELEMENTARY_H

#include "support/support.h"

typedef gyre_status (*map_function)(const float *x, float *y, size_t count);

enum { EXP, EXPM1, LOG, SIN, COS, MAPS };

extern const char *const map_names[MAPS];

map_function map_of(const gyre_kernels *table, size_t function);

#endif
