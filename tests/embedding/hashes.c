/* Checks that the kernels of all tables that this machine can run give the bits of data/result_hashes.inc. Prints each
   table and the number of its kernels, because some may be left out. */
#include "list.h"
#include "support/work.h"

#include <inttypes.h>

typedef void function(void);

static void check_table(const gyre_kernels *table, int *failed)
{
#define MEMBER(member, plain, parameters, arguments) (function *)table->member,
    function *const members[] = {GYRE_KERNELS(MEMBER)};
    int count = 0;
    for (size_t k = 0; k < kernel_work_count; k++) {
        if (members[k] == NULL) {
            continue;
        }
        work answers = work_new();
        kernel_works[k].inputs();
        kernel_works[k].run(table, &answers);
        const uint64_t got = work_hash(&answers), wanted = work_hashes_wanted(&kernel_works[k])[table->rounding];
        if (got != wanted) {
            printf("%s, %s: got 0x%016" PRIx64 ", wanted 0x%016" PRIx64 "\n", table_name(table), kernel_works[k].name,
                   got, wanted);
            *failed = 1;
        }
        work_free(&answers);
        count++;
    }
    printf("%s: %d kernels\n", table_name(table), count);
}

int main(void)
{
    const gyre_kernels *tables[TABLES_MAX];
    const size_t count = runnable_tables(tables);
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        check_table(tables[i], &failed);
    }
    return failed;
}
