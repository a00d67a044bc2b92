"""Adds up what Meson's JUnit files of several builds say and prints "N passed, N failed" (", N skipped").

usage: count_results.py BUILDS SUITE...     BUILDS/SUITE is a build folder; one without results counts as a failure
"""
import pathlib
import sys
import xml.etree.ElementTree

builds = pathlib.Path(sys.argv[1])
passed = failed = skipped = 0
for suite in sys.argv[2:]:
    results = list((builds / suite / "meson-logs").glob("testlog*.junit.xml"))  # named after the test setup, if any
    if len(results) != 1:
        print(f"{suite}: did not build or run")
        failed += 1
        continue
    for case in xml.etree.ElementTree.parse(results[0]).iter("testcase"):
        if case.find("skipped") is not None:
            skipped += 1
        elif case.find("failure") is not None or case.find("error") is not None:
            print(f"{suite}: {case.get('classname')} {case.get('name')}: failed")
            failed += 1
        else:
            passed += 1

print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
sys.exit(1 if failed or passed == 0 else 0)
