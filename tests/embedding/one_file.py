"""Gyre in one file (tools/amalgamate.sh) compiles everywhere to the same as the library: the same tables, bits and
names, and nothing else.

usage: embedding/one_file.py SOURCE CHECKS COMPILER... [-- RUN...]
    CHECKS  hashes: all tables compile, and each that RUN, or this machine, can run gives the bits of
                tests/data/result_hashes.inc. Needs nothing but a C library.
            options: parts, refusals, exported symbols, instructions, unity builds, and the standards, warnings and
                sanitizers that tools/docs/one-file.md names
    RUN     an emulator

With GYRE_TEST_EFFORT=small, one table of each width, and only combinations of two topics.
"""
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import tap
from instructions import ARCHITECTURES, check_none, check_table, instructions, is_avx, is_fused
from tables import tables_of

TOPICS = {"math": "MATH", "spring": "SPRINGS", "particle": "PARTICLES", "rotation": "ROTATIONS", "body": "BODIES",
          "chain": "CHAINS", "arrays": "ARRAYS"}
FEW = {"x86_64": ["SSE2", "AVX2"], "aarch64": ["NEON"]}  # the others share their sources
# Functions that compilers call implicitly, from the C library and from their own. No libm.
UNDEFINED = r"mem(cpy|set|move)|__aarch64_\w+|_GLOBAL_OFFSET_TABLE_|__aeabi_\w+|__c[lt]zdi2|\.TOC\.|___chkstk_ms"

source, checks, *compiler = sys.argv[1:]
split = compiler.index("--") if "--" in compiler else len(compiler)
compiler, emulator = compiler[:split], compiler[split + 1:]
source = pathlib.Path(source)
sys.path.insert(0, str(source / "tools/interface"))
import interface

PAGE = (source / "tools/docs/one-file.md").read_text()


def named(pattern):
    """The options that the page names."""
    options = list(dict.fromkeys(re.findall(rf"`({pattern})`", PAGE)))
    tap.check(len(options) > 2, f"the page names {' '.join(options)}")
    return options


STRICT = named("-W[a-z-]+|-pedantic")
# The test files, and the C files that they need.
HASHES = ["embedding/hashes", *sorted(f"support/{file.stem}" for file in (source / "tests/support").glob("work*.c")),
          *(f"support/{name}" for name in ("support", "platform", "check", "batch", "bodies", "rotations")),
          "reference/body", "reference/rotation"]
machine = subprocess.run([*compiler, "-dumpmachine"], capture_output=True, text=True, check=True).stdout.split("-")[0]
tables = tables_of(source, machine)
isas = list(dict.fromkeys(table.isa for table in tables))
FUSED = {table.isa for table in tables if table.rounding == "FUSED"}
is_windows = "mingw" in " ".join(compiler)
if is_windows:
    HASHES.append("support/windows_math")
    # Wide vectors on the stack need an assembler option there.
    isas = list(dict.fromkeys(table.isa for table in tables if table.lanes == "4"))
is_small = os.environ.get("GYRE_TEST_EFFORT") == "small"
few = [isa for isa in FEW.get(machine, isas) if isa in isas] if is_small else isas
base = [table.isa for table in tables if table.needs == "0"][-1]  # every CPU of the architecture can run it
nm = subprocess.run([*compiler, "-print-prog-name=nm"], capture_output=True, text=True, check=True).stdout.strip()
is_clang = "clang" in " ".join(compiler)


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def done(what, *command, **options):
    """Runs it, and checks that it succeeds and prints nothing else."""
    ran = run(*command, **options)
    tap.check(ran.returncode == 0 and not ran.stderr, what, (ran.stderr + ran.stdout)[:3000])
    return ran


def amalgamate(folder, *options):
    done(f"tools/amalgamate.sh {' '.join(options)} {folder.name}", "sh", source / "tools/amalgamate.sh", *options, folder)
    return folder / "gyre.c"


def only(*names):
    return [f"-DGYRE_ONLY_{name}" for name in names]


def parts_of(names):
    return only(*names) if names != isas else ["-DGYRE_ALL_TABLES"]


