"""Builds Gyre in the project of parent/, with CMake and with Meson, and installs it for the programs of consumer/.

usage: embedding/projects.py CMAKE MESON PKG_CONFIG SOURCE BUILD C_COMPILER... -- CXX_COMPILER...

BUILD is a Meson build of Gyre alone. The others must compute the same bits; CMake must also use the same compiler
options and install the same files. With GYRE_TEST_EFFORT=small, the parent projects build two tables.
"""
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import tap

HERE = pathlib.Path(__file__).parent
SPRING = "0x1.935c5ep+6\n"  # the output of parent/program.cc
NO_SIMDE = ["-DCMAKE_FIND_ROOT_PATH=/nowhere", "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY"]
HARD = "-Ofast -march=native -flto -ffp-contract=fast -Wpadded -Werror"  # as in parent/CMakeLists.txt
LOAD = "import ctypes, sys; ctypes.CDLL(sys.argv[1]); print('kept' if sys.float_info.min / 2 else 'flushed')"
STRICT = "-DCMAKE_C_FLAGS=-Wall -Wextra -Wconversion -Werror"
cmake, meson, pkg_config = sys.argv[1:4]
source, build = map(pathlib.Path, sys.argv[4:6])
c_compiler, cxx_compiler = " ".join(sys.argv[6:]).split(" -- ")
environment = {name: value for name, value in os.environ.items() if not name.endswith("FLAGS") and name != "DESTDIR"}
environment |= {"CC": c_compiler, "CXX": cxx_compiler}
options = {option["name"]: option["value"]
           for option in json.loads((build / "meson-info/intro-buildoptions.json").read_text())}
NARROW = {"x86_64": "sse2", "aarch64": "neon"}.get(platform.machine(), "scalar") + "-portable"
WIDER = {"x86_64": ["avx2-fused"], "aarch64": ["neon-fused"]}.get(platform.machine(), [])
ALL = options["tables"]
TABLES = [NARROW, *WIDER] if os.environ.get("GYRE_TEST_EFFORT") == "small" else ALL
VERSION = re.search(r'GYRE_VERSION "(.*)"', (source / "include/gyre/gyre.h").read_text()).group(1)


def run(*command, **variables):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment | variables)


def succeeds(name, *command, **variables):
    """Returns its output. After a failure nothing else could pass."""
    ran = run(*command, **variables)
    tap.check(ran.returncode == 0, name, f"exit code {ran.returncode}\n{ran.stdout[-4000:]}{ran.stderr[-4000:]}")
    if ran.returncode:
        tap.finish()
    return ran.stdout


# ---- Compiler options of both builds ----

def options_of(command):
    """Those that affect results. Of repeated options, the last is used."""
    words = [word for word in shlex.split(command) if re.match(r"-(D|m|f|std)", word) and not re.match(
        r"-D_FILE|-DGYRE_(STATIC|LIBRARY_ITSELF)$|-f(PIC|visibility|diagnostics|stack-usage|(no-)?sanitize)", word)]
    anywhere = sorted({word for word in words if re.match("-D|-std", word)})
    return anywhere + [word for i, word in enumerate(words) if word not in anywhere and word not in words[i + 1:]]


def units_of(folder):
    """The library's files, with the table that each is compiled for, and the command."""
    units = {}
    for entry in json.loads((folder / "compile_commands.json").read_text()):
        file = pathlib.Path(entry["directory"], entry["file"]).resolve()
        table = re.search(r"-DGYRE_TABLE=(\w+)", entry["command"])
        if file.is_relative_to(source / "kernels"):
            units[f"{file.relative_to(source)} {table.group(1) if table else ''}".strip()] = entry["command"]
    return units


