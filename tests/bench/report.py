"""Tests of bench/report/report.py: with the committed results of machines, and with a few made-up rows."""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"

CONTEXT = {"cpu": "Abacus (12 beads)", "governor": "by hand", "compiler": "gcc 12.2.0", "library_version": "0.1.0",
           "tables": "scalar-portable avx2-portable avx2-fused", "lanes": "4 8 8", "peers_left_out": "none"}


def row(group, candidate, count, ns, **speed_over):
    return {"group": group, "candidate": candidate, "count": count, "ns_per_element": ns, "speed_over": speed_over}


def topic(rows, errors=()):
    return {"context": CONTEXT, "rows": rows, "errors": list(errors)}


UNITS = 12 * 16 * 64  # the peaks of the units are measured with this many

# A cycle takes half a nanosecond, or more with fused operations. Vectors of 8: a division takes 5 cycles.
KERNELS = topic([
    row("clock", "avx2-portable", UNITS, 0.5), row("clock", "avx2-fused", UNITS, 0.625),
    row("multiply-add", "avx2-portable", UNITS, 0.0625), row("multiply-add", "avx2-fused", UNITS, 0.03125),
    row("divide", "avx2-portable", UNITS, 0.3125), row("divide", "avx2-fused", UNITS, 0.3125),
    row("square-root", "avx2-portable", UNITS, 0.5), row("square-root", "avx2-fused", UNITS, 0.5),
    row("springs_step", "ceiling", 1024, 0.5), row("springs_step", "ceiling2", 1024, 0.51, itself=1.02),
    row("springs_step", "avx2-portable", 1024, 1.0), row("springs_step", "avx2-fused", 1024, 0.625),
    row("bodies_step", "ceiling", 1024, 1.0), row("bodies_step", "ceiling2", 1024, 0.9, itself=0.9),
    row("bodies_step", "avx2-portable", 1024, 8.0), row("bodies_step", "avx2-fused", 1024, 6.0),
    row("inertia_principal", "avx2-portable", 1, 40.0), row("inertia_principal", "avx2-fused", 1, 30.0),
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
    row("each-mixed", "avx2-portable", 4096, 2.0),
    row("unpaired", "avx2-portable", 64, 0.12345), row("unpaired", "gcc", 64, 0.3),  # no fused row: it failed its check
])
BODIES = topic([
    row("moser-veselov-6", "avx2-portable", 4096, 6.0), row("moser-veselov-6", "avx2-portable-low", 4096, 9.0),
    row("moser-veselov-6", "avx2-fused", 4096, 5.0), row("moser-veselov-6", "avx2-fused-low", 4096, 7.0),
    row("mixed-moser-veselov-6", "avx2-portable", 5500, 8.0, even=0.75),
    row("mixed-moser-veselov-6", "avx2-fused", 5500, 10.0, even=0.5),
    row("moser-veselov-6", "avx2-portable", 64, 8.0), row("moser-veselov-6", "avx2-fused", 64, 7.5),
    row("engine", "bullet", 64, 150.0), row("engine", "bullet", 4096, 120.0), row("engine-in-4", "bullet", 4096, 480.0),
], [
    {"group": "engine", "candidate": "bullet", "error": 1.5, "unit": "rad"},
    {"group": "engine-in-4", "candidate": "bullet", "error": 0.4, "unit": "rad"},
    {"group": "moser-veselov-6", "candidate": "avx2-fused", "error": 0.001, "unit": "rad"},
])
RUN = {"kernels.json": KERNELS, "spring.json": SPRINGS, "body.json": BODIES, "mca.json": MCA}


CODE = "commit 1234567 of 2026-01-31"


