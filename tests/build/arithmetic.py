"""No kernel is built with options that let the compiler change its arithmetic.

The build overrides such options in CFLAGS; without Meson, such a build is refused where the compiler can detect it.

usage: build/arithmetic.py BUILD KERNELS INCLUDE COMPILER_ID COMPILER... -- ROUNDING_OPTION... -- LINK_OPTION...
"""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import tap

# Each result would change with one of the options below.
ARITHMETIC = """
float sum_less_first(float a, float b) { return a + b - a; }
float two_quotients(float a, float b, float c) { return a / c + b / c; }
float sum_with_zero(float a) { return a + 0.0f; }
int is_nan(float a) { return a != a; }
int is_infinite(float a) { return __builtin_isinf(a); }
double tenth(double a) { return a * 0.1; }
float product_and_sum(float a, float b, float c) { return a * b + c; }
"""

REFUSED = ["-ffast-math", "-Ofast", "-ffinite-math-only"]
REFUSED_ON_X86_WITH_GCC = ["-mfpmath=387"]
REFUSED_WITH_GCC = ["-funsafe-math-optimizations", "-freciprocal-math", "-fno-signed-zeros",
                    "-fassociative-math -fno-signed-zeros -fno-trapping-math"]
TAKEN_BACK = REFUSED + REFUSED_WITH_GCC + ["-ffp-contract=fast"]
TAKEN_BACK_WITH_GCC = ["-fsingle-precision-constant"]
TAKEN_BACK_WITH_CLANG = ["-fno-honor-nans", "-fno-honor-infinities", "-fapprox-func",
                         "-fdenormal-fp-math=preserve-sign"]

build, kernels, include, compiler_id, *rest = sys.argv[1:]
first, last = (i for i, word in enumerate(rest) if word == "--")
compiler, rounding, linking = rest[:first], rest[first + 1:last], rest[last + 1:]
machine = subprocess.run([*compiler, "-dumpmachine"], capture_output=True, text=True, check=True).stdout
fused = ["-mfma"] if machine.startswith("x86_64") else []


def assembly(*options):
    """Returns the compiler's code for the arithmetic, and its warnings."""
    run = subprocess.run([*compiler, "-O3", *fused, *options, "-S", "-x", "c", "-o", "-", "-"], input=ARITHMETIC,
                         capture_output=True, text=True)
    return run.stdout + run.stderr if run.returncode == 0 else None


def flushes(*options):
    """Whether a shared library linked with these options makes its programs flush subnormals, with GCC's
    crtfastmath.o."""
    with tempfile.TemporaryDirectory() as folder:
        library = pathlib.Path(folder) / "library.so"
        subprocess.run([*compiler, "-shared", "-fPIC", *options, "-x", "c", "-o", library, "-"], input=ARITHMETIC,
                       capture_output=True, text=True, check=True)
        return b"set_fast_math" in library.read_bytes()


def preprocess(options, header="common/kernel-inl.h"):
    return subprocess.run(
        [*compiler, *options, "-E", "-x", "c", "-DGYRE_PLAIN_C", "-DGYRE_LANES=4", "-DGYRE_FUSED=0",
         f"-I{kernels}", f"-I{include}", "-"],
        input=f'#include "{header}"\n', capture_output=True, text=True)


def is_refused(options):
    """Compiles the files of a table and the scalar kernels, which are compiled once."""
    runs = [preprocess(options, header) for header in ("common/kernel-inl.h", "scalar/elementary.h")]
    return all(run.returncode != 0 and "same bits everywhere" in run.stderr for run in runs)


def has_last_word(command):
    """Whether the rounding options are among a target's own arguments, which come after CFLAGS."""
    words = shlex.split(command)
    own = next(i for i, word in enumerate(words) if word == "-fno-lto")
    return any(words[i:i + len(rounding)] == rounding for i in range(own, len(words)))


def links_last(words):
    """Whether only libraries and linker keywords come after the link options."""
    after = len(words) - next(i for i, word in enumerate(reversed(words)) if not word.startswith(("-l", "-Wl,")))
    return words[after - len(linking):after] == linking


tap.check(preprocess(rounding).returncode == 0, "the options of the build are not refused")
refused = list(REFUSED)
taken_back = list(TAKEN_BACK)
if compiler_id == "gcc":
    refused += REFUSED_WITH_GCC
    taken_back += TAKEN_BACK_WITH_GCC
    if machine.startswith("x86_64"):
        refused += REFUSED_ON_X86_WITH_GCC
elif compiler_id == "clang":
    taken_back += TAKEN_BACK_WITH_CLANG
for options in refused:
    tap.check(is_refused(options.split()), f"{options} is refused")

plain = assembly(*rounding)
tap.check(plain is not None and plain != assembly("-Ofast"), "the arithmetic here shows what -Ofast changes")
for options in taken_back:
    tap.check(assembly(*options.split(), *rounding) == plain, f"{options} is overridden")

commands = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
# dispatch/table.c, or the file that includes it with -Dunity=on
tables = [entry["command"] for entry in commands if " -DGYRE_TABLE=" in entry["command"]]
scalar = [entry["command"] for entry in commands if "scalar_kernels." in entry["output"]]
for what, units in (("tables", tables), ("scalar kernels", scalar)):
    tap.check(len(units) > 0 and all(has_last_word(command) for command in units), f"CFLAGS come before: {what}")

if not ("clang" in " ".join(compiler) and "windows" in machine):  # it links only with options from the cross file
    tap.check(not flushes("-Ofast", "-funsafe-math-optimizations", *linking), "a library leaves subnormals alone")
links = [line.split() for line in (pathlib.Path(build) / "build.ninja").read_text().splitlines()
         if "-soname,libgyre" in line]
tap.check(all(links_last(words) for words in links), "CFLAGS come before in linking too")
tap.finish()
