/* Upper bounds of a kernel's speed: the same loads and stores without arithmetic, and the peak of the arithmetic units.
   Compiled once per table, like the kernels, so that loads and stores have the same width. */
#include "harness/ceiling.h"
#include "simd/loops/ranges-inl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes the compiler assume that the value has changed; otherwise it would remove the store. */
VF_INLINE vf as_if_changed(vf a)
{
#if defined(__x86_64__)
    __asm__ volatile("" : "+v"(a));
#elif defined(__aarch64__)
    __asm__ volatile("" : "+w"(a));
#endif
    return a;
}

/* Loads before stores and two blocks at a time, so that memory alone is the limit. */
enum { VECTORS = 2 * VF_BLOCK_VECTORS };

/* The numbers of arrays that are updated, read and written are constants in each call. */
VF_INLINE void stream(const ceiling_streams *s, size_t updated, size_t read, size_t written, size_t count)
{
    float *update[STREAMS_MAX], *write[STREAMS_MAX]; /* local copies, which a store to the arrays cannot change */
    const float *load[STREAMS_MAX];
    memcpy(update, s->updated, updated * sizeof *update);
    memcpy(write, s->written, written * sizeof *write);
    memcpy(load, s->read, read * sizeof *load);
    float *rows = s->rows;
    for (size_t i = 0; i + VECTORS * VF_LANES <= count; i += VECTORS * VF_LANES) {
        vf x[VECTORS], y[VECTORS];
        for (size_t a = 0; a < read; a++) {
            for (size_t k = 0; k < VECTORS; k++) {
                as_if_changed(vf_load(load[a] + i + k * VF_LANES));
            }
        }
        for (size_t a = 0; a < updated; a += 2) {
            const bool pair = a + 1 < updated;
            for (size_t k = 0; k < VECTORS; k++) {
                x[k] = as_if_changed(vf_load(update[a] + i + k * VF_LANES));
                if (pair) {
                    y[k] = as_if_changed(vf_load(update[a + 1] + i + k * VF_LANES));
                }
            }
            for (size_t k = 0; k < VECTORS; k++) {
                vf_store(update[a] + i + k * VF_LANES, x[k]);
                if (pair) {
                    vf_store(update[a + 1] + i + k * VF_LANES, y[k]);
                }
            }
        }
        if (written > 0) { /* otherwise a vector of ones would occupy a register */
            const vf one = as_if_changed(vf_set1(1));
            for (size_t a = 0; a < written; a++) {
                for (size_t k = 0; k < VECTORS; k++) {
                    vf_store(write[a] + i + k * VF_LANES, one);
                }
            }
        }
        if (rows != NULL) {
            const vf one = as_if_changed(vf_set1(1));
            for (size_t k = 0; k < 12 * VECTORS; k++) {
                vf_store(rows + 12 * i + k * VF_LANES, one);
            }
        }
    }
}

/* The numbers of arrays of all kernels, as constants: a loop over arrays would be slower than the kernel. */
#define PATTERNS(ROW)                                                                                                  \
    ROW(0, 1, 0)                                                                                                       \
    ROW(0, 1, 1)                                                                                                       \
    ROW(0, 1, 2)                                                                                                       \
    ROW(0, 2, 1)                                                                                                       \
    ROW(0, 3, 0)                                                                                                       \
    ROW(0, 3, 3)                                                                                                       \
    ROW(0, 3, 4)                                                                                                       \
    ROW(0, 3, 9)                                                                                                       \
    ROW(0, 4, 2)                                                                                                       \
    ROW(0, 4, 3)                                                                                                       \
    ROW(0, 7, 0)                                                                                                       \
    ROW(0, 7, 3)                                                                                                       \
    ROW(0, 7, 7)                                                                                                       \
    ROW(0, 8, 4)                                                                                                       \
    ROW(0, 9, 6)                                                                                                       \
    ROW(0, 10, 1)                                                                                                      \
    ROW(0, 10, 3)                                                                                                      \
    ROW(1, 1, 0)                                                                                                       \
    ROW(2, 0, 0)                                                                                                       \
    ROW(2, 1, 0)                                                                                                       \
    ROW(2, 2, 0)                                                                                                       \
    ROW(2, 3, 0)                                                                                                       \
    ROW(3, 10, 0)                                                                                                      \
    ROW(4, 0, 0)                                                                                                       \
    ROW(4, 1, 0)                                                                                                       \
    ROW(4, 6, 0)                                                                                                       \
    ROW(6, 0, 0)                                                                                                       \
    ROW(7, 0, 0)                                                                                                       \
    ROW(7, 4, 0)                                                                                                       \
    ROW(7, 7, 0)                                                                                                       \
    ROW(7, 8, 0)

static void streams(const ceiling_streams *s, size_t count)
{
#define STREAM_IF(updated, read, written)                                                                              \
    if (s->updated_count == updated && s->read_count == read && s->written_count == written) {                         \
        stream(s, updated, read, written, count);                                                                      \
        return;                                                                                                        \
    }
    PATTERNS(STREAM_IF)
    fprintf(stderr, "ceiling.c: PATTERNS needs the row (%zu, %zu, %zu)\n", s->updated_count, s->read_count,
            s->written_count);
    abort();
}

#define ARITHMETIC(name, operation)                                                                                    \
    static void name(float *sink, size_t count)                                                                        \
    {                                                                                                                  \
        vf x[CHAINS];                                                                                                  \
        for (size_t k = 0; k < CHAINS; k++) {                                                                          \
            x[k] = as_if_changed(vf_set1(1));                                                                          \
        }                                                                                                              \
        const vf b = as_if_changed(vf_set1(1)), c = as_if_changed(vf_set1(0));                                         \
        (void)b, (void)c;                                                                                              \
        for (size_t i = 0; i < count; i += CHAINS * VF_LANES) {                                                        \
            for (size_t k = 0; k < CHAINS; k++) {                                                                      \
                x[k] = as_if_changed(operation);                                                                       \
            }                                                                                                          \
        }                                                                                                              \
        for (size_t k = 0; k < CHAINS; k++) {                                                                          \
            vf_store(sink, x[k]);                                                                                      \
        }                                                                                                              \
    }
ARITHMETIC(multiply_add, vf_mul_add(x[k], b, c))
ARITHMETIC(divide, vf_div(x[k], b))
ARITHMETIC(square_root, vf_sqrt(x[k]))

/* Each of a chain of integer additions takes one cycle. One vector multiplication per 8 additions keeps the clock at
   the speed that wide vectors allow: an Intel Xeon slows down by 8 to 16 % for vectors of 512 bits. */
static void cycles(size_t count)
{
    vf x = as_if_changed(vf_set1(1));
    const vf one = as_if_changed(vf_set1(1));
    size_t sum = count, step = 1;
    for (size_t i = 0; i < count; i += 8) {
        for (int k = 0; k < 8; k++) { /* keeps the compiler from summing up in advance */
            __asm__ volatile("" : "+r"(sum), "+r"(step));
            sum += step;
        }
        x = as_if_changed(vf_mul(x, one));
    }
    __asm__ volatile("" : : "r"(sum));
}

extern const ceilings GYRE_CEILINGS;
const ceilings GYRE_CEILINGS = {GYRE_ISA,     GYRE_ROUNDING, GYRE_LANES,  streams,
                                multiply_add, divide,        square_root, cycles};
