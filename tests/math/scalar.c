/* The functions of one double that helpers compute by (kernels/math/scalar.h): to 1e-15 of the result, as that file says, or
   of 1. */
#include "support/support.h"

#include "math/scalar.h"

#include <float.h>
#include <math.h>

static void check_within(double allowed, double got, long double exact, double unit, const char *name, double x)
{
    const double off = (double)fabsl(got - exact) / unit;
    if (!(off <= allowed)) {
        fail_msg("%s(%a) is off by %.2e", name, x, off);
    }
}

static void check(double got, long double exact, double unit, const char *name, double x)
{
    check_within(1e-15, got, exact, unit, name, x);
}

/* Not by logl: an emulated x87 sums its logarithms to some 1e-15 only, where their series is longest. libm's of a
   double is right to an ulp, which is its own. */
static void check_logarithm(double got, double reference, const char *name, double x)
{
    check_within(1e-15 - DBL_EPSILON, got, reference, fabs(reference), name, x);
}

/* 1 to 2, times that power of two. */
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
        check(scalar_exp(-x), exact, (double)exact, "exp", -x);
        check(scalar_mean_decay(x), mean, (double)mean, "mean_decay", x);
    }
    assert_true(scalar_exp(0) == 1 && scalar_exp(-701) == 0 && scalar_exp(-1e300) == 0 && scalar_mean_decay(0) == 1);
}

static void test_logarithms(void **state)
{
    (void)state;
    random_source random = {2};
    for (size_t i = 0; i < effort(100000); i++) {
        const double x = random_double(&random, -1022, 1024), y = random_double(&random, -1, 1);
        const double q = random_double(&random, -60, 0), negative = -0.5 * q, large = random_double(&random, 0, 300);
        check_logarithm(scalar_log(x), log(x), "log", x);
        check_logarithm(scalar_log(y), log(y), "log", y);
        check_logarithm(scalar_log1p(q), log1p(q), "log1p", q);
        check_logarithm(scalar_log1p(negative), log1p(negative), "log1p", negative);
        check_logarithm(scalar_log1p(large), log1p(large), "log1p", large);
    }
    assert_true(scalar_log(1) == 0 && scalar_log1p(0) == 0);
}

static void test_cosine_and_sine(void **state)
{
    (void)state;
    random_source random = {3};
    for (size_t i = 0; i < effort(100000); i++) {
        const double x = scalar_pi * (double)random_unit(&random);
        double c, s;
        scalar_cos_sin(x, &c, &s);
        check(c, cosl(x), 1, "cos", x);
        check(s, sinl(x), 1, "sin", x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exponentials),
        cmocka_unit_test(test_logarithms),
        cmocka_unit_test(test_cosine_and_sine),
    };
    return cmocka_run_group_tests_name("scalar", tests, NULL, NULL);
}
