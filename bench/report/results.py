"""Results of one machine: raw rows written by the benchmarks, and the compact form that is kept in git.

The compact form is one dictionary, results.json:

    context          what was measured, with what and where: texts
    times_ns         topic > group > {"count": [...], candidate: [ns per element, one per count; null: not measured]}
    threads          kernel > {number of threads: speed relative to one thread}
    errors           topic > group > {"unit": ..., candidate: largest error}
    static_bounds    kernel > table > llvm-mca's figures for the loop, per element
    frontier         input of `python3 -m gyre.plot frontier --peers`

The page and the pictures are made only from it.
"""
import collections
import json
import math
import re
import sys

TOPICS = ['kernels', 'spring', 'particle', 'math', 'rotation', 'chain', 'body', 'arrays']
THREADS_SUFFIX = '-threads' # of groups whose candidates are numbers of threads


# ---- What files must contain. ----

def is_number(value):
    return type(value) in (int, float) and math.isfinite(value)


def is_tables(value):
    return isinstance(value, str) and '-portable' in value and \
        all(re.fullmatch(r'\w+-(portable|fused)', table) for table in value.split())


KINDS = {
    'a text': lambda value: isinstance(value, str),
    'a name': lambda value: isinstance(value, str) and re.search('[A-Za-z0-9]', value),
    'names of tables, one of them portable': is_tables,
    'whole numbers': lambda value: isinstance(value, str) and re.fullmatch(r'[1-9]\d*( [1-9]\d*)*', value),
    'a whole number above 0': lambda value: type(value) is int and value > 0,
    'a number above 0': lambda value: is_number(value) and value > 0,
    'a number from 0': lambda value: is_number(value) and value >= 0,
    'numbers above 0 by name': lambda value: isinstance(value, dict) and all(
        is_number(number) and number > 0 for number in value.values()),
}
CONTEXT = {'cpu': 'a name', 'governor': 'a text', 'compiler': 'a text', 'library_version': 'a text',
           'tables': 'names of tables, one of them portable', 'lanes': 'whole numbers', 'peers_left_out': 'a text'}
ROW = {'group': 'a text', 'candidate': 'a text', 'count': 'a whole number above 0',
       'ns_per_element': 'a number above 0', 'speed_over': 'numbers above 0 by name'}
ERROR = {'group': 'a text', 'candidate': 'a text', 'error': 'a number from 0', 'unit': 'a text'}
BOUNDS = {'model': 'a text', 'cycles': 'a number above 0', 'busiest_port_cycles': 'a number above 0',
          'arithmetic': 'a number from 0', 'divisions': 'a number from 0', 'square_roots': 'a number from 0'}
LOOP = {'kernel': 'a text', 'table': 'a text', **BOUNDS}


def read_json(file):
    try:
        return json.loads(file.read_text())
    except (OSError, ValueError) as error:
        sys.exit(f'{file}: {error}')


def check(file, name, item, kinds):
    if not isinstance(item, dict):
        sys.exit(f'{file}: {name} is not an object')
    for key, kind in kinds.items():
        if not KINDS[kind](item.get(key)):
            sys.exit(f'{file}: {name}.{key} is {json.dumps(item.get(key))}, expected {kind}')


def check_all(file, name, items, kinds):
    if not isinstance(items, list):
        sys.exit(f'{file}: {name} is not a list')
    for i, item in enumerate(items):
        check(file, f'{name}[{i}]', item, kinds)


def check_context(file, context, kinds):
    check(file, 'context', context, kinds)
    tables, lanes = (len(context[key].split()) for key in ('tables', 'lanes'))
    if tables != lanes:
        sys.exit(f'{file}: context lists {tables} tables but lanes of {lanes}')


# ---- Raw rows to the compact form. ----

def read_topic(file):
    topic = read_json(file)
    check(file, 'file', topic, {})
    check_context(file, topic.get('context'), CONTEXT)
    check_all(file, 'rows', topic.get('rows'), ROW)
    check_all(file, 'errors', topic.get('errors'), ERROR)
    return topic


def rounded(value, digits):
    return float(f'{value:.{digits}g}')


def times_of(rows):
    """group > {"count": counts, candidate: times}, of all rows except those of several threads."""
    times = {}
    for group in dict.fromkeys(row['group'] for row in rows if not row['group'].endswith(THREADS_SUFFIX)):
        own = {(row['candidate'], row['count']): row['ns_per_element'] for row in rows if row['group'] == group}
        counts = sorted({count for _, count in own})
        times[group] = {'count': counts}
        for candidate in dict.fromkeys(candidate for candidate, _ in own):
            times[group][candidate] = [rounded(own[candidate, count], 4) if (candidate, count) in own else None
                                       for count in counts]
    return times


