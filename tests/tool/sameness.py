"""Tests of the program: options that must not change any bit of the results."""

import csv
import io
import json
import struct
import sys
import unittest

from tool_support import ToolTest


class Sameness(ToolTest):
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
                {"name": "optional", "count": 1003, "spring": {"response_s": 0.4, "damping_ratio": 0.3}, "follow": 0.5,
                 "start": start, "target_velocity": distribution, "lower": -3, "upper": distribution, "bounce": 0.5,
                 "time_scale": {"uniform": {"low": 0.5, "high": 2}}, "rest_distance": 1e-3, "rest_speed": 1e-2,
                 "rest_scale": 2, "skip_asleep": True, "retarget": retarget},
                {"name": "smoothed", "count": 1003, "smoothing": {"half_life_s": 0.2}, "start": start,
                 "stop_at_target": True, "retarget": retarget},
                {"name": "evaluated", "count": 1003, "spring": {"response_s": 0.4, "damping_ratio": 0.7},
                 "evaluate": True, "start": start, "retarget": retarget},
            ],
            "orientation_springs": [
                {"name": "orientations", "count": 1003, "spring": {"response_s": 0.4, "damping_ratio": 0.4},
                 "follow": 0.5, "start": {"orientation": [distribution] * 4, "spin_world": [distribution] * 3,
                                          "target": [distribution] * 4, "target_spin": [distribution] * 3},
                 "rest_angle": 1e-3, "rest_speed": 1e-2,
                 "retarget": [{"at_s": 0.37, "target": [distribution] * 4, "first": 3}]},
            ],
            "particles": [
                {"name": "shared", "count": 1003, "damping": 1.2, "acceleration": -9.8, "start": start},
                {"name": "own", "count": 1003, "damping": {"uniform": {"low": 0, "high": 5}},
                 "acceleration": distribution, "start": start, "set": sets},
                {"name": "bounded", "count": 1003, "acceleration": -9.8, "lower": distribution, "upper": 3,
                 "bounce": 0.8, "start": start, "set": sets},
            ],
            "flings": [
                {"name": "flings", "count": 1003, "damping": 2, "lower": -3, "upper": [3] * 1003, "start": start,
                 "spring": {"response_s": 0.4, "damping_ratio": 0.9}, "rest_distance": 1e-3, "rest_speed": 1e-2,
                 "fling": [{"at_s": 0.37, "velocity": distribution, "first": 3}]},
            ],
            "chains": [
                {"name": "chains", "count": 1003,
                 "bones": [{"tail": [0, -0.2, 0], "vrm": {"stiffness": 1, "drag_force": 0.3, "gravity_power": 0.2},
                            "radius": 0.02, "limit": 1},
                           {"tail": [0, -0.2, 0.1], "stiffness": 300, "damping": 9, "drag": 4, "hinge": [1, 0, 0]}],
                 "scale": {"uniform": {"low": 0.5, "high": 1.5}}, "gravity": [0, -1, 0], "wind": [distribution] * 3,
                 "colliders": [{"kind": "capsule", "attached": True, "position": [0, 0, 0.1], "end": [0, -1, 0.1],
                                "radius": distribution}],
                 "rest_angle": 1e-3, "rest_speed": 1e-2, "skip_asleep": True,
                 "start": {"position": [distribution] * 3, "orientation": [distribution] * 4,
                           "velocity": [distribution] * 3, "spin": [distribution] * 3},
                 "set": [{"at_s": 0.37, "velocity": [distribution] * 3, "spin": [0, 0, 0], "first": 3}]},
            ],
            "bodies": [
                {"name": "bodies", "count": 1003, "inertia": [{"uniform": {"low": 1, "high": 3}}] * 3,
                 "start": {"orientation": [distribution] * 4, "spin_body": [distribution] * 3},
                 "set": [{"at_s": 0.37, "torque": [distribution, 1, 2], "first": 3}]},
            ],
        }
        for kind, names in (("springs", ("each", "palette")), ("particles", ("shared", "own", "bounded")),
                            ("flings", ("flings",))):
            self.others[kind] += [{**batch, "name": "precise " + batch["name"], "precise": True}
                                  for batch in self.others[kind] if batch["name"] in names]
        self.others["springs"].append({**self.batches[0], "name": "precise springs", "count": 1003, "precise": True})
        (bodies,) = self.others["bodies"]
        self.others["bodies"] += [
            {**bodies, "name": "precise bodies", "precise": True},
            {**bodies, "name": "damped bodies", "precise": True, "torque_in_body": True, "angular_damping": 0.5},
        ]

    def output(self, *arguments, batches=None):
        return self.simulated(*arguments, springs=batches or self.batches)

    def simulated(self, *arguments, **batches):
        scene = self.scene(seed=5, **batches)
        return self.gyre("simulate", scene, "--at", "0.1,0.37,1", "-o", "-", "-q", *arguments).stdout

    def test_isa(self):
        tables = self.tables()
        results = {r: {self.output("--isa", i, "--rounding", r) for i, q in tables if q == r} for _, r in tables}
        self.assertIn("portable", results)
        for rounding, outputs in results.items():
            self.assertEqual(len(outputs), 1, f"{rounding}: got different results, wanted the same from all tables")
        self.same_rows(self.output().splitlines(), results["portable"].pop().splitlines())

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
        rows = sum(len(batch.get("bones", [None])) for batches in self.others.values() for batch in batches)
        self.assertEqual(one.count("\n"), 1 + 3 * 1003 * rows)
        for threads in (2, 7):
            self.same_rows(self.simulated("--threads", threads, **self.others).splitlines(), one.splitlines())

    def test_kinds_are_independent(self):
        alone = []
        for kind, batches in self.others.items():
            alone += self.simulated("--format", "jsonl", **{kind: batches}).splitlines()
        self.same_rows(sorted(self.simulated("--format", "jsonl", **self.others).splitlines()), sorted(alone))

    def test_threads(self):
        if not self.has_threads():
            self.skipTest("built without OpenMP")
        one = self.output()
        self.assertEqual(one.count("\n"), 1 + 3 * (1003 + 70 + 517))
        for threads in (2, 3, 8):
            self.same_rows(self.output("--threads", threads).splitlines(), one.splitlines())

    def test_order_of_batches(self):
        backwards = self.output(batches=self.batches[::-1])
        self.same_rows(sorted(backwards.splitlines()), sorted(self.output().splitlines()))

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


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
