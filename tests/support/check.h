/* Checks that report a failure in full: the line, the table, the case, the value and the wanted value.

       EACH_TABLE(table) {
           for (size_t i = 0; i < COUNT; i++) {
               CASE("exp of %a", x[i]);
               check_status(table->math_exp(&x[i], &y, 1), GYRE_OK);
               check(y, >=, 0);
           }
       }

   prints, if it fails,

       tests/math/values.c:17: avx2 fused, exp of 0x1.8p+1: y: got -1 (-0x1p+0), wanted >= 0

   Tests use these checks instead of cmocka's. Call them only from the thread that runs the test. */
#ifndef GYRE_TESTS_CHECK_H
#define GYRE_TESTS_CHECK_H

#include <gyre/gyre.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- Values ---- */

typedef enum check_kind {
    CHECK_SIGNED,
    CHECK_UNSIGNED,
    CHECK_FLOAT,
    CHECK_DOUBLE,
    CHECK_LONG_DOUBLE,
    CHECK_POINTER
} check_kind;

/* For gcc, which would warn about memory that is not initialised yet. */
#if defined(__has_attribute)
#if __has_attribute(access)
#define CHECK_NO_ACCESS __attribute__((access(none, 1)))
#endif
#endif
#ifndef CHECK_NO_ACCESS
#define CHECK_NO_ACCESS
#endif

typedef struct check_value {
    check_kind kind;
    union {
        intmax_t as_signed;
        uintmax_t as_unsigned;
        float as_float;
        double as_double;
        long double as_long_double;
        const void *as_pointer;
    };
} check_value;

check_value check_signed(intmax_t x);
check_value check_unsigned(uintmax_t x);
check_value check_float(float x);
check_value check_double(double x);
check_value check_long_double(long double x);
CHECK_NO_ACCESS check_value check_pointer(const void *x); /* uses only the pointer */

/* Any number or pointer as a check_value. */
/* clang-format off */
#define CHECK_VALUE(x)                                                                                                 \
    _Generic((x),                                                                                                      \
        bool: check_unsigned, unsigned char: check_unsigned, unsigned short: check_unsigned, unsigned: check_unsigned, \
        unsigned long: check_unsigned, unsigned long long: check_unsigned,                                             \
        char: check_signed, signed char: check_signed, short: check_signed, int: check_signed, long: check_signed,     \
        long long: check_signed,                                                                                       \
        float: check_float, double: check_double, long double: check_long_double, default: check_pointer)(x)
/* clang-format on */

/* ---- Cases ---- */

/* CASE(format, ...); describes, in printf style, what the following checks up to the end of the block are about. Cases
   of enclosing blocks and of callers are printed before it. It costs some nanoseconds, because text is formatted only
   for a check that fails. Floats need no cast. Strings must live as long as the case. Up to 15 values. */
#define CASE(...)                                                                                                      \
    (void)sizeof printf(CHECK_EACH(CHECK_PRINTF_ARGUMENT, __VA_ARGS__));                                               \
    __attribute__((cleanup(check_leave), unused)) const size_t CHECK_NAME(check_case_, __COUNTER__) =                  \
        check_enter_case(CHECK_COUNT(__VA_ARGS__), (check_value[]){CHECK_EACH(CHECK_VALUE, __VA_ARGS__)})

/* For EACH_TABLE and similar macros: one more table or case, and the end of the one at that depth with everything
   nested in it. Depth 0 is none. */
size_t check_enter_table(const gyre_kernels *table);
size_t check_enter_case(size_t count, const check_value *values);
void check_leave(const size_t *depth);

/* TEST(f) replaces cmocka_unit_test(f): if a test crashes, it prints the case. */
#define TEST(f) cmocka_unit_test_setup_teardown(f, check_begin_test, check_end_test)

/* ---- Checks ---- */

