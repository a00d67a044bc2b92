"""Runs the unittest cases of one file and prints them as TAP, so that Meson counts each.

usage: support/run_unittest.py FILE
"""
import pathlib
import sys
import unittest

import tap


class Result(unittest.TestResult):
    def _done(self, test, passed, details=""):
        tap.check(passed, test.id().replace("#", " "), details)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._done(test, True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._done(test, False, self._exc_info_to_string(err, test))

    def addError(self, test, err):
        super().addError(test, err)
        self._done(test, False, self._exc_info_to_string(err, test))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:  # no other method is called for a test with a failed subtest
            self._done(subtest, False, self._exc_info_to_string(err, test))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        tap.skip(test.id(), reason)


path = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(path.parent))
unittest.defaultTestLoader.loadTestsFromName(path.stem).run(Result())
tap.finish()
