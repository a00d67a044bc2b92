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
            input_c[i] = -input_a[i] * input_b[i]; /* cancels, which reveals the two roundings of mul_add */
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
    check(special_float_count * special_float_count, <, INPUT_COUNT / 2);
    return 0;
}

const vf_ops *next_ops(ops_loop *loop)
{
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = tested_tables(tables);
    end_ops(loop);
    while (loop->next < LENGTH(all_ops)) {
        const vf_ops *ops = all_ops[loop->next++];
        for (size_t table = 0; table < count; table++) {
            if (tables[table]->isa == ops->isa && tables[table]->rounding == ops->rounding) {
                loop->depth = check_enter_table(tables[table]);
                return ops;
            }
        }
    }
    return NULL;
}

void end_ops(ops_loop *loop)
{
    check_leave(&loop->depth);
    loop->depth = 0;
}

/* Operations that only move bits also keep those of a NaN. The exception is 32-bit x86, where functions return a float
   on the x87, which makes NaNs quiet and changes `wanted`. */
static bool moves_bits(const char *name)
{
#if defined(__i386__)
    return false;
#endif
    static const char *const movers[] = {"vf_abs", "vf_neg", "vf_copysign", "vf_xor", "vf_flushed", "vf_min", "vf_max"};
    for (size_t i = 0; i < LENGTH(movers); i++) {
        if (strcmp(name, movers[i]) == 0) {
            return true;
        }
    }
    return false;
}

void check_float_result(const char *name, size_t i, float got, float wanted)
{
    CASE("%s(%a, %a, %a)", name, input_a[i], input_b[i], input_c[i]);
    if (moves_bits(name)) {
        check_bits(got, wanted);
    } else {
        check_same(got, wanted);
    }
}

void check_mask_result(const char *name, size_t i, uint8_t got, bool wanted)
{
    CASE("%s(%a, %a, %a)", name, input_a[i], input_b[i], input_c[i]);
    check(got, ==, wanted);
}

void check_integer_result(const char *name, size_t i, int32_t got, uint32_t wanted)
{
    CASE("%s(%#x, %#x)", name, (unsigned)integers_a[i], (unsigned)integers_b[i]);
    check((uint32_t)got, ==, wanted);
}
