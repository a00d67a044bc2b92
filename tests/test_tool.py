"""Tests of the command line program.

Environment: GYRE_TOOL, the program; GYRE_SCENES, the folder of the scenes that ship; GYRE_TOOL_WRAPPER, optional, a
command to run the program with, such as an emulator.
"""

import csv
import io
import json
import math
import os
import pty
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = os.path.abspath(os.environ["GYRE_TOOL"])
SCENES = os.path.abspath(os.environ["GYRE_SCENES"])
WRAPPER = shlex.split(os.environ.get("GYRE_TOOL_WRAPPER", ""))
if WRAPPER:
    WRAPPER[0] = shutil.which(WRAPPER[0])

# Lines are counted by the tests: a bad scene is this one with one piece replaced.
SCENE = """{
    "name": "small",
    "seed": 7,
    "duration_s": 2,
    "time_step_s": 0.25,
    "springs": [
        {
            "name": "a",
            "count": 4,
            "spring": {"angular_frequency": 3, "damping_ratio": 0.5},
            "start": {
                "position": [1, 2, 3, 4],
                "velocity": {"normal": {"mean": 0, "deviation": 1}},
                "target": {"uniform": {"low": -1, "high": 1}}
            },
            "rest_distance": 0.001,
            "rest_speed": 0.001,
            "retarget": [
                {"at_s": 0.6, "target": 2, "first": 1, "last": 2}
            ]
        },
        {
            "name": "b",
            "count": 2,
            "spring": {"stiffness": 100, "damping_ratio": 1},
            "start": {
                "csv": "start.csv"
            }
        }
    ]
}
"""
START = "position,velocity,target\n1,0,0\n2.5,-3,1\n"

