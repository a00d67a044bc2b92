/* wf: two vf side by side, for kernels that wait for their own results. A body's step is one long chain of dependent
   operations; a CPU that can look some hundred instructions ahead keeps busy only if a second, independent chain is
   woven into the first. Every operation here is that of vf.h, on both. */
#ifndef GYRE_SIMD_WF_H
#define GYRE_SIMD_WF_H

#include "vf.h"
#include "vf_math.h"

typedef struct wf {
    vf a, b;
} wf;
typedef struct wi {
    vi a, b;
} wi;
typedef struct wm {
    vm a, b;
} wm;

#define WF_LANES (2 * VF_LANES)

#define WF_UNARY(name)                                                                                                 \
    VF_INLINE wf wf_##name(wf x) { return (wf){vf_##name(x.a), vf_##name(x.b)}; }
WF_UNARY(abs)
WF_UNARY(neg)
WF_UNARY(sqrt)
WF_UNARY(ceil)
WF_UNARY(flushed)
#undef WF_UNARY

#define WF_BINARY(name)                                                                                                \
    VF_INLINE wf wf_##name(wf x, wf y) { return (wf){vf_##name(x.a, y.a), vf_##name(x.b, y.b)}; }
WF_BINARY(add)
WF_BINARY(sub)
WF_BINARY(mul)
WF_BINARY(div)
WF_BINARY(min)
WF_BINARY(max)
WF_BINARY(copysign)
#undef WF_BINARY

#define WF_TERNARY(name)                                                                                               \
    VF_INLINE wf wf_##name(wf x, wf y, wf z) { return (wf){vf_##name(x.a, y.a, z.a), vf_##name(x.b, y.b, z.b)}; }
WF_TERNARY(mla)
WF_TERNARY(nmla)
#undef WF_TERNARY

#define WF_COMPARE(name)                                                                                               \
    VF_INLINE wm wf_##name(wf x, wf y) { return (wm){vf_##name(x.a, y.a), vf_##name(x.b, y.b)}; }
WF_COMPARE(lt)
WF_COMPARE(le)
WF_COMPARE(eq)
#undef WF_COMPARE

VF_INLINE wf wf_set1(float x) { return (wf){vf_set1(x), vf_set1(x)}; }
VF_INLINE wf wf_load(const float *p) { return (wf){vf_load(p), vf_load(p + VF_LANES)}; }
VF_INLINE void wf_store(float *p, wf x)
{
    vf_store(p, x.a);
    vf_store(p + VF_LANES, x.b);
}
VF_INLINE wf wf_select(wm m, wf x, wf y) { return (wf){vf_select(m.a, x.a, y.a), vf_select(m.b, x.b, y.b)}; }

VF_INLINE wm wm_and(wm x, wm y) { return (wm){vm_and(x.a, y.a), vm_and(x.b, y.b)}; }
VF_INLINE wm wm_or(wm x, wm y) { return (wm){vm_or(x.a, y.a), vm_or(x.b, y.b)}; }
VF_INLINE wm wm_not(wm x) { return (wm){vm_not(x.a), vm_not(x.b)}; }
VF_INLINE bool wm_any(wm x) { return vm_any(vm_or(x.a, x.b)); }
VF_INLINE bool wm_all(wm x) { return vm_all(vm_and(x.a, x.b)); }
VF_INLINE uint32_t wm_bits(wm x) { return vm_bits(x.a) | (uint32_t)vm_bits(x.b) << GYRE_LANES; }

/* How many lanes are set. */
VF_INLINE unsigned wm_count(wm x)
{
    uint32_t bits = wm_bits(x);
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
    return bits * 0x01010101u >> 24;
}

/* Lanes 0..n-1. */
VF_INLINE wm wm_first(size_t n)
{
    static const float lane[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    return wf_lt(wf_load(lane), wf_set1((float)n));
}

VF_INLINE wi wf_bits(wf x) { return (wi){vf_bits(x.a), vf_bits(x.b)}; }
VF_INLINE wf wf_from_bits(wi x) { return (wf){vf_from_bits(x.a), vf_from_bits(x.b)}; }
VF_INLINE wf wi_to_wf(wi x) { return (wf){vi_to_vf(x.a), vi_to_vf(x.b)}; }
VF_INLINE wi wi_set1(int32_t x) { return (wi){vi_set1(x), vi_set1(x)}; }
VF_INLINE wi wi_add(wi x, wi y) { return (wi){vi_add(x.a, y.a), vi_add(x.b, y.b)}; }
VF_INLINE wi wi_sub(wi x, wi y) { return (wi){vi_sub(x.a, y.a), vi_sub(x.b, y.b)}; }
VF_INLINE wi wi_and(wi x, wi y) { return (wi){vi_and(x.a, y.a), vi_and(x.b, y.b)}; }
VF_INLINE wi wi_xor(wi x, wi y) { return (wi){vi_xor(x.a, y.a), vi_xor(x.b, y.b)}; }
#define wi_shl(x, bits) ((wi){vi_shl((x).a, bits), vi_shl((x).b, bits)})
#define wi_sar(x, bits) ((wi){vi_sar((x).a, bits), vi_sar((x).b, bits)})

/* n <= WF_LANES lanes of memory; the lanes beyond read as 0. */
VF_INLINE wf wf_load_n(const float *p, size_t n)
{
    if (n == WF_LANES) {
        return wf_load(p);
    }
    float padded[2 * GYRE_LANES] = {0};
    memcpy(padded, p, n * sizeof *p);
    return wf_load(padded);
}

VF_INLINE void wf_store_n(float *p, wf x, size_t n)
{
    if (n == WF_LANES) {
        wf_store(p, x);
        return;
    }
    float padded[2 * GYRE_LANES];
    wf_store(padded, x);
    memcpy(p, padded, n * sizeof *p);
}

/* How many of the elements i..end-1 the next wf takes. */
VF_INLINE size_t wf_lanes_left(size_t i, size_t end) { return end - i < WF_LANES ? end - i : WF_LANES; }

/* Lane i's four floats to p + i stride bytes, for the first n lanes. */
VF_INLINE void wf_store_rows4_n(float *p, size_t stride, const wf column[4], size_t n)
{
    const vf first[4] = {column[0].a, column[1].a, column[2].a, column[3].a};
    const vf second[4] = {column[0].b, column[1].b, column[2].b, column[3].b};
    vf_store_rows4_n(p, stride, first, n < VF_LANES ? n : VF_LANES);
    if (n > VF_LANES) {
        vf_store_rows4_n((float *)(void *)((char *)p + VF_LANES * stride), stride, second, n - VF_LANES);
    }
}

/* The largest lane. None is NaN. */
VF_INLINE float wf_largest_lane(wf x)
{
    float lanes[2 * GYRE_LANES], largest;
    wf_store(lanes, x);
    largest = lanes[0];
    for (size_t k = 1; k < WF_LANES; k++) {
        largest = lanes[k] > largest ? lanes[k] : largest;
    }
    return largest;
}

VF_INLINE void wf_entire(wf s, wf *c_slope, wf *s_slope)
{
    vf_entire(s.a, &c_slope->a, &s_slope->a);
    vf_entire(s.b, &c_slope->b, &s_slope->b);
}

VF_INLINE void wf_sincos(wf x, wf *sin, wf *cos)
{
    vf_sincos(x.a, &sin->a, &cos->a);
    vf_sincos(x.b, &sin->b, &cos->b);
}

#endif
