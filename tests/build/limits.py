"""Tests may be slow: the only time limit (test_limit_s in meson.build) stops those that hang. Benchmarks have no limit,
and tests contain no other one that a busy machine could reach.

usage: build/limits.py BUILD LIMIT_S
"""
import json
import pathlib
import re
import sys

import tap

build, limit_s = pathlib.Path(sys.argv[1]), int(sys.argv[2])
SOURCE = pathlib.Path(__file__).resolve().parents[2]
OWN_LIMIT = r"timeout ?[=:] ?\d|settimeout\(|setTimeout\(|\balarm\("

tests = json.loads((build / "meson-info/intro-tests.json").read_text())
wrong = [f"{test['name']}: {test['timeout']} s" for test in tests
         if test["timeout"] != (0 if "gyre:bench" in test["suite"] else limit_s)]
tap.check(len(tests) > 50 and not wrong, f"tests have a limit of {limit_s} s, benchmarks none", "\n".join(wrong))

sources = [path for folder in ("tests", "tools/bindings/js/tests") for path in (SOURCE / folder).rglob("*")
           if path.suffix in (".py", ".js", ".c", ".cc", ".sh") and path != pathlib.Path(__file__).resolve()]
found = [f"{path.relative_to(SOURCE)}: {line.strip()}" for path in sources for line in path.read_text().splitlines()
         if re.search(OWN_LIMIT, line)]
tap.check(len(sources) > 100 and not found, "no test sets its own limit", "\n".join(found))
tap.finish()