# What is replaced, by what, and what the message says after file and line: the key path and a part of the rest.
BAD_SCENES = {
    "unknown key": ('"seed": 7', '"seeds": 7', "seeds", "did you mean seed?"),
    "unknown key, not a slip": ('"seed": 7', '"colour": 7', "colour", "expected one of name, source"),
    "unknown key in a batch": ('"count": 2', '"cuont": 2', "springs[1].cuont", "did you mean count?"),
    "unknown key in a form": ('"stiffness": 100', '"stifness": 100', "springs[1].spring.stifness", "mean stiffness?"),
    "unknown key in start": ('"csv": "start.csv"', '"file": "start.csv"', "springs[1].start.file", "unknown key"),
    "unknown distribution": ('"normal": {"mean"', '"cauchy": {"mean"', "springs[0].start.velocity.cauchy", "unknown"),
    "duplicate key": ('"seed": 7', '"seed": 7, "seed": 8', "seed", "duplicate object key"),
    "duplicate key, deeper": ('"count": 4', '"count": 4, "count": 4', "springs[0].count", "duplicate object key"),
    "syntax": ('"seed": 7,', '"seed": 7;', "seed", "'}' expected"),
    "number beyond double": ('"rest_speed": 0.001', '"rest_speed": 1e999', "springs[0].rest_speed", "overflow"),
    "number beyond float": ('"rest_speed": 0.001', '"rest_speed": 1e39', "springs[0].rest_speed", "too large"),
    "number below float": ('"rest_speed": 0.001', '"rest_speed": 1e-50', "springs[0].rest_speed", "too small"),
    "number beyond float in a list": ("[1, 2, 3, 4]", "[1, 2, 3, -1e40]", "springs[0].start.position[3]", "too large"),
    "negative count": ('"count": 4', '"count": -4', "springs[0].count", "is -4, expected 1 or more"),
    "zero count": ('"count": 4', '"count": 0', "springs[0].count", "is 0, expected 1 or more"),
    "count not whole": ('"count": 4', '"count": 4.5', "springs[0].count", "is a number, expected a whole number"),
    "count beyond memory": ('"count": 2', '"count": 4611686018427387904', "springs[1].count", "more memory"),
    "wrong type": ('"duration_s": 2', '"duration_s": "2"', "duration_s", "is a string, expected a number"),
    "name of wrong type": ('"name": "b"', '"name": 3', "springs[1].name", "expected a string"),
    "name that breaks CSV": ('"name": "b"', '"name": "b,c"', "springs[1].name", "without commas"),
    "name used twice": ('"name": "b"', '"name": "a"', "springs[1].name", "another batch"),
    "two forms": ('_ratio": 1}', '_ratio": 1, "response_s": 1}', "springs[1].spring", "exactly one form"),
    "half a form": (', "damping_ratio": 1}', "}", "springs[1].spring", "exactly one form"),
    "no spring": ('"stiffness": 100', '"stiffness": -100', "springs[1].spring", "expected stiffness >= 0"),
    "time beyond the end": ('"at_s": 0.6', '"at_s": 2.5', "springs[0].retarget[0].at_s", "up to the duration of 2 s"),
    "negative time": ('"at_s": 0.6', '"at_s": -1', "springs[0].retarget[0].at_s", "expected 0 or more"),
    "output beyond the end": ('"seed": 7', '"output_times_s": [1, 3]', "output_times_s[1]", "up to the duration"),
    "range outside the count": ('"last": 2', '"last": 4', "springs[0].retarget[0].last", "is 4, expected 1 to 3"),
    "range backwards": ('"last": 2', '"last": 0', "springs[0].retarget[0].last", "is 0, expected 1 to 3"),
    "range from outside": ('"first": 1', '"first": 9', "springs[0].retarget[0].first", "is 9, expected 0 to 3"),
    "no target": ('"target": 2, ', "", "springs[0].retarget[0].target", "is missing"),
    "short list": ("[1, 2, 3, 4]", "[1, 2, 3]", "springs[0].start.position", "has 3 numbers, expected 4"),
    "not a number in a list": ("[1, 2, 3, 4]", "[1, 2, null, 4]", "springs[0].start.position[2]", "is null"),
    "negative deviation": ('tion": 1}', 'tion": -1}', "springs[0].start.velocity.normal.deviation", "0 or more"),
    "high below low": ('"high": 1', '"high": -2', "springs[0].start.target.uniform.high", "expected -1 or more"),
    "negative rest": ('"rest_speed": 0.001', '"rest_speed": -1', "springs[0].rest_speed", "expected 0 or more"),
    "time step of zero": ('"time_step_s": 0.25', '"time_step_s": 0', "time_step_s", "more than 0"),
    "too many frames": ('"time_step_s": 0.25', '"time_step_s": 1e-12', "time_step_s", "frames"),
    "frame time of zero": ('"time_step_s": 0.25', '"frame_times_s": [1, 0, 1]', "frame_times_s[1]", "more than 0"),
    "two kinds of frames": ('"seed": 7', '"frame_times_s": [1]', "top level", "exactly one of"),
    "duration negative": ('"duration_s": 2', '"duration_s": -2', "duration_s", "more than 0"),
    "file missing": ("start.csv", "none.csv", "springs[1].start.csv", "No such file"),
    "csv and inline": ('{\n                "csv"', '{"target": 1, "csv"', "springs[1].start", "either csv"),
}

BAD_TABLES = {
    "row too short": ("position,velocity,target\n1,0,0\n2.5,-3\n", 3, "row 2", "has 2 values, expected 3"),
    "row too long": ("position,velocity\n1,0\n2.5,-3,1\n", 3, "row 2", "has 3 values, expected 2"),
    "empty row": ("position,velocity\n1,0\n\n", 3, "row 2", "has 0 values, expected 2"),
    "nan": ("position,velocity\n1,0\n2.5,nan\n", 3, "velocity", "is not finite"),
    "inf": ("# a comment\nposition,velocity\n-inf,0\n1,1\n", 3, "position", "is not finite"),
    "beyond float": ("position,velocity\n1,1e39\n1,1\n", 2, "velocity", "too large"),
    "not a number": ("position,velocity\n1,0\n2.5,x\n", 3, "velocity", "is not a number"),
    "empty cell": ("position,velocity\n1,\n2.5,1\n", 2, "velocity", "is not a number"),
    "wrong header": ("position,speed\n1,0\n2.5,1\n", 1, "header", "expected position,velocity,target"),
    "no header": ("1,0\n2.5,1\n", 1, "header", "expected position,velocity,target"),
    "empty file": ("", 1, "header", "is missing"),
}


