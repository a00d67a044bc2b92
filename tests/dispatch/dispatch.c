/* Which table is used, and that reading and changing it is safe. Linked once with each kind of library. */
#include "support/support.h"

#include <stdlib.h>

static const gyre_kernels *early_best[2];

/* As early as a constructor can run. */
__attribute__((constructor(101))) static void ask_early(void)
{
    for (int rounding = 0; rounding < 2; rounding++) {
        early_best[rounding] = gyre_kernels_best((gyre_rounding)rounding);
    }
}

/* The best table is the same before main. */
static void test_best_is_the_best_from_the_beginning(void **state)
{
    (void)state;
    for (int rounding = 0; rounding < 2; rounding++) {
        CASE("%s", gyre_rounding_name((gyre_rounding)rounding));
        check(early_best[rounding], ==, gyre_kernels_best((gyre_rounding)rounding));
    }
}

/* Must be the first test: nothing has called gyre_use yet. */
static void test_default_is_best_portable(void **state)
{
    (void)state;
    check(gyre_in_use(), ==, gyre_kernels_best(GYRE_ROUNDING_PORTABLE));
    check(gyre_kernels_rounding(gyre_in_use()), ==, GYRE_ROUNDING_PORTABLE);
}

/* In the order of kernels/tables.txt, narrow to wide. */
static const struct {
    gyre_isa isa;
    gyre_rounding rounding;
} built[] = {GYRE_BUILT_TABLES};

/* The best table is the last one in the list that runs, and the one that the environment names, for runs on an emulated
   CPU. */
static void test_best_is_the_last_that_runs(void **state)
{
    (void)state;
    const gyre_kernels *last[2] = {NULL, NULL};
    for (size_t i = 0; i < LENGTH(built); i++) {
        const gyre_kernels *table = gyre_kernels_for(built[i].isa, built[i].rounding);
        last[built[i].rounding] = table != NULL ? table : last[built[i].rounding];
    }
    const gyre_kernels *best = gyre_kernels_best(GYRE_ROUNDING_PORTABLE),
                       *fused = gyre_kernels_best(GYRE_ROUNDING_FUSED);
    printf("# best portable: %s, best fused: %s\n", gyre_isa_name(best->isa), table_name(fused));
    check(best, ==, last[GYRE_ROUNDING_PORTABLE]);
    check(fused, ==, last[last[GYRE_ROUNDING_FUSED] != NULL ? GYRE_ROUNDING_FUSED : GYRE_ROUNDING_PORTABLE]);
    const char *wanted = getenv("GYRE_TEST_BEST"), *wanted_fused = getenv("GYRE_TEST_BEST_FUSED");
    check_text(gyre_isa_name(best->isa), wanted != NULL ? wanted : gyre_isa_name(best->isa));
    check_text(table_name(fused), wanted_fused != NULL ? wanted_fused : table_name(fused));
}

static void test_version(void **state)
{
    (void)state;
    char numbers[40];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", GYRE_VERSION_MAJOR, GYRE_VERSION_MINOR, GYRE_VERSION_PATCH);
    check_text(GYRE_VERSION, PROJECT_VERSION);
    check_text(numbers, PROJECT_VERSION);
    check_text(gyre_version(), PROJECT_VERSION);
}

static void test_tables_say_what_they_are(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = runnable_tables(tables);
    check(count, >=, 1);
    for (size_t i = 0; i < count; i++) {
        CASE("%s", table_name(tables[i]));
        gyre_isa isa = gyre_kernels_isa(tables[i]);
        gyre_rounding rounding = gyre_kernels_rounding(tables[i]);
        check(isa, ==, tables[i]->isa);
        check(rounding, ==, tables[i]->rounding);
        check(gyre_kernels_for(isa, rounding), ==, tables[i]);
        for (size_t k = 0; k < i; k++) {
            check(tables[k], !=, tables[i]);
        }
    }
}

static bool is_built(gyre_isa isa, gyre_rounding rounding)
{
    for (size_t i = 0; i < LENGTH(built); i++) {
        if (built[i].isa == isa && built[i].rounding == rounding) {
            return true;
        }
    }
    return false;
}

/* Whether this CPU has the features that the header requires for a table, according to the compiler's run-time
   library. */
