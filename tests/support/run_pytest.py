"""Runs the pytest functions of one file and prints them as TAP, so that Meson counts each.

usage: support/run_pytest.py FILE
"""
import pathlib
import sys

import hypothesis
import pytest

import tap

sys.dont_write_bytecode = True
hypothesis.settings.register_profile("reproducible", database=None, deadline=None, derandomize=True)
hypothesis.settings.load_profile("reproducible")


class Results:
    def pytest_addoption(self, parser):
        parser.addoption("--verbose", type=int, default=0)  # which pytest reads, and the terminal's plugin would add

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.rpartition("::")[2].replace("#", " ")
        if report.skipped:
            tap.skip(name, report.longrepr[2])
        elif report.failed:
            tap.check(False, f"{name}, {report.when}", report.longreprtext)
        elif report.when == "call":
            tap.check(True, name)

    def pytest_collectreport(self, report):
        if report.failed:
            tap.check(False, report.nodeid, report.longreprtext)


file = pathlib.Path(sys.argv[1])
pytest.main([str(file), f"--rootdir={file.parent}", "-c", "/dev/null", "-p", "no:terminal", "-p", "no:cacheprovider"],
            plugins=[Results()])
tap.finish()
