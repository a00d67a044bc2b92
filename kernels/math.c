/* Elementary functions over arrays: the functions of simd/vf_math.h, a vector at a time. */
#include "simd/kernel.h"
#include "simd/vf_math.h"

/* How many vectors do their first halves before their second ones: 448 arguments. Blocks of 128 are 1 to 3 percent
   slower (bench/NOTES.md), and math.h promises 8 KiB of stack, of which these are 5.25 and clang takes 2 for itself. */
#define MATH_VECTORS (448 / VF_LANES)

typedef vm math_reduction(vf, vf_reduced *);

VF_INLINE bool math_reduce_all(math_reduction *reduce, const float *x, vf_reduced *reduced, size_t vectors)
{
    vm ordinary = vm_first(VF_LANES);
    FOR_EACH_VECTOR_BY_TWOS ordinary = vm_and(ordinary, reduce(vf_load(x + v * VF_LANES), &reduced[v]));
    return vm_all(ordinary);
}

/* The first halves. Returns whether all arguments are ordinary. `reduce_near` does with less for arguments near 0
   (NULL: nothing does), and is tried until a block has others. */
VF_INLINE bool math_reduce(math_reduction *reduce_near, math_reduction *reduce, bool *all_near, const float *x,
                           vf_reduced *reduced, size_t vectors)
{
    *all_near = *all_near && reduce_near && math_reduce_all(reduce_near, x, reduced, vectors);
    return *all_near || math_reduce_all(reduce, x, reduced, vectors);
}

/* y[i] = f(x[i]). Loads come before stores, so that y may be x. */
VF_INLINE gyre_status math_map(math_reduction *reduce_near, math_reduction *reduce, vf (*finish)(const vf_reduced *),
                               vf (*f)(vf), const float *x, float *y, size_t count)
{
    if (count > 0 && (!x || !y)) {
        return GYRE_ERROR_NULL;
    }
    vf_reduced reduced[MATH_VECTORS];
    bool all_near = true;
    VF_STAGED_AND_REST(
        0, count, MATH_VECTORS, y,
        {
            if (math_reduce(reduce_near, reduce, &all_near, x + i, reduced, vectors)) {
                FOR_EACH_VECTOR_BY_TWOS vf_store(y + i + v * VF_LANES, finish(&reduced[v]));
            } else {
                FOR_EACH_VECTOR vf_store(y + i + v * VF_LANES, f(vf_load(x + i + v * VF_LANES)));
            }
        },
        vf_store_n(y + i, f(vf_load_n(x + i, n)), n));
    return GYRE_OK;
}

GYRE_KERNEL_FUNCTION gyre_status math_exp(const float *x, float *y, size_t count)
{
    return math_map(NULL, vf_exp_reduce, vf_exp_finish, vf_exp, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_expm1(const float *x, float *y, size_t count)
{
    return math_map(NULL, vf_expm1_reduce, vf_expm1_finish, vf_expm1, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_log(const float *x, float *y, size_t count)
{
    return math_map(NULL, vf_log_reduce, vf_log_finish, vf_log, x, y, count);
}

#if GYRE_FUSED
#define REDUCE_NEAR_ANGLE NULL
#else
#define REDUCE_NEAR_ANGLE vf_near_angle_reduce
#endif

GYRE_KERNEL_FUNCTION gyre_status math_sin(const float *x, float *y, size_t count)
{
    return math_map(REDUCE_NEAR_ANGLE, vf_angle_reduce, vf_sin_finish, vf_sin, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_cos(const float *x, float *y, size_t count)
{
    return math_map(REDUCE_NEAR_ANGLE, vf_angle_reduce, vf_cos_finish, vf_cos, x, y, count);
}

GYRE_KERNEL_FUNCTION gyre_status math_sincos(const float *x, float *sin, float *cos, size_t count)
{
    if (count > 0 && (!x || !sin || !cos)) {
        return GYRE_ERROR_NULL;
    }
    vf_reduced reduced[MATH_VECTORS];
    bool all_near = true;
    vf s, c;
    VF_STAGED_AND_REST(
        0, count, MATH_VECTORS, sin,
        {
            const bool ordinary = math_reduce(REDUCE_NEAR_ANGLE, vf_angle_reduce, &all_near, x + i, reduced, vectors);
            FOR_EACH_VECTOR_BY_TWOS
            {
                if (ordinary) {
                    vf_sincos_finish(&reduced[v], &s, &c);
                } else {
                    vf_sincos(vf_load(x + i + v * VF_LANES), &s, &c);
                }
                vf_store(sin + i + v * VF_LANES, s);
                vf_store(cos + i + v * VF_LANES, c);
            }
        },
        {
            vf_sincos(vf_load_n(x + i, n), &s, &c);
            vf_store_n(sin + i, s, n);
            vf_store_n(cos + i, c, n);
        });
    return GYRE_OK;
}
