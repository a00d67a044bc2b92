/* Shared by the tests. Link with support.c, platform.c and the library, shared or static. */
#ifndef GYRE_TESTS_SUPPORT_H
#define GYRE_TESTS_SUPPORT_H

#include "support/check.h"
#include "support/platform.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A number of rounds, or a fiftieth of it (at least 1) with GYRE_TEST_EFFORT=small in the environment: for emulators
   and sanitizers. */
size_t effort(size_t rounds);

/* ---- Random numbers: the same on every machine, from integer arithmetic and exact scaling ---- */

typedef struct random_source {
    uint64_t state;
} random_source;

uint64_t random_bits(random_source *random);
size_t random_below(random_source *random, size_t limit);
bool random_one_in(random_source *random, size_t odds);
float random_any_float(random_source *random);                           /* any of the 2^32 */
float random_magnitude(random_source *random, int from_exp, int to_exp); /* 2^from_exp <= x < 2^to_exp, log-uniform */
float random_signed(random_source *random, int from_exp, int to_exp);    /* the same with either sign */
float random_unit(random_source *random);                                /* [0, 1), a multiple of 2^-24 */

/* ---- Floats ---- */

uint32_t float_bits(float x);
float float_from_bits(uint32_t bits);
bool same_float(float a, float b); /* the same bits, or both NaN */
bool is_subnormal(float x);

/* |got - exact| in units in the last place of a float near exact. */
double ulps_off(float got, long double exact);

/* The larger of two errors. A NaN counts as the largest; fmax would ignore it. */
double worse_of(double worst, double error);

/* NaNs, infinities, zeros, subnormals, limits, halves, powers of two, the largest integers that a float can hold. */
extern const float special_floats[];
extern const size_t special_float_count;

/* ---- Tables ---- */

enum { TABLES_MAX = 2 * GYRE_ISA_COUNT };

/* The tables that this machine can run, in the order of the enumerations. */
size_t runnable_tables(const gyre_kernels *tables[TABLES_MAX]);

/* The tables named by GYRE_TEST_ISA in the environment ("avx512"), or all if it is not set: a slow emulator leaves out
   the tables that other machines test. */
size_t tested_tables(const gyre_kernels *tables[TABLES_MAX]);

/* EACH_TABLE(table) { ... }: runs once with every tested table; EACH_BEST_TABLE: with the best of each rounding, which
   is enough for errors, because guarantees/isas.c shows that the other tables give the same bits. Checks in the loop
   name the table. */
#define EACH_TABLE(table) EACH_TABLE_OF(table, loop_over_tables())
#define EACH_BEST_TABLE(table) EACH_TABLE_OF(table, loop_over_best_tables())
#define EACH_TABLE_OF(table, loop)                                                                                     \
    __attribute__((cleanup(end_tables))) table_loop CHECK_NAME(loop_, __LINE__) = loop;                                \
    for (const gyre_kernels *table; (table = next_table(&CHECK_NAME(loop_, __LINE__))) != NULL;)

typedef struct table_loop {
    const gyre_kernels *tables[TABLES_MAX];
    size_t count, next, depth;
} table_loop;

table_loop loop_over_tables(void);
table_loop loop_over_best_tables(void);
const gyre_kernels *next_table(table_loop *loop);
void end_tables(table_loop *loop);

/* "avx2 fused" */
const char *table_name(const gyre_kernels *table);

/* The best table of each rounding: one or two, because not every CPU has a FUSED one. */
size_t best_tables(const gyre_kernels *tables[2]);

/* ---- The floating-point control word: MXCSR without its flags, FPCR, or what the C library can set ---- */

typedef uint64_t fp_control;

fp_control fp_control_read(void);
void fp_control_write(fp_control control); /* clears the sticky flags: an unmasked one would trap at once */
fp_control fp_control_without_traps(fp_control control);
extern const bool fp_control_has_flush_bits;

/* Every rounding mode with every combination of flush bits and traps. Entry 0 is the default control word. */
size_t fp_controls(const fp_control **controls);

#endif
