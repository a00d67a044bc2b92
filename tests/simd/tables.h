/* Shared by the tests of the vector layer: the operations of each table, and inputs for them. */
#ifndef GYRE_TESTS_VF_TESTS_H
#define GYRE_TESTS_VF_TESTS_H

#include "support/support.h"
#include "simd/ops.h"

/* EACH_OPS(ops) { ... }: runs once with the operations of every tested table, which checks in the loop name. */
#define EACH_OPS(ops)                                                                                                  \
    __attribute__((cleanup(end_ops))) ops_loop CHECK_NAME(loop_, __LINE__) = {0, 0};                                   \
    for (const vf_ops *ops; (ops = next_ops(&CHECK_NAME(loop_, __LINE__))) != NULL;)

typedef struct ops_loop {
    size_t next, depth;
} ops_loop;

const vf_ops *next_ops(ops_loop *loop);
void end_ops(ops_loop *loop);

/* All pairs of special values, then random bits, then numbers close to each other and close to one. */
enum { INPUT_COUNT = 1 << 14 };
extern float input_a[INPUT_COUNT], input_b[INPUT_COUNT], input_c[INPUT_COUNT];
extern int32_t integers_a[INPUT_COUNT], integers_b[INPUT_COUNT];
int make_inputs(void **state); /* a group's setup */

/* For results. */
extern float output[INPUT_COUNT];
extern uint8_t output_mask[INPUT_COUNT];
extern int32_t output_integers[INPUT_COUNT];

/* Checks the result of operation `name` for input i. */
void check_float_result(const char *name, size_t i, float got, float wanted);
void check_mask_result(const char *name, size_t i, uint8_t got, bool wanted);
void check_integer_result(const char *name, size_t i, int32_t got, uint32_t wanted);

#endif
