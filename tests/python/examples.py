"""The examples run to their ends, whose asserts check their results; with matplotlib they draw into nothing."""
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = sorted((pathlib.Path(__file__).resolve().parents[2] / "tools/examples/python").glob("*.py"))


def run(example, folder, **environment):
    return subprocess.run([sys.executable, "-B", "-W", "error::RuntimeWarning", example], cwd=folder, capture_output=True,
                          text=True, env={**os.environ, "MPLBACKEND": "Agg", "MPLCONFIGDIR": str(folder), **environment})


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.stem)
def test_it_runs(example, tmp_path):
    ended = run(example, tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout
    assert example.read_text().startswith("# %% [markdown]\n# # ")


def test_they_run_without_what_is_not_needed(tmp_path):
    """matplotlib and scipy are for pictures and comparisons alone."""
    for name in ("matplotlib", "scipy"):
        (tmp_path / f"{name}.py").write_text("raise ImportError('not here')\n")
    path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
    for name, said in (("choose_a_spring", "no matplotlib: no picture"), ("torque_by_kicks", "no scipy: nothing to compare")):
        ended = run(EXAMPLES[0].with_name(f"{name}.py"), tmp_path, PYTHONPATH=path)
        assert ended.returncode == 0 and said in ended.stdout, ended.stderr
