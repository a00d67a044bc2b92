/* Elementary functions over arrays: the functions of simd/vf_math-inl.h, a block of vectors at a time. */
#ifndef GYRE_MATH_MATH_H
#define GYRE_MATH_MATH_H

#include "common/kernel-inl.h"
#include "simd/vf_math-inl.h"

/* Vectors in a block, for which the first halves are all computed before the second ones: 320 arguments. Blocks of 128
   are 1 to 3 percent slower (bench/notes/math.md). math.h states 8 KiB of stack, of which a block takes 3.75 KiB and
   clang another 3.3 KiB with AVX-512. */
#define MATH_VECTORS (320 / VF_LANES)

/* With fused operations on 16 lanes, a function has so few instructions that the CPU looks ahead far enough without
   blocks, and MATH_GROUP vectors at a time stay in registers: 7 to 21 percent faster on Zen 4, 1 to 12 on Intel's. All
   other tables are slower that way, except AVX2's fused logarithm. */
#define MATH_STRAIGHT (GYRE_FUSED && GYRE_LANES == 16)
#define MATH_GROUP 4

typedef vm math_reduction(vf, vf_reduced *);

/* A function with one result or two. All members are constants where they are used, and inlined except `whole`, which
   few arguments need, so that it takes no registers from the rest. */
typedef struct math_function {
    math_reduction *reduce_near; /* fewer operations, for arguments near 0; or NULL */
    math_reduction *reduce;
    void (*finish)(const vf_reduced *, vf y[2]);
    void (*whole)(const float *x, float *const y[2], size_t vectors); /* any arguments */
    size_t results;
} math_function;

VF_INLINE void math_store(math_function f, float *const y[2], size_t i, const vf result[2])
{
    for (size_t k = 0; k < f.results; k++) {
        vf_store(y[k] + i, result[k]);
    }
}

VF_INLINE void math_whole(math_function f, const float *x, float *const y[2], size_t i, size_t vectors)
{
    f.whole(x + i, (float *[]){y[0] + i, f.results > 1 ? y[1] + i : NULL}, vectors);
}

VF_INLINE bool math_reduce_all(math_reduction *reduce, const float *x, vf_reduced *reduced, size_t vectors)
{
    vm ordinary = vm_first(VF_LANES);
    VF_EACH_VECTOR(v, vectors) {
        ordinary = vm_and(ordinary, reduce(vf_load(x + v * VF_LANES), &reduced[v]));
    }
    return vm_all(ordinary);
}

/* Computes the elements from i on, in halves. Tries reduce_near until a block has other arguments. */
VF_INLINE void math_by_halves(math_function f, bool *all_near, const float *x, float *const y[2], size_t i,
                              size_t vectors)
{
    vf_reduced reduced[MATH_VECTORS];
    *all_near = *all_near && f.reduce_near && math_reduce_all(f.reduce_near, x + i, reduced, vectors);
    if (*all_near || math_reduce_all(f.reduce, x + i, reduced, vectors)) {
        VF_EACH_VECTOR(v, vectors) {
            vf result[2];
            f.finish(&reduced[v], result);
            math_store(f, y, i + v * VF_LANES, result);
        }
    } else {
        math_whole(f, x, y, i, vectors);
    }
}

/* Computes MATH_GROUP vectors from i on, which stay in registers. */
VF_INLINE void math_group(math_function f, const float *x, float *const y[2], size_t i)
{
    vf_reduced reduced[MATH_GROUP];
    vm ordinary = vm_first(VF_LANES);
    VF_EACH_IN_REGISTERS(v, MATH_GROUP) {
        ordinary = vm_and(ordinary, f.reduce(vf_load(x + i + v * VF_LANES), &reduced[v]));
    }
    if (!vm_all(ordinary)) {
        math_whole(f, x, y, i, MATH_GROUP);
        return;
    }
    VF_EACH_IN_REGISTERS(v, MATH_GROUP) {
        vf result[2];
        f.finish(&reduced[v], result);
        math_store(f, y, i + v * VF_LANES, result);
    }
}

VF_INLINE void math_straight(math_function f, const float *x, float *const y[2], size_t i, size_t vectors)
{
    for (; vectors >= MATH_GROUP; vectors -= MATH_GROUP, i += MATH_GROUP * VF_LANES) {
        math_group(f, x, y, i);
    }
    if (vectors > 0) {
        math_whole(f, x, y, i, vectors);
    }
}

/* The results of one vector of arguments. */
typedef struct math_results {
    float y[2][GYRE_LANES];
} math_results;

VF_INLINE void math_results_of(math_function f, const float *x, math_results *to)
{
    f.whole(x, (float *[]){to->y[0], to->y[1]}, 1);
}

