#ifndef GYRE_BENCH_CEILING_H
#define GYRE_BENCH_CEILING_H

#include <gyre/gyre.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays of a kernel: those that it updates, only reads, and only writes. */
enum { STREAMS_MAX = 12 };
typedef struct ceiling_streams {
    float *updated[STREAMS_MAX];
    const float *read[STREAMS_MAX];
    float *written[STREAMS_MAX];
    float *rows; /* NULL, or also written: 12 floats per element, one element after the other */
    size_t updated_count, read_count, written_count;
} ceiling_streams;

/* Independent chains of operations: enough to hide the latency of an operation, few enough for the registers of every
   table. A multiple of CHAINED_OPERATIONS is a whole number of vectors per chain for every vector width. */
enum { CHAINS = 12, CHAINED_OPERATIONS = CHAINS * 16 };

/* The ceilings of one table: the throughput of memory and the peak of the arithmetic units. */
typedef struct ceilings {
    gyre_isa isa;
    gyre_rounding rounding;
    int lanes; /* floats per vector */
    void (*streams)(const ceiling_streams *streams, size_t count);
    /* count independent operations on floats, a multiple of CHAINED_OPERATIONS; sink: room for 16 floats */
    void (*multiply_add)(float *sink, size_t count);
    void (*divide)(float *sink, size_t count);
    void (*square_root)(float *sink, size_t count);
    void (*cycles)(size_t count); /* count clock cycles, a multiple of CHAINED_OPERATIONS */
} ceilings;

#ifdef __cplusplus
}
#endif

#endif
