/* The scalar double functions that helpers use (kernels/scalar/elementary.h): accurate to 1e-15 of the result, as
   stated there, or to 1e-15. */
#include "support/support.h"

#include "scalar/elementary.h"

#include <float.h>
#include <math.h>

/* Against libm's long double. */
static void check_value_of(const char *name, double x, double got, long double exact, double unit)
{
    CASE("%s(%a)", name, x);
    check_within(got, exact, 1e-15L * unit);
}

/* Not against logl: an emulated x87 sums its logarithms only to some 1e-15, where their series is longest. libm's log
   of a double is accurate to an ulp, which is allowed for. */
static void check_logarithm(const char *name, double x, double got, double reference)
{
    CASE("%s(%a)", name, x);
    check_within(got, reference, (1e-15 - DBL_EPSILON) * fabs(reference));
}

/* 1 to 2, times a power of two. */
static double random_double(random_source *random, int from_exp, int to_exp)
{
    const int exponent = from_exp + (int)random_below(random, (size_t)(to_exp - from_exp));
    return ldexp(1 + (double)(random_bits(random) >> 12) * 0x1p-52, exponent);
}

static void test_exponentials(void **state)
{
    (void)state;
    random_source random = {1};
    for (size_t i = 0; i < effort(100000); i++) {
        const double x =
            random_one_in(&random, 2) ? 700 * (double)random_unit(&random) : random_double(&random, -60, 9);
        const long double exact = expl(-(long double)x), mean = -expm1l(-(long double)x) / x;
        check_value_of("exp", -x, scalar_exp(-x), exact, (double)exact);
        check_value_of("mean_decay", x, scalar_mean_decay(x), mean, (double)mean);
        check_same(scalar_mean_decay_of_any(x), scalar_mean_decay(x));
        const long double growth = expm1l(x) / x;
        check_value_of("mean_decay_of_any", -x, scalar_mean_decay_of_any(-x), growth, 2 * (double)growth);
    }
    check(scalar_exp(0), ==, 1);
    check(scalar_exp(-701), ==, 0);
    check(scalar_exp(-1e300), ==, 0);
    check(scalar_mean_decay(0), ==, 1);
}

static void test_logarithms(void **state)
{
    (void)state;
    random_source random = {2};
    for (size_t i = 0; i < effort(100000); i++) {
        const double x = random_double(&random, -1022, 1024), y = random_double(&random, -1, 1);
        const double q = random_double(&random, -60, 0), negative = -0.5 * q, large = random_double(&random, 0, 300);
        check_logarithm("log", x, scalar_log(x), log(x));
        check_logarithm("log", y, scalar_log(y), log(y));
        check_logarithm("log1p", q, scalar_log1p(q), log1p(q));
        check_logarithm("log1p", negative, scalar_log1p(negative), log1p(negative));
        check_logarithm("log1p", large, scalar_log1p(large), log1p(large));
    }
    check(scalar_log(1), ==, 0);
    check(scalar_log1p(0), ==, 0);
}

static void test_cosine_and_sine(void **state)
{
    (void)state;
    random_source random = {3};
    for (size_t i = 0; i < effort(100000); i++) {
        const double x = SCALAR_PI * (double)random_unit(&random);
        double c, s;
        scalar_cos_sin(x, &c, &s);
        check_value_of("cos", x, c, cosl(x), 1);
        check_value_of("sin", x, s, sinl(x), 1);
    }
}

static void test_angle(void **state)
{
    (void)state;
    random_source random = {4};
    for (size_t i = 0; i < effort(100000); i++) {
        const int range = random_one_in(&random, 2) ? 2 : 300;
        const double x = random_double(&random, -range, range) * (random_one_in(&random, 2) ? 1 : -1);
        const double y = random_double(&random, -range, range);
        const long double exact = atan2l(y, x);
        CASE("angle of (%a, %a)", x, y);
        check_within(scalar_angle(x, y), exact, 1e-15L * exact);
    }
    check(scalar_angle(1, 0), ==, 0);
    check(scalar_angle(-1, 0), ==, SCALAR_PI);
    check(scalar_angle(0, 1), ==, SCALAR_PI / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_exponentials),
        TEST(test_logarithms),
        TEST(test_cosine_and_sine),
        TEST(test_angle),
    };
    return cmocka_run_group_tests_name("scalar_elementary", tests, NULL, NULL);
}
