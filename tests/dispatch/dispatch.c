/* Which table is used, and that it is asked and changed safely. Linked once with each kind of library. */
#include "support/support.h"

#include <stdlib.h>

static const gyre_kernels *early_best[2];

/* As early as a constructor can: where gcc links, before that of the compiler's run-time library. */
__attribute__((constructor(101))) static void ask_early(void)
{
    for (int rounding = 0; rounding < 2; rounding++) {
        early_best[rounding] = gyre_kernels_best((gyre_rounding)rounding);
    }
}

/* Whoever asks before main gets the same answer. */
static void test_best_is_the_best_from_the_beginning(void **state)
{
    (void)state;
    for (int rounding = 0; rounding < 2; rounding++) {
        assert_ptr_equal(early_best[rounding], gyre_kernels_best((gyre_rounding)rounding));
    }
}

/* First of all tests: nobody has called gyre_use yet. */
static void test_default_is_best_portable(void **state)
{
    (void)state;
    assert_ptr_equal(gyre_in_use(), gyre_kernels_best(GYRE_ROUNDING_PORTABLE));
    assert_int_equal(gyre_kernels_rounding(gyre_in_use()), GYRE_ROUNDING_PORTABLE);
}

/* Wider than every other that runs; and the one that the test run expects where it knows: under an emulator of an old
   CPU, say. */
static void test_best_is_the_widest(void **state)
{
    (void)state;
    const gyre_isa best = gyre_kernels_isa(gyre_kernels_best(GYRE_ROUNDING_PORTABLE));
    const char *wanted = getenv("GYRE_TEST_BEST");
    printf("# best portable: %s, best fused: %s\n", gyre_isa_name(best),
           table_name(gyre_kernels_best(GYRE_ROUNDING_FUSED)));
    for (gyre_isa isa = GYRE_ISA_SCALAR; isa < GYRE_ISA_COUNT; isa++) {
        assert_true(isa <= best || gyre_kernels_for(isa, GYRE_ROUNDING_PORTABLE) == NULL);
    }
    assert_string_equal(gyre_isa_name(best), wanted != NULL ? wanted : gyre_isa_name(best));
    const char *fused = table_name(gyre_kernels_best(GYRE_ROUNDING_FUSED)),
               *wanted_fused = getenv("GYRE_TEST_BEST_FUSED");
    assert_string_equal(fused, wanted_fused != NULL ? wanted_fused : fused);
}

static void test_version(void **state)
{
    (void)state;
    char numbers[40];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", GYRE_VERSION_MAJOR, GYRE_VERSION_MINOR, GYRE_VERSION_PATCH);
    assert_string_equal(GYRE_VERSION, PROJECT_VERSION);
    assert_string_equal(numbers, PROJECT_VERSION);
    assert_string_equal(gyre_version(), PROJECT_VERSION);
}

static void test_tables_say_what_they_are(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX];
    size_t count = runnable_tables(tables);
    assert_true(count >= 1);
    for (size_t i = 0; i < count; i++) {
        gyre_isa isa = gyre_kernels_isa(tables[i]);
        gyre_rounding rounding = gyre_kernels_rounding(tables[i]);
        assert_int_equal(isa, tables[i]->isa);
        assert_int_equal(rounding, tables[i]->rounding);
        assert_ptr_equal(gyre_kernels_for(isa, rounding), tables[i]);
        for (size_t k = 0; k < i; k++) {
            assert_ptr_not_equal(tables[k], tables[i]);
        }
    }
}

static void test_scalar_is_always_there(void **state)
{
    (void)state;
    assert_non_null(gyre_kernels_for(GYRE_ISA_SCALAR, GYRE_ROUNDING_PORTABLE));
#if defined(__x86_64__)
    assert_non_null(gyre_kernels_for(GYRE_ISA_SSE2, GYRE_ROUNDING_PORTABLE));
    assert_null(gyre_kernels_for(GYRE_ISA_NEON, GYRE_ROUNDING_PORTABLE));
#elif defined(__aarch64__)
    assert_non_null(gyre_kernels_for(GYRE_ISA_NEON, GYRE_ROUNDING_PORTABLE));
    assert_non_null(gyre_kernels_for(GYRE_ISA_NEON, GYRE_ROUNDING_FUSED));
    assert_null(gyre_kernels_for(GYRE_ISA_SSE2, GYRE_ROUNDING_PORTABLE));
#endif
}

