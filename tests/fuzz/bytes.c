#include "fuzz/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void take(byte_source *bytes, void *to, size_t size)
{
    size_t taken = size < bytes->left ? size : bytes->left;
    memset(to, 0, size);
    if (taken > 0) {
        memcpy(to, bytes->data, taken);
        bytes->data += taken;
        bytes->left -= taken;
    }
}

uint8_t take_byte(byte_source *bytes)
{
    uint8_t byte;
    take(bytes, &byte, 1);
    return byte;
}

float take_float(byte_source *bytes)
{
    uint32_t bits;
    float x;
    take(bytes, &bits, sizeof bits);
    if (bits & 1) {
        bits = (bits & 0x807fffff) | (0x3c000000 + ((bits >> 4) & 0x07800000));
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

float take_limit(byte_source *bytes)
{
    float x = take_byte(bytes) % 8 == 0 ? take_float(bytes) : (float)take_byte(bytes) / 16;
    return take_byte(bytes) % 2 ? x : 0;
}

size_t tables_here(const gyre_kernels *tables[2 * GYRE_ISA_COUNT])
{
    size_t count = 0;
    for (int k = 0; k < 2 * GYRE_ISA_COUNT; k++) {
        const gyre_kernels *table = gyre_kernels_for((gyre_isa)(k / 2), (gyre_rounding)(k % 2));
        if (table != NULL) {
            tables[count++] = table;
        }
    }
    return count;
}

bool is_finite(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits & 0x7f800000) != 0x7f800000;
}

bool is_limit(float x) { return is_finite(x) && x >= 0; }

const gyre_kernels *fuzzed_table;

void expect(bool holds, const char *format, ...)
{
    if (!holds) {
        fprintf(stderr, "fuzz: %s %s: ", gyre_isa_name(fuzzed_table->isa), gyre_rounding_name(fuzzed_table->rounding));
        va_list arguments;
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fprintf(stderr, "\n");
        abort();
    }
}

void expect_floats(const char *what, const float *got, const float *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool same = memcmp(&got[i], &wanted[i], sizeof got[i]) == 0 || (got[i] != got[i] && wanted[i] != wanted[i]);
        expect(same, "%s: got [%zu] = %a, wanted %a", what, i, (double)got[i], (double)wanted[i]);
    }
}

void expect_unchanged(const char *what, const void *got, const void *before, size_t bytes)
{
    const unsigned char *a = got, *b = before;
    for (size_t i = 0; i < bytes; i++) {
        expect(a[i] == b[i], "%s: got %#x at byte %zu, wanted %#x as before", what, a[i], i, b[i]);
    }
}
