"""The symbols that the libraries export and import.

usage: build/symbols.py NM OBJDUMP SHARED STATIC INCLUDE TABLE... -- COMPILER...
    TABLE  NAME=LIBRARY, NAME the symbol that must be its only one
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import tap

# The C library's functions that copy memory, which compilers call implicitly; position-independent code; stack
# protection where a distribution turns it on; the floating-point environment where environment.h has no instructions
# for it, the only reason to link libm. Nothing from the compiler's run-time library.
ALLOWED = re.compile(
    r"(memcpy|memset|memmove"
    r"|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__stack_chk_guard"
    r"|fe(get|set)env"
    # Weak ones in every shared library, from the C start-up files:
    r"|__cxa_finalize|__gmon_start__|_ITM_(de)?registerTMCloneTable)$"
)

PROGRAM = """
#include <gyre/gyre.h>
int main(void)
{
    gyre_spring_matrix matrix;
    return gyre_spring_matrix_at((gyre_spring){10, 1}, 10, &matrix);
}
"""


def symbols(nm, path, *options):
    """(kind, name) of each symbol; kinds as in nm's manual: U undefined, T text, R read-only data..."""
    output = subprocess.run([nm, *options, path], check=True, capture_output=True, text=True).stdout
    for line in output.splitlines():
        match = re.match(r"[0-9a-fA-F ]*\s([A-Za-z]) ([^@\s]+)", line)
        if match:
            yield match.group(1), match.group(2)


def defined(nm, path, *options):
    """Without the function with which 32-bit x86 finds its own address: every object has it, and no library exports
    it."""
    return {name for kind, name in symbols(nm, path, "--defined-only", "--extern-only", *options)
            if not name.startswith("__x86.get_pc_thunk.")}


def undefined(nm, path, *options):
    """The symbols imported from outside: objects of an archive may use each other's."""
    wanted = {name for kind, name in symbols(nm, path, "--undefined-only", *options)}
    return wanted - defined(nm, path, *options)


def only(names, pattern, what):
    strangers = sorted(name for name in names if not re.match(pattern, name))
    tap.check(names and not strangers, what, "\n".join(strangers) or "no symbols")


nm, objdump, shared, static, include, *rest = sys.argv[1:]
tables, compiler = rest[:rest.index("--")], rest[rest.index("--") + 1:]
only(defined(nm, shared, "--dynamic"), r"gyre_", "only gyre_ symbols leave the shared library")
only(defined(nm, static), r"gyre_", "only gyre_ symbols leave the static library")

exported = defined(nm, shared, "--dynamic")
internal = sorted(name for name in exported if name.startswith(("gyre_table_", "gyre_scalar_", "gyre_cpu_", "gyre_x86_")))
tap.check(not internal, "the shared library exports no table and no scalar kernel", "\n".join(internal))

relocations = subprocess.run([objdump, "-R", shared], check=True, capture_output=True, text=True).stdout
detours = re.findall(r"\bgyre_\w+", relocations)
tap.check(" R_" in relocations and not detours, "functions of the shared library call each other directly",
          "\n".join(detours))

for table in tables:
    name, path = table.split("=", 1)
    found = sorted(defined(nm, path))
    tap.check(found == [name], f"{name} is the only symbol of its object", "\n".join(found))

for path, options, what in ((shared, ["--dynamic"], "shared"), (static, [], "static")):
    strangers = sorted(name for name in undefined(nm, path, *options) if not ALLOWED.match(name))
    tap.check(not strangers, f"the {what} library needs no libm, no allocation, no threads, no I/O",
              "\n".join(strangers))

with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "program.c"
    source.write_text(PROGRAM)

    def link(name, *options):
        """Returns the path of the program, linked with the static library."""
        output = pathlib.Path(folder) / name
        command = [*compiler, f"-I{include}", source, "-o", output, static, *options]
        linked = subprocess.run(command, capture_output=True, text=True)
        tap.check(linked.returncode == 0, f"the static library links: {name}", linked.stderr)
        return output if linked.returncode == 0 else None

    link("with the C library alone", "-nodefaultlibs", "-lc")
    for name, options in (("into a shared library", []), ("into a shared library, GYRE_STATIC", ["-DGYRE_STATIC"])):
        output = link(name, "-shared", "-fPIC", *options)
        leaving = defined(nm, output, "--dynamic") if output else set()
        tap.check("main" in leaving and not any(each.startswith("gyre_") for each in leaving),
                  f"nothing of Gyre is exported from: {name}", "\n".join(sorted(leaving)))
tap.finish()
