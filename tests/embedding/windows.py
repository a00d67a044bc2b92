"""CMake for Windows: builds and installs Gyre, and runs programs that find this installation or one by Meson.

usage: embedding/windows.py CMAKE MESON SOURCE BUILD SIMDE COMPILER_ID EMULATOR
    BUILD        the Meson build folder
    SIMDE        the folder that has simde/x86/avx2.h
    COMPILER_ID  gcc or clang
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tap

cmake, meson, source, build, simde, compiler_id, emulator = sys.argv[1:]
source = pathlib.Path(source)
SPRING = "0x1.6ac00ep+6 0x1.30895p+6\n"  # the output of consumer/program.c, also on Linux
CROSS = ["-G", "Ninja", "--toolchain", source / "tests/emulation/x86_64-w64-mingw32.cmake",
         f"-DGYRE_CLANG={'ON' if compiler_id == 'clang' else 'OFF'}"]


def succeeds(name, *command, **variables):
    """After a failure nothing else could pass."""
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=os.environ | variables)
    tap.check(ran.returncode == 0, name, f"exit code {ran.returncode}\n{ran.stdout[-4000:]}{ran.stderr[-4000:]}")
    if ran.returncode:
        tap.finish()
    return ran.stdout


def built(kind, folder):
    """Builds and installs Gyre with CMake."""
    succeeds(f"{kind}: configured", cmake, *CROSS, "-S", source, "-B", folder / "build", "-DGYRE_TABLES=sse2-portable",
             f"-DGYRE_SIMDE={simde}", f"-DBUILD_SHARED_LIBS={'ON' if kind == 'shared' else 'OFF'}")
    succeeds(f"{kind}: built", cmake, "--build", folder / "build")
    succeeds(f"{kind}: installed", cmake, "--install", folder / "build", "--prefix", folder / "installed")
    return folder / "installed"


def check_moves(folder):
    """Only gcc compiles the units of wide tables with moves that need no alignment."""
    succeeds("all tables: configured", cmake, *CROSS, "-S", source, "-B", folder, f"-DGYRE_SIMDE={simde}",
             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    commands = (folder / "compile_commands.json").read_text()
    wide = len(re.findall(r"-mavx(?:2|512f) [^\n]*table\.c", commands))
    moves = commands.count("-Wa,-muse-unaligned-vector-move")
    tap.check((wide, moves) == (4, 4 if compiler_id == "gcc" else 0), "unaligned moves in tables of AVX2 and AVX-512",
              f"{moves} of {wide} tables")


def check_programs(name, installed, kinds, folder):
    said = succeeds(f"{name}: found", cmake, *CROSS, "-S", source / "tests/embedding/consumer", "-B", folder,
                    f"-DCMAKE_PREFIX_PATH={installed}", "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror",
                    f"-DKINDS={';'.join(kinds)}", "-DVERSIONS=0.1")
    tap.check("-- gyre 0.1: 1" in said, f"{name}: the version", said)
    succeeds(f"{name}: programs are built", cmake, "--build", folder)
    for kind in kinds:
        printed = succeeds(f"{name}: with {kind} runs", emulator, folder / f"with_{kind}.exe",
                           WINEPATH=str(installed / "bin"))
        tap.check(printed == SPRING, f"{name}: with {kind} has the bits of Linux", printed)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for kind in ("static", "shared"):
        check_programs(f"{kind}, by CMake", built(kind, folder / kind), ["gyre", kind], folder / f"with-{kind}")
    check_moves(folder / "all")
    succeeds("meson install", meson, "install", "-C", build, "--no-rebuild", "--destdir", folder / "meson")
    [config] = (folder / "meson").rglob("gyre-config.cmake")
    check_programs("by Meson", config.parents[3], ["gyre", "static", "shared"], folder / "with-meson")
tap.finish()
