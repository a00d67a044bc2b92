#include "simd/tables.h"
#include "vf_ops_tables.h"

#include <string.h>

#define DECLARE(isa, rounding, symbol) extern const vf_ops symbol;
VF_OPS_TABLES(DECLARE)
#define ADDRESS(isa, rounding, symbol) &symbol,
static const vf_ops *const all_ops[] = {VF_OPS_TABLES(ADDRESS)};

float input_a[INPUT_COUNT], input_b[INPUT_COUNT], input_c[INPUT_COUNT], output[INPUT_COUNT];
uint8_t output_mask[INPUT_COUNT];
int32_t integers_a[INPUT_COUNT], integers_b[INPUT_COUNT], output_integers[INPUT_COUNT];

int make_inputs(void **state)
{
    (void)state;
    random_source random = {1};
    for (size_t i = 0; i < INPUT_COUNT; i++) {
        size_t specials = special_float_count;
        if (i < specials * specials) {
            input_a[i] = special_floats[i / specials];
            input_b[i] = special_floats[i % specials];
            input_c[i] = special_floats[random_below(&random, specials)];
        } else if (i % 3 == 0) {
            input_a[i] = random_any_float(&random);
            input_b[i] = random_any_float(&random);
            input_c[i] = random_any_float(&random);
        } else if (i % 3 == 1) {
            input_a[i] = random_signed(&random, -2, 25);
            input_b[i] = random_signed(&random, -2, 2);
            input_c[i] = -input_a[i] * input_b[i]; /* cancels: the two roundings of mul_add show */
        } else {
            input_a[i] = random_signed(&random, -75, -55);
            input_b[i] = random_signed(&random, -75, -55);
            input_c[i] = random_signed(&random, -149, -126);
        }
        integers_a[i] = (int32_t)float_bits(input_a[i]);
        integers_b[i] = (int32_t)(random_one_in(&random, 3)   ? float_bits(input_b[i])
                                  : random_one_in(&random, 2) ? float_bits(input_a[i])
                                                              : 1u << random_below(&random, 32));
    }
    assert_true(special_float_count * special_float_count < INPUT_COUNT / 2);
    return 0;
}

const vf_ops *next_ops(size_t *i)
{
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = tested_tables(tables);
    while (*i < LENGTH(all_ops)) {
        const vf_ops *ops = all_ops[(*i)++];
        for (size_t table = 0; table < count; table++) {
            if (tables[table]->isa == ops->isa && tables[table]->rounding == ops->rounding) {
                return ops;
            }
        }
    }
    return NULL;
}

const char *ops_name(const vf_ops *ops) { return table_name(gyre_kernels_for(ops->isa, ops->rounding)); }

/* Operations that only move bits keep those of a NaN too. */
static bool moves_bits(const char *name)
{
    static const char *const movers[] = {"vf_abs", "vf_neg", "vf_copysign", "vf_xor", "vf_flushed", "vf_min", "vf_max"};
    for (size_t i = 0; i < LENGTH(movers); i++) {
        if (strcmp(name, movers[i]) == 0) {
            return true;
        }
    }
    return false;
}

void expect_float(const vf_ops *ops, const char *name, size_t i, float got, float want)
{
    bool equal = moves_bits(name) ? float_bits(got) == float_bits(want) : same_float(got, want);
    if (!equal) {
        fail_msg("%s %s(%a, %a, %a) is %a, not %a", ops_name(ops), name, (double)input_a[i], (double)input_b[i],
                 (double)input_c[i], (double)got, (double)want);
    }
}

void expect_mask(const vf_ops *ops, const char *name, size_t i, uint8_t got, bool want)
{
    if (got != want) {
        fail_msg("%s %s(%a, %a, %a) is %d, not %d", ops_name(ops), name, (double)input_a[i], (double)input_b[i],
                 (double)input_c[i], got, want);
    }
}

void expect_integer(const vf_ops *ops, const char *name, size_t i, int32_t got, uint32_t want)
{
    if ((uint32_t)got != want) {
        fail_msg("%s %s(%#x, %#x) is %#x, not %#x", ops_name(ops), name, (unsigned)integers_a[i],
                 (unsigned)integers_b[i], (unsigned)got, want);
    }
}
