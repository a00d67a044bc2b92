"""Tests of the program: springs, particles and flings against their closed forms."""

import csv
import io
import json
import math
import sys
import unittest

from closed_forms import closed_form, damped_form
from tool_support import fling_form, ToolTest


class Results(ToolTest):
    FORMS = [
        ({"angular_frequency": 3, "damping_ratio": 0.25}, 3, 0.25),
        ({"angular_frequency": 3, "damping_ratio": 1}, 3, 1),
        ({"angular_frequency": 3, "damping_ratio": 2.5}, 3, 2.5),
        ({"angular_frequency": 0, "damping_ratio": 0}, 0, 0),
        ({"mass": 2, "stiffness": 50, "damping": 4}, 5, 0.2),
        ({"stiffness": 50, "damping": 4}, math.sqrt(50), 2 / math.sqrt(50)),
        ({"stiffness": 200, "damping_ratio": 0.75}, math.sqrt(200), 0.75),
        ({"mass": 2, "stiffness": 200, "damping_ratio": 0.75}, 10, 0.75),
        ({"response_s": 0.5, "damping_ratio": 0.825}, 4 * math.pi, 0.825),
        ({"duration_s": 0.5, "bounce": 0.3}, 4 * math.pi, 0.7),
        ({"duration_s": 0.5, "bounce": -0.5}, 4 * math.pi, 2),
        ({"half_life_s": 0.1, "damping_ratio": 0.5}, 12.940394615, 0.5),  # half-way after 1.2940394615 / w
        ({"half_life_s": 0.1, "damping_ratio": 2}, 28.649022218, 2),
        ({"settling_s": 0.5, "damping_ratio": 1, "fraction": 0.01}, 13.276704187, 1),
    ]

    def near(self, got, wanted, scale):
        self.within(float(got), wanted, 1e-5 * scale)

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
            {"stiffness": [9, 400, 81], "damping": [1.2, 40, 27]},
            {"mass": [1, 2, 1], "stiffness": [9, 800, 81], "damping_ratio": [0.2, 1, 1.5]},
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
        self.between(min(x), min(reachable), min(reachable) + 0.2, "smallest")
        self.between(max(x), max(reachable) - 0.1, max(reachable), "largest")

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
        """The palette index of each spring, found from its phase at 1 s: spring i of the palette is undamped."""
        palette = [{"angular_frequency": (i + 0.5) / styles * math.pi, "damping_ratio": 0} for i in range(styles)]
        batch = {"name": "s", "count": count, "palette": palette, "which": which, "start": {"position": 1}}
        rows = self.states(self.scene(seed=seed, springs=[batch]), "--at", 1)
        return [math.floor(math.acos(float(row["position"])) / math.pi * styles) for row in rows]

    def test_which(self):
        self.assertEqual(self.which(10, 3, "runs"), [0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
        self.assertEqual(self.which(2, 5, "runs"), [0, 2])
        drawn = self.which(6000, 6, "random")
        for i in range(6):
            self.assertAlmostEqual(drawn.count(i), 1000, delta=150)
        self.assertLess(sum(a == b for a, b in zip(drawn, drawn[1:])), 1200)
        self.assertNotEqual(drawn[:100], self.which(6000, 6, "random", seed=2)[:100])

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
        """Not a bit of it, as no state is carried over; it does change a stepped spring."""
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

    def test_evaluated_is_awake_until_it_arrives(self):
        batch = {"name": "s", "count": 2, "spring": {"angular_frequency": 200, "damping_ratio": 1}, "evaluate": True,
                 "start": {"position": [1, 1], "target": [1, 0]},
                 "retarget": [{"at_s": 0.5, "target": 2, "last": 0}, {"at_s": 0.6, "target": 1, "last": 0}]}
        rows = self.states(self.scene(springs=[batch]), "--at", "0,0.4,0.5,1")
        self.assertEqual([row["awake"] for row in rows], ["0", "1", "0", "0", "1", "0", "0", "0"])

    def test_particles(self):
        self.write("start.csv", "position,velocity\n1,2\n-1,4\n0,-3\n")
        start = {"position": [1, -1, 0], "velocity": [2, 4, -3]}
        self.write("damping.csv", "damping,acceleration\n0.5,3\n0.01,-2\n5,0\n")
        dampings, accelerations = [0.5, 0.01, 5], [3, -2, 0]
        damping, acceleration = ({"csv": "damping.csv", "column": name} for name in ("damping", "acceleration"))
        for more, d, a in (
            ({"damping": 1.2}, [1.2] * 3, [0] * 3),
            ({"damping": 1.2, "acceleration": -9.8}, [1.2] * 3, [-9.8] * 3),
            ({"damping": {"half_life_s": 0.5}}, [2 * math.log(2)] * 3, [0] * 3),
            ({"damping": {"fraction": 0.9, "interval_s": 0.1}}, [-10 * math.log(0.9)] * 3, [0] * 3),
            ({"acceleration": -9.8}, [0] * 3, [-9.8] * 3),
            ({"damping": dampings, "acceleration": accelerations}, dampings, accelerations),
            ({"damping": damping, "acceleration": -9.8}, dampings, [-9.8] * 3),
            ({"damping": 1.2, "acceleration": acceleration}, [1.2] * 3, accelerations),
        ):
            for state in (start, {"csv": "start.csv"}):
                with self.subTest(more, start=state):
                    batch = {"name": "p", "count": 3, "start": state, **more}
                    rows = self.states(self.scene(particles=[batch]), "--at", "0,0.33,1")
                    self.assertEqual(len(rows), 9)
                    for row in rows:
                        i, t = int(row["index"]), float(row["time_s"])
                        x, v = damped_form(d[i], start["position"][i], start["velocity"][i], a[i], t)
                        self.near(row["position"], x, 10)
                        self.near(row["velocity"], v, 10)
                        self.assertEqual((row["target"], row["awake"]), ("", "1"))

    def test_particle_events(self):
        d, g = 0.9, -9.8
        sets = [{"at_s": 0.61, "acceleration": 2, "last": 0}, {"at_s": 0.333, "velocity": [7, 8], "first": 1},
                {"at_s": 0.9, "velocity": 0, "acceleration": 0, "first": 2}]
        batch = {"name": "p", "count": 3, "damping": d, "acceleration": g, "start": {"velocity": 3}, "set": sets}
        rows = self.states(self.scene(particles=[batch]), "--at", "0.333,1")
        x, v = damped_form(d, 0, 3, g, 0.333)
        self.assertEqual([float(row["velocity"]) for row in rows[1:3]], [7, 8])
        self.near(rows[0]["velocity"], v, 3)
        expected = [damped_form(d, *damped_form(d, x, v, g, 0.277), 2, 0.39), damped_form(d, x, 7, g, 0.667)]
        for row, (x1, v1) in zip(rows[3:], expected):
            self.near(row["position"], x1, 5)
            self.near(row["velocity"], v1, 5)
        self.near(rows[5]["position"], damped_form(d, x, 8, g, 0.567)[0], 5)
        self.assertEqual((rows[5]["velocity"], [row["awake"] for row in rows[3:]]), ("0", ["1", "1", "0"]))
        still = [{"name": "top", "count": 1, "acceleration": -9.8}, {"name": "still", "count": 1}]
        self.assertEqual([row["awake"] for row in self.states(self.scene(particles=still), "--at", "0")], ["1", "0"])
        done = self.gyre("simulate", self.scene(particles=[batch]), "--at", "1", "-o", "-", "--format", "jsonl")
        self.assertIsNone(json.loads(done.stdout.splitlines()[0])["target"])
        self.assertIn("1 of 3 particles", done.stderr)

    SPRING = {"angular_frequency": 20, "damping_ratio": 0.1}

    def test_springs_whose_targets_move(self):
        """The lag is (1 - follow) 2 z / w times the target's velocity, at every frame rate; per-spring time scales it."""
        spring = {"angular_frequency": 20, "damping_ratio": 1}
        moving = {"name": "m", "count": 2, "follow": 0.25, "target_velocity": [3, -1]}
        each = {"angular_frequency": [20, 20], "damping_ratio": 1}
        for step in (1 / 24, 1 / 240):
            for batch, lags in (({"spring": spring}, (0.225, -0.075)), ({"spring": each}, (0.225, -0.075)),
                                ({"palette": [spring], "which": "runs"}, (0.225, -0.075)),
                                ({"spring": spring, "time_scale": [1, 0.5]}, (0.225, -0.15)),
                                ({"spring": spring, "follow": 1}, (0, 0))):
                rows = self.states(self.scene(duration_s=3, time_step_s=step, springs=[{**moving, **batch}]), "--at", "3")
                for row, target, lag in zip(rows, (9, -3), lags):
                    self.near(row["target"], target, 9)
                    self.within(float(row["target"]) - float(row["position"]), lag, 1e-5, (batch, step))
        begun = {"name": "b", "count": 2, "spring": spring, "start": {"target": 5, "position": 5},
                 "retarget": [{"at_s": 1, "target_velocity": 2, "first": 1}, {"at_s": 2, "target_velocity": 0, "target": 8}]}
        rows = self.states(self.scene(duration_s=4, springs=[begun]), "--at", "1,1.75,4")
        self.assertEqual([row["target"] for row in rows], ["5", "5", "5", "6.5", "8", "8"])
        self.assertEqual(rows[2]["position"], "5")

    def test_springs_within_bounds(self):
        """Bounds hold at every output; a spring that stops at its target never passes it; a smoothed one halves."""
        bounded = {"name": "b", "count": 2, "spring": self.SPRING, "start": {"position": [0, 9], "target": 10},
                   "lower": -1, "upper": [10.5, 12], "bounce": 0.5}
        stopping = {"name": "s", "count": 1, "spring": self.SPRING, "start": {"target": 10}, "stop_at_target": True}
        smoothed = {"name": "h", "count": 1, "smoothing": {"half_life_s": 0.5}, "start": {"position": 8}}
        times = [i / 100 for i in range(1, 201)]
        rows = self.states(self.scene(duration_s=2, time_step_s=0.01, springs=[bounded, stopping, smoothed]), "--at",
                           ",".join(f"{time:g}" for time in times))
        position = {(row["batch"], row["index"], float(row["time_s"])): float(row["position"]) for row in rows}
        tops = [max(position["b", str(i), time] for time in times) for i in (0, 1)]
        self.between(tops[0], 10.4, 10.5)  # it leaves the bound in the step that meets it
        self.assertTrue(10.5 < tops[1] < 12, tops)
        self.assertEqual(max(position["s", "0", time] for time in times), 10)
        self.assertEqual((rows[-2]["position"], rows[-2]["velocity"], rows[-2]["awake"]), ("10", "0", "0"))
        self.within(position["h", "0", 1.0], 2, 1e-5)
        self.within(position["h", "0", 2.0], 0.5, 1e-5)

    def test_springs_that_sleep(self):
        """Scaling the rest limits lets a spring sleep sooner; only its own retargets wake it, and the others keep
        sleeping."""
        batch = {"name": "s", "count": 3, "spring": {"angular_frequency": 20, "damping_ratio": 1}, "skip_asleep": True,
                 "start": {"position": 1}, "rest_distance": 1e-3, "rest_speed": 1e-2, "rest_scale": [1, 1, 200],
                 "retarget": [{"at_s": 1.5, "target": 7, "first": 1, "last": 1}]}
        rows = self.states(self.scene(duration_s=3, springs=[batch]), "--at", "0,0.3,1.25,1.6,3")
        self.assertEqual([row["awake"] for row in rows], [*"111", *"110", *"000", *"010", *"000"])
        self.assertEqual([row["position"] for row in rows[-3:]], ["0", "7", "0"])

    def test_springs_on_moving_targets_do_not_sleep(self):
        """A target slower than the rest limits, and states that are written in between, do not leave a spring behind."""
        batch = {"name": "s", "count": 2, "spring": {"angular_frequency": 20, "damping_ratio": 1}, "skip_asleep": True,
                 "target_velocity": [2, 0], "rest_distance": 0.1, "rest_speed": 1}
        scene = self.scene(duration_s=10, time_step_s=1 / 60, springs=[batch])
        often = self.states(scene, "--at", ",".join(map(str, range(11))))
        for row in often:
            self.within(float(row["position"]), 2 * float(row["time_s"]) * (row["index"] == "0"), 0.1, row)
        self.assertEqual(self.states(scene, "--at", "10"), often[-2:])

    def test_particles_within_bounds(self):
        """A ball with bounce 1 returns to its height, one with 0.5 to half the speed; a ball at rest stays."""
        batch = {"name": "p", "count": 3, "acceleration": -10, "lower": [0, 0, 2], "upper": 100,
                 "start": {"position": [5, 5, 2]}}
        period = 2 * math.sqrt(2 * 5 / 10)
        for bounce, height in ((1, 5), (0.5, 5 / 4), (0, 0)):
            for step in (1 / 24, 1 / 240):
                scene = self.scene(duration_s=9, time_step_s=step, particles=[{**batch, "bounce": bounce, "precise": True}])
                rows = self.states(scene, "--at", ",".join(str(0.9 + 0.05 * i) for i in range(50)))
                top = max(float(row["position"]) for row in rows if row["index"] == "0" and float(row["time_s"]) > period / 2)
                self.within(top, height, 0.01 + 25 * step * step, (bounce, step))
                for row in rows:
                    self.assertGreaterEqual(float(row["position"]), 0)
                    if row["index"] == "2":
                        self.assertEqual((row["position"], row["velocity"]), ("2", "0"))
        walls = {"name": "w", "count": 2, "upper": {"uniform": {"low": 1, "high": 1}}, "start": {"velocity": [9, -9]}}
        rows = self.states(self.scene(particles=[walls]), "--at", "1")
        self.assertEqual(rows[0]["position"], "1")
        self.near(rows[1]["position"], -9, 10)
        self.assertEqual([row["velocity"] for row in rows], ["0", "-9"])

    FLINGS = {"name": "f", "damping": 2, "lower": 0, "upper": 1000,
              "spring": {"angular_frequency": 14, "damping_ratio": 1.1}}
    FLUNG = [(500, 100), (900, 2000), (100, -3000), (1000, 50), (1000, -50), (0, 0), (-80, -500), (1100, -20000),
             (400, 0)]

    AXIS = (0.6, 0, 0.8)

    def about(self, angle):
        """The quaternion of a turn about AXIS."""
        return [c * math.sin(angle / 2) for c in self.AXIS] + [math.cos(angle / 2)]

    def orientation_is(self, row, angle, speed=None):
        got = [float(row["orientation_" + c]) for c in "xyzw"]
        wanted = self.about(angle)
        sign = math.copysign(1, sum(g * w for g, w in zip(got, wanted)))
        for g, w in zip(got, wanted):
            self.within(sign * g, w, 3e-6, f"orientation of {row}")
        for c, axis in zip("xyz", self.AXIS if speed is not None else ()):
            self.within(float(row["spin_" + c]), axis * speed, 2e-5 * max(1, abs(speed)), f"spin of {row}")

    def test_orientation_springs(self):
        """About one axis they act like springs on an angle, through events inside frames."""
        spring, w, z = {"angular_frequency": 6, "damping_ratio": 0.3}, 6, 0.3
        start = {"orientation": self.about(1), "spin_world": [2 * c for c in self.AXIS], "target": self.about(0.2)}
        batch = {"name": "o", "count": 1, "spring": spring, "start": start,
                 "retarget": [{"at_s": 0.333, "target": self.about(-0.4)}]}
        for step in (0.05, 0.01):
            rows = self.states(self.scene(time_step_s=step, orientation_springs=[batch]), "--at", "0,0.2,0.333,0.5,1")
            x, v = closed_form(w, z, 0.8, 2, 0.333)
            for row in rows:
                t = float(row["time_s"])
                if t < 0.333:
                    angle, speed = closed_form(w, z, 0.8, 2, t)
                    self.orientation_is(row, 0.2 + angle, speed)
                else:
                    angle, speed = closed_form(w, z, x + 0.6, v, t - 0.333)
                    self.orientation_is(row, angle - 0.4, speed)

    def test_targets_that_turn(self):
        """The lag behind a target that turns evenly is (1 - follow) 2 z / w times its spin, at any frame rate."""
        spring = {"angular_frequency": 15, "damping_ratio": 0.8}
        spin = [3 * c for c in self.AXIS]
        for follow in (0, 0.25, 1):
            for step in (1 / 30, 1 / 60, 1 / 144):
                with self.subTest(follow=follow, step=step):
                    batch = {"name": "o", "count": 1, "spring": spring, "follow": follow,
                             "start": {"target_spin": spin}, "retarget": [{"at_s": 2, "target_spin": [0, 0, 0]}]}
                    scene = self.scene(duration_s=4, time_step_s=step, orientation_springs=[batch])
                    row, last = self.states(scene, "--at", "2,4")
                    self.orientation_is(row, 6 - (1 - follow) * 2 * 0.8 / 15 * 3, 3)
                    for c, wanted in zip("xyzw", self.about(6)):
                        self.within(float(row["target_" + c]), wanted, 1e-6)
                    self.orientation_is(last, 6, 0)

    def test_orientation_springs_come_to_rest(self):
        batch = {"name": "o", "count": 2, "spring": {"response_s": 0.3, "damping_ratio": 1},
                 "start": {"euler_zxz_deg": [[90, 10], 0, 0], "target": [1, 1, 0, 0]}}
        limits = {"rest_angle": 0.01, "rest_speed": 0.01}
        scene = self.scene(duration_s=5, orientation_springs=[{**batch, **limits}])
        done = self.gyre("simulate", scene, "-o", self.path("out.csv"))
        self.assertIn("2 of 2 orientation springs", done.stdout)
        for row in self.states(scene):
            self.assertEqual([float(row["orientation_" + c]) for c in "xyzw"],
                             [float(row["target_" + c]) for c in "xyzw"])
            self.assertEqual(float(row["awake"]), 0)

    def test_orientation_springs_from_a_file(self):
        """Half of a run, and a run from its last states, equal the whole run; the table also has columns of other
        kinds."""
        body = {"name": "b", "count": 1, "inertia": [1, 2, 3]}
        batch = {"name": "o", "count": 3, "spring": {"response_s": 0.7, "damping_ratio": 0.4},
                 "start": {"orientation": [[1, 0, 3], 0, 1, 2], "spin_world": [1, [2, 3, 4], 0],
                           "target": [0, 0, [0, 1, 2], 1]}}
        rows = self.states(self.scene(orientation_springs=[batch], bodies=[body]), "--at", "0.5,1")
        names = [name for name in rows[0] if name.startswith(("orientation_", "spin_", "target_"))]
        self.assertEqual(len(names), 11)
        half, whole = ([row for row in rows if row["batch"] == "o" and row["time_s"] == t] for t in ("0.5", "1"))
        lines = [names, *([row[name] for name in names] for row in half)]
        self.write("half.csv", "".join(",".join(line) + "\n" for line in lines))
        again = self.states(self.scene(duration_s=0.5, orientation_springs=[{**batch, "start": {"csv": "half.csv"}}]))
        self.assertEqual(len(again), 3)
        for row, wanted in zip(again, whole):
            for name in names:
                self.within(float(row[name]), float(wanted[name]), 1e-5, name)

    def flings(self, **more):
        return dict(self.FLINGS, count=len(self.FLUNG), start={"position": [x for x, _ in self.FLUNG],
                                                              "velocity": [v for _, v in self.FLUNG]}, **more)

    def test_flings(self):
        """Those that the springs throw back continue as flings."""
        for ratio in (1.1, 0.2):
            spring = {"angular_frequency": 14, "damping_ratio": ratio}
            for step in (0.008, 0.05, 1):
                scene = self.scene(time_step_s=step, flings=[self.flings(spring=spring)])
                rows = self.states(scene, "--at", "0,0.04,0.3,0.7,1")
                self.assertEqual(len(rows), 5 * len(self.FLUNG))
                for row in rows:
                    x, v = fling_form(2, 0, 1000, 14, ratio, *self.FLUNG[int(row["index"])], float(row["time_s"]))
                    with self.subTest(step=step, row=row):
                        self.near(row["position"], x, 1000)
                        self.near(row["velocity"], v, 20000)
                        self.assertEqual(row["target"], "")

    def test_precise_flings(self):
        """Slow ones far from 0 move on, and an event sets all of a velocity."""
        far = {"name": "f", "count": 2, "damping": 0.5, "spring": {"angular_frequency": 14, "damping_ratio": 1.1},
               "start": {"position": [1e7, 3e4], "velocity": [20, 0.1875]}}
        scene = self.scene(duration_s=9, time_step_s=1 / 240, flings=[{**far, "precise": True}])
        for i, row in enumerate(self.states(scene)):
            x, v = damped_form(0.5, far["start"]["position"][i], far["start"]["velocity"][i], 0, 9)
            self.within(float(row["position"]), x, 1e-11 * x)
            self.within(float(row["velocity"]), v, 1e-8)
        again = [{"at_s": 0.5, "velocity": 0.5, "first": 1}]
        rows = self.states(self.scene(flings=[{**far, "precise": True, "fling": again}]), "--at", "0.5")
        self.assertEqual(rows[1]["velocity"], "0.5")

    def test_fling_reaches_the_edge_at_the_exact_time(self):
        """Just before it damping gives the position, just after it the spring: closer than it moves in 1 us."""
        d, x, v = 2, 900, 2000
        meets = -math.log1p(-d * 100 / v) / d
        times = [meets - 1e-3, meets + 1e-3]
        rows = self.states(self.scene(time_step_s=1, flings=[self.flings()]), "--at", ",".join(map(repr, times)))
        before, after = (row for row in rows if row["index"] == "1")
        speed = v * math.exp(-d * meets)
        self.near(before["position"], damped_form(d, x, v, 0, times[0])[0], 50)
        self.near(before["velocity"], damped_form(d, x, v, 0, times[0])[1], 500)
        self.near(after["position"], 1000 + closed_form(14, 1.1, 0, speed, 1e-3)[0], 50)
        self.near(after["velocity"], closed_form(14, 1.1, 0, speed, 1e-3)[1], 500)

    def test_flings_come_to_rest(self):
        batch = self.flings(rest_distance=0.5, rest_speed=10)
        done = self.gyre("simulate", self.scene(duration_s=9, flings=[batch]), "--at", "9", "-o", "-")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertIn("9 of 9 flings", done.stderr)
        for row in rows:
            self.assertEqual((row["velocity"], row["awake"]), ("0", "0"))
            self.between(float(row["position"]), 0, 1000)
        for i, end in ((0, 550), (1, 1000), (2, 0), (3, 1000), (4, 975), (5, 0), (6, 0), (8, 400)):
            self.within(float(rows[i]["position"]), end, 5.1)  # at the speed limit there are 5 u left to go

    def test_fling_at_rest_before_its_edge_stays(self):
        """Without the event it would meet the edge at 0.896 s, in the next frame, but a list at rest must not start
        again."""
        batch = dict(self.FLINGS, count=1, spring={"angular_frequency": 0.1, "damping_ratio": 1},
                     start={"position": 990, "velocity": 24})
        for limits, at_rest in (({}, False), ({"rest_distance": 1, "rest_speed": 8}, True)):
            (row,) = self.states(self.scene(duration_s=2, frame_times_s=[0.8, 1.2], flings=[dict(batch, **limits)]))
            self.assertEqual(float(row["position"]) < 1000, at_rest)
            self.assertEqual((row["velocity"], row["awake"]) == ("0", "0"), at_rest)

    def test_fling_events(self):
        again = [{"at_s": 0.4, "velocity": [900, -900], "first": 1, "last": 2}]
        rows = self.states(self.scene(time_step_s=0.3, flings=[self.flings(fling=again)]), "--at", "1")
        for i, new in ((0, None), (1, 900), (2, -900), (3, None)):
            x, v = fling_form(2, 0, 1000, 14, 1.1, *self.FLUNG[i], 1)
            if new is not None:
                x, _ = fling_form(2, 0, 1000, 14, 1.1, *self.FLUNG[i], 0.4)
                x, v = fling_form(2, 0, 1000, 14, 1.1, x, new, 0.6)
            with self.subTest(i):
                self.near(rows[i]["position"], x, 1000)
                self.near(rows[i]["velocity"], v, 2000)

    def test_flings_without_damping(self):
        batch = dict(self.FLINGS, damping=0, count=3, start={"position": 10, "velocity": [5, -100, 0]})
        rows = self.states(self.scene(flings=[batch]), "--at", "0.05,1")
        for row, x in zip(rows, (10.25, 5, 10)):
            self.near(row["position"], x, 10)
        self.near(rows[4]["position"], closed_form(14, 1.1, 0, -100, 0.9)[0], 10)

    def test_flings_without_an_edge_or_with_edges_of_their_own(self):
        batch = {"name": "f", "count": 2, "damping": 2, "spring": {"angular_frequency": 14, "damping_ratio": 1.1},
                 "start": {"velocity": [2000, -2000]}, "rest_distance": 0.01, "rest_speed": 0.01}
        for edges, ends in (({}, (1000, -1000)), ({"upper": 7}, (7, -1000)), ({"lower": -7}, (1000, -7)),
                            ({"lower": [-5, -6], "upper": [5, 6]}, (5, -6))):
            rows = self.states(self.scene(duration_s=9, flings=[{**batch, **edges}]))
            for row, end in zip(rows, ends):
                self.within(float(row["position"]), end, 0.02, edges)

    # What states in floats alone lose. The scene's values are floats, including pi.
    PI = 3.1415927410125732

    def test_precise_springs_reach_far_targets(self):
        batch = {"name": "s", "count": 1, "spring": {"angular_frequency": 1, "damping_ratio": 1}, "precise": True,
                 "start": {"position": 99900, "target": 100000}}
        rest = {**batch, "name": "r", "rest_distance": 0.1, "rest_speed": 0.1}
        rows = self.states(self.scene(duration_s=60, time_step_s=1 / 240, springs=[batch, rest]), "--at", "5,10,60")
        for row in rows[:4:2]:
            x, v = closed_form(1, 1, -100, 0, float(row["time_s"]))
            self.within(float(row["position"]), 1e5 + x, 1e-6)
            self.within(float(row["velocity"]), v, 1e-6)
        self.assertEqual([rows[5][key] for key in ("position", "velocity", "awake")], ["100000", "0", "0"])

    def test_precise_springs_keep_their_amplitude(self):
        """For every way of sharing, through a retarget, and modulo a period."""
        undamped = {"angular_frequency": self.PI, "damping_ratio": 0}
        batch = {"count": 2, "precise": True, "start": {"position": [1, 0], "velocity": [0, 1]},
                 "retarget": [{"at_s": 700.3, "target": 0.5}]}
        shared = {**batch, "name": "shared", "spring": undamped}
        springs = [shared, {**shared, "name": "periodic", "period": 6.25},
                   {**batch, "name": "each", "spring": {"angular_frequency": [self.PI] * 2, "damping_ratio": 0}},
                   {**batch, "name": "palette", "palette": [{"response_s": 1, "damping_ratio": 1}, undamped],
                    "which": [1, 1]}]
        rows = self.states(self.scene(duration_s=1000, time_step_s=1 / 240, springs=springs))
        self.assertEqual(len(rows), 8)
        for row in rows:
            x, v = ((1, 0), (0, 1))[int(row["index"])]
            x, v = closed_form(self.PI, 0, x, v, 700.3)
            x, v = closed_form(self.PI, 0, x - 0.5, v, 299.7)
            with self.subTest(row["batch"], index=row["index"]):
                self.within(float(row["position"]), 0.5 + x, 1e-6)
                self.within(float(row["velocity"]), v, 3e-6)

    def test_precise_particles_move_anywhere(self):
        far = {"count": 2, "start": {"position": [1e7, 3e4], "velocity": [20, 0.1875]}, "precise": True}
        for name, more in (("shared", {}), ("own", {"damping": [0, 0.5]}), ("falling", {"acceleration": [0.25, 0]})):
            rows = self.states(self.scene(duration_s=100, time_step_s=1 / 240, particles=[{**far, "name": name, **more}]))
            for i, row in enumerate(rows):
                damping, acceleration = more.get("damping", (0, 0))[i], more.get("acceleration", (0, 0))[i]
                x, v = damped_form(damping, far["start"]["position"][i], far["start"]["velocity"][i], acceleration, 100)
                with self.subTest(name, i=i):  # each step rounds to about 2^-49 of the position
                    self.within(float(row["position"]), x, 1e-11 * x)
                    self.within(float(row["velocity"]), v, 1e-8)

    def test_an_event_sets_all_of_a_precise_velocity(self):
        sets = [{"at_s": 0.5, "velocity": 0.5, "first": 1}]
        batch = {"name": "p", "count": 2, "damping": 0.7, "start": {"velocity": 0.1}, "set": sets, "precise": True}
        rows = self.states(self.scene(particles=[batch]), "--at", "0.5")
        self.assertEqual(rows[1]["velocity"], "0.5")
        self.within(float(rows[0]["velocity"]), 0.10000000149011612 * math.exp(-0.5 * 0.699999988079071), 1e-13)

    def test_precise_states_written_can_be_read_again(self):
        for kind, batch, names in (
            ("springs", {"spring": {"response_s": 1, "damping_ratio": 0.3}, "start": {"target": 0.3, "position": 7}},
             ("position", "velocity", "target")),
            ("particles", {"damping": 0.7, "acceleration": 3, "start": {"velocity": 0.1}}, ("position", "velocity")),
            ("flings", {"damping": 0.7, "spring": {"response_s": 1, "damping_ratio": 1}, "start": {"velocity": 0.1}},
             ("position", "velocity")),
        ):
            batch = {"name": "b", "count": 2, "precise": True, **batch}
            half, whole = self.states(self.scene(**{kind: [batch]}), "--at", "0.5,1")[::2]
            self.assertNotIn(len(half["position"]), range(10), half)  # of a double
            self.write("again.csv", ",".join(names) + "\n" + 2 * (",".join(half[name] for name in names) + "\n"))
            again = {**batch, "start": {"csv": "again.csv"}}
            start, end = self.states(self.scene(duration_s=0.5, **{kind: [again]}), "--at", "0,0.5")[::2]
            for name in names:
                self.assertEqual(start[name], half[name])
                self.within(float(end[name]), float(whole[name]), 1e-12)

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

    def test_events_precede_states_of_the_same_time(self):
        scene = self.scene(
            springs=[{"name": "s", "count": 1, "spring": {"response_s": 1, "damping_ratio": 1},
                      "retarget": [{"at_s": t, "target": x} for t, x in ((0.5, 3), (0.5, 4), (0.25, 2))]}],
        )
        rows = self.states(scene, "--at", "0.5", "--at", "0.25,0.2")
        self.assertEqual([(row["time_s"], row["target"]) for row in rows], [("0.2", "0"), ("0.25", "2"), ("0.5", "4")])
        self.assertEqual([(row["position"], row["awake"]) for row in rows[:2]], [("0", "0"), ("0", "1")])

    def test_period(self):
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
        self.same_rows(recorded, listed)
        self.assertEqual(len(even), 50)
        for a, b in zip(even, listed):
            self.near(a["position"], float(b["position"]), 1)
            self.near(a["velocity"], float(b["velocity"]), 12)

    def test_frames_of_0_s(self):
        """A recording may contain the same time twice."""
        batch = {"name": "s", "count": 2, "spring": {"response_s": 0.5, "damping_ratio": 0.4}, "start": {"position": 1}}
        expected = self.states(self.scene(frame_times_s=[0.25, 0.75], springs=[batch]), "--at", "0.25,1")
        for frames in ([0, 0.25, 0.75], [0.25, 0, 0, 0.75], [0.25, 0.75, 0], [0, 0.25, 0, 0.75, 0, 0]):
            self.write("frames.csv", "frame_time_s\n" + "".join(f"{t}\n" for t in frames))
            for times in ({"frame_times_s": frames}, {"frame_times_csv": "frames.csv"}):
                with self.subTest(times):
                    scene = self.scene(springs=[batch], **times)
                    self.assertEqual(self.states(scene, "--at", "0.25,1"), expected)
                    self.assertIn(f"in {len(frames)} frames, 2 steps\n", self.gyre("simulate", scene).stdout)

    def test_distributions(self):
        count = 20000
        start = {"position": {"uniform": {"low": -3, "high": 1}}, "velocity": {"normal": {"mean": 5, "deviation": 2}}}
        batch = {"name": "s", "count": count, "spring": {"response_s": 1, "damping_ratio": 1}, "start": start}
        rows = self.states(self.scene(seed=11, springs=[batch]), "--at", 0)
        x = [float(row["position"]) for row in rows]
        v = [float(row["velocity"]) for row in rows]
        self.between(min(x), -3, -2.99, "smallest")
        self.between(max(x), 0.99, 1, "largest")
        self.assertAlmostEqual(sum(x) / count, -1, delta=0.05)
        mean = sum(v) / count
        self.assertAlmostEqual(mean, 5, delta=0.08)
        self.assertAlmostEqual(math.sqrt(sum((a - mean) ** 2 for a in v) / count), 2, delta=0.06)
        self.assertAlmostEqual(sum(abs(a - mean) <= 2 for a in v) / count, 0.683, delta=0.02)
        other = self.states(self.scene(seed=12, springs=[batch]), "--at", 0)
        self.assertNotEqual(other[:100], rows[:100])

    def test_distributions_are_clamped_to_floats(self):
        batch = {"name": "p", "count": 200, "damping": 0,
                 "start": {"position": {"normal": {"mean": 0, "deviation": 3e38}}}}
        largest = max(abs(float(row["position"])) for row in self.states(self.scene(particles=[batch]), "--at", 0))
        self.assertAlmostEqual(largest / 3.4028234663852886e38, 1, delta=1e-8)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
