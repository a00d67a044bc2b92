"""Makes the wheel and the source distribution of the Python package, and steps springs where only one of them is."""
import os
import pathlib
import platform
import re
import shutil
import sys
import tarfile
import tempfile
import unittest
import zipfile

from page import blocks_of
from release import PYTHON_FILES, SOURCE, VERSION, make_archive, run

TABLE = {"x86_64": "sse2-portable", "aarch64": "neon-portable"}.get(platform.machine(), "scalar-portable")
[FIRST] = [block for block in blocks_of("python.md", (SOURCE / "tools/docs/python.md").read_text())[0]
           if block.name == "first.py"]
WHICH = "\nprint(gyre.library._name)\n"


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """A repository that builds one table, to save time."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name).resolve()
        shutil.unpack_archive(make_archive(cls.folder), cls.folder)
        cls.tree = cls.folder / f"gyre-{VERSION}"
        options = cls.tree / "meson_options.txt"
        options.write_text(options.read_text().replace("'tables', type: 'array', value: []",
                                                       f"'tables', type: 'array', value: ['{TABLE}']"))
        git = ("git", "-C", cls.tree, "-c", "user.name=test", "-c", "user.email=test@example.org")
        for command in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "-m", "copy"]):
            run(*git, *command)
        printed = run(sys.executable, cls.tree / "tools/bindings/python/make_wheel.py", cls.folder / "made")
        cls.sdist, cls.wheel = map(pathlib.Path, printed.splitlines()[-2:])

    def installed(self, what):
        """What the guide's first program prints in a new environment, and which library it has."""
        environment = self.folder / f"env-{what.suffix}"
        run(sys.executable, "-m", "venv", "--system-site-packages", environment)
        ours = ("PYTHONPATH", "LD_LIBRARY_PATH", "DESTDIR")
        kept = {name: value for name, value in os.environ.items() if name not in ours}
        python = environment / "bin/python"
        run(python, "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", what, env=kept,
            cwd=self.folder)
        *printed, library = run(python, "-c", FIRST.text + WHICH, env=kept, cwd=self.folder).splitlines(keepends=True)
        self.assertEqual("".join(printed), FIRST.expected)
        self.assertTrue(library.startswith(f"{environment}/lib"), library)
        return environment

    def test_the_wheel_has_the_package_and_the_library_alone(self):
        with zipfile.ZipFile(self.wheel) as files:
            names = set(files.namelist())
            notes = files.read(f"gyre-{VERSION}.dist-info/WHEEL").decode()
            [library] = [files.read(name) for name in names if name.startswith(".gyre")]
        about = {f"gyre-{VERSION}.dist-info/{name}" for name in ("LICENSE", "METADATA", "RECORD", "WHEEL")}
        self.assertEqual(names, PYTHON_FILES | about | {f".gyre.mesonpy.libs/libgyre.so.{VERSION}"})
        self.assertRegex(self.wheel.name, rf"^gyre-{re.escape(VERSION)}-py3-none-manylinux_2_\d+_{platform.machine()}\.whl")
        self.assertIn(f"Tag: {'-'.join(self.wheel.stem.split('-')[2:])}", notes.splitlines())
        self.assertIn("Root-Is-Purelib: false", notes.splitlines())
        newest = max(int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", library))
        self.assertLessEqual(newest, int(re.search(r"manylinux_2_(\d+)", self.wheel.name)[1]))

    def test_the_wheel_installs(self):
        environment = self.installed(self.wheel)
        listed = run(environment / "bin/python", "-m", "pip", "show", "--files", "gyre")
        self.assertIn(f"Version: {VERSION}\n", listed)
        self.assertIn("Requires: numpy\n", listed)

    def test_the_source_distribution_builds_from_an_empty_folder(self):
        with tarfile.open(self.sdist) as files:
            names = {name.partition("/")[2] for name in files.getnames()}
        self.assertLessEqual({"PKG-INFO", "pyproject.toml", "meson.build", "kernels/list.h", "include/gyre/gyre.h"},
                             names)
        self.assertFalse([name for name in names if name.startswith((".git/", "build"))])
        self.installed(self.sdist)
