#include "ceiling.h"

static volatile uint32_t zero_mask; /* volatile: read anew, so never known to be 0 */

enum { LANES = 16 };

/* As wide as the widest vector there is; for narrower machines the compiler splits it. */
typedef uint32_t words __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef uint8_t bytes __attribute__((vector_size(LANES), aligned(1), may_alias));

static inline __attribute__((always_inline)) void touch(const gyre_springs *springs, size_t begin, size_t end)
{
    const uint32_t zero = zero_mask;
    const words zeros = (words){0} + zero;
    const bytes awake = (bytes){0} + (uint8_t)(1 ^ zero);
    float *position = springs->position;
    float *velocity = springs->velocity;
    const float *target = springs->target;
    size_t i = begin;
    for (; i + LANES <= end; i += LANES) {
        words moved = *(words *)(position + i) ^ zeros;
        words speed = *(words *)(velocity + i) ^ zeros;
        moved ^= *(const words *)(target + i) & zeros;
        *(words *)(position + i) = moved;
        *(words *)(velocity + i) = speed;
        *(bytes *)(springs->awake + i) = awake;
    }
    /* Fewer than LANES are left: too few to matter to the time. */
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void touch_avx2(const gyre_springs *springs, size_t begin, size_t end)
{
    touch(springs, begin, end);
}

__attribute__((target("avx512f"))) static void touch_avx512(const gyre_springs *springs, size_t begin, size_t end)
{
    touch(springs, begin, end);
}
#endif

void ceiling_touch_springs(const gyre_springs *springs, size_t begin, size_t end)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        touch_avx512(springs, begin, end);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        touch_avx2(springs, begin, end);
        return;
    }
#endif
    touch(springs, begin, end);
}
