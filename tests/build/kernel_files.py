"""Every file of kernels/ compiles by itself, as in an editor: none relies on what dispatch/table.c includes first. A
template, which is included once for each set of parameters, refuses to compile without them.

usage: build/kernel_files.py KERNELS INCLUDE COMPILER... -- ARGUMENT...     ARGUMENT: the options of a table
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

import tap

split = sys.argv.index("--")
kernels, include, *compiler = sys.argv[1:split]
arguments = sys.argv[split + 1:]
NOT_IN_A_TABLE = {"dispatch/cpu.c", "dispatch/dispatch.c", "status.c"}
PARTS = r"simd/v[fdw]_(plain|any_lanes|memory|\d+_lanes?)-inl\.h"  # each of them checks this


def compile_alone(path):
    return subprocess.run(
        [*compiler, "-std=c11", "-fsyntax-only", *arguments, "-DGYRE_TABLE=table", f"-I{kernels}", f"-I{include}",
         "-x", "c", "-"],
        input=f'#include "{path}"\n', capture_output=True, text=True)


paths = sorted(path.relative_to(kernels).as_posix() for path in pathlib.Path(kernels).rglob("*.[ch]"))
paths = [path for path in paths if path not in NOT_IN_A_TABLE and not re.fullmatch(PARTS, path)]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    for path, run in zip(paths, pool.map(compile_alone, paths)):
        text = (pathlib.Path(kernels) / path).read_text()
        if path.endswith(".h") and not re.search(r"^#ifndef GYRE_\w+_H$", text, re.MULTILINE):
            tap.check(run.returncode != 0 and re.search('error: (#error )?"define ', run.stderr),
                      f"{path}: refuses missing parameters", run.stderr)
        else:
            tap.check(run.returncode == 0, path, run.stderr)
tap.finish()
