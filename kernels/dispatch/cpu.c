/* What this CPU and its operating system can run. */
#include "dispatch/cpu.h"

/* The compiler's run-time library asks cpuid, and xgetbv for what the operating system saves of the registers: once, in
   a constructor, which the caller's own may come before. */
bool gyre_cpu_runs(gyre_isa isa, gyre_rounding rounding)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
#endif
    switch (isa) {
    case GYRE_ISA_SCALAR: return true;
#if defined(__x86_64__)
    case GYRE_ISA_SSE2: return __builtin_cpu_supports("sse2");
    case GYRE_ISA_SSE41: return __builtin_cpu_supports("sse4.1");
    case GYRE_ISA_AVX2:
        return __builtin_cpu_supports("avx2") && (rounding == GYRE_ROUNDING_PORTABLE || __builtin_cpu_supports("fma"));
    case GYRE_ISA_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               (rounding == GYRE_ROUNDING_PORTABLE || __builtin_cpu_supports("fma"));
#elif defined(__aarch64__)
    case GYRE_ISA_NEON: return true; /* part of the architecture, fused multiply-add included */
#endif
    default: (void)rounding; return false;
    }
}

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