static bool cpu_runs(gyre_isa isa, gyre_rounding rounding)
{
    bool runs = isa == GYRE_ISA_SCALAR, fma = true;
#if defined(__x86_64__)
    const bool x86[GYRE_ISA_COUNT] = {
        [GYRE_ISA_SCALAR] = true,
        [GYRE_ISA_SSE2] = true,
        [GYRE_ISA_SSE41] = __builtin_cpu_supports("sse4.1"),
        [GYRE_ISA_AVX2] = __builtin_cpu_supports("avx2"),
        [GYRE_ISA_AVX512] = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"),
    };
    runs = x86[isa];
    fma = __builtin_cpu_supports("fma");
#elif defined(__aarch64__)
    runs = runs || isa == GYRE_ISA_NEON;
#elif defined(__wasm__)
    runs = runs || isa == GYRE_ISA_WASM128;
#endif
    return runs && (fma || rounding == GYRE_ROUNDING_PORTABLE);
}

/* Exactly those that were built and that the CPU can run. */
static void test_which_tables_there_are(void **state)
{
    (void)state;
    for (gyre_isa isa = GYRE_ISA_SCALAR; isa < GYRE_ISA_COUNT; isa++) {
        for (int rounding = 0; rounding < 2; rounding++) {
            CASE("%s %s", gyre_isa_name(isa), gyre_rounding_name((gyre_rounding)rounding));
            const bool wanted = is_built(isa, (gyre_rounding)rounding) && cpu_runs(isa, (gyre_rounding)rounding);
            check(gyre_kernels_for(isa, (gyre_rounding)rounding) != NULL, ==, wanted);
        }
    }
}

static void test_values_outside_the_enumerations(void **state)
{
    (void)state;
    const int bad_isas[] = {-1, GYRE_ISA_COUNT, GYRE_ISA_COUNT + 1, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < LENGTH(bad_isas); i++) {
        CASE("instruction set %d", bad_isas[i]);
        check(gyre_kernels_for((gyre_isa)bad_isas[i], GYRE_ROUNDING_PORTABLE), ==, NULL);
        check(gyre_kernels_for((gyre_isa)bad_isas[i], GYRE_ROUNDING_FUSED), ==, NULL);
        check_text(gyre_isa_name((gyre_isa)bad_isas[i]), "unknown");
    }
    const int bad_statuses[] = {GYRE_ERROR_VALUE - 1, GYRE_INCOMPLETE + 1, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < LENGTH(bad_statuses); i++) {
        CASE("status %d", bad_statuses[i]);
        check_text(gyre_status_name((gyre_status)bad_statuses[i]), "unknown");
    }
    const int bad_roundings[] = {-1, 2, 1000};
    for (size_t i = 0; i < LENGTH(bad_roundings); i++) {
        CASE("rounding %d", bad_roundings[i]);
        check(gyre_kernels_for(GYRE_ISA_SCALAR, (gyre_rounding)bad_roundings[i]), ==, NULL);
        check(gyre_kernels_best((gyre_rounding)bad_roundings[i]), !=, NULL);
        check_text(gyre_rounding_name((gyre_rounding)bad_roundings[i]), "unknown");
    }
}

static void test_use(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX], *before = gyre_in_use();
    size_t count = runnable_tables(tables);
    for (size_t i = 0; i < count; i++) {
        CASE("%s", table_name(tables[i]));
        for (int twice = 0; twice < 2; twice++) {
            check_status(gyre_use(tables[i]), GYRE_OK);
            check(gyre_in_use(), ==, tables[i]);
        }
        check_status(gyre_use(NULL), GYRE_ERROR_NULL);
        check(gyre_in_use(), ==, tables[i]);
    }
    check_status(gyre_use(before), GYRE_OK);
}

static unsigned calls_of_spy;

static gyre_status spy_matrix_at(gyre_spring spring, float dt_s, gyre_spring_matrix *out)
{
    (void)spring, (void)dt_s, (void)out;
    calls_of_spy++;
    return GYRE_ERROR_RANGE;
}

static void test_plain_functions_call_the_table_in_use(void **state)
{
    (void)state;
    const gyre_kernels *before = gyre_in_use();
    gyre_kernels spied = *before;
    spied.spring_matrix_at = spy_matrix_at;
    gyre_spring_matrix matrix;
    check_status(gyre_use(&spied), GYRE_OK);
    gyre_status status = gyre_spring_matrix_at((gyre_spring){1, 1}, 1, &matrix);
    check_status(gyre_use(before), GYRE_OK);
    check_status(status, GYRE_ERROR_RANGE);
    check(calls_of_spy, ==, 1);
    check_status(gyre_spring_matrix_at((gyre_spring){1, 1}, 1, &matrix), GYRE_OK);
    check(calls_of_spy, ==, 1);
}

