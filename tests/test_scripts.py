"""Tests of the scripts in tools/, with stand-ins for the programs that they call."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parents[1] / "tools"


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.programs = self.root / "programs"
        self.programs.mkdir()

    def stand_in(self, name, script, folder=None):
        file = (folder or self.programs) / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def sh(self, *arguments):
        return subprocess.run(["sh", *arguments], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"})


class Packages(Scripts):
    """Of a machine that has no package, and of a user who may install none."""

    def missing_of(self, *suites, cpu="fma avx2"):
        self.stand_in("dpkg-query", "exit 1")
        self.stand_in("id", "echo 1000")
        self.stand_in("sudo", "exit 1")
        self.stand_in("uname", "echo x86_64")
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
                ("clang", {"clang"}, []), ("address", {"libclang-rt-dev"}, []), ("thread", {"libomp-dev"}, []),
                ("nehalem", {"qemu-user"}, []), ("avx512", {"bochs", "xorriso"}, []),
                ("aarch64", {"qemu-user", "g++-aarch64-linux-gnu", "libbenchmark-dev:arm64"}, ["arm64"]),
                ("arm", {"qemu-user", "g++-arm-linux-gnueabihf", "libcmocka-dev:armhf"}, ["armhf"])):
            packages, added = self.missing_of(suite)
            self.assertEqual((own - packages, added), (set(), architectures), suite)

    def test_all_suites_ask_once_for_all(self):
        packages, architectures = self.missing_of()
        self.assertEqual(architectures, ["arm64", "armhf"])
        for suite in ("gcc", "clang", "address", "thread", "nehalem", "avx512", "aarch64", "arm"):
            self.assertLessEqual(self.missing_of(suite)[0], packages, suite)

    def test_no_emulator_for_a_cpu_that_has_avx512(self):
        self.assertNotIn("bochs", self.missing_of("avx512", cpu="avx2 avx512f")[0])

    def test_an_unknown_suite(self):
        run = self.sh(TOOLS / "test.sh", "gcc", "icc")
        self.assertEqual((run.returncode, run.stderr), (2, "no suite is called 'icc'\n"))
