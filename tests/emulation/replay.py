"""Prints the output of a test program that emulation/record.py recorded and exits with its status: Meson runs this
instead of the program.

usage: emulation/replay.py FOLDER PROGRAM [ARGUMENT...]
"""
import pathlib
import re
import sys

folder, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).name
status = folder / f"{program}.status"
if not status.exists():
    sys.exit(f"{program} did not end under the emulator")
# The serial line interleaves Test Anything Protocol and standard error.
for line in (folder / f"{program}.txt").read_text().splitlines():
    print(line, file=sys.stdout if re.match(r"#|(not )?ok |\d+\.\.\d+", line) else sys.stderr)
sys.exit(int(status.read_text()))
