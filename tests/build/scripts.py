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


NIGHTLY = {"thread", "nehalem", "nehalem-clang", "avx512-clang", "i686", "arm", "s390x", "windows-clang"}
ALL = {"onefile", "packages", "avx512", "aarch64", "windows", "msvc", "wasm"}
SHORT = {"gcc", "clang", "address", "embedding"}


class Release(Scripts):
    """release.sh in a repository of its own, on a machine on which nothing is installed and the user may install nothing."""

    def setUp(self):
        super().setUp()
        for name, script in ("dpkg-query", "exit 1"), ("id", "echo 1000"), ("sudo", "exit 1"), ("uname", "echo x86_64"):
            self.stand_in(name, script)
        self.project = self.root / "project"
        self.results = self.project / "bench/results/abacus/results.json"
        for folder in "tools", "kernels/spring", "bench/results/abacus":
            (self.project / folder).mkdir(parents=True)
        for name in "release.sh", "setup.sh":
            shutil.copy(TOOLS / name, self.project / "tools")
        (self.project / "README.md").write_text("<!-- python3 bench/report/excerpt.py bench/results/abacus -->\n<!-- end -->\n")
        self.results.write_text('{\n"context": {\n"code": "unknown: not a git repository",\n')
        (self.project / "kernels/spring/step-inl.h").write_text("/* a */\n")
        self.git("init", "-q")
        self.commit("first")
        self.measure()

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.project, "-c", "user.name=A", "-c", "user.email=a@b", *arguments],
                              capture_output=True, text=True, check=True).stdout

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "-q", "-m", message)

    def measure(self):
        code = self.git("log", "-1", "--date=short", "--format=commit %h of %cd").strip()
        self.results.write_text(f'{{\n"context": {{\n"code": "{code}",\n')
        self.commit("measured")

    def release(self, *options):
        run = self.sh(self.project / "tools/release.sh", *options)
        self.assertEqual(run.returncode, 1)
        return run.stderr

    def assert_refused(self, since):
        self.assertIn(f"kernels have changed since {since}", self.release())
        self.assertIn("packages are missing", self.release("--unmeasured"))

    def test_measured(self):
        (self.project / "kernels/README.md").write_text("text\n")
        self.commit("a page")
        self.assertIn("packages are missing", self.release())

    def test_changed_since(self):
        commit = self.git("rev-parse", "--short", "HEAD^").strip()
        (self.project / "kernels/spring/step-inl.h").write_text("/* b */\n")
        self.commit("changed")
        self.assert_refused(commit)
        self.measure()
        self.assertIn("packages are missing", self.release())

    def test_measured_with_local_changes(self):
        self.results.write_text(self.results.read_text().replace('",', ', with local changes",'))
        self.commit("measured")
        self.assert_refused("an unknown commit")

    def test_measured_elsewhere(self):
        self.results.write_text('{\n"context": {\n"code": "commit 1234567 of 2026-11-28",\n')
        self.commit("measured")
        self.assert_refused("1234567")

    def test_uncommitted(self):
        (self.project / "kernels/spring/step-inl.h").write_text("/* c */\n")
        self.assertIn("uncommitted changes", self.release())