def read_rows(folder, code):
    """The compact form of a folder of raw rows; `code`: a description of the measured code."""
    files = {topic: folder / f'{topic}.json' for topic in TOPICS}
    topics = {topic: read_topic(file) for topic, file in files.items() if file.exists()}
    if not topics:
        sys.exit(f'{folder}: no rows found, expected ' + ', '.join(file.name for file in files.values()))
    results = {'context': {'code': code, **{key: next(iter(topics.values()))['context'][key] for key in CONTEXT}},
               'times_ns': {}, 'threads': {}, 'errors': {}, 'static_bounds': {}}
    for name, topic in topics.items():
        results['times_ns'][name] = times_of(topic['rows'])
        for row in topic['rows']:
            if row['group'].endswith(THREADS_SUFFIX) and '1' in row['speed_over']:
                kernel = row['group'].removesuffix(THREADS_SUFFIX)
                results['threads'].setdefault(kernel, {})[row['candidate']] = rounded(row['speed_over']['1'], 3)
        for error in topic['errors']:
            groups = results['errors'].setdefault(name, {})
            group = groups.setdefault(error['group'], {'unit': error['unit']})
            group[error['candidate']] = rounded(error['error'], 3)
    if (file := folder / 'mca.json').exists():
        loops = read_json(file)
        check_all(file, 'file', loops, LOOP)
        for loop in loops:
            results['static_bounds'].setdefault(loop['kernel'], {})[loop['table']] = {key: loop[key] for key in BOUNDS}
    return results


# ---- The compact form. ----

def read_results(file):
    results = read_json(file)
    check(file, 'file', results, {})
    check_context(file, results.get('context'), {'code': 'a name', **CONTEXT})
    for key in ('times_ns', 'threads', 'errors', 'static_bounds'):
        check(file, key, results.get(key), {})
        for topic, groups in results[key].items():
            check(file, f'{key}.{topic}', groups, {})
    for topic, groups in results['times_ns'].items():
        for group, times in groups.items():
            name = f'times_ns.{topic}.{group}'
            check(file, name, times, {})
            counts = times.get('count')
            if not isinstance(counts, list) or not all(KINDS['a whole number above 0'](count) for count in counts):
                sys.exit(f'{file}: {name}.count is {json.dumps(counts)}, expected a list of whole numbers above 0')
            for candidate, column in times.items():
                if not isinstance(column, list) or len(column) != len(counts) or \
                        not all(ns is None or KINDS['a number above 0'](ns) for ns in column):
                    sys.exit(f'{file}: {name}.{candidate} is {json.dumps(column)}, expected {len(counts)} numbers above 0 '
                             'or null')
    for kernel in results['threads']:
        check(file, 'threads', results['threads'], {kernel: 'numbers above 0 by name'})
    for topic, groups in results['errors'].items():
        for group, errors in groups.items():
            kinds = {candidate: 'a number from 0' for candidate in errors if candidate != 'unit'} \
                if isinstance(errors, dict) else {}
            check(file, f'errors.{topic}.{group}', errors, {'unit': 'a text', **kinds})
    for kernel, loops in results['static_bounds'].items():
        for table, bounds in loops.items():
            check(file, f'static_bounds.{kernel}.{table}', bounds, BOUNDS)
    return results


def as_lines(value, depth):
    """JSON with one line for each member down to a depth."""
    if depth == 0 or not isinstance(value, dict) or not value:
        return json.dumps(value)
    return '{\n' + ',\n'.join(f'{json.dumps(key)}: {as_lines(member, depth - 1)}' for key, member in value.items()) + '}'


def write_results(results, file):
    file.write_text(as_lines(results, 3) + '\n')


class Results:
    """Look-ups in a machine's results for the page and the pictures. A time is found by group, candidate and count."""

    def __init__(self, results):
        self.context = results['context']
        self.times = results['times_ns']
        self.threads = results['threads']
        self.errors = results['errors']
        self.static_bounds = results['static_bounds']
        self.groups = {group: times for topic in TOPICS for group, times in self.times.get(topic, {}).items()}
        self.tables = self.context['tables'].split()
        self.lanes = dict(zip(self.tables, map(int, self.context['lanes'].split())))
        self.portable = [table for table in self.tables if table.endswith('-portable')][-1]
        self.fused = next((table for table in reversed(self.tables) if table.endswith('-fused')), None)
        self.best = [table for table in (self.portable, self.fused) if table]

    def ns(self, group, candidate, count):
        times = self.groups.get(group, {'count': []})
        return times[candidate][times['count'].index(count)] if candidate in times and count in times['count'] else None

    def groups_of(self, topic):
        return list(self.times.get(topic, {}))

    def counts(self, group):
        return self.groups.get(group, {'count': []})['count']

    def at(self, group, count):
        """(candidate, ns) of everything measured in a group at a count."""
        return [(candidate, ns) for candidate in self.groups.get(group, {}) if candidate != 'count' and
                (ns := self.ns(group, candidate, count))]

    def is_table(self, candidate):
        return candidate in self.tables


FRONTIER_ENGINES = {'bullet': 'Bullet', 'ode': 'ODE'}


def frontier_of(results):
    """The member "frontier": engines in steps per frame, next to the time of Gyre's own Moser-Veselov 6, by which the
    picture `frontier` scales. Empty if either was not measured."""
    points = collections.defaultdict(list)
    for group, errors in results.errors.get('body', {}).items():
        for name, error in errors.items():
            if name in FRONTIER_ENGINES and (ns := results.ns(group, name, 4096)):
                steps = 1 if group == 'engine' else int(group.removeprefix('engine-in-'))
                points[name].append({'steps_a_frame': steps, 'ns': ns, 'error_rad': error})
    reference = results.ns('moser-veselov-6', results.fused, 4096)
    if not points or not reference:
        return {}
    return {'frontier': {'source': 'sh tools/bench.sh, ' + results.context['cpu'], 'gyre_moser_veselov_6_ns': reference,
                         'peers': [{'name': FRONTIER_ENGINES[name], 'points': line} for name, line in points.items()]}}
