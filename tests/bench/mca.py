"""Tests of bench/report/mca.py, with stand-ins for the disassembler and for llvm-mca."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

MCA = pathlib.Path(__file__).resolve().parents[2] / "bench" / "report" / "mca.py"

DISASSEMBLY = """
    1000:\tvmulps %ymm0,%ymm1,%ymm2
    1004:\tvaddps %ymm2,%ymm1,%ymm0        # 2000 <x+0x10>
    1008:\tjne    1000 <loop>
    100a:\tvdivps %ymm0,%ymm1,%ymm2
    100e:\tnewops %ymm0
    1010:\tvmulps %ymm0,%ymm1,%ymm2
"""
LOOP = "1000 1004 1008 "
PEAK = ["multiply-add table 8 1010 1010", "multiply-add table 16 1010 1010 1010 1010"]

# In this llvm-mca, an instruction takes one cycle, and half a cycle of its port.
ASKED = """instructions=$(cat)
case $instructions in
    *newops*) echo 'error: found an unsupported instruction' >&2; exit 1 ;;
esac
count=$(echo "$instructions" | grep -c .)
echo "Total Cycles:      $count"
echo "Block RThroughput: $((count / 2)).5"
"""


class Mca(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.programs = self.root / "programs"
        self.programs.mkdir()
        self.result = self.root / "mca.json"
        (self.root / "disassembly").write_text(DISASSEMBLY)
        self.measure(0.25)
        self.stand_in("objdump", f"cat {self.root}/disassembly")

    def measure(self, cycles):
        """Writes rows with the peak in cycles per element; a cycle takes half a nanosecond."""
        rows = [{"group": "clock", "candidate": "table", "ns_per_element": 0.5},
                {"group": "multiply-add", "candidate": "table", "ns_per_element": cycles / 2},
                {"group": "divide", "candidate": "table", "ns_per_element": 7}]
        (self.root / "kernels.json").write_text(json.dumps({"rows": rows}))

    def stand_in(self, name, script):
        file = self.programs / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def bounds_of(self, *traces, peak=PEAK):
        (self.root / "traces").write_text("".join(trace + "\n" for trace in [*traces, *peak]))
        return subprocess.run([sys.executable, MCA, "program", self.root / "traces", self.root / "kernels.json",
                               self.result], capture_output=True, text=True,
                              env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"})

    def test_measures_per_element(self):
        self.stand_in("llvm-mca-40", ASKED)
        end = self.bounds_of("f table 64 100a " + 8 * LOOP, "f table 128 100a " + 16 * LOOP)
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        self.assertEqual(json.loads(self.result.read_text()), [
            {"kernel": "f", "table": "table", "model": "native", "cycles": 0.375, "busiest_port_cycles": 0.1875,
             "instructions": 0.375, "arithmetic": 0.25, "divisions": 0, "square_roots": 0}])

    def test_the_newest_is_used(self):
        self.stand_in("llvm-mca", "exit 1")
        self.stand_in("llvm-mca-39", "exit 1")
        self.stand_in("llvm-mca-40", ASKED)
        self.assertEqual(self.bounds_of("f table 64 " + LOOP, "f table 128 " + 2 * LOOP).returncode, 0)

    def test_loops_of_unknown_instructions_are_left_out(self):
        self.stand_in("llvm-mca-40", ASKED)
        end = self.bounds_of("f table 64 " + LOOP, "f table 128 " + 2 * LOOP,
                             "g table 64 " + LOOP, "g table 128 100e " + 2 * LOOP)
        self.assertEqual(end.returncode, 0)
        self.assertEqual(end.stderr, f"left out: 1 of 2 loops; first message of {self.programs}/llvm-mca-40: "
                                     "error: found an unsupported instruction\n")
        self.assertEqual([loop["kernel"] for loop in json.loads(self.result.read_text())], ["f"])

    def test_a_model_that_is_slower_than_what_was_measured_gives_no_bounds(self):
        self.measure(0.125)
        self.stand_in("llvm-mca-40", "case $* in *-mcpu=native*) ;; *) exec llvm-mca-39 ;; esac\n" + ASKED)
        self.stand_in("llvm-mca-39", ASKED.replace('$count"', '$((count / 2))"'))
        end = self.bounds_of("f table 64 " + 8 * LOOP, "f table 128 " + 16 * LOOP)
        self.assertEqual((end.returncode, end.stderr), (0, ""))
        loop, = json.loads(self.result.read_text())
        self.assertEqual((loop["model"], loop["cycles"]), ("skylake-avx512", 0.1875))

    def test_no_model_is_as_fast_as_what_was_measured(self):
        self.measure(0.125)
        self.stand_in("llvm-mca-40", ASKED)
        end = self.bounds_of("f table 64 " + 8 * LOOP, "f table 128 " + 16 * LOOP)
        self.assertEqual((end.returncode, end.stderr), (
            0, f"{self.programs}/llvm-mca-40 has no model that multiplies and adds as fast as this CPU: its bounds are "
               "those of a slower one\n"))
        self.assertEqual([loop["model"] for loop in json.loads(self.result.read_text())], ["native"])

    def test_without_a_trace_of_the_peak_no_model_is_as_fast(self):
        self.stand_in("llvm-mca-40", ASKED)
        end = self.bounds_of("f table 64 " + LOOP, "f table 128 " + 2 * LOOP, peak=[])
        self.assertIn("has no model that multiplies and adds as fast", end.stderr)

    def test_without_measured_rows(self):
        self.stand_in("llvm-mca-40", ASKED)
        (self.root / "kernels.json").unlink()
        end = self.bounds_of("f table 64 " + LOOP, "f table 128 " + 2 * LOOP)
        self.assertEqual(end.returncode, 1)
        self.assertEqual(len(end.stderr.splitlines()), 1, end.stderr)
        self.assertIn("kernels.json", end.stderr)

    def test_without_any_bound(self):
        self.stand_in("llvm-mca-40", ASKED)
        end = self.bounds_of("g table 64 100e", "g table 128 100e 100e")
        self.assertEqual(end.returncode, 1)
        self.assertTrue(end.stderr.endswith("mca.py: no static bounds\n"))
        self.assertFalse(self.result.exists())
