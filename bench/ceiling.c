/* The most that this machine's memory gives a kernel: the same loads and stores, and no arithmetic at all. Compiled
   once per table, like the kernels, so that loads and stores are as wide as theirs. */
#include "ceiling.h"
#include "simd/vf.h"

/* The compiler must believe that the value has changed, or it would drop the store. */
VF_INLINE vf as_if_changed(vf a)
{
#if defined(__x86_64__)
    __asm__ volatile("" : "+v"(a));
#elif defined(__aarch64__)
    __asm__ volatile("" : "+w"(a));
#endif
    return a;
}

/* Loads before stores and two blocks at a time, so that nothing but memory is in the way. */
enum { VECTORS = 2 * VF_BLOCK_VECTORS };

static void springs(float *position, float *velocity, const float *target, size_t count)
{
    for (size_t i = 0; i + VECTORS * VF_LANES <= count; i += VECTORS * VF_LANES) {
        vf x[VECTORS], v[VECTORS];
        for (size_t k = 0; k < VECTORS; k++) {
            x[k] = as_if_changed(vf_load(position + i + k * VF_LANES));
            v[k] = as_if_changed(vf_load(velocity + i + k * VF_LANES));
            if (target != NULL) {
                as_if_changed(vf_load(target + i + k * VF_LANES));
            }
        }
        for (size_t k = 0; k < VECTORS; k++) {
            vf_store(position + i + k * VF_LANES, x[k]);
            vf_store(velocity + i + k * VF_LANES, v[k]);
        }
    }
}

extern const ceilings GYRE_CEILINGS;
const ceilings GYRE_CEILINGS = {GYRE_ISA, GYRE_ROUNDING, springs};
