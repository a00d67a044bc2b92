/* Flings the obvious way: one at a time, from one edge to the next, with times found by bisection. */
#ifndef GYRE_TESTS_REFERENCE_FLING_H
#define GYRE_TESTS_REFERENCE_FLING_H

#include "reference/spring.h"

typedef struct reference_fling {
    real damping, angular_frequency, damping_ratio, lower, upper;
} reference_fling;

/* The state after t seconds. *hand_overs: how many edges it met; at most 16, after which it stays on the last one. */
reference_state reference_fling_after(const reference_fling *fling, reference_state start, real t, int *hand_overs);

#endif
