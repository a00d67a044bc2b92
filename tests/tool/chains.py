"""Tests of the program: chains of bones against what their equations say, and how scenes describe them."""

import json
import math
import os
import sys
import unittest

from tool_support import SCENES, ToolTest

DOWN = [0, -0.1, 0]
OWN = {"tail": DOWN, "stiffness": 400, "damping": 24, "drag": 8}
LENGTH = 0.1


def vector(row, name):
    return [float(row[f"{name}_{c}"]) for c in "xyz"]


def quaternion(row, name):
    return [float(row[f"{name}_{c}"]) for c in "xyzw"]


def product(a, b):
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz]


def turned(q, v):
    return product(product(q, [*v, 0]), [-q[0], -q[1], -q[2], q[3]])[:3]


def about_z(angle):
    return [0, 0, math.sin(angle / 2), math.cos(angle / 2)]


def unit(v):
    return [x / math.hypot(*v) for x in v]


def plus(*vectors):
    return [sum(each) for each in zip(*vectors)]


def times(s, v):
    return [s * x for x in v]


def angle_between(a, b):
    return 2 * math.asin(min(1, math.dist(unit(a), unit(b)) / 2))


class Chains(ToolTest):
    def chain(self, **more):
        return {"name": "c", "count": 1, "bones": [OWN], **more}

    def rows(self, *arguments, **content):
        return self.states(self.scene(**content), *arguments)

    def near(self, got, wanted, limit, case=""):
        self.assertEqual(len(got), len(wanted))
        self.assertLessEqual(math.dist(got, wanted), limit, f"{case}: got {got}, wanted {wanted}")

    def test_let_go(self):
        """Gravity that sets in turns the target and adds to the frequency; then y = 4 tan(angle / 4) is a damped
        oscillation (CHAINS: the chart)."""
        gravity, load_damping = 60, 0.01
        bone = {**OWN, "load_damping": load_damping, "gravity": 0.5}
        chain = self.chain(bones=[bone], set=[{"at_s": 0.25, "gravity": [gravity, 0, 0]}])
        force = [0.5 * gravity, -400 * LENGTH, 0]
        w2 = math.hypot(*force) / LENGTH
        c = 24 + load_damping * (w2 - 400)
        start = math.atan2(force[0], -force[1])
        for rate in (20, 60, 144):
            for row in self.rows("--rate", rate, "--at", "0.25,0.3,0.4,0.75", chains=[chain]):
                t = float(row["time_s"]) - 0.25
                a, w = c / 2, math.sqrt(w2 - c * c / 4)
                y = 4 * math.tan(start / 4) * math.exp(-a * t) * (math.cos(w * t) + a / w * math.sin(w * t))
                angle = start - 4 * math.atan(y / 4)
                self.near(vector(row, "tail"), [LENGTH * math.sin(angle), -LENGTH * math.cos(angle), 0], 1e-6,
                          f"{rate} Hz, {t}")

    def test_steady_motion(self):
        """Each bone points along what pulls on it: its stiffness towards the one above, gravity, and the air."""
        speed, gravity, wind = [1.5, 0.25, -0.5], [0, -3, 0], [0, 0, 2]
        bones = [{**OWN, "tail": [0, -length, 0]} for length in (0.1, 0.2, 0.15)]
        chain = self.chain(bones=bones, gravity=gravity, wind=wind, scale=2,
                           start={"velocity": speed, "position": [3, 1, 2]})
        for rate in (20, 60, 240):
            rows = self.rows("--rate", rate, duration_s=3, chains=[chain])
            head, above = [3 + 3 * 1.5, 1 + 3 * 0.25, 2 - 3 * 0.5], [0, -1, 0]
            self.assertEqual([row["bone"] for row in rows], ["0", "1", "2"])
            for row, bone in zip(rows, bones):
                length = -2 * bone["tail"][1]
                above = unit(plus(times(400 * length, above), gravity, times(8, wind), times(-8, speed)))
                head = plus(head, times(length, above))
                self.near(vector(row, "tail"), head, 2e-5, f"{rate} Hz")
                self.near(vector(row, "velocity"), speed, 2e-4, f"{rate} Hz")

    def test_ways_to_describe_a_bone(self):
        events = [{"at_s": 0.1, "velocity": [0.5, 0, 0.2]}]
        ways = {
            "spring": ({"spring": {"angular_frequency": 20, "damping_ratio": 0.6}, "follow": 0.25},
                       {"stiffness": 400, "damping": 24, "drag": 18}),
            "stiffness": ({"spring": {"stiffness": 400, "damping": 24}, "gravity": -2},
                          {"stiffness": 400, "damping": 24, "drag": 24, "gravity": -2}),
        }
        for name, described in ways.items():
            got, wanted = (self.rows("--at", "0.2,0.5", chains=[self.chain(
                bones=[{"tail": DOWN, **bone}] * 2, gravity=[0.5, -1, 0], set=events)]) for bone in described)
            for row, other in zip(got, wanted):
                self.near(vector(row, "tail"), vector(other, "tail"), 2e-6, name)

    def test_vrm(self):
        """VRM's force is its stiffness along the rest direction, its gravity, and its drag against the motion."""
        speed = [0.5, 0, 0.2]
        shaken = {}
        for name, drag, gravity, more in (("as it is", 0.4, 0.2, {"gravity_power": 0.2}), ("light", 0.4, 0, {}),
                                          ("slow", 0.4, 0, {"rate": 30}), ("loose", 0.7, 0, {})):
            bone = {"tail": DOWN, "vrm": {"stiffness": 1, "drag_force": drag, **more}}
            chain = self.chain(bones=[bone], gravity=[1, 0, 0], set=[{"at_s": 0.1, "velocity": speed}])
            early, late = self.rows("--rate", 60, "--at", "0.15,2", duration_s=2, chains=[chain])
            e = plus([0, -1, 0], [gravity, 0, 0], times(-drag, speed))
            self.near(times(10, plus(vector(late, "tail"), times(-1.9, speed))), unit(e), 2e-4, name)
            shaken[name] = plus(vector(early, "tail"), times(-0.05, speed))
        self.assertGreater(math.dist(shaken["light"], shaken["slow"]), 1e-3)

    def test_turning_root(self):
        """A root that turns evenly, in its own frame: rotations multiply along the chain."""
        rest = about_z(0.5)
        chain = self.chain(bones=[{**OWN, "rest": times(3, rest)}] * 3, set=[{"at_s": 0.2, "spin": [0, 0, 2]}],
                           start={"orientation": [0, 0, 1, 1], "position": [1, 2, 3]})
        rows = self.rows("--at", "0,0.2,0.7,1", chains=[chain])
        for i in range(0, len(rows), 3):
            t = float(rows[i]["time_s"])
            above, head = about_z(math.pi / 2 + 2 * max(0, t - 0.2)), [1, 2, 3]
            for row in rows[i:i + 3]:
                q = quaternion(row, "orientation")
                self.near(product(above, quaternion(row, "local")), q, 1e-6)
                if t <= 0.2:
                    self.near(quaternion(row, "local"), rest, 1e-6)
                above, head = q, plus(head, turned(q, DOWN))
                self.near(vector(row, "tail"), head, 1e-6)
        self.assertGreater(math.dist(quaternion(rows[-1], "local"), rest), 0.01)  # it lags

    def test_limit_and_hinge(self):
        events = [{"at_s": 0, "gravity": [300, 0, 200]}]
        for more, rate in (({"limit": 0.4}, 20), ({"limit": 0.4}, 100), ({"hinge": [0, 0, 5]}, 60)):
            for row in self.rows("--rate", rate, "--at", "0.05,0.1,0.35,1",
                                 chains=[self.chain(bones=[{**OWN, **more}], set=events)]):
                e = vector(row, "tail")
                if "limit" in more:
                    self.assertLessEqual(angle_between(e, DOWN), 0.4 + 1e-5)
                    self.assertGreater(angle_between(e, DOWN), 0.2)
                else:
                    self.within(e[2], 0, 1e-7)
                    self.assertGreater(e[0], 0.03)

    def test_colliders(self):
        """Chains that are blown into a collider of each kind end on it, and one without a radius passes."""
        bone = {**OWN, "radius": 0.01}
        radius = [0.05, -1, 0.08]
        shapes = [
            ({"kind": "sphere", "position": [0.09, -0.1, 0], "radius": radius},
             lambda e, r: math.dist(e, [0.09, -0.1, 0]) - r - 0.01),
            ({"kind": "capsule", "position": [0.09, -0.1, -1], "end": [0.09, -0.1, 1], "radius": radius},
             lambda e, r: math.hypot(e[0] - 0.09, e[1] + 0.1) - r - 0.01),
            ({"kind": "inside_sphere", "position": [0, -0.1, 0], "radius": radius},
             lambda e, r: r - 0.01 - math.dist(e, [0, -0.1, 0])),
            ({"kind": "inside_capsule", "position": [0, -0.1, -1], "end": [0, -0.1, 1], "radius": radius},
             lambda e, r: r - 0.01 - math.hypot(e[0], e[1] + 0.1)),
            ({"kind": "plane", "position": [0.03, 0, 0], "normal": [-2, 0, 0]}, lambda e, r: 0.03 - e[0] - 0.01),
        ]
        for shape, distance in shapes:
            for attached in (False, True):
                start = [4, 5, 6] if attached else [0, 0, 0]
                chain = self.chain(count=3, bones=[bone], wind=[6, 0, 0], colliders=[{**shape, "attached": attached}],
                                   start={"position": start})
                case = f"{shape['kind']}, attached {attached}"
                rows = self.rows("--rate", 60, "--at", "1", chains=[chain])
                for row, r in zip(rows, radius):
                    e = plus(vector(row, "tail"), times(-1, start))
                    if r > 0 or shape["kind"] == "plane":
                        self.within(distance(e, r), 0, 4e-6, case)
                    else:
                        self.near(unit(e), unit([8 * 6, -40, 0]), 1e-4, case)

    def test_attached_colliders_follow_the_root(self):
        sphere = {"kind": "sphere", "position": [0.03, -0.1, 0], "radius": 0.05}
        start = {"orientation": [0, 0, 1, 1], "position": [1, 0, 0], "velocity": [2, 1, 0], "spin": [0, 0, 3]}
        attached = [{**sphere, "attached": True},
                    {"kind": "plane", "attached": True, "position": [0, -0.05, 0], "normal": [0, -1, 0]},
                    {"kind": "capsule", "attached": True, "position": [1, 0, 0], "end": [2, 0, 0], "radius": 0.1}]
        for row in self.rows("--rate", 60, "--at", "0.1,0.5,1", chains=[self.chain(start=start, colliders=attached)]):
            t = float(row["time_s"])
            q, place = about_z(math.pi / 2 + 3 * t), [1 + 2 * t, t, 0]
            centre = plus(place, turned(q, sphere["position"]))
            self.assertGreaterEqual(math.dist(vector(row, "tail"), centre), 0.05 - 2e-6)
            down = plus(vector(row, "tail"), times(-1, place))
            self.assertLessEqual(sum(a * b for a, b in zip(down, turned(q, [0, 1, 0]))), -0.05 + 2e-6)

    def test_rest(self):
        """Chains at rest are skipped until their root moves or something is set, with the same states."""
        limits = {"rest_angle": 0.01, "rest_speed": 0.01}
        events = [{"at_s": 0.05, "gravity": [30, 0, 0]}, {"at_s": 2, "wind": [9, 0, 0], "first": 1, "last": 1},
                  {"at_s": 3, "velocity": [1, 0, 0], "first": 2}]
        results = []
        for more in ({**limits}, {**limits, "skip_asleep": True}, {}):
            rows = self.rows("--at", "0,0.1,1.9,2.1,3.1", duration_s=4, chains=[self.chain(count=3, set=events, **more)])
            results.append([{key: row[key] for key in row if key != "awake"} for row in rows])
            awake = ["".join(row["awake"] for row in rows[i:i + 3]) for i in range(0, len(rows), 3)]
            self.assertEqual(awake, ["111", "111", "000", "010", "001"] if limits.items() <= more.items() else ["111"] * 5)
        self.assertEqual(results[0], results[1])
        summary = self.gyre("simulate", self.scene(chains=[self.chain(count=3, **limits)])).stdout
        self.assertIn("at rest    3 of 3 chains", summary)
        self.assertIn("million chains per second", summary)

    def test_values_of_chains(self):
        """Distributions and lists for each chain, from streams of their own."""
        spread = {"uniform": {"low": 0.5, "high": 2}}
        chain = self.chain(count=40, scale=spread, start={"position": [spread, 0, spread]}, bones=[OWN] * 2)
        rows = self.rows("--at", "0", seed=3, chains=[chain])
        self.assertEqual([(row["index"], row["bone"]) for row in rows[:3]], [("0", "0"), ("0", "1"), ("1", "0")])
        self.assertEqual(len(rows), 80)
        for axis in range(3):
            self.assertEqual(len({vector(row, "tail")[axis] for row in rows[::2]}), 40)
        for first, second in zip(rows[::2], rows[1::2]):
            self.within(vector(second, "tail")[1], 2 * vector(first, "tail")[1], 1e-6)

    def test_shipped_tails(self):
        """The tail of the scene is at the same places at every rate: to 2 cm at 30 Hz, and four times as near when the
        rate doubles."""
        scene = os.path.join(SCENES, "tails.json")
        with open(scene, encoding="utf-8") as file:
            herd = json.load(file)["chains"][1]
        tails = {}
        for rate in (30, 60, 144, 1000):
            rows = self.states(scene, "--rate", rate)
            tails[rate] = [vector(row, "tail") for row in rows if (row["batch"], row["bone"]) == ("tail", "4")]
            self.assertEqual(rows[-1]["awake"], "0")
            lowest = min(float(row["tail_y"]) for row in rows if row["batch"] == "herd")
            self.assertGreater(lowest, herd["bones"][0]["radius"] * 0.6 - 1e-5)  # above the ground
        off = {rate: max(map(math.dist, tails[rate], tails[1000])) for rate in (30, 60, 144)}
        self.between(off[30], 0.01, 0.02)
        self.between(off[30] / off[60], 3, 5)
        self.between(off[60] / off[144], 4, 8)
        self.assertGreater(max(e[0] for e in tails[60]) - min(e[0] for e in tails[60]), 0.2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
