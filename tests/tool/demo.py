"""The states of the demo's scene have the same bits on every system: the sha256sum of the file is in
data/demo_states.sha256."""

import hashlib
import os
import pathlib
import subprocess
import sys
import unittest

from tool_support import SCENES, TOOL, WRAPPER, ToolTest

DATA = pathlib.Path(__file__).parent.parent / "data"

SPRINGS = [{"name": "a", "count": 5, "spring": {"response_s": 0.4, "damping_ratio": 1},
            "start": {"position": 1, "velocity": 0, "target": 0}}]


class Demo(ToolTest):
    def test_states_are_those_of_all_systems(self):
        wanted, name = (DATA / "demo_states.sha256").read_text(encoding="ascii").split()
        scene = pathlib.Path(SCENES) / name.replace(".csv", ".json")
        self.write(name, "former")
        self.gyre("simulate", scene, "--output", name, "--quiet", cwd=self.folder)
        states = pathlib.Path(self.path(name)).read_bytes()
        self.assertEqual(states.count(b"\n"), 1 + 1000000)
        self.assertEqual(hashlib.sha256(states).hexdigest(), wanted)

    def test_output_leaves_one_file(self):
        scene = self.scene(springs=SPRINGS)
        written = subprocess.check_output([*WRAPPER, TOOL, "simulate", scene, "--output", "-", "--quiet"])
        self.assertEqual(written.count(b"\n"), 1 + 5)
        for _ in ("new", "replaced"):
            self.gyre("simulate", scene, "--output", "states.csv", "--quiet", cwd=self.folder)
            self.assertEqual(pathlib.Path(self.path("states.csv")).read_bytes(), written)
            self.assertEqual(sorted(os.listdir(self.folder)), ["scene.json", "states.csv"])

    def test_inputs_are_not_replaced(self):
        scene = self.scene(springs=SPRINGS)
        before = self.read("scene.json")
        said = self.gyre("simulate", scene, "--format", "csv", "--output", scene, expect=2).stderr
        self.assertIn("is an input of this run", said)
        self.assertEqual(self.read("scene.json"), before)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
