/* What an x86-64 CPU and its operating system support, derived from register values. */
#include "dispatch/cpu.h"
#include "support/support.h"

/* Values of leaf 1, ecx; leaf 7, ebx; XCR0. */
enum {
    NEHALEM_ECX = 0x00bae3bd, /* Xeon X5550: SSE4.2, no OSXSAVE */
    HASWELL_ECX = 0x7ffafbff, /* Core i7-4770; used for the AVX-512 CPUs below too */
    NO_FMA_ECX = HASWELL_ECX & ~(1 << 12),
    NO_OSXSAVE_ECX = HASWELL_ECX & ~(1 << 27),
    NO_AVX_ECX = HASWELL_ECX & ~(1 << 28),
    HASWELL_EBX = 0x000027ab,
    SKYLAKE_SP_EBX = (int)0xd39ffffb, /* Xeon Gold 6130 */
    KNIGHTS_LANDING_EBX = 0x1c0d23ab, /* Xeon Phi 7210: AVX-512 F, CD, ER and PF */
    SAVES_XMM = 3,
    SAVES_YMM = 7,
    SAVES_ZMM = 0xe7,
};

static const struct {
    const char *name;
    int leaf_1_ecx, leaf_7_ebx, xcr0;
    bool saves_zmm_on_first_use;
    unsigned has;
} cpus[] = {
    {"x86-64 of 2003", 0, 0, 0, false, 0},
    {"Nehalem", NEHALEM_ECX, 0, 0, false, CPU_SSE41},
    {"Haswell", HASWELL_ECX, HASWELL_EBX, SAVES_YMM, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},
    {"Haswell without FMA", NO_FMA_ECX, HASWELL_EBX, SAVES_YMM, false, CPU_SSE41 | CPU_AVX2},
    {"Haswell without AVX", NO_AVX_ECX, HASWELL_EBX, SAVES_YMM, false, CPU_SSE41 | CPU_FMA},
    {"Skylake-SP", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_ZMM, false, CPU_SSE41 | CPU_AVX2 | CPU_AVX512 | CPU_FMA},
    {"Skylake-SP without FMA", NO_FMA_ECX, SKYLAKE_SP_EBX, SAVES_ZMM, false, CPU_SSE41 | CPU_AVX2 | CPU_AVX512},
    {"Knights Landing", HASWELL_ECX, KNIGHTS_LANDING_EBX, SAVES_ZMM, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},
    {"AVX-512 without AVX2", HASWELL_ECX, SKYLAKE_SP_EBX & ~(1 << 5), SAVES_ZMM, false, CPU_SSE41 | CPU_FMA},
    {"AVX-512 without DQ", HASWELL_ECX, SKYLAKE_SP_EBX & ~(1 << 17), SAVES_ZMM, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},
    {"AVX-512 without BW", HASWELL_ECX, SKYLAKE_SP_EBX & ~(1 << 30), SAVES_ZMM, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},
    {"AVX-512 without VL", HASWELL_ECX, SKYLAKE_SP_EBX &INT32_MAX, SAVES_ZMM, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},

    /* An operating system that saves less state than the CPU has. */
    {"no xgetbv", NO_OSXSAVE_ECX, SKYLAKE_SP_EBX, 0, false, CPU_SSE41},
    {"no xgetbv, first use", NO_OSXSAVE_ECX, SKYLAKE_SP_EBX, 0, true, CPU_SSE41},
    {"XMM saved", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_XMM, false, CPU_SSE41},
    {"XMM saved, first use", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_XMM, true, CPU_SSE41},
    {"YMM without XMM", HASWELL_ECX, SKYLAKE_SP_EBX, 5, false, CPU_SSE41},
    {"YMM saved", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_YMM, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},
    {"no masks saved", HASWELL_ECX, SKYLAKE_SP_EBX, 0xc7, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},
    {"no upper halves saved", HASWELL_ECX, SKYLAKE_SP_EBX, 0xa7, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},
    {"no ZMM16 saved", HASWELL_ECX, SKYLAKE_SP_EBX, 0x67, false, CPU_SSE41 | CPU_AVX2 | CPU_FMA},

    /* macOS, before and after a thread's first AVX-512 instruction, and on a CPU without AVX-512. */
    {"macOS before", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_YMM, true, CPU_SSE41 | CPU_AVX2 | CPU_AVX512 | CPU_FMA},
    {"macOS after", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_ZMM, true, CPU_SSE41 | CPU_AVX2 | CPU_AVX512 | CPU_FMA},
    {"macOS on Haswell", HASWELL_ECX, HASWELL_EBX, SAVES_YMM, true, CPU_SSE41 | CPU_AVX2 | CPU_FMA},
};

static void test_what_registers_say(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(cpus); i++) {
        CASE("%s", cpus[i].name);
        const gyre_x86_registers found = {(uint32_t)cpus[i].leaf_1_ecx, (uint32_t)cpus[i].leaf_7_ebx,
                                          (uint32_t)cpus[i].xcr0};
        check(gyre_x86_features(found, cpus[i].saves_zmm_on_first_use), ==, cpus[i].has);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_registers_say),
    };
    return cmocka_run_group_tests_name("dispatch_cpu", tests, NULL, NULL);
}