/* The compiler's own idea of this CPU, asked feature by feature. */
static void test_no_table_beyond_the_cpu(void **state)
{
    (void)state;
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2"), fma = __builtin_cpu_supports("fma");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    assert_int_equal(gyre_kernels_for(GYRE_ISA_SSE41, GYRE_ROUNDING_PORTABLE) != NULL,
                     __builtin_cpu_supports("sse4.1") != 0);
    assert_int_equal(gyre_kernels_for(GYRE_ISA_AVX2, GYRE_ROUNDING_PORTABLE) != NULL, avx2);
    assert_int_equal(gyre_kernels_for(GYRE_ISA_AVX2, GYRE_ROUNDING_FUSED) != NULL, avx2 && fma);
    assert_int_equal(gyre_kernels_for(GYRE_ISA_AVX512, GYRE_ROUNDING_PORTABLE) != NULL, avx512);
    assert_int_equal(gyre_kernels_for(GYRE_ISA_AVX512, GYRE_ROUNDING_FUSED) != NULL, avx512 && fma);
#endif
}

static void test_values_outside_the_enumerations(void **state)
{
    (void)state;
    const int bad_isas[] = {-1, GYRE_ISA_COUNT, GYRE_ISA_COUNT + 1, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < LENGTH(bad_isas); i++) {
        assert_null(gyre_kernels_for((gyre_isa)bad_isas[i], GYRE_ROUNDING_PORTABLE));
        assert_null(gyre_kernels_for((gyre_isa)bad_isas[i], GYRE_ROUNDING_FUSED));
        assert_string_equal(gyre_isa_name((gyre_isa)bad_isas[i]), "unknown");
    }
    const int bad_statuses[] = {GYRE_ERROR_VALUE - 1, GYRE_INCOMPLETE + 1, 1000, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < LENGTH(bad_statuses); i++) {
        assert_string_equal(gyre_status_name((gyre_status)bad_statuses[i]), "unknown");
    }
    const int bad_roundings[] = {-1, 2, 1000};
    for (size_t i = 0; i < LENGTH(bad_roundings); i++) {
        assert_null(gyre_kernels_for(GYRE_ISA_SCALAR, (gyre_rounding)bad_roundings[i]));
        assert_non_null(gyre_kernels_best((gyre_rounding)bad_roundings[i]));
        assert_string_equal(gyre_rounding_name((gyre_rounding)bad_roundings[i]), "unknown");
    }
}

static void test_best_is_the_last_of_its_rounding(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX], *last[2] = {NULL, NULL};
    size_t count = runnable_tables(tables);
    for (size_t i = 0; i < count; i++) {
        last[tables[i]->rounding] = tables[i];
    }
    assert_ptr_equal(gyre_kernels_best(GYRE_ROUNDING_PORTABLE), last[GYRE_ROUNDING_PORTABLE]);
    const gyre_kernels *fused = last[GYRE_ROUNDING_FUSED];
    assert_ptr_equal(gyre_kernels_best(GYRE_ROUNDING_FUSED), fused != NULL ? fused : last[GYRE_ROUNDING_PORTABLE]);
}

