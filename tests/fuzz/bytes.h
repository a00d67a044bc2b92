/* What the fuzz targets share: bytes into arguments, and what is expected of answers. */
#ifndef GYRE_TESTS_FUZZ_BYTES_H
#define GYRE_TESTS_FUZZ_BYTES_H

#include <gyre/gyre.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct byte_source {
    const uint8_t *data;
    size_t left;
} byte_source;

/* The next bytes; zeros when there are no more. */
void take(byte_source *bytes, void *to, size_t size);
uint8_t take_byte(byte_source *bytes);

/* Any float, but half of the time one of everyday size: else nearly all calls would be errors. */
float take_float(byte_source *bytes);

/* Mostly 0 or small and positive. */
float take_limit(byte_source *bytes);

/* The tables that this machine runs. */
size_t tables_here(const gyre_kernels *tables[2 * GYRE_ISA_COUNT]);

bool is_finite(float x);
bool is_limit(float x); /* finite and not negative */

/* The same bits throughout, NaN being equal to NaN. */
bool same_floats(const float *a, const float *b, size_t count);

/* Says what was expected and aborts unless it holds. */
void expect(bool holds, const char *what);

#endif
