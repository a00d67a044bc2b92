/* For feenableexcept. */
#define _GNU_SOURCE

#include "support/support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t effort(size_t rounds)
{
    const char *wanted = getenv("GYRE_TEST_EFFORT");
    bool small = wanted != NULL && strcmp(wanted, "small") == 0;
    return small && rounds > 50 ? rounds / 50 : small ? 1 : rounds;
}

/* SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. */
uint64_t random_bits(random_source *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

size_t random_below(random_source *random, size_t limit) { return (size_t)((random_bits(random) >> 32) * limit >> 32); }

bool random_one_in(random_source *random, size_t odds) { return random_below(random, odds) == 0; }

float random_any_float(random_source *random) { return float_from_bits((uint32_t)random_bits(random)); }

float random_magnitude(random_source *random, int from_exp, int to_exp)
{
    int exponent = from_exp + (int)random_below(random, (size_t)(to_exp - from_exp));
    return ldexpf(1 + random_unit(random), exponent);
}

float random_signed(random_source *random, int from_exp, int to_exp)
{
    float magnitude = random_magnitude(random, from_exp, to_exp);
    return random_one_in(random, 2) ? -magnitude : magnitude;
}

float random_unit(random_source *random) { return (float)(random_bits(random) >> 40) * 0x1p-24f; }

uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float float_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool is_nan_bits(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

bool same_float(float a, float b)
{
    uint32_t a_bits = float_bits(a), b_bits = float_bits(b);
    return a_bits == b_bits || (is_nan_bits(a_bits) && is_nan_bits(b_bits));
}

bool is_subnormal(float x)
{
    uint32_t magnitude = float_bits(x) & 0x7fffffff;
    return magnitude != 0 && magnitude < 0x00800000;
}

double ulps_off(float got, long double exact)
{
    int exponent = exact == 0 ? FLT_MIN_EXP : ilogbl(exact) + 1;
    if (exponent < FLT_MIN_EXP) {
        exponent = FLT_MIN_EXP;
    }
    return (double)(fabsl((long double)got - exact) / ldexpl(1, exponent - FLT_MANT_DIG));
}

double worse_of(double worst, double error) { return isnan(worst) || error <= worst ? worst : error; }

/* clang-format off */
const float special_floats[] = {
    NAN, -NAN, INFINITY, -INFINITY, 0.0f, -0.0f,
    0x1p-149f, -0x1p-149f, 0x1.8p-140f, 0x1.fffffcp-127f, -0x1.fffffcp-127f, FLT_MIN, -FLT_MIN, 0x1.000002p-126f,
    0x1p-95f, -0x1p-95f, 0x1.fffffep-96f, -0x1.fffffep-96f, 0x1p-64f, 0x1p-24f, 0x1p-23f, 0x1.fffffep-2f,
    0.5f, -0.5f, 0x1.000002p-1f, 1.0f, -1.0f, 0x1.fffffep-1f, 0x1.000002p0f, 1.5f, -1.5f, 2.0f, 2.5f, -2.5f, 3.5f,
    0x1.921fb6p0f, 0x1.921fb6p1f, -0x1.921fb6p2f, 0x1.62e430p-1f, 100.25f, -87.5f, 88.75f, -103.5f,
    0x1.fffffcp21f, 0x1.fffffep22f, -0x1.fffffep22f, 0x1p23f, -0x1p23f, 0x1.000002p23f, 0x1p24f, 0x1.000002p24f,
    0x1.fffffep30f, 0x1p31f, -0x1p31f, 0x1p32f, 0x1p63f, -0x1p64f, 0x1p126f, 0x1p127f, FLT_MAX, -FLT_MAX,
};
/* clang-format on */
const size_t special_float_count = LENGTH(special_floats);

size_t runnable_tables(const gyre_kernels *tables[TABLES_MAX])
{
    size_t count = 0;
    for (int isa = 0; isa < GYRE_ISA_COUNT; isa++) {
        for (int rounding = GYRE_ROUNDING_PORTABLE; rounding <= GYRE_ROUNDING_FUSED; rounding++) {
            const gyre_kernels *table = gyre_kernels_for((gyre_isa)isa, (gyre_rounding)rounding);
            if (table != NULL) {
                tables[count++] = table;
            }
        }
    }
    return count;
}

size_t tested_tables(const gyre_kernels *tables[TABLES_MAX])
{
    const char *wanted = getenv("GYRE_TEST_ISA");
    size_t runnable = runnable_tables(tables), count = 0;
    for (size_t i = 0; i < runnable; i++) {
        if (wanted == NULL || strcmp(gyre_isa_name(tables[i]->isa), wanted) == 0) {
            tables[count++] = tables[i];
        }
    }
    check(count, >, 0);
    return count;
}

const char *table_name(const gyre_kernels *table)
{
    static char names[GYRE_ISA_COUNT][2][32];
    char *name = names[table->isa][table->rounding];
    snprintf(name, sizeof names[0][0], "%s %s", gyre_isa_name(table->isa), gyre_rounding_name(table->rounding));
    return name;
}

size_t best_tables(const gyre_kernels *tables[2])
{
    tables[0] = gyre_kernels_best(GYRE_ROUNDING_PORTABLE);
    tables[1] = gyre_kernels_best(GYRE_ROUNDING_FUSED);
    return tables[1]->rounding == GYRE_ROUNDING_FUSED ? 2 : 1;
}

table_loop loop_over_tables(void)
{
    table_loop loop = {.next = 0};
    loop.count = tested_tables(loop.tables);
    return loop;
}

table_loop loop_over_best_tables(void)
{
    table_loop loop = {.next = 0};
    loop.count = best_tables(loop.tables);
    return loop;
}

const gyre_kernels *next_table(table_loop *loop)
{
    end_tables(loop);
    if (loop->next == loop->count) {
        return NULL;
    }
    loop->depth = check_enter_table(loop->tables[loop->next]);
    return loop->tables[loop->next++];
}

void end_tables(table_loop *loop)
{
    check_leave(&loop->depth);
    loop->depth = 0;
}

#if defined(__x86_64__) || defined(__i386__)

#include <xmmintrin.h>

enum { MXCSR_FLAGS = 0x3f, MXCSR_DAZ = 1 << 6, MXCSR_MASKS = 0x3f << 7, MXCSR_ROUNDING = 1 << 13, MXCSR_FTZ = 1 << 15 };

fp_control fp_control_read(void) { return _mm_getcsr() & ~(unsigned)MXCSR_FLAGS; }

void fp_control_write(fp_control control) { _mm_setcsr((unsigned)control); }

fp_control fp_control_without_traps(fp_control control) { return control | MXCSR_MASKS; }

const bool fp_control_has_flush_bits = true;

size_t fp_controls(const fp_control **controls)
{
    static fp_control all[4 * 2 * 2 * 2];
    size_t count = 0;
    for (unsigned choice = 0; choice < LENGTH(all); choice++) {
        all[count++] = ((choice & 3) * MXCSR_ROUNDING) | (choice & 4 ? MXCSR_DAZ : 0) | (choice & 8 ? MXCSR_FTZ : 0) |
                       (choice & 16 ? 0 : MXCSR_MASKS);
    }
    *controls = all;
    return count;
}

#elif defined(__aarch64__)

enum { FPCR_TRAPS = 0x9f00, FPCR_ROUNDING = 1 << 22, FPCR_FLUSH = 1 << 24, FPCR_DEFAULT_NAN = 1 << 25 };

fp_control fp_control_read(void)
{
    uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}

void fp_control_write(fp_control control)
{
    __asm__ volatile("msr fpsr, xzr\n\tmsr fpcr, %0" : : "r"(control) : "memory");
}

fp_control fp_control_without_traps(fp_control control) { return control & ~(fp_control)FPCR_TRAPS; }

const bool fp_control_has_flush_bits = true;

/* A CPU without traps reads their bits as 0. */
size_t fp_controls(const fp_control **controls)
{
    static fp_control all[4 * 2 * 2 * 2];
    size_t count = 0;
    for (unsigned choice = 0; choice < LENGTH(all); choice++) {
        all[count++] = ((choice & 3) * FPCR_ROUNDING) | (choice & 4 ? FPCR_FLUSH : 0) |
                       (choice & 8 ? FPCR_DEFAULT_NAN : 0) | (choice & 16 ? FPCR_TRAPS : 0);
    }
    *controls = all;
    return count;
}

#elif defined(__arm__) && defined(__ARM_FP)

enum { FPSCR_MODES = 0x07ff9f00, FPSCR_ROUNDING = 1 << 22, FPSCR_FLUSH = 1 << 24, FPSCR_DEFAULT_NAN = 1 << 25 };

fp_control fp_control_read(void)
{
    uint32_t control;
    __asm__ volatile("vmrs %0, fpscr" : "=r"(control));
    return control & FPSCR_MODES;
}

void fp_control_write(fp_control control) { __asm__ volatile("vmsr fpscr, %0" : : "r"((uint32_t)control) : "memory"); }

fp_control fp_control_without_traps(fp_control control) { return control; } /* none of fp_controls has traps */

const bool fp_control_has_flush_bits = true;

size_t fp_controls(const fp_control **controls)
{
    static fp_control all[4 * 2 * 2];
    for (unsigned choice = 0; choice < LENGTH(all); choice++) {
        all[choice] =
            ((choice & 3) * FPSCR_ROUNDING) | (choice & 4 ? FPSCR_FLUSH : 0) | (choice & 8 ? FPSCR_DEFAULT_NAN : 0);
    }
    *controls = all;
    return LENGTH(all);
}

#elif defined(__wasm__) /* has no modes and no traps */

fp_control fp_control_read(void) { return 0; }

void fp_control_write(fp_control control) { (void)control; }

fp_control fp_control_without_traps(fp_control control) { return control; }

const bool fp_control_has_flush_bits = false;

size_t fp_controls(const fp_control **controls)
{
    static const fp_control only[] = {0};
    *controls = only;
    return LENGTH(only);
}

#else

#include <fenv.h>

enum { TRAPS_SHIFT = 32 };

fp_control fp_control_read(void) { return (fp_control)fegetexcept() << TRAPS_SHIFT | (unsigned)fegetround(); }

void fp_control_write(fp_control control)
{
    feclearexcept(FE_ALL_EXCEPT);
    fedisableexcept(FE_ALL_EXCEPT);
    fesetround((int)(uint32_t)control);
    feenableexcept((int)(control >> TRAPS_SHIFT));
}

fp_control fp_control_without_traps(fp_control control) { return (uint32_t)control; }

const bool fp_control_has_flush_bits = false;

/* A CPU without traps reads them as 0. */
size_t fp_controls(const fp_control **controls)
{
    static const int roundings[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    static fp_control all[4 * 2];
    for (unsigned choice = 0; choice < LENGTH(all); choice++) {
        all[choice] = (unsigned)roundings[choice & 3] | (choice & 4 ? (fp_control)FE_ALL_EXCEPT << TRAPS_SHIFT : 0);
    }
    *controls = all;
    return LENGTH(all);
}

#endif
