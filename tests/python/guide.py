"""The programs of tools/docs/python.md print what the page shows, and end with the bits of the same calls in C."""
import contextlib
import io
import os
import pathlib
import subprocess

import gyre
import pytest
from page import blocks_of

PAGE = pathlib.Path(__file__).resolve().parents[2] / "tools/docs/python.md"
PROGRAMS = [block for block in blocks_of("python.md", PAGE.read_text())[0] if block.language == "python"]
IMPORTS = PROGRAMS[0].text.partition("\n\n")[0]
STATES = {"first": ["position", "velocity"], "Bodies": ["orientation", "momentum"], "Chains": ["orientation", "velocity"],
          "Threads": ["position", "velocity"]}


def name_of(program):
    return program.section or "first"


def ended(program):
    """What it printed, and its variables."""
    variables, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(IMPORTS + "\n" + program.text, variables)
    return printed.getvalue(), variables


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: f"line {program.line}")
def test_it_prints_what_the_page_shows(program):
    assert program.expected is not None
    assert ended(program)[0] == program.expected


def test_the_bits_of_c():
    in_c = dict(line.split() for line in subprocess.run(
        [os.environ["GYRE_GUIDE_IN_C"]], capture_output=True, text=True, check=True).stdout.splitlines())
    assert in_c.keys() == STATES.keys()
    for program in PROGRAMS:
        if name_of(program) in STATES:
            variables = ended(program)[1]
            rows = [row for name in STATES[name_of(program)]
                    for row in (variables[name] if variables[name].ndim == 2 else [variables[name]])]
            assert gyre.hash(rows) == int(in_c[name_of(program)]), name_of(program)
