/* A deliberate fault, to show that the hashes catch it: minima and maxima as SIMDe computes them with SIMDE_FAST_NANS,
   where a NaN in either operand is the result. */
#define SIMDE_FAST_NANS
#include <wasm_simd128.h>
#define wasm_f32x4_pmin wasm_f32x4_min
#define wasm_f32x4_pmax wasm_f32x4_max
