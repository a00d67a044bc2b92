"""Configures Gyre as packagers and parent projects do; builds nothing.

usage: build/configurations.py MESON SOURCE COMPILER...
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import tap

PARENT = """
project('parent', 'c')
subproject('gyre')
executable('program', 'program.c', dependencies: dependency('gyre'))
"""

PARTS = {"program": "gyre", "tests": "test_guarantees_isas", "benchmarks": "bench_kernels"}  # and one of the programs of each

meson, source, *compiler = sys.argv[1:]
environment = dict(os.environ, CC=shlex.join(compiler))


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)


def configured(name, build, source, *options):
    setup = run(meson, "setup", build, source, *options)
    tap.check(setup.returncode == 0, f"meson setup, {name}", setup.stdout[-2000:] + setup.stderr)
    return setup.returncode == 0


def parts_told(build):
    """The lines of the summary that Meson ends with: what is built."""
    log = (build / "meson-logs" / "meson-log.txt").read_text()
    told = re.findall(r"^ +(program|its pictures|tests|benchmarks)\b.*: (YES|NO)$", log, re.M)
    return {part: answer == "YES" for part, answer in told}


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for name, options in (("static library", ["-Ddefault_library=static"]),
                          ("shared library", ["-Ddefault_library=shared"]),
                          ("library alone", ["-Dtools=disabled", "-Dtests=disabled", "-Dbench=disabled"])):
        build = root / name
        if configured(name, build, source, *options):
            targets = json.loads(run(meson, "introspect", "--targets", build).stdout)
            built = {target["name"] for target in targets if target["type"] == "executable"}
            parts = {part: program in built for part, program in PARTS.items()}
            parts["its pictures"] = parts["program"] and shutil.which("gnuplot") is not None
            told = parts_told(build)
            tap.check(told == parts, f"what is told of it, {name}", str(told))

    # What the option `tables` refuses, and why.
    for tables, reason in (("avx2-portable", "name one that every CPU of "), ("scalar-portable,no-table", "no-table")):
        setup = run(meson, "setup", root / "refused", source, f"-Dtables={tables}")
        tap.check(setup.returncode != 0 and reason in setup.stdout, f"tables {tables} are refused", setup.stdout)

    parent = root / "parent"
    (parent / "subprojects").mkdir(parents=True)
    (parent / "subprojects" / "gyre").symlink_to(source)
    (parent / "meson.build").write_text(PARENT)
    (parent / "program.c").write_text("int main(void) { return 0; }\n")
    for kind in ("", "static", "shared", "both"):
        build = root / f"build-{kind}"
        name = f"as a subproject, {kind or 'any'}"
        if configured(name, build, parent, *[f"-Ddefault_library={kind}"] * (kind != "")):
            targets = json.loads(run(meson, "introspect", "--targets", build).stdout)
            libraries = [target for target in targets if target["type"] in ("static library", "shared library")]
            programs = [target["name"] for target in targets if target not in libraries]
            tap.check(programs == ["program"], f"the library alone, {name}", str(programs))
            kinds = {target["type"].split()[0] for target in libraries if target["name"] == "gyre"}
            expected = {"both": {"static", "shared"}, "": {"shared"}}.get(kind, {kind})
            tap.check(kinds == expected, f"the kind of library that the parent asks for, {name}", str(kinds))
tap.finish()