class Report(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.rows, self.made = pathlib.Path(folder.name, "rows"), pathlib.Path(folder.name, "results")
        self.rows.mkdir()
        self.target = self.made / "abacus-12-beads"

    def write(self, run):
        for name, content in run.items():
            (self.rows / name).write_text(content if isinstance(content, str) else json.dumps(content))

    def report(self, *source, script="report.py"):
        source, *code = source or (self.rows, CODE)
        return subprocess.run([sys.executable, BENCH / "report" / script, source, self.made, *code],
                              capture_output=True, text=True)

    def page(self, run):
        self.write(run)
        end = self.report()
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        self.assertEqual(end.stdout.strip(), str(self.target / "README.md"))
        return (self.target / "README.md").read_text()

    def contents(self, folder):
        return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}

    def refuses(self, message, *source):
        """The run fails with a one-line message, and does not change the files of an earlier run."""
        before = self.contents(self.made)
        end = self.report(*source)
        self.assertEqual((end.returncode, end.stdout), (1, ""))
        self.assertEqual(len(end.stderr.splitlines()), 1, end.stderr)
        self.assertIn(message, end.stderr)
        self.assertEqual(self.contents(self.made), before)

    def test_committed_files_follow_from_results_json(self):
        folders = [folder for folder in (BENCH / "results").iterdir() if folder.is_dir()]
        self.assertTrue(folders)
        for folder in folders:
            with self.subTest(folder.name):
                of_browser = "browser" in json.loads((folder / "results.json").read_text())["context"]
                end = self.report(folder / "results.json", script="browser.py" if of_browser else "report.py")
                self.assertEqual((end.returncode, end.stderr), (0, ""))
                made, committed = self.contents(self.made / folder.name), self.contents(folder)
                self.assertEqual(sorted(made), sorted(committed))
                for name in committed:
                    self.assertMultiLineEqual(made[name].decode(), committed[name].decode(), f"{folder.name}/{name}")

    def test_committed_results_are_small(self):
        sizes = {file: len(content) for file, content in self.contents(BENCH / "results").items()}
        self.assertLess(sum(sizes.values()), 1 << 19, sizes)

    def test_results_json_is_enough(self):
        self.page(RUN)
        before = self.contents(self.target)
        end = self.report(self.target / "results.json")
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        self.assertEqual(self.contents(self.target), before)

    def test_times_in_results_json(self):
        self.page(RUN)
        results = json.loads((self.target / "results.json").read_text())
        self.assertEqual(results["context"], {"code": CODE, **CONTEXT})
        self.assertEqual(results["times_ns"]["spring"]["unpaired"],
                         {"count": [64], "avx2-portable": [0.1235], "gcc": [0.3]})
        self.assertEqual(results["times_ns"]["body"]["moser-veselov-6"], {
            "count": [64, 4096], "avx2-portable": [8.0, 6.0], "avx2-portable-low": [None, 9.0],
            "avx2-fused": [7.5, 5.0], "avx2-fused-low": [None, 7.0]})
        self.assertEqual(results["threads"], {"multiply-add": {"2": 2.0}, "springs_step": {"2": 1.9}})
        self.assertEqual(results["errors"], {"body": {
            "engine": {"unit": "rad", "bullet": 1.5}, "engine-in-4": {"unit": "rad", "bullet": 0.4},
            "moser-veselov-6": {"unit": "rad", "avx2-fused": 0.001}}})
        self.assertEqual(results["static_bounds"], {
            loop["kernel"]: {loop["table"]: {key: loop[key] for key in loop if key not in ("kernel", "table")}}
            for loop in MCA})

    def test_ratios(self):
        page = self.page(RUN)
        self.assertTrue(page.startswith("# Abacus (12 beads)\n"))
        for line in (
                # 2 cycles; half the speed of the ceiling; 10 operations of half a cycle, twice because they are not
                # fused
                "| springs_step | avx2-portable | 1 | 2 | 0.5 | 5 | 1.5 | 1.6 | 1.25 | ports |",
                "| springs_step | avx2-fused | 0.625 | 1 | 0.8 |  |  |  |  | memory |",
                # 2 divisions and a square root: 2 * 5 + 8
                "| bodies_step | avx2-portable | 8 | 16 | 0.125 | 18 | 8 | 12.5 | 1.28 | latency |",
                "| springs that share one matrix | 65,536 | 0.2 | 0.75 × same matrix, plain loop, gcc -O3 |",
                "| springs with parameters of their own | 4,096 | 2 |  |",
                "| step of rigid bodies | 4,096 | 6 | 20 × Bullet |",
                f"- Code measured: {CODE}",
                "| moving | 65,536 | 0.2 | 0.1 | gcc 0.75 / 1.5 |",
                "| moser-veselov-6 | 64 | 8 | 7.5 | bullet 18.8 / 20 |",
                "| moser-veselov-6 | 4,096 | 6 | 5 | bullet 20 / 24 |",
                "| moser-veselov-6 | 1.33 | 2 | 1.5 | 1.4 |",
                "| springs_step | 2 | 1.9 | 0.95 |",
                "| inertia_principal | 40 | 30 |"):
            self.assertIn(line + "\n", page)
        self.assertIn("differ by 10.0 % in the median and 10 % at most", page)
        self.assertNotIn("unpaired", page)

    def test_one_clock_for_all_tables(self):
        rows = [row("clock", "cycle", UNITS, 0.5)] + [row for row in KERNELS["rows"] if row["group"] != "clock"]
        page = self.page({**RUN, "kernels.json": {**KERNELS, "rows": rows}})
        self.assertIn("| springs_step | avx2-portable | 1 | 2 |", page)
        self.assertIn("| springs_step | avx2-fused | 0.625 | 1.25 |", page)

    def test_bounds_for_another_model(self):
        self.assertNotIn("fewer arithmetic units", self.page(RUN))
        run = copy.deepcopy(RUN)
        for loop in run["mca.json"]:
            loop["model"] = "slide-rule"
        self.assertIn("simulated (for slide-rule: the model of this CPU has fewer arithmetic units than were measured).",
                      self.page(run))

    def test_peers_of_the_frontier(self):
        self.page(RUN)
        self.assertEqual(json.loads((self.target / "results.json").read_text())["frontier"], {
            "source": "sh tools/bench.sh, Abacus (12 beads)", "gyre_moser_veselov_6_ns": 5,
            "peers": [{"name": "Bullet", "points": [{"steps_a_frame": 1, "ns": 120, "error_rad": 1.5},
                                                    {"steps_a_frame": 4, "ns": 480, "error_rad": 0.4}]}]})

    def test_without_engines_there_is_no_frontier(self):
        rows = [row for row in BODIES["rows"] if not row["group"].startswith("engine")]
        self.page({**RUN, "body.json": {**BODIES, "rows": rows}})
        self.assertNotIn("frontier", json.loads((self.target / "results.json").read_text()))

    def test_pictures(self):
        page = self.page(RUN)
        pictures = {file.name: file.read_text() for file in self.target.glob("*.svg")}
        self.assertEqual(sorted(pictures), ["errors.svg", "peers.svg"])
        for name, picture in pictures.items():
            self.assertIn(f"]({name})\n", page)
            xml.etree.ElementTree.fromstring(picture)
        # gcc takes 0.75 of the time: its bar is the longest except that of the ceiling, which takes 0.4
        for bar in ('#000000" stroke-width="12" d="M110 64H325', '#d55e00" stroke-width="12" d="M110 80H282',
                    '#777777" stroke-width="12" d="M110 96H224.7', '#0072b2" stroke-width="12" d="M110 112H196'):
            self.assertRegex(pictures["peers.svg"], bar + '["M]')

    def test_picture_of_counts(self):
        kernels = [row("springs_step", candidate, count, ns) for candidate, ns in
                   (("ceiling", 0.1), ("avx2-portable", 1.0), ("avx2-fused", 0.5)) for count in (1, 100)]
        self.page({**RUN, "kernels.json": topic(kernels)})
        picture = (self.target / "counts.svg").read_text()
        xml.etree.ElementTree.fromstring(picture)
        # 1, 2 and 10 elements per ns on an axis from 1 / 1.2 to 12; 1 to 100 elements on an axis of 305 pixels
        curves = re.findall(r'stroke="(#\w+)" stroke-width="1.5"[^>]*? d="([^"]*)"', picture)
        self.assertEqual(curves, [("#56b4e9", "M60 242.4H365"), ("#009e73", "M60 194.3H365"),
                                  ("#000000", "M60 82.6H365")])

    def test_files_of_an_earlier_run_are_replaced(self):
        self.page(RUN)
        (self.target / "my notes.txt").write_text("mine")
        (self.rows / "body.json").unlink()
        page = self.page({})
        self.assertNotIn("| moser-veselov-6 |", page)
        self.assertIn("Not measured: particle, math, rotation, chain, body, arrays", page)
        self.assertEqual({file.name for file in self.target.iterdir()},
                         {"README.md", "results.json", "peers.svg", "my notes.txt"})

    def test_without_rows(self):
        self.refuses("no rows found, expected kernels.json, spring.json")

    def test_damaged_results(self):
        self.page(RUN)
        results = json.loads((self.target / "results.json").read_text())
        damaged = self.rows / "damaged.json"
        for path, value, message in (
                (["context", "code"], "", 'context.code is "", expected a name'),
                (["context", "lanes"], "4 8", "context lists 3 tables but lanes of 2"),
                (["times_ns"], [], "times_ns is not an object"),
                (["times_ns", "spring"], [], "times_ns.spring is not an object"),
                (["times_ns", "spring", "moving"], 1, "times_ns.spring.moving is not an object"),
                (["times_ns", "spring", "moving", "count"], [0.5], "times_ns.spring.moving.count is [0.5], expected a list"),
                (["times_ns", "spring", "moving", "gcc"], [1, 2], "times_ns.spring.moving.gcc is [1, 2], expected 1 numbers"),
                (["times_ns", "spring", "moving", "gcc"], [-1], "times_ns.spring.moving.gcc is [-1], expected 1 numbers"),
                (["threads", "springs_step"], {"2": 0}, 'threads.springs_step is {"2": 0}, expected numbers above 0'),
                (["errors", "body", "engine"], [], "errors.body.engine is not an object"),
                (["errors", "body", "engine", "bullet"], -1, "errors.body.engine.bullet is -1, expected a number from 0"),
                (["static_bounds", "springs_step", "avx2-portable", "cycles"], 0,
                 "static_bounds.springs_step.avx2-portable.cycles is 0, expected a number above 0")):
            with self.subTest(message):
                copied = copy.deepcopy(results)
                place = copied
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = value
                damaged.write_text(json.dumps(copied))
                self.refuses(f"damaged.json: {message}", damaged)
        damaged.write_text(json.dumps(results)[:-9])
        self.refuses("damaged.json: ", damaged)

    def test_damaged_rows_change_nothing(self):
        self.page(RUN)
        for name, path, value, message in (
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
                ("kernels.json", ["context", "lanes"], "4 8", "context lists 3 tables but lanes of 2"),
                ("kernels.json", ["context", "cpu"], "../..", 'context.cpu is "../..", expected a name'),
                ("kernels.json", ["context"], None, "context is not an object"),
                ("mca.json", [0, "cycles"], None, "file[0].cycles is null")):
            with self.subTest(message):
                damaged = copy.deepcopy(RUN[name])
                place = damaged
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = value
                self.write({**RUN, name: damaged})
                self.refuses(f"{name}: {message}")
        for name in RUN:
            with self.subTest(name):
                self.write({**RUN, name: json.dumps(RUN[name])[:-9]})
                self.refuses(f"{name}: ")
