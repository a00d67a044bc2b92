#!/usr/bin/env python3
"""Makes the page of a machine from its results.

    report/report.py ROWS RESULTS CODE         from the folder of raw rows written by the benchmarks of CODE
    report/report.py RESULTS_JSON RESULTS      again from results.json, which is kept

Writes RESULTS/<cpu>/: README.md, pictures (*.svg) and results.json. Damaged input changes nothing; otherwise files of
an earlier run are replaced or removed.
"""
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True # keep the source tree clean

from page import write_page
from pictures import PICTURES
from results import Results, frontier_of, read_results, read_rows, write_results

MADE_FILES = ['README.md', 'results.json'] + [name for name, _, _ in PICTURES]


def make_files(compact, folder):
    results = Results(compact)
    write_results({**compact, **frontier_of(results)}, folder / 'results.json')
    pictures = [(name, caption) for name, draw, caption in PICTURES if draw(results, folder / name)]
    write_page(results, folder / 'README.md', pictures)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    source, folder, *code = sys.argv[1:]
    compact = read_rows(pathlib.Path(source), code[0]) if code else read_results(pathlib.Path(source))
    target = pathlib.Path(folder, re.sub(r'[^a-z0-9]+', '-', compact['context']['cpu'].lower()).strip('-'))
    try:
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix='.making-', dir=folder) as making:
            make_files(compact, pathlib.Path(making))
            for name in MADE_FILES:
                if (made := pathlib.Path(making, name)).exists():
                    made.replace(target / name)
                else:
                    (target / name).unlink(missing_ok=True)
    except OSError as error:
        sys.exit(str(error))
    print(target / 'README.md')


if __name__ == '__main__':
    main()
