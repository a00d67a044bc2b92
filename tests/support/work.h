/* Runs every kernel of kernels/list.h on a fixed stream of inputs and records the results as 32-bit words. Tests
   that compare tables, machines or floating-point environments all compare such words. */
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
    void (*run)(const gyre_kernels *table, work *answers); /* without any arithmetic of its own */
} kernel_work;

/* One entry for each row of list.h, in its order. A row without an entry here does not compile. */
extern const kernel_work kernel_works[];
extern const size_t kernel_work_count;

work work_new(void);
void work_free(work *answers);

/* FNV-1a, a byte at a time, the lowest first; and what it must be for the PORTABLE and for the FUSED results of a
   kernel, by data/result_hashes.inc: 0 where that has no line. */
uint64_t work_hash(const work *answers);
const uint64_t *work_hashes_wanted(const kernel_work *kernel);

/* The same words, and as many of them. */
#define check_same_work(got, wanted) check_work(CHECK_HERE(#got), got, wanted)
void check_work(check_place place, const work *got, const work *wanted);

#endif