def names_of_tables(names):
    """The tables of these instruction sets, as printed by hashes.c, narrow to wide."""
    return [f"{isa.lower()} {rounding}" for isa in names for rounding in ("portable", "fused")
            if rounding == "portable" or isa in FUSED]


# ---- Hashes ----

class HashProgram:
    """embedding/hashes.c without Gyre, for linking with it."""
    def __init__(self, folder, one_file):
        self.folder, self.objects = folder, []
        tests = source / "tests"
        for name in HASHES:
            unit = folder / (name.replace("/", "_") + ".o")
            done(f"{name}.c", *compiler, "-std=gnu11", "-O1", "-ffunction-sections", "-ffp-contract=off", "-Wno-psabi",
                 "-D__USE_MINGW_ANSI_STDIO=1", f"-I{tests / 'embedding/without_cmocka'}", f"-I{tests}", f"-I{source / 'kernels'}",
                 f"-I{one_file.parent}", "-c", tests / f"{name}.c", "-o", unit)
            self.objects.append(unit)

    def ran(self, *options_and_objects):
        """Its output when linked with these."""
        program = self.folder / "hashes.exe"  # the suffix of programs on Windows
        static = ["-static"] if emulator else []  # the emulator then needs no C library
        quadmath = ["-lquadmath"] if is_windows else []  # for support/windows_math.c
        linked = run(*compiler, *static, "-Wl,--gc-sections", *self.objects, *options_and_objects, "-o", program, "-lm",
                     *quadmath, "-pthread")
        if linked.returncode:
            return linked.stderr
        ran = run(*emulator, program)
        errors = re.sub(r"^wine: .*\n", "", ran.stderr, flags=re.MULTILINE)  # from Wine itself, in a new home folder
        return ran.stdout + errors + (f"exit code {ran.returncode}" if ran.returncode else "")


def printed_tables(printed):
    return re.findall(r"^(\w+ \w+): \d+ kernels$", printed, re.MULTILINE)


def check_hashes(program, unit, names, what, kernels=None, options=()):
    """All of these tables except those that only a wider CPU can run, all with the same kernels and the right bits."""
    printed = program.ran(unit, *options)
    tables, counts = printed_tables(printed), set(re.findall(r": (\d+) kernels$", printed, re.MULTILINE))
    wanted = names_of_tables(names)
    tap.check(tables and tables == wanted[:len(tables)] and len(tables) >= min(2, len(wanted)) and len(counts) == 1 and
              (kernels is None or counts == {str(kernels)}) and len(printed.splitlines()) == len(tables),
              f"hashes: {what}: {', '.join(tables)}", printed)


def check_all_hashes(folder):
    one_file = amalgamate(folder / "one file")
    again = amalgamate(folder / "again")
    tap.check(one_file.read_text() == again.read_text(), "the same again")
    more = amalgamate(folder / "with all tables", "--all").read_text()
    tap.check(re.sub(r"(?m)^#define GYRE_ALL_TABLES 1 .*\n", "", more, 1) == one_file.read_text() != more,
              "--all adds a macro and nothing else")
    unit = folder / "gyre.o"
    # Optimised enough for a fast test; gcc always optimises the kernels.
    done("no warning", *compiler, "-O1", *STRICT, *parts_of(few), "-c", one_file, "-o", unit)
    list_h = (source / "kernels/list.h").read_text()
    check_hashes(HashProgram(folder, one_file), unit, few, "all kernels", len(re.findall(r"^ +ROW\(\w+, gyre_", list_h,
                                                                                        re.MULTILINE)))
    check_undefined(unit)
    if machine in ARCHITECTURES and not emulator:
        check_instructions(unit, native=False)
    if machine == "s390x":
        check_refused(one_file, ["-std=c11"], "-std=gnu11")


# ---- Symbols ----

def symbols(unit, *options):
    return set(re.findall(r" (\w+)(?:@.*)?$", run(nm, *options, unit).stdout, re.MULTILINE))


def check_undefined(unit):
    strangers = {name for name in symbols(unit, "-u") if not re.fullmatch(UNDEFINED, name)}
    tap.check(not strangers, "neither libm nor anything else is needed", "\n".join(strangers))


