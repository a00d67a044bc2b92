/* The operations of kernels/simd/vf-inl.h and simd/vd-inl.h as functions over arrays, one table of them for each kernel
   table. simd/ops.c is compiled once per table; the tests compare each function with scalar C. */
#ifndef GYRE_TESTS_VF_OPS_H
#define GYRE_TESTS_VF_OPS_H

#include <gyre/cpu.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ROW(operation). The tests need a scalar function for every row, and do not compile without it. */
#define VF_UNARY(ROW) ROW(sqrt) ROW(abs) ROW(neg) ROW(round) ROW(ceil) ROW(flushed)
#define VF_BINARY(ROW) ROW(add) ROW(sub) ROW(mul) ROW(div) ROW(min) ROW(max) ROW(copysign) ROW(xor)
#define VF_MULTIPLY_ADD(ROW) ROW(mul_add) ROW(neg_mul_add)
#define VF_TERNARY(ROW) VF_MULTIPLY_ADD(ROW) ROW(clamp)
#define VF_COMPARE(ROW) ROW(lt) ROW(le) ROW(eq)
#define VI_BINARY(ROW) ROW(add) ROW(sub) ROW(and) ROW(or) ROW(xor) ROW(max_unsigned)
#define VD_BINARY(ROW) ROW(add) ROW(sub) ROW(mul)
#define VD_TERNARY(ROW) ROW(mul_add) ROW(neg_mul_add)
#define VI_SHIFT(ROW) ROW(shl, 1) ROW(shl, 23) ROW(shl, 31) ROW(sar, 1) ROW(sar, 23) ROW(sar, 31)

