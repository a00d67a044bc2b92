#!/bin/sh
# The committed coefficients are those that the script in tools/coefficients computes. Skipped (77) without Sollya.
set -u
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
command -v sollya >/dev/null 2>&1 || exit 77
"$root/tools/coefficients/generate" | diff -u "$root/kernels/simd/vf_math_coefficients.h" -
