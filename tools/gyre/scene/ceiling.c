#include "scene/ceiling.h"

#include <stdint.h>

static volatile uint32_t zero_mask; /* volatile, so that the compiler cannot assume 0 */

/* The arrays are processed in blocks of this many elements, which fit the L1 cache. The loop prefetches one block of
   floats ahead, as kernels do in arrays larger than the caches. */
enum { BLOCK = 512, PREFETCH_DISTANCE = BLOCK * sizeof(float) };

/* Processes one block. The remainder after the last whole vector is negligible. */
typedef void pass_function(char *at, size_t bytes, int mode);

/* One function for each vector width, because gcc 12 moves vectors that it must split through the stack. The XOR of all
   loads is stored at the end; otherwise the compiler could omit them. */
#define PASS(name, width, target)                                                                                      \
    target static void name(char *at, size_t bytes, int mode)                                                          \
    {                                                                                                                  \
        typedef uint32_t words __attribute__((vector_size(width), aligned(1), may_alias));                             \
        const words zeros = (words){0} + zero_mask;                                                                    \
        const char *end = at + bytes / width * width;                                                                  \
        words seen = zeros;                                                                                            \
        for (; mode == READ && at < end; at += width) {                                                                \
            __builtin_prefetch(at + PREFETCH_DISTANCE);                                                                \
            seen ^= *(const words *)at;                                                                                \
        }                                                                                                              \
        for (; mode == WRITE && at < end; at += width) {                                                               \
            __builtin_prefetch(at + PREFETCH_DISTANCE);                                                                \
            *(words *)at = zeros;                                                                                      \
        }                                                                                                              \
        for (; mode == READ_WRITE && at < end; at += width) {                                                          \
            __builtin_prefetch(at + PREFETCH_DISTANCE);                                                                \
            *(words *)at ^= zeros;                                                                                     \
        }                                                                                                              \
        __asm__ volatile("" : : "m"(seen));                                                                            \
    }

PASS(pass_16, 16, )
#if defined(__x86_64__)
PASS(pass_32, 32, __attribute__((target("avx2"))))
PASS(pass_64, 64, __attribute__((target("avx512f"))))
#endif

static pass_function *widest_pass(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        return pass_64;
    }
    if (__builtin_cpu_supports("avx2")) {
        return pass_32;
    }
#endif
    return pass_16;
}

void ceiling_touch(const struct traffic arrays[], size_t count, size_t begin, size_t end)
{
    pass_function *pass = widest_pass();
    for (size_t from = begin; from < end; from += BLOCK) {
        size_t elements = end - from < BLOCK ? end - from : BLOCK;
        for (size_t a = 0; a < count; a++) {
            size_t size = arrays[a].element_size;
            if (arrays[a].array != NULL) {
                pass((char *)arrays[a].array + from * size, elements * size, arrays[a].mode);
            }
        }
    }
}
