/* Comparisons, masks and selections by them, on every table, against scalar C. */
#include "simd/tables.h"

static bool scalar_lt(float a, float b) { return a < b; }
static bool scalar_le(float a, float b) { return a <= b; }
static bool scalar_eq(float a, float b) { return a == b; }

static void test_compare(void **state)
{
    (void)state;
    EACH_OPS(ops) {
#define COMPARE(name)                                                                                                  \
    ops->vf_##name(input_a, input_b, output_mask, INPUT_COUNT);                                                        \
    for (size_t i = 0; i < INPUT_COUNT; i++) {                                                                         \
        check_mask_result("vf_" #name, i, output_mask[i], scalar_##name(input_a[i], input_b[i]));                      \
    }
        VF_COMPARE(COMPARE)
    }
}

static void test_masks(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        ops->vm_and(input_a, input_b, input_c, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_mask_result("vm_and", i, output_mask[i], input_a[i] < input_b[i] && input_b[i] < input_c[i]);
        }
        ops->vm_or(input_a, input_b, input_c, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_mask_result("vm_or", i, output_mask[i], input_a[i] < input_b[i] || input_b[i] < input_c[i]);
        }
        ops->vm_not(input_a, input_b, output_mask, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            check_mask_result("vm_not", i, output_mask[i], !(input_a[i] < input_b[i]));
        }
    }
}

/* How many of the lanes are below 0. */
static size_t lanes_below_zero(const float *lanes, size_t count)
{
    size_t below = 0;
    for (size_t lane = 0; lane < count; lane++) {
        below += lanes[lane] < 0;
    }
    return below;
}

static void check_any_and_all(const vf_ops *ops, const float lanes[16])
{
    const float zeros[16] = {0};
    const size_t below = lanes_below_zero(lanes, ops->lanes);
    check(ops->vm_any(lanes, zeros), ==, below > 0);
    check(ops->vm_all(lanes, zeros), ==, below == ops->lanes);
}

static void test_any_and_all_see_each_lane(void **state)
{
    (void)state;
    const float zeros[16] = {0};
    EACH_OPS(ops) {
        float all_less[16];
        for (size_t lane = 0; lane < 16; lane++) {
            all_less[lane] = -1;
        }
        check_any_and_all(ops, zeros);
        check_any_and_all(ops, all_less);
        for (size_t lane = 0; lane < ops->lanes; lane++) {
            CASE("lane %zu", lane);
            float one_less[16] = {0};
            one_less[lane] = -1;
            check_any_and_all(ops, one_less);
            check(ops->vm_bits(one_less, zeros), ==, 1u << lane);
            all_less[lane] = 1;
            check_any_and_all(ops, all_less);
            all_less[lane] = -1;
        }
    }
}

/* Every possible mask, and every n. */
static void test_lanes_are_counted(void **state)
{
    (void)state;
    const float zeros[16] = {0};
    EACH_OPS(ops) {
        for (unsigned mask = 0; mask < 1u << ops->lanes; mask++) {
            CASE("mask %#x", mask);
            float lanes[16] = {0};
            unsigned count = 0;
            for (size_t lane = 0; lane < ops->lanes; lane++) {
                lanes[lane] = mask >> lane & 1 ? -1.0f : 0.0f;
                count += mask >> lane & 1;
            }
            check(ops->vm_count(lanes, zeros), ==, count);
        }
        for (size_t n = 0; n <= ops->lanes; n++) {
            CASE("first %zu", n);
            check(ops->vm_first(n), ==, (1u << n) - 1);
        }
        for (size_t largest = 0; largest < ops->lanes; largest++) {
            CASE("largest in lane %zu", largest);
            float lanes[16];
            for (size_t lane = 0; lane < ops->lanes; lane++) {
                lanes[lane] = lane == largest ? -1.0f : -2.0f - (float)lane;
            }
            check(ops->vf_largest_lane(lanes), ==, -1);
        }
    }
}

static void test_select_and_zero_where(void **state)
{
    (void)state;
    EACH_OPS(ops) {
        ops->vf_select(input_a, input_b, input_c, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            CASE("vf_select(%a < %a, %a)", input_a[i], input_b[i], input_c[i]);
            float want = input_a[i] < input_b[i] ? input_a[i] : input_c[i];
            check_bits(output[i], want);
        }
        ops->vf_zero_where(input_a, input_b, input_c, output, INPUT_COUNT);
        for (size_t i = 0; i < INPUT_COUNT; i++) {
            CASE("vf_zero_where(%a < %a, %a)", input_a[i], input_b[i], input_c[i]);
            float want = input_a[i] < input_b[i] ? 0 : input_c[i];
            check_bits(output[i], want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_compare),
        TEST(test_masks),
        TEST(test_any_and_all_see_each_lane),
        TEST(test_lanes_are_counted),
        TEST(test_select_and_zero_where),
    };
    return cmocka_run_group_tests_name("simd_masks", tests, make_inputs, NULL);
}
