"""No instruction that the CPU may lack, and none that the rounding forbids.

usage: build/disassembly.py OBJDUMP ARCHITECTURE MOVES LIBRARY TABLE...
    MOVES    unaligned-moves: where stacks are aligned to 16 bytes, and the compiler ignores that for wider vectors
    LIBRARY  the static library; all its objects except the tables run on every CPU
    TABLE    ISA_ROUNDING=LIBRARY of one table
"""
import re
import shutil
import sys

import tap
from instructions import ARCHITECTURES, check_none, check_table, instructions, is_aligned_wide, is_avx, is_fused

objdump, architecture, moves, library, *tables = sys.argv[1:]
if shutil.which(objdump) is None:
    tap.skip_all(f"{objdump} is not here")
if architecture not in ARCHITECTURES:
    tap.skip_all(f"no rules for {architecture}")

SCALAR_KERNELS = ("damping", "inertia", "parameters", "settling")
objects = instructions(objdump, library)
for name in ("cpu", "dispatch", "status", "version", *SCALAR_KERNELS):
    found = [i for path, each in objects.items() if re.search(rf"(\b|_){name}\.c\.o", path) for i in each]
    if architecture == "x86_64":
        check_none(found, is_avx, f"{name}.c runs on every CPU: no AVX")
    if name in SCALAR_KERNELS:
        check_none(found, is_fused, f"{name}.c: no fused operation")

for table in tables:
    name, path = table.split("=", 1)
    found = [i for each in instructions(objdump, path).values() for i in each]
    check_table(name, found, architecture)
    if moves == "unaligned-moves":
        check_none(found, is_aligned_wide, f"{name}: no move that needs more alignment than stacks have")
tap.finish()
