"""Tests of bench/report/report.py: with the rows of machines that are committed, and with a few of its own."""

import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"

CONTEXT = {"cpu": "Abacus (12 beads)", "governor": "by hand", "compiler": "gcc 12.2.0", "library_version": "0.1.0",
           "tables": "scalar-portable avx2-portable avx2-fused", "lanes": "4 8 8", "peers_left_out": "none"}


def row(group, candidate, count, ns, **speed_over):
    return {"group": group, "candidate": candidate, "count": count, "ns_per_element": ns, "speed_over": speed_over}


def topic(rows, errors=()):
    return {"context": CONTEXT, "rows": rows, "errors": list(errors)}


UNITS = 12 * 16 * 64  # what the units' peaks are measured with

# A cycle takes half a nanosecond, with fused operations more. Vectors of 8: divisions take 5 cycles.
KERNELS = topic([
    row("clock", "avx2-portable", UNITS, 0.5), row("clock", "avx2-fused", UNITS, 0.625),
    row("multiply-add", "avx2-portable", UNITS, 0.0625), row("multiply-add", "avx2-fused", UNITS, 0.03125),
    row("divide", "avx2-portable", UNITS, 0.3125), row("divide", "avx2-fused", UNITS, 0.3125),
    row("square-root", "avx2-portable", UNITS, 0.5), row("square-root", "avx2-fused", UNITS, 0.5),
    row("springs_step", "ceiling", 1024, 0.5), row("springs_step", "ceiling2", 1024, 0.51, itself=1.02),
    row("springs_step", "avx2-portable", 1024, 1.0), row("springs_step", "avx2-fused", 1024, 0.625),
    row("bodies_step", "ceiling", 1024, 1.0), row("bodies_step", "ceiling2", 1024, 0.9, itself=0.9),
    row("bodies_step", "avx2-portable", 1024, 8.0), row("bodies_step", "avx2-fused", 1024, 6.0),
    row("multiply-add-threads", "2", 4096, 1.0, **{"1": 2.0}),
    row("springs_step-threads", "2", 4096, 1.0, **{"1": 1.9}),
])
MCA = [
    {"kernel": "springs_step", "table": "avx2-portable", "model": "native", "cycles": 1.6, "busiest_port_cycles": 1.5,
     "arithmetic": 10, "divisions": 0, "square_roots": 0},
    {"kernel": "bodies_step", "table": "avx2-portable", "model": "native", "cycles": 12.5, "busiest_port_cycles": 8,
     "arithmetic": 20, "divisions": 2, "square_roots": 1},
]
SPRINGS = topic([
    row("moving", "avx2-portable", 65536, 0.2), row("moving", "avx2-fused", 65536, 0.1),
    row("moving", "scalar-portable", 65536, 0.9), row("moving", "gcc", 65536, 0.15),
    row("moving", "ceiling", 65536, 0.08),
    row("spoiled", "avx2-portable", 64, 0.2), row("spoiled", "gcc", 64, 0.3),  # no fused row: it failed its check
])
BODIES = topic([
    row("moser-veselov-6", "avx2-portable", 4096, 6.0), row("moser-veselov-6", "avx2-portable-low", 4096, 9.0),
    row("moser-veselov-6", "avx2-fused", 4096, 5.0), row("moser-veselov-6", "avx2-fused-low", 4096, 7.0),
    row("mixed-moser-veselov-6", "avx2-portable", 5500, 8.0, even=0.8),
    row("mixed-moser-veselov-6", "avx2-fused", 5500, 10.0, even=0.5),
    row("moser-veselov-6", "avx2-portable", 64, 8.0), row("moser-veselov-6", "avx2-fused", 64, 7.5),
    row("engine", "bullet", 64, 150.0), row("engine", "bullet", 4096, 120.0), row("engine-in-4", "bullet", 4096, 480.0),
], [
    {"group": "engine", "candidate": "bullet", "error": 1.5, "unit": "rad"},
    {"group": "engine-in-4", "candidate": "bullet", "error": 0.4, "unit": "rad"},
    {"group": "moser-veselov-6", "candidate": "avx2-fused", "error": 0.001, "unit": "rad"},
])
RUN = {"kernels.json": KERNELS, "spring.json": SPRINGS, "body.json": BODIES, "mca.json": MCA}


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.rows, self.results = pathlib.Path(folder.name, "rows"), pathlib.Path(folder.name, "results")
        self.rows.mkdir()
        self.target = self.results / "abacus-12-beads"

    def write(self, run):
        for name, content in run.items():
            (self.rows / name).write_text(content if isinstance(content, str) else json.dumps(content))

    def report(self, rows=None, **environment):
        return subprocess.run([sys.executable, BENCH / "report" / "report.py", rows or self.rows, self.results],
                              capture_output=True, text=True, env={**os.environ, **environment})

    def page(self, run, **environment):
        self.write(run)
        end = self.report(**environment)
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        self.assertEqual(end.stdout.strip(), str(self.target / "README.md"))
        return (self.target / "README.md").read_text()

    def refuses(self, said, **environment):
        """The run fails, says so in a line, and leaves what an earlier one made."""
        before = {file: file.read_bytes() for file in self.results.rglob("*") if file.is_file()}
        end = self.report(**environment)
        self.assertEqual((end.returncode, end.stdout), (1, ""))
        self.assertEqual(len(end.stderr.splitlines()), 1, end.stderr)
        self.assertIn(said, end.stderr)
        self.assertEqual({file: file.read_bytes() for file in self.results.rglob("*") if file.is_file()}, before)

    @unittest.skipUnless(shutil.which("gnuplot"), "pages without pictures are others")
    def test_committed_pages_are_made_of_the_rows_beside_them(self):
        folders = [folder for folder in (BENCH / "results").iterdir() if folder.is_dir()]
        self.assertTrue(folders)
        for folder in folders:
            end = self.report(folder)
            self.assertEqual((end.returncode, end.stderr), (0, ""))
            made = self.results / folder.name
            self.assertEqual({file.name for file in made.iterdir()}, {file.name for file in folder.iterdir()})
            for file in folder.iterdir():
                if file.suffix != ".svg":
                    self.assertEqual((made / file.name).read_text(), file.read_text(), file)

    def test_ratios(self):
        page = self.page(RUN)
        self.assertTrue(page.startswith("# Abacus (12 beads)\n"))
        for line in (
                # 2 cycles; half the ceiling's speed; 10 operations of half a cycle, twice for they are not fused
                "| springs_step | avx2-portable | 1 | 2 | 0.5 | 5 | 1.5 | 1.6 | 1.25 | ports |",
                "| springs_step | avx2-fused | 0.625 | 1 | 0.8 |  |  |  |  | memory |",
                # 2 divisions and a square root: 2 * 5 + 8
                "| bodies_step | avx2-portable | 8 | 16 | 0.125 | 18 | 8 | 12.5 | 1.28 | latency |",
                "| moving | 65536 | 0.2 | 0.1 | gcc 0.75 / 1.5 |",
                "| moser-veselov-6 | 64 | 8 | 7.5 | bullet 18.8 / 20 |",
                "| moser-veselov-6 | 4096 | 6 | 5 | bullet 20 / 24 |",
                "| moser-veselov-6 | 1.25 | 2 | 1.5 | 1.4 |",
                "| springs_step | 2 | 1.9 | 0.95 |"):
            self.assertIn(line + "\n", page)
        self.assertIn("differ by 10.0 % in the middle and 10 % at most", page)
        self.assertNotIn("spoiled", page)

    def test_one_clock_for_all_tables(self):
        rows = [row("clock", "cycle", UNITS, 0.5)] + [row for row in KERNELS["rows"] if row["group"] != "clock"]
        page = self.page({**RUN, "kernels.json": {**KERNELS, "rows": rows}})
        self.assertIn("| springs_step | avx2-portable | 1 | 2 |", page)
        self.assertIn("| springs_step | avx2-fused | 0.625 | 1.25 |", page)

    def test_bounds_of_a_stand_in(self):
        self.assertNotIn("fewer arithmetic units", self.page(RUN))
        run = copy.deepcopy(RUN)
        for loop in run["mca.json"]:
            loop["model"] = "slide-rule"
        self.assertIn("simulated on slide-rule, for of this CPU it knows fewer arithmetic units than were measured.",
                      self.page(run))

    def test_peers_of_the_frontier(self):
        self.page(RUN)
        self.assertEqual(json.loads((self.target / "frontier_peers.json").read_text()), {
            "source": "sh tools/bench.sh, Abacus (12 beads)", "gyre_moser_veselov_6_ns": 5,
            "peers": [{"name": "Bullet", "points": [{"steps_a_frame": 1, "ns": 120, "error_rad": 1.5},
                                                    {"steps_a_frame": 4, "ns": 480, "error_rad": 0.4}]}]})

    def test_without_gnuplot(self):
        page = self.page(RUN, PATH="")
        self.assertIn("No pictures: gnuplot was not there.", page)
        self.assertEqual(list(self.target.glob("*.svg")), [])

    def test_what_an_earlier_run_made_is_replaced(self):
        self.page(RUN)
        (self.target / "my notes.txt").write_text("mine")
        (self.rows / "body.json").unlink()
        page = self.page({})
        self.assertNotIn("| moser-veselov-6 |", page)
        self.assertIn("Not measured: particle, math, rotation, body.", page)
        self.assertEqual({file.name for file in self.target.iterdir()} - {"peers.svg"},
                         {"README.md", "kernels.json", "spring.json", "mca.json", "my notes.txt"})

    def test_without_rows(self):
        self.refuses("has no rows, expected kernels.json, spring.json")

    def test_damaged_rows_change_nothing(self):
        self.page(RUN)
        for name, path, value, said in (
                ("spring.json", ["rows", 1, "ns_per_element"], float("nan"), "rows[1].ns_per_element is NaN, expected"),
                ("spring.json", ["rows", 1, "ns_per_element"], 0, "rows[1].ns_per_element is 0, expected"),
                ("spring.json", ["rows", 0, "count"], 1.5, "rows[0].count is 1.5, expected a whole number"),
                ("spring.json", ["rows", 0, "count"], True, "rows[0].count is true"),
                ("spring.json", ["rows", 0, "speed_over"], {"gcc": -1}, "rows[0].speed_over is"),
                ("spring.json", ["rows", 0], [], "rows[0] is not an object"),
                ("spring.json", ["rows"], {}, "rows is not a list"),
                ("body.json", ["errors", 0, "error"], "1", 'errors[0].error is "1"'),
                ("kernels.json", ["context", "tables"], "avx2-fused", 'context.tables is "avx2-fused", expected names'),
                ("kernels.json", ["context", "lanes"], "4 8 wide", 'context.lanes is "4 8 wide", expected whole'),
                ("kernels.json", ["context", "lanes"], "4 8", "context has 3 tables and the lanes of 2"),
                ("kernels.json", ["context", "cpu"], "../..", 'context.cpu is "../..", expected a name'),
                ("kernels.json", ["context"], None, "context is not an object"),
                ("mca.json", [0, "cycles"], None, "file[0].cycles is null")):
            with self.subTest(said):
                damaged = copy.deepcopy(RUN[name])
                place = damaged
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = value
                self.write({**RUN, name: damaged})
                self.refuses(f"{name}: {said}")
        for name in RUN:
            with self.subTest(name):
                self.write({**RUN, name: json.dumps(RUN[name])[:-9]})
                self.refuses(f"{name}: ")

    def test_a_picture_that_fails_changes_nothing(self):
        self.page(RUN)
        broken = self.rows.parent / "bin"
        broken.mkdir()
        (broken / "gnuplot").write_text("#!/bin/sh\nexit 3\n")
        (broken / "gnuplot").chmod(0o755)
        self.refuses("gnuplot", PATH=f"{broken}:{os.environ['PATH']}")
