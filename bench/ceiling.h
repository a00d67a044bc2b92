#ifndef GYRE_BENCH_CEILING_H
#define GYRE_BENCH_CEILING_H

#include <gyre/gyre.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ceilings of one table: one loop for each pattern of loads and stores that kernels have. */
typedef struct ceilings {
    gyre_isa isa;
    gyre_rounding rounding;
    /* reads and writes position and velocity, reads target unless it is NULL */
    void (*springs)(float *position, float *velocity, const float *target, size_t count);
} ceilings;

#ifdef __cplusplus
}
#endif

#endif
