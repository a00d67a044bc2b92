#include "ceiling.h"

#include <stdint.h>

static volatile uint32_t zero_mask; /* volatile: read anew, so never known to be 0 */

enum { BLOCK = 512 }; /* elements of one array before the next array's turn: within the first cache */

/* No wider than AVX2's, because gcc 12 moves what it has to split through the stack. */
typedef uint32_t words __attribute__((vector_size(32), aligned(1), may_alias));

static inline __attribute__((always_inline)) void touch(const struct traffic arrays[], size_t count, size_t begin,
                                                        size_t end)
{
    const words zeros = (words){0} + zero_mask;
    words seen = zeros;
    for (size_t from = begin; from < end; from += BLOCK) {
        size_t elements = end - from < BLOCK ? end - from : BLOCK;
        for (size_t a = 0; a < count; a++) {
            size_t size = arrays[a].element_size;
            if (arrays[a].array == NULL || elements * size < sizeof(words)) {
                continue;
            }
            char *at = (char *)arrays[a].array + from * size;
            char *last = at + elements * size - sizeof(words); /* what is left after it is too little to matter */
            if (arrays[a].mode == READ) {
                for (; at <= last; at += sizeof(words)) {
                    seen ^= *(const words *)at & zeros;
                }
            } else if (arrays[a].mode == WRITE) {
                for (; at <= last; at += sizeof(words)) {
                    *(words *)at = seen;
                }
            } else {
                for (; at <= last; at += sizeof(words)) {
                    *(words *)at ^= seen;
                }
            }
        }
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void touch_avx2(const struct traffic arrays[], size_t count, size_t begin,
                                                       size_t end)
{
    touch(arrays, count, begin, end);
}
#endif

void ceiling_touch(const struct traffic arrays[], size_t count, size_t begin, size_t end)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        touch_avx2(arrays, count, begin, end);
        return;
    }
#endif
    touch(arrays, count, begin, end);
}