def closed_form(w, z, x, v, t):
    """Displacement and velocity after t of x'' + 2 z w x' + w^2 x = 0."""
    decay = math.exp(-z * w * t)
    if z < 1 and w > 0:
        a = w * math.sqrt(1 - z * z)
        c, s = math.cos(a * t), math.sin(a * t) / a
    elif z > 1:
        a = w * math.sqrt(z * z - 1)
        c, s = math.cosh(a * t), math.sinh(a * t) / a
    else:
        c, s = 1, t
    return decay * (x * c + (v + z * w * x) * s), decay * (v * c - w * (w * x + z * v) * s)


class ToolTest(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="gyre-test-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def scene(self, **content):
        content.setdefault("duration_s", 1)
        if not any(key.startswith("frame_times") for key in content):
            content.setdefault("time_step_s", 0.05)
        return self.write("scene.json", json.dumps(content))

    def gyre(self, *arguments, expect=0, **options):
        command = WRAPPER + [TOOL, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **options)
        self.assertEqual(done.returncode, expect, f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
        return done

    def states(self, *arguments):
        """The rows that `gyre simulate` writes to stdout."""
        return list(csv.DictReader(io.StringIO(self.gyre("simulate", *arguments, "-o", "-").stdout)))

    def tables(self):
        """(isa, rounding) of every table that runs here."""
        rows = [line.split() for line in self.gyre("info").stdout.splitlines()[1:]]
        return [(row[0], row[1]) for row in rows if row[3].startswith("yes")]


class BadInput(ToolTest):
    def refused(self, scene, start, message_file, line, path, part):
        scene_path = self.write("scene.json", scene)
        self.write("start.csv", start)
        self.write("out.csv", "former\n")
        before = sorted(os.listdir(self.folder))
        error = self.gyre("simulate", scene_path, "-o", self.path("out.csv"), expect=2).stderr
        self.assertEqual(error.count("\n"), 1, error)
        self.assertTrue(error.startswith(f"gyre: {self.path(message_file)}:{line}: {path}: "), error)
        self.assertIn(part, error)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual(self.read("out.csv"), "former\n")

    def test_the_scene_itself_is_good(self):
        scene = self.write("scene.json", SCENE)
        self.write("start.csv", START)
        self.assertEqual(len(self.states(scene)), 6)

    def test_scenes(self):
        for name, (old, new, path, part) in BAD_SCENES.items():
            with self.subTest(name):
                self.assertEqual(SCENE.count(old), 1, "the piece to replace must be there once")
                line = SCENE[: SCENE.index(old)].count("\n") + 1
                line = 1 if path == "top level" else line
                self.refused(SCENE.replace(old, new), START, "scene.json", line, path, part)

    def test_tables(self):
        for name, (table, line, path, part) in BAD_TABLES.items():
            with self.subTest(name):
                self.refused(SCENE, table, "start.csv", line, path, part)

    def test_wrong_number_of_rows(self):
        self.refused(SCENE, START + "1,2,3\n", "scene.json", 27, "springs[1].start.csv", "has 3 rows, expected 2")

    def test_missing_key_is_told_with_the_line_of_its_object(self):
        scene = SCENE.replace('            "count": 2,\n', "")
        self.refused(scene, START, "scene.json", 22, "springs[1].count", "is missing")

    def test_frame_times_in_a_file(self):
        scene = SCENE.replace('"time_step_s": 0.25', '"frame_times_csv": "frames.csv"')
        self.write("frames.csv", "# recorded\nframe_time_s\n1\n-1\n2\n")
        self.refused(scene, START, "frames.csv", 4, "frame_time_s", "is -1, expected more than 0")
        self.write("frames.csv", "# recorded\nframe_time_s\n1\n")
        self.refused(scene, START, "scene.json", 4, "duration_s", "expected up to the 1 s")

    def test_no_scene(self):
        error = self.gyre("simulate", self.path("none.json"), expect=2).stderr
        self.assertIn("none.json", error)
        self.assertIn("No such file", error)

    def test_usage(self):
        scene = self.write("scene.json", SCENE)
        self.write("start.csv", START)
        for arguments in (
            ["--isa", "avx1024"],
            ["--rounding", "up"],
            ["--threads", "0"],
            ["--threads", "x"],
            ["--at", "1,,2"],
            ["--at", "nan"],
            ["--at", "-1"],
            ["--at", "2.5"],
            ["--format", "xml"],
            ["-o", self.path("out.txt")],
            ["--no-such-option"],
            ["another.json"],
        ):
            with self.subTest(arguments=arguments):
                self.gyre("simulate", scene, *arguments, expect=2)
        for arguments in ([], ["dance"], ["simulate"], ["info", "x"], ["plot"], ["plot", "nothing"]):
            with self.subTest(arguments=arguments):
                self.gyre(*arguments, expect=2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["scene.json", "start.csv"])

    def test_an_isa_that_cannot_run_names_those_that_can(self):
        error = self.gyre("simulate", "x.json", "--isa", "avx1024", expect=2).stderr
        for isa, rounding in self.tables():
            if rounding == "portable":
                self.assertIn(f" {isa}", error)


class Results(ToolTest):
    FORMS = [
        ({"angular_frequency": 3, "damping_ratio": 0.25}, 3, 0.25),
        ({"angular_frequency": 3, "damping_ratio": 1}, 3, 1),
        ({"angular_frequency": 3, "damping_ratio": 2.5}, 3, 2.5),
        ({"angular_frequency": 0, "damping_ratio": 0}, 0, 0),
        ({"mass": 2, "stiffness": 50, "damping": 4}, 5, 0.2),
        ({"stiffness": 200, "damping_ratio": 0.75}, math.sqrt(200), 0.75),
        ({"response_s": 0.5, "damping_ratio": 0.825}, 4 * math.pi, 0.825),
        ({"duration_s": 0.5, "bounce": 0.3}, 4 * math.pi, 0.7),
        ({"duration_s": 0.5, "bounce": -0.5}, 4 * math.pi, 2),
        ({"half_life_s": 0.1, "damping_ratio": 0.5}, 20 * math.log(2), 0.5),
        ({"half_life_s": 0.1, "damping_ratio": 2}, 10 * math.log(2) / (2 - math.sqrt(3)), 2),
        ({"settling_s": 0.5, "damping_ratio": 1, "fraction": 0.01}, 2 * math.log(100), 1),
    ]

    def near(self, actual, expected, scale):
        self.assertLessEqual(abs(float(actual) - expected), 1e-5 * scale, f"{actual} against {expected}")

    def test_closed_form(self):
        times = [0, 0.033, 0.4, 1]
        for spring, w, z in self.FORMS:
            with self.subTest(spring=spring):
                start = {"position": [2, -1], "velocity": [-3, 5], "target": [0.5, 0]}
                scene = self.scene(springs=[{"name": "s", "count": 2, "spring": spring, "start": start}])
                rows = self.states(scene, "--at", ",".join(map(str, times)))
                self.assertEqual(len(rows), 2 * len(times))
                for row in rows:
                    i, t = int(row["index"]), float(row["time_s"])
                    target = start["target"][i]
                    x, v = closed_form(w, z, start["position"][i] - target, start["velocity"][i], t)
                    self.near(row["position"], target + x, 5)
                    self.near(row["velocity"], v, 5 * max(w, 1))
                    self.assertEqual(float(row["target"]), target)

    def test_retarget_between_frames(self):
        w, z, at, end = 4, 0.5, 0.333, 0.9
        events = [{"at_s": at, "target": 3, "first": 1, "last": 2}]
        scene = self.scene(
            time_step_s=0.5,
            springs=[{"name": "s", "count": 4, "spring": {"angular_frequency": w, "damping_ratio": z},
                      "start": {"position": 1}, "retarget": events}],
        )
        for row in self.states(scene, "--at", end):
            target = 3 if row["index"] in ("1", "2") else 0
            x, v = closed_form(w, z, 1, 0, at)
            x, v = closed_form(w, z, x - target, v, end - at)
            self.near(row["position"], target + x, 3)
            self.near(row["velocity"], v, 3 * w)
            self.assertEqual(float(row["target"]), target)

    def test_event_comes_before_the_states_of_its_time(self):
        scene = self.scene(
            springs=[{"name": "s", "count": 1, "spring": {"response_s": 1, "damping_ratio": 1},
                      "retarget": [{"at_s": t, "target": x} for t, x in ((0.5, 3), (0.5, 4), (0.25, 2))]}],
        )
        rows = self.states(scene, "--at", "0.5", "--at", "0.25,0.2")
        self.assertEqual([(row["time_s"], row["target"]) for row in rows], [("0.2", "0"), ("0.25", "2"), ("0.5", "4")])
        self.assertEqual([(row["position"], row["awake"]) for row in rows[:2]], [("0", "0"), ("0", "1")])

    def test_period_takes_the_short_way(self):
        w, z, period = 3, 1, 2 * math.pi
        scene = self.scene(
            springs=[{"name": "yaw", "count": 1, "spring": {"angular_frequency": w, "damping_ratio": z},
                      "period": period, "start": {"position": 3, "target": -3}}],
        )
        (row,) = self.states(scene)
        x, _ = closed_form(w, z, 6 - period, 0, 1)
        self.near(math.remainder(float(row["position"]) + 3, period), x, 3)

    def test_rest(self):
        batch = {"name": "s", "count": 3, "spring": {"response_s": 0.2, "damping_ratio": 1},
                 "start": {"position": [1, 0, 0], "velocity": [0, 0, 1e20]}, "rest_distance": 0.01, "rest_speed": 0.1}
        done = self.gyre("simulate", self.scene(springs=[batch]), "-o", "-")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual([row["awake"] for row in rows], ["0", "0", "1"])
        self.assertEqual(rows[0]["position"], "0")
        self.assertIn("2 of 3 springs", done.stderr)

    def test_uneven_frames_and_one_step_agree(self):
        frames = [0.0166, 0.0501, 0.0167, 0.2, 0.0001, 0.7166]
        batch = {"name": "s", "count": 50, "spring": {"response_s": 0.5, "damping_ratio": 0.4},
                 "start": {"position": {"uniform": {"low": -1, "high": 1}},
                           "velocity": {"normal": {"mean": 0, "deviation": 3}}}}
        even = self.states(self.scene(seed=3, time_step_s=1, springs=[batch]))
        listed = self.states(self.scene(seed=3, frame_times_s=frames, springs=[batch]))
        self.write("frames.csv", "frame_time_s\n" + "".join(f"{t}\n" for t in frames))
        recorded = self.states(self.scene(seed=3, frame_times_csv="frames.csv", springs=[batch]))
        self.assertTrue(listed == recorded)
        self.assertEqual(len(even), 50)
        for a, b in zip(even, listed):
            self.near(a["position"], float(b["position"]), 1)
            self.near(a["velocity"], float(b["velocity"]), 12)

    def test_distributions(self):
        count = 20000
        start = {"position": {"uniform": {"low": -3, "high": 1}}, "velocity": {"normal": {"mean": 5, "deviation": 2}}}
        batch = {"name": "s", "count": count, "spring": {"response_s": 1, "damping_ratio": 1}, "start": start}
        rows = self.states(self.scene(seed=11, springs=[batch]), "--at", 0)
        x = [float(row["position"]) for row in rows]
        v = [float(row["velocity"]) for row in rows]
        self.assertTrue(-3 <= min(x) < -2.99 and 0.99 < max(x) <= 1)
        self.assertAlmostEqual(sum(x) / count, -1, delta=0.05)
        mean = sum(v) / count
        self.assertAlmostEqual(mean, 5, delta=0.08)
        self.assertAlmostEqual(math.sqrt(sum((a - mean) ** 2 for a in v) / count), 2, delta=0.06)
        self.assertAlmostEqual(sum(abs(a - mean) <= 2 for a in v) / count, 0.683, delta=0.02)
        other = self.states(self.scene(seed=12, springs=[batch]), "--at", 0)
        self.assertFalse(other == rows)


class Sameness(ToolTest):
    """Whatever must not matter to a single bit."""

    def setUp(self):
        super().setUp()
        distribution = {"uniform": {"low": -4, "high": 4}}
        self.batches = [
            {"name": name, "count": count, "spring": {"response_s": 0.4, "damping_ratio": ratio},
             "start": {"position": distribution, "velocity": distribution, "target": distribution},
             "period": period, "rest_distance": 1e-3, "rest_speed": 1e-2,
             "retarget": [{"at_s": 0.37, "target": {"normal": {"mean": 0, "deviation": 2}}, "first": 3}]}
            for name, count, ratio, period in (("a", 1003, 0.3, 0), ("b", 70, 1, 6.2831855), ("c", 517, 3, 0))
        ]

    def output(self, *arguments, batches=None):
        scene = self.scene(seed=5, springs=batches or self.batches)
        return self.gyre("simulate", scene, "--at", "0.1,0.37,1", "-o", "-", "-q", *arguments).stdout

    def same(self, lines, expected):
        """Like assertEqual, which takes minutes to describe how thousands of lines differ."""
        self.assertEqual(len(lines), len(expected))
        for line, other in zip(lines, expected):
            self.assertEqual(line, other)

    def test_isa(self):
        tables = self.tables()
        self.assertIn(("scalar", "portable"), tables)
        results = {r: {self.output("--isa", i, "--rounding", r) for i, q in tables if q == r} for _, r in tables}
        for rounding, outputs in results.items():
            self.assertEqual(len(outputs), 1, rounding)
        self.assertTrue(self.output() in results["portable"])

    def test_threads(self):
        scene = self.scene(springs=self.batches)
        try:
            self.gyre("simulate", scene, "--threads", 2)
        except AssertionError:
            self.assertIn("without OpenMP", self.gyre("simulate", scene, "--threads", 2, expect=2).stderr)
            self.skipTest("built without OpenMP")
        one = self.output()
        self.assertEqual(one.count("\n"), 1 + 3 * (1003 + 70 + 517))
        for threads in (2, 3, 8):
            self.same(self.output("--threads", threads).splitlines(), one.splitlines())

    def test_order_of_batches(self):
        backwards = self.output(batches=self.batches[::-1])
        self.same(sorted(backwards.splitlines()), sorted(self.output().splitlines()))

    def test_formats(self):
        rows = list(csv.DictReader(io.StringIO(self.output())))
        lines = [json.loads(line) for line in self.output("--format", "jsonl").splitlines()]
        self.assertEqual(len(rows), len(lines))
        for row, line in zip(rows, lines):
            self.assertEqual(list(row), list(line))
            for key in ("time_s", "position", "velocity", "target"):
                self.assertEqual(float(row[key]), line[key])
            self.assertEqual((row["batch"], int(row["index"])), (line["batch"], line["index"]))
            self.assertEqual(row["awake"] == "1", line["awake"])

    def test_floats_read_back(self):
        for row in csv.DictReader(io.StringIO(self.output())):
            for key in ("position", "velocity", "target"):
                (value,) = struct.unpack("f", struct.pack("f", float(row[key])))
                self.assertEqual("%.9g" % value, row[key])

    def test_states_written_can_be_read_again(self):
        rows = csv.DictReader(io.StringIO(self.output()))
        rows = [row for row in rows if row["batch"] == "b" and row["time_s"] == "1"]
        self.write("again.csv", "position,velocity,target\n" +
                   "".join(f"{row['position']},{row['velocity']},{row['target']}\n" for row in rows))
        batch = dict(self.batches[1], start={"csv": "again.csv"})
        for row, again in zip(rows, self.states(self.scene(springs=[batch]), "--at", 0)):
            for key in ("position", "velocity", "target"):
                self.assertEqual(row[key], again[key])


class Output(ToolTest):
    BATCH = {"name": "s", "count": 5, "spring": {"response_s": 1, "damping_ratio": 1}, "start": {"position": 1}}

    def test_file_is_replaced_and_its_mode_kept(self):
        out = self.write("out.csv", "former\n")
        os.chmod(out, 0o640)
        os.symlink("out.csv", self.path("link.csv"))
        done = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", self.path("link.csv"))
        self.assertEqual(self.read("out.csv").count("\n"), 6)
        self.assertEqual(os.stat(out).st_mode & 0o777, 0o640)
        self.assertTrue(os.path.islink(self.path("link.csv")))
        self.assertEqual(sorted(os.listdir(self.folder)), ["link.csv", "out.csv", "scene.json"])
        for word in ("scene ", "table ", "springs per second", "at rest ", "5 rows", "wall time "):
            self.assertIn(word, done.stdout)
        self.assertEqual(done.stderr, "")

    def test_format_follows_the_ending(self):
        self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", self.path("out.jsonl"), "-q")
        self.assertEqual(json.loads(self.read("out.jsonl").splitlines()[4])["index"], 4)

    def test_share_of_the_ceiling_is_a_share(self):
        batch = dict(self.BATCH, count=200000)
        summary = self.gyre("simulate", self.scene(springs=[batch])).stdout
        share = float(summary.split("best step reaches")[1].split("%")[0])
        self.assertTrue(1 <= share < 1000, summary)  # above 100 only if something else keeps the machine busy

    def test_stdout_has_states_alone(self):
        done = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", "-")
        self.assertEqual(done.stdout.count("\n"), 6)
        self.assertIn("springs per second", done.stderr)
        self.assertNotIn("\r", done.stderr)
        quiet = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", "-", "--quiet")
        self.assertEqual((quiet.stdout, quiet.stderr), (done.stdout, ""))

    def test_output_times_of_the_scene(self):
        scene = self.scene(springs=[self.BATCH], output_times_s=[1, 0.5])
        self.assertEqual([row["time_s"] for row in self.states(scene)], ["0.5"] * 5 + ["1"] * 5)
        self.assertEqual([row["time_s"] for row in self.states(scene, "--at", "0.1")], ["0.1"] * 5)

    def test_full_device(self):
        scene = self.scene(springs=[dict(self.BATCH, count=100000)])
        error = self.gyre("simulate", scene, "-o", "/dev/full", "--format", "csv", expect=1).stderr
        self.assertIn("/dev/full: cannot write: No space left", error)
        self.assertTrue(os.path.exists("/dev/full"))
        with open("/dev/full", "wb") as full:
            done = subprocess.run(WRAPPER + [TOOL, "info"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)

    def test_no_such_folder(self):
        error = self.gyre("simulate", self.scene(springs=[self.BATCH]), "-o", self.path("no/out.csv"), expect=1).stderr
        self.assertIn("no/out.csv: cannot write: No such file", error)

    def test_signals_leave_nothing(self):
        scene = self.scene(springs=[dict(self.BATCH, count=100000)], duration_s=1e6, time_step_s=0.01,
                           output_times_s=[0, 1e6])
        out = self.write("out.csv", "former\n")
        before = sorted(os.listdir(self.folder))
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number):
                # A process started in the background may ignore SIGINT; this one must not.
                process = subprocess.Popen(WRAPPER + [TOOL, "simulate", scene, "-q", "-o", out],
                                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
                try:
                    deadline = time.monotonic() + 60
                    while sorted(os.listdir(self.folder)) == before and time.monotonic() < deadline:
                        time.sleep(0.01)
                    self.assertNotEqual(sorted(os.listdir(self.folder)), before, "no file was begun")
                    self.assertEqual(self.read("out.csv"), "former\n")
                    process.send_signal(number)
                    self.assertEqual(process.wait(timeout=60), -number)
                finally:
                    process.kill()
                    process.wait()
                self.assertEqual(sorted(os.listdir(self.folder)), before)
                self.assertEqual(self.read("out.csv"), "former\n")

    def test_progress_bar_is_for_terminals(self):
        scene = self.scene(springs=[self.BATCH], duration_s=20, time_step_s=1e-5)
        for quiet in (False, True):
            with self.subTest(quiet=quiet):
                terminal, end = pty.openpty()
                arguments = ["simulate", scene] + ["-q"] * quiet
                process = subprocess.Popen(WRAPPER + [TOOL, *arguments], stdout=subprocess.PIPE, stderr=end)
                os.close(end)
                drawn = b""
                try:
                    while piece := os.read(terminal, 1 << 16):
                        drawn += piece
                except OSError:  # how a terminal says that nobody holds its other end
                    pass
                os.close(terminal)
                summary, _ = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0)
                if quiet:
                    self.assertEqual((drawn, summary), (b"", b""))
                else:
                    self.assertIn(b"million springs a second", drawn)
                    self.assertTrue(drawn.endswith(b"\r\x1b[K"), drawn)


class Others(ToolTest):
    def test_shipped_scenes(self):
        names = sorted(name for name in os.listdir(SCENES) if name.endswith(".json"))
        self.assertEqual(names, ["camera_follow.json", "million_retargeted.json", "ui_wall.json"])
        for name in names:
            with self.subTest(name):
                out = self.path("out.csv")
                done = self.gyre("simulate", os.path.join(SCENES, name), "-o", out)
                self.assertIn("springs per second", done.stdout)
                with open(os.path.join(SCENES, name), encoding="utf-8") as file:
                    scene = json.load(file)
                rows = sum(batch["count"] for batch in scene["springs"]) * len(scene.get("output_times_s", [0]))
                text = self.read("out.csv")
                self.assertEqual(text.count("\n"), rows + 1)
                self.assertNotIn("nan", text)
                self.assertNotIn("inf", text)

    def test_presets_name_their_source(self):
        with open(os.path.join(SCENES, "ui_wall.json"), encoding="utf-8") as file:
            for batch in json.load(file)["springs"]:
                self.assertRegex(batch["source"], r"^(androidx: .*\.(java|kt)|developer\.apple\.com/)")

    def test_info(self):
        lines = self.gyre("info").stdout.splitlines()
        self.assertEqual(lines[0].split(), ["isa", "rounding", "in", "this", "build", "runs", "here"])
        listed = [tuple(line.split()[:2]) for line in lines[1:]]
        for isa in ("scalar", "sse2", "sse41", "avx2", "avx512", "neon"):
            for rounding in ("portable", "fused"):
                self.assertIn((isa, rounding), listed)
        used = [line for line in lines if line.endswith("in use")]
        self.assertEqual(len(used), 1)
        self.assertIn("portable", used[0])
        self.assertIn("best", used[0])
        for line in lines[1:]:
            self.assertFalse(line.split()[2] == "no" and line.split()[3] != "no", line)

    def test_help_and_version(self):
        self.assertRegex(self.gyre("--version").stdout, r"^gyre \d+\.\d+\.\d+\n$")
        for arguments in (["--help"], ["help"], ["help", "simulate"], ["simulate", "--help"], ["plot", "--help"]):
            self.assertIn("Usage: gyre", self.gyre(*arguments).stdout)
        self.assertIn("--rounding", self.gyre("help", "simulate").stdout)


class Pictures(ToolTest):
    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_springs(self):
        self.gyre("plot", "springs", cwd=self.folder)
        svg = self.read("springs.svg")
        for label in ("underdamped", "critical", "overdamped", "time (s)", "displacement (m)", "v = 1 m/s", "ζ = 0.5"):
            self.assertIn(label, svg)
        self.curves_are_right(svg)
        self.gyre("plot", "springs", "-o", self.path("springs.png"))
        with open(self.path("springs.png"), "rb") as file:
            png = file.read()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", png[16:24]), (2400, 1000))
        self.assertGreater(len(png), 20000)
        self.assertEqual(sorted(os.listdir(self.folder)), ["springs.png", "springs.svg"])

    def curves_are_right(self, svg):
        """Each coloured path is the closed form, in the scale that the first one has."""
        scale = None
        for colour, z in ((r"213,\s+94,\s+0", 0.5), (r"0,\s+114,\s+178", 1), (r"0,\s+158,\s+115", 2)):
            paths = re.findall(rf"<path stroke='rgb\(\s*{colour}\)'\s+d='([^']*)'", svg)
            self.assertEqual(len(paths), 2, "one curve in each panel")
            for path, (x, v) in zip(paths, ((1, 0), (0.5, 1))):
                points = [tuple(map(float, point)) for point in re.findall(r"([\d.]+),([\d.]+)", path)]
                self.assertGreater(len(points), 100)
                left, right = points[0][0], points[-1][0]
                expected = [closed_form(1, z, x, v, 12 * (px - left) / (right - left))[0] for px, _ in points]
                low, high = expected.index(min(expected)), expected.index(max(expected))
                if scale is None:
                    unit = (points[low][1] - points[high][1]) / (expected[high] - expected[low])
                    scale = points[high][1] + unit * expected[high], unit
                for (_, py), value in zip(points, expected):
                    self.assertAlmostEqual((scale[0] - py) / scale[1], value, delta=0.01)

    def test_wrong_ending(self):
        self.gyre("plot", "springs", "-o", self.path("springs.bmp"), expect=2)
        self.assertEqual(os.listdir(self.folder), [])

    def test_without_gnuplot(self):
        out = self.write("springs.svg", "former\n")
        environment = dict(os.environ, PATH=self.folder)
        error = self.gyre("plot", "springs", "-o", out, expect=1, env=environment).stderr
        self.assertIn("apt-get install gnuplot-nox", error)
        self.assertEqual(os.listdir(self.folder), ["springs.svg"])
        self.assertEqual(self.read("springs.svg"), "former\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
