/* The elementary functions where the results are known: special values, and inputs that are hard to get right. */
#include "support/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void test_special_values(void **state)
{
    (void)state;
    const float tiny = 0x1p-149f;
    const struct {
        size_t function;
        float x, want;
    } cases[] = {
        {EXP, NAN, NAN},
        {EXP, INFINITY, INFINITY},
        {EXP, -INFINITY, 0.0f},
        {EXP, 0.0f, 1.0f},
        {EXP, -0.0f, 1.0f},
        {EXP, tiny, 1.0f},
        {EXP, -tiny, 1.0f},
        {EXP, 0x1.fffffep127f, INFINITY},
        {EXP, -0x1.fffffep127f, 0.0f},
        {EXP, 0x1.62e42ep6f, 0x1.ffff08p127f},
        {EXP, 0x1.62e430p6f, INFINITY}, /* the last finite one */
        {EXP, -0x1.9fe368p6f, tiny},
        {EXP, -0x1.9fe36ap6f, 0.0f}, /* the last one that is not 0 */
        {EXPM1, NAN, NAN},
        {EXPM1, INFINITY, INFINITY},
        {EXPM1, -INFINITY, -1.0f},
        {EXPM1, 0.0f, 0.0f},
        {EXPM1, -0.0f, -0.0f},
        {EXPM1, tiny, tiny},
        {EXPM1, -tiny, -tiny},
        {EXPM1, 0x1.8p-140f, 0x1.8p-140f},
        {EXPM1, -0x1.fffffcp-127f, -0x1.fffffcp-127f},
        {EXPM1, -0x1.fffffep127f, -1.0f},
        {EXPM1, -18.0f, -1.0f},
        {EXPM1, 0x1.62e430p6f, INFINITY},
        {EXPM1, 0x1.fffffep127f, INFINITY},
        {LOG, NAN, NAN},
        {LOG, -NAN, NAN},
        {LOG, INFINITY, INFINITY},
        {LOG, -INFINITY, NAN},
        {LOG, 0.0f, -INFINITY},
        {LOG, -0.0f, -INFINITY},
        {LOG, -tiny, NAN},
        {LOG, -1.0f, NAN},
        {LOG, -0x1.fffffep127f, NAN},
        {LOG, 1.0f, 0.0f},
        {LOG, tiny, -0x1.9d1da0p6f},
        {LOG, 0x1p-126f, -0x1.5d58a0p6f},
        {LOG, 0x1.fffffcp-127f, -0x1.5d58a0p6f},
        {LOG, 2.0f, 0x1.62e430p-1f},
        {LOG, 0x1.fffffep127f, 0x1.62e430p6f},
        {SIN, NAN, NAN},
        {SIN, INFINITY, NAN},
        {SIN, -INFINITY, NAN},
        {SIN, 0.0f, 0.0f},
        {SIN, -0.0f, -0.0f},
        {SIN, tiny, tiny},
        {SIN, -tiny, -tiny},
        {SIN, 0x1.fffffcp-127f, 0x1.fffffcp-127f},
        {SIN, -0x1.8p-140f, -0x1.8p-140f},
        {SIN, 0x1p-20f, 0x1p-20f},
        {COS, NAN, NAN},
        {COS, INFINITY, NAN},
        {COS, -INFINITY, NAN},
        {COS, 0.0f, 1.0f},
        {COS, -0.0f, 1.0f},
        {COS, tiny, 1.0f},
        {COS, -tiny, 1.0f},
        {COS, 0x1p-20f, 1.0f},
    };
    const gyre_kernels *tables[TABLES_MAX];
    size_t table_count = tested_tables(tables);
    for (size_t table = 0; table < table_count; table++) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            float y;
            assert_int_equal(map_of(tables[table], cases[i].function)(&cases[i].x, &y, 1), GYRE_OK);
            if (!same_float(y, cases[i].want)) {
                fail_msg("%s %s(%a) is %a, not %a", table_name(tables[table]), map_names[cases[i].function],
                         (double)cases[i].x, (double)y, (double)cases[i].want);
            }
        }
    }
}

/* Floats as whole numbers in their order, zeros as one. */
static int64_t float_order(float x)
{
    int64_t magnitude = float_bits(x) & 0x7fffffff;
    return signbit(x) ? -magnitude : magnitude;
}

/* Inputs that are hard for one reason or another, with correctly rounded results: 1 ulp off the exact value is never
   beyond the neighbour of the nearest float. */
static void test_hard_inputs(void **state)
{
    (void)state;
    FILE *file = fopen(GYRE_TEST_DATA "/float_hard_inputs.csv", "r");
    assert_non_null(file);
    const gyre_kernels *tables[TABLES_MAX];
    size_t table_count = tested_tables(tables), inputs = 0;
    char line[512];
    assert_non_null(fgets(line, sizeof line, file)); /* the names of the columns */
    while (fgets(line, sizeof line, file) != NULL) {
        char name[8];
        uint32_t x_bits, nearest_bits;
        assert_int_equal(sscanf(line, "%7[a-z0-9],0x%8x,%*[^,],0x%8x", name, &x_bits, &nearest_bits), 3);
        size_t function = 0;
        while (strcmp(name, map_names[function]) != 0) {
            function++;
            assert_true(function < MAPS);
        }
        float x = float_from_bits(x_bits), nearest = float_from_bits(nearest_bits), y;
        for (size_t table = 0; table < table_count; table++) {
            map_of(tables[table], function)(&x, &y, 1);
            if (!same_float(y, nearest) && (isnan(y) || llabs(float_order(y) - float_order(nearest)) > 1)) {
                fail_msg("%s %s(%a) is %a, not near %a", table_name(tables[table]), name, (double)x, (double)y,
                         (double)nearest);
            }
        }
        inputs++;
    }
    fclose(file);
    assert_true(inputs > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_values),
        cmocka_unit_test(test_hard_inputs),
    };
    return cmocka_run_group_tests_name("math values", tests, NULL, NULL);
}
