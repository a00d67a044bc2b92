/* Rows of gyre_orientation_springs_step. */
#ifndef GYRE_BENCH_SPRING_ORIENTATIONS_H
#define GYRE_BENCH_SPRING_ORIENTATIONS_H

#include <cstddef>

/* Two states with targets, and one temporary copy. */
const std::size_t orientation_bytes = 3 * 11 * sizeof(float);

void add_orientations(std::size_t count);

#endif
