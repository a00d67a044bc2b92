"""Tests of bench/report/merge.py."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

MERGE = pathlib.Path(__file__).resolve().parents[2] / "bench" / "report" / "merge.py"


def row(candidate, ns, **speed_over):
    return {"group": "g", "candidate": candidate, "count": 64, "ns_per_element": ns, "elements_per_second": 1e9 / ns,
            "bytes_per_second": 8e9 / ns, "speed_over": speed_over}


class Merge(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def merge(self, *runs):
        files = []
        for i, run in enumerate(runs):
            files.append(self.folder / f"{i}.json")
            files[-1].write_text(run if isinstance(run, str) else json.dumps(run))
        return subprocess.run([sys.executable, MERGE, self.folder / "all.json", *files], capture_output=True, text=True)

    def test_the_shortest_time_of_each_row(self):
        error = {"group": "g", "candidate": "ours", "error": 0.5, "unit": "ulp"}
        runs = [{"context": {"cpu": "Abacus"}, "errors": errors, "rows": [
            row("ours", ours, theirs=theirs / ours, itself=1), row("theirs", theirs, ours=ours / theirs)]}
            for errors, ours, theirs in (([error], 4.0, 3.0), ([], 2.0, 6.0), ([], 3.0, 3.5))]
        runs[2]["rows"].append(row("late", 7.0))
        self.assertEqual(self.merge(*runs).returncode, 0)
        self.assertEqual(json.loads((self.folder / "all.json").read_text()), {
            "context": {"cpu": "Abacus"}, "errors": [error],
            "rows": [row("ours", 2.0, theirs=1.5, itself=1), row("theirs", 3.0, ours=0.667), row("late", 7.0)]})

    def test_the_median_speed_up_of_threads(self):
        runs = [{"context": {}, "errors": [], "rows": [row("1", one), row("2", one / speed, **{"1": speed})]}
                for one, speed in ((3.0, 2.0), (5.0, 1.25), (4.5, 1.5))]
        self.assertEqual(self.merge(*runs).returncode, 0)
        self.assertEqual(json.loads((self.folder / "all.json").read_text())["rows"],
                         [row("1", 3.0), row("2", 3.0, **{"1": 1.5})])

    def test_unreadable_run(self):
        end = self.merge({"context": {}, "errors": [], "rows": []}, "{")
        self.assertEqual((end.returncode, len(end.stderr.splitlines())), (1, 1))
        self.assertFalse((self.folder / "all.json").exists())
