"""Configures Gyre as packagers and parent projects do; builds nothing.

usage: check_configurations.py MESON SOURCE COMPILER...
"""
import json
import os
import pathlib
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

meson, source, *compiler = sys.argv[1:]
environment = dict(os.environ, CC=shlex.join(compiler))


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment)


def configured(name, build, source, *options):
    setup = run(meson, "setup", build, source, *options)
    tap.check(setup.returncode == 0, f"meson setup, {name}", setup.stdout[-2000:] + setup.stderr)
    return setup.returncode == 0


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    for kind in ("static", "shared"):
        configured(f"{kind} library", root / kind, source, f"-Ddefault_library={kind}")

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
