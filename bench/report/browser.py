#!/usr/bin/env python3
"""Makes the page of a browser on a machine, next to the native table SSE41 of the same run.

    report/browser.py ROWS BROWSER_JSON RESULTS CODE     from the rows of bench_kernels and what bench.html measured
    report/browser.py RESULTS_JSON RESULTS               again from results.json, which is kept

Writes RESULTS/<cpu>-<browser>/: README.md and results.json.
"""
import json
import pathlib
import re
import sys

sys.dont_write_bytecode = True # keep the source tree clean

from page import number, table_of
from results import is_number, read_json, read_results, read_rows, rounded, write_results

NATIVE, WASM, LOOP = 'sse41-portable', 'wasm128-portable', 'float32array-loop'
BROWSERS = [('Firefox', 'Firefox'), ('Chrome', 'Chromium'), ('Version', 'Safari')] # as in a user agent, and our names


def browser_of(user_agent):
    for name, known in BROWSERS:
        if found := re.search(rf'{name}/(\d+)', user_agent):
            return f'{known} {found[1]}'
    sys.exit(f'no known browser: {user_agent}')


def joined(native, browser):
    """The compact form of both: only the counts that the browser measured."""
    kernels = {}
    for kernel, times in browser['times_ns']['kernels'].items():
        own = native['times_ns']['kernels'][kernel]
        kernels[kernel] = {'count': times['count'],
                           NATIVE: [own[NATIVE][own['count'].index(count)] for count in times['count']],
                           **{name: [rounded(ns, 4) for ns in times[name]] for name in (WASM, LOOP) if name in times}}
    context = {**native['context'], 'browser': browser_of(browser['context']['browser']), 'tables': f'{NATIVE} {WASM}',
               'lanes': '4 4'}
    return {**native, 'context': context, 'times_ns': {'kernels': kernels}}


def lines_of(kernels):
    for kernel, times in kernels.items():
        for k, count in enumerate(times['count']):
            native, own, loop = (times[name][k] if name in times else None for name in (NATIVE, WASM, LOOP))
            yield [kernel if k == 0 else '', f'{count:,}', number(own), number(native), number(own / native),
                   number(loop / own) if is_number(loop) else '']


def page_of(results):
    context = results['context']
    return f'''# {context["browser"]}, {context["cpu"]}

One thread, WebAssembly of the npm package; native is `{NATIVE}` by {context["compiler"]}, which has as many lanes, in the
same run. `sh tools/web.sh bench` made this page.

{table_of(["kernel", "elements", "ns per element", "native", "times the native time", "times as fast as a Float32Array loop"],
          lines_of(results["times_ns"]["kernels"]))}
- Code measured: {context["code"]}
- Native times are processor times; browsers know elapsed time alone, so other work on the machine shows. Both are the
  shortest of interleaved repetitions.
- The loop is the step of `springs_step`, written over Float32Arrays in JavaScript.
'''


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    if len(sys.argv) == 3:
        source, folder = map(pathlib.Path, sys.argv[1:])
        results = read_results(source)
    else:
        rows, measured, folder = map(pathlib.Path, sys.argv[1:4])
        results = joined(read_rows(rows, sys.argv[4]), read_json(measured))
    context = results['context']
    name = f'{context["cpu"]} {context["browser"].split()[0]}'
    target = folder / re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')
    target.mkdir(parents=True, exist_ok=True)
    write_results(results, target / 'results.json')
    (target / 'README.md').write_text(page_of(results))
    print(target / 'README.md')


if __name__ == '__main__':
    main()
