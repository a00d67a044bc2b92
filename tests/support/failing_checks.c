/* Tests that fail, each in one check: support/checks.py compares their output with the expected output. */
#include "support/support.h"

#include <math.h>
#include <signal.h>

static const float x = 0.1f;

/* A test of one check. */
#define FAILS(name, ...)                                                                                               \
    static void test_##name(void **state)                                                                              \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        __VA_ARGS__;                                                                                                   \
    }

FAILS(less, check(3, <, 3))
FAILS(at_most, check(x, <=, 0x1p-4f))
FAILS(greater, check(-1, >, 0u))
FAILS(at_least, check(0.0, >=, 0x1p-1074))
FAILS(equal, check(1.5, ==, 2))
FAILS(not_equal, check(0.0f, !=, -0.0f))
FAILS(large, check(UINT64_MAX, ==, -1))
FAILS(long_double, check(1.25L, ==, 1.0))
FAILS(nan_is_no_number, check((double)NAN, <=, 1))
FAILS(nan_equals_nothing, check(NAN, ==, NAN))
FAILS(null, check((const float *)NULL, !=, NULL))
FAILS(within, check_within(1.5f, 1, 0.25))
FAILS(within_nan, check_within((double)NAN, 1, 0.25))
FAILS(same, check_same(0.0f, -0.0f))
FAILS(same_double, check_same(1.0, (double)NAN))
FAILS(bits, check_bits(1.0f, -1.0f))
FAILS(nan, check_nan(1.0f))
FAILS(finite, check_finite(-(double)INFINITY))
FAILS(not_finite, check_not_finite(2.0f))
FAILS(not_subnormal, check_not_subnormal(-0x1p-149f))
FAILS(flushed, check_flushed(0x1p-96f))
FAILS(status, check_status(GYRE_ERROR_NULL, GYRE_OK))
FAILS(text, check_text(gyre_isa_name(GYRE_ISA_SSE2), "avx2"))

static void test_floats(void **state)
{
    (void)state;
    const float got[] = {1, NAN, 3}, wanted[] = {1, -NAN, 4};
    check_floats(got, wanted, LENGTH(got));
}

FAILS(bytes, check_bytes("abc", "abd", 3))
FAILS(failed, check_failed("got %d springs, wanted none", 7))

static void test_share(void **state)
{
    (void)state;
    worst_case worst = {0};
    for (int i = 1; i <= 5; i++) {
        CASE("round %d", i);
        check_share(&worst, 0.5 * (5 - i % 4) / 2);
    }
}

static void test_share_nan(void **state)
{
    (void)state;
    worst_case worst = {.share = 0.5};
    check_share(&worst, (double)NAN);
}

static void test_case(void **state)
{
    (void)state;
    CASE("%s: %5.2f%% of %a, %-4dand %zu, %#x", "name", 12.5, x, -3, sizeof(float), 255u);
    check(1, ==, 2);
}

/* Cases end with their blocks; those of callers come first. */
static void check_in_case(int i)
{
    CASE("called with %d", i);
    check(i, <, 3);
}

static void test_nested_cases(void **state)
{
    (void)state;
    CASE("outer");
    for (int i = 0; i < 20; i++) {
        CASE("round %d", i);
        {
            CASE("inner");
            check(i, <, 4);
        }
        check_in_case(i);
    }
}

static void test_table(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        CASE("first");
        check(1, ==, 2);
    }
}

/* A table and cases end with the loop, even if it is left early. */
static bool leave_early(void)
{
    EACH_TABLE(table) {
        CASE("left");
        return table != NULL;
    }
    return false;
}

static void test_ended_cases(void **state)
{
    (void)state;
    EACH_BEST_TABLE(table) {
        CASE("ended, %d", table != NULL);
    }
    check(leave_early(), ==, 0);
}

static void test_crash(void **state)
{
    (void)state;
    CASE("element %d", 9);
    raise(SIGSEGV);
}

/* Checks that pass, at the limit. */
static void test_none_fails(void **state)
{
    (void)state;
    const float numbers[] = {1, NAN}, others[] = {1, -NAN};
    check(3, ==, 3u);
    check(3, !=, 3.5f);
    check(-1, <, UINT64_MAX);
    check(-2, <, -1);
    check(2, <=, 2.0L);
    check(2, >=, 2);
    check(INT64_MAX, <, UINT64_MAX);
    check(2.5, >, 2);
    check(NAN, !=, NAN);
    check(0.0f, ==, -0.0f);
    check_within(1.25f, 1, 0.25);
    check_same(NAN, -NAN);
    check_same(1.0, 1.0);
    check_bits(-0.0f, -0.0f);
    check_nan(NAN);
    check_finite(0x1p127f);
    check_not_finite((double)NAN);
    check_not_subnormal(-0x1p-126f);
    check_not_subnormal(NAN);
    check_flushed(0.0f);
    check_flushed(-0x1p-95f);
    check_status(GYRE_OK, GYRE_OK);
    check_text("", "");
    check_floats(numbers, others, LENGTH(numbers));
    check_floats(NULL, NULL, 0);
    check_bytes("abc", "abd", 2);
    worst_case worst = {0};
    CASE("largest");
    check_share(&worst, 1.0);
    check_text(worst.which, "largest");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_less),
        TEST(test_at_most),
        TEST(test_greater),
        TEST(test_at_least),
        TEST(test_equal),
        TEST(test_not_equal),
        TEST(test_large),
        TEST(test_long_double),
        TEST(test_nan_is_no_number),
        TEST(test_nan_equals_nothing),
        TEST(test_null),
        TEST(test_within),
        TEST(test_within_nan),
        TEST(test_same),
        TEST(test_same_double),
        TEST(test_bits),
        TEST(test_nan),
        TEST(test_finite),
        TEST(test_not_finite),
        TEST(test_not_subnormal),
        TEST(test_flushed),
        TEST(test_status),
        TEST(test_text),
        TEST(test_floats),
        TEST(test_bytes),
        TEST(test_failed),
        TEST(test_share),
        TEST(test_share_nan),
        TEST(test_case),
        TEST(test_nested_cases),
        TEST(test_table),
        TEST(test_ended_cases),
        TEST(test_crash),
        TEST(test_none_fails),
    };
    return cmocka_run_group_tests_name("failing checks", tests, NULL, NULL);
}
