/* Flags of awake elements, on every table, at the end of memory that faults after it. */
#include "simd/tables.h"

#include <string.h>

static void test_flags_become_a_mask(void **state)
{
    (void)state;
    const uint8_t values[16] = {0, 1, 0, 2, 255, 0, 128, 0, 0, 7, 0, 0, 64, 1, 1, 0};
    guarded_memory memory = guarded_new(1);
    EACH_OPS(ops) {
        for (size_t n = 0; n <= ops->lanes; n++) {
            uint8_t *flags = memory.end - n, mask[16];
            memcpy(flags, values, n);
            ops->vm_load_bytes_n(flags, n, mask);
            for (size_t lane = 0; lane < ops->lanes; lane++) {
                CASE("%zu flags, lane %zu", n, lane);
                check(mask[lane], ==, lane < n && values[lane] != 0);
            }
        }
    }
    guarded_free(memory);
}

enum { CHUNK = 64, MOST = 5 * CHUNK };

/* The runs of flags begin..end-1, against the flags of each chunk. */
static void check_runs(const vf_ops *ops, const uint8_t *awake, size_t begin, size_t end)
{
    bool wanted[MOST] = {false}, found[MOST] = {false};
    for (size_t i = begin; i < end; i++) {
        for (size_t j = begin + (i - begin) / CHUNK * CHUNK; j < end && j < begin + (i - begin) / CHUNK * CHUNK + CHUNK;
             j++) {
            wanted[i] = wanted[i] || awake[j] != 0;
        }
    }
    size_t i = begin, run_end;
    for (;;) {
        const size_t run = ops->vf_first_run(awake, i, end, &run_end);
        check(run, >=, i);
        check(run_end, <=, end);
        if (run == end) {
            break;
        }
        check(run_end, >, run);
        for (size_t j = run; j < run_end; j++) {
            found[j] = true;
        }
        i = run_end;
    }
    check(run_end, ==, end);
    for (size_t j = 0; j < MOST; j++) {
        CASE("flag %zu of %zu..%zu", j, begin, end);
        check(found[j], ==, wanted[j]);
    }
}

static void test_runs_are_the_chunks_with_flags(void **state)
{
    (void)state;
    guarded_memory memory = guarded_new(1);
    uint8_t *awake = memory.end - MOST;
    EACH_OPS(ops) {
        memset(awake, 0, MOST);
        check_runs(ops, awake, 0, MOST);
        for (size_t set = 0; set < MOST; set++) { /* any single flag, of any value, is found */
            awake[set] = (uint8_t)(1u << set % 8);
            check_runs(ops, awake, 0, MOST);
            check_runs(ops, awake, 37, MOST);
            check_runs(ops, awake, 0, MOST - 19);
            awake[set] = 0;
        }
        random_source random = {11};
        for (int round = 0; round < 200; round++) {
            const uint64_t density = random_bits(&random) % 5;
            for (size_t k = 0; k < MOST; k += 16) {
                memset(awake + k, random_bits(&random) % 8 < density, 16);
            }
            const size_t begin = random_bits(&random) % MOST;
            check_runs(ops, awake, begin, begin + random_bits(&random) % (MOST - begin + 1));
        }
    }
    guarded_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_flags_become_a_mask),
        TEST(test_runs_are_the_chunks_with_flags),
    };
    return cmocka_run_group_tests_name("simd_awake", tests, NULL, NULL);
}
