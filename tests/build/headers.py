"""Every public header compiles alone, and included twice, in every language and standard that a user may use.

usage: build/headers.py INCLUDE LANGUAGE COMPILER... [-- LANGUAGE COMPILER...]     LANGUAGE: c or c++
"""
import pathlib
import subprocess
import sys

import tap

STANDARDS = {".h": {"c": ["c99", "c11", "c17"], "c++": ["c++11", "c++17", "c++20"]},
             ".hpp": {"c": [], "c++": ["c++17", "c++20", "c++2b"]}}
FORMER = {"memory.h"}  # names of headers before this version
STRICT = ["-pedantic-errors", "-Wall", "-Wextra", "-Werror", "-Wundef", "-Wshadow", "-Wconversion", "-fsyntax-only"]


def groups(arguments):
    group = []
    for argument in arguments + ["--"]:
        if argument == "--":
            if group:
                yield group[0], group[1:]
            group = []
        else:
            group.append(argument)


include = pathlib.Path(sys.argv[1])
headers = sorted(path.relative_to(include).as_posix() for path in include.glob("gyre/*.h*"))
for language, compiler in groups(sys.argv[2:]):
    for header in headers:
        for standard in STANDARDS[pathlib.Path(header).suffix][language]:
            run = subprocess.run(
                [*compiler, f"-std={standard}", "-x", language, *STRICT, f"-I{include}", "-"],
                input=f"#include <{header}>\n#include <{header}>\n",
                capture_output=True, text=True)
            tap.check(run.returncode == 0, f"{header} in {standard}", run.stderr)
tap.check({"gyre/gyre.h", "gyre/gyre.hpp"} <= set(headers), "gyre.h and gyre.hpp exist")
both = (include / "gyre/gyre.h").read_text()
for header in headers:
    name = header.split("/")[1]
    tap.check(name.startswith("gyre.") or name in FORMER or f'#include "{name}"' in both, f"gyre.h includes {name}")
tap.finish()
