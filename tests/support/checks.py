"""Every check of support/check.h fails when it should, and prints line, table, case, got and wanted."""
import os
import pathlib
import re
import subprocess
import unittest

PROGRAM = os.environ["FAILING_CHECKS"]
SOURCE = pathlib.Path(__file__).with_name("failing_checks.c").read_text().splitlines()

# The test's name, and its output after file and line.
MESSAGES = {
    "less": "3: got 3, wanted < 3",
    "at_most": "x: got 0.100000001 (0x1.99999ap-4), wanted <= 0.0625 (0x1p-4)",
    "greater": "-1: got -1, wanted > 0",
    "at_least": "0.0: got 0 (0x0p+0), wanted >= 4.9406564584124654e-324 (0x0.0000000000001p-1022)",
    "equal": "1.5: got 1.5 (0x1.8p+0), wanted == 2",
    "not_equal": "0.0f: got 0 (0x0p+0), wanted != -0 (-0x0p+0)",
    "large": "UINT64_MAX: got 18446744073709551615 (0xffffffffffffffff), wanted == -1",
    "long_double": "1.25L: got 1.25 (0xap-3), wanted == 1 (0x1p+0)",
    "nan_is_no_number": "(double)NAN: got nan (nan), wanted <= 1",
    "nan_equals_nothing": "NAN: got nan (nan), wanted == nan (nan)",
    "null": "(const float *)NULL: got (nil), wanted != (nil)",
    "within": "1.5f: got 1.5 (0x1.8p+0), wanted 1, off by 0.5, allowed 0.25",
    "within_nan": "(double)NAN: got nan (nan), wanted 1, off by nan, allowed 0.25",
    "same": "0.0f: got 0 (0x0p+0), wanted -0 (-0x0p+0), the same bits",
    "same_double": "1.0: got 1 (0x1p+0), wanted nan (nan), the same bits",
    "bits": "1.0f: got 0x3f800000 (0x1p+0), wanted 0xbf800000 (-0x1p+0)",
    "nan": "1.0f: got 1 (0x1p+0), wanted NaN",
    "finite": "-(double)INFINITY: got -inf (-inf), wanted finite",
    "not_finite": "2.0f: got 2 (0x1p+1), wanted an infinity or NaN",
    "not_subnormal": "-0x1p-149f: got -1.40129846e-45 (-0x1p-149), wanted no subnormal number",
    "flushed": "0x1p-96f: got 1.26217745e-29 (0x1p-96), wanted 0 or a magnitude of at least 2^-95",
    "status": "GYRE_ERROR_NULL: got null, wanted ok",
    "text": 'gyre_isa_name(GYRE_ISA_SSE2): got "sse2", wanted "avx2"',
    "floats": "got: got [2] = 3 (0x1.8p+1), wanted 4 (0x1p+2), the same bits",
    "bytes": '"abc": got 0x63 at byte 2 of 3, wanted 0x64',
    "failed": "got 7 springs, wanted none",
    "share": "round 4: 0.5 * (5 - i % 4) / 2: got 1.250 of the allowed error, wanted at most 1",
    "share_nan": "(double)NAN: got nan of the allowed error, wanted at most 1",
    "case": "name: 12.50% of 0x1.99999ap-4, -3  and 4, 0xff: 1: got 1, wanted == 2",
    "nested_cases": "outer, round 3, called with 3: i: got 3, wanted < 3",
    "table": "scalar portable, first: 1: got 1, wanted == 2",
    "ended_cases": "leave_early(): got 1, wanted == 0",
}


def lines_of_checks():
    """The line of each test's check, or of the check in the function that it calls."""
    lines, test = {}, None
    for number, line in enumerate(SOURCE, 1):
        begin = re.match(r"(?:static .*\b|FAILS\()(\w+)[(,]", line)
        test = begin[1].removeprefix("test_") if begin else test
        if re.match(r"\s+check\w*\(|FAILS", line):
            lines.setdefault(test, number)
    lines["nested_cases"] = lines["check_in_case"]
    return lines


class Checks(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.done = subprocess.run([PROGRAM], env={**os.environ, "CMOCKA_MESSAGE_OUTPUT": "TAP"}, text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_messages(self):
        lines = lines_of_checks()
        got = [line for line in self.done.stderr.splitlines() if re.match(r"tests/support/failing_checks\.c:\d+: ", line)]
        want = [f"tests/support/failing_checks.c:{lines[name]}: {text}" for name, text in MESSAGES.items()]
        self.assertEqual(got, want)

    def test_each_fails(self):
        tests = re.findall(r"TEST\(test_(\w+)\)", "\n".join(SOURCE))
        failed = re.findall(r"^not ok \d+ - test_(\w+)", self.done.stdout, re.M)
        self.assertEqual(failed, [name for name in tests if name != "none_fails"])
        self.assertEqual(set(failed), {*MESSAGES, "crash"})
        self.assertNotEqual(self.done.returncode, 0)

    def test_crash(self):
        self.assertIn("# it crashed in: element 9\n", self.done.stdout)
