"""The package and the examples pass mypy --strict, and what users would do wrong does not."""
import pathlib
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = SOURCE / "tools/bindings/python"
PROGRAM = """
import gyre
import numpy as np

state = np.zeros((2, 9), np.float32)
springs = gyre.Springs(state[0], state[1], target=state[0].copy())
"""


def mypy(folder, *arguments):
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", SOURCE / "pyproject.toml",
                           "--cache-dir", folder / "cache", *arguments],
                          capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE), "PATH": "/usr/bin:/bin"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


@pytest.mark.parametrize("version", ["3.9", f"3.{sys.version_info.minor}"])
def test_the_package(folder, version):
    run = mypy(folder, "--python-version", version, PACKAGE / "gyre")
    assert run.returncode == 0, run.stdout


def test_the_examples(folder):
    run = mypy(folder, *(SOURCE / "tools/examples/python").glob("*.py"))
    assert run.returncode == 0, run.stdout


@pytest.mark.parametrize("line, wrong", [
    ("springs.step(gyre.Spring(1, 1).matrix_at(0.1), 0, 9, threads=2)", ""),
    ("done: bool = springs.step_palette([gyre.Spring().matrix_at(1)], np.zeros(9, np.uint16))", ""),
    ("time_s, peak = gyre.Spring(1, 0).peak(1, 0); total: float = time_s + peak", ""),
    ("springs.target = None", ""),
    ("springs.rest_speed = 'slow'", "[assignment]"),
    ("springs.rest_sped = 1", "[attr-defined]"),
    ("springs.step(gyre.particle_matrix_at(1, 1))", "[arg-type]"),
    ("springs.velocity = None", "[assignment]"),
    ("gyre.Springs(np.zeros(9), state[1])", "[arg-type]"),
    ("gyre.Springs(state[0])", "[call-arg]"),
    ("gyre.Springs([1.0], state[1])", "[list-item]|[arg-type]"),
])
def test_a_program(folder, line, wrong, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + line + "\n")
    run = mypy(folder, program)
    assert run.returncode == bool(wrong), run.stdout
    assert any(each in run.stdout for each in wrong.split("|")), run.stdout
