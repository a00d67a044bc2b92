"""gyre.hpp compiles without warnings at the strictest level, in every standard, with and without exceptions; wrong uses
do not compile; both it and the page have every function of the C headers.

usage: cxx/strict.py USER PAGE INCLUDE COMPILER...     USER: a file that uses most of gyre.hpp (cost.cc)
"""
import pathlib
import re
import subprocess
import sys

import tap

STANDARDS = ["c++17", "c++20", "c++2b"]
THROWING, RETURNING = [], ["-fno-exceptions", "-fno-rtti"]
MODES = [THROWING, RETURNING, ["-DGYRE_NO_EXCEPTIONS"]]
GCC = """-Wall -Wextra -Wpedantic -Walloca -Warith-conversion -Wcast-align=strict -Wcast-qual -Wcatch-value=3
    -Wconditionally-supported -Wconversion -Wctor-dtor-privacy -Wdeprecated-copy-dtor -Wdouble-promotion
    -Wduplicated-branches -Wduplicated-cond -Wextra-semi -Wfloat-equal -Wformat=2 -Wlogical-op
    -Wmismatched-tags -Wmissing-declarations -Wnoexcept -Wnon-virtual-dtor -Wnull-dereference -Wold-style-cast
    -Woverloaded-virtual -Wredundant-decls -Wredundant-tags -Wshadow -Wsign-conversion -Wsign-promo
    -Wstrict-null-sentinel -Wsuggest-override -Wswitch-enum -Wundef -Wunused -Wuseless-cast -Wvla
    -Wzero-as-null-pointer-constant""".split()
CLANG = ["-Weverything",
         # Standards before C++17 are not supported.
         "-Wno-c++98-compat", "-Wno-c++98-compat-pedantic", "-Wno-pre-c++14-compat", "-Wno-pre-c++17-compat",
         "-Wno-padded",         # the padding of the C structs is intended
         "-Wno-weak-vtables",   # a header alone has no file for its one virtual function, what() of gyre::error
         "-Wno-unsafe-buffer-usage",  # a C library takes a pointer and a size
         "-Wno-unknown-warning-option"]

# Name, code, flags, and a word of the error message; without one, it compiles.
SNIPPETS = [
    ("C++14", "", ["-std=c++14"], "needs C++17"),
    ("an ignored status, thrown", "void f(gyre::springs s, gyre::spring_matrix m) { s.step(m); }",
     THROWING, None),
    ("an ignored status, returned", "void f(gyre::springs s, gyre::spring_matrix m) { s.step(m); }",
     RETURNING, "nodiscard"),
    ("an ignored result, returned", "void f() { gyre::spring::from_response(1, 1); }",
     RETURNING, "nodiscard"),
    ("a result with unchecked status, thrown", "gyre::spring s = gyre::spring::from_response(1, 1);",
     THROWING, None),
    ("a result with unchecked status, returned", "gyre::spring s = gyre::spring::from_response(1, 1);",
     RETURNING, "conver"),
    ("a status as a boolean", "bool f(gyre::springs s, gyre::spring_matrix m) { return s.step(m); }", THROWING, "bool"),
    ("a half-life as a damping", "void f(gyre::damping); void g() { f(0.5f); }", THROWING, "conver"),
    ("components of the wrong number", "gyre::status f(gyre::span<float> x) { return gyre::rotation_matrix({x, x}, {x}); }",
     THROWING, "rotation_matrix"),
]

user, page, include, *compiler = sys.argv[1:]
is_clang = "clang" in subprocess.run([*compiler, "--version"], capture_output=True, text=True).stdout


def compiled(flags, source, text=None):
    """Some of gcc's warnings depend on optimisation; clang's do not."""
    output = ["-fsyntax-only"] if is_clang else ["-O2", "-c", "-o", "/dev/null"]
    return subprocess.run([*compiler, "-Werror", f"-I{include}", *flags, *output, "-x", "c++", source],
                          input=text, capture_output=True, text=True)


libraries = [[]]
if is_clang:
    if compiled(["-stdlib=libc++"], "-", "#include <cstddef>\n").returncode == 0:
        libraries.append(["-stdlib=libc++"])
    else:
        tap.skip("with libc++", "not here")
for standard in STANDARDS:
    for mode in MODES:
        for library in libraries:
            flags = [f"-std={standard}", *mode, *library]
            run = compiled([*flags, *(CLANG if is_clang else GCC)], user)
            tap.check(run.returncode == 0, f"no warning: {' '.join(flags)}", run.stderr)

for what, code, flags, message in SNIPPETS:
    run = compiled(["-std=c++17", *flags], "-", f"#include <gyre/gyre.hpp>\n{code}\n")
    if message is None:
        tap.check(run.returncode == 0, f"compiles: {what}", run.stderr)
    else:
        tap.check(run.returncode != 0 and message in run.stderr, f"refused: {what}", run.stderr)

headers = pathlib.Path(include, "gyre")
declared = re.findall(r"^GYRE_API[^(;]*?\b(gyre_\w+)\(", "\n".join(p.read_text() for p in sorted(headers.glob("*.h"))), re.M)
header = (headers / "gyre.hpp").read_text()
called = set(re.findall(r"\bgyre_\w+", header))
tap.check(len(declared) > 40, "functions of the C headers", str(declared))
forms = dict(re.findall(r"^\| `(gyre_\w+)` \|.*\| `gyre::([\w:]+)` \|", pathlib.Path(page).read_text(), re.M))
for name in declared:
    tap.check(name in called and name in forms, f"{name} is in gyre.hpp and in the page")
for name in forms.values():
    tap.check(re.search(rf"\b{name.split('::')[-1]}\(", header), f"gyre::{name} is what the page says")
tap.finish()
