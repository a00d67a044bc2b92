"""No kernel is built with options that let the compiler change its arithmetic.

usage: check_arithmetic.py BUILD KERNELS INCLUDE COMPILER_ID COMPILER...
"""
import json
import pathlib
import shlex
import subprocess
import sys

import tap

REFUSED = ["-ffast-math", "-Ofast", "-ffinite-math-only"]
REFUSED_ON_X86_WITH_GCC = ["-mfpmath=387"]
REFUSED_WITH_GCC = ["-funsafe-math-optimizations", "-freciprocal-math", "-fno-signed-zeros",
                    "-fassociative-math -fno-signed-zeros -fno-trapping-math"]

build, kernels, include, compiler_id, *compiler = sys.argv[1:]


def preprocess(options):
    return subprocess.run(
        [*compiler, *options, "-E", "-x", "c", "-DSIMDE_NO_NATIVE", "-DGYRE_LANES=4", "-DGYRE_FUSED=0",
         f"-I{kernels}", f"-I{include}", "-"],
        input='#include "simd/kernel.h"\n', capture_output=True, text=True)


def is_refused(options):
    run = preprocess(options)
    return run.returncode != 0 and "same bits everywhere" in run.stderr


def has_last_word(command):
    """Whether nothing in CFLAGS, which come before a target's own arguments, can have operations fused."""
    words = shlex.split(command)
    own = next(i for i, word in enumerate(words) if word.startswith("-DGYRE_FUSED="))
    return [word for word in words[own:] if word.startswith("-ffp-contract")] == ["-ffp-contract=off"]


tap.check(not is_refused(["-O3", "-fno-math-errno"]), "what the build uses is not refused")
refused = list(REFUSED)
if compiler_id == "gcc":
    refused += REFUSED_WITH_GCC
    machine = subprocess.run([*compiler, "-dumpmachine"], capture_output=True, text=True, check=True).stdout
    if machine.startswith("x86_64"):
        refused += REFUSED_ON_X86_WITH_GCC
for options in refused:
    tap.check(is_refused(options.split()), f"{options} is refused")
commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
tables = [entry["command"] for entry in commands if pathlib.Path(entry["file"]).name == "isa.c"]
tap.check(len(tables) > 0 and all(has_last_word(command) for command in tables), "CFLAGS cannot fuse operations")
tap.finish()
