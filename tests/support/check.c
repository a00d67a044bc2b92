#include "support/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values ---- */

check_value check_signed(intmax_t x) { return (check_value){.kind = CHECK_SIGNED, .as_signed = x}; }
check_value check_unsigned(uintmax_t x) { return (check_value){.kind = CHECK_UNSIGNED, .as_unsigned = x}; }
check_value check_float(float x) { return (check_value){.kind = CHECK_FLOAT, .as_float = x}; }
check_value check_double(double x) { return (check_value){.kind = CHECK_DOUBLE, .as_double = x}; }
check_value check_long_double(long double x) { return (check_value){.kind = CHECK_LONG_DOUBLE, .as_long_double = x}; }
check_value check_pointer(const void *x) { return (check_value){.kind = CHECK_POINTER, .as_pointer = x}; }

static bool is_integer(check_value x) { return x.kind == CHECK_SIGNED || x.kind == CHECK_UNSIGNED; }

static bool is_negative(check_value x) { return x.kind == CHECK_SIGNED && x.as_signed < 0; }

static double double_of(check_value x)
{
    return x.kind == CHECK_SIGNED     ? (double)x.as_signed
           : x.kind == CHECK_UNSIGNED ? (double)x.as_unsigned
           : x.kind == CHECK_FLOAT    ? (double)x.as_float
                                      : x.as_double;
}

static long double long_double_of(check_value x)
{
    return x.kind == CHECK_LONG_DOUBLE ? x.as_long_double
           : x.kind == CHECK_SIGNED    ? (long double)x.as_signed
           : x.kind == CHECK_UNSIGNED  ? (long double)x.as_unsigned
                                       : (long double)double_of(x);
}

/* ---- Text ---- */

/* A string that grows in an array, truncated at its end. */
typedef struct text {
    size_t length;
    char at[2048];
} text;

__attribute__((format(printf, 2, 3))) static void append(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(t->at + t->length, sizeof t->at - t->length, format, arguments);
    va_end(arguments);
    t->length += more > 0 ? (size_t)more : 0;
    t->length = t->length < sizeof t->at ? t->length : sizeof t->at - 1;
}

static void append_value(text *t, check_value x)
{
    switch (x.kind) {
    case CHECK_SIGNED: append(t, "%jd", x.as_signed); break;
    case CHECK_UNSIGNED:
        append(t, "%ju", x.as_unsigned);
        if (x.as_unsigned > UINT16_MAX) {
            append(t, " (%#jx)", x.as_unsigned);
        }
        break;
    case CHECK_FLOAT: append(t, "%.9g (%a)", (double)x.as_float, (double)x.as_float); break;
    case CHECK_DOUBLE: append(t, "%.17g (%a)", x.as_double, x.as_double); break;
    case CHECK_LONG_DOUBLE: append(t, "%.21Lg (%La)", x.as_long_double, x.as_long_double); break;
    case CHECK_POINTER: append(t, "%p", x.as_pointer); break;
    }
}

