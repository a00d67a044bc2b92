/* Shared by the fuzz targets: turning bytes into arguments, and checks of results. */
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

/* Takes the next bytes; zeros when they run out. */
void take(byte_source *bytes, void *to, size_t size);
uint8_t take_byte(byte_source *bytes);

/* Any float, but half of the time one of ordinary size: otherwise nearly all calls would be errors. */
float take_float(byte_source *bytes);

/* Mostly 0 or small and positive. */
float take_limit(byte_source *bytes);

/* The tables that this machine can run. */
size_t tables_here(const gyre_kernels *tables[2 * GYRE_ISA_COUNT]);

bool is_finite(float x);
bool is_limit(float x); /* finite and not negative */

/* Aborts unless `holds`, after a printf-style message that starts with the name of the current table. */
void expect(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Expects the same bits throughout, or NaN in the same places. */
void expect_floats(const char *what, const float *got, const float *wanted, size_t count);

/* Expects the same bits, including those of NaN. */
void expect_unchanged(const char *what, const void *got, const void *before, size_t bytes);

/* The table that messages name. */
extern const gyre_kernels *fuzzed_table;

#endif
