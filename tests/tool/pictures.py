"""Tests of the program: pictures of springs and particles."""

import math
import os
import re
import shutil
import struct
import sys
import unittest

from tool_support import PictureTest, closed_form, damped_form


class Pictures(PictureTest):
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
        """Each coloured path is the closed form, in the scale of the first one."""
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

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_springs_with_options(self):
        self.gyre("plot", "springs", "--spring", "response_s=0.5,damping_ratio=0.5", "--spring",
                  "damping=30,stiffness=100,mass=1", "--spring", "duration_s=0.5,bounce=1", "--start=-2,10",
                  "--retarget", "0.9:3", "--retarget", "0.4:5", "--duration", "3", "--tolerance", "0.05",
                  cwd=self.folder)
        svg = self.read("springs.svg")
        for label in ("response 0.5 s, ζ = 0.5", "k = 100, c = 30, m = 1", "duration 0.5 s, bounce 1", "never settles",
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
        # The settling times, in the legend and next to the dots.
        for w, z in springs[:2]:
            settled = max(t / 1e4 for t in range(30000) if abs(position(w, z, t / 1e4) - 3) > 0.05)
            self.assertGreater(settled, 0.9)
            told = [float(t) for t in re.findall(r"settled at ([\d.]+) s", svg)]
            near = [t for t in told if abs(t - settled) < 0.006]
            self.assertEqual(len(near), 1, (settled, told))
            self.assertRegex(svg, rf">{near[0]:.3g} s<")

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_many_oscillations(self):
        self.gyre("plot", "springs", "--spring", "response_s=1,damping_ratio=0.001", "--duration", "700",
                  cwd=self.folder)
        path = re.search(rf"<path stroke='rgb\(\s*{self.COLOURS[0]}\)'\s+d='([^']*)'", self.read("springs.svg"))[1]
        heights = [float(y) for y in re.findall(r"[\d.]+,([\d.]+)", path)][:4000]  # of the first 250 s, at least
        middle = (max(heights) + min(heights)) / 2
        self.assertGreater(sum((a < middle) != (b < middle) for a, b in zip(heights, heights[1:])), 2 * 249)

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_turns(self):
        """Springs on rotations keep their direction where the target changes; springs on small angles do not."""
        self.gyre("plot", "turns", cwd=self.folder)
        svg = self.read("turns.svg")
        for label in ("springs on rotations", "springs of small angles", "azimuth (degrees)", "elevation (degrees)"):
            self.assertIn(label, svg)
        bends = []
        for colour in self.COLOURS[:2]:
            path = max(re.findall(rf"<path stroke='rgb\(\s*{colour}\)'\s+d='([^']*)'", svg), key=len)
            points = [complex(*map(float, point)) for point in re.findall(r"([\d.]+),([\d.]+)", path)]
            self.assertGreater(len(points), 300)
            at = 48  # frames until the target changes, during which the path is straight
            before, after = points[at] - points[at - 8], points[at + 2] - points[at]
            bends.append(abs(math.degrees(math.atan2((after / before).imag, (after / before).real))))
        self.assertLess(bends[0], 5)
        self.assertGreater(bends[1], 20)

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_particles(self):
        self.gyre("plot", "particles", cwd=self.folder)
        svg = self.read("particles.svg")
        for label in ("UIScrollView normal", "UIScrollView fast", "Compose", "position", "velocity", "time (s)",
                      "rests at 999"):
            self.assertIn(label, svg)
        self.gyre("plot", "particles", "--damping", "0.7", "--damping", "3", "--start", "10,-4", "--duration", "8",
                  "--tolerance", "0.1", cwd=self.folder)
        svg = self.read("particles.svg")
        for colour, d in zip(self.COLOURS, (0.7, 3)):
            for panel in (0, 1):
                self.curve_is(svg, colour, lambda t, d=d, n=panel: damped_form(d, 10, -4, 0, t)[n], 8, panel)
            rest = 10 - 4 / d
            settled = math.log((10 - rest) / 0.1) / d
            note = f"rests at {rest:.4g}, settled at {settled:.3g} s"
            self.assertIn(note, svg.replace("−", "-"))
            self.assertRegex(svg, rf">{settled:.3g} s<")
        for case in (("--tolerance", "1e-5"), ("--start", "1e8,100")):  # less than an ulp compared with the position
            self.gyre("plot", "particles", *case, cwd=self.folder)
            self.assertNotIn("never comes to rest", self.read("particles.svg"))
        self.gyre("plot", "particles", "--damping", "0", "--damping", "2.3", "--start", "0,20", "--acceleration=-9.8",
                  "--duration", "4", "-o", self.path("fall.svg"))
        svg = self.read("fall.svg")
        for label in ("never comes to rest", f"terminal velocity −{9.8 / 2.3:.3g}"):
            self.assertIn(label, svg)
        for colour, d in zip(self.COLOURS, (0, 2.3)):
            for panel in (0, 1):
                self.curve_is(svg, colour, lambda t, d=d, n=panel: damped_form(d, 0, 20, -9.8, t)[n], 4, panel)

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_constant_curves_draw_without_warnings(self):
        for arguments in (["springs", "--start", "0,0"], ["particles", "--start", "5,0"], ["particles", "--start", "0,0"],
                          ["particles", "--start", "1e8,0.1"], ["particles", "--start", "3e38,0"]):
            with self.subTest(arguments):
                self.assertEqual(self.gyre("plot", *arguments, "-o", self.path("out.svg")).stderr, "")

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_numbers_near_the_limits_of_floats(self):
        out = self.path("out.svg")
        for arguments in (["springs", "--start", "3e38,0"], ["springs", "--duration", "3e38"],
                          ["springs", "--retarget", "1e37:2"],
                          ["springs", "--spring", "response_s=1,damping_ratio=1", "--retarget", "1:-3.4e38"],
                          ["particles", "--duration", "3e38"]):
            with self.subTest(arguments):
                self.assertEqual(self.gyre("plot", *arguments, "-o", out).stderr, "")
        for arguments in (["springs", "--start", "3e38,3e38"], ["particles", "--start", "3e38,3e38"],
                          ["springs", "--spring", "angular_frequency=1.2e-38,damping_ratio=0"],
                          ["springs", "--spring", "angular_frequency=3e-38,damping_ratio=1", "--tolerance", "0.001"],
                          ["tumble", "--spin", "3e38,0,0"], ["herpolhode", "--spin", "3e38,1,1"],
                          ["energy", "--method", "explicit_euler", "--range", "3e38"]):
            with self.subTest(arguments):
                error = self.gyre("plot", *arguments, "-o", out, expect=2).stderr
                self.assertRegex(error, r"^gyre: [^\n]* does not fit in a float; expected [^\n]*\n$")

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_times_do_not_overlap(self):
        for picture in ("springs", "particles"):
            for duration in ("1e-4", "5e-4", "2e-3", "0.2", "90000", "2e6"):
                with self.subTest((picture, duration)):
                    self.gyre("plot", picture, "--duration", duration, "-o", self.path("out.svg"))
                    placed = re.findall(r"translate\(([\d.]+),([\d.]+)\)[^>]*anchor=\"middle\">\s*"
                                        r"<text>(.*?)</text>", self.read("out.svg"), re.S)
                    texts = [(float(y), float(x), re.sub(r"<[^>]*>", "", text).strip()) for x, y, text in placed]
                    row = [(x, text) for _, x, text in sorted(texts) if re.fullmatch(r"[\d.×−]+", text)]
                    self.assertGreaterEqual(len(row), 3)
                    for (x, text), (next_x, next_text) in zip(row, row[1:]):
                        self.assertGreater(next_x - x, 10 + 5 * (len(text) + len(next_text)), (text, next_text))

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_long_numbers_leave_room_for_the_label(self):
        for arguments in (["springs", "--start", "20000,0"], ["springs", "--start", "100000,0"],
                          ["particles", "--start", "12345678,-987654"], ["particles", "--start", "1e-7,3e-6"],
                          ["particles", "--start", "1e5,1"], ["springs", "--start", "1e6,0", "--retarget", "0:999998"]):
            with self.subTest(arguments):
                self.gyre("plot", *arguments, "-o", self.path("out.svg"))
                placed = re.findall(r"translate\(([\d.-]+),[\d.-]+\)( rotate\(270\))?[^>]*anchor=\"(end|middle)\">\s*"
                                    r"<text>(.*?)</text>", self.read("out.svg"), re.S)
                labels = [float(x) for x, rotated, _, _ in placed if rotated]
                numbers = [(float(x), re.sub(r"<[^>]*>", "", text)) for x, _, side, text in placed if side == "end"]
                self.assertIn(len(labels), (1, 2))
                self.assertGreater(len(numbers), 4)
                self.assertGreater(min(labels), 10)
                for (_, number), (_, following) in zip(numbers, numbers[1:]):
                    self.assertNotEqual(number, following)
                for x, number in numbers:
                    self.assertGreater(x - 8 * len(number), max(labels) + 8, number)

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_times_of_dots_do_not_overlap(self):
        falling = [f"--damping=0.{tenths}" for tenths in range(1, 8)]
        same = ["--spring", "response_s=0.5,damping_ratio=1"] * 7
        for arguments in (["particles"], ["particles", *falling], ["particles", "--start", "0,-200", *falling],
                          ["springs", *same]):
            self.gyre("plot", *arguments, "-o", self.path("out.svg"))
            placed = re.findall(r"translate\(([\d.]+),([\d.]+)\)[^>]*anchor=\"middle\">\s*"
                                r"<text>(?:<[^>]*>)*([\d.]+ s)<", self.read("out.svg"))
            texts = [(float(x), float(y), text) for x, y, text in placed]
            self.assertEqual(len(set(texts)), 3 if arguments == ["particles"] else 7)
            for i, (x, y, text) in enumerate(texts):
                for other_x, other_y, other in texts[:i]:
                    self.assertTrue(abs(x - other_x) > 4.5 * (len(text) + len(other)) or abs(y - other_y) > 15,
                                    (arguments, text, other))

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_times_of_dots_do_not_cover_curves(self):
        springs = ["springs", "--spring", "response_s=0.5,damping_ratio=0.5", "--spring",
                   "damping=30,stiffness=100,mass=1", "--spring", "duration_s=0.5,bounce=0.1"]
        for arguments in (["particles"], ["springs", "--tolerance", "0.02"],
                          [*springs, "--retarget", "0.9:3", "--retarget", "0.4:5"],
                          [*springs, "--retarget", "0.4:-2"]):
            with self.subTest(arguments):
                self.gyre("plot", *arguments, "-o", self.path("out.svg"))
                svg = self.read("out.svg")
                placed = re.findall(r"translate\(([\d.]+),([\d.]+)\)[^>]*anchor=\"middle\">\s*"
                                    r"<text>(?:<[^>]*>)*([\d.]+ s)<", svg)
                self.assertEqual(len(set(placed)), 3)
                for colour in self.COLOURS:
                    paths = re.findall(rf"<path stroke='rgb\(\s*{colour}\)'\s+d='([^']*)'", svg)
                    points = [tuple(map(float, point)) for path in paths
                              for point in re.findall(r"([\d.]+),([\d.]+)", path) if path.count(",") > 50]
                    for x, y, text in placed:
                        across = [py for px, py in points if abs(px - float(x)) < 3.9 * len(text)]
                        self.assertEqual([py for py in across if -11 < py - float(y) < 2], [], (colour, text))

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_long_labels_fit_the_margin(self):
        self.gyre("plot", "springs", "--spring", "settling_s=0.123456,damping_ratio=0.123456,fraction=0.0123456",
                  "--spring", "mass=123456,stiffness=123456,damping=123456", "-o", self.path("out.svg"))
        svg = self.read("out.svg")
        for label in ("settling 0.123456 s, ζ = 0.123456, to 0.0123456", "k = 123456, c = 123456, m = 123456"):
            x, size, own = re.search(r"translate\(([\d.]+),[\d.]+\)[^>]*font-size=\"([\d.]+)\"[^>]*>\s*<text><tspan"
                                     rf"([^>]*)>{label}<", svg).groups()
            size = re.sub(r".*font-size=\"([\d.]+)\".*", r"\1", own) if "font-size" in own else size
            self.assertLess(float(x) + 0.58 * float(size) * len(label), 1200, label)

    def test_gnuplot_draws_nothing(self):
        gnuplot = self.write("gnuplot", "#!/bin/sh\ncat > /dev/null\n")
        os.chmod(gnuplot, 0o755)
        environment = dict(os.environ, PATH=self.folder + os.pathsep + os.environ["PATH"])
        error = self.gyre("plot", "springs", "-o", self.path("out.svg"), expect=1, env=environment).stderr
        self.assertEqual(error, "gyre: gnuplot drew nothing\n")
        self.assertEqual(os.listdir(self.folder), ["gnuplot"])

    def test_wrong_extension(self):
        self.gyre("plot", "springs", "-o", self.path("springs.bmp"), expect=2)
        self.assertEqual(os.listdir(self.folder), [])

    def test_full_disk(self):
        os.symlink(self.device("full", 7), self.path("out.svg"))
        error = self.gyre("plot", "springs", "-o", self.path("out.svg"), expect=1).stderr
        self.assertIn("out.svg: cannot write: No space left", error)

    def test_user_settings_are_ignored(self):
        self.write(".gnuplot", "set title 'mine'\nset logscale y\n")
        pictures = []
        for name, home in (("a.svg", os.environ.get("HOME", "")), ("b.svg", self.folder)):
            self.gyre("plot", "particles", "-o", self.path(name), env=dict(os.environ, HOME=home))
            pictures.append(self.read(name))
        self.assertEqual(*pictures)

    def test_without_gnuplot(self):
        out = self.write("springs.svg", "former\n")
        environment = dict(os.environ, PATH=self.folder)
        error = self.gyre("plot", "springs", "-o", out, expect=1, env=environment).stderr
        self.assertIn("apt-get install gnuplot-nox", error)
        self.assertEqual(os.listdir(self.folder), ["springs.svg"])
        self.assertEqual(self.read("springs.svg"), "former\n")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"] + sys.argv[1:])
