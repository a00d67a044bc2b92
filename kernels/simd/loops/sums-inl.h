/* The number type of a step (simd/real-inl.h) as stored in memory: a float, or a double as the unevaluated sum of two
   floats in two arrays, which keeps 48 of its bits. */
#ifndef GYRE_SIMD_LOOPS_SUMS_H
#define GYRE_SIMD_LOOPS_SUMS_H

#include "simd/loops/ranges-inl.h"
#include "simd/real-inl.h"

/* Floats are converted to doubles as they are loaded, which saves the CPU's shuffle unit half the work of a
   conversion. */
VF_INLINE vfd vfd_load_n(const float *p, size_t n)
{
    return n == VF_LANES ? (vfd){{vd_load_half(p, 0), vd_load_half(p, 1)}} : vfd_from_vf(vf_load_n(p, n));
}

VF_INLINE vfd vfd_load_doubles(const double *p) { return (vfd){{vd_load_doubles(p), vd_load_doubles(p + VD_LANES)}}; }

/* high + low, unevaluated; |low| is at most half an ulp of high. */
typedef struct vfd_sum {
    vf high, low;
} vfd_sum;

/* Accurate to 2^-48. Low parts are flushed like floats. */
VF_INLINE vfd_sum vfd_to_sum(vfd a)
{
    const vfd high = {{vd_rounded_to_float(a.part[0]), vd_rounded_to_float(a.part[1])}}, low = vfd_sub(a, high);
    return (vfd_sum){vf_from_halves(high.part[0], high.part[1]), vf_flushed(vf_from_halves(low.part[0], low.part[1]))};
}

VF_INLINE vfd vfd_from_sum(vfd_sum a) { return vfd_add(vfd_from_vf(a.high), vfd_from_vf(a.low)); }

VF_INLINE vfd_sum vfd_sum_select(vm m, vfd_sum a, vfd_sum b)
{
    return (vfd_sum){vf_select(m, a.high, b.high), vf_select(m, a.low, b.low)};
}

/* Whether either part compares unequal, or is NaN. */
VF_INLINE vm vfd_sum_differs(vfd_sum a, vfd_sum b)
{
    return vm_not(vm_and(vf_eq(a.high, b.high), vf_eq(a.low, b.low)));
}

/* The first n lanes of sums in two arrays, at element i: as they are, and added. */
VF_INLINE vfd_sum vfd_load_parts_n(const float *high, const float *low, size_t i, size_t n)
{
    return (vfd_sum){vf_load_n(high + i, n), vf_load_n(low + i, n)};
}
VF_INLINE vfd vfd_load_sum_n(const float *high, const float *low, size_t i, size_t n)
{
    return vfd_add(vfd_load_n(high + i, n), vfd_load_n(low + i, n));
}

/* The sum in memory from which `value` was loaded: adding its parts may have rounded. */
VF_INLINE vfd_sum vfd_sum_of_loaded(vfd value, const float *high, const float *low, size_t i, size_t n)
{
    (void)value;
    return vfd_load_parts_n(high, low, i, n);
}

VF_INLINE void vfd_store_sum_n(float *high, float *low, size_t i, vfd_sum a, size_t n)
{
    vf_store_n(high + i, a.high, n);
    vf_store_n(low + i, a.low, n);
}

#define real_sum REAL_NAMED(sum)
#define real_to_sum REAL_NAMED(to_sum)
#define real_from_sum REAL_NAMED(from_sum)
#define real_load_n REAL_NAMED(load_n)
#define real_sum_select REAL_NAMED(sum_select)
#define real_sum_differs REAL_NAMED(sum_differs)
#define real_sum_of_loaded REAL_NAMED(sum_of_loaded)
#define real_load_sum_n REAL_NAMED(load_sum_n)
#define real_store_sum_n REAL_NAMED(store_sum_n)
#define real_prefetch_sum REAL_NAMED(prefetch_sum)
#define real_set1_sum REAL_NAMED(set1_sum)
typedef vf vf_sum;
VF_INLINE vf vf_to_sum(vf a) { return a; }
VF_INLINE vf vf_from_sum(vf a) { return a; }
VF_INLINE vf vf_sum_select(vm m, vf a, vf b) { return vf_select(m, a, b); }
VF_INLINE vm vf_sum_differs(vf a, vf b) { return vm_not(vf_eq(a, b)); }
VF_INLINE vf vf_sum_of_loaded(vf value, const float *high, const float *low, size_t i, size_t n)
{
    (void)high, (void)low, (void)i, (void)n;
    return value;
}
VF_INLINE vf vf_load_sum_n(const float *high, const float *low, size_t i, size_t n)
{
    (void)low;
    return vf_load_n(high + i, n);
}
VF_INLINE void vf_store_sum_n(float *high, float *low, size_t i, vf a, size_t n)
{
    (void)low;
    vf_store_n(high + i, a, n);
}
VF_INLINE void vf_prefetch_sum(const float *high, const float *low, size_t i)
{
    (void)low;
    vf_prefetch_block(high + i);
}
VF_INLINE void vfd_prefetch_sum(const float *high, const float *low, size_t i)
{
    vf_prefetch_block(high + i);
    vf_prefetch_block(low + i);
}
VF_INLINE vf vf_set1_sum(float high, float low)
{
    (void)low;
    return vf_set1(high);
}
VF_INLINE vfd vfd_set1_sum(float high, float low) { return vfd_set1((double)high + low); }

/* ---- The arrays of a batch ----

   A kernel lists them once, ARRAYS(SUM, READ): SUM(member) for those that are read and written, with low parts in
   doubles, and READ(member, feature) for those that are read if the batch has the feature. The following macros are
   applied to such a list; they use `from`, a pointer to the arrays, `has`, the features, and the n elements at i. */
#define LOAD_SUM(member) .member = real_load_sum_n(from->member, from->member##_low, i, n),
#define LOAD_READ(member, feature)                                                                                     \
    .member = n == VF_LANES || has & (feature) ? real_load_n(from->member + i, n) : real_set1(0),

#define PREFETCH_SUM(member) real_prefetch_sum(from->member, from->member##_low, i);
#define PREFETCH_READ(member, feature)                                                                                 \
    if (has & (feature)) {                                                                                             \
        vf_prefetch_block(from->member + i);                                                                           \
    }

/* In `all`, missing arrays are replaced by positions, so that whole vectors are loaded without checks. */
#define COMPLETE_SUM(member)
#define COMPLETE_READ(member, feature) all.member = has & (feature) ? from->member : from->position;

#endif
