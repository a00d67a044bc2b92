/* What the files behind support/work.h share: how answers are written down, and the kernels whose work is not in
 * support/work.c. */
#ifndef GYRE_TESTS_WORK_PARTS_H
#define GYRE_TESTS_WORK_PARTS_H

#include "support/work.h"

void write_word(work *answers, uint32_t word);

/* All NaNs are written as one, because payload and sign of a NaN are unspecified. */
void write_floats(work *answers, const float *x, size_t count);

void make_rotation_inputs(void);
void run_rotation_matrix(const gyre_kernels *table, work *answers);
void run_rotation_left_jacobian(const gyre_kernels *table, work *answers);
void run_rotation_quaternion(const gyre_kernels *table, work *answers);
void make_quaternion_inputs(void);
void run_rotation_vector(const gyre_kernels *table, work *answers);
void run_rotation_product(const gyre_kernels *table, work *answers);
void run_rotation_between(const gyre_kernels *table, work *answers);

void make_orientation_inputs(void);
void run_orientation_springs_step(const gyre_kernels *table, work *answers);

void make_body_inputs(void);
void run_bodies_step(const gyre_kernels *table, work *answers);
void run_bodies_kick(const gyre_kernels *table, work *answers);
void run_bodies_energy(const gyre_kernels *table, work *answers);
void run_bodies_angular_velocity(const gyre_kernels *table, work *answers);
void run_bodies_set_angular_velocity(const gyre_kernels *table, work *answers);
void run_bodies_transforms(const gyre_kernels *table, work *answers);

void make_memory_inputs(void);
void run_gather(const gyre_kernels *table, work *answers);
void run_scatter(const gyre_kernels *table, work *answers);
void run_interpolate(const gyre_kernels *table, work *answers);
void run_limit_length(const gyre_kernels *table, work *answers);
void run_find_awake(const gyre_kernels *table, work *answers);
void run_hash(const gyre_kernels *table, work *answers);

void make_inertia_inputs(void);
void run_inertia_principal(const gyre_kernels *table, work *answers);
void run_inertia_check(const gyre_kernels *table, work *answers);

#endif
