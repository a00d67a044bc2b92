#!/usr/bin/env python3
"""Merges several runs of a benchmark: the shortest time of each row, and the median speed-up of several threads.

    report/merge.py RESULT.json RUN.json...

The addresses of stack, heap and libraries differ from run to run, and with unlucky ones a loop takes up to twice as long
in all repetitions of a run. Comparisons must not depend on that.
"""
import json
import sys


def merged_row(same):
    """One row from the same row of all runs. The shortest times of its rivals follow from the ratios. The speed-up of
    several threads is a median already, so the median run is kept."""
    if all('1' in row['speed_over'] for row in same):
        return sorted(same, key=lambda row: row['speed_over']['1'])[len(same) // 2]
    best = min(same, key=lambda row: row['ns_per_element'])
    rivals = {}
    for row in same:
        for label, speed in row['speed_over'].items():
            rivals.setdefault(label, []).append(speed * row['ns_per_element'])
    return {**best, 'speed_over': {label: float(f"{min(times) / best['ns_per_element']:.3g}")
                                   for label, times in rivals.items()}}


def merged(runs):
    rows = {}
    for run in runs:
        for row in run['rows']:
            rows.setdefault((row['group'], row['candidate'], row['count']), []).append(row)
    return {'context': runs[0]['context'], 'rows': [merged_row(same) for same in rows.values()],
            'errors': [error for run in runs for error in run['errors']]}


def lines(items):
    return '[' + ','.join('\n ' + json.dumps(item) for item in items) + ']'


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    result, *files = sys.argv[1:]
    try:
        runs = []
        for file in files:
            with open(file) as run:
                runs.append(json.load(run))
        all_runs = merged(runs)
        with open(result, 'w') as out:
            out.write(f'{{"context": {json.dumps(all_runs["context"], indent=2)},\n"rows": {lines(all_runs["rows"])},\n'
                      f'"errors": {lines(all_runs["errors"])}}}\n')
    except (OSError, ValueError) as error:
        sys.exit(f'merge.py: {error}')


if __name__ == '__main__':
    main()
