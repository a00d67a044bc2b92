"""Prints what record.py recorded of a test program and exits as that did: Meson runs this in the program's place.

usage: replay.py FOLDER PROGRAM [ARGUMENT...]
"""
import pathlib
import sys

folder, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).name
status = folder / f"{program}.status"
if not status.exists():
    sys.exit(f"{program} did not end under the emulator")
sys.stdout.write((folder / f"{program}.tap").read_text())
sys.exit(int(status.read_text()))
