/* The elementary functions where the results are known: special values, and inputs that are hard to round correctly. */
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
        {EXP, 0x1.62e430p6f, INFINITY}, /* the last finite result */
        {EXP, -0x1.9fe368p6f, tiny},
        {EXP, -0x1.9fe36ap6f, 0.0f}, /* the last result that is not 0 */
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
    EACH_TABLE(table) {
        for (size_t i = 0; i < LENGTH(cases); i++) {
            CASE("%s(%a)", map_names[cases[i].function], cases[i].x);
            float y;
            check_status(map_of(table, cases[i].function)(&cases[i].x, &y, 1), GYRE_OK);
            check_same(y, cases[i].want);
        }
    }
}

/* Consecutive integers for consecutive floats; both zeros are 0. */
static int64_t float_order(float x)
{
    int64_t magnitude = float_bits(x) & 0x7fffffff;
    return signbit(x) ? -magnitude : magnitude;
}

/* Inputs that are hard to round correctly, with correctly rounded results. A result within 1 ulp of the exact value is
   the correctly rounded one or one of its neighbours. */
static void test_hard_inputs(void **state)
{
    (void)state;
    FILE *file = fopen(GYRE_TEST_DATA "/float_hard_inputs.csv", "r");
    check(file, !=, NULL);
    size_t inputs = 0;
    char line[512];
    check(fgets(line, sizeof line, file), !=, NULL); /* the column names */
    while (fgets(line, sizeof line, file) != NULL) {
        CASE("line %zu", inputs + 2);
        char name[8];
        uint32_t x_bits, nearest_bits;
        check(sscanf(line, "%7[a-z0-9],0x%8x,%*[^,],0x%8x", name, &x_bits, &nearest_bits), ==, 3);
        size_t function = 0;
        while (strcmp(name, map_names[function]) != 0) {
            function++;
            check(function, <, MAPS);
        }
        float x = float_from_bits(x_bits), nearest = float_from_bits(nearest_bits), y;
        EACH_TABLE(table) {
            map_of(table, function)(&x, &y, 1);
            if (isnan(y) || isnan(nearest)) {
                CASE("%s(%a)", name, x);
                check_same(y, nearest);
            } else {
                CASE("%s(%a) is %a, correctly rounded %a", name, x, y, nearest);
                check_within(float_order(y), float_order(nearest), 1);
            }
        }
        inputs++;
    }
    fclose(file);
    check(inputs, >, 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_special_values),
        TEST(test_hard_inputs),
    };
    return cmocka_run_group_tests_name("math_values", tests, NULL, NULL);
}