/* check(got, <=, limit): any numbers or pointers, with any of == != < <= > >=. A NaN fails except with !=. */
#define check(got, comparison, wanted)                                                                                 \
    check_compare(CHECK_HERE(#got), CHECK_VALUE(got), #comparison, CHECK_VALUE(wanted))

/* |got - wanted| <= allowed. */
#define check_within(got, wanted, allowed)                                                                             \
    check_difference(CHECK_HERE(#got), CHECK_VALUE(got), CHECK_VALUE(wanted), CHECK_VALUE(allowed))

/* Two floats or two doubles have the same bits, or both are NaN; or two floats have the same bits even if NaN. */
#define check_same(got, wanted) check_same_number(CHECK_HERE(#got), CHECK_VALUE(got), CHECK_VALUE(wanted))
#define check_bits(got, wanted) check_same_bits(CHECK_HERE(#got), got, wanted)

/* Equal, or both NaN. */
#define check_equal_or_nan(got, wanted) check_same((got) + 0, (wanted) + 0)

#define check_nan(got) check_class(CHECK_HERE(#got), CHECK_VALUE(got), CHECK_NAN)
#define check_finite(got) check_class(CHECK_HERE(#got), CHECK_VALUE(got), CHECK_FINITE)
#define check_not_finite(got) check_class(CHECK_HERE(#got), CHECK_VALUE(got), CHECK_NOT_FINITE)

/* For floats: 0, normal, infinite or NaN; and 0 or at least 2^-95, below which kernels flush. */
#define check_not_subnormal(got) check_class(CHECK_HERE(#got), check_float(got), CHECK_NOT_SUBNORMAL)
#define check_flushed(got) check_class(CHECK_HERE(#got), check_float(got), CHECK_FLUSHED)

#define check_status(got, wanted) check_same_status(CHECK_HERE(#got), got, wanted)
#define check_text(got, wanted) check_same_text(CHECK_HERE(#got), got, wanted)

/* Arrays of `count` floats as with check_same, and of `bytes` bytes. */
#define check_floats(got, wanted, count) check_same_floats(CHECK_HERE(#got), got, wanted, count)
#define check_bytes(got, wanted, bytes) check_same_bytes(CHECK_HERE(#got), got, wanted, bytes)

/* Fails with a printf-style message, for comparisons that no other check covers: the message gives both values. */
#define check_failed(...) check_fail((check_place){__FILE__, __LINE__, NULL}, __VA_ARGS__)

/* The worst of many cases so far: its share of the allowed error, and which case it was. */
typedef struct worst_case {
    double share;
    char which[512];
} worst_case;

/* Records the current case if its share is the largest so far, and fails if it exceeds 1. */
#define check_share(worst, share) check_worst(CHECK_HERE(#share), worst, share)

/* Prints it as a comment. */
void print_worst(const char *what, const worst_case *worst);

/* ---- Implementation of the macros ---- */

typedef struct check_place {
    const char *file;
    int line;
    const char *what; /* the expression, or NULL */
} check_place;

#define CHECK_HERE(what) ((check_place){__FILE__, __LINE__, what})

void check_compare(check_place place, check_value got, const char *comparison, check_value wanted);
void check_difference(check_place place, check_value got, check_value wanted, check_value allowed);
void check_same_number(check_place place, check_value got, check_value wanted);
void check_same_bits(check_place place, float got, float wanted);
typedef enum check_class_name {
    CHECK_NAN,
    CHECK_FINITE,
    CHECK_NOT_FINITE,
    CHECK_NOT_SUBNORMAL,
    CHECK_FLUSHED
} check_class_name;

void check_class(check_place place, check_value got, check_class_name wanted);
void check_same_status(check_place place, gyre_status got, gyre_status wanted);
void check_same_text(check_place place, const char *got, const char *wanted);
void check_same_floats(check_place place, const float *got, const float *wanted, size_t count);
void check_same_bytes(check_place place, const void *got, const void *wanted, size_t bytes);
void check_worst(check_place place, worst_case *worst, double share);
void check_fail(check_place place, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

int check_begin_test(void **state);
int check_end_test(void **state);

/* A float as passed to printf, for the compiler's format check. */
#define CHECK_PRINTF_ARGUMENT(x) _Generic((x), float : 0.0, default : (x))

#define CHECK_NAME(a, b) CHECK_NAME_(a, b)
#define CHECK_NAME_(a, b) a##b

#define CHECK_COUNT(...) CHECK_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CHECK_COUNT_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, count, ...) count

/* f(a), f(b), ... */
#define CHECK_EACH(f, ...) CHECK_NAME(CHECK_EACH_, CHECK_COUNT(__VA_ARGS__))(f, __VA_ARGS__)
#define CHECK_EACH_1(f, x) f(x)
#define CHECK_EACH_2(f, x, ...) f(x), CHECK_EACH_1(f, __VA_ARGS__)
#define CHECK_EACH_3(f, x, ...) f(x), CHECK_EACH_2(f, __VA_ARGS__)
#define CHECK_EACH_4(f, x, ...) f(x), CHECK_EACH_3(f, __VA_ARGS__)
#define CHECK_EACH_5(f, x, ...) f(x), CHECK_EACH_4(f, __VA_ARGS__)
#define CHECK_EACH_6(f, x, ...) f(x), CHECK_EACH_5(f, __VA_ARGS__)
#define CHECK_EACH_7(f, x, ...) f(x), CHECK_EACH_6(f, __VA_ARGS__)
#define CHECK_EACH_8(f, x, ...) f(x), CHECK_EACH_7(f, __VA_ARGS__)
#define CHECK_EACH_9(f, x, ...) f(x), CHECK_EACH_8(f, __VA_ARGS__)
#define CHECK_EACH_10(f, x, ...) f(x), CHECK_EACH_9(f, __VA_ARGS__)
#define CHECK_EACH_11(f, x, ...) f(x), CHECK_EACH_10(f, __VA_ARGS__)
#define CHECK_EACH_12(f, x, ...) f(x), CHECK_EACH_11(f, __VA_ARGS__)
#define CHECK_EACH_13(f, x, ...) f(x), CHECK_EACH_12(f, __VA_ARGS__)
#define CHECK_EACH_14(f, x, ...) f(x), CHECK_EACH_13(f, __VA_ARGS__)
#define CHECK_EACH_15(f, x, ...) f(x), CHECK_EACH_14(f, __VA_ARGS__)
#define CHECK_EACH_16(f, x, ...) f(x), CHECK_EACH_15(f, __VA_ARGS__)

#endif
