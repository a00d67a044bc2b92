/* Shared by the files behind support/work.h: recording of answers, generation of inputs, and the functions that run
   kernels. One file for each topic: work_math.c and so on. */
#ifndef GYRE_TESTS_WORK_PARTS_H
#define GYRE_TESTS_WORK_PARTS_H

#include "support/work.h"

#include "list.h"

void write_word(work *answers, uint32_t word);

/* All NaNs are recorded as the same word, because payload and sign of a NaN are unspecified. */
void write_floats(work *answers, const float *x, size_t count);

/* Inputs for the kernels of several topics. */
void make_damping_inputs(void);
void make_each_inputs(void);

/* Introduces the function that runs a row of the list; `make_inputs` makes its inputs.

       WORK(springs_step, make_step_inputs) { ... table->springs_step ... write_floats(answers, ...); } */
#define WORK(member, make_inputs)                                                                                      \
    void inputs_of_##member(void) { make_inputs(); }                                                                   \
    void run_##member(const gyre_kernels *table, work *answers)

#define DECLARE(member, plain, parameters, arguments)                                                                  \
    void inputs_of_##member(void);                                                                                     \
    void run_##member(const gyre_kernels *table, work *answers);
GYRE_KERNELS(DECLARE)
#undef DECLARE

#endif
