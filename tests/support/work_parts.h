/* What the files behind support/work.h share: how answers are written down, the makers of inputs, and the kernels at
   work. A file for each topic: work_math.c and so on. */
#ifndef GYRE_TESTS_WORK_PARTS_H
#define GYRE_TESTS_WORK_PARTS_H

#include "support/work.h"

#include "list.h"

void write_word(work *answers, uint32_t word);

/* All NaNs are written as one, because payload and sign of a NaN are unspecified. */
void write_floats(work *answers, const float *x, size_t count);

void make_math_inputs(void);
void make_spring_inputs(void);
void make_matrix_inputs(void);
void make_step_inputs(void);
void make_palette_inputs(void);
void make_each_inputs(void);
void make_orientation_inputs(void);
void make_damping_inputs(void);
void make_turn_inputs(void);
void make_memory_inputs(void);
void make_rotation_inputs(void);
void make_quaternion_inputs(void);
void make_body_inputs(void);
void make_inertia_inputs(void);

/* void run_springs_step(const gyre_kernels *table, work *answers), and so on for each row of the list. */
#define RUN(member, plain, parameters, arguments) void run_##member(const gyre_kernels *table, work *answers);
GYRE_KERNELS(RUN)
#undef RUN

#endif