def compare_options(folder):
    succeeds("Gyre alone", cmake, "-S", source, "-B", folder, f"-DGYRE_TABLES={';'.join(ALL)}",
             "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    ours, theirs = units_of(folder), units_of(build)
    tap.check(ours and ours.keys() == theirs.keys(), "the same units as in Meson", f"{sorted(ours)}\n{sorted(theirs)}")
    for unit in sorted(ours.keys() & theirs.keys()):
        got, wanted = options_of(ours[unit]), options_of(theirs[unit])
        tap.check(got == wanted, f"{unit}: the options of Meson", f"{' '.join(got)}\n{' '.join(wanted)}")
        tap.check("-O3" in ours[unit].split(), f"{unit}: optimised whatever the build type", ours[unit])


# ---- Missing requirements ----

def refused(name, folder, said, *arguments):
    ran = run(cmake, "-S", source, "-B", folder / name, *arguments)
    tap.check(ran.returncode and said in ran.stderr, name, ran.stdout + ran.stderr)


def say_what_is_missing(folder):
    refused("no such table", folder, "GYRE_TABLES: unknown table vax-portable", "-DGYRE_TABLES=vax-portable")
    if platform.machine() != "x86_64":
        return
    refused("no table that every CPU runs", folder, "every CPU runs: scalar-portable", "-DGYRE_TABLES=avx2-fused")
    refused("no SIMDe", folder, "install them (Debian: libsimde-dev)", *NO_SIMDE, "-DGYRE_DOWNLOAD=OFF")
    wrap = dict(re.findall(r"(\w+) = (.*)", (source / "subprojects/simde.wrap").read_text()))
    address = f"{wrap['url'].removesuffix('.git')}/archive/{wrap['revision']}.tar.gz"
    downloaded = folder / "simde"
    downloaded.mkdir()
    said = succeeds("SIMDe is downloaded", cmake, "-S", source, "-B", folder / "download", *NO_SIMDE,
                    f"-DFETCHCONTENT_SOURCE_DIR_SIMDE={downloaded}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
    tap.check(address in said, "from the address of the wrap", said)
    tap.check(f"-isystem {downloaded}" in (folder / "download/compile_commands.json").read_text(), "and used")


# ---- In a project with difficult options ----

def leaves_nothing_to_the_linker(kind, folder):
    objects = [path for path in folder.rglob("*.o") if re.search("table|inertia", path.name)]
    left = [path.name for path in objects if b".gnu.lto_" in path.read_bytes()]
    tap.check(len(objects) > 1 and not left, f"{kind}: no kernel is left to the linker", str(left))


def build_parent(kind, tables, folder, installed):
    succeeds(f"{kind}: a parent project", cmake, "-S", HERE / "parent", "-B", folder, f"-DGYRE={source}",
             f"-DGYRE_TABLES={';'.join(tables)}",
             f"-DBUILD_SHARED_LIBS={'ON' if kind == 'shared' else 'OFF'}", "-DGYRE_INSTALL=ON",
             f"-DCMAKE_INSTALL_LIBDIR={options['libdir']}")
    succeeds(f"{kind}: it builds", cmake, "--build", folder, "--parallel")
    printed = succeeds(f"{kind}: its program runs", folder / "program")
    tap.check(printed == SPRING, f"{kind}: its program has the bits of others", printed)
    leaves_nothing_to_the_linker(kind, folder)
    succeeds(f"{kind}: it installs Gyre", cmake, "--install", folder, "--prefix", installed)


def build_parent_with_meson(folder):
    parent, kind = folder / "parent", "Meson"
    shutil.copytree(HERE / "parent", parent)
    (parent / "subprojects").mkdir()
    (parent / "subprojects/gyre").symlink_to(source)
    succeeds(f"{kind}: a parent project", meson, "setup", folder / "build", parent, f"-Dtable={NARROW}", CFLAGS=HARD)
    succeeds(f"{kind}: it builds", meson, "compile", "-C", folder / "build")
    printed = succeeds(f"{kind}: its program runs", folder / "build/program")
    tap.check(printed == SPRING, f"{kind}: its program has the bits of others", printed)
    leaves_nothing_to_the_linker(kind, folder)
    compare_bits(kind, folder / "build/subprojects/gyre/kernels")


def compare_bits(kind, libraries):
    """All kernels with all tables, by BUILD's test; and subnormal numbers in a process that loads the library."""
    test = build / "tests/test_guarantees_isas"
    used = run("ldd", test, LD_LIBRARY_PATH=str(libraries)).stdout
    tap.check(f"=> {libraries}/libgyre" in used, f"{kind}: its library is the tested one", used)
    printed = succeeds(f"{kind}: its library is loaded", sys.executable, "-c", LOAD, libraries / "libgyre.so")
    tap.check(printed == "kept\n", f"{kind}: subnormal numbers are kept", printed)
    succeeds(f"{kind}: its bits are the expected ones", test, LD_LIBRARY_PATH=str(libraries), GYRE_TEST_EFFORT="small")


# ---- Installed ----

def tree(root):
    """The library's files, without those of the program."""
    paths = (path for part in ("include", options["libdir"], "share/doc") for path in (root / part).rglob("*"))
    return {path.relative_to(root).as_posix(): os.readlink(path) if path.is_symlink() else path.read_bytes()
            for path in paths if not path.is_dir()}


def compare_installed(ours, theirs):
    ours, theirs = tree(ours), tree(theirs)
    tap.check(ours and ours.keys() == theirs.keys(), "the same files as Meson installs",
              "\n".join(sorted(ours.keys() ^ theirs.keys())))
    tap.check("share/doc/gyre/LICENSE" in ours, "with the licence", "\n".join(ours))
    differ = [name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name]]
    expected = [name for name in differ if re.search(r"/libgyre\.(a|so\.[0-9.]+)$|/gyre\.pc$", name)]
    tap.check(differ == expected, "with the same contents", "\n".join(differ))


def flags_of(root, **variables):
    folder = root / options["libdir"] / "pkgconfig"
    variables |= {"PKG_CONFIG_LIBDIR": str(folder)}
    printed = succeeds("pkg-config", pkg_config, "--cflags", "--libs", "gyre", **variables)
    version = succeeds("its version", pkg_config, "--modversion", "gyre", **variables)
    return [re.sub(r"(?<=-[IL]).*", lambda path: os.path.relpath(os.path.realpath(path[0]), root.resolve()), word)
            for word in shlex.split(printed)] + [version]


def find(name, root, folder):
    major, minor, patch = map(int, VERSION.split("."))
    wanted = {f"{major}.{minor}": "1", VERSION: "1", f"{major}.{minor}.{patch + 1}": "0", f"{major}.{minor + 1}": "0",
              f"{major + 1}": "0", "0.0": "0", f"0.0...{VERSION}": "1", f"0.0...<{VERSION}": "0"}
    said = succeeds(f"find_package, {name}", cmake, "-S", HERE / "consumer", "-B", folder, STRICT,
                    f"-DCMAKE_PREFIX_PATH={root}", f"-DVERSIONS={';'.join(wanted)}")
    found = dict(re.findall(r"-- gyre (.*): (.)", said))
    tap.check(found == wanted, f"for the versions that fit, {name}", f"{found}\n{wanted}")
    succeeds(f"programs build, {name}", cmake, "--build", folder, "--parallel")
    printed = {kind: succeeds(f"{kind} runs, {name}", folder / f"with_{kind}") for kind in ("gyre", "static", "shared")}
    tap.check(len(set(printed.values())) == 1, f"all print the same, {name}", str(printed))
    linked = {kind: re.findall(r"libgyre\S+ =>", run("ldd", folder / f"with_{kind}").stdout) for kind in printed}
    soname = [f"libgyre.so.{major}.{minor} =>"]
    asked = {"gyre": soname, "static": [], "shared": soname}
    tap.check(linked == asked, f"and use the requested version, {name}", str(linked))
    for host in ("static", "shared"):
        for plugin in ("static", "shared"):
            printed = succeeds(f"host {host}, plugin {plugin}, {name}", folder / f"host_{host}",
                               folder / f"libplugin_{plugin}.so")
            gyres = "one Gyre" if host == plugin == "shared" else "two Gyres"
            tap.check(printed == f"{gyres}, the same bits\n", f"host {host}, plugin {plugin}: {gyres}, {name}", printed)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        compare_options(folder / "alone")
        say_what_is_missing(folder)
        build_parent("static", [NARROW], folder / "static", folder / "installed")
        build_parent("shared", TABLES, folder / "shared", folder / "installed")
        moved, theirs = folder / "moved", folder / "meson"
        (folder / "installed").rename(moved)
        compare_bits("shared", moved / options["libdir"])
        build_parent_with_meson(folder / "with-meson")
        succeeds("meson install", meson, "install", "-C", build, "--no-rebuild", "--destdir", theirs)
        theirs_root = theirs / options["prefix"].lstrip("/")
        compare_installed(moved, theirs_root)
        ours, wanted = flags_of(moved), flags_of(theirs_root, PKG_CONFIG_SYSROOT_DIR=str(theirs))
        tap.check(ours == wanted, "pkg-config gives the same", f"{ours}\n{wanted}")
        find("installed by CMake", moved, folder / "find-cmake")
        find("installed by Meson", theirs_root, folder / "find-meson")
    tap.finish()


main()
