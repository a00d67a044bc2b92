"""Tests of the scripts in tools/, with stand-ins for the programs that they call."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.programs = self.root / "programs"
        self.programs.mkdir()
        self.stand_in("apt-get", "echo apt-get was called >&2; exit 100")
        self.stand_in("apt-cache", "")

    def all_is_installed(self):
        self.stand_in("dpkg-query", 'for package; do echo " $package $package install ok installed"; done')

    def stand_in(self, name, script, folder=None):
        file = (folder or self.programs) / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def sh(self, *arguments):
        return subprocess.run(["sh", *arguments], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"})


class Packages(Scripts):
    """Of a machine that has no package, and of a user who may install none."""

    def missing_of(self, *suites, cpu="fma avx2", machine="x86_64"):
        self.stand_in("dpkg-query", "exit 1")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", "exit 1")
        self.stand_in("uname", f"echo {machine}")
        self.stand_in("grep", f"""case $* in
            *avx512f*) echo '{cpu}' | /bin/grep -qw avx512f ;;
            *) /bin/grep "$@" ;;
        esac""")
        run = self.sh(TOOLS / "test.sh", *suites)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        said, *architectures, install = run.stderr.splitlines()
        self.assertEqual(said, "missing packages, and not root. Please have root run:")
        packages = install.split()
        self.assertEqual(packages[:2], ["apt-get", "install"])
        self.assertEqual(len(packages), len(set(packages)), "some package is named twice")
        return set(packages[2:]), [line.split()[2] for line in architectures]

    def test_the_quick_suite_needs_nothing_of_other_machines(self):
        packages, architectures = self.missing_of("gcc")
        self.assertEqual(architectures, [])
        self.assertLessEqual({"gcc", "libcmocka-dev", "libbenchmark-dev", "libtbb-dev", "gnuplot-nox", "sollya"},
                             packages)
        foreign = re.compile(":|-cross$|linux-gnu|clang|qemu|bochs")
        self.assertEqual([package for package in packages if foreign.search(package)], [])

    def test_each_suite_needs_its_own(self):
        for suite, own, architectures in (
                ("clang", {"clang"}, []), ("embedding", {"cmake"}, []),
                ("onefile", {"clang", "gcc-riscv64-linux-gnu"}, []), ("packages", {"debhelper", "ruby"}, []),
                ("address", {"libclang-rt-dev"}, []), ("thread", {"libomp-dev"}, []),
                ("nehalem", {"qemu-user"}, []), ("avx512", {"bochs", "xorriso"}, []),
                ("nehalem-clang", {"qemu-user", "libomp-dev"}, []), ("avx512-clang", {"bochs", "libomp-dev"}, []),
                ("aarch64", {"qemu-user", "g++-aarch64-linux-gnu", "libbenchmark-dev:arm64"}, ["arm64"]),
                ("arm", {"qemu-user", "g++-arm-linux-gnueabihf", "libcmocka-dev:armhf"}, ["armhf"]),
                ("i686", {"qemu-user", "g++-i686-linux-gnu", "libcmocka-dev:i386"}, ["i386"]),
                ("s390x", {"qemu-user", "g++-s390x-linux-gnu", "libcmocka-dev:s390x"}, ["s390x"])):
            packages, added = self.missing_of(suite)
            self.assertEqual((own - packages, added), (set(), architectures), suite)

    def test_all_suites_ask_once_for_all(self):
        everyday, architectures = self.missing_of()
        self.assertEqual(architectures, ["arm64", "armhf"])
        nightly, architectures = self.missing_of("nightly")
        self.assertEqual(architectures, ["arm64", "armhf", "i386", "s390x"])
        for suite in ("gcc", "clang", "embedding", "onefile", "packages", "address", "nehalem", "avx512", "aarch64",
                      "arm", "windows", "msvc", "wasm"):
            self.assertLessEqual(self.missing_of(suite)[0], everyday, suite)
        for suite in ("onefile-all", "thread", "nehalem-clang", "avx512-clang", "i686", "s390x", "windows-clang"):
            self.assertLessEqual(self.missing_of(suite)[0], nightly, suite)
        self.assertLessEqual(everyday, nightly)

    def test_no_emulator_for_a_cpu_that_has_avx512(self):
        self.assertNotIn("bochs", self.missing_of("avx512", cpu="avx2 avx512f")[0])

    def test_no_x86_is_emulated_elsewhere(self):
        self.assertEqual(self.missing_of("nehalem", "avx512", machine="aarch64")[0] & {"qemu-user", "bochs"}, set())

    def test_an_unknown_suite(self):
        run = self.sh(TOOLS / "test.sh", "gcc", "icc")
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, "^no suite is called 'icc'; there are: gcc clang .*exhaustive\n$")


class OtherSystems(Scripts):
    def test_need_names_all_and_goes_on(self):
        (self.programs / "dirname").symlink_to(shutil.which("dirname"))
        run = subprocess.run(["/bin/sh", "-c", '. "$0"; need "$@"; echo went on', TOOLS / "setup.sh", "gcc", "meson"],
                             capture_output=True, text=True, env={"PATH": str(self.programs)})
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"no dpkg-query .*: gcc meson\nwent on\n$")


class Configure(Scripts):
    def setUp(self):
        super().setUp()
        self.build = self.root / "build"
        self.stand_in("meson", r'printf "%s\n" "$@"')

    def configured(self):
        """How it ended, and what Meson was asked for."""
        run = self.sh("-c", '. "$0"; configure "$@"', TOOLS / "setup.sh", self.build, "-Dtools=enabled")
        log = self.root / "build.log"
        return run, log.read_text() if log.exists() else None

    def is_set_up(self, *how):
        run, asked = self.configured()
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(asked.splitlines(), ["setup", *how, str(self.build), str(TOOLS.parent), "-Dtools=enabled"])

    def test_no_folder(self):
        self.is_set_up()

    def test_an_empty_folder(self):
        self.build.mkdir()
        self.is_set_up()

    def test_a_build_folder(self):
        self.build.mkdir()
        (self.build / "build.ninja").touch()
        self.is_set_up("--reconfigure")
        self.assertTrue((self.build / "build.ninja").exists())

    def test_a_folder_of_an_earlier_failure(self):
        (self.build / "meson-logs").mkdir(parents=True)
        (self.build / "leftover").touch()
        self.is_set_up()
        self.assertFalse(self.build.exists())

    def test_what_is_not_of_meson_stays(self):
        for name in ("CMakeCache.txt", ".hidden"):
            self.build.mkdir()
            (self.build / name).write_text("mine")
            run, asked = self.configured()
            self.assertEqual((run.returncode, run.stdout, asked), (1, "", None))
            self.assertIn(f"{self.build} is in the way", run.stderr)
            self.assertEqual((self.build / name).read_text(), "mine")
            (self.build / name).unlink()
            self.build.rmdir()

    def test_a_file_stays(self):
        self.build.write_text("mine")
        run, asked = self.configured()
        self.assertEqual((run.returncode, asked), (1, None))
        self.assertEqual(self.build.read_text(), "mine")

    def test_nowhere_to_write(self):
        self.build = self.root / "missing" / "build"
        run, asked = self.configured()
        self.assertEqual((run.returncode, run.stdout, asked), (1, "", None))
        self.assertIn(f"{self.build.parent} cannot be written to", run.stderr)

    def test_a_failure_says_what_meson_said(self):
        self.stand_in("meson", "echo no compiler; exit 1")
        run, _ = self.configured()
        self.assertEqual((run.returncode, run.stdout), (1, "no compiler\n"))


class Demo(Scripts):
    def test_anything_but_a_scene(self):
        for arguments in (["--help"], ["missing.json"], [os.devnull, "more"]):
            run = self.sh(TOOLS / "demo.sh", *arguments)
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("usage: sh tools/demo.sh [SCENE.json]", run.stderr)

    def test_builds_the_program_alone(self):
        tools = self.root / "tools"
        tools.mkdir()
        for name in ("demo.sh", "setup.sh"):
            shutil.copy(TOOLS / name, tools)
        self.all_is_installed()
        self.stand_in("meson", f"mkdir -p {self.root}/build/tools")
        self.stand_in("ninja", f'echo "$@" >>{self.root}/built; cp {self.programs}/gyre {self.root}/build/tools/')
        self.stand_in("gyre", f'echo "$@" >>{self.root}/ran')
        run = self.sh(tools / "demo.sh")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual((self.root / "built").read_text(), f"-C {self.root}/build tools/gyre\n")
        ran = [line.split()[0] for line in (self.root / "ran").read_text().splitlines()]
        self.assertEqual(ran, ["info", "simulate", "simulate"] + 4 * ["plot"])


class Bench(Scripts):
    """tools/bench.sh in a folder of its own, where every program is a stand-in that does nothing but end."""

    def setUp(self):
        super().setUp()
        for folder in ("tools", "bench/report", "build-bench/bench", "build-bench/meson-logs"):
            (self.root / folder).mkdir(parents=True)
        for name in ("bench.sh", "setup.sh"):
            shutil.copy(TOOLS / name, self.root / "tools")
        (self.root / "bench" / "report" / "mca.py").touch()
        (self.root / "bench" / "report" / "merge.py").write_text("import sys; print('merged', *sys.argv[1:])\n")
        (self.root / "bench" / "report" / "report.py").write_text("import sys; print(*sys.argv[1:], 'the page', sep='\\n')\n")
        self.git(log="echo commit 1234567 of 2026-01-31")
        (self.root / "build-bench" / "build.ninja").touch()
        self.all_is_installed()
        self.stand_in("meson", "")
        self.stand_in("ninja", "")
        for topic in ("kernels", "spring", "particle", "math", "rotation", "body", "memory"):
            self.program(topic, "echo rows; exit 0")

    def program(self, topic, script):
        self.stand_in(f"bench_{topic}", script, self.root / "build-bench" / "bench")

    def git(self, log, status=""):
        self.stand_in("git", f'case $* in *" log "*) {log} ;; *" status "*) printf "{status}" ;; esac')

    def code_measured(self):
        """What the page is told about the code that was measured."""
        run = self.sh(self.root / "tools" / "bench.sh")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        *_, rows, results, code, page = run.stdout.splitlines()
        self.assertEqual((rows, results, page),
                         (f"{self.root}/build-bench/rows", f"{self.root}/bench/results", "the page"))
        self.assertNotIn("merged", run.stdout)
        return code

    def test_all_measured(self):
        self.assertEqual(self.code_measured(), "commit 1234567 of 2026-01-31")

    def test_code_with_changes(self):
        self.git(log="echo commit 1234567 of 2026-01-31", status=" M kernels/status.c")
        self.assertEqual(self.code_measured(), "commit 1234567 of 2026-01-31, with local changes")

    def test_code_outside_of_a_repository(self):
        self.git(log="exit 128")
        self.assertEqual(self.code_measured(), "unknown: not a git repository")

    def test_all_runs_count(self):
        self.program("spring", 'for last; do true; done; touch "${last#--json=}"')
        run = self.sh(self.root / "tools" / "bench.sh", "full")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        rows = self.root / "build-bench" / "rows"
        self.assertIn(f"merged {rows}/spring.json {rows}/spring.1.json {rows}/spring.2.json {rows}/spring.3.json\n",
                      run.stdout)

    def test_which_program_failed_and_how(self):
        rows = self.root / "build-bench" / "rows"
        self.program("particle", "echo 'FAILED, not timed: uniform/gcc/64: off' >&2; exit 1")
        self.program("math", "kill -SEGV $$")
        (self.root / "build-bench" / "bench" / "bench_body").unlink()
        run = self.sh(self.root / "tools" / "bench.sh")
        self.assertEqual(run.returncode, 1)
        for name, code in (("particle", 1), ("math", 139), ("body", 127)):
            self.assertIn(f"bench_{name} ended with exit code {code}; what it printed: {rows}/{name}.1.txt\n", run.stderr)
        self.assertTrue(run.stderr.endswith("failed: bench_particle bench_math bench_body\n"))
        self.assertTrue(run.stdout.endswith("the page\n"), "the rows of the others stand")
        self.assertEqual((rows / "spring.3.txt").read_text(), "rows\n")