class Packages(Scripts):
    """For a machine without any of the packages, and a user who may not install them."""

    def missing_of(self, *suites, cpu="fma avx2", machine="x86_64"):
        for name, script in (("dpkg-query", "exit 1"), ("id", "echo 1000"), ("sudo", "exit 1"),
                             ("uname", f"echo {machine}"), ("grep", f"case '{cpu}' in *$2*) ;; *) exit 1 ;; esac")):
            self.stand_in(name, script)
        run = self.sh(TOOLS / "test.sh", *suites)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        said, *architectures, install = run.stderr.splitlines()
        self.assertEqual(said, "packages are missing, and this user cannot install them. Run as root:")
        packages = install.split()
        self.assertEqual(packages[:2], ["apt-get", "install"])
        self.assertEqual(len(packages), len(set(packages)), "a package is named twice")
        return set(packages[2:]), [line.split()[2] for line in architectures]

    def test_the_short_form_needs_nothing_of_other_machines(self):
        packages, architectures = self.missing_of()
        self.assertEqual(architectures, [])
        self.assertLessEqual({"gcc", "clang", "libcmocka-dev", "libtbb-dev", "python3-matplotlib", "sollya"}, packages)
        foreign = re.compile(":|-cross$|linux-gnu|qemu|bochs|mingw|chromium")
        self.assertEqual([package for package in packages if foreign.search(package)], [])

    def test_each_suite_needs_its_own_and_each_form_what_its_suites_need(self):
        forms = {form: self.missing_of(*words) for form, words in (("short", []), ("all", ["all"]),
                                                                   ("nightly", ["nightly"]))}
        self.assertEqual([sorted(architectures) for _, architectures in forms.values()],
                         [[], ["arm64"], ["arm64", "armhf", "i386", "s390x"]])
        own = {"gcc": "libbenchmark-dev", "clang": "libc++-dev", "embedding": "cmake", "onefile": "musl-tools",
               "packages": "debhelper", "address": "libclang-rt-dev", "thread": "libomp-dev", "nehalem": "qemu-user",
               "avx512": "bochs", "nehalem-clang": "libomp-dev", "avx512-clang": "xorriso", "windows": "wine64",
               "windows-clang": "clang", "msvc": "lld", "wasm": "firefox-esr", "aarch64": "libcmocka-dev:arm64",
               "arm": "libcmocka-dev:armhf", "i686": "libcmocka-dev:i386", "s390x": "libcmocka-dev:s390x"}
        self.assertEqual(own.keys(), SHORT | ALL | NIGHTLY)
        for suite, package in own.items():
            with self.subTest(suite):
                packages, architectures = self.missing_of(suite)
                self.assertIn(package, packages)
                self.assertEqual(architectures, [package.split(":")[1]] if ":" in package else [])
                self.assertLessEqual(packages, forms["nightly"][0])
                if suite not in NIGHTLY:
                    self.assertLessEqual(packages, forms["all"][0])
                if suite in SHORT:  # benchmarks are in `all`
                    self.assertLessEqual(packages - {"libbenchmark-dev"}, forms["short"][0])

    def test_no_emulator_for_a_cpu_that_has_avx512(self):
        self.assertNotIn("bochs", self.missing_of("avx512", cpu="avx2 avx512f")[0])

    def test_no_x86_is_emulated_elsewhere(self):
        self.assertEqual(self.missing_of("nehalem", "avx512", machine="aarch64")[0] & {"qemu-user", "bochs"}, set())

    def test_an_unknown_suite(self):
        for words in (["gcc", "icc"], ["all", "icc"], ["gcc", "all"]):
            run = self.sh(TOOLS / "test.sh", *words)
            self.assertEqual(run.returncode, 2)
            self.assertRegex(run.stderr, "^unknown suite '(icc|all)'; expected one of: gcc clang .*exhaustive\n$")


class Forms(Scripts):
    """Runs tools/test.sh in its own folder, where Meson is a stand-in with one test that passes."""

    MESON = r"""case $* in
        setup*)
            mkdir -p $2/meson-info $2/meson-logs
            echo '[{"name": "b", "depends": ["t"]}]' >$2/meson-info/intro-tests.json
            printf '[{"id": "t", "filename": ["%s/tests/b"]}]' $2 >$2/meson-info/intro-targets.json ;;
        *--list*) echo 'gyre:a / b' ;;
        test*)
            echo '{"name": "gyre:a / b", "result": "OK"}' >$3/meson-logs/testlog.json
            echo '<testsuites><testsuite><testcase classname="gyre" name="gyre:a / b"/></testsuite></testsuites>' \
                >$3/meson-logs/testlog.junit.xml ;;
        esac"""

    def setUp(self):
        super().setUp()
        for folder, names in (("tools", ["test.sh", "setup.sh"]), ("tests/support", ["count_results.py", "needed.py"])):
            (self.root / folder).mkdir(parents=True)
            for name in names:
                shutil.copy(TOOLS.parent / folder / name, self.root / folder)
        self.asked_file, self.built_file = self.root / "asked", self.root / "built"
        self.all_is_installed()
        self.stand_in("clang", "")
        self.stand_in("ninja", f"echo $* >>{self.built_file}")
        self.stand_in("meson", f'echo "${{GYRE_TEST_EFFORT-full}} $CC $*" >>{self.asked_file}\n{self.MESON}')

    def asked_of(self, *words):
        """Returns [(effort, compiler, words of the command)] of every run of Meson, and the output."""
        run = self.sh(self.root / "tools/test.sh", *words)
        self.assertEqual((run.returncode, run.stderr), (0, ""), run.stdout)
        asked = [line.split(" ", 2) for line in self.asked_file.read_text().splitlines()]
        self.asked_file.unlink()
        return [(effort, compiler, command.split()) for effort, compiler, command in asked], run.stdout

    @staticmethod
    def runs_among(asked):
        return [(effort, compiler, command) for effort, compiler, command in asked
                if command[0] == "test" and "--list" not in command]

    def test_the_short_form(self):
        asked, printed = self.asked_of()
        tests = self.runs_among(asked)
        self.assertEqual([compiler for _, compiler, _ in tests], ["gcc", "clang", "clang", "gcc"])
        for effort, _, command in tests:
            self.assertEqual(effort, "small")
            self.assertIn("--no-suite long --no-suite nightly", " ".join(command))
        sanitized = [command for _, compiler, command in asked if "-Db_sanitize=address,undefined" in command]
        self.assertEqual(len(sanitized), 1)
        self.assertRegex(printed, "`sh tools/test.sh all`[^\n]* adds: (.*\n){1,2}4 passed, 0 failed\n$")

    def test_a_suite_by_name_is_run_in_full(self):
        asked, printed = self.asked_of("gcc")
        [(effort, _, command)] = self.runs_among(asked)
        self.assertEqual(effort, "full")
        self.assertNotIn("long", command)
        self.assertNotIn("nightly", command)
        self.assertNotIn("test.sh all", printed)
        self.assertTrue(printed.endswith("\n1 passed, 0 failed\n"), printed)

    def test_one_build_serves_all_suites_of_a_compiler(self):
        """Configuring again uses the same options, or everything would be compiled again."""
        asked, _ = self.asked_of("gcc", "embedding", "onefile", "packages")
        builds = {command[-5 if command[0] == "setup" else 2] for _, _, command in asked}
        self.assertEqual(len({build for build in builds if build.endswith("/gcc")}), 1)
        self.assertEqual(set(self.built_file.read_text().splitlines()), {f"-C {self.root}/build-test/gcc tests/b"})
        first, *again = [command for _, _, command in asked if command[0] == "setup"]
        for command in again:
            self.assertLessEqual({word for word in command if word.startswith("-D")}, set(first))

    def test_what_failed_is_named_with_its_logs(self):
        self.stand_in("meson", self.MESON.replace('"OK"', '"TIMEOUT"').replace("junit.xml ;;", "junit.xml; exit 1 ;;"))
        run = self.sh(self.root / "tools/test.sh", "gcc")
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"gcc failed: see {self.root}/build-test/results/gcc", run.stdout)
        self.assertTrue((self.root / "build-test/results/gcc/testlog.json").exists())
        self.assertTrue(run.stdout.endswith("\n0 passed, 1 failed\n"), run.stdout)