def public_functions(topics):
    """The functions in the headers: those that kernels/list.h has under these topics, and those in no list."""
    declared = {function.name for function in interface.read()}
    listed = {plain: TOPICS[topic] for plain, (_, topic, _) in interface.listed().items()}
    return {name for name in declared if listed.get(name, topics[0]) in topics}


def check_exports(folder, one_file):
    (folder / "plugin.c").write_text('#include <gyre/gyre.h>\nconst char *plugin(void);\n'
                                     'const char *plugin(void) { return gyre_version(); }\n')
    parts = only("MATH", base)
    shared = [*compiler, "-shared", "-fPIC", f"-I{one_file.parent}", *parts]
    done("a plugin with Gyre inside", *shared, folder / "plugin.c", one_file, "-o", folder / "plugin.so")
    exported = symbols(folder / "plugin.so", "-D", "--defined-only")
    tap.check("plugin" in exported and not any("gyre" in name for name in exported), "it exports nothing of Gyre",
              "\n".join(exported))
    done("a shared library of Gyre", *shared, "-DGYRE_SHARED", one_file, "-o", folder / "libgyre.so")
    exported = symbols(folder / "libgyre.so", "-D", "--defined-only")
    wanted = public_functions(["MATH"])
    tap.check(exported == wanted, "it exports the public functions", "\n".join(exported ^ wanted))


# ---- Parts ----

def check_topics(folder, one_file, program):
    unit = folder / "part.o"
    for topic in TOPICS.values():
        done(f"only {topic}", *compiler, "-O1", *STRICT, *only(topic, base), "-c", one_file, "-o", unit)
        defined = {name for name in symbols(unit, "-g", "--defined-only") if not re.match("gyre_(table|scalar)_", name)}
        wanted = public_functions([topic]) | {name for name in defined if re.match("gyre_(cpu|x86)_", name)}
        tap.check(defined == wanted, f"only {topic}: the functions of this topic", "\n".join(defined ^ wanted))
        check_hashes(program, unit, [base], f"only {topic}")
    for count in [2] if is_small else range(2, len(TOPICS)):
        for topics in itertools.combinations(TOPICS.values(), count):
            ran = run(*compiler, "-fsyntax-only", *STRICT, *only(*topics, base), one_file)
            if ran.returncode or ran.stderr:
                tap.check(False, f"only {topics}", ran.stderr)
    tap.check(True, "combinations of topics")


def check_isas(one_file):
    for isa in isas:
        fused = [[], only("PORTABLE")] if isa in FUSED else [[]]
        for more in fused:
            done(f"only {isa} and {base} {' '.join(more)}", *compiler, "-fsyntax-only", *STRICT, *only(isa, base), *more,
                 one_file)
    if machine == "x86_64":
        check_refused(one_file, only("AVX2"), "no table is left that every CPU")


# ---- Options ----

def check_refused(one_file, options, message):
    ran = run(*compiler, "-fsyntax-only", *options, one_file)
    tap.check(ran.returncode != 0 and message in ran.stderr, f"refused: {' '.join(map(str, options))}", ran.stderr)


def check_standards(one_file):
    for standard in named("-std=[a-z0-9]+"):
        if run(*compiler, standard, "-fsyntax-only", "-x", "c", "/dev/null").returncode:
            tap.skip(standard, "this compiler does not know it")
        else:
            done(standard, *compiler, standard, *STRICT, *parts_of(few), "-fsyntax-only", one_file)