/* One conversion of a format, "%-8.3f": flags, width and precision are kept, and the length follows from the value. */
static const char *append_conversion(text *t, const char *conversion, check_value x)
{
    const size_t flags = 1 + strspn(conversion + 1, "-+ #0123456789.");
    const char *letter = conversion + flags + strspn(conversion + flags, "hljztL");
    char format[32];
    snprintf(format, sizeof format, "%.*s%s%c", (int)flags, conversion,
             is_integer(x)                 ? "j"
             : x.kind == CHECK_LONG_DOUBLE ? "L"
                                           : "",
             *letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    switch (x.kind) {
    case CHECK_SIGNED: append(t, format, x.as_signed); break;
    case CHECK_UNSIGNED: append(t, format, x.as_unsigned); break;
    case CHECK_FLOAT:
    case CHECK_DOUBLE: append(t, format, double_of(x)); break;
    case CHECK_LONG_DOUBLE: append(t, format, x.as_long_double); break;
    case CHECK_POINTER: append(t, format, x.as_pointer); break;
    }
#pragma GCC diagnostic pop
    return letter + 1;
}

/* As with printf: the first value is the format. */
static void append_formatted(text *t, const check_value *values)
{
    for (const char *at = values->as_pointer; *at != '\0';) {
        if (at[0] == '%' && at[1] == '%') {
            append(t, "%%");
            at += 2;
        } else if (at[0] == '%') {
            at = append_conversion(t, at, *++values);
        } else {
            append(t, "%c", *at++);
        }
    }
}

/* ---- Cases ---- */

/* A table, or the format and the values of a case. */
typedef struct context_entry {
    const gyre_kernels *table;
    check_value values[16];
} context_entry;

static context_entry context[16];
static size_t context_depth;

static size_t enter(void)
{
    if (context_depth == sizeof context / sizeof context[0]) {
        context_depth = 0;
        check_failed("more than %zu nested cases", sizeof context / sizeof context[0]);
    }
    return ++context_depth;
}

size_t check_enter_case(size_t count, const check_value *values)
{
    const size_t depth = enter();
    context[depth - 1].table = NULL;
    memcpy(context[depth - 1].values, values, count * sizeof *values);
    return depth;
}

size_t check_enter_table(const gyre_kernels *table)
{
    const size_t depth = enter();
    context[depth - 1].table = table;
    return depth;
}

void check_leave(const size_t *depth) { context_depth = *depth > 0 ? *depth - 1 : context_depth; }

static void append_context(text *t)
{
    for (size_t i = 0; i < context_depth; i++) {
        const gyre_kernels *table = context[i].table;
        append(t, "%s", i > 0 ? ", " : "");
        if (table != NULL) {
            append(t, "%s %s", gyre_isa_name(table->isa), gyre_rounding_name(table->rounding));
        } else {
            append_formatted(t, context[i].values);
        }
    }
}

int check_begin_test(void **state)
{
    (void)state;
    context_depth = 0;
    return 0;
}

int check_end_test(void **state)
{
    (void)state;
    if (context_depth > 0) {
        text t = {0};
        append_context(&t);
        print_message("# it crashed in: %s\n", t.at);
    }
    return 0;
}

/* ---- Failures ---- */

/* The path from the root of the project, whatever folder the compiler ran in. */
static const char *short_path(const char *path)
{
    const char *from = path;
    for (const char *next; (next = strstr(from + 1, "tests/")) != NULL;) {
        from = next;
    }
    return from;
}

static text begin_message(check_place place)
{
    text t = {0};
    append(&t, "%s:%d: ", short_path(place.file), place.line);
    append_context(&t);
    append(&t, "%s%s%s", context_depth > 0 ? ": " : "", place.what != NULL ? place.what : "",
           place.what != NULL ? ": " : "");
    return t;
}

static _Noreturn void end_message(check_place place, const text *t)
{
    context_depth = 0;
    print_error("%s\n", t->at);
    _fail(place.file, place.line); /* does not return, but is not declared so */
    abort();
}

void check_fail(check_place place, const char *format, ...)
{
    text t = begin_message(place);
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    append(&t, "%s", message);
    end_message(place, &t);
}

/* ---- Checks ---- */

/* -1, 0, 1; or 2 if one of them is NaN. */
static int order_of(check_value a, check_value b)
{
    if (a.kind == CHECK_POINTER || b.kind == CHECK_POINTER) {
        const uintptr_t p = (uintptr_t)a.as_pointer, q = (uintptr_t)b.as_pointer;
        return (p > q) - (p < q);
    }
    if (is_integer(a) && is_integer(b)) {
        if (is_negative(a) != is_negative(b)) {
            return is_negative(a) ? -1 : 1;
        }
        return is_negative(a) ? (a.as_signed > b.as_signed) - (a.as_signed < b.as_signed)
                              : (a.as_unsigned > b.as_unsigned) - (a.as_unsigned < b.as_unsigned);
    }
    if (a.kind == CHECK_LONG_DOUBLE || b.kind == CHECK_LONG_DOUBLE) {
        const long double x = long_double_of(a), y = long_double_of(b);
        return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    }
    const double x = double_of(a), y = double_of(b);
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
}

static bool holds(int order, const char *comparison)
{
    const bool or_equal = comparison[1] == '=';
    switch (comparison[0]) {
    case '=': return order == 0;
    case '!': return order != 0;
    case '<': return order == -1 || (or_equal && order == 0);
    default: return order == 1 || (or_equal && order == 0);
    }
}

void check_compare(check_place place, check_value got, const char *comparison, check_value wanted)
{
    if (holds(order_of(got, wanted), comparison)) {
        return;
    }
    text t = begin_message(place);
    append(&t, "got ");
    append_value(&t, got);
    append(&t, ", wanted %s ", comparison);
    append_value(&t, wanted);
    end_message(place, &t);
}

void check_difference(check_place place, check_value got, check_value wanted, check_value allowed)
{
    const long double off = fabsl(long_double_of(got) - long_double_of(wanted));
    if (off <= long_double_of(allowed)) {
        return;
    }
    text t = begin_message(place);
    append(&t, "got ");
    append_value(&t, got);
    append(&t, ", wanted ");
    append_value(&t, wanted);
    append(&t, ", off by %.3Lg, allowed %.3Lg", off, long_double_of(allowed));
    end_message(place, &t);
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* With integers: the tests set flush bits, which affect comparisons of floats. */
static bool is_nan(float x) { return (bits_of(x) & 0x7fffffff) > 0x7f800000; }

static bool same_number(check_value a, check_value b)
{
    if (a.kind == CHECK_FLOAT && b.kind == CHECK_FLOAT) {
        return bits_of(a.as_float) == bits_of(b.as_float) || (is_nan(a.as_float) && is_nan(b.as_float));
    }
    return a.kind == CHECK_DOUBLE && b.kind == CHECK_DOUBLE &&
           (memcmp(&a.as_double, &b.as_double, sizeof a.as_double) == 0 || (isnan(a.as_double) && isnan(b.as_double)));
}

void check_same_number(check_place place, check_value got, check_value wanted)
{
    if (same_number(got, wanted)) {
        return;
    }
    text t = begin_message(place);
    append(&t, "got ");
    append_value(&t, got);
    append(&t, ", wanted ");
    append_value(&t, wanted);
    append(&t, ", the same bits");
    end_message(place, &t);
}

void check_same_bits(check_place place, float got, float wanted)
{
    if (bits_of(got) != bits_of(wanted)) {
        check_fail(place, "got %#010x (%a), wanted %#010x (%a)", bits_of(got), (double)got, bits_of(wanted),
                   (double)wanted);
    }
}

static bool is_of_class(long double x, check_class_name name)
{
    switch (name) {
    case CHECK_NAN: return isnan(x);
    case CHECK_FINITE: return isfinite(x);
    case CHECK_NOT_FINITE: return !isfinite(x);
    case CHECK_NOT_SUBNORMAL: return x == 0 || !(fabsl(x) < 0x1p-126L);
    default: return x == 0 || fabsl(x) >= 0x1p-95L;
    }
}

void check_class(check_place place, check_value got, check_class_name wanted)
{
    static const char *const names[] = {"NaN", "finite", "an infinity or NaN", "no subnormal number",
                                        "0 or a magnitude of at least 2^-95"};
    if (is_of_class(long_double_of(got), wanted)) {
        return;
    }
    text t = begin_message(place);
    append(&t, "got ");
    append_value(&t, got);
    append(&t, ", wanted %s", names[wanted]);
    end_message(place, &t);
}

void check_same_status(check_place place, gyre_status got, gyre_status wanted)
{
    if (got != wanted) {
        check_fail(place, "got %s, wanted %s", gyre_status_name(got), gyre_status_name(wanted));
    }
}

void check_same_text(check_place place, const char *got, const char *wanted)
{
    if (strcmp(got, wanted) != 0) {
        check_fail(place, "got \"%s\", wanted \"%s\"", got, wanted);
    }
}

void check_same_floats(check_place place, const float *got, const float *wanted, size_t count)
{
    if (count == 0 || memcmp(got, wanted, count * sizeof *got) == 0) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (!same_number(check_float(got[i]), check_float(wanted[i]))) {
            check_fail(place, "got [%zu] = %.9g (%a), wanted %.9g (%a), the same bits", i, (double)got[i],
                       (double)got[i], (double)wanted[i], (double)wanted[i]);
        }
    }
}

void check_same_bytes(check_place place, const void *got, const void *wanted, size_t bytes)
{
    const unsigned char *a = got, *b = wanted;
    for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i]) {
            check_fail(place, "got %#04x at byte %zu of %zu, wanted %#04x", a[i], i, bytes, b[i]);
        }
    }
}

void check_worst(check_place place, worst_case *worst, double share)
{
    if (share <= worst->share) {
        return;
    }
    text t = {0};
    append_context(&t);
    snprintf(worst->which, sizeof worst->which, "%.*s", (int)sizeof worst->which - 1, t.at);
    worst->share = share;
    if (!(share <= 1)) {
        check_fail(place, "got %.3f of the allowed error, wanted at most 1", share);
    }
}

void print_worst(const char *what, const worst_case *worst)
{
    printf("# %s: worst %.3f of the bound, %s\n", what, worst->share, worst->which);
}
