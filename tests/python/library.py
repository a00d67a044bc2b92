"""The package finds its library, and says what to do if it is missing or of another version."""
import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = SOURCE / "tools/bindings/python"
VERSION = re.search(r'GYRE_VERSION "(.+)"', (SOURCE / "include/gyre/gyre.h").read_text())[1]
SERIES = VERSION.rpartition(".")[0]
NAME = f"libgyre.so.{SERIES}"
COMPILER = shlex.split(os.environ["GYRE_CC"])


def imported(folder, package=PACKAGE):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder), "PYTHONPATH": str(package)}
    return subprocess.run([sys.executable, "-B", "-c", "import gyre; print(gyre.version())"], env=environment,
                          capture_output=True, text=True)


def made_library(folder, code):
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([*COMPILER, "-shared", "-fPIC", "-xc", "-", "-o", folder / NAME], input=code, text=True, check=True)
    return folder


def test_no_library(tmp_path):
    run = imported(tmp_path)
    assert run.returncode == 1
    assert f"ImportError: cannot load Gyre's library: {NAME}: cannot open shared object file" in run.stderr
    assert f"name the folder that has {NAME} in LD_LIBRARY_PATH" in run.stderr


@pytest.mark.parametrize("version", [f"{SERIES}9.0", "0.0.9", f"1{VERSION}"])
def test_another_version(tmp_path, version):
    run = imported(made_library(tmp_path, f'const char *gyre_version(void) {{ return "{version}"; }}'))
    assert run.returncode == 1
    assert f"ImportError: {NAME} is Gyre {version}, and this package needs {VERSION} or a later {SERIES}.x" in run.stderr


def test_another_library_of_that_name(tmp_path):
    run = imported(made_library(tmp_path, "int other;"))
    assert run.returncode == 1 and "ImportError: cannot load Gyre's library: " in run.stderr
    assert "undefined symbol: gyre_version" in run.stderr


def test_an_older_library_of_the_same_version(tmp_path):
    run = imported(made_library(tmp_path, f'const char *gyre_version(void) {{ return "{VERSION}"; }}'))
    assert run.returncode == 1
    assert "ImportError: Gyre's library is older than this package: " in run.stderr
    assert "Install both from the same source." in run.stderr


def test_a_wheel_has_its_own(tmp_path):
    """The library beside the package goes before that of the system."""
    site = tmp_path / "site-packages"
    site.mkdir()
    (site / "gyre").symlink_to(PACKAGE / "gyre")
    made_library(site / ".gyre.mesonpy.libs", 'const char *gyre_version(void) { return "99.0.0"; }')
    run = imported(os.environ["LD_LIBRARY_PATH"], package=site)
    assert f"{site}/.gyre.mesonpy.libs/{NAME} is Gyre 99.0.0" in run.stderr
