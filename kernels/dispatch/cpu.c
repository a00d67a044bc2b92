/* The features that this CPU and its operating system support. */
#include "dispatch/cpu.h"

#if defined(__x86_64__)

/* Bits: Intel, "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2, CPUID, and volume 1, XCR0. */
enum {
    LEAF_1_ECX_FMA = 12,
    LEAF_1_ECX_SSE41 = 19,
    LEAF_1_ECX_OSXSAVE = 27, /* xgetbv exists, which reads XCR0 */
    LEAF_1_ECX_AVX = 28,
    LEAF_7_EBX_AVX2 = 5,
    LEAF_7_EBX_AVX512F = 16,
    LEAF_7_EBX_AVX512DQ = 17,
    LEAF_7_EBX_AVX512BW = 30,
    LEAF_7_EBX_AVX512VL = 31,
    XCR0_XMM = 1,
    XCR0_YMM = 2,
    XCR0_AVX512_MASKS = 5,
    XCR0_ZMM_UPPER_HALVES = 6,
    XCR0_ZMM_16_TO_31 = 7,
};

static bool has(uint32_t found, int bit) { return found >> bit & 1; }

unsigned gyre_x86_features(gyre_x86_registers found, bool saves_zmm_on_first_use)
{
    const uint32_t ecx = found.leaf_1_ecx, ebx = found.leaf_7_ebx, xcr0 = found.xcr0;
    const bool saves_ymm = has(xcr0, XCR0_XMM) && has(xcr0, XCR0_YMM);
    const bool saves_zmm = saves_zmm_on_first_use || (has(xcr0, XCR0_AVX512_MASKS) &&
                                                      has(xcr0, XCR0_ZMM_UPPER_HALVES) && has(xcr0, XCR0_ZMM_16_TO_31));
    const bool avx2 = saves_ymm && has(ecx, LEAF_1_ECX_AVX) && has(ebx, LEAF_7_EBX_AVX2);
    const bool avx512 = avx2 && saves_zmm && has(ebx, LEAF_7_EBX_AVX512F) && has(ebx, LEAF_7_EBX_AVX512DQ) &&
                        has(ebx, LEAF_7_EBX_AVX512BW) && has(ebx, LEAF_7_EBX_AVX512VL);
    return (has(ecx, LEAF_1_ECX_SSE41) ? CPU_SSE41 : 0u) | (avx2 ? CPU_AVX2 : 0u) | (avx512 ? CPU_AVX512 : 0u) |
           (saves_ymm && has(ecx, LEAF_1_ECX_FMA) ? CPU_FMA : 0u);
}

typedef struct cpuid_leaf {
    uint32_t eax, ebx, ecx, edx;
} cpuid_leaf;

static cpuid_leaf cpuid(uint32_t number)
{
    cpuid_leaf leaf;
    __asm__ volatile("cpuid" : "=a"(leaf.eax), "=b"(leaf.ebx), "=c"(leaf.ecx), "=d"(leaf.edx) : "a"(number), "c"(0));
    return leaf;
}

static uint32_t read_xcr0(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* Does not use __builtin_cpu_supports, whose variable is in the compiler's run-time library: not every program links
   it. */
unsigned gyre_cpu_features(void)
{
    const uint32_t last_leaf = cpuid(0).eax, leaf_1_ecx = cpuid(1).ecx;
    const gyre_x86_registers found = {
        .leaf_1_ecx = leaf_1_ecx,
        .leaf_7_ebx = last_leaf >= 7 ? cpuid(7).ebx : 0,
        .xcr0 = has(leaf_1_ecx, LEAF_1_ECX_OSXSAVE) ? read_xcr0() : 0,
    };
    /* Darwin sets these bits of XCR0 only after a thread's first AVX-512 instruction: XNU, osfmk/i386/fpu.c, "On-demand
       AVX512 support". */
#if defined(__APPLE__)
    const bool saves_zmm_on_first_use = true;
#else
    const bool saves_zmm_on_first_use = false;
#endif
    return gyre_x86_features(found, saves_zmm_on_first_use);
}

#else

/* All tables built here run on every CPU: AArch64 includes NEON and fused multiply-add, and an engine without vectors
   refuses a WebAssembly module that uses them before running any of it. */
unsigned gyre_cpu_features(void) { return 0; }

#endif

const char *gyre_isa_name(gyre_isa isa)
{
    static const char *const names[GYRE_ISA_COUNT] = {
        [GYRE_ISA_SCALAR] = "scalar",   [GYRE_ISA_SSE2] = "sse2",     [GYRE_ISA_SSE41] = "sse41",
        [GYRE_ISA_AVX2] = "avx2",       [GYRE_ISA_AVX512] = "avx512", [GYRE_ISA_NEON] = "neon",
        [GYRE_ISA_WASM128] = "wasm128",
    };
    return (unsigned)isa < GYRE_ISA_COUNT ? names[isa] : "unknown";
}

const char *gyre_rounding_name(gyre_rounding rounding)
{
    switch (rounding) {
    case GYRE_ROUNDING_PORTABLE: return "portable";
    case GYRE_ROUNDING_FUSED: return "fused";
    default: return "unknown";
    }
}
