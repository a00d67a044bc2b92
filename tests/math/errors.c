/* The error of the elementary functions over all floats, and the same bits from every table.

   Errors are |got - exact| / ulp(exact), where ulp(exact) is the spacing of floats in the binade of the exact value,
   and 2^-149 below the normal numbers. Infinity is treated as 2^128. The exact value comes from the C library in double
   precision; glibc's exp, expm1, log, sin and cos are accurate to 1 ulp of a double, 2^-29 of the unit used here.

   GYRE_EXHAUSTIVE=1 tests every float, which takes minutes; otherwise every 127th and all floats near special
   values. */
#include "support/elementary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest error over all floats as stated in include/gyre/math.h, rounded up, by rounding of the table. The hashes
   cover the results for every HASH_STRIDE-th float, and show that every machine and compiler gives the same results as
   the one that was swept. */
typedef struct stated_function {
    double (*exact)(double);
    double largest[2];
    uint64_t hash[2];
} stated_function;

enum { HASH_STRIDE = 4099 };

static const stated_function functions[MAPS] = {
    [EXP] = {exp, {0.989, 0.892}, {0xa4193e00aa20de5d, 0x2ee6dc7a605485d8}},
    [EXPM1] = {expm1, {0.959, 0.957}, {0x1b9acdda99efac8c, 0x8772b2d834616019}},
    [LOG] = {log, {0.929, 0.983}, {0x7c700c2cb9b5e969, 0x03c1993f82d74827}},
    [SIN] = {sin, {0.979, 0.919}, {0xd5476fecc4b33894, 0x51c8553b44e248fe}},
    [COS] = {cos, {0.936, 0.930}, {0x19f944d8adb62c38, 0xe91e2a749de7731e}},
};

static const char *const rounding_names[2] = {"portable", "fused"};

/* ---- Which floats ---- */

/* A list of bit patterns, with repetitions. */
typedef struct float_list {
    uint32_t *bits;
    size_t count, capacity;
} float_list;

static void list_add(float_list *list, uint32_t bits)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 1 << 16;
        list->bits = realloc(list->bits, list->capacity * sizeof *list->bits);
        check(list->bits, !=, NULL);
    }
    list->bits[list->count++] = bits;
}

/* The floats nearest to x, of either sign, `reach` of them on each side. */
static void list_add_around(float_list *list, double x, uint32_t reach)
{
    uint32_t middle = float_bits((float)x) & 0x7fffffff;
    uint32_t from = middle > reach ? middle - reach : 0;
    for (uint32_t bits = from; bits <= middle + reach && bits <= 0x7fffffff; bits++) {
        list_add(list, bits);
        list_add(list, bits | 0x80000000);
    }
}

/* Where exponents change, ranges are reduced, results overflow or vanish, and code paths change. */
static float_list edges(void)
{
    const double ln2 = 0x1.62e42fefa39efp-1, half_pi = 0x1.921fb54442d18p0;
    float_list list = {NULL, 0, 0};
    for (size_t i = 0; i < special_float_count; i++) {
        list_add(&list, float_bits(special_floats[i]));
    }
    list_add_around(&list, 0, 1 << 14);
    list_add_around(&list, INFINITY, 64);
    for (int exponent = -149; exponent < 128; exponent++) {
        list_add_around(&list, ldexp(1, exponent), 64);
        list_add_around(&list, ldexp(sqrt(0.5), exponent), 16); /* log */
        list_add_around(&list, ldexp(half_pi, exponent), 16);
    }
    for (int k = 1; k <= 1 << 15; k++) { /* zeros and extremes of sin and cos, and where they change quadrants */
        list_add_around(&list, k * half_pi, 2);
        list_add_around(&list, (k - 0.5) * half_pi, 2);
    }
    for (int k = 0; k < 400; k++) { /* exp, expm1 */
        list_add_around(&list, 0.5 * k * ln2, 16);
    }
    list_add_around(&list, 100, 256);              /* where the reduction for arguments near 0 ends */
    list_add_around(&list, 12800, 256);            /* and that for large ones begins in portable tables */
    list_add_around(&list, 8191.5 * half_pi, 256); /* and in fused ones */
    list_add_around(&list, 8192.25 * half_pi, 256);
    return list;
}

/* Every stride-th float, then `edges`, in chunks. */
enum { CHUNK = 4096 };

static uint64_t sweep_chunks(uint64_t stride, const float_list *more)
{
    return ((((uint64_t)1 << 32) + stride - 1) / stride + more->count + CHUNK - 1) / CHUNK;
}

static size_t sweep_chunk(uint64_t stride, const float_list *more, uint64_t chunk, float *x)
{
    uint64_t regular = (((uint64_t)1 << 32) + stride - 1) / stride;
    size_t count = 0;
    for (uint64_t i = chunk * CHUNK; count < CHUNK && i < regular + more->count; i++) {
        x[count++] = float_from_bits(i < regular ? (uint32_t)(i * stride) : more->bits[i - regular]);
    }
    return count;
}

/* ---- The largest error ---- */

