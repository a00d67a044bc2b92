/* What a program and its plugins run, each with the Gyre that it is linked with. */
#ifndef PART_H
#define PART_H

#include <gyre/gyre.h>

typedef struct part_result {
    const gyre_kernels *in_use;
    float position, velocity; /* of a spring after some steps */
} part_result;

typedef part_result part_function(void);

__attribute__((visibility("default"))) part_function part_run;

#endif
