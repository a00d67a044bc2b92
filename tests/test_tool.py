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

# The same for every other kind and form of batch.
FORMS_SCENE = """{
    "duration_s": 2,
    "time_step_s": 0.25,
    "springs": [
        {
            "name": "each",
            "count": 3,
            "spring": {"response_s": {"csv": "styles.csv", "column": "response"}, "damping_ratio": [0.5, 1, 2]}
        },
        {
            "name": "palette",
            "count": 4,
            "palette": [
                {"response_s": 0.4, "damping_ratio": 1},
                {"stiffness": 200, "damping_ratio": 0.5}
            ],
            "which": [0, 1, 1, 0]
        },
        {
            "name": "evaluated",
            "count": 2,
            "spring": {"duration_s": 0.5, "bounce": 0.2},
            "evaluate": true
        }
    ],
    "particles": [
        {
            "name": "particles",
            "count": 3,
            "drag": [0.5, 0.9, 1],
            "acceleration": -9.8,
            "start": {"velocity": 3},
            "set": [
                {"at_s": 1, "velocity": 5, "first": 1}
            ]
        }
    ],
    "flings": [
        {
            "name": "flings",
            "count": 2,
            "drag": 0.135,
            "low": 0,
            "high": 100,
            "spring": {"half_life_s": 0.1, "damping_ratio": 1},
            "rest_distance": 0.5,
            "fling": [{"at_s": 0.5, "velocity": 90}]
        }
    ]
}
"""
STYLES = "name,response,which\nslow,0.9,0\nquick,0.2,1\nmiddling,0.4,2\n"

BAD_FORMS = {
    "parameter of no spring": ("[0.5, 1, 2]", "[0.5, -1, 2]", "springs[0].spring", "spring 1: no such spring"),
    "short list of parameters": ("[0.5, 1, 2]", "[0.5, 1]", "springs[0].spring.damping_ratio", "2 numbers, expected 3"),
    "half a form per spring": (', "damping_ratio": [0.5, 1, 2]', "", "springs[0].spring", "exactly one form"),
    "parameter that is text": ("[0.5, 1, 2]", '"all"', "springs[0].spring.damping_ratio", "a number, an array"),
    "file of values missing": ("styles.csv", "none.csv", "springs[0].spring.response_s.csv", "No such file"),
    "no column": (', "column": "response"', "", "springs[0].spring.response_s.column", "expected a string"),
    "column and more": ('"column": "r', '"uniform": 1, "column": "r', "springs[0].spring.response_s.uniform",
                        "unknown key"),
    "spring and palette": ('"palette": [', '"spring": {}, "palette": [', "springs[1]", "either spring or palette",
                           "palette"),
    "neither": ('"spring": {"duration_s": 0.5, "bounce": 0.2},', "", "springs[2]", "either spring or palette",
                "evaluated"),
    "empty palette": ('"palette": [\n                {"response_s": 0.4, "damping_ratio": 1},\n'
                      '                {"stiffness": 200, "damping_ratio": 0.5}\n            ]', '"palette": []',
                      "springs[1].palette", "has 0 springs, expected 1 to 65536"),
    "palette of no spring": ('"stiffness": 200', '"stiffness": -2', "springs[1].palette[1]", "no such spring"),
    "palette per spring": ('"stiffness": 200', '"stiffness": [1, 2, 3, 4]', "springs[1].palette[1].stiffness",
                           "is an array"),
    "index outside": ("[0, 1, 1, 0]", "[0, 1, 2, 0]", "springs[1].which", "has 2 for spring 2"),
    "index negative": ("[0, 1, 1, 0]", "[0, -1, 1, 0]", "springs[1].which", "has -1 for spring 1"),
    "index not whole": ("[0, 1, 1, 0]", "[0, 1, 0.5, 0]", "springs[1].which", "whole number from 0 to 1"),
    "way of sharing": ("[0, 1, 1, 0]", '"evenly"', "springs[1].which", 'expected "runs", "random"'),
    "no index": (',\n            "which": [0, 1, 1, 0]', "", "springs[1].which", 'expected "runs", "random"',
                 "palette"),
    "index without a palette": ('"evaluate": true', '"which": "runs"', "springs[2].which", "is for a palette"),
    "evaluate is no truth": ('"evaluate": true', '"evaluate": 1', "springs[2].evaluate", "expected true or false"),
    "evaluate and rest": ('"evaluate": true', '"evaluate": true, "rest_speed": 1', "springs[2].evaluate", "no rest_"),
    "evaluate per spring": ("0.5, 1, 2]}", '0.5, 1, 2]}, "evaluate": true', "springs[0].evaluate", "one spring"),
    "evaluate a palette": ("[0, 1, 1, 0]", '"runs", "evaluate": true', "springs[1].evaluate", "one spring for all"),
    "drag of a particle": ("[0.5, 0.9, 1]", "[0.5, 0.9, 1.5]", "particles[0].drag", "is 1.5 for particle 2"),
    "drag of all": ("[0.5, 0.9, 1]", "0", "particles[0].drag", "more than 0 and up to 1"),
    "drag short": ("[0.5, 0.9, 1]", "[0.5]", "particles[0].drag", "has 1 numbers, expected 3"),
    "acceleration": ("-9.8", '"g"', "particles[0].acceleration", "expected a number"),
    "particles have no target": ('{"velocity": 3}', '{"target": 3}', "particles[0].start.target", "unknown key"),
    "nothing set": ('"velocity": 5, ', "", "particles[0].set[0].velocity", "is missing, and so is acceleration"),
    "set late": ('"at_s": 1', '"at_s": 3', "particles[0].set[0].at_s", "up to the duration of 2 s"),
    "set outside": ('"first": 1', '"first": 3', "particles[0].set[0].first", "is 3, expected 0 to 2"),
    "unknown key of particles": ('"drag": [', '"dragg": [', "particles[0].dragg", "did you mean drag?"),
    "count of particles": ('"count": 3,\n            "drag"', '"count": 4611686018427387904,\n            "drag"',
                           "particles[0].count", "more memory"),
    "drag of flings": ("0.135", "1.35", "flings[0].drag", "more than 0 and up to 1"),
    "no drag of flings": ('"drag": 0.135,', "", "flings[0].drag", "is missing", "flings"),
    "no edge": ('"low": 0,', "", "flings[0].low", "is missing", "flings"),
    "edges crossed": ('"high": 100', '"high": -1', "flings[0].high", "is -1, expected 0 or more"),
    "no spring at the edge": ('"half_life_s": 0.1, ', "", "flings[0].spring", "exactly one form"),
    "fling of nothing": (', "velocity": 90', "", "flings[0].fling[0].velocity", "is missing, expected"),
    "rest of flings": ('"rest_distance": 0.5', '"rest_distance": -0.5', "flings[0].rest_distance", "0 or more"),
    "flings have no period": ('"rest_distance": 0.5', '"period": 3', "flings[0].period", "unknown key"),
    "count of flings": ('"count": 2,\n            "drag"', '"count": 4611686018427387904,\n            "drag"',
                        "flings[0].count", "more memory"),
    "name used in two kinds": ('"name": "flings"', '"name": "each"', "flings[0].name", "another batch"),
}

