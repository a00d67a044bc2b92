"""No kernel is built with options that let the compiler change its arithmetic.

usage: check_arithmetic.py KERNELS INCLUDE COMPILER_ID COMPILER...
"""
import subprocess
import sys

import tap

REFUSED = ["-ffast-math", "-Ofast", "-ffinite-math-only"]
REFUSED_WITH_GCC = ["-funsafe-math-optimizations", "-freciprocal-math", "-fno-signed-zeros",
                    "-fassociative-math -fno-signed-zeros -fno-trapping-math"]

kernels, include, compiler_id, *compiler = sys.argv[1:]


def preprocess(options):
    return subprocess.run(
        [*compiler, *options, "-E", "-x", "c", "-DSIMDE_NO_NATIVE", "-DGYRE_LANES=4", "-DGYRE_FUSED=0",
         f"-I{kernels}", f"-I{include}", "-"],
        input='#include "simd/kernel.h"\n', capture_output=True, text=True)


def is_refused(options):
    run = preprocess(options)
    return run.returncode != 0 and "same bits everywhere" in run.stderr


tap.check(not is_refused(["-O3", "-fno-math-errno"]), "what the build uses is not refused")
for options in REFUSED + (REFUSED_WITH_GCC if compiler_id == "gcc" else []):
    tap.check(is_refused(options.split()), f"{options} is refused")
tap.finish()
