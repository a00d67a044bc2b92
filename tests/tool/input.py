"""Tests of the program: invalid input and its messages."""

import os
import re
import sys
import unittest

from refusals import REFUSALS, SPRINGS, START
from tool_support import ToolTest


class BadInput(ToolTest):
    def write_all(self, files):
        for name, text in files.items():
            self.write(name, text)

    def refused(self, scene, file, line, path, part):
        scene_path = self.write("scene.json", scene)
        self.write("out.csv", "former\n")
        before = sorted(os.listdir(self.folder))
        error = self.gyre("simulate", scene_path, "-o", self.path("out.csv"), expect=2).stderr
        self.assertEqual(error.count("\n"), 1, error)
        self.assertTrue(error.startswith(f"gyre: {self.path(file)}:{line}: {path}: "), error)
        self.assertIn(part, error)
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual(self.read("out.csv"), "former\n")

    def test_unmodified_scenes_are_valid(self):
        for kind, refusals in REFUSALS.items():
            with self.subTest(kind):
                self.write_all(refusals.files)
                self.assertEqual(len(self.states(self.write("scene.json", refusals.scene))), refusals.states)

    def test_scenes(self):
        for kind, refusals in REFUSALS.items():
            self.write_all(refusals.files)
            for name, (old, new, path, part, *batch) in refusals.bad_scenes.items():
                with self.subTest(f"{kind}: {name}"):
                    scene = refusals.scene
                    self.assertEqual(scene.count(old), 1, "the piece to replace must occur once")
                    shown = f'{{\n            "name": "{batch[0]}"' if batch else old
                    line = 1 if path == "top level" else scene[: scene.index(shown)].count("\n") + 1
                    self.refused(scene.replace(old, new), "scene.json", line, path, part)

    def test_files(self):
        for kind, refusals in REFUSALS.items():
            for name, (file, text, line, path, part) in refusals.bad_files.items():
                with self.subTest(f"{kind}: {name}"):
                    self.assertNotEqual(text, refusals.files[file])
                    self.write_all({**refusals.files, file: text})
                    told = "scene.json" if path.endswith(".csv") else file  # after the key that names a file
                    self.refused(refusals.scene, told, line, path, part)

    def test_byte_order_marks_are_skipped(self):
        mark = "\ufeff"
        for kind, refusals in REFUSALS.items():
            with self.subTest(kind):
                self.write_all(refusals.files)
                expected = self.states(self.write("scene.json", refusals.scene))
                self.write_all({name: mark + text for name, text in refusals.files.items()})
                self.assertEqual(self.states(self.write("scene.json", mark + refusals.scene)), expected)
        self.write("start.csv", mark + "# a comment\n" + START)
        self.assertEqual(len(self.states(self.write("scene.json", mark + SPRINGS))), 6)
        self.refused(mark + SPRINGS.replace('"seed"', '"seeds"'), "scene.json", 3, "seeds", "did you mean seed?")

    def test_windows_line_ends(self):
        for kind, refusals in REFUSALS.items():
            with self.subTest(kind):
                self.write_all(refusals.files)
                expected = self.states(self.write("scene.json", refusals.scene))
                self.write_all({name: text.replace("\n", "\r\n") for name, text in refusals.files.items()})
                scene = self.write("scene.json", refusals.scene.replace("\n", "\r\n"))
                self.assertEqual(self.states(scene), expected)

    def test_csv_cells_may_be_quoted(self):
        for kind, refusals in REFUSALS.items():
            with self.subTest(kind):
                self.write_all(refusals.files)
                scene = self.write("scene.json", refusals.scene)
                expected = self.states(scene)
                for name, text in refusals.files.items():
                    quoted = "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines())
                    self.write(name, quoted + "\n")
                self.assertEqual(self.states(scene), expected)
        # In an unused column, quotes protect commas and quotes.
        refusals = REFUSALS["forms"]
        self.write("styles.csv", refusals.files["styles.csv"])
        scene = self.write("scene.json", refusals.scene)
        expected = self.states(scene)
        names, *rows = refusals.files["styles.csv"].splitlines()
        self.assertTrue(names.startswith("name,"))
        rows = ['"the ""first"", of all",' + rows[0].split(",", 1)[1], *rows[1:]]
        self.write("styles.csv", "\n".join([names, *rows]) + "\n")
        self.assertEqual(self.states(scene), expected)

    def test_csv_may_end_with_blank_lines(self):
        for kind, refusals in REFUSALS.items():
            self.write_all(refusals.files)
            scene = self.write("scene.json", refusals.scene)
            expected = self.states(scene)
            for end in ("\n", "\r\n", " \n\t\n\n"):
                with self.subTest(kind, end=end):
                    self.write_all({name: text + end for name, text in refusals.files.items()})
                    self.assertEqual(self.states(scene), expected)

    def test_lists_of_keys_name_each_key_once(self):
        pieces = {"springs": ('"seed": 7', '"springs": [', '"stiffness": 100', '"position": [1', '"normal": {',
                              '"mean": 0', '"at_s": 0.6'),
                  "forms": ('"damping": [', '"half_life_s": 0.1'),
                  "bodies": ('"tolerance": 1e-5', '"box": {', '"y": 2', '"spin_world": [1', '"momentum": [1')}
        for kind, olds in pieces.items():
            refusals = REFUSALS[kind]
            self.write_all(refusals.files)
            for old in olds:
                with self.subTest(kind, old=old):
                    self.assertIn(old, refusals.scene)
                    scene = refusals.scene.replace(old, f'"qqqqqqqq": 1, {old}', 1)
                    error = self.gyre("simulate", self.write("scene.json", scene), expect=2).stderr
                    keys = error.split("unknown key, expected one of ")[1].strip().split(", ")
                    self.assertGreater(len(keys), 1, error)
                    self.assertEqual(sorted(set(keys)), sorted(keys), error)

    def test_deep_nesting_gets_a_short_message(self):
        line = self.path("scene.json")
        for text, part in (('{"springs": ' + "[" * 100000, ":1: nested more than 2048 levels deep"),
                           ('{"a": ' * 3000, ":1: nested more than 2048 levels deep"),
                           ("\n" + "[" * 2000 + "}", ":2: [0][0][0]"),
                           ('{"' + "k" * 3000 + '": 1}', ":1: kkkkkkkkkk"),
                           ('{"' + "é" * 3000 + '": 1}', ":1: éééééééééé")):
            with self.subTest(part):
                error = self.gyre("simulate", self.write("scene.json", text), expect=2).stderr
                self.assertTrue(error.startswith(f"gyre: {line}{part}"), error[:200])
                self.assertLess(len(error), 400)
                self.assertEqual(error.count("\n"), 1)

    def test_messages_of_getopt_have_the_prefix(self):
        for option in ("--no-such-option", "-x", "--output"):
            error = self.gyre("simulate", option, expect=2).stderr
            self.assertTrue(error.startswith("gyre: simulate: "), error)

    def test_no_batch(self):
        self.refused('{"duration_s": 1, "time_step_s": 1, "flings": []}', "scene.json", 1, "top level",
                     "has no batches, expected at least one in springs, orientation_springs, particles, flings, chains or "
                     "bodies")

    def test_missing_key_names_the_line_of_its_object(self):
        self.write("start.csv", START)
        scene = SPRINGS.replace('            "count": 2,\n', "")
        self.refused(scene, "scene.json", 22, "springs[1].count", "is missing")

    def test_a_long_list_is_searched_once(self):
        numbers = "0,\n" * 1999990 + '"x",\n' + "0,\n" * 8 + "0"
        scene = SPRINGS.replace('"count": 4', '"count": 2000000').replace("[1, 2, 3, 4]", f"[\n{numbers}]")
        line = scene[: scene.index('"x"')].count("\n") + 1
        error = self.gyre("simulate", self.write("scene.json", scene), expect=2).stderr
        self.assertIn(f"scene.json:{line}: springs[0].start.position[1999990]: is a string", error)

    def test_memory_of_bodies(self):
        """97 bytes for each body, and 32 more with a tensor, must fit before the solver is read."""
        body = {"count": 1 << 60, "solver": {"method": "none"}}
        scene = self.scene(bodies=[{"name": "many", **body, "inertia": [1, 1, 1]}])
        told = self.gyre("simulate", scene, expect=2).stderr
        body["count"] = int(re.search(r"more memory than the ([\d,]+) MB", told)[1].replace(",", "")) * 10**6 // 100
        for inertia, path in (({"inertia": [1, 1, 1]}, "bodies[0].solver.method: is"),
                              ({"tensor": [1, 1, 1, 0, 0, 0]}, "bodies[0].count: ")):
            with self.subTest(path):
                scene = self.scene(bodies=[{"name": "many", **body, **inertia}])
                self.assertIn(path, self.gyre("simulate", scene, expect=2).stderr)

    def test_frame_times_in_a_file(self):
        self.write("start.csv", START)
        scene = SPRINGS.replace('"time_step_s": 0.25', '"frame_times_csv": "frames.csv"')
        self.write("frames.csv", "# recorded\nframe_time_s\n1\n-1\n2\n")
        self.refused(scene, "frames.csv", 4, "frame_time_s", "is -1, expected 0 or more")
        self.write("frames.csv", "# recorded\nframe_time_s\n1\n")
        self.refused(scene, "scene.json", 4, "duration_s", "expected up to the 1 s")

    def test_a_scene_that_was_cut_off(self):
        end = "the file ends here, before its JSON is complete"
        for part in range(1, 8):
            cut = SPRINGS[:len(SPRINGS.rstrip()) * part // 8].rstrip()
            with self.subTest(cut=cut):
                error = self.gyre("simulate", self.write("scene.json", cut), expect=2).stderr
                self.assertTrue(error.startswith(f"gyre: {self.path('scene.json')}:{cut.count(chr(10)) + 1}: "), error)
                self.assertIn(end, error)
        whole = SPRINGS.rstrip()
        self.refused(whole[:-1], "scene.json", whole.count("\n") + 1, "springs", end)
        key = whole.index("count")
        self.refused(whole[:key - 1], "scene.json", whole[:key].count("\n") + 1, "springs[0]", end)
        for empty in "", " \n\n":
            error = self.gyre("simulate", self.write("scene.json", empty), expect=2).stderr
            self.assertEqual(error, f"gyre: {self.path('scene.json')}: the file is empty\n")

    def test_a_scene_from_standard_input(self):
        self.write("start.csv", START)
        expected = self.gyre("simulate", self.write("scene.json", SPRINGS), "-o", "-").stdout
        done = self.gyre("simulate", "-", "-o", "-", cwd=self.folder, input=SPRINGS)
        self.assertEqual(done.stdout, expected)
        nameless = SPRINGS.replace('"name": "small", ', "")
        self.assertIn("scene      stdin: 6 springs", self.gyre("simulate", "-", cwd=self.folder, input=nameless).stdout)
        error = self.gyre("simulate", "-", input=SPRINGS.replace('"seed"', '"seeds"'), expect=2).stderr
        self.assertEqual(error, "gyre: stdin:3: seeds: unknown key; did you mean seed?\n")
        self.gyre("simulate", "-", "-q", input="", expect=2)
        with open(self.path("scene.json"), encoding="utf-8") as file:
            error = self.gyre("simulate", "-", "-o", self.path("scene.json"), "--format", "csv", cwd=self.folder,
                              stdin=file, expect=2).stderr
        self.assertIn("scene.json: is an input of this run", error)

    def test_no_scene(self):
        error = self.gyre("simulate", self.path("none.json"), expect=2).stderr
        self.assertIn("none.json", error)
        self.assertIn("No such file", error)

    def test_control_characters_are_replaced(self):
        error = self.gyre("simulate", self.path("no\x1b[31m\n\x9b1mß.json"), expect=2).stderr
        self.assertIn("no?[31m???1mß.json", error)
        self.assertEqual(error.count("\n"), 1)

    def test_usage(self):
        scene = self.write("scene.json", SPRINGS)
        self.write("start.csv", START)
        for arguments in (
            ["--isa", "avx1024"],
            ["--rounding", "up"],
            ["--threads", "0"],
            ["--threads", "x"],
            ["--at", "1,,2"],
            ["--at", "nan"],
            ["--at", "-1"],
            ["--at", "0x1"],
            ["--at", "2.5"],
            ["--format", "xml"],
            ["-o", self.path("out.txt")],
            ["--no-such-option"],
            ["another.json"],
        ):
            with self.subTest(arguments=arguments):
                self.gyre("simulate", scene, *arguments, expect=2)
        for arguments, part in ((["simulat"], "did you mean simulate?"), (["help", "ifno"], "did you mean info?"),
                                (["plot", "springs"], "pictures come from python3 -m gyre.plot"),
                                (["help", "plot"], "pictures come from python3 -m gyre.plot"),
                                (["dance"], "try gyre --help"),
                                (["--version", "please"], 'unexpected "please" after --version'),
                                (["help", "simulate", "it"], 'unexpected "it" after simulate'),
                                (["simulate", scene, "--outptu", "x.csv"], "did you mean --output?"),
                                (["simulate", "--formt=csv", scene], "did you mean --format?"),
                                (["simulate", scene, "--quite"], "did you mean --quiet?")):
            with self.subTest(arguments=arguments):
                self.assertIn(part, self.gyre(*arguments, expect=2).stderr)
        for option in "--r", "--output", "--no-such-option", "-z":  # ambiguous, without its argument, unlike all others
            with self.subTest(option=option):
                self.assertNotIn("did you mean", self.gyre("simulate", scene, option, expect=2).stderr)
        for arguments in ([], ["dance"], ["simulate"], ["info", "x"], ["plot"]):
            with self.subTest(arguments=arguments):
                self.gyre(*arguments, expect=2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["scene.json", "start.csv"])

    def test_unavailable_isa_lists_the_available(self):
        others = {"avx2", "neon"} - {isa for isa, _ in self.tables()}  # no machine has both
        error = self.gyre("simulate", "x.json", "--isa", min(others), expect=2).stderr
        self.assertIn("cannot run here", error)
        for isa, rounding in self.tables():
            if rounding == "portable":
                self.assertIn(f" {isa}", error)

    def test_unknown_isa_lists_all(self):
        error = self.gyre("simulate", "x.json", "--isa", "avx1024", expect=2).stderr
        self.assertEqual(error, "gyre: --isa avx1024: no such instruction set, expected one of scalar sse2 sse41 avx2 "
                                "avx512 neon\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
