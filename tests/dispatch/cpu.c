/* What an x86-64 CPU and its operating system run, by what registers say. */
#include "dispatch/cpu.h"
#include "support/support.h"

/* Values of leaf 1, ecx; leaf 7, ebx; XCR0. */
enum {
    NEHALEM_ECX = 0x00bae3bd, /* Xeon X5550: SSE4.2, no OSXSAVE */
    HASWELL_ECX = 0x7ffafbff, /* Core i7-4770, and AVX-512 CPUs later */
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

enum { SSE2 = 1 << 0, SSE41 = 1 << 1, AVX2 = 1 << 2, AVX512 = 1 << 3, FUSED = 1 << 4 };

static const struct {
    const char *name;
    int leaf_1_ecx, leaf_7_ebx, xcr0;
    bool saves_zmm_on_first_use;
    int runs;
} cpus[] = {
    {"x86-64 of 2003", 0, 0, 0, false, SSE2},
    {"Nehalem", NEHALEM_ECX, 0, 0, false, SSE2 | SSE41},
    {"Haswell", HASWELL_ECX, HASWELL_EBX, SAVES_YMM, false, SSE2 | SSE41 | AVX2 | FUSED},
    {"Haswell without FMA", NO_FMA_ECX, HASWELL_EBX, SAVES_YMM, false, SSE2 | SSE41 | AVX2},
    {"Haswell without AVX", NO_AVX_ECX, HASWELL_EBX, SAVES_YMM, false, SSE2 | SSE41},
    {"Skylake-SP", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_ZMM, false, SSE2 | SSE41 | AVX2 | AVX512 | FUSED},
    {"Skylake-SP without FMA", NO_FMA_ECX, SKYLAKE_SP_EBX, SAVES_ZMM, false, SSE2 | SSE41 | AVX2 | AVX512},
    {"Knights Landing", HASWELL_ECX, KNIGHTS_LANDING_EBX, SAVES_ZMM, false, SSE2 | SSE41 | AVX2 | FUSED},
    {"AVX-512 without AVX2", HASWELL_ECX, SKYLAKE_SP_EBX & ~(1 << 5), SAVES_ZMM, false, SSE2 | SSE41},
    {"AVX-512 without DQ", HASWELL_ECX, SKYLAKE_SP_EBX & ~(1 << 17), SAVES_ZMM, false, SSE2 | SSE41 | AVX2 | FUSED},
    {"AVX-512 without BW", HASWELL_ECX, SKYLAKE_SP_EBX & ~(1 << 30), SAVES_ZMM, false, SSE2 | SSE41 | AVX2 | FUSED},
    {"AVX-512 without VL", HASWELL_ECX, SKYLAKE_SP_EBX &INT32_MAX, SAVES_ZMM, false, SSE2 | SSE41 | AVX2 | FUSED},

    /* An operating system that saves less than the CPU has. */
    {"no xgetbv", NO_OSXSAVE_ECX, SKYLAKE_SP_EBX, 0, false, SSE2 | SSE41},
    {"no xgetbv, first use", NO_OSXSAVE_ECX, SKYLAKE_SP_EBX, 0, true, SSE2 | SSE41},
    {"XMM saved", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_XMM, false, SSE2 | SSE41},
    {"XMM saved, first use", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_XMM, true, SSE2 | SSE41},
    {"YMM without XMM", HASWELL_ECX, SKYLAKE_SP_EBX, 5, false, SSE2 | SSE41},
    {"YMM saved", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_YMM, false, SSE2 | SSE41 | AVX2 | FUSED},
    {"no masks saved", HASWELL_ECX, SKYLAKE_SP_EBX, 0xc7, false, SSE2 | SSE41 | AVX2 | FUSED},
    {"no upper halves saved", HASWELL_ECX, SKYLAKE_SP_EBX, 0xa7, false, SSE2 | SSE41 | AVX2 | FUSED},
    {"no ZMM16 saved", HASWELL_ECX, SKYLAKE_SP_EBX, 0x67, false, SSE2 | SSE41 | AVX2 | FUSED},

    /* macOS, before and after the first AVX-512 instruction of the thread, and on a CPU that has none. */
    {"macOS before", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_YMM, true, SSE2 | SSE41 | AVX2 | AVX512 | FUSED},
    {"macOS after", HASWELL_ECX, SKYLAKE_SP_EBX, SAVES_ZMM, true, SSE2 | SSE41 | AVX2 | AVX512 | FUSED},
    {"macOS on Haswell", HASWELL_ECX, HASWELL_EBX, SAVES_YMM, true, SSE2 | SSE41 | AVX2 | FUSED},
};

static void test_what_registers_say(void **state)
{
    (void)state;
    static const int bits[GYRE_ISA_COUNT] = {
        [GYRE_ISA_SSE2] = SSE2, [GYRE_ISA_SSE41] = SSE41, [GYRE_ISA_AVX2] = AVX2, [GYRE_ISA_AVX512] = AVX512};
    for (size_t i = 0; i < LENGTH(cpus); i++) {
        const gyre_x86_registers found = {(uint32_t)cpus[i].leaf_1_ecx, (uint32_t)cpus[i].leaf_7_ebx,
                                          (uint32_t)cpus[i].xcr0};
        const bool first_use = cpus[i].saves_zmm_on_first_use;
        for (gyre_isa isa = GYRE_ISA_SCALAR; isa < GYRE_ISA_COUNT; isa++) {
            CASE("%s, %s", cpus[i].name, gyre_isa_name(isa));
            const bool portable = isa == GYRE_ISA_SCALAR || (cpus[i].runs & bits[isa]) != 0;
            check(gyre_x86_runs(isa, GYRE_ROUNDING_PORTABLE, found, first_use), ==, portable);
            if (isa == GYRE_ISA_AVX2 || isa == GYRE_ISA_AVX512) {
                const bool fused = portable && (cpus[i].runs & FUSED) != 0;
                check(gyre_x86_runs(isa, GYRE_ROUNDING_FUSED, found, first_use), ==, fused);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_registers_say),
    };
    return cmocka_run_group_tests_name("dispatch_cpu", tests, NULL, NULL);
}
