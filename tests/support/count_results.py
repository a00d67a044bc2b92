"""Adds up Meson's logs of several builds and prints "N passed, N failed" (", N skipped").

usage: support/count_results.py RESULTS SUITE...     RESULTS/SUITE has the logs of one run; missing logs count as a
failure

The JUnit file has the individual tests of a program but not how the program ended. Only the JSON file shows a program
that took too long, or that failed although all its output was ok; it counts as one failure.
"""
import collections
import json
import pathlib
import sys
import xml.etree.ElementTree

GOOD_ENDS = ("OK", "EXPECTEDFAIL", "SKIP")


def results_of(logs):
    """[(program, test, "passed", "failed" or "skipped")]; ValueError unless there is exactly one pair of logs."""
    [programs_log] = logs.glob("testlog*.json")  # named after the test setup, if any
    [tests_log] = logs.glob("testlog*.junit.xml")
    programs = map(json.loads, programs_log.read_text().splitlines())
    ends = {program["name"]: program["result"] for program in programs}
    results = []
    for case in xml.etree.ElementTree.parse(tests_log).iter("testcase"):
        test = case.get("name")
        program = test if test in ends else case.get("classname").partition(".")[2]  # a program may be a single test
        if case.find("skipped") is not None:
            results.append((program, test, "skipped"))
        elif case.find("failure") is not None or case.find("error") is not None:
            results.append((program, test, "failed"))
        elif test != program or ends[program] in GOOD_ENDS:
            results.append((program, test, "passed"))
    failed = {program for program, _, result in results if result == "failed"}
    results += [(program, f"ended with {end}", "failed") for program, end in ends.items()
                if end not in GOOD_ENDS and program not in failed]
    return results


folder = pathlib.Path(sys.argv[1])
count = collections.Counter()
for suite in sys.argv[2:]:
    try:
        results = results_of(folder / suite)
    except (ValueError, xml.etree.ElementTree.ParseError):
        results = []
    if not results:
        print(f"{suite}: did not build or run")
        count["failed"] += 1
    for program, test, result in results:
        count[result] += 1
        if result == "failed":
            print(f"{suite}: {program}: {test}: failed")

skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
print(f"{count['passed']} passed, {count['failed']} failed{skipped}")
sys.exit(1 if count["failed"] else 0)