typedef struct sweep_result {
    double largest[2];  /* ulp, by rounding */
    float worst[2];     /* where */
    uint64_t wrong[2];  /* NaN or infinity where it should not be or the reverse, or the wrong sign of a zero */
    float wrong_at[2];  /* the last of them */
    uint64_t different; /* results of a table that differ from those of the widest table of its rounding */
    float different_at; /* the last of them */
    size_t different_table;
} sweep_result;

/* 1 / ulp(exact). */
static double ulps_per_unit(double exact)
{
    uint64_t bits;
    memcpy(&bits, &exact, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    exponent = exponent < -126 ? -126 : exponent > 127 ? 127 : exponent;
    bits = (uint64_t)(1023 + 23 - exponent) << 52;
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/* The error of `got`, or infinity if one of them is NaN or infinite and the other is not. */
static double error_of(float got, double exact)
{
    if (isnan(exact) || isnan(got)) {
        return isnan(exact) && isnan(got) ? 0 : INFINITY;
    }
    if (isinf(exact)) {
        return (double)got == exact ? 0 : INFINITY;
    }
    if (got == 0 && !signbit(got) != !signbit(exact)) {
        return INFINITY;
    }
    if (isinf(got)) {
        double beyond = copysign(0x1p128, (double)got);
        return fabs(exact) >= 0x1p128 && exact * beyond > 0 ? 0 : fabs(beyond - exact) * ulps_per_unit(exact);
    }
    return fabs((double)got - exact) * ulps_per_unit(exact);
}

/* A thread's share of a sweep: every parts-th chunk. */
typedef struct sweep_job {
    size_t function;
    uint64_t stride, part, parts;
    const float_list *more;
    sweep_result result;
    float x[CHUNK], y[2][CHUNK], other[CHUNK], unused[CHUNK];
    double exact[CHUNK];
} sweep_job;

static void *sweep_part(void *argument)
{
    sweep_job *job = argument;
    sweep_result *result = &job->result;
    const size_t function = job->function;
    float *const x = job->x, *const other = job->other;
    const gyre_kernels *tables[TABLES_MAX], *best[2];
    size_t table_count = tested_tables(tables), roundings = best_tables(best);
    uint64_t chunks = sweep_chunks(job->stride, job->more);
    for (uint64_t chunk = job->part; chunk < chunks; chunk += job->parts) {
        size_t count = sweep_chunk(job->stride, job->more, chunk, x);
        for (size_t i = 0; i < count; i++) {
            job->exact[i] = functions[function].exact((double)x[i]);
        }
        for (size_t rounding = 0; rounding < roundings; rounding++) {
            map_of(best[rounding], function)(x, job->y[rounding], count);
            for (size_t i = 0; i < count; i++) {
                double error = error_of(job->y[rounding][i], job->exact[i]);
                if (isinf(error)) {
                    result->wrong[rounding]++;
                    result->wrong_at[rounding] = x[i];
                } else if (error > result->largest[rounding]) {
                    result->largest[rounding] = error;
                    result->worst[rounding] = x[i];
                }
            }
        }
        for (size_t table = 0; table < table_count; table++) {
            const float *want = job->y[tables[table]->rounding];
            for (int with_sincos = 0; with_sincos < (function == SIN || function == COS ? 2 : 1); with_sincos++) {
                if (!with_sincos) {
                    map_of(tables[table], function)(x, other, count);
                } else {
                    tables[table]->math_sincos(x, function == SIN ? other : job->unused,
                                               function == SIN ? job->unused : other, count);
                }
                if (memcmp(other, want, count * sizeof *other) == 0) {
                    continue;
                }
                for (size_t i = 0; i < count; i++) {
                    if (!same_float(other[i], want[i])) {
                        result->different++;
                        result->different_at = x[i];
                        result->different_table = table;
                    }
                }
            }
        }
    }
    return NULL;
}

/* The whole sweep, divided among as many threads as processors. */
static sweep_result sweep(size_t function, uint64_t stride, const float_list *more)
{
    const size_t parts = processors();
    sweep_job *jobs = calloc(parts, sizeof *jobs);
    check(jobs, !=, NULL);
    for (size_t part = 0; part < parts; part++) {
        jobs[part].function = function;
        jobs[part].stride = stride;
        jobs[part].part = part;
        jobs[part].parts = parts;
        jobs[part].more = more;
    }
    run_together(sweep_part, jobs, sizeof *jobs, parts);
    sweep_result all = jobs[0].result;
    for (size_t part = 1; part < parts; part++) {
        const sweep_result *one = &jobs[part].result;
        for (size_t rounding = 0; rounding < 2; rounding++) {
            if (one->largest[rounding] > all.largest[rounding]) {
                all.largest[rounding] = one->largest[rounding];
                all.worst[rounding] = one->worst[rounding];
            }
            if (one->wrong[rounding] > 0) {
                all.wrong[rounding] += one->wrong[rounding];
                all.wrong_at[rounding] = one->wrong_at[rounding];
            }
        }
        if (one->different > 0) {
            all.different += one->different;
            all.different_at = one->different_at;
            all.different_table = one->different_table;
        }
    }
    free(jobs);
    return all;
}

static uint64_t sweep_stride(void)
{
    const char *exhaustive = getenv("GYRE_EXHAUSTIVE");
    if (exhaustive != NULL && strcmp(exhaustive, "1") == 0) {
        return 1;
    }
    return effort(50) == 50 ? 127 : 6007;
}

/* The largest error is as stated in math.h, and every table gives the same bits as the widest of its rounding. */
static void expect_stated(size_t function)
{
    const gyre_kernels *tables[TABLES_MAX], *best[2];
    tested_tables(tables);
    size_t roundings = best_tables(best);
    uint64_t stride = sweep_stride();
    float_list more = edges();
    printf("# %s, 1 of %ju floats\n", map_names[function], (uintmax_t)stride);
    sweep_result result = sweep(function, stride, &more);
    free(more.bits);

    const stated_function *stated = &functions[function];
    for (size_t rounding = 0; rounding < roundings; rounding++) {
        printf("# %s %s: largest error %.4f ulp at %a\n", map_names[function], rounding_names[rounding],
               result.largest[rounding], (double)result.worst[rounding]);
    }
    for (size_t rounding = 0; rounding < roundings; rounding++) {
        CASE("%s %s", map_names[function], rounding_names[rounding]);
        {
            CASE("results of the wrong kind, the last for %a", result.wrong_at[rounding]);
            check(result.wrong[rounding], ==, 0);
        }
        CASE("error in ulp, for %a", result.worst[rounding]);
        check(result.largest[rounding], <=, stated->largest[rounding]);
        if (stride == 1) { /* the header must not overstate the largest error by much */
            check(result.largest[rounding], >=, stated->largest[rounding] - 0.002);
        }
    }
    CASE("%s by %s: results that differ from those of the widest table, the last for %a", map_names[function],
         table_name(tables[result.different_table]), result.different_at);
    check(result.different, ==, 0);
}

static void test_exp_error(void **state)
{
    (void)state;
    expect_stated(EXP);
}

static void test_expm1_error(void **state)
{
    (void)state;
    expect_stated(EXPM1);
}

static void test_log_error(void **state)
{
    (void)state;
    expect_stated(LOG);
}

static void test_sin_error(void **state)
{
    (void)state;
    expect_stated(SIN);
}

static void test_cos_error(void **state)
{
    (void)state;
    expect_stated(COS);
}

/* Tests the measure itself. */
static void test_error_of(void **state)
{
    (void)state;
    check(error_of(1.0f, 1.0), ==, 0);
    check(error_of(1.0f, 1 + 0x1p-24), ==, 0.5);
    check(error_of(1.0f, 1 - 0x1p-25), ==, 0.5);
    check(error_of(0x1p-149f, 0x1.8p-149), ==, 0.5);
    check(error_of(0.0f, 0x1p-150), ==, 0.5);
    check(error_of(INFINITY, 0x1p128 - 0x1p103), ==, 0.5);
    check(error_of(INFINITY, 0x1p1000), ==, 0);
    check(error_of(0x1.fffffep127f, 0x1p128), ==, 1);
    check(error_of(0.0f, -0x1p-150), ==, INFINITY);
    check(error_of(-0.0f, 0.0), ==, INFINITY);
    check(error_of(NAN, 0.0), ==, INFINITY);
    check(error_of(1.0f, (double)NAN), ==, INFINITY);
    check(error_of(0x1.fffffep127f, (double)INFINITY), ==, INFINITY);
}

/* ---- The same bits everywhere ---- */

static uint64_t hash_floats(uint64_t hash, const float *y, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = float_bits(y[i]);
        bits = (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
        hash = (hash ^ bits) * 0x100000001b3; /* FNV-1a, a word at a time */
        hash ^= hash >> 32;
    }
    return hash;
}

static void test_hashes(void **state)
{
    (void)state;
    static float x[CHUNK], y[CHUNK];
    const float_list none = {NULL, 0, 0};
    size_t wrong = 0;
    EACH_TABLE(table) {
        for (size_t function = 0; function < MAPS; function++) {
            uint64_t hash = 0xcbf29ce484222325;
            for (uint64_t chunk = 0; chunk < sweep_chunks(HASH_STRIDE, &none); chunk++) {
                size_t count = sweep_chunk(HASH_STRIDE, &none, chunk, x);
                map_of(table, function)(x, y, count);
                hash = hash_floats(hash, y, count);
            }
            uint64_t want = functions[function].hash[table->rounding];
            if (hash != want) { /* print all of them, for an update */
                printf("# %s %s: hash 0x%016jx, not 0x%016jx\n", map_names[function], table_name(table),
                       (uintmax_t)hash, (uintmax_t)want);
                wrong++;
            }
        }
    }
    check(wrong, ==, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_error_of),  TEST(test_exp_error), TEST(test_expm1_error), TEST(test_log_error),
        TEST(test_sin_error), TEST(test_cos_error), TEST(test_hashes),
    };
    return cmocka_run_group_tests_name("math_errors", tests, NULL, NULL);
}