/* Array functions take counts that are multiples of 16. A mask has one byte per lane, 0 or 1. */
typedef struct vf_ops {
    gyre_isa isa;
    gyre_rounding rounding;
    size_t lanes;

#define UNARY(name) void (*vf_##name)(const float *a, float *out, size_t count);
    VF_UNARY(UNARY)
#undef UNARY
#define BINARY(name) void (*vf_##name)(const float *a, const float *b, float *out, size_t count);
    VF_BINARY(BINARY)
#undef BINARY
#define TERNARY(name) void (*vf_##name)(const float *a, const float *b, const float *c, float *out, size_t count);
    VF_TERNARY(TERNARY)
#undef TERNARY
#define COMPARE(name) void (*vf_##name)(const float *a, const float *b, uint8_t *out, size_t count);
    VF_COMPARE(COMPARE)
#undef COMPARE
#define INTEGER(name) void (*vi_##name)(const int32_t *a, const int32_t *b, int32_t *out, size_t count);
    VI_BINARY(INTEGER)
#undef INTEGER
#define SHIFT(name, bits) void (*vi_##name##_##bits)(const int32_t *a, int32_t *out, size_t count);
    VI_SHIFT(SHIFT)
#undef SHIFT

#define DOUBLES(name) void (*vd_##name)(const double *a, const double *b, double *out, size_t count);
    VD_BINARY(DOUBLES)
#undef DOUBLES
#define DOUBLES(name) void (*vd_##name)(const double *a, const double *b, const double *c, double *out, size_t count);
    VD_TERNARY(DOUBLES)
#undef DOUBLES
    void (*vd_rounded_to_float)(const double *a, double *out, size_t count);
    void (*vd_abs)(const double *a, double *out, size_t count);
    void (*vd_round)(const double *a, double *out, size_t count);
    void (*vd_zero_where_le)(const double *a, const double *b, const double *c, double *out, size_t count);
    void (*vd_from_half)(const float *a, double *out, size_t count); /* both halves */
    void (*vd_from_sum)(const float *high, const float *low, double *out, size_t count);
    void (*vd_to_sum)(const double *a, float *high, float *low, size_t count);
    void (*vd_from_floats)(const float *a, double *out, size_t count);
    void (*vd_to_floats)(const double *a, float *out, size_t count);

    void (*vi_disjoint)(const int32_t *a, const int32_t *b, uint8_t *out, size_t count);
    void (*vi_eq)(const int32_t *a, const int32_t *b, uint8_t *out, size_t count);
    void (*vi_to_vf)(const int32_t *a, float *out, size_t count);
    void (*vf_scale)(const float *a, const float *n, float *out, size_t count);
    void (*vf_scale_normal)(const float *a, const float *n, float *out, size_t count);

    /* With the masks p = a < b and q = b < c: and, or, not p; and whether any or all lanes of p's first vector are
       set. */
    void (*vm_and)(const float *a, const float *b, const float *c, uint8_t *out, size_t count);
    void (*vm_or)(const float *a, const float *b, const float *c, uint8_t *out, size_t count);
    void (*vm_not)(const float *a, const float *b, uint8_t *out, size_t count);
    bool (*vm_any)(const float *a, const float *b);
    bool (*vm_all)(const float *a, const float *b);
    unsigned (*vm_count)(const float *a, const float *b);
    unsigned (*vm_first)(size_t n);                      /* its bits */
    unsigned (*vm_bits)(const float *a, const float *b); /* of p's first vector */

    /* With the mask a < b: select is a or c; zero_where is 0 or c. */
    void (*vf_select)(const float *a, const float *b, const float *c, float *out, size_t count);
    void (*vf_zero_where)(const float *a, const float *b, const float *c, float *out, size_t count);

    /* n <= lanes. load_n writes all lanes to out. */
    void (*vf_load_n)(const float *from, size_t n, float *out);
    void (*vf_store_n)(float *to, const float *from, size_t n);
    void (*vm_store_bytes_n)(uint8_t *to, const float *a, const float *b, size_t n); /* the mask a < b */
    void (*vm_load_bytes_n)(const uint8_t *from, size_t n, uint8_t *out);            /* all lanes, as bytes */
    /* Where the next run of nonzero flags begins, and its end. */
    size_t (*vf_first_run)(const uint8_t *flags, size_t begin, size_t end, size_t *run_end);
    /* Lanes of bounded_by_ends (common/bounds-inl.h): position, velocity, position_low, velocity_low, before and after
       the step. `forward` is 1 or -1. */
    void (*vf_bounded_by_ends)(float *const after[4], float *const before[4], const float *lower, const float *upper,
                               float bounce, const float *rest_speed, float forward);
    void (*vfd_bounded_by_ends)(float *const after[4], float *const before[4], const float *lower, const float *upper,
                                float bounce, const float *rest_speed, float forward);
    /* Doubles, as many as a vector has floats. Comparison 0, 1, 2: lt, le, eq. With the mask a < b: select is a or b;
       zero_where is 0 or a. */
    void (*vfd_compare)(int which, const double *a, const double *b, uint8_t *out, size_t count);
    void (*vfd_select)(const double *a, const double *b, double *out, size_t count);
    void (*vfd_zero_where)(const double *a, const double *b, double *out, size_t count);
    void (*vfd_copysign)(const double *a, const double *b, double *out, size_t count);
    void (*vfd_flushed)(const double *a, double *out, size_t count);
    void (*vi_load_u16)(const uint16_t *from, int32_t *out);
    /* For `chunk` integers: a bit for each of the pairs k..k+n-1 that differs, and whether all are at most `most`. */
    uint64_t (*vi_bits_of)(const uint16_t *a, const uint16_t *b, size_t k, size_t n);
    bool (*vi_chunk_is_at_most)(const uint16_t *from, uint16_t most);
    /* four columns of `lanes` floats */
    void (*vf_load_rows4)(const float *table, size_t stride, const uint16_t *which, float *out);
    void (*vf_table4_rows)(const float *rows, size_t stride, size_t count, const uint16_t *which, float *out);
    /* The first `columns` floats of each group of four, lane by lane, `stride` bytes apart. */
    void (*vf_store_pieces_n)(float *to, size_t stride, const float *a, size_t columns);
    /* Words of 64 bits, `lanes` / 2 of each. */
    void (*vw_mul_add_low)(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *out);
    void (*vw_xor_swap_high)(const uint64_t *a, const uint64_t *b, uint64_t out[3][8]); /* a xor b; the others of a */
    void (*vw_even_odd)(const int32_t *a, uint64_t *even, uint64_t *odd);               /* low 32 bits only */
    void (*vf_store_rows12_n)(float *to, size_t stride, const float *columns, size_t n);
    /* Constants of the loops: elements in a block, indices in a chunk, elements from a load to its prefetch. */
    size_t block, chunk, prefetch_distance;
    size_t (*vf_prefetch_end)(size_t begin, size_t end, size_t count);
    void (*vf_set1)(float x, float *out);
    float (*vf_lane_0)(const float *from);
    float (*vf_largest_lane)(const float *a);
} vf_ops;

#endif
