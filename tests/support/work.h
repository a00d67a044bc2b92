/* Runs every kernel of kernels/list.h on a fixed stream of inputs and records the results as 32-bit words. All tests
   that compare tables, machines or floating-point environments compare these words. */
#ifndef GYRE_TESTS_WORK_H
#define GYRE_TESTS_WORK_H

#include "support/support.h"

enum { WORK_WORDS_MAX = 1 << 18 };

typedef struct work {
    uint32_t *words;
    size_t count;
} work;

typedef struct kernel_work {
    const char *name;                                      /* as in list.h: "springs_step" */
    void (*inputs)(void);                                  /* makes the inputs: call it in the default environment */
    void (*run)(const gyre_kernels *table, work *answers); /* does no arithmetic of its own */
} kernel_work;

/* One entry for each row of list.h, in the same order. A row without an entry does not compile. */
extern const kernel_work kernel_works[];
extern const size_t kernel_work_count;

work work_new(void);
void work_free(work *answers);

/* FNV-1a, one byte at a time, lowest first; and its expected value for the PORTABLE and the FUSED results of a kernel,
   from data/result_hashes.inc: 0 if there is no line for it. */
uint64_t work_hash(const work *answers);
const uint64_t *work_hashes_wanted(const kernel_work *kernel);

/* Checks that there are as many words, and that they are the same. */
#define check_same_work(got, wanted) check_work(CHECK_HERE(#got), got, wanted)
void check_work(check_place place, const work *got, const work *wanted);

#endif
