/* 32-bit x86: callers whose stacks are aligned to 4 bytes, as on Windows and in old Linux programs. */
#include "support/support.h"

#include <string.h>

enum { COUNT = 67 };

/* Calls a function with `count` words as arguments and a stack `offset` bytes off a multiple of 16. */
static gyre_status call_at(unsigned offset, void (*function)(void), const uint32_t *arguments, size_t count)
{
    gyre_status status;
    __asm__ volatile("movl %%esp, %%edi\n\t"
                     "andl $-16, %%esp\n\t"
                     "subl %%eax, %%esp\n"
                     "1:\tpushl -4(%%esi, %%ecx, 4)\n\t"
                     "loop 1b\n\t"
                     "call *%%edx\n\t"
                     "movl %%edi, %%esp"
                     : "=a"(status), "+c"(count), "+d"(function)
                     : "a"(offset), "S"(arguments)
                     : "edi", "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7");
    return status;
}

static void test_unaligned_stack(void **state)
{
    (void)state;
    static float zeros[5][COUNT], ones[9][COUNT];
    for (size_t k = 0; k < LENGTH(ones); k++) {
        for (size_t i = 0; i < COUNT; i++) {
            ones[k][i] = 1;
        }
    }
    const gyre_bodies bodies = {
        .count = COUNT,
        .orientation = {zeros[0], zeros[1], zeros[2], ones[0]},
        .momentum = {ones[1], ones[2], ones[3]},
        .inertia = {ones[4], ones[5], ones[6]},
    };
    const gyre_springs springs = {.count = COUNT, .position = zeros[3], .velocity = zeros[4]};
    const float dt_s = 0.25f;
    uint32_t dt_bits;
    memcpy(&dt_bits, &dt_s, sizeof dt_bits);
    EACH_TABLE(table) {
        for (unsigned offset = 0; offset < 16; offset += 4) {
            CASE("offset %u", offset);
            const uint32_t step[] = {(uint32_t)&bodies, 0, COUNT, dt_bits, 0, 0};
            check_status(call_at(offset, (void (*)(void))table->bodies_step, step, LENGTH(step)), GYRE_OK);
            const uint32_t each[] = {(uint32_t)&springs, 0, COUNT, (uint32_t)ones[4], (uint32_t)ones[5], 0, 0, dt_bits};
            check_status(call_at(offset, (void (*)(void))table->springs_step_each, each, LENGTH(each)), GYRE_OK);
            const uint32_t sine[] = {(uint32_t)ones[7], (uint32_t)ones[8], COUNT};
            check_status(call_at(offset, (void (*)(void))table->math_sin, sine, LENGTH(sine)), GYRE_OK);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_unaligned_stack),
    };
    return cmocka_run_group_tests_name("guarantees_unaligned_stack", tests, NULL, NULL);
}
