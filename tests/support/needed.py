"""Prints the ninja targets that the tests need that `meson test` would run with the same options.

usage: support/needed.py BUILD OPTION...
"""
import json
import pathlib
import subprocess
import sys

build = pathlib.Path(sys.argv[1]).resolve()
listed = subprocess.run(["meson", "test", "-C", build, "--no-rebuild", "--list", *sys.argv[2:]], stdout=subprocess.PIPE,
                        text=True, check=True).stdout.splitlines()
names = {line.split(" / ")[-1] for line in listed}
tests = json.loads((build / "meson-info/intro-tests.json").read_text())
ids = {target for test in tests if test["name"] in names for target in test["depends"]}
targets = json.loads((build / "meson-info/intro-targets.json").read_text())
for target in targets:
    if target["id"] in ids:
        print(*(pathlib.Path(file).relative_to(build) for file in target["filename"]), sep="\n")
