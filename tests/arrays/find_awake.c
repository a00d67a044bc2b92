/* gyre_find_awake: every slice of flags in every pattern, memory that faults next to them, and the last indices. */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 300 };

/* Few awake, runs of 64, or many. */
static bool is_awake(random_source *random, size_t i, size_t pattern)
{
    return pattern == 0   ? false
           : pattern == 1 ? true
           : pattern == 2 ? random_one_in(random, 100)
           : pattern == 3 ? i / 64 % 3 == 1
                          : random_one_in(random, 2);
}

/* Flags that end where memory ends, and an index array with no more room than documented. */
static void test_slices(void **state)
{
    (void)state;
    guarded_memory flags = guarded_new(COUNT), indices = guarded_new(COUNT * sizeof(uint32_t));
    EACH_TABLE(table) {
        random_source random = {1};
        for (size_t round = 0; round < effort(20000); round++) {
            const size_t end = random_below(&random, COUNT + 1), begin = random_below(&random, end + 1);
            uint8_t *awake = flags.end - end;
            uint32_t *got = (uint32_t *)(void *)(indices.end - (end - begin) * sizeof *got);
            size_t wanted[COUNT], count = 0, found = 99999;
            CASE("elements %zu to %zu, pattern %zu", begin, end, round % 5);
            for (size_t i = 0; i < end; i++) {
                awake[i] = is_awake(&random, i, round % 5) ? (uint8_t)(1 + random_below(&random, 255)) : 0;
                if (awake[i] != 0 && i >= begin) {
                    wanted[count++] = i;
                }
            }
            check_status(table->find_awake(awake, got, &found, begin, end), GYRE_OK);
            check(found, ==, count);
            for (size_t k = 0; k < count; k++) {
                CASE("index %zu", k);
                check(got[k], ==, wanted[k]);
            }
        }
    }
    guarded_free(flags);
    guarded_free(indices);
}

/* Indices up to 2^32 - 1: the flags before the range are never read, so they need not exist. */
static void test_last_indices(void **state)
{
    (void)state;
#if SIZE_MAX > UINT32_MAX
    const size_t most = (size_t)1 << 32;
    EACH_TABLE(table) {
        uint8_t flags[100];
        memset(flags, 1, sizeof flags);
        flags[98] = 0;
        const uint8_t *awake = (const uint8_t *)((uintptr_t)flags - (most - 100)); /* the address of element 0 */
        uint32_t indices[100];
        size_t found = 0;
        check_status(table->find_awake(awake, indices, &found, most - 100, most), GYRE_OK);
        check(found, ==, 99);
        check(indices[0], ==, UINT32_MAX - 99);
        check(indices[98], ==, UINT32_MAX);
        check_status(table->find_awake(awake, indices, &found, most - 100, most + 1), GYRE_ERROR_RANGE);
        check_status(table->find_awake(awake, indices, &found, most + 1, most + 1), GYRE_ERROR_RANGE);
        check(found, ==, 99);
    }
#endif
}

static void test_bad_arguments(void **state)
{
    (void)state;
    EACH_TABLE(table) {
        const uint8_t awake = 1;
        uint32_t index = 5;
        size_t found = 5;
        check_status(table->find_awake(&awake, &index, &found, 1, 0), GYRE_ERROR_RANGE);
        check_status(table->find_awake(NULL, &index, &found, 0, 1), GYRE_ERROR_NULL);
        check_status(table->find_awake(&awake, NULL, &found, 0, 1), GYRE_ERROR_NULL);
        check_status(table->find_awake(&awake, &index, NULL, 0, 1), GYRE_ERROR_NULL);
        check_status(table->find_awake(NULL, NULL, NULL, 1, 1), GYRE_ERROR_NULL);
        check(index, ==, 5);
        check(found, ==, 5);
        check_status(table->find_awake(NULL, NULL, &found, 1, 1), GYRE_OK);
        check(found, ==, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_slices), TEST(test_last_indices), TEST(test_bad_arguments)};
    return cmocka_run_group_tests_name("arrays_find_awake", tests, NULL, NULL);
}
