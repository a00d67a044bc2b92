"""The stack use of every kernel in every table, as reported by the compiler, is at most what the headers state.

usage: build/stack_usage.py OBJDUMP PROMISES KERNELS SCALAR TABLE...

PROMISES: tests/data/stack_promises.inc. KERNELS: kernels/list.h. SCALAR: the library of the scalar kernels, which all
tables call. TABLE: NAME=LIBRARY. Their objects were compiled with -fstack-usage: each has a .su file next to it. No
table has to run for this, so tables that this CPU cannot run are checked too.

A kernel's stack use is that of the deepest chain of calls from its entry. The stack of a function comes from the .su
file, its callees from the disassembly.
"""
import pathlib
import re
import subprocess
import sys

import tap

ANY_CALL_BYTES = 48 * 1024  # stated in the README for kernels without a figure of their own
RETURN_ADDRESS_BYTES = 8
ALIGNMENT_BYTES = 64  # that aligning the stack for vectors may skip, once in a chain
C_LIBRARY_BYTES = 512  # memcpy and similar functions


def frames_of(library):
    """Bytes on the stack of each function; gcc writes FILE:LINE:COLUMN:NAME, clang FILE:LINE:NAME. Of the clones of a
    function, such as NAME.isra, the largest is used."""
    frames = {}
    folder = library.parent / (library.name + ".p")
    for file in folder.glob("*.su"):
        for line in file.read_text().splitlines():
            place, size, _ = line.split("\t")
            name = place.rsplit(":", 1)[1].split(".")[0]
            frames[name] = max(int(size), frames.get(name, 0))
    return frames


def calls_of(objdump, library):
    """The functions that each function calls or jumps to; gcc moves rare parts of a function to NAME.cold."""
    calls, current = {}, None
    text = subprocess.run([objdump, "-d", "-r", "--no-show-raw-insn", library], check=True, capture_output=True,
                          text=True).stdout
    for line in text.splitlines():
        header = re.match(r"[0-9a-f]+ <(.+)>:$", line)
        if header:
            current = calls.setdefault(header.group(1).removesuffix(".cold"), set())
            continue
        target = (re.search(r"\s(?:call|jmp|bl?|j[a-z]+|b\.[a-z]+)\s.*<([^>+]+)>", line)
                  or re.search(r"R_\w+_(?:PLT32|CALL26|JUMP26)\s+([^+\s-]+)", line))
        if target:
            current.add(target.group(1).removesuffix(".cold"))
        elif re.search(r"\s(call|jmp)\s+\*|\sblr?\s+x", line) and not re.search(r"jmp\s+\*%\w+$|notrack", line):
            current.add("an address in memory")
    return calls


def deepest(function, frames, calls, chain=()):
    """(bytes, chain of calls) of the deepest chain from `function`."""
    if function in chain:
        sys.exit(f"{' > '.join(chain)} > {function}: unbounded recursion")
    if function not in calls:
        return C_LIBRARY_BYTES, (function,)
    below = max((deepest(callee, frames, calls, (*chain, function)) for callee in calls[function] - {function}),
                default=(0, ()))
    return frames[function.split(".")[0]] + RETURN_ADDRESS_BYTES + below[0], (function, *below[1])


objdump, promises_file, list_file, scalar_library, *tables = sys.argv[1:]
promised = {name: int(kib) * 1024 for name, kib in
            re.findall(r"^PROMISE\((\w+), (\d+)\)", pathlib.Path(promises_file).read_text(), re.MULTILINE)}
kernels = re.findall(r"^ +ROW\((\w+), gyre_", pathlib.Path(list_file).read_text(), re.MULTILINE)
tap.check(len(kernels) > 20 and set(promised) <= set(kernels), "figures are for existing kernels", str(sorted(promised)))
shared_frames, shared_calls = frames_of(pathlib.Path(scalar_library)), calls_of(objdump, scalar_library)
tap.check(any(name.startswith("gyre_scalar_") for name in shared_calls), "scalar kernels are found")
for table in tables:
    name, library = table.split("=", 1)
    frames = shared_frames | frames_of(pathlib.Path(library))
    calls = shared_calls | calls_of(objdump, library)
    for kernel in kernels:
        used, chain = deepest("enter_" + kernel, frames, calls)
        used += ALIGNMENT_BYTES
        limit = promised.get(kernel, ANY_CALL_BYTES)
        tap.check(used <= limit, f"{name}: {kernel}, {limit} bytes promised", f"got {used}: {' > '.join(chain)}")
tap.finish()
