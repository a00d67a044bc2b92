"""Prints what emulation/record.py recorded of a test program and exits as that did: Meson runs this in the program's place.

usage: emulation/replay.py FOLDER PROGRAM [ARGUMENT...]
"""
import pathlib
import re
import sys

folder, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).name
status = folder / f"{program}.status"
if not status.exists():
    sys.exit(f"{program} did not end under the emulator")
# The serial line had what is the Test Anything Protocol and what went to standard error, one among the other.
for line in (folder / f"{program}.txt").read_text().splitlines():
    print(line, file=sys.stdout if re.match(r"#|(not )?ok |\d+\.\.\d+", line) else sys.stderr)
sys.exit(int(status.read_text()))
