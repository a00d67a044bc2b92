"""Builds the Debian packages from a release, inspects and unpacks them, and runs their own tests."""
import json
import os
import pathlib
import re
import shutil
import tempfile
import unittest

from release import PAGES, PYTHON_FILES, SOURCE, VERSION, make_archive, run

SOVERSION = ".".join(VERSION.split(".")[:2])
LIBRARY = f"libgyre{SOVERSION}"
# Each package's files, apart from documentation; * is the folder of the architecture.
CONTENTS = {
    LIBRARY: {f"usr/lib/*/libgyre.so.{SOVERSION}", f"usr/lib/*/libgyre.so.{VERSION}"},
    "libgyre-dev": {
        "usr/lib/*/libgyre.a", "usr/lib/*/libgyre.so", "usr/lib/*/pkgconfig/gyre.pc",
        "usr/lib/*/cmake/gyre/gyre-config.cmake", "usr/lib/*/cmake/gyre/gyre-config-version.cmake",
        *(f"usr/include/gyre/{header.name}" for header in (SOURCE / "include/gyre").iterdir())},
    "gyre-tools": {"usr/bin/gyre", "usr/share/man/man1/gyre.1.gz"},
    "python3-gyre": {f"usr/lib/python3/dist-packages/{file}" for file in PYTHON_FILES},
}
DOCUMENTATION = {
    LIBRARY: {"changelog.Debian.gz", "changelog.gz", "copyright"},
    "libgyre-dev": {*(page.name + (".gz" if page.stat().st_size > 4096 else "") for page in PAGES),
                    "changelog.Debian.gz", "changelog.gz", "copyright", "examples"},
    "gyre-tools": {"changelog.Debian.gz", "changelog.gz", "copyright", "examples"},
    "python3-gyre": {"changelog.Debian.gz", "changelog.gz", "copyright", "examples"},
}
# Lintian reads machine code as text, where any letters may occur.
FALSE_ALARMS = "spelling-error-in-binary"


class Debian(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        archive = make_archive(cls.folder)
        shutil.unpack_archive(archive, cls.folder)
        archive.rename(cls.folder / f"gyre_{VERSION}.orig.tar.gz")
        cls.tree = cls.folder / f"gyre-{VERSION}"
        shutil.copytree(cls.tree / "tools/packaging/debian", cls.tree / "debian")
        ours = {name: value for name, value in os.environ.items() if name not in ("CC", "CFLAGS", "LDFLAGS", "DESTDIR")}
        run("dpkg-buildpackage", "-us", "-uc", cwd=cls.tree, env={
            **ours, "DEB_BUILD_PROFILES": "nocheck",
            "DEB_BUILD_OPTIONS": f"nocheck noautodbgsym parallel={len(os.sched_getaffinity(0))}"})
        cls.architecture = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
        cls.packages = {path.name.split("_")[0]: path for path in cls.folder.glob("*.deb") if "-dbgsym" not in path.name}
        cls.root = cls.folder / "root"
        for package in cls.packages.values():
            run("dpkg-deb", "-x", package, cls.root)

    def test_lintian_finds_nothing(self):
        [changes] = self.folder.glob("*.changes")
        self.assertEqual(run("lintian", "--allow-root", "--fail-on", "none", "-EIL", "+pedantic", "--suppress-tags",
                             FALSE_ALARMS, changes), "")

    def test_files(self):
        self.assertEqual(set(self.packages), set(CONTENTS))
        for name, package in self.packages.items():
            rows = [row.split(" -> ")[0].split(None, 5) for row in run("dpkg-deb", "-c", package).splitlines()]
            files = {row[5].removeprefix("./").replace(f"/{self.architecture}/", "/*/") for row in rows if row[0][0] != "d"}
            documentation = f"usr/share/doc/{name}/"
            self.assertEqual({file for file in files if not file.startswith(documentation)}, CONTENTS[name], name)
            self.assertEqual({file.removeprefix(documentation).split("/")[0] for file in files - CONTENTS[name]},
                             DOCUMENTATION[name], name)

    def test_what_they_depend_on(self):
        for name, wanted in ((LIBRARY, {"libc6"}), ("libgyre-dev", {LIBRARY}),
                             ("gyre-tools", {LIBRARY, "libc6", "libgomp1", "libjansson4"}),
                             ("python3-gyre", {LIBRARY, "python3", "python3-numpy"})):
            depends = run("dpkg-deb", "-f", self.packages[name], "Depends")
            self.assertEqual(set(re.findall(r"(?:^|, )([\w.+-]+)", depends)), wanted, depends)

    def test_what_computes_is_compiled_as_ever(self):
        """With -O3 and the rounding options of the kernels after the CFLAGS of the distribution."""
        [commands] = self.tree.glob("obj-*/compile_commands.json")
        units = [unit["command"].split() for unit in json.loads(commands.read_text())
                 if re.search("/lib(table_|scalar_kernels)", unit["output"])]
        self.assertGreater(len(units), 4)
        for words in units:
            distribution = words.index("-fstack-protector-strong")
            self.assertIn("-O2", words)
            self.assertEqual([word for word in words if word.startswith("-O")][-1], "-O3", words)
            self.assertIn("-ffp-contract=off", words[distribution:], words)

    def test_their_own_tests(self):
        libraries = self.root / "usr/lib" / self.architecture
        environment = {**os.environ, "PATH": f"{self.root}/usr/bin:{os.environ['PATH']}", "LD_LIBRARY_PATH": str(libraries),
                       "PYTHONPATH": str(self.root / "usr/lib/python3/dist-packages"), "PYTHONDONTWRITEBYTECODE": "1",
                       "PKG_CONFIG_LIBDIR": str(libraries / "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": str(self.root)}
        tests = re.findall(r"^Tests: (.*)$", (self.tree / "debian/tests/control").read_text(), re.M)
        self.assertEqual({*tests, "control"}, {path.name for path in (self.tree / "debian/tests").iterdir()})
        for test in tests:
            with self.subTest(test), tempfile.TemporaryDirectory() as work:
                printed = run(self.tree / "debian/tests" / test, env={**environment, "AUTOPKGTEST_TMP": work})
                self.assertIn(VERSION, printed)
