"""Configures Gyre as packagers and parent projects do, or builds one of these configurations with one table.

usage: build/configurations.py configured|built MESON SOURCE TABLE COMPILER...
    TABLE  a name for the option `tables`: one that every CPU can run
"""
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import tap

PARENT = """
project('parent', 'c')
subproject('gyre')
executable('program', 'program.c', dependencies: dependency('gyre'))
"""

# A parent that wants both kinds of library and no warnings, without any warning disabled: Gyre's sources have some.
STRICT_PARENT = """
project('parent', 'c', default_options: [
  'werror=true', 'default_library=both', 'unity=on', 'c_args=-Wdeclaration-after-statement -Werror'])
add_global_arguments('-Werror', language: 'c')
subproject('gyre', default_options: 'tables=%s')
shared = executable('shared', 'program.c', dependencies: dependency('gyre', static: false))
static = executable('static', 'program.c', dependencies: dependency('gyre', static: true))
test('shared', shared, args: 'shared')
test('static', static, args: 'static')
"""
STRICT_PROGRAM = """
#include <gyre/gyre.h>
#include <string.h>
int main(int count, char **arguments)
{
#ifdef GYRE_STATIC
    const char *kind = "static";
#else
    const char *kind = "shared";
#endif
    return count != 2 || strcmp(arguments[1], kind) != 0 || strcmp(gyre_version(), GYRE_VERSION) != 0;
}
"""

PARTS = {"program": "gyre", "tests": "test_guarantees_isas", "benchmarks": "bench_kernels"}  # one program of each

which, meson, source, table, *compiler = sys.argv[1:]
environment = dict(os.environ, CC=shlex.join(compiler))


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)


def configured(name, build, source, *options):
    setup = run(meson, "setup", build, source, *options)
    tap.check(setup.returncode == 0, f"meson setup, {name}", setup.stdout[-2000:] + setup.stderr)
    return setup.returncode == 0


def parent_of_gyre(path, meson_build, program):
    """A project with Gyre as a subproject."""
    (path / "subprojects").mkdir(parents=True)
    (path / "subprojects" / "gyre").symlink_to(source)
    (path / "meson.build").write_text(meson_build)
    (path / "program.c").write_text(program)
    return path


def parts_told(build):
    """Meson's final summary lines: what is built."""
    log = (build / "meson-logs" / "meson-log.txt").read_text()
    told = re.findall(r"^ +(program|tests|benchmarks)\b.*: (YES|NO)$", log, re.M)
    return {part: answer == "YES" for part, answer in told}


def check_configurations(root):
    for name, options in (("static library", ["-Ddefault_library=static"]),
                          ("shared library", ["-Ddefault_library=shared"]),
                          ("library alone", ["-Dtools=disabled", "-Dtests=disabled", "-Dbench=disabled"])):
        build = root / name
        if configured(name, build, source, *options):
            targets = json.loads(run(meson, "introspect", "--targets", build).stdout)
            built = {target["name"] for target in targets if target["type"] == "executable"}
            parts = {part: program in built for part, program in PARTS.items()}
            told = parts_told(build)
            tap.check(told == parts, f"the summary, {name}", str(told))
            flags = (build / "meson-private" / "gyre.pc").read_text()
            tap.check(("-DGYRE_STATIC" in flags) == (name == "static library"), f"gyre.pc, {name}", flags)

    # Values that the option `tables` refuses, and why.
    for tables, reason in (("avx2-portable", "add one that every CPU of "), ("scalar-portable,no-table", "no-table")):
        setup = run(meson, "setup", root / "refused", source, f"-Dtables={tables}")
        tap.check(setup.returncode != 0 and reason in setup.stdout, f"tables {tables} are refused", setup.stdout)

    parent = parent_of_gyre(root / "parent", PARENT, "int main(void) { return 0; }\n")
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


def check_strict_parent(root):
    strict = parent_of_gyre(root / "strict", STRICT_PARENT % table, STRICT_PROGRAM)
    build = root / "build-strict"
    if configured("strict parent", build, strict):
        for step, command in (("compile", ["compile"]), ("test", ["test", "--no-rebuild"])):
            done = run(meson, *command, "-C", build)
            tap.check(done.returncode == 0, f"meson {step}, strict parent", done.stdout[-4000:] + done.stderr)


with tempfile.TemporaryDirectory() as folder:
    if which == "configured":
        check_configurations(pathlib.Path(folder))
    else:
        check_strict_parent(pathlib.Path(folder))
tap.finish()
