#!/usr/bin/env python3
"""Prints parts of a machine's results, which tools/docs/renew.py inserts in other pages.

    report/excerpt.py RESULTS_FOLDER            what was measured, a table of a few rows, the picture of peers
    report/excerpt.py --faster RESULTS_FOLDER   which peers are faster than Gyre, and where
"""
import pathlib
import sys

sys.dont_write_bytecode = True # keep the source tree clean

from page import HEADLINE_COLUMNS, headline_lines, number, peers_of, table_of
from results import TOPICS, Results, read_results


def headline(results, folder):
    context = results.context
    print(f"One thread of {context['cpu']}, {context['compiler']}, table `{results.portable}`, measured by "
          f'`sh tools/bench.sh full` ([all figures]({folder}/README.md)). Below 1 the other is faster.\n')
    print(table_of(HEADLINE_COLUMNS, headline_lines(results)))
    print(f'![Speed of Gyre and of its peers, relative to the portable table]({folder}/peers.svg)')


NO_PEERS = ['without', 'memcpy'] # the same without an option, and a lower bound


def faster_lines(results):
    for topic in TOPICS[1:]:
        for group in results.groups_of(topic):
            for count in results.counts(group):
                own = [results.ns(group, table, count) for table in results.best]
                peers = [] if None in own else [
                    (name, ns) for name, ns in peers_of(results, group, count) if ns < own[0] and name not in NO_PEERS]
                if peers:
                    yield [group, f'{count:,}', ', '.join(
                        f'{name} {" / ".join(number(ns / time) for time in own)}' for name, ns in peers)]


def main():
    *options, folder = sys.argv[1:] or ['']
    if options not in ([], ['--faster']) or not folder:
        sys.exit(__doc__)
    results = Results(read_results(pathlib.Path(folder, 'results.json')))
    if options:
        print(table_of(['group', 'elements', 'time relative to ' + ' / '.join(results.best)], faster_lines(results)))
    else:
        headline(results, folder.rstrip('/'))


if __name__ == '__main__':
    main()