static void test_use(void **state)
{
    (void)state;
    const gyre_kernels *tables[TABLES_MAX], *before = gyre_in_use();
    size_t count = runnable_tables(tables);
    for (size_t i = 0; i < count; i++) {
        for (int twice = 0; twice < 2; twice++) {
            assert_int_equal(gyre_use(tables[i]), GYRE_OK);
            assert_ptr_equal(gyre_in_use(), tables[i]);
        }
        assert_int_equal(gyre_use(NULL), GYRE_ERROR_NULL);
        assert_ptr_equal(gyre_in_use(), tables[i]);
    }
    assert_int_equal(gyre_use(before), GYRE_OK);
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
    assert_int_equal(gyre_use(&spied), GYRE_OK);
    gyre_status status = gyre_spring_matrix_at((gyre_spring){1, 1}, 1, &matrix);
    assert_int_equal(gyre_use(before), GYRE_OK);
    assert_int_equal(status, GYRE_ERROR_RANGE);
    assert_int_equal(calls_of_spy, 1);
    assert_int_equal(gyre_spring_matrix_at((gyre_spring){1, 1}, 1, &matrix), GYRE_OK);
    assert_int_equal(calls_of_spy, 1);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(gyre_isa_name(GYRE_ISA_SCALAR), "scalar");
    assert_string_equal(gyre_isa_name(GYRE_ISA_SSE2), "sse2");
    assert_string_equal(gyre_isa_name(GYRE_ISA_SSE41), "sse41");
    assert_string_equal(gyre_isa_name(GYRE_ISA_AVX2), "avx2");
    assert_string_equal(gyre_isa_name(GYRE_ISA_AVX512), "avx512");
    assert_string_equal(gyre_isa_name(GYRE_ISA_NEON), "neon");
    assert_string_equal(gyre_isa_name(GYRE_ISA_WASM128), "wasm128");
    assert_string_equal(gyre_rounding_name(GYRE_ROUNDING_PORTABLE), "portable");
    assert_string_equal(gyre_rounding_name(GYRE_ROUNDING_FUSED), "fused");
    assert_string_equal(gyre_status_name(GYRE_OK), "ok");
    assert_string_equal(gyre_status_name(GYRE_ERROR_NULL), "null");
    assert_string_equal(gyre_status_name(GYRE_ERROR_RANGE), "range");
    assert_string_equal(gyre_status_name(GYRE_ERROR_VALUE), "value");
    assert_string_equal(gyre_status_name(GYRE_INCOMPLETE), "incomplete");
}

/* ---- Many threads that change the table under each other and step springs meanwhile. All tables used are portable,
   so every thread must get the bits that one thread alone gets. ThreadSanitizer watches in its build. ---- */

enum { THREADS = 8, SPRINGS = 37 };

typedef struct worker {
    unsigned index;
    size_t rounds;
    float position[SPRINGS], velocity[SPRINGS];
    bool failed;
} worker;

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
            self->failed |= gyre_use(table) != GYRE_OK;
        }
        gyre_spring_matrix matrix;
        self->failed |= gyre_in_use() == NULL || gyre_in_use()->rounding != GYRE_ROUNDING_PORTABLE;
        self->failed |= gyre_spring_matrix_at((gyre_spring){12, 0.01f}, (float)(round % 7) / 64, &matrix) != GYRE_OK;
        self->failed |= gyre_springs_step(&springs, 0, SPRINGS, &matrix) != GYRE_OK;
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
    assert_false(alone.failed);

    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].index = i;
        workers[i].rounds = rounds;
    }
    run_together(work, workers, sizeof workers[0], THREADS);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_false(workers[i].failed);
        assert_memory_equal(workers[i].position, alone.position, sizeof alone.position);
        assert_memory_equal(workers[i].velocity, alone.velocity, sizeof alone.velocity);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_is_best_portable),
        cmocka_unit_test(test_best_is_the_widest),
        cmocka_unit_test(test_best_is_the_best_from_the_beginning),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_tables_say_what_they_are),
        cmocka_unit_test(test_scalar_is_always_there),
        cmocka_unit_test(test_no_table_beyond_the_cpu),
        cmocka_unit_test(test_values_outside_the_enumerations),
        cmocka_unit_test(test_best_is_the_last_of_its_rounding),
        cmocka_unit_test(test_use),
        cmocka_unit_test(test_plain_functions_call_the_table_in_use),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("dispatch", tests, NULL, NULL);
}
