"""Shared by the tests of the command line program.

Environment: GYRE_TOOL, the program; GYRE_SCENES, the folder of the scenes that ship; GYRE_TOOL_WRAPPER, optional, a
command to run the program with, such as an emulator.
"""

import csv
import fcntl
import io
import json
import math
import os
import pty
import shlex
import shutil
import stat
import struct
import subprocess
import tempfile
import termios
import unittest

from closed_forms import closed_form, damped_form

TOOL = os.path.abspath(os.environ["GYRE_TOOL"])
SCENES = os.path.abspath(os.environ["GYRE_SCENES"])
WRAPPER = shlex.split(os.environ.get("GYRE_TOOL_WRAPPER", ""))
if WRAPPER:
    WRAPPER[0] = shutil.which(WRAPPER[0])


def fling_form(k, lower, upper, w, z, x, v, t):
    """Position and velocity after t of a fling between edges: from one edge to the next, with times found by steps and
    bisection."""
    while True:
        above, below = x > upper or (x == upper and v > 0), x < lower or (x == lower and v < 0)
        edge = upper if above else lower

        def away(s):
            """Displacement from the edge, or position, and velocity."""
            return closed_form(w, z, x - edge, v, s) if above or below else damped_form(k, x, v, 0, s)

        def has_left(s):
            d = away(s)[0]
            return d < 0 if above else d > 0 if below else not lower <= d <= upper

        left = next((s for s in (t * i / 1000 for i in range(1, 1001)) if has_left(s)), None)
        if left is None:
            d, v = away(t)
            return (edge + d if above or below else d), v
        within = left - t / 1000
        for _ in range(60):
            middle = (within + left) / 2
            within, left = (within, middle) if has_left(middle) else (middle, left)
        d, v = away(left)
        x, t = edge if above or below else upper if v > 0 else lower, t - left


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="gyre-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    # Values are in the order got, wanted, as in unittest's own assertions; subTest() names the case.

    def between(self, got, low, high, case=""):
        self.assertTrue(low <= got <= high, f"{case}: got {got}, wanted {low} to {high}")

    def within(self, got, wanted, limit, case=""):
        self.assertTrue(abs(got - wanted) <= limit, f"{case}: got {got}, wanted {wanted} within {limit:g}")

    def same_rows(self, got, wanted):
        """Like assertEqual, which takes minutes to describe the differences of thousands of rows."""
        self.assertEqual(len(got), len(wanted))
        for i, (row, other) in enumerate(zip(got, wanted)):
            self.assertEqual(row, other, f"row {i}")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def device(self, name, minor):
        """A device made by the test, if root, or one of the system. Root could also replace a device by a file, and a
        faulty program would do so to the machine's own."""
        path = self.path(name)
        try:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
            with open(path, "wb"):  # fails where the folder's file system has no devices
                return path
        except OSError:
            return os.path.join("/dev", name)

    def scene(self, **content):
        content.setdefault("duration_s", 1)
        if not any(key.startswith("frame_times") for key in content):
            content.setdefault("time_step_s", 0.05)
        return self.write("scene.json", json.dumps(content))

    def gyre(self, *arguments, expect=0, launcher=(), **options):
        command = [*launcher, *WRAPPER, TOOL, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
        if expect is not None:
            self.assertEqual(done.returncode, expect, f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
        return done

    def on_terminal(self, *arguments, columns=0, expect=0, kind="xterm"):
        """Returns the output on stdout, and the output on a terminal as stderr; 0: a terminal of unknown width."""
        terminal, end = pty.openpty()
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        process = subprocess.Popen(WRAPPER + [TOOL, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=end,
                                   env=dict(os.environ, TERM=kind))
        os.close(end)
        drawn = b""
        try:
            while piece := os.read(terminal, 1 << 16):
                drawn += piece
        except OSError:  # raised by a terminal when nothing holds its other end
            pass
        os.close(terminal)
        output, _ = process.communicate()
        self.assertEqual(process.returncode, expect)
        return output, drawn

    def states(self, *arguments):
        """The rows that `gyre simulate` writes to stdout."""
        return list(csv.DictReader(io.StringIO(self.gyre("simulate", *arguments, "-o", "-").stdout)))

    def tables(self):
        """(isa, rounding) of every table that this machine can run."""
        rows = [line.split() for line in self.gyre("info").stdout.splitlines()[1:]]
        return [(row[0], row[1]) for row in rows if row[3].startswith("yes")]
