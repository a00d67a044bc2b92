#include "scene/ceiling.h"

#include <stdint.h>

static volatile uint32_t zero_mask; /* volatile: read anew, so never known to be 0 */

/* Elements of one array before the next array's turn: within the first cache. By as many bytes as such a block of
   floats has the loop prefetches, as kernels do in arrays that are beyond the caches. */
enum { BLOCK = 512, PREFETCH_DISTANCE = BLOCK * sizeof(float) };

/* Goes through one block. What is left of it after the last whole vector is too little to matter. */
typedef void pass_function(char *at, size_t bytes, int mode);

/* One for each width of vectors, because gcc 12 moves those that it has to split through the stack. What was
   seen is put into memory at the end, or nothing would have to be loaded. */
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
