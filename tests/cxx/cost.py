"""A call through gyre.hpp compiles to a call of the C function: the only other calls are to functions that throw, and
the only other instructions compare sizes.

usage: cxx/cost.py SOURCE INCLUDE COMPILER...     SOURCE: cost.cc
"""
import re
import subprocess
import sys

import tap

MODES = {"with exceptions": [], "without exceptions": ["-fno-exceptions"],
         "GYRE_NO_EXCEPTIONS": ["-DGYRE_NO_EXCEPTIONS"]}
# Functions that do not return are out of line: one here in C, one of gyre.hpp in C++.
FAILED = r"\bfailed\b|\w*gyre\w*detail\w*raise\w*"


def functions(source, include, compiler, flags):
    """{function: its instructions}, without those that the compiler moved aside as unlikely."""
    text = subprocess.run([*compiler, "-std=c++17", "-O2", "-S", "-fno-asynchronous-unwind-tables", *flags,
                           f"-I{include}", source, "-o", "-"], check=True, capture_output=True, text=True).stdout
    found, name = {}, ""
    for line in text.splitlines():
        label = re.match(r"([\w.]+):", line)
        if label and not label.group(1).startswith(".L"):
            name = label.group(1)
        elif re.match(r"\s+[a-z]", line) and not re.match(r"\s+nop", line):
            found.setdefault(name, []).append(line.strip())
    return found


def calls(instructions):
    named = re.findall(rf"\b(?:gyre_\w+|__\w+|_Z\w+)|{FAILED}", "\n".join(instructions))
    return [name for name in named if not re.fullmatch(FAILED, name)]


def most_instructions(kind):
    """How many more than in C. A size is loaded, compared and branched on, in a register that may be needed elsewhere;
    all sizes share one return of GYRE_ERROR_RANGE. A result is zeroed before the call and copied after it: ten
    instructions for a matrix of eight floats on 32-bit ARM."""
    return 0 if kind == "0" else 10 if kind == "value" else 6 + 6 * int(kind)


source, include, *compiler = sys.argv[1:]
for mode, flags in MODES.items():
    found = functions(source, include, compiler, flags)
    pairs = sorted(name for name in found if re.fullmatch(r"cxx_\w+", name))
    tap.check(len(pairs) > 20, f"{mode}: functions to compare", str(pairs))
    for name in pairs:
        member, kind = re.fullmatch(r"cxx_(\w+)_(\w+)", name).groups()
        c, cxx = found[f"c_{member}"], found[name]
        more = len(cxx) - len(c)
        print(f"# {mode}, {member}: {len(c)} instructions in C, {len(cxx)} by gyre.hpp")
        tap.check(len(calls(c)) == 1 and calls(c) == calls(cxx) and more <= most_instructions(kind),
                  f"{mode}: {member}, at most {most_instructions(kind)} more instructions",
                  "\n".join([f"in C, calls {calls(c)}:", *c, f"by gyre.hpp, calls {calls(cxx)}:", *cxx]))
tap.finish()
