"""Shared by the tests of packages: a release made from the working files, and its package files filled in."""
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest

import page

SOURCE = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"version: '([\d.]+)'", (SOURCE / "meson.build").read_text())[1]
ARCHIVE_URL = f"https://gyre.example/releases/gyre-{VERSION}.tar.gz"
HOMEPAGE = "https://gyre.example/"
# The pages that the headers refer to, which are installed.
PAGES = [*(SOURCE / "tools/docs" / name for name in ("bodies.md", "chains.md", "python.md")), *sorted((SOURCE / "tools/docs").glob("*-reference.md"))]

# The Python package, as paths in the folder that it is installed into.
PYTHON = SOURCE / "tools/bindings/python"
PYTHON_FILES = {path.relative_to(PYTHON).as_posix() for path in (PYTHON / "gyre").rglob("*")
                if path.is_file() and "__pycache__" not in path.parts}


def run(*command, **more):
    """Returns its output; its error output is shown if it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    if done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout


def make_archive(folder):
    """Like step 9 of tools/docs/releasing.md, but from the current files instead of a tag."""
    archive = folder / f"gyre-{VERSION}.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=1) as files:
        for file in page.files_of(SOURCE):
            files.add(SOURCE / file, f"gyre-{VERSION}/{file}")
    return archive


def fill(folder):
    """Returns the archive, and the folder of the package files."""
    archive = make_archive(folder)
    run(sys.executable, SOURCE / "tools/packaging/fill.py", archive, ARCHIVE_URL, HOMEPAGE, folder / "filled")
    return archive, folder / "filled"


class Release(unittest.TestCase):
    """Tests of the package files of a release: `folder`, to work in, `archive`, and `filled`, the package files."""
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.archive, cls.filled = fill(cls.folder)
