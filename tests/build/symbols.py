"""What leaves the libraries, and what they ask of the world.

usage: build/symbols.py NM SHARED STATIC TABLE...     TABLE: NAME=LIBRARY, NAME the symbol that must be its only one
"""
import re
import subprocess
import sys

import tap

# The C library's moving of memory, which compilers call by themselves; on AArch64, the compiler's run-time library
# choosing between kinds of atomic; position-independent code; stack protection where a distribution
# turns it on; the floating-point environment where environment.h has no instructions for it, all that libm is ever
# linked for; integers of 64 bits where registers have 32, from the compiler's run-time library.
ALLOWED = re.compile(
    r"(memcpy|memset|memmove"
    r"|__aarch64_(cas|swp|ld)[a-z]*\d+_\w+|__getauxval"
    r"|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__stack_chk_guard"
    r"|fe(get|set)env"
    r"|__aeabi_(d2lz|f2ulz|l2d)|__ctzdi2"
    # Weak ones in every shared library, from the C start-up files:
    r"|__cxa_finalize|__gmon_start__|_ITM_(de)?registerTMCloneTable)$"
)


def symbols(nm, path, *options):
    """(kind, name) of each symbol; kinds as nm's manual has them: U undefined, T text, R read-only data..."""
    output = subprocess.run([nm, *options, path], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        match = re.match(r"[0-9a-fA-F ]*\s([A-Za-z]) ([^@\s]+)", line)
        if match:
            yield match.group(1), match.group(2)


def defined(nm, path, *options):
    """Without what 32-bit x86 learns its own address by: every object has it, and no library exports it."""
    return {name for kind, name in symbols(nm, path, "--defined-only", "--extern-only", *options)
            if not name.startswith("__x86.get_pc_thunk.")}


def undefined(nm, path, *options):
    """What is asked of the world: the objects of an archive may ask each other."""
    wanted = {name for kind, name in symbols(nm, path, "--undefined-only", *options)}
    return wanted - defined(nm, path, *options)


def only(names, pattern, what):
    strangers = sorted(name for name in names if not re.match(pattern, name))
    tap.check(names and not strangers, what, "\n".join(strangers) or "no symbol at all")


nm, shared, static, *tables = sys.argv[1:]
only(defined(nm, shared, "--dynamic"), r"gyre_", "only gyre_ symbols leave the shared library")
only(defined(nm, static), r"gyre_", "only gyre_ symbols leave the static library")

exported = defined(nm, shared, "--dynamic")
internal = sorted(name for name in exported if name.startswith(("gyre_table_", "gyre_scalar_")) or name in ("gyre_cpu_runs", "gyre_x86_runs"))
tap.check(not internal, "no table and no scalar kernel leaves the shared library but through gyre_kernels_for", "\n".join(internal))

for table in tables:
    name, path = table.split("=", 1)
    found = sorted(defined(nm, path))
    tap.check(found == [name], f"{name} is the only symbol of its object", "\n".join(found))

for path, options, what in ((shared, ["--dynamic"], "shared"), (static, [], "static")):
    strangers = sorted(name for name in undefined(nm, path, *options) if not ALLOWED.match(name))
    tap.check(not strangers, f"the {what} library needs no mathematics of libm, no allocation, no threads, no I/O",
              "\n".join(strangers))
tap.finish()
