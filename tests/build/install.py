"""Installs into a temporary folder, builds a program there as a user would, and runs it.

usage: build/install.py MESON BUILD PKG_CONFIG COMPILER...
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import tap

PROGRAM = """
#include <gyre/gyre.h>
#include <stdio.h>

int main(void)
{
    gyre_spring_matrix matrix;
    float position = 0, velocity = 0, target = 1;
    gyre_springs springs = {.count = 1, .position = &position, .velocity = &velocity, .target = &target};
    if (gyre_spring_matrix_at((gyre_spring){10, 1}, 10, &matrix) || gyre_springs_step(&springs, 0, 1, &matrix)) {
        return 1;
    }
    printf("%g %s", (double)position, gyre_isa_name(gyre_kernels_isa(gyre_in_use())));
    return position == 1 ? 0 : 2;
}
"""

meson, build, pkg_config, *compiler = sys.argv[1:]


def run(command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **more)


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder) / "root"
    installed = run([meson, "install", "-C", build, "--no-rebuild", "--destdir", root])
    tap.check(installed.returncode == 0, "meson install", installed.stdout + installed.stderr)
    pc_files = list(root.rglob("gyre.pc"))
    tap.check(len(pc_files) == 1, "one gyre.pc", str(pc_files))
    sources = pathlib.Path(__file__).parents[2] / "include/gyre"
    headers = {path.name for path in root.rglob("gyre/*.h*")}
    tap.check(headers == {path.name for path in sources.glob("*.h*")}, "all headers", str(sorted(headers)))
    files = {path.name for path in root.rglob("*") if path.is_file()}
    tap.check("LICENSE" in files, "the licence")
    for header in sorted(sources.glob("*.h*")):
        text = re.sub(r"#include <std\w+\.h>", "", header.read_text())
        named = set(re.findall(r"\b[\w/-]+\.(?:hpp|h|c|md)\b", text))
        missing = sorted(name for name in named if name.removeprefix("gyre/") not in files)
        tap.check(not missing, f"{header.name} names installed files only", str(missing))
    if list(root.rglob("bin/gyre")):
        tap.check(len(list(root.rglob("man1/gyre.1*"))) == 1, "the program's manual page", str(list(root.rglob("man*"))))
    if not pc_files:
        tap.finish()

    environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(root), PKG_CONFIG_LIBDIR=str(pc_files[0].parent))
    source = pathlib.Path(folder) / "program.c"
    source.write_text(PROGRAM)
    for kind, options in (("shared", []), ("static", ["--static"])):
        flags = run([pkg_config, "--cflags", "--libs", *options, "gyre"], env=environment)
        tap.check(flags.returncode == 0, f"pkg-config, {kind}", flags.stderr)
        program = pathlib.Path(folder) / kind
        link = ["-static"] if kind == "static" else []
        built = run([*compiler, "-std=c99", source, "-o", program, *link, *shlex.split(flags.stdout)])
        tap.check(built.returncode == 0, f"a program builds, {kind}", built.stderr)
        if built.returncode == 0:
            libraries = str(next(root.rglob("libgyre.so")).parent)
            ran = run([program], env=dict(os.environ, LD_LIBRARY_PATH=libraries))
            tap.check(ran.returncode == 0, f"it runs, {kind}", f"{ran.returncode}: {ran.stdout}{ran.stderr}")
tap.finish()
