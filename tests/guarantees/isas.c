/* All tables of one rounding give the same bits, kernel by kernel. They are also compared with hashes, so that other
   architectures and compilers must give the same bits as the machine that made the hashes. */
#include "support/work.h"

#include <assert.h>
#include <inttypes.h>

static void test_tables_agree(void **state)
{
    const kernel_work *kernel = *state;
    const gyre_kernels *tables[TABLES_MAX], *first_table[2] = {NULL, NULL};
    size_t count = runnable_tables(tables);
    work first[2] = {work_new(), work_new()}, answers = work_new();
    kernel->inputs();
    for (size_t i = 0; i < count; i++) {
        gyre_rounding rounding = tables[i]->rounding;
        if (first_table[rounding] == NULL) {
            first_table[rounding] = tables[i];
            kernel->run(tables[i], &first[rounding]);
            CASE("%s", kernel->name);
            check(first[rounding].count, >, 1000);
            continue;
        }
        answers.count = 0;
        kernel->run(tables[i], &answers);
        CASE("%s, %s, compared with %s", table_name(tables[i]), kernel->name, table_name(first_table[rounding]));
        check_same_work(&answers, &first[rounding]);
    }
    for (int rounding = 0; rounding < 2; rounding++) {
        work_free(&first[rounding]);
    }
    work_free(&answers);
}

static void test_hashes(void **state)
{
    const kernel_work *kernel = *state;
    const gyre_kernels *best[2];
    const size_t count = best_tables(best);
    const uint64_t *wanted = work_hashes_wanted(kernel);
    uint64_t hashes[2] = {0, 0};
    bool as_expected = true;
    kernel->inputs();
    for (size_t i = 0; i < count; i++) {
        work answers = work_new();
        kernel->run(best[i], &answers);
        hashes[i] = work_hash(&answers);
        as_expected = as_expected && hashes[i] == wanted[i];
        work_free(&answers);
    }
    if (!as_expected) {
        check_failed("%s by %s and %s: got the first line, wanted the second\n"
                     "HASH(%s, 0x%016" PRIx64 ", 0x%016" PRIx64 ")\nHASH(%s, 0x%016" PRIx64 ", 0x%016" PRIx64 ")",
                     kernel->name, table_name(best[0]), table_name(best[count - 1]), kernel->name, hashes[0], hashes[1],
                     kernel->name, wanted[0], wanted[1]);
    }
}

int main(void)
{
    struct CMUnitTest tests[2 * 96];
    char names[2 * 96][64];
    size_t count = 0;
    assert(2 * kernel_work_count <= LENGTH(tests));
    for (size_t i = 0; i < kernel_work_count; i++) {
        for (int hashes = 0; hashes < 2; hashes++) {
            snprintf(names[count], sizeof names[count], "%s %s", kernel_works[i].name, hashes ? "hashes" : "tables");
            tests[count] = (struct CMUnitTest){
                .name = names[count],
                .test_func = hashes ? test_hashes : test_tables_agree,
                .initial_state = (void *)(uintptr_t)&kernel_works[i],
            };
            count++;
        }
    }
    return _cmocka_run_group_tests("guarantees_isas", tests, count, NULL, NULL);
}
