#!/usr/bin/env python3
"""Runs the benchmark page in headless Chromium.

    harness/browser.py BUILD_WEB OUT.json     the folder made by `sh tools/web.sh build`; keeps the shortest time
                                              of each row from this run and an existing OUT.json
"""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / 'tests/support'))

from chromium import Chromium


def main():
    folder, file = map(pathlib.Path, sys.argv[1:])
    with Chromium(folder) as chromium:
        page = chromium.open('page/bench.html')
        results = json.loads(page.evaluate('import("./bench.js").then(({ measure }) => measure()).then(JSON.stringify)'))
        if page.errors:
            sys.exit('\n'.join(page.errors))
    if file.exists():
        for kernel, times in json.loads(file.read_text())['times_ns']['kernels'].items():
            own = results['times_ns']['kernels'][kernel]
            own.update({name: list(map(min, own[name], column)) for name, column in times.items()})
    file.write_text(json.dumps(results))


if __name__ == '__main__':
    main()
