/* See simd/ops.h. The build defines GYRE_ISA, GYRE_ROUNDING, GYRE_LANES, GYRE_FUSED and VF_OPS, the symbol of the
   table. */
#include "simd/ops.h"

#include "common/bounds-inl.h"
#include "simd/loops/ranges-inl.h"
#include "simd/loops/runs-inl.h"
#include "simd/loops/sums-inl.h"
#include "simd/vfd-inl.h"
#include "simd/vw-inl.h"

static vi load_integers(const int32_t *p)
{
    float lanes[GYRE_LANES];
    memcpy(lanes, p, sizeof lanes);
    return vf_bits(vf_load(lanes));
}

static void store_integers(int32_t *p, vi a)
{
    float lanes[GYRE_LANES];
    vf_store(lanes, vf_from_bits(a));
    memcpy(p, lanes, sizeof lanes);
}

#define EACH_VECTOR for (size_t i = 0; i < count; i += VF_LANES)

#define UNARY(name)                                                                                                    \
    static void array_vf_##name(const float *a, float *out, size_t count)                                              \
    {                                                                                                                  \
        EACH_VECTOR vf_store(out + i, vf_##name(vf_load(a + i)));                                                      \
    }
VF_UNARY(UNARY)

#define BINARY(name)                                                                                                   \
    static void array_vf_##name(const float *a, const float *b, float *out, size_t count)                              \
    {                                                                                                                  \
        EACH_VECTOR vf_store(out + i, vf_##name(vf_load(a + i), vf_load(b + i)));                                      \
    }
VF_BINARY(BINARY)

#define TERNARY(name)                                                                                                  \
    static void array_vf_##name(const float *a, const float *b, const float *c, float *out, size_t count)              \
    {                                                                                                                  \
        EACH_VECTOR vf_store(out + i, vf_##name(vf_load(a + i), vf_load(b + i), vf_load(c + i)));                      \
    }
VF_TERNARY(TERNARY)

#define COMPARE(name)                                                                                                  \
    static void array_vf_##name(const float *a, const float *b, uint8_t *out, size_t count)                            \
    {                                                                                                                  \
        EACH_VECTOR vm_store_bytes(out + i, vf_##name(vf_load(a + i), vf_load(b + i)));                                \
    }
VF_COMPARE(COMPARE)

#define INTEGER(name)                                                                                                  \
    static void array_vi_##name(const int32_t *a, const int32_t *b, int32_t *out, size_t count)                        \
    {                                                                                                                  \
        EACH_VECTOR store_integers(out + i, vi_##name(load_integers(a + i), load_integers(b + i)));                    \
    }
VI_BINARY(INTEGER)

#define SHIFT(name, bits)                                                                                              \
    static void array_vi_##name##_##bits(const int32_t *a, int32_t *out, size_t count)                                 \
    {                                                                                                                  \
        EACH_VECTOR store_integers(out + i, vi_##name(load_integers(a + i), bits));                                    \
    }
VI_SHIFT(SHIFT)

static vd load_doubles(const double *p)
{
    vd a;
    memcpy(&a, p, sizeof a);
    return a;
}

static void store_doubles(double *p, vd a) { memcpy(p, &a, sizeof a); }

#define EACH_HALF for (size_t i = 0; i < count; i += VD_LANES)

#define DOUBLES(name)                                                                                                  \
    static void array_vd_##name(const double *a, const double *b, double *out, size_t count)                           \
    {                                                                                                                  \
        EACH_HALF store_doubles(out + i, vd_##name(load_doubles(a + i), load_doubles(b + i)));                         \
    }
VD_BINARY(DOUBLES)
#undef DOUBLES

#define DOUBLES(name)                                                                                                  \
    static void array_vd_##name(const double *a, const double *b, const double *c, double *out, size_t count)          \
    {                                                                                                                  \
        EACH_HALF store_doubles(out + i, vd_##name(load_doubles(a + i), load_doubles(b + i), load_doubles(c + i)));    \
    }
VD_TERNARY(DOUBLES)

static void array_vd_rounded_to_float(const double *a, double *out, size_t count)
{
    EACH_HALF store_doubles(out + i, vd_rounded_to_float(load_doubles(a + i)));
}

static void array_vd_abs(const double *a, double *out, size_t count)
{
    EACH_HALF store_doubles(out + i, vd_abs(load_doubles(a + i)));
}

static void array_vd_round(const double *a, double *out, size_t count)
{
    EACH_HALF store_doubles(out + i, vd_round(load_doubles(a + i)));
}

static void array_vd_zero_where_le(const double *a, const double *b, const double *c, double *out, size_t count)
{
    EACH_HALF
    {
        const vdm m = vd_le(load_doubles(a + i), load_doubles(b + i));
        store_doubles(out + i, vd_zero_where(m, load_doubles(c + i)));
    }
}

static void array_vd_from_half(const float *a, double *out, size_t count)
{
    for (size_t i = 0; i < count; i += VF_LANES) {
        store_doubles(out + i, vd_from_half(vf_load(a + i), 0));
        store_doubles(out + i + VD_LANES, vd_from_half(vf_load(a + i), 1));
    }
}

static void array_vd_from_sum(const float *a, const float *b, double *out, size_t count)
{
    for (size_t i = 0; i < count; i += VF_LANES) {
        store_doubles(out + i, vd_from_sum(vf_load(a + i), vf_load(b + i), 0));
        store_doubles(out + i + VD_LANES, vd_from_sum(vf_load(a + i), vf_load(b + i), 1));
    }
}

static void array_vd_to_sum(const double *a, float *high, float *low, size_t count)
{
    for (size_t i = 0; i < count; i += VF_LANES) {
        vf sum[2];
        vd_to_sum(vd_load_doubles(a + i), vd_load_doubles(a + i + VD_LANES), &sum[0], &sum[1]);
        vf_store(high + i, sum[0]);
        vf_store(low + i, sum[1]);
    }
}

static void array_vd_from_floats(const float *a, double *out, size_t count)
{
    EACH_HALF store_doubles(out + i, vd_from_floats(a + i));
}

static void array_vd_to_floats(const double *a, float *out, size_t count)
{
    EACH_HALF vd_to_floats(out + i, load_doubles(a + i));
}

static void array_vi_disjoint(const int32_t *a, const int32_t *b, uint8_t *out, size_t count)
{
    EACH_VECTOR vm_store_bytes(out + i, vi_disjoint(load_integers(a + i), load_integers(b + i)));
}

static void array_vi_eq(const int32_t *a, const int32_t *b, uint8_t *out, size_t count)
{
    EACH_VECTOR vm_store_bytes(out + i, vi_eq(load_integers(a + i), load_integers(b + i)));
}

static void array_vi_to_vf(const int32_t *a, float *out, size_t count)
{
    EACH_VECTOR vf_store(out + i, vi_to_vf(load_integers(a + i)));
}

static void array_vf_scale(const float *a, const float *n, float *out, size_t count)
{
    EACH_VECTOR vf_store(out + i, vf_scale(vf_load(a + i), vf_power(vf_add(vf_load(n + i), vf_set1(VF_ROUNDER)))));
}

static void array_vf_scale_normal(const float *a, const float *n, float *out, size_t count)
{
    EACH_VECTOR vf_store(out + i,
                         vf_scale_normal(vf_load(a + i), vf_power(vf_add(vf_load(n + i), vf_set1(VF_ROUNDER)))));
}

static vm less(const float *a, const float *b) { return vf_lt(vf_load(a), vf_load(b)); }

static void array_vm_and(const float *a, const float *b, const float *c, uint8_t *out, size_t count)
{
    EACH_VECTOR vm_store_bytes(out + i, vm_and(less(a + i, b + i), less(b + i, c + i)));
}

static void array_vm_or(const float *a, const float *b, const float *c, uint8_t *out, size_t count)
{
    EACH_VECTOR vm_store_bytes(out + i, vm_or(less(a + i, b + i), less(b + i, c + i)));
}

static void array_vm_not(const float *a, const float *b, uint8_t *out, size_t count)
{
    EACH_VECTOR vm_store_bytes(out + i, vm_not(less(a + i, b + i)));
}

static bool array_vm_any(const float *a, const float *b) { return vm_any(less(a, b)); }

static bool array_vm_all(const float *a, const float *b) { return vm_all(less(a, b)); }

static unsigned array_vm_count(const float *a, const float *b) { return vm_count(less(a, b)); }

static unsigned array_vm_first(size_t n) { return vm_bits(vm_first(n)); }

static float array_vf_largest_lane(const float *a) { return vf_largest_lane(vf_load(a)); }

static unsigned array_vm_bits(const float *a, const float *b) { return vm_bits(less(a, b)); }

static void array_vf_select(const float *a, const float *b, const float *c, float *out, size_t count)
{
    EACH_VECTOR vf_store(out + i, vf_select(less(a + i, b + i), vf_load(a + i), vf_load(c + i)));
}

static void array_vf_zero_where(const float *a, const float *b, const float *c, float *out, size_t count)
{
    EACH_VECTOR vf_store(out + i, vf_zero_where(less(a + i, b + i), vf_load(c + i)));
}

static void array_vf_load_n(const float *from, size_t n, float *out) { vf_store(out, vf_load_n(from, n)); }

static void array_vf_store_n(float *to, const float *from, size_t n) { vf_store_n(to, vf_load(from), n); }

static void array_vm_store_bytes_n(uint8_t *to, const float *a, const float *b, size_t n)
{
    vm_store_bytes_n(to, less(a, b), n);
}

static void array_vm_load_bytes_n(const uint8_t *from, size_t n, uint8_t *out)
{
    vm_store_bytes(out, vm_load_bytes_n(from, n));
}

static size_t array_vf_first_run(const uint8_t *flags, size_t begin, size_t end, size_t *run_end)
{
    const vf_run run = vf_first_run(flags, begin, end);
    *run_end = run.end;
    return run.begin;
}

static void array_vf_bounded_by_ends(float *const after[4], float *const before[4], const float *lower,
                                     const float *upper, float bounce, const float *rest_speed, float forward)
{
    const vf_bounded_step step = {
        {vf_load(before[0]), vf_load(before[1])}, {vf_load(after[0]), vf_load(after[1])}, vf_load(before[0])};
    const vf_position_bounds bounds = {vf_load(lower), vf_load(upper), vf_load(rest_speed), bounce};
    vm bounces;
    const vf_bounded_state end = vf_bounded_by_ends(step, bounds, vf_set1(forward), &bounces);
    vf_store(after[0], end.position);
    vf_store(after[1], end.velocity);
}

static vfd_bounded_state load_bounded_state(float *const arrays[4])
{
    return (vfd_bounded_state){vfd_load_sum_n(arrays[0], arrays[2], 0, VF_LANES),
                               vfd_load_sum_n(arrays[1], arrays[3], 0, VF_LANES)};
}

static void array_vfd_bounded_by_ends(float *const after[4], float *const before[4], const float *lower,
                                      const float *upper, float bounce, const float *rest_speed, float forward)
{
    const vfd_bounded_state old = load_bounded_state(before);
    const vfd_bounded_step step = {old, load_bounded_state(after), old.position};
    const vfd_position_bounds bounds = {vfd_load_n(lower, VF_LANES), vfd_load_n(upper, VF_LANES),
                                        vfd_load_n(rest_speed, VF_LANES), bounce};
    vm bounces;
    const vfd_bounded_state end = vfd_bounded_by_ends(step, bounds, vfd_set1(forward), &bounces);
    vfd_store_sum_n(after[0], after[2], 0, vfd_to_sum(end.position), VF_LANES);
    vfd_store_sum_n(after[1], after[3], 0, vfd_to_sum(end.velocity), VF_LANES);
}

/* The mask of comparison number `which`: lt, le, eq. */
static vm vfd_compared(int which, vfd a, vfd b)
{
    return vfd_mask_to_vm(which == 0 ? vfd_lt(a, b) : which == 1 ? vfd_le(a, b) : vfd_eq(a, b));
}

static void store_vfd(double *p, vfd a)
{
    store_doubles(p, a.part[0]);
    store_doubles(p + VD_LANES, a.part[1]);
}

static void array_vfd_compare(int which, const double *a, const double *b, uint8_t *out, size_t count)
{
    EACH_VECTOR vm_store_bytes(out + i, vfd_compared(which, vfd_load_doubles(a + i), vfd_load_doubles(b + i)));
}

static void array_vfd_select(const double *a, const double *b, double *out, size_t count)
{
    for (size_t i = 0; i < count; i += VF_LANES) {
        const vfd x = vfd_load_doubles(a + i), y = vfd_load_doubles(b + i);
        store_vfd(out + i, vfd_select(vfd_lt(x, y), x, y));
    }
}

static void array_vfd_zero_where(const double *a, const double *b, double *out, size_t count)
{
    for (size_t i = 0; i < count; i += VF_LANES) {
        const vfd x = vfd_load_doubles(a + i), y = vfd_load_doubles(b + i);
        store_vfd(out + i, vfd_zero_where(vfd_lt(x, y), x));
    }
}

static void array_vfd_copysign(const double *a, const double *b, double *out, size_t count)
{
    for (size_t i = 0; i < count; i += VF_LANES) {
        store_vfd(out + i, vfd_copysign(vfd_load_doubles(a + i), vfd_load_doubles(b + i)));
    }
}

static void array_vfd_flushed(const double *a, double *out, size_t count)
{
    for (size_t i = 0; i < count; i += VF_LANES) {
        store_vfd(out + i, vfd_flushed(vfd_load_doubles(a + i)));
    }
}

static void array_vf_store_pieces_n(float *to, size_t stride, const float *a, size_t columns)
{
    float *at[GYRE_LANES / 4];
    for (size_t piece = 0; piece < VF_LANES / 4; piece++) {
        at[piece] = (float *)(void *)((char *)to + piece * stride);
    }
    switch (columns) {
    case 1: vf_store_pieces_n(at, vf_load(a), 1); break;
    case 2: vf_store_pieces_n(at, vf_load(a), 2); break;
    case 3: vf_store_pieces_n(at, vf_load(a), 3); break;
    default: vf_store_pieces_n(at, vf_load(a), 4); break;
    }
}

static void array_vw_mul_add_low(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *out)
{
    vw_store(out, vw_mul_add_low(vw_load(a), vw_load(b), vw_load(c)));
}

static void array_vw_xor_swap_high(const uint64_t *a, const uint64_t *b, uint64_t out[3][8])
{
    vw_store(out[0], vw_xor(vw_load(a), vw_load(b)));
    vw_store(out[1], vw_swap(vw_load(a)));
    vw_store(out[2], vw_high(vw_load(a)));
}

static void array_vw_even_odd(const int32_t *a, uint64_t *even, uint64_t *odd)
{
    vw_store(even, vw_even(load_integers(a)));
    vw_store(odd, vw_odd(load_integers(a)));
}

static void array_vi_load_u16(const uint16_t *from, int32_t *out) { store_integers(out, vi_load_u16(from)); }

static uint64_t array_vi_bits_of(const uint16_t *a, const uint16_t *b, size_t k, size_t n)
{
    return vi_bits_of(vi_differ_u16(a, b), k, n);
}

static bool array_vi_chunk_is_at_most(const uint16_t *from, uint16_t most) { return vi_chunk_is_at_most(from, most); }

static void array_vf_load_rows4(const float *table, size_t stride, const uint16_t *which, float *out)
{
    vf column[4];
    vf_load_rows4(table, stride, which, column);
    for (size_t c = 0; c < 4; c++) {
        vf_store(out + c * VF_LANES, column[c]);
    }
}

static void array_vf_table4_rows(const float *rows, size_t stride, size_t count, const uint16_t *which, float *out)
{
    vf_table4 table;
    vf column[4];
    vf_table4_load(&table, rows, stride, count);
    vf_table4_rows(&table, which, column);
    for (size_t c = 0; c < 4; c++) {
        vf_store(out + c * VF_LANES, column[c]);
    }
}

static void array_vf_store_rows12_n(float *to, size_t stride, const float *columns, size_t n)
{
    vf column[12];
    for (size_t c = 0; c < 12; c++) {
        column[c] = vf_load(columns + c * VF_LANES);
    }
    vf_store_rows12_n(to, stride, column, n);
}

static void array_vf_set1(float x, float *out) { vf_store(out, vf_set1(x)); }

static float array_vf_first(const float *from) { return vf_lane_0(vf_load(from)); }

#define FLOAT_MEMBER(name) .vf_##name = array_vf_##name,
#define INTEGER_MEMBER(name) .vi_##name = array_vi_##name,
#define SHIFT_MEMBER(name, bits) .vi_##name##_##bits = array_vi_##name##_##bits,
#define DOUBLE_MEMBER(name) .vd_##name = array_vd_##name,

extern const vf_ops VF_OPS;
/* clang-format off */
const vf_ops VF_OPS = {
    .isa = GYRE_ISA,
    .rounding = GYRE_ROUNDING,
    .lanes = GYRE_LANES,
    VF_UNARY(FLOAT_MEMBER)
    VF_BINARY(FLOAT_MEMBER)
    VF_TERNARY(FLOAT_MEMBER)
    VF_COMPARE(FLOAT_MEMBER)
    VI_BINARY(INTEGER_MEMBER)
    VI_SHIFT(SHIFT_MEMBER)
    VD_BINARY(DOUBLE_MEMBER)
    VD_TERNARY(DOUBLE_MEMBER)
    .vd_rounded_to_float = array_vd_rounded_to_float,
    .vd_abs = array_vd_abs,
    .vd_round = array_vd_round,
    .vd_zero_where_le = array_vd_zero_where_le,
    .vd_from_half = array_vd_from_half,
    .vd_from_sum = array_vd_from_sum,
    .vd_to_sum = array_vd_to_sum,
    .vd_from_floats = array_vd_from_floats,
    .vd_to_floats = array_vd_to_floats,
    .vi_disjoint = array_vi_disjoint,
    .vi_eq = array_vi_eq,
    .vi_to_vf = array_vi_to_vf,
    .vf_scale = array_vf_scale,
    .vf_scale_normal = array_vf_scale_normal,
    .vm_and = array_vm_and,
    .vm_or = array_vm_or,
    .vm_not = array_vm_not,
    .vm_any = array_vm_any,
    .vm_all = array_vm_all,
    .vm_count = array_vm_count,
    .vm_first = array_vm_first,
    .vf_largest_lane = array_vf_largest_lane,
    .vm_bits = array_vm_bits,
    .vf_select = array_vf_select,
    .vf_zero_where = array_vf_zero_where,
    .vf_load_n = array_vf_load_n,
    .vf_store_n = array_vf_store_n,
    .vm_store_bytes_n = array_vm_store_bytes_n,
    .vm_load_bytes_n = array_vm_load_bytes_n,
    .vf_first_run = array_vf_first_run,
    .vf_bounded_by_ends = array_vf_bounded_by_ends,
    .vfd_bounded_by_ends = array_vfd_bounded_by_ends,
    .vfd_compare = array_vfd_compare,
    .vfd_select = array_vfd_select,
    .vfd_zero_where = array_vfd_zero_where,
    .vfd_copysign = array_vfd_copysign,
    .vfd_flushed = array_vfd_flushed,
    .vf_store_pieces_n = array_vf_store_pieces_n,
    .vw_mul_add_low = array_vw_mul_add_low,
    .vw_xor_swap_high = array_vw_xor_swap_high,
    .vw_even_odd = array_vw_even_odd,
    .vi_load_u16 = array_vi_load_u16,
    .vi_bits_of = array_vi_bits_of,
    .vi_chunk_is_at_most = array_vi_chunk_is_at_most,
    .vf_load_rows4 = array_vf_load_rows4,
    .vf_table4_rows = array_vf_table4_rows,
    .vf_store_rows12_n = array_vf_store_rows12_n,
    .block = VF_BLOCK,
    .chunk = VF_CHUNK,
    .prefetch_distance = VF_PREFETCH_DISTANCE,
    .vf_prefetch_end = vf_prefetch_end,
    .vf_set1 = array_vf_set1,
    .vf_lane_0 = array_vf_first,
};
/* clang-format on */