static void test_names(void **state)
{
    (void)state;
    check_text(gyre_isa_name(GYRE_ISA_SCALAR), "scalar");
    check_text(gyre_isa_name(GYRE_ISA_SSE2), "sse2");
    check_text(gyre_isa_name(GYRE_ISA_SSE41), "sse41");
    check_text(gyre_isa_name(GYRE_ISA_AVX2), "avx2");
    check_text(gyre_isa_name(GYRE_ISA_AVX512), "avx512");
    check_text(gyre_isa_name(GYRE_ISA_NEON), "neon");
    check_text(gyre_isa_name(GYRE_ISA_WASM128), "wasm128");
    check_text(gyre_rounding_name(GYRE_ROUNDING_PORTABLE), "portable");
    check_text(gyre_rounding_name(GYRE_ROUNDING_FUSED), "fused");
    check_text(gyre_status_name(GYRE_OK), "ok");
    check_text(gyre_status_name(GYRE_ERROR_NULL), "null");
    check_text(gyre_status_name(GYRE_ERROR_RANGE), "range");
    check_text(gyre_status_name(GYRE_ERROR_VALUE), "value");
    check_text(gyre_status_name(GYRE_INCOMPLETE), "incomplete");
}

/* ---- Threads that change the table while others step springs. All tables used are portable, so every thread must get
   the same bits as a single thread. ThreadSanitizer checks this in its build. ---- */

enum { THREADS = 8, SPRINGS = 37 };

typedef struct worker {
    unsigned index;
    size_t rounds;
    float position[SPRINGS], velocity[SPRINGS];
    gyre_status status;  /* of the last failed call */
    size_t wrong_tables; /* how often the table in use was not one that the threads select */
} worker;

static void note(worker *self, gyre_status status) { self->status = status != GYRE_OK ? status : self->status; }

static void *work(void *argument)
{
    worker *self = argument;
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = runnable_tables(tables);
    for (size_t i = 0; i < SPRINGS; i++) {
        self->position[i] = (float)i - 17.5f;
        self->velocity[i] = (float)(i * i);
    }
    gyre_springs springs = {.count = SPRINGS, .position = self->position, .velocity = self->velocity};
    for (size_t round = 0; round < self->rounds; round++) {
        const gyre_kernels *table = tables[(round + self->index) % count];
        if (table->rounding == GYRE_ROUNDING_PORTABLE && self->index > 0) {
            note(self, gyre_use(table));
        }
        gyre_spring_matrix matrix;
        self->wrong_tables += gyre_in_use() == NULL || gyre_in_use()->rounding != GYRE_ROUNDING_PORTABLE;
        note(self, gyre_spring_matrix_at((gyre_spring){12, 0.01f}, (float)(round % 7) / 64, &matrix));
        note(self, gyre_springs_step(&springs, 0, SPRINGS, &matrix));
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    static worker alone, workers[THREADS];
    size_t rounds = effort(20000);
    alone.rounds = rounds;
    work(&alone);
    check_status(alone.status, GYRE_OK);
    check(alone.wrong_tables, ==, 0);

    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].index = i;
        workers[i].rounds = rounds;
    }
    run_together(work, workers, sizeof workers[0], THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        CASE("thread %u", i);
        check_status(workers[i].status, GYRE_OK);
        check(workers[i].wrong_tables, ==, 0);
        check_floats(workers[i].position, alone.position, SPRINGS);
        check_floats(workers[i].velocity, alone.velocity, SPRINGS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_default_is_best_portable),
        TEST(test_best_is_the_last_that_runs),
        TEST(test_best_is_the_best_from_the_beginning),
        TEST(test_version),
        TEST(test_tables_say_what_they_are),
        TEST(test_which_tables_there_are),
        TEST(test_values_outside_the_enumerations),
        TEST(test_use),
        TEST(test_plain_functions_call_the_table_in_use),
        TEST(test_names),
        TEST(test_threads),
    };
    return cmocka_run_group_tests_name("dispatch", tests, NULL, NULL);
}
