"""Every step compiles for GPUs with one lane, as OpenCL C and as CUDA (tests/build/gpu_steps.h), and code that GPUs
cannot run does not.

usage: build/gpu.py KERNELS INCLUDE CLANG
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import tap

kernels, include, clang = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
STEPS = pathlib.Path(__file__).with_name("gpu_steps.h")
LANGUAGES = {
    "OpenCL C": ["-x", "cl", "-cl-std=CL1.2", "-Xclang", "-finclude-default-header", "-nostdlibinc", "-ffreestanding"],
    "CUDA": ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only", "-Wno-unknown-cuda-version"],
}


def compiled(language, folder, *options):
    command = [clang, *LANGUAGES[language], "-Werror", f"-I{folder}", f"-I{include}", *options, STEPS]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


for language in LANGUAGES:
    for fused in 0, 1:
        done = compiled(language, kernels, f"-DGYRE_FUSED={fused}", "-S", "-o", "/dev/null")
        tap.check(done.returncode == 0, f"{language}: {'fused' if fused else 'portable'} steps compile", done.stdout)

read = compiled("OpenCL C", kernels, "-MM").stdout
steps = [*kernels.glob("*/*step-inl.h"), *kernels.glob("body/methods/*-inl.h"), *kernels.glob("*/coefficients.c")]
missing = [str(path) for path in steps if str(path) not in read]
tap.check(len(steps) > 6 and not missing, "every step is included", "\n".join(missing))

# Inserts each fault into a copy.
BEFORE = "VF_INLINE spring_state spring_advance("
FAULTS = {
    "memcpy": ("", "memcpy(&m, &m, sizeof m);", ["OpenCL C", "CUDA"]),
    "a function without GYRE_DEVICE": ("static float REAL_NAMED(unmarked)(float x) { return x; }\n",
                                       "s.bounce = REAL_NAMED(unmarked)(s.bounce);", ["CUDA"]),
    "a table in memory": ("static float REAL_NAMED(table)[2] = {1, 2};\n", "s.bounce = REAL_NAMED(table)[has & 1];",
                          ["OpenCL C"]),
}
for name, (function, statement, languages) in FAULTS.items():
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "kernels"
        shutil.copytree(kernels, copy)
        file = copy / "spring/step-inl.h"
        before, after = file.read_text().split(BEFORE)
        after = after.replace("{\n", "{\n    " + statement + "\n", 1)
        file.write_text(before + function + BEFORE + after)
        for language in languages:
            done = compiled(language, copy, "-S", "-o", "/dev/null")
            tap.check(done.returncode != 0 and "error" in done.stdout, f"{language}: {name} in a step is refused")
tap.finish()