class OtherSystems(Scripts):
    def test_need_names_all_and_goes_on(self):
        (self.programs / "dirname").symlink_to(shutil.which("dirname"))
        run = subprocess.run(["/bin/sh", "-c", '. "$0"; need "$@"; echo went on', TOOLS / "setup.sh", "gcc", "meson"],
                             capture_output=True, text=True, env={"PATH": str(self.programs)})
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"dpkg-query not found: .*: gcc meson\nwent on\n$")


class Configure(Scripts):
    def setUp(self):
        super().setUp()
        self.build = self.root / "build"
        self.stand_in("meson", r'printf "%s\n" "$@"')

    def configured(self):
        """Returns how it ended, and the arguments that Meson got."""
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
        self.assertIn(f"cannot write to {self.build.parent}", run.stderr)

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
        self.stand_in("python3", f'[ "$1" = -c ] || echo "$@ $PYTHONPATH $LD_LIBRARY_PATH" >>{self.root}/drawn')
        run = self.sh(tools / "demo.sh")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual((self.root / "built").read_text(), f"-C {self.root}/build tools/gyre\n")
        ran = [line.split()[0] for line in (self.root / "ran").read_text().splitlines()]
        self.assertEqual(ran, ["info", "simulate", "simulate"])
        self.assertEqual((self.root / "drawn").read_text().splitlines(), [
            f"-m gyre.plot {picture} --output {self.root}/build/{picture}.{kind} {tools}/bindings/python {self.root}/build/kernels"
            for picture in ("springs", "tumble") for kind in ("svg", "png")])


class Bench(Scripts):
    """Runs tools/bench.sh in its own folder, where every program is a stand-in that only exits."""

    def setUp(self):
        super().setUp()
        for folder in ("tools", "bench/report", "build-bench/bench", "build-bench/meson-logs"):
            (self.root / folder).mkdir(parents=True)
        for name in ("bench.sh", "setup.sh"):
            shutil.copy(TOOLS / name, self.root / "tools")
        (self.root / "bench" / "report" / "mca.py").touch()
        (self.root / "bench" / "report" / "merge.py").write_text("import sys; print('merged', *sys.argv[1:])\n")
        (self.root / "bench" / "report" / "report.py").write_text("import sys; print(*sys.argv[1:], 'the page', sep='\\n')\n")
        shutil.copy(TOOLS.parent / "bench/report/results.py", self.root / "bench/report")
        self.git(log="echo commit 1234567 of 2026-01-31")
        (self.root / "build-bench" / "build.ninja").touch()
        self.all_is_installed()
        self.stand_in("meson", "")
        self.stand_in("ninja", "")
        for program in (TOOLS.parent / "bench").glob("*/bench.cc"):
            self.program(program.parent.name, "echo rows; exit 0")

    def program(self, topic, script):
        self.stand_in(f"bench_{topic}", script, self.root / "build-bench" / "bench")

    def git(self, log, status=""):
        self.stand_in("git", f'case $* in *" log "*) {log} ;; *" status "*) printf "{status}" ;; esac')

    def code_measured(self):
        """The page gets a description of the measured code."""
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
            self.assertIn(f"bench_{name} failed with exit code {code}; its output: {rows}/{name}.1.txt\n", run.stderr)
        self.assertTrue(run.stderr.endswith("failed: bench_particle bench_math bench_body\n"))
        self.assertTrue(run.stdout.endswith("the page\n"), "the rows of the others stand")
        self.assertEqual((rows / "spring.3.txt").read_text(), "rows\n")
