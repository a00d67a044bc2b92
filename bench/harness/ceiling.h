#ifndef GYRE_BENCH_CEILING_H
#define GYRE_BENCH_CEILING_H

#include <gyre/gyre.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays that a kernel touches: those it reads and writes, those it reads, those it writes. */
enum { STREAMS_MAX = 12 };
typedef struct ceiling_streams {
    float *updated[STREAMS_MAX];
    const float *read[STREAMS_MAX];
    float *written[STREAMS_MAX];
    float *rows; /* NULL, or written as well: 12 floats an element, one element after the other */
    size_t updated_count, read_count, written_count;
} ceiling_streams;

/* Chains of operations: enough to hide any one's latency, few enough for the registers of every table. A multiple of
   the other is a whole number of vectors of every chain, however wide they are. */
enum { CHAINS = 12, CHAINED_OPERATIONS = CHAINS * 16 };

/* The ceilings of one table: what memory gives a kernel, and what the arithmetic units do at most. */
typedef struct ceilings {
    gyre_isa isa;
    gyre_rounding rounding;
    int lanes; /* floats a vector */
    void (*streams)(const ceiling_streams *streams, size_t count);
    /* so many operations on floats that wait for nothing, a multiple of CHAINED_OPERATIONS; sink: room for 16 floats */
    void (*multiply_add)(float *sink, size_t count);
    void (*divide)(float *sink, size_t count);
    void (*square_root)(float *sink, size_t count);
    void (*cycles)(size_t count); /* so many clock cycles, a multiple of CHAINED_OPERATIONS */
} ceilings;

#ifdef __cplusplus
}
#endif

#endif
