"""Gyre in one file (tools/amalgamate.sh) cross-compiles, with stand-ins for the headers of other C libraries, to all
tables of each architecture. No portable table has a fused operation, no table has instructions of a wider CPU, and the
only functions needed copy and fill memory.

usage: embedding/compiled.py SOURCE CLANG

With GYRE_TEST_EFFORT=small, one table for each system.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tap
from instructions import check_none, check_table, instructions, is_fused
from tables import tables_of

# Name: the compiler's target and options. clang uses NEON for vectors on 32-bit ARM, which flushes subnormal numbers.
TARGETS = {
    "macOS, Apple silicon": ["arm64-apple-macos11"],
    "iOS": ["arm64-apple-ios12"],
    "Android arm64-v8a": ["aarch64-linux-android21"],
    "Android armeabi-v7a": ["armv7a-linux-androideabi21", "-mfpu=vfpv3-d16"],
    "Android x86_64": ["x86_64-linux-android21"],
    "Windows ARM64": ["aarch64-pc-windows-msvc"],
    "FreeBSD x86-64": ["x86_64-unknown-freebsd13"],
}
STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Wundef", "-Werror"]
# Apart from memory functions: symbols that compilers add themselves, for the stack, for position-independent code, for
# integers of 32-bit ARM, and to mark the use of floats.
UNDEFINED = r"_?(mem(cpy|set|move)|bzero|__chkstk(_darwin)?|__stack_chk_\w+|__aeabi_\w+)|_GLOBAL_OFFSET_TABLE_|_fltused"

IS_SMALL = os.environ.get("GYRE_TEST_EFFORT") == "small"
ONE = {"aarch64": "NEON", "arm": "SCALAR", "x86_64": "SSE2"}

source, clang = pathlib.Path(sys.argv[1]), sys.argv[2]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def tool(name):
    return run(clang, f"-print-prog-name={name}").stdout.strip()


def architecture_of(name):
    found = re.match(r"[a-z0-9]+(_64)?", TARGETS[name][0]).group()
    return {"arm64": "aarch64", "armv7a": "arm"}.get(found, found)


def compiled(name, unit):
    target, *options = TARGETS[name]
    options += [f"-DGYRE_ONLY_{ONE[architecture_of(name)]}", "-DGYRE_ONLY_PORTABLE"] if IS_SMALL else [
        "-DGYRE_ALL_TABLES"]
    return run(clang, f"--target={target}", *options, *STRICT, "-std=c11", "-O1", "-nostdlibinc", "-isystem",
               source / "tests/embedding/stub_headers", "-c", unit.parent / "one file/gyre.c", "-o", unit)


def check_unit(name, unit):
    architecture, found = architecture_of(name), {}
    tables = tables_of(source, architecture)
    isas = "|".join(table.isa.lower() for table in tables)
    for function, *instruction in (i for each in instructions(tool("llvm-objdump"), unit).values() for i in each):
        suffix = re.search(rf"_(({isas})_(portable|fused))\b", function)
        found.setdefault(suffix.group(1).upper() if suffix else "ONCE", []).append((function, *instruction))
    check_none(found.pop("ONCE", []), is_fused, f"{name}: compiled once: no fused operation")
    wanted = {f"{ONE[architecture]}_PORTABLE"} if IS_SMALL else {f"{table.isa}_{table.rounding}" for table in tables}
    tap.check(set(found) == wanted, f"{name}: instructions of every table", "\n".join(set(found) ^ wanted))
    for table, its in found.items():
        check_table(f"{name}: {table}", its, architecture)
    names = re.findall(r"^\s*(?:U )?(\w\S*)$", run(tool("llvm-nm"), "-u", unit).stdout, re.MULTILINE)
    strangers = [each for each in names if not re.fullmatch(UNDEFINED, each)]
    tap.check(names and not strangers, f"{name}: needs only functions of memory", "\n".join(strangers) or "nothing?")


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    made = run("sh", source / "tools/amalgamate.sh", folder / "one file")
    tap.check(made.returncode == 0, "tools/amalgamate.sh", made.stderr)
    units = {name: folder / f"{k}.o" for k, name in enumerate(TARGETS)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, unit), ran in zip(units.items(), pool.map(compiled, units.keys(), units.values())):
            tap.check(ran.returncode == 0 and not ran.stderr, f"{name}: compiled without a warning", ran.stderr[:3000])
            if ran.returncode == 0:
                check_unit(name, unit)
tap.finish()
