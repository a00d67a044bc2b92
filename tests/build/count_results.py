"""Tests of support/count_results.py, with logs as written by Meson 1.0.1."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

COUNT_RESULTS = pathlib.Path(__file__).parents[1] / "support" / "count_results.py"


class CountResults(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name)

    def write(self, suite, ends, cases, setup=""):
        """`ends`: {program: result}; `cases`: [(class name, test, contents of the element)]."""
        logs = self.results / suite
        logs.mkdir(parents=True)
        (logs / f"testlog{setup}.json").write_text(
            "".join(json.dumps({"name": name, "result": end}) + "\n" for name, end in ends.items()))
        (logs / f"testlog{setup}.junit.xml").write_text("<testsuites><testsuite>" + "".join(
            f"<testcase classname='{kind}' name='{name}'>{inside}</testcase>" for kind, name, inside in cases)
            + "</testsuite></testsuites>")

    def counted(self, expected, *suites, said=()):
        run = subprocess.run([sys.executable, COUNT_RESULTS, self.results, *suites], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        *lines, last = run.stdout.splitlines()
        self.assertEqual(last, expected)
        self.assertEqual(lines, list(said))
        self.assertEqual(run.returncode, 0 if " 0 failed" in expected else 1)

    def test_all_passed(self):
        self.write("gcc", {"gyre:math / values": "OK", "gyre:build / script": "OK"},
                   [("gyre.gyre:math / values", "1 - exp", ""), ("gyre.gyre:math / values", "2 - log", ""),
                    ("gyre.gyre:math / values", "3 - wide", "<skipped/>"), ("gyre", "gyre:build / script", "")])
        self.counted("3 passed, 0 failed, 1 skipped", "gcc")
        self.write("nehalem", {"gyre:math / values": "OK"}, [("gyre.gyre:math / values", "1 - exp", "")], "-nehalem")
        self.counted("4 passed, 0 failed, 1 skipped", "gcc", "nehalem")

    def test_a_failed_test_counts_once(self):
        self.write("gcc", {"gyre:math / values": "ERROR", "gyre:build / script": "FAIL"},
                   [("gyre.gyre:math / values", "1 - exp", ""), ("gyre.gyre:math / values", "2 - log", "<failure/>"),
                    ("gyre", "gyre:build / script", "<failure/>")])
        self.counted("1 passed, 2 failed", "gcc", said=[
            "gcc: gyre:math / values: 2 - log: failed", "gcc: gyre:build / script: gyre:build / script: failed"])

    def test_a_program_that_ends_badly_after_tests_that_passed(self):
        for end in ("ERROR", "TIMEOUT", "INTERRUPT"):
            with self.subTest(end=end):
                self.write(end, {"gyre:math / values": end, "gyre:math / errors": "OK"},
                           [("gyre.gyre:math / values", "1 - exp", ""), ("gyre.gyre:math / errors", "1 - exp", "")])
                self.counted("2 passed, 1 failed", end, said=[f"{end}: gyre:math / values: ended with {end}: failed"])

    def test_a_program_that_is_one_test_and_takes_too_long(self):
        self.write("gcc", {"gyre:build / script": "TIMEOUT"}, [("gyre", "gyre:build / script", "")])
        self.counted("0 passed, 1 failed", "gcc", said=["gcc: gyre:build / script: ended with TIMEOUT: failed"])

    def test_a_suite_that_is_left_out(self):
        self.write("avx512", {"avx512": "SKIP"}, [("gyre", "avx512", "<skipped/>")])
        self.counted("0 passed, 0 failed, 1 skipped", "avx512")

    def test_a_suite_without_results(self):
        self.write("gcc", {"gyre:build / script": "OK"}, [("gyre", "gyre:build / script", "")])
        self.write("empty", {}, [])
        self.write("half", {"gyre:build / script": "OK"}, [("gyre", "gyre:build / script", "")])
        (self.results / "half" / "testlog.junit.xml").write_text("<testsuites><testsuite>")
        self.counted("1 passed, 3 failed", "gcc", "none", "empty", "half",
                     said=[f"{suite}: did not build or run" for suite in ("none", "empty", "half")])
