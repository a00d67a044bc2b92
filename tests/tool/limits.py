"""Tests of the program: inputs that are too large, and running out of memory."""

import os
import subprocess
import sys
import unittest

from tool_support import WRAPPER, ToolTest

MIB = 1 << 20


class Limits(ToolTest):
    SPRINGS = [{"name": "s", "count": 1, "spring": {"response_s": 1, "damping_ratio": 1}}]

    def setUp(self):
        super().setUp()
        self.write("out.csv", "former\n")

    def tearDown(self):
        self.assertEqual(self.read("out.csv"), "former\n")
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("gyre-part-")])

    def limited(self, kib, which="-v"):
        """A shell command that limits the memory of the command after it."""
        launcher = ["sh", "-c", f'ulimit {which} "$0" && exec "$@"', str(kib)]
        if WRAPPER or self.gyre("--version", launcher=launcher, expect=None).returncode != 0:
            self.skipTest("an emulator or a sanitizer takes more memory than that")
        return launcher

    def message(self, scene, expect, **options):
        error = self.gyre("simulate", scene, "-o", self.path("out.csv"), expect=expect, **options).stderr
        self.assertEqual(error.count("\n"), 1, error)
        return error.removeprefix("gyre: ").rstrip("\n")

    def frames(self, text):
        self.write("frames.csv", text)
        return self.scene(frame_times_csv="frames.csv", springs=self.SPRINGS)

    def test_longest_line_of_a_csv(self):
        for first in ("", "#\n"):
            text = first + "#" * MIB + "\nframe_time_s\n1\n"
            self.assertEqual(len(self.states(self.frames(text))), 1)
            self.assertEqual(self.message(self.frames(text.replace("\nframe", "#\nframe")), 2),
                             f"{self.path('frames.csv')}:{1 + len(first) // 2}: is longer than 1048576 bytes, expected a "
                             "line of numbers")

    def test_a_line_without_end_is_no_end_of_the_file(self):
        scene = self.frames("frame_time_s\n1\n1\n")
        with open(self.path("frames.csv"), "a", encoding="utf-8") as file:
            file.write("1" + " " * 200 * MIB + "\n1\n")
        self.assertIn("frames.csv:4: is longer", self.message(scene, 2, launcher=self.limited(120000)))

    def test_a_device_of_zeros(self):
        zeros = self.device("zero", 5)
        scene = self.scene(frame_times_csv=zeros, springs=self.SPRINGS)
        self.assertEqual(self.message(scene, 2, launcher=self.limited(400000)),
                         f"{zeros}:1: contains a zero byte, expected text")
        self.assertEqual(self.message(zeros, 2, launcher=self.limited(400000)),
                         f"{zeros}: contains a zero byte, expected JSON text")

    def endless(self, name, text):
        """A pipe that repeats the same text endlessly."""
        pipe = self.path(name)
        os.mkfifo(pipe)
        writer = subprocess.Popen(["sh", "-c", f"exec yes '{text}' >{pipe} 2>/dev/null"])
        self.addCleanup(writer.wait)
        self.addCleanup(writer.kill)
        return pipe

    def test_rows_without_end(self):
        launcher = self.limited(200000)
        pipe = self.endless("frames.csv", "frame_time_s\n1")
        scene = self.scene(frame_times_csv="frames.csv", springs=self.SPRINGS)
        self.assertIn('frames.csv:3: frame_time_s: "frame_time_s" is not', self.message(scene, 2, launcher=launcher))
        os.remove(pipe)
        self.endless("rows.csv", "1")
        spring = {"response_s": {"csv": "rows.csv", "column": "1"}, "damping_ratio": 1}
        scene = self.scene(springs=[{**self.SPRINGS[0], "spring": spring}])
        error = self.message(scene, 1, launcher=launcher)
        self.assertRegex(error, r"rows\.csv: out of memory: more than the \d+ MB that this program may use$")

    def test_more_threads_than_there_can_be(self):
        scene = self.scene(springs=self.SPRINGS)
        if "without OpenMP" in self.gyre("simulate", scene, "--threads", 2, expect=None).stderr:
            self.skipTest("this gyre has one thread")
        done = self.gyre("simulate", scene, "-o", self.path("out.csv"), "--threads", 1024, expect=1,
                         launcher=self.limited(200000))
        self.assertRegex(done.stderr, r"^gyre: --threads 1024: only \d+ can be started here, within the limits on memory "
                                      r"and processes\n$")
        self.gyre("simulate", scene, "--threads", 64)

    def test_longest_document(self):
        scene = self.scene(springs=self.SPRINGS)
        text = self.read("scene.json")
        self.write("scene.json", text + " " * (64 * MIB - len(text)))
        self.assertEqual(len(self.states(scene)), 1)
        self.write("scene.json", text + " " * (64 * MIB - len(text) + 1))
        wanted = f"{scene}: is longer than 64 MiB; put long lists in CSV files"
        self.assertEqual(self.message(scene, 2), wanted)
        pipe = self.endless("endless.json", "[1,")
        self.assertEqual(self.message(pipe, 2, launcher=self.limited(400000)), wanted.replace(scene, pipe))

    def test_a_document_that_takes_more_memory_than_there_is(self):
        launchers = {kib: self.limited(kib) for kib in range(80000, 400000, 80000)}
        many = MIB // 2
        documents = {
            "lists": '{"springs": [' + "[]," * many + "[]]}",
            "objects": '{"springs": [' + "{}," * many + "{}]}",
            "numbers": '{"springs": [' + "1," * 4 * many + "1]}",
            "keys": '{"springs": [{' + "".join(f'"{i}":1,' for i in range(many)) + '"": 1}]}',
            "a string": '{"springs": "' + "s" * 40 * many + '"}',
        }
        ended = set()
        for name, text in documents.items():
            self.write("scene.json", text)
            for kib, launcher in launchers.items():
                with self.subTest(name, kib=kib):
                    done = self.gyre("simulate", self.path("scene.json"), "-o", self.path("out.csv"), expect=None,
                                     launcher=launcher)
                    ended.add((name, done.returncode))
                    wanted = {1: r"scene\.json: out of memory: more than the \d+ MB that this program may use",
                              2: r"scene\.json:1: top level: expected exactly one of time_step_s"}
                    self.assertIn(done.returncode, wanted, done.stderr)
                    self.assertRegex(done.stderr, wanted[done.returncode])
                    self.assertEqual(done.stderr.count("\n"), 1)
        for name in documents:
            self.assertIn((name, 1), ended)
            self.assertIn((name, 2), ended)

    def test_elements(self):
        kinds = {"springs": self.SPRINGS[0], "particles": {"name": "p"}, "bodies": {"name": "b", "inertia": [1, 1, 1]},
                 "orientation_springs": self.SPRINGS[0],
                 "flings": {**self.SPRINGS[0], "damping": 1, "lower": 0, "upper": 1},
                 "chains": {"name": "c", "bones": [{"tail": [0, 1, 0], "stiffness": 1, "damping": 1}] * 2}}
        for which in ("-v", "-d"):
            launcher = self.limited(300000, which)
            for kind, batch in kinds.items():
                with self.subTest(kind, which=which):
                    few = self.scene(**{kind: [{**batch, "count": 100000}]}, time_step_s=1)
                    self.gyre("simulate", few, launcher=launcher)
                    noun = kind.replace("_", " ")
                    many = self.scene(**{kind: [{**batch, "count": 30000000}]}, time_step_s=1)
                    self.assertRegex(self.message(many, 2, launcher=launcher),
                                     rf":1: {kind}\[0\]\.count: 30000000 {noun} need more memory than the \d+ MB that "
                                     "this program may use, expected fewer$")

    def test_many_values_for_each(self):
        """A batch fits, but the values set at its events do not."""
        self.write("v.csv", "v\n" + "1\n" * 400000)
        column = {"csv": "v.csv", "column": "v"}
        sets = [{"at_s": 0.5, "velocity": column, "acceleration": column}] * 60
        scene = self.scene(particles=[{"name": "p", "count": 400000, "set": sets}])
        self.gyre("simulate", scene, "-q")
        self.assertRegex(self.message(scene, 1, launcher=self.limited(120000)),
                         r"^(\S+: )?out of memory: more than the \d+ MB that this program may use$")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