VF_INLINE void math_store_results(math_function f, const math_results *results, float *const y[2], size_t i, size_t n)
{
    for (size_t k = 0; k < f.results; k++) {
        vf_store_n(y[k] + i, vf_load(results->y[k]), n);
    }
}

/* y[k][i] = f(x[i]). An array of results may be x: loads come before stores. The elements before the first cache line
   and those left over at the end are in vectors that overlap others, computed before anything is stored. */
VF_INLINE gyre_status math_map(math_function f, const float *x, float *const y[2], size_t count)
{
    if (count > 0 && (!x || !y[0] || !y[f.results - 1])) {
        return GYRE_ERROR_NULL;
    }
    math_results at_begin, at_end;
    if (count < VF_LANES) {
        if (count > 0) {
            float few[GYRE_LANES];
            vf_store(few, vf_load_n(x, count));
            math_results_of(f, few, &at_begin);
            math_store_results(f, &at_begin, y, 0, count);
        }
        return GYRE_OK;
    }
    const size_t before = vf_lanes_before_line(y[0], 0, count, 2048), last = count - VF_LANES;
    const size_t left = (count - before) % VF_LANES;
    if (before > 0) {
        math_results_of(f, x, &at_begin);
    }
    if (left > 0) {
        math_results_of(f, x + last, &at_end);
    }
    bool all_near = true;
    for (size_t i = before, vectors; i < count - left; i += vectors * VF_LANES) {
        vectors = vf_staged_vectors(i, count, MATH_VECTORS);
        if (MATH_STRAIGHT) {
            math_straight(f, x, y, i, vectors);
        } else {
            math_by_halves(f, &all_near, x, y, i, vectors);
        }
    }
    if (left > 0) {
        math_store_results(f, &at_end, y, last, VF_LANES);
    }
    if (before > 0) {
        math_store_results(f, &at_begin, y, 0, VF_LANES);
    }
    return GYRE_OK;
}

#define ONE_RESULT(name)                                                                                               \
    VF_INLINE void finish_##name(const vf_reduced *x, vf y[2]) { y[0] = vf_##name##_finish(x); }                       \
    VF_RARE void whole_##name(const float *x, float *const y[2], size_t vectors)                                       \
    {                                                                                                                  \
        for (size_t v = 0; v < vectors; v++) {                                                                         \
            vf_store(y[0] + v * VF_LANES, vf_##name(vf_load(x + v * VF_LANES)));                                       \
        }                                                                                                              \
    }
ONE_RESULT(exp)
ONE_RESULT(expm1)
ONE_RESULT(log)
ONE_RESULT(sin)
ONE_RESULT(cos)

VF_INLINE void finish_sincos(const vf_reduced *x, vf y[2]) { vf_sincos_finish(x, &y[0], &y[1]); }

VF_RARE void whole_sincos(const float *x, float *const y[2], size_t vectors)
{
    for (size_t v = 0; v < vectors; v++) {
        vf sin, cos;
        vf_sincos(vf_load(x + v * VF_LANES), &sin, &cos);
        vf_store(y[0] + v * VF_LANES, sin);
        vf_store(y[1] + v * VF_LANES, cos);
    }
}

GYRE_KERNEL_FUNCTION gyre_status math_exp(const float *x, float *y, size_t count)
{
    return math_map((math_function){NULL, vf_exp_reduce, finish_exp, whole_exp, 1}, x, (float *[]){y, NULL}, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_expm1(const float *x, float *y, size_t count)
{
    return math_map((math_function){NULL, vf_expm1_reduce, finish_expm1, whole_expm1, 1}, x, (float *[]){y, NULL},
                    count);
}

GYRE_KERNEL_FUNCTION gyre_status math_log(const float *x, float *y, size_t count)
{
    return math_map((math_function){NULL, vf_log_reduce, finish_log, whole_log, 1}, x, (float *[]){y, NULL}, count);
}

#if GYRE_FUSED
#define REDUCE_NEAR_ANGLE NULL
#else
#define REDUCE_NEAR_ANGLE vf_near_angle_reduce
#endif

GYRE_KERNEL_FUNCTION gyre_status math_sin(const float *x, float *y, size_t count)
{
    return math_map((math_function){REDUCE_NEAR_ANGLE, vf_angle_reduce, finish_sin, whole_sin, 1}, x,
                    (float *[]){y, NULL}, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_cos(const float *x, float *y, size_t count)
{
    return math_map((math_function){REDUCE_NEAR_ANGLE, vf_angle_reduce, finish_cos, whole_cos, 1}, x,
                    (float *[]){y, NULL}, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_sincos(const float *x, float *sin, float *cos, size_t count)
{
    return math_map((math_function){REDUCE_NEAR_ANGLE, vf_angle_reduce, finish_sincos, whole_sincos, 2}, x,
                    (float *[]){sin, cos}, count);
}

#endif
