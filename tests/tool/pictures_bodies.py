"""Tests of the program: pictures of bodies."""

import base64
import json
import math
import os
import re
import shutil
import struct
import sys
import unittest
import zlib

from bodies import angle, back, motion, product, turned
from tool_support import PictureTest

T_HANDLE = (2.5, 1.4, 1.3)


def midpoint_step(inertia, q, momentum, h):
    """The attitude after a step of the implicit midpoint rule, by fixed-point iteration in double precision."""
    m = [h * c for c in back(q, momentum)]
    v = [c / i for c, i in zip(m, inertia)]
    for _ in range(200):
        half = math.sqrt(sum(c * c for c in v)) / 4
        factor = math.sin(half) / (4 * half) if half > 0 else 0.25
        v = [c / i for c, i in zip(back((*(factor * c for c in v), math.cos(half)), m), inertia)]
    half = math.sqrt(sum(c * c for c in v)) / 2
    factor = math.sin(half) / (2 * half) if half > 0 else 0.5
    return product(q, (*(factor * c for c in v), math.cos(half)))


def energy(inertia, q, momentum):
    return sum(m * m / i for m, i in zip(back(q, momentum), inertia)) / 2


def decode_png(data):
    """Rows of (red, green, blue) of a PNG with 8 bits a channel."""
    at, packed = 8, b""
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
            assert depth == 8 and colour in (2, 6)
            size = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            packed += body
    raw, stride, rows = zlib.decompress(packed), width * size, []
    before = bytearray(stride)
    for y in range(height):
        filtered = raw[y * (stride + 1)]
        line = bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            a, b = line[i - size] if i >= size else 0, before[i]
            c = before[i - size] if i >= size else 0
            nearest = min((a, b, c), key=lambda p, d=a + b - c: abs(d - p))
            line[i] = (line[i] + (0, a, b, (a + b) // 2, nearest)[filtered]) % 256
        rows.append([tuple(line[i : i + 3]) for i in range(0, stride, size)])
        before = line
    return rows


class Usage(PictureTest):
    def test_usage(self):
        for arguments, part in (
            (["tumble", "--method", "rk4"], "moser_veselov, midpoint, object_trapezoid, trapezoid or explicit_euler"),
            (["tumble", "--method", "moser_veselov:3"], ":6 or :8"),
            (["tumble", "--method", "moser_veselov:"], ":6 or :8"),
            (["tumble", "--method", "moser_veselov:66"], ":6 or :8"),
            (["tumble", "--method", "midpoint:2"], ":6 or :8"),
            (["tumble"] + ["--method", "midpoint"] * 8, "up to 7"),
            (["tumble", "--inertia", "1,2"], "three principal moments"),
            (["tumble", "--inertia", "1,2,3,4"], "three principal moments"),
            (["tumble", "--inertia", "1,0,3"], "more than 0"),
            (["herpolhode", "--spin", "0,0,0"], "not all 0"),
            (["herpolhode", "--spin", "1,x,0"], "X,Y,Z"),
            (["herpolhode", "--time-step", "0"], "seconds, more than 0"),
            (["herpolhode", "--time-step", "1e-40"], "is too small for a float, and not zero; expected"),
            (["herpolhode", "--time-step", "1e-9"], "expected at most 10000000"),
            (["tumble", "--time-step", "4000", "--duration", "2e4"], "the body rotates too far in a step for an exact reference"),
            (["herpolhode", "--spin", "1,2e6,1"], "the body rotates too far in a step for an exact reference"),
            (["convergence", "--range=-1"], "a momentum, more than 0"),
            (["convergence", "--method", "moser_veselov"], "Moser-Veselov, order 6 does not iterate"),
            (["convergence", "--method", "moser_veselov:8"], "Moser-Veselov, order 8 does not iterate"),
            (["convergence", "--method", "explicit_euler"], "explicit Euler does not iterate"),
            (["energy", "--method", "midpoint", "--method", "trapezoid"], "a map shows one method, got 2"),
            (["convergence", "--method", "object_trapezoid", "--range", "1e9"],
             "a step of 1 s takes more than 20000 sub-steps; expected a smaller --range"),
            (["energy", "--spin", "1,0,0"], "--spin is not for plot energy"),
            (["energy", "--range", "1e6"], "a step of 1 s takes more than 20000 sub-steps; expected a smaller --range"),
            (["energy", "--inertia", "1e-10,1,1"], "a step of 1 s takes more than 20000 sub-steps"),
            (["frontier", "--method", "midpoint"], "--method is not for plot frontier"),
            (["tumble", "--range", "3"], "--range is not for plot tumble"),
            (["springs", "--method", "midpoint"], "--method is not for plot springs"),
        ):
            with self.subTest(arguments=arguments):
                error = self.gyre("plot", *arguments, "-o", self.path("out.svg"), expect=2).stderr
                self.assertIn(part, error)
                self.assertEqual(error.count("\n"), 1)
        self.assertEqual(os.listdir(self.folder), [])

    def test_warning_of_what_no_mass_has(self):
        for inertia, percent, nearest in (("1,1,5", "60", "2, 2, 4"), ("4,1,1", "50", "3.33333325, 1.66666663, 1.66666663"),
                                          ("1,10,2", "70", "3.33333325, 7.66666651, 4.33333349")):
            with self.subTest(inertia):
                error = self.gyre("plot", "tumble", "--inertia", inertia, "-o", self.path("out.svg")).stderr
                self.assertEqual(error, f"gyre: warning: --inertia {inertia}: no mass has such an inertia: the largest moment "
                                 f"exceeds the sum of the others by {percent} % of itself; check units and powers of ten, "
                                 f"the nearest possible is {nearest}\n")
        os.remove(self.path("out.svg"))

    def test_inputs_are_checked_before_measuring(self):
        """Measuring the frontier takes seconds and shows a progress bar, so there must be none."""
        peers = self.write("peers.svg", json.dumps(Frontier.PEERS))
        for arguments, status, part in (
            (["-o", self.path("none/out.svg")], 1, "none/out.svg: cannot write: No such file"),
            (["--peers", self.path("none.json"), "-o", self.path("out.svg")], 2, "none.json: cannot open: No such"),
            (["--peers", peers, "-o", peers], 2, "peers.svg: is an input of this run"),
        ):
            with self.subTest(part):
                _, drawn = self.on_terminal("plot", "frontier", *arguments, expect=status)
                self.assertRegex(drawn.decode(), rf"^gyre: [^\r]*{part}[^\r]*\r\n$")
                self.assertEqual(os.listdir(self.folder), ["peers.svg"])

    def test_help(self):
        text = self.gyre("help", "plot").stdout
        for word in ("tumble", "herpolhode", "convergence", "energy", "frontier", "--method", "--inertia", "--spin",
                     "--time-step", "--range", "--peers", "explicit_euler", "precise"):
            self.assertIn(word, text)
        text = self.gyre("help", "simulate").stdout
        for word in ("bodies", "tensor", "capsule", "torque", "spin_body", "euler_zxz_deg", "observed", "object_trapezoid",
                     "max_substeps", "precise", "angular_damping", "momentum_x"):
            self.assertIn(word, text)


@unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
class Flights(PictureTest):
    SPIN = (0.3, 5, -0.2)
    MOMENTUM = [i * w for i, w in zip(T_HANDLE, SPIN)]
    ASKED = ["--spin", "0.3,5,-0.2", "--time-step", "0.02", "--duration", "6"]

    def test_tumble(self):
        self.gyre("plot", "tumble", *self.ASKED, "--method", "moser_veselov", "--method", "midpoint", cwd=self.folder)
        svg = self.read("tumble.svg")
        for label in ("Moser-Veselov, order 6", "implicit midpoint", "grey: exact", "direction cosine of the y axis",
                      "steps of 0.02 s, 0.1 rad", "all with low parts", "time (s)"):
            self.assertIn(label, svg)
        length = math.sqrt(sum(c * c for c in self.MOMENTUM))
        cosines, exact = [], (0, 0, 0, 1)
        for _ in range(301):
            cosines.append(sum(a * b for a, b in zip(turned(exact, (0, 1, 0)), self.MOMENTUM)) / length)
            exact, _ = motion(T_HANDLE, exact, self.MOMENTUM, 0.02, steps=20)

        def expected(t):
            i = min(int(t / 0.02), 299)
            return cosines[i] + (cosines[i + 1] - cosines[i]) * (t / 0.02 - i)

        self.assertLess(min(cosines), -0.99)  # it does flip
        for colour in self.COLOURS[:2] + (r"192,\s*192,\s*192",):
            self.curve_is(svg, colour, expected, 6)
        q = (0, 0, 0, 1)
        for _ in range(300):
            q = midpoint_step(T_HANDLE, q, self.MOMENTUM, 0.02)
        exact, _ = motion(T_HANDLE, (0, 0, 0, 1), self.MOMENTUM, 6, steps=20000)
        errors = [float(e) for e in re.findall(r"([\d.e−-]+) rad off at 6 s", svg.replace("−", "-"))]
        self.assertAlmostEqual(errors[1] / angle(q, exact), 1, delta=0.06)
        self.assertLess(errors[0], errors[1] / 100)

    def test_tumble_of_all_methods(self):
        self.gyre("plot", "tumble", "-o", self.path("tumble.png"))
        with open(self.path("tumble.png"), "rb") as file:
            self.assertEqual(struct.unpack(">II", file.read()[16:24]), (2400, 1400))
        done = self.gyre("plot", "tumble", "--inertia", "1,3,2", cwd=self.folder)
        self.assertEqual(done.stderr, "")
        svg = self.read("tumble.svg")
        for label in ("Moser-Veselov", "midpoint", "object trapezoid", ">trapezoid", "explicit Euler", "the z axis"):
            self.assertIn(label, svg)

    def test_herpolhode(self):
        self.gyre("plot", "herpolhode", *self.ASKED, cwd=self.folder)
        svg = self.read("herpolhode.svg")
        self.assertLess(len(svg), 200000)
        for label in ("plane of the exact energy", "Moser-Veselov, order 6", "midpoint", "object trapezoid", ">trapezoid",
                      "steps of 0.02 s", "all with low parts"):
            self.assertIn(label, svg)
        self.assertNotIn("Euler", svg)
        length = math.sqrt(sum(c * c for c in self.MOMENTUM))
        up = [c / length for c in self.MOMENTUM]
        spin_along = lambda q: sum(turned(q, [m / i for m, i in zip(back(q, self.MOMENTUM), T_HANDLE)])[k] * up[k]
                                   for k in range(3))
        q, most = (0, 0, 0, 1), 0
        plane = spin_along(q)
        for _ in range(300):
            q = midpoint_step(T_HANDLE, q, self.MOMENTUM, 0.02)
            most = max(most, abs(spin_along(q) / plane - 1))
        told = [float(e) for e in re.findall(r"([\d.e-]+) (?:at most|or less)", svg.replace("−", "-"))]
        self.assertEqual(len(told), 4)
        self.assertAlmostEqual(told[1] / most, 1, delta=0.06)
        self.assertLess(told[0], 1e-6)
        self.assertLess(told[2], 1e-5)
        # The exact path: a flat curve, as far from its centre as the spin is from the momentum, in the scale of the
        # disc.
        farthest, q = 0, (0, 0, 0, 1)
        for _ in range(600):
            spin = turned(q, [m / i for m, i in zip(back(q, self.MOMENTUM), T_HANDLE)])
            farthest = max(farthest, math.sqrt(max(0, sum(c * c for c in spin) - plane * plane)))
            q, _ = motion(T_HANDLE, q, self.MOMENTUM, 0.01, steps=4)
        (disc,) = re.findall(r"stroke='rgb\(159,\s*191,\s*212\)'\s+d='([^']*)'", svg)
        paths = re.findall(r"<path stroke='rgb\(\s*32,\s+32,\s+32\)'\s+d='([^']*)'", svg)
        points = [[tuple(map(float, p)) for p in re.findall(r"([\d.]+),([\d.]+)", d)] for d in (disc, "".join(paths))]
        radius = (max(x for x, _ in points[0]) - min(x for x, _ in points[0])) / 2
        middle = [sum(c) / 2 for c in ((min(x for x, _ in points[0]), max(x for x, _ in points[0])),
                                       (min(y for _, y in points[0]), max(y for _, y in points[0])))]
        reach = max(math.hypot(x - middle[0], (y - middle[1]) / 0.35) for x, y in points[1])
        self.assertGreater(len(points[1]), 300)
        self.assertAlmostEqual(reach / radius, 1 / 1.25, delta=0.02)

    def test_slow_bodies_and_points(self):
        """A path at 1e-5 rad/s has the same shape as at 1 rad/s; about a principal axis it is a point."""
        points = []
        for spin, options in (("1,1,1", ()), ("1e-5,1e-5,1e-5", ("--duration", "6e6", "--time-step", "1e4"))):
            self.gyre("plot", "herpolhode", "--spin", spin, *options, "-o", self.path("out.svg"))
            paths = re.findall(r"<path stroke='rgb\(\s*32,\s+32,\s+32\)'\s+d='([^']*)'", self.read("out.svg"))
            points.append(len(set(re.findall(r"[\d.]+,[\d.]+", "".join(paths)))))
        self.assertGreater(points[1], 0.5 * points[0])
        done = self.gyre("plot", "herpolhode", "--spin", "0,0,1", "-o", self.path("out.svg"))
        self.assertEqual(done.stderr, "")
        svg = self.read("out.svg")
        self.assertEqual(svg.count("1e−09 or less"), 4)  # as drawn, and as on the axis
        self.assertIn("≤ 10", svg)

    def test_many_flips(self):
        asked = ["--spin", "0.01,6,0.01", "--method", "moser_veselov", "-o", self.path("out.svg")]
        flips = []
        for duration in (60, 12000):
            self.gyre("plot", "tumble", *asked, "--duration", duration)
            path = re.search(rf"<path stroke='rgb\(\s*{self.COLOURS[0]}\)'\s+d='([^']*)'", self.read("out.svg"))[1]
            heights = [float(y) for y in re.findall(r"[\d.]+,([\d.]+)", path)]
            middle = (max(heights) + min(heights)) / 2
            flips.append(sum((a < middle) != (b < middle) for a, b in zip(heights, heights[1:])))
        self.assertAlmostEqual(flips[1] / flips[0] / 200, 1, delta=0.15)

    def test_times_of_the_narrow_panel_do_not_overlap(self):
        for duration in ("60", "100", "9999", "99999"):
            self.gyre("plot", "herpolhode", "--duration", duration, "--time-step", "0.9", "-o", self.path("out.svg"))
            placed = re.findall(r"translate\(([\d.]+),[\d.]+\)[^>]*anchor=\"middle\">\s*<text><tspan[^>]*>\s*(\d+)<",
                                self.read("out.svg"))
            row = sorted((float(x), text) for x, text in placed)
            self.assertGreaterEqual(len(row), 3)
            for (x, text), (next_x, next_text) in zip(row, row[1:]):
                self.assertGreater(next_x - x, 10 + 5 * (len(text) + len(next_text)), (text, next_text))

    def test_deviations_at_one_height(self):
        done = self.gyre("plot", "herpolhode", "--method", "midpoint", "--duration", "2e4", "-o", self.path("out.svg"))
        self.assertEqual(done.stderr, "")

    def test_progress_bar_is_shown_on_terminals(self):
        for picture in ("tumble", "herpolhode"):
            _, drawn = self.on_terminal("plot", picture, "--duration", "6e3")
            self.assertIn(b"million steps per second", drawn)
            self.assertTrue(drawn.endswith(b"\r\x1b[K"), drawn)
            shares = [int(share) for share in re.findall(rb"(\d+) %", drawn)]
            self.assertEqual(shares, sorted(shares))

    def test_shorter_than_a_step(self):
        for picture in ("tumble", "herpolhode"):
            error = self.gyre("plot", picture, "--duration", "0.05", "-o", self.path("out.svg"), expect=2).stderr
            self.assertIn("less than one time step of 0.1 s", error)


@unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
class Maps(PictureTest):
    def images(self, svg):
        return [decode_png(base64.b64decode(data)) for data in re.findall(r"data:image/png;base64,([\w+/=\s]+)", svg)]

    def test_convergence(self):
        self.gyre("plot", "convergence", cwd=self.folder)
        svg = self.read("convergence.svg")
        self.assertLess(len(svg), 200000)
        for label in ("green: proven to converge", "a step of 1 s", "(kg m²/s)"):
            self.assertIn(label, svg)
        told = [float(share) / 100 for share in re.findall(r"([\d.]+) % converge", svg)]
        self.assertAlmostEqual(told[0], 0.85, delta=0.02)
        self.between(told[1], 0.001, 0.03, "share that converges")
        maps = self.images(svg)[:2]
        for image, share in zip(maps, told, strict=True):
            self.assertEqual((len(image), len(image[0])), (300, 300))
            yellow = sum(red - blue > 100 for row in image for red, _, blue in row)
            self.assertAlmostEqual(1 - yellow / 300**2, share, delta=0.002)
        # The bound is proven: there is no yellow inside it, and it is a circle at least as wide as that of the norm
        # bound.
        paths = re.findall(r"<path stroke='rgb\(\s*0,\s+158,\s+115\)'\s+d='([^']*)'", svg)
        points = [[tuple(map(float, p)) for p in re.findall(r"([\d.]+),([\d.]+)", d)] for d in paths]
        self.assertEqual(sum(len(curve) > 50 for curve in points), 1)  # only in Newton's map
        bound = max(points, key=len)
        across = max(x for x, _ in bound) - min(x for x, _ in bound)
        upwards = max(y for _, y in bound) - min(y for _, y in bound)
        size = float(re.search(r"<image[^>]*width='([\d.]+)'", svg)[1])
        radius = 150 * min(across, upwards) / size
        self.assertGreater(radius, 10 * math.sqrt(2) * 1.3 - 1)
        for y, row in enumerate(maps[0]):
            for x, (red, _, blue) in enumerate(row):
                if math.hypot(x - 149.5, y - 149.5) < radius - 2:
                    self.assertLess(red - blue, 100, (x, y))

    def test_convergence_with_options(self):
        self.gyre("plot", "convergence", "--method", "trapezoid", "--inertia", "1,1,1", "--range", "3", "-o",
                  self.path("map.svg"))
        svg = self.read("map.svg")
        self.assertIn("trapezoid", svg)
        self.assertEqual(float(re.search(r"iteration: ([\d.]+) % converge", svg)[1]), 100)

    def test_numbers_of_neighbouring_maps_do_not_overlap(self):
        for most in ("15", "150", "10000", "1e6"):
            self.gyre("plot", "convergence", "--inertia", "1000,2000,2500", "--range", most, "-o",
                      self.path("map.svg"))
            numbers = re.findall(r"translate\(([\d.]+),([\d.]+)\)[^>]*anchor=\"middle\">\s*<text><tspan[^>]*>"
                                 r"\s*(−?[\d.]+)</tspan></text>", self.read("map.svg"))
            row = sorted((float(x), 5 * len(text)) for x, _, text in numbers)
            self.assertGreaterEqual(len(row), 6)
            for (x, half), (next_x, next_half) in zip(row, row[1:]):
                self.assertGreater(next_x - next_half, x + half, most)

    def energy_told(self, svg, label):
        """In percent; the title has the unit of the bar next to the map."""
        texts = [re.sub(r"<[^>]*>", "", text) for text in re.findall(r"<text>(.*?)</text>", svg, re.S)]
        (title,) = [text for text in texts if text.startswith(f"{label}: at most ")]
        (bar,) = [text for text in texts if text.startswith("change of energy in one step of 1 s (")]
        number, power, unit = re.search(r"at most ([\d.]+) (?:× 10([-−]\d+) )?(%)$", title).groups()
        self.assertTrue(bar.endswith(f"(10{power} %)" if power else "(%)"), (title, bar))
        return float(number) * 10 ** int((power or "0").replace("−", "-"))

    def test_energy(self):
        self.gyre("plot", "energy", "--range", "1", cwd=self.folder)  # one sub-step
        svg = self.read("energy.svg")
        for label in ("one step of 1 s", "(kg m²/s)"):
            self.assertIn(label, svg)
        most = 0
        for i in range(-10, 11):
            for j in range(-10, 11):
                momentum = (i / 10, j / 10, 0)
                if i != 0 or j != 0:
                    before = energy(T_HANDLE, (0, 0, 0, 1), momentum)
                    after = energy(T_HANDLE, midpoint_step(T_HANDLE, (0, 0, 0, 1), momentum, 1), momentum)
                    most = max(most, abs(after / before - 1))
        self.assertAlmostEqual(self.energy_told(svg, "implicit midpoint") / (100 * most), 1, delta=0.06)
        image = self.images(svg)[0]
        brightness = [sum(image[y][x]) for x, y in ((150, 20), (20, 150), (280, 150), (20, 20), (280, 280))]
        self.assertLess(max(brightness[:3]), min(brightness[3:]) / 1.5)  # nothing happens about the axes

    def test_energy_stays_in_bounds(self):
        self.gyre("plot", "energy", "-o", self.path("map.png"))
        with open(self.path("map.png"), "rb") as file:
            self.assertEqual(struct.unpack(">II", file.read()[16:24]), (1600, 1380))
        for method, label, bound in (("midpoint", "implicit midpoint", 1),
                                     ("object_trapezoid", "object trapezoid", 1e-3),
                                     ("moser_veselov", "Moser-Veselov, order 6", 1e-3)):
            self.gyre("plot", "energy", "--method", method, cwd=self.folder)
            self.assertLess(self.energy_told(self.read("energy.svg"), label), bound)


@unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
class Frontier(PictureTest):
    PEERS = {"times_ns": {}, "frontier": {"source": "made up", "gyre_moser_veselov_6_ns": 10, "peers": [
        {"name": "Engine & Co's {mid_0}", "points": [{"steps_a_frame": 1, "ns": 120, "error_rad": 0.25},
                                           {"steps_a_frame": 2, "ns": 240, "error_rad": 0.125}]}]}}

    def test_frontier(self):
        self.gyre("plot", "frontier", "--peers", self.write("peers.json", json.dumps(self.PEERS)), cwd=self.folder)
        svg = self.read("frontier.svg").replace("−", "-")
        self.assertLess(len(svg), 200000)
        notes = dict(re.findall(r">([A-Z][^<>]*?|[a-z][^<>]*?)</tspan></text>.*?>([\d.e+-]+ ns, [\d.e-]+ rad)</tspan>", svg,
                                re.S))
        found = {label: tuple(float(n) for n in re.findall(r"[\d.e+-]*\d", note)) for label, note in notes.items()}
        self.assertEqual(len(found), 9, found)
        # In double precision, per frame of 1/60 s: 1.2e-1, 3.5e-1, 5.7e-1.
        for label, error in (("implicit midpoint", 0.12), ("object trapezoid", 0.35), ("trapezoid", 0.57)):
            self.assertAlmostEqual(found[label][1] / error, 1, delta=0.15)
        self.assertLess(found["Moser-Veselov, order 6"][1], 7.3e-3)
        self.assertLess(found["Moser-Veselov, order 6, low parts"][1], 2.5e-6)
        self.assertLess(found["Moser-Veselov, order 8, low parts"][1], 6e-8)
        (peer,) = (label for label in found if label.startswith("Engine"))
        self.assertEqual(peer, "Engine &amp; Co's {mid_0}")
        self.assertAlmostEqual(found[peer][0] / found["Moser-Veselov, order 6"][0], 12, delta=0.6)
        self.assertEqual(found[peer][1], 0.25)

    def test_bad_peers(self):
        for old, new, part in (
            ('_6_ns": 10', '_6_ns": 0', "frontier.gyre_moser_veselov_6_ns: is 0, expected more than 0"),
            ('"name"', '"names"', "frontier.peers[0].names: unknown key; did you mean name?"),
            ('"ns": 240', '"ns": -1', "frontier.peers[0].points[1].ns: is -1"),
            ('"error_rad": 0.25', '"error_rad": 0', "frontier.peers[0].points[0].error_rad: is 0"),
            ('"source"', '"sauce"', "frontier.sauce: unknown key"),
            ('"frontier"', '"border"', "frontier: expected an object"),
        ):
            with self.subTest(part):
                text = json.dumps(self.PEERS)
                self.assertEqual(text.count(old), 1)
                peers = self.write("peers.json", text.replace(old, new))
                error = self.gyre("plot", "frontier", "--peers", peers, "-o", self.path("out.svg"), expect=2).stderr
                self.assertIn(part, error)
                self.assertEqual(os.listdir(self.folder), ["peers.json"])
        error = self.gyre("plot", "frontier", "--peers", "-", "-o", self.path("out.svg"), input="[]", expect=2).stderr
        self.assertIn("gyre: stdin:1: frontier: expected an object", error)
        error = self.gyre("plot", "frontier", "--peers", "none.json", "-o", self.path("out.svg"), expect=2).stderr
        self.assertIn("No such file", error)

    def test_progress_bar_is_shown_on_terminals(self):
        _, drawn = self.on_terminal("plot", "frontier")
        self.assertIn(b"million bodies per second", drawn)
        self.assertTrue(drawn.endswith(b"\r\x1b[K"), drawn)
        lines = drawn.replace(b"\x1b[K", b"").split(b"\r")
        self.assertLessEqual(max(map(len, lines)), 80)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