BAD_COLUMNS = {
    "no such column": ("name,speed\na,1\nb,2\nc,3\n", 1, "header", "has no column response"),
    "not a number": ("name,response\na,1\nb,x\nc,3\n", 3, "response", "is not a number"),
    "row too short": ("name,response\na,1\nb\nc,3\n", 3, "row 2", "has 1 values, expected 2"),
    "empty": ("", 1, "header", "is missing"),
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


def drag_form(d, x, v, a, t):
    """Position and velocity after t of dv/dt = v ln d + a."""
    rate = math.log(d)
    if rate == 0:
        return x + v * t + a * t * t / 2, v + a * t
    terminal = -a / rate
    return x + terminal * t + (v - terminal) * math.expm1(rate * t) / rate, terminal + (v - terminal) * d**t


def fling_form(d, low, high, w, z, x, v, t):
    """Position, velocity and end after t of a fling between edges."""
    rate = math.log(d)
    edge = high if v > 0 else low
    end = min(max(x - v / rate, low), high)
    if not low <= x <= high:
        edge = end = low if x < low else high
        x, v = closed_form(w, z, x - edge, v, t)
        return edge + x, v, end
    beyond = x - v / rate > high or x - v / rate < low
    meets = math.log1p(rate * (edge - x) / v) / rate if beyond else math.inf
    if t <= meets:
        return *drag_form(d, x, v, 0, t), end
    x, v = closed_form(w, z, 0, v * d**meets, t - meets)
    return edge + x, v, end


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
    def refused(self, scene, start, message_file, line, path, part, table="start.csv"):
        scene_path = self.write("scene.json", scene)
        self.write(table, start)
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

    def test_forms(self):
        self.write("styles.csv", STYLES)
        self.assertEqual(len(self.states(self.write("scene.json", FORMS_SCENE))), 14)
        for name, (old, new, path, part, *batch) in BAD_FORMS.items():
            with self.subTest(name):
                self.assertEqual(FORMS_SCENE.count(old), 1, "the piece to replace must be there once")
                scene = FORMS_SCENE.replace(old, new)
                # What is missing from a batch is told with the line where that begins.
                shown = f'{{\n            "name": "{batch[0]}"' if batch else old
                line = FORMS_SCENE[: FORMS_SCENE.index(shown)].count("\n") + 1
                self.refused(scene, STYLES, "scene.json", line, path, part, table="styles.csv")

    def test_columns(self):
        for name, (table, line, path, part) in BAD_COLUMNS.items():
            with self.subTest(name):
                self.refused(FORMS_SCENE, table, "styles.csv", line, path, part, table="styles.csv")

    def test_wrong_number_of_values(self):
        part = "has 2 rows, expected 3"
        self.refused(FORMS_SCENE, "response\n1\n2\n", "scene.json", 8, "springs[0].spring.response_s.csv", part,
                     table="styles.csv")

    def test_nothing_to_simulate(self):
        self.refused('{"duration_s": 1, "time_step_s": 1, "flings": []}', "", "scene.json", 1, "top level",
                     "at least one batch in springs, particles or flings")

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
        out = self.path("out.svg")
        for arguments, part in (
            (["springs", "--spring", "response_s=0.5"], "exactly one form: angular_frequency + damping_ratio"),
            (["springs", "--spring", "response=0.5,damping_ratio=1"], "exactly one form"),
            (["springs", "--spring", "response_s=0.5,response_s=0.5"], "exactly one form"),
            (["springs", "--spring", "response_s=-1,damping_ratio=1"], "no such spring, expected response_s > 0"),
            (["springs", "--spring", "response_s=a,damping_ratio=1"], "KEY=VALUE"),
            (["springs", "--spring", "response_s=1,damping_ratio=1e99"], "KEY=VALUE"),
            (["springs", "--spring", "response_s=1,"], "KEY=VALUE"),
            (["springs", "--spring", "half a second"], "KEY=VALUE"),
            (["springs", "--spring", "mass=1,stiffness=1,damping=1,damping_ratio=1"], "KEY=VALUE"),
            (["springs"] + ["--spring", "response_s=1,damping_ratio=1"] * 8, "up to 7"),
            (["springs", "--start", "1"], "POSITION,VELOCITY"),
            (["springs", "--start", "1,2,3"], "POSITION,VELOCITY"),
            (["springs", "--start", "1,nan"], "POSITION,VELOCITY"),
            (["springs", "--retarget", "1"], "TIME:TARGET"),
            (["springs", "--retarget=-1:2"], "TIME:TARGET"),
            (["springs", "--retarget", "2:1", "--duration", "1"], "up to the duration of 1 s"),
            (["springs", "--duration", "0"], "seconds, more than 0"),
            (["springs", "--tolerance=-1"], "a distance, more than 0"),
            (["springs", "--drag", "0.5"], "--drag is not for plot springs"),
            (["springs", "--acceleration", "1"], "--acceleration is not for plot springs"),
            (["motion", "--drag", "0"], "more than 0 and up to 1"),
            (["motion", "--drag", "1.5"], "more than 0 and up to 1"),
            (["motion", "--drag", "0.5x"], "more than 0 and up to 1"),
            (["motion", "--acceleration", "down"], "a number"),
            (["motion", "--spring", "response_s=1,damping_ratio=1"], "--spring is not for plot motion"),
            (["motion", "--retarget", "1:1"], "--retarget is not for plot motion"),
        ):
            with self.subTest(arguments=arguments):
                error = self.gyre("plot", *arguments, "-o", out, expect=2).stderr
                self.assertIn(part, error)
                self.assertEqual(error.count("\n"), 1)
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

    def spring_states_are_right(self, rows, parameters, start, events=()):
        """Each row is the closed form of its own spring, through the events (at, target) up to its time."""
        self.assertGreater(len(rows), 0)
        for row in rows:
            i, t = int(row["index"]), float(row["time_s"])
            (w, z), x, v, since, target = parameters[i], start["position"][i], start["velocity"][i], 0, 0
            for at, new in (*((at, new) for at, new in events if at <= t), (t, None)):
                x, v = closed_form(w, z, x - target, v, at - since)
                x, since, target = target + x, at, target if new is None else new
            self.near(row["position"], x, 5)
            self.near(row["velocity"], v, 5 * max(w, 1))
            self.assertEqual(float(row["target"]), target)

    START = {"position": [2, -1, 0.5], "velocity": [-3, 5, 0]}
    EVENTS = [(0.333, 2), (0.61, -1)]

    def batch(self, **more):
        return {"name": "s", "count": 3, "start": self.START,
                "retarget": [{"at_s": at, "target": target} for at, target in self.EVENTS], **more}

    def test_parameters_per_spring(self):
        self.write("styles.csv", "name,w,z\nslow,3,0.2\nquick,20,1\nstiff,9,1.5\n")
        column = {"csv": "styles.csv", "column": "w"}
        expected = [(3, 0.2), (20, 1), (9, 1.5)]
        for spring in (
            {"angular_frequency": [3, 20, 9], "damping_ratio": [0.2, 1, 1.5]},
            {"angular_frequency": column, "damping_ratio": {"csv": "styles.csv", "column": "z"}},
            {"response_s": [2 * math.pi / 3, math.pi / 10, 2 * math.pi / 9], "damping_ratio": [0.2, 1, 1.5]},
            {"mass": 2, "stiffness": [18, 800, 162], "damping": [2.4, 80, 54]},
        ):
            with self.subTest(spring):
                rows = self.states(self.scene(springs=[self.batch(spring=spring)]), "--at", "0,0.2,0.333,0.5,1")
                self.spring_states_are_right(rows, expected, self.START, self.EVENTS)
        shared = {"angular_frequency": column, "damping_ratio": 0.5}
        rows = self.states(self.scene(springs=[self.batch(spring=shared)]), "--at", "0.7")
        self.spring_states_are_right(rows, [(w, 0.5) for w, _ in expected], self.START, self.EVENTS)

    def test_parameters_from_distributions_differ(self):
        spring = {"angular_frequency": {"uniform": {"low": 2, "high": 9}},
                  "damping_ratio": {"uniform": {"low": 0, "high": 2}}}
        batch = {"name": "s", "count": 500, "spring": spring, "start": {"position": 1}}
        t = 0.4
        rows = self.states(self.scene(seed=1, springs=[batch]), "--at", t)
        reachable = [closed_form(w / 10, z / 20, 1, 0, t)[0] for w in range(20, 91) for z in range(41)]
        x = [float(row["position"]) for row in rows]
        self.assertGreater(len(set(x)), 490)
        self.assertTrue(min(reachable) <= min(x) < min(reachable) + 0.2, (min(x), min(reachable)))
        self.assertTrue(max(reachable) - 0.1 < max(x) <= max(reachable), (max(x), max(reachable)))

    def test_palette(self):
        self.write("which.csv", "which\n1\n0\n1\n")
        palette = [{"angular_frequency": 4, "damping_ratio": 0.3}, {"response_s": 0.5, "damping_ratio": 2}]
        styles = [(4, 0.3), (4 * math.pi, 2)]
        for which, indices in (([0, 1, 0], (0, 1, 0)), ({"csv": "which.csv", "column": "which"}, (1, 0, 1)),
                               ("runs", (0, 0, 1))):
            with self.subTest(which=which):
                scene = self.scene(springs=[self.batch(palette=palette, which=which)])
                rows = self.states(scene, "--at", "0,0.2,0.5,1")
                self.spring_states_are_right(rows, [styles[i] for i in indices], self.START, self.EVENTS)

    def which(self, count, styles, which, seed=1):
        """The index of each spring: style i is undamped and reaches the phase i + 1 of a half turn at 1 s."""
        palette = [{"angular_frequency": (i + 0.5) / styles * math.pi, "damping_ratio": 0} for i in range(styles)]
        batch = {"name": "s", "count": count, "palette": palette, "which": which, "start": {"position": 1}}
        rows = self.states(self.scene(seed=seed, springs=[batch]), "--at", 1)
        return [math.floor(math.acos(float(row["position"])) / math.pi * styles) for row in rows]

    def test_ways_to_share_a_palette(self):
        self.assertEqual(self.which(10, 3, "runs"), [0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
        self.assertEqual(self.which(2, 5, "runs"), [0, 2])
        drawn = self.which(6000, 6, "random")
        for i in range(6):
            self.assertAlmostEqual(drawn.count(i), 1000, delta=150)
        self.assertLess(sum(a == b for a, b in zip(drawn, drawn[1:])), 1200)
        self.assertFalse(drawn == self.which(6000, 6, "random", seed=2))

    def test_evaluated(self):
        batch = self.batch(spring={"angular_frequency": 5, "damping_ratio": 0.3}, evaluate=True)
        batch["retarget"][1]["last"] = 1
        for step in (0.05, 1):
            rows = self.states(self.scene(time_step_s=step, springs=[batch]), "--at", "0,0.2,0.333,0.5,1")
            some = [row for row in rows if row["index"] != "2"]
            self.spring_states_are_right(some, [(5, 0.3)] * 3, self.START, self.EVENTS)
            rest = [row for row in rows if row["index"] == "2"]
            self.spring_states_are_right(rest, [(5, 0.3)] * 3, self.START, self.EVENTS[:1])
        stepped = self.states(self.scene(springs=[dict(batch, evaluate=False)]), "--at", "0.5,1")
        for a, b in zip(stepped, self.states(self.scene(springs=[batch]), "--at", "0.5,1")):
            self.near(a["position"], float(b["position"]), 5)

    def test_evaluated_does_not_depend_on_frames(self):
        """Not in a bit, as nothing is carried from one to the next; a stepped one does."""
        batch = {"name": "s", "count": 200, "spring": {"response_s": 0.7, "damping_ratio": 0.2},
                 "start": {"position": {"uniform": {"low": -1, "high": 1}}, "target": 0.3}}
        for evaluate, different in ((True, 1), (False, 3)):
            outputs = set()
            for step in (0.013, 0.05, 0.4):
                scene = self.scene(seed=1, time_step_s=step, springs=[dict(batch, evaluate=evaluate)])
                outputs.add(self.gyre("simulate", scene, "--at", "0.777", "-o", "-", "-q").stdout)
            self.assertEqual(len(outputs), different)
        others = {"at_s": 0.5, "target": 1, "last": 99}
        rows = []
        for retarget in ([], [others]):
            scene = self.scene(seed=1, springs=[dict(batch, evaluate=True, retarget=retarget)])
            rows.append(self.states(scene, "--at", "0.777"))
        self.assertEqual([a == b for a, b in zip(*rows)], [False] * 100 + [True] * 100)

    def test_evaluated_is_awake_until_it_is_there(self):
        batch = {"name": "s", "count": 2, "spring": {"angular_frequency": 200, "damping_ratio": 1}, "evaluate": True,
                 "start": {"position": [1, 1], "target": [1, 0]},
                 "retarget": [{"at_s": 0.5, "target": 2, "last": 0}, {"at_s": 0.6, "target": 1, "last": 0}]}
        rows = self.states(self.scene(springs=[batch]), "--at", "0,0.4,0.5,1")
        self.assertEqual([row["awake"] for row in rows], ["0", "1", "0", "0", "1", "0", "0", "0"])

    def test_particles(self):
        self.write("start.csv", "position,velocity\n1,2\n-1,4\n0,-3\n")
        start = {"position": [1, -1, 0], "velocity": [2, 4, -3]}
        self.write("drag.csv", "drag,acceleration\n0.5,3\n0.9,-2\n0.01,0\n")
        drags, accelerations = [0.5, 0.9, 0.01], [3, -2, 0]
        drag, acceleration = ({"csv": "drag.csv", "column": name} for name in ("drag", "acceleration"))
        for more, d, a in (
            ({"drag": 0.3}, [0.3] * 3, [0] * 3),
            ({"drag": 0.3, "acceleration": -9.8}, [0.3] * 3, [-9.8] * 3),
            ({"acceleration": -9.8}, [1] * 3, [-9.8] * 3),
            ({"drag": drags, "acceleration": accelerations}, drags, accelerations),
            ({"drag": drag, "acceleration": -9.8}, drags, [-9.8] * 3),
            ({"drag": 0.3, "acceleration": acceleration}, [0.3] * 3, accelerations),
        ):
            for state in (start, {"csv": "start.csv"}):
                with self.subTest(more, start=state):
                    batch = {"name": "p", "count": 3, "start": state, **more}
                    rows = self.states(self.scene(particles=[batch]), "--at", "0,0.33,1")
                    self.assertEqual(len(rows), 9)
                    for row in rows:
                        i, t = int(row["index"]), float(row["time_s"])
                        x, v = drag_form(d[i], start["position"][i], start["velocity"][i], a[i], t)
                        self.near(row["position"], x, 10)
                        self.near(row["velocity"], v, 10)
                        self.assertEqual((row["target"], row["awake"]), ("", "1"))

    def test_particles_that_are_set(self):
        d, g = 0.4, -9.8
        sets = [{"at_s": 0.61, "acceleration": 2, "last": 0}, {"at_s": 0.333, "velocity": [7, 8], "first": 1},
                {"at_s": 0.9, "velocity": 0, "acceleration": 0, "first": 2}]
        batch = {"name": "p", "count": 3, "drag": d, "acceleration": g, "start": {"velocity": 3}, "set": sets}
        rows = self.states(self.scene(particles=[batch]), "--at", "0.333,1")
        x, v = drag_form(d, 0, 3, g, 0.333)
        self.assertEqual([float(row["velocity"]) for row in rows[1:3]], [7, 8])
        self.near(rows[0]["velocity"], v, 3)
        expected = [drag_form(d, *drag_form(d, x, v, g, 0.277), 2, 0.39), drag_form(d, x, 7, g, 0.667)]
        for row, (x1, v1) in zip(rows[3:], expected):
            self.near(row["position"], x1, 5)
            self.near(row["velocity"], v1, 5)
        self.near(rows[5]["position"], drag_form(d, x, 8, g, 0.567)[0], 5)
        self.assertEqual((rows[5]["velocity"], [row["awake"] for row in rows[3:]]), ("0", ["1", "1", "0"]))
        still = [{"name": "top", "count": 1, "acceleration": -9.8}, {"name": "still", "count": 1}]
        self.assertEqual([row["awake"] for row in self.states(self.scene(particles=still), "--at", "0")], ["1", "0"])
        done = self.gyre("simulate", self.scene(particles=[batch]), "--at", "1", "-o", "-", "--format", "jsonl")
        self.assertIsNone(json.loads(done.stdout.splitlines()[0])["target"])
        self.assertIn("1 of 3 particles", done.stderr)

    FLINGS = {"name": "f", "drag": 0.135, "low": 0, "high": 1000,
              "spring": {"angular_frequency": 14, "damping_ratio": 1.1}}
    FLUNG = [(500, 100), (900, 2000), (100, -3000), (1000, 50), (1000, -50), (0, 0), (-80, -500), (1100, -20000),
             (400, 0)]

    def flings(self, **more):
        return dict(self.FLINGS, count=len(self.FLUNG), start={"position": [x for x, _ in self.FLUNG],
                                                              "velocity": [v for _, v in self.FLUNG]}, **more)

    def test_flings(self):
        for step in (0.008, 0.05, 1):
            rows = self.states(self.scene(time_step_s=step, flings=[self.flings()]), "--at", "0,0.04,0.3,0.7,1")
            self.assertEqual(len(rows), 5 * len(self.FLUNG))
            for row in rows:
                x, v = self.FLUNG[int(row["index"])]
                x, v, end = fling_form(0.135, 0, 1000, 14, 1.1, x, v, float(row["time_s"]))
                with self.subTest(step=step, row=row):
                    self.near(row["position"], x, 1000)
                    self.near(row["velocity"], v, 20000)
                    self.near(row["target"], end, 1000)

    def test_a_fling_meets_its_edge_at_the_exact_moment(self):
        """Just before it is where drag has it, just after where the spring has it: nearer than it goes in 1 us."""
        d, x, v = 0.135, 900, 2000
        rate = math.log(d)
        meets = math.log1p(rate * 100 / v) / rate
        times = [meets - 1e-3, meets + 1e-3]
        rows = self.states(self.scene(time_step_s=1, flings=[self.flings()]), "--at", ",".join(map(repr, times)))
        before, after = (row for row in rows if row["index"] == "1")
        speed = v * d**meets
        self.near(before["position"], drag_form(d, x, v, 0, times[0])[0], 50)
        self.near(before["velocity"], drag_form(d, x, v, 0, times[0])[1], 500)
        self.near(after["position"], 1000 + closed_form(14, 1.1, 0, speed, 1e-3)[0], 50)
        self.near(after["velocity"], closed_form(14, 1.1, 0, speed, 1e-3)[1], 500)

    def test_flings_come_to_rest_where_they_said(self):
        batch = self.flings(rest_distance=0.5, rest_speed=10)
        scene = self.scene(duration_s=9, flings=[batch])
        done = self.gyre("simulate", scene, "--at", "0,9", "-o", "-")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertIn("9 of 9 flings", done.stderr)
        for first, last in zip(rows, rows[9:]):
            self.assertEqual((last["position"], last["velocity"], last["awake"]), (last["target"], "0", "0"))
            self.assertEqual(first["target"], last["target"])

    def test_a_fling_that_rests_just_before_its_edge_stays(self):
        """It would have met the edge at 0.898 s, in the next frame, but a list that stands must not start again."""
        batch = dict(self.FLINGS, count=1, spring={"angular_frequency": 0.1, "damping_ratio": 1},
                     start={"position": 990, "velocity": 24})
        for limits, at_rest in (({}, False), ({"rest_distance": 1, "rest_speed": 8}, True)):
            rows = self.states(self.scene(duration_s=2, frame_times_s=[0.8, 1.2], flings=[dict(batch, **limits)]))
            self.assertEqual((rows[0]["position"], rows[0]["velocity"]) == ("1000", "0"), at_rest)

    def test_flung_again(self):
        again = [{"at_s": 0.4, "velocity": [900, -900], "first": 1, "last": 2}]
        rows = self.states(self.scene(time_step_s=0.3, flings=[self.flings(fling=again)]), "--at", "1")
        for i, new in ((0, None), (1, 900), (2, -900), (3, None)):
            x, v = self.FLUNG[i]
            x1, v1, end = fling_form(0.135, 0, 1000, 14, 1.1, x, v, 1)
            if new is not None:
                x, _, _ = fling_form(0.135, 0, 1000, 14, 1.1, x, v, 0.4)
                x1, v1, end = fling_form(0.135, 0, 1000, 14, 1.1, x, new, 0.6)
            with self.subTest(i):
                self.near(rows[i]["position"], x1, 1000)
                self.near(rows[i]["velocity"], v1, 2000)
                self.near(rows[i]["target"], end, 1000)

    def test_flings_without_drag(self):
        batch = dict(self.FLINGS, drag=1, count=3, start={"position": 10, "velocity": [5, -100, 0]})
        rows = self.states(self.scene(flings=[batch]), "--at", "0.05,1")
        self.assertEqual([row["target"] for row in rows[:3]], ["1000", "0", "10"])
        for row, x in zip(rows, (10.25, 5, 10)):
            self.near(row["position"], x, 10)
        self.near(rows[4]["position"], closed_form(14, 1.1, 0, -100, 0.9)[0], 10)

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
        start = {"position": distribution, "velocity": distribution}
        retarget = [{"at_s": 0.37, "target": distribution, "first": 3}]
        sets = [{"at_s": 0.37, "velocity": distribution, "first": 3}, {"at_s": 0.5, "acceleration": distribution}]
        ratios = {"uniform": {"low": 0, "high": 2.5}}
        self.others = {
            "springs": [
                {"name": "each", "count": 1003, "start": start, "retarget": retarget,
                 "spring": {"response_s": {"uniform": {"low": 0.1, "high": 2}}, "damping_ratio": ratios},
                 "rest_distance": 1e-3, "rest_speed": 1e-2},
                {"name": "palette", "count": 1003, "which": "random",
                 "palette": [{"response_s": 0.4, "damping_ratio": z / 8} for z in range(20)],
                 "start": start, "retarget": retarget, "period": 6.2831855},
                {"name": "evaluated", "count": 1003, "spring": {"response_s": 0.4, "damping_ratio": 0.7},
                 "evaluate": True, "start": start, "retarget": retarget},
            ],
            "particles": [
                {"name": "shared", "count": 1003, "drag": 0.3, "acceleration": -9.8, "start": start},
                {"name": "own", "count": 1003, "drag": {"uniform": {"low": 0.01, "high": 1}},
                 "acceleration": distribution, "start": start, "set": sets},
            ],
            "flings": [
                {"name": "flings", "count": 1003, "drag": 0.135, "low": -3, "high": 3, "start": start,
                 "spring": {"response_s": 0.4, "damping_ratio": 0.9}, "rest_distance": 1e-3, "rest_speed": 1e-2,
                 "fling": [{"at_s": 0.37, "velocity": distribution, "first": 3}]},
            ],
        }

    def output(self, *arguments, batches=None):
        return self.simulated(*arguments, springs=batches or self.batches)

    def simulated(self, *arguments, **batches):
        scene = self.scene(seed=5, **batches)
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

    def has_threads(self):
        scene = self.scene(springs=self.batches)
        try:
            self.gyre("simulate", scene, "--threads", 2)
        except AssertionError:
            self.assertIn("without OpenMP", self.gyre("simulate", scene, "--threads", 2, expect=2).stderr)
            return False
        return True

    def test_isa_of_every_form(self):
        for kind, batches in self.others.items():
            for batch in batches:
                with self.subTest(batch["name"]):
                    for rounding in {rounding for _, rounding in self.tables()}:
                        isas = [isa for isa, other in self.tables() if other == rounding]
                        outputs = {self.simulated("--isa", isa, "--rounding", rounding, **{kind: [batch]})
                                   for isa in isas}
                        self.assertEqual(len(outputs), 1, rounding)

    def test_threads_of_every_form(self):
        if not self.has_threads():
            self.skipTest("built without OpenMP")
        one = self.simulated(**self.others)
        self.assertEqual(one.count("\n"), 1 + 3 * 6 * 1003)
        for threads in (2, 7):
            self.same(self.simulated("--threads", threads, **self.others).splitlines(), one.splitlines())

    def test_kinds_do_not_touch_each_other(self):
        alone = []
        for kind, batches in self.others.items():
            alone += self.simulated(**{kind: batches}).splitlines()[1:]
        self.same(sorted(self.simulated(**self.others).splitlines()[1:]), sorted(alone))

    def test_threads(self):
        if not self.has_threads():
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
        self.assertEqual(names, ["camera_follow.json", "fling_and_settle.json", "million_retargeted.json",
                                 "particles.json", "ui_wall.json"])
        for name in names:
            with self.subTest(name):
                out = self.path("out.csv")
                done = self.gyre("simulate", os.path.join(SCENES, name), "-o", out)
                with open(os.path.join(SCENES, name), encoding="utf-8") as file:
                    scene = json.load(file)
                (kind,) = {"springs", "particles", "flings"} & set(scene)
                self.assertIn(f"{kind} per second", done.stdout)
                rows = sum(batch["count"] for batch in scene[kind]) * len(scene.get("output_times_s", [0]))
                text = self.read("out.csv")
                self.assertEqual(text.count("\n"), rows + 1)
                self.assertNotIn("nan", text)
                self.assertNotIn("inf", text)

    def test_presets_name_their_source(self):
        with open(os.path.join(SCENES, "ui_wall.json"), encoding="utf-8") as file:
            for batch in json.load(file)["springs"]:
                self.assertRegex(batch["source"], r"^(androidx: .*\.(java|kt)|developer\.apple\.com/)")

    def test_flings_have_the_figures_that_they_name(self):
        with open(os.path.join(SCENES, "fling_and_settle.json"), encoding="utf-8") as file:
            batches = {batch["name"]: batch for batch in json.load(file)["flings"]}
        figures = {"iOS normal": (0.998**1000, 1.1, 0.5, 100), "iOS fast": (0.99**1000, 1.3, 0.3, 75),
                   "Compose exponentialDecay": (math.exp(-4.2),)}
        self.assertEqual(set(batches), set(figures))
        for name, (drag, *spring) in figures.items():
            self.assertAlmostEqual(batches[name]["drag"] / drag, 1, delta=1e-6)
            self.assertRegex(batches[name]["source"], r"developer\.apple\.com/|androidx: .*\.kt")
            if spring:
                ratio, mass, stiffness = spring
                given = batches[name]["spring"]
                self.assertEqual((given["mass"], given["stiffness"]), (mass, stiffness))
                self.assertAlmostEqual(given["damping"], ratio * 2 * math.sqrt(mass * stiffness), delta=1e-5)

    def test_two_hundred_thousand_particles(self):
        with open(os.path.join(SCENES, "particles.json"), encoding="utf-8") as file:
            self.assertEqual(sum(batch["count"] for batch in json.load(file)["particles"]), 200000)

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

    COLOURS = (r"213,\s+94,\s+0", r"0,\s+114,\s+178", r"0,\s+158,\s+115")

    def curve_is(self, svg, colour, expected, end, panel=0):
        """The longest path of that colour in a panel is `expected`, a function of time, in some scale."""
        paths = re.findall(rf"<path stroke='rgb\(\s*{colour}\)'\s+d='([^']*)'", svg)
        curves = [re.findall(r"([\d.]+),([\d.]+)", path) for path in paths]
        curves = [[(float(px), float(py)) for px, py in curve] for curve in curves if len(curve) > 50]
        points = curves[panel]
        left, right = points[0][0], points[-1][0]
        values = [expected(end * (px - left) / (right - left)) for px, _ in points]
        low, high = values.index(min(values)), values.index(max(values))
        unit = (points[low][1] - points[high][1]) / (values[high] - values[low])
        zero = points[high][1] + unit * values[high]
        for (_, py), value in zip(points, values):
            self.assertAlmostEqual((zero - py) / unit, value, delta=0.01 * (values[high] - values[low]))

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_springs_as_asked(self):
        self.gyre("plot", "springs", "--spring", "response_s=0.5,damping_ratio=0.5", "--spring",
                  "damping=30,stiffness=100,mass=1", "--spring", "duration_s=0.5,bounce=1", "--start=-2,10",
                  "--retarget", "0.9:3", "--retarget", "0.4:5", "--duration", "3", "--tolerance", "0.05",
                  cwd=self.folder)
        svg = self.read("springs.svg")
        for label in ("response 0.5 s, ζ = 0.5", "m = 1, k = 100, c = 30", "duration 0.5 s, bounce 1", "never settles",
                      "within 0.05 of the target"):
            self.assertIn(label, svg)

        def position(w, z, t):
            x, v, target, since = -2, 10, 0, 0
            for at, new in ((0.4, 5), (0.9, 3), (math.inf, 0)):
                x, v = closed_form(w, z, x - target, v, min(t, at) - since)
                x, target, since = x + target, target if t < at else new, at
                if t < at:
                    return x
            return None

        springs = ((4 * math.pi, 0.5), (10, 1.5), (4 * math.pi, 0))
        for colour, (w, z) in zip(self.COLOURS, springs):
            self.curve_is(svg, colour, lambda t, w=w, z=z: position(w, z, t), 3)
        # The times at which they are settled, in the legend and beside the dots.
        for w, z in springs[:2]:
            settled = max(t / 1e4 for t in range(30000) if abs(position(w, z, t / 1e4) - 3) > 0.05)
            self.assertGreater(settled, 0.9)
            told = [float(t) for t in re.findall(r"settled at ([\d.]+) s", svg)]
            near = [t for t in told if abs(t - settled) < 0.006]
            self.assertEqual(len(near), 1, (settled, told))
            self.assertRegex(svg, rf">{near[0]:.3g} s<")

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_motion(self):
        self.gyre("plot", "motion", cwd=self.folder)
        svg = self.read("motion.svg")
        for label in ("UIScrollView normal", "UIScrollView fast", "Compose", "position", "velocity", "time (s)",
                      "rests at 999"):
            self.assertIn(label, svg)
        self.gyre("plot", "motion", "--drag", "0.5", "--drag", "0.05", "--start", "10,-4", "--duration", "8",
                  "--tolerance", "0.1", cwd=self.folder)
        svg = self.read("motion.svg")
        for colour, d in zip(self.COLOURS, (0.5, 0.05)):
            for panel in (0, 1):
                self.curve_is(svg, colour, lambda t, d=d, n=panel: drag_form(d, 10, -4, 0, t)[n], 8, panel)
            rest = 10 + 4 / math.log(d)
            settled = math.log(0.1 / (10 - rest)) / math.log(d)
            note = f"rests at {rest:.4g}, settled at {settled:.3g} s"
            self.assertIn(note, svg.replace("−", "-"))
            self.assertRegex(svg, rf">{settled:.3g} s<")
        self.gyre("plot", "motion", "--drag", "1", "--drag", "0.1", "--start", "0,20", "--acceleration=-9.8",
                  "--duration", "4", "-o", self.path("fall.svg"))
        svg = self.read("fall.svg")
        for label in ("never comes to rest", f"terminal velocity −{9.8 / math.log(10):.3g}"):
            self.assertIn(label, svg)
        for colour, d in zip(self.COLOURS, (1, 0.1)):
            for panel in (0, 1):
                self.curve_is(svg, colour, lambda t, d=d, n=panel: drag_form(d, 0, 20, -9.8, t)[n], 4, panel)

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