def check_options(folder, one_file, program):
    unit = folder / "options.o"
    (folder / "empty.c").write_text("int main(void) { return 0; }\n")
    for options in (["-O0"], ["-O2", "-g", "-std=c99"], ["-O3", "-std=gnu17", "-fPIC"], ["-Os", "-std=c11"],
                    ["-O2", "-march=native"], ["-O2", "-fno-builtin"], ["-O2", "-ffreestanding"], ["-O2", "-flto"],
                    *(["-O1", "-g", option, "-fno-sanitize-recover=all"] for option in named("-fsanitize=[a-z]+"))):
        what = " ".join(options)
        linking = [option for option in options if re.match("-flto|-fsanitize", option)]
        empty = folder / "empty"
        if run(*compiler, *linking, folder / "empty.c", "-o", empty).returncode or run(empty).returncode:
            tap.skip(what, "not even an empty program is linked and runs")
            continue
        done(what, *compiler, *options, *STRICT, *only("ROTATIONS", base), "-c", one_file, "-o", unit)
        check_hashes(program, unit, [base], what, options=linking)
    for option in ("-ffast-math", "-Ofast", "-ffinite-math-only"):
        check_refused(one_file, [option], "same bits everywhere")
    for option in ("-funsafe-math-optimizations", "-fno-signed-zeros", "-freciprocal-math") if not is_clang else ():
        check_refused(one_file, [option], "same bits everywhere")
    check_refused(one_file, ["-x", "c++"], "compile it as C")
    check_refused(one_file, ["-include", one_file], "compile it once")
    if machine == "x86_64":
        # The compiler's own headers, and stand-ins for those of a C library.
        narrow = ["-m32", "-ffreestanding", "-isystem", source / "tests/embedding/stub_headers"]
        sse = ["-msse2", "-mfpmath=sse", "-mstackrealign"]
        check_refused(one_file, [*narrow, *(["-mno-sse"] if is_clang else [])], " ".join(sse))
        done("32-bit x86", *compiler, *narrow, *sse, *STRICT, "-fsyntax-only", one_file)


def check_default(folder, one_file, program):
    """Without macros: one table, which every CPU runs."""
    unit = folder / "default.o"
    done("without macros", *compiler, "-O1", *STRICT, "-c", one_file, "-o", unit)
    printed = printed_tables(program.ran(unit))
    tap.check(printed == [f"{base.lower()} portable"], "without macros, one table", "\n".join(printed))


def check_other_names(folder, one_file, program):
    """Renamed, moved, and included in a file with other code."""
    elsewhere = folder / "some where"
    elsewhere.mkdir()
    (elsewhere / "third_party_gyre.c").write_text(one_file.read_text())
    (folder / "unity.c").write_text('#include <math.h>\n#include "some where/third_party_gyre.c"\n#include <gyre/gyre.h>\n'
                                    "float product_and_sum(float a, float b, float c);\n"
                                    "float product_and_sum(float a, float b, float c) { return a * b + c; }\n")
    unit = folder / "unity.o"
    done("renamed, in a file of others", *compiler, *STRICT, "-O1", f"-I{one_file.parent}", *only("ROTATIONS", base), "-c",
         folder / "unity.c", "-o", unit)
    check_hashes(program, unit, [base], "renamed, in a file of others")


# ---- Instructions ----

def check_instructions(unit, native):
    """native: the compiler may use the instructions of this CPU for everything."""
    found = {}
    for function, *instruction in (i for each in instructions("objdump", unit).values() for i in each):
        suffix = re.search(rf"_(({'|'.join(isas).lower()})_(portable|fused))\b", function)
        found.setdefault(suffix.group(1).upper() if suffix else "ONCE", []).append((function, *instruction))
    once = found.pop("ONCE", [])
    wanted = {table.replace(" ", "_").upper() for table in names_of_tables(few)}
    tap.check(set(found) == wanted, "instructions of every table", "\n".join(set(found) ^ wanted))
    check_none(once, is_fused, "compiled once: no fused operation")
    if not native:
        check_none(once, is_avx, "compiled once: no AVX")
    for table, its in found.items():
        check_table(table, its, machine, native)


def check_native(folder, one_file):
    unit = folder / "native.o"
    done("-O3 -march=native", *compiler, "-O3", "-march=native", *only("SPRINGS"), *parts_of(few), "-c", one_file, "-o",
         unit)
    check_instructions(unit, native=True)


with tempfile.TemporaryDirectory() as name:
    if checks == "hashes":
        check_all_hashes(pathlib.Path(name))
    else:
        folder = pathlib.Path(name)
        one_file = amalgamate(folder / "one file")
        program = HashProgram(folder, one_file)
        check_topics(folder, one_file, program)
        check_isas(one_file)
        check_standards(one_file)
        check_default(folder, one_file, program)
        check_options(folder, one_file, program)
        check_exports(folder, one_file)
        check_other_names(folder, one_file, program)
        if machine in ARCHITECTURES:
            check_native(folder, one_file)
tap.finish()
