"""Tests of the command line program: what it refuses, and what it says then."""

import os
import sys
import unittest

from tool_support import ToolTest

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
                     "at least one batch in springs, particles, flings or bodies")

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


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
