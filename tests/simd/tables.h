/* What the tests of the vector layer share: the tables' operations, and inputs for them. */
#ifndef GYRE_TESTS_VF_TESTS_H
#define GYRE_TESTS_VF_TESTS_H

#include "support/support.h"
#include "simd/ops.h"

/* EACH_OPS(ops) { ... }: once with the operations of every tested table. */
const vf_ops *next_ops(size_t *i);
#define EACH_OPS(ops)                                                                                                  \
    size_t next = 0;                                                                                                   \
    for (const vf_ops *ops; (ops = next_ops(&next)) != NULL;)

const char *ops_name(const vf_ops *ops);

/* All pairs of specials, then random bits, then numbers near each other and near one. */
enum { INPUT_COUNT = 1 << 14 };
extern float input_a[INPUT_COUNT], input_b[INPUT_COUNT], input_c[INPUT_COUNT];
extern int32_t integers_a[INPUT_COUNT], integers_b[INPUT_COUNT];
int make_inputs(void **state); /* a group's setup */

/* Room for what comes of them. */
extern float output[INPUT_COUNT];
extern uint8_t output_mask[INPUT_COUNT];
extern int32_t output_integers[INPUT_COUNT];

/* What operation `name` made of input i. */
void expect_float(const vf_ops *ops, const char *name, size_t i, float got, float want);
void expect_mask(const vf_ops *ops, const char *name, size_t i, uint8_t got, bool want);
void expect_integer(const vf_ops *ops, const char *name, size_t i, int32_t got, uint32_t want);

#endif
